"""A client of the server's API, for bots and other programs: typed, asynchronous, and it reconnects by itself.

async with Client("http://127.0.0.1:8000", token="…") as client:
    table = await client.create("hanamikoji", bots={1: "club"})
    async with client.sit(table) as seat:
        await seat.start()
        async for state in seat.decisions():
            await seat.act(state.legal[0])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zashiki.client.backoff import Backoff
    from zashiki.client.client import Client
    from zashiki.client.connection import Closed
    from zashiki.client.lobby import OpenTables
    from zashiki.client.state import State
    from zashiki.client.table import Table
    from zashiki.server.errors import Refused
    from zashiki.server.settings import BankClock, MoveClock, NoClock, TableSettings

_PLACES = {
    "Backoff": "zashiki.client.backoff",
    "BankClock": "zashiki.server.settings",
    "Client": "zashiki.client.client",
    "Closed": "zashiki.client.connection",
    "MoveClock": "zashiki.server.settings",
    "NoClock": "zashiki.server.settings",
    "OpenTables": "zashiki.client.lobby",
    "Refused": "zashiki.server.errors",
    "State": "zashiki.client.state",
    "Table": "zashiki.client.table",
    "TableSettings": "zashiki.server.settings",
}

__all__ = [
    "Backoff",
    "BankClock",
    "Client",
    "Closed",
    "MoveClock",
    "NoClock",
    "OpenTables",
    "Refused",
    "State",
    "Table",
    "TableSettings",
]


def __getattr__(name: str) -> Any:
    """Loads what needs websockets only when it is asked for: the command line must do without."""
    if name not in _PLACES:
        raise AttributeError(f"zashiki.client has no {name}")
    return getattr(import_module(_PLACES[name]), name)
