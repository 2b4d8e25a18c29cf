"""A client of the server's API, for bots and other programs: typed, asynchronous, and it reconnects by itself.

async with Client("http://127.0.0.1:8000", token="…") as client:
    table = await client.create("hanamikoji", bots={1: "club"})
    async with client.sit(table) as seat:
        await seat.start()
        async for state in seat.decisions():
            await seat.act(state.legal[0])
"""

from zashiki.client.backoff import Backoff
from zashiki.client.client import Client
from zashiki.client.connection import Closed
from zashiki.client.lobby import OpenTables
from zashiki.client.state import State
from zashiki.client.table import Table
from zashiki.server.errors import Refused
from zashiki.server.settings import BankClock, MoveClock, NoClock, TableSettings

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
