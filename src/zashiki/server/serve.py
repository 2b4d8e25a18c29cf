"""`zashiki serve`: binds the address, brings the store up to date, says where the table is, and serves."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import make_url

from zashiki.core.errors import ZashikiError
from zashiki.server import logs
from zashiki.server.patience import migrate_when_there
from zashiki.server.settings import Settings
from zashiki.server.worker import APPLICATION, Plan, run_server
from zashiki.server.workers import Workers

MOST_WORKERS = 64
LOOPBACK = "127.0.0.1"
NOWHERE = ("192.0.2.1", 9)
"""An address kept for documentation: asking how to get there sends nothing."""


class WrongAddress(ZashikiError):
    """The server cannot listen where it should, or cannot be reached under that address."""


class NeedsPostgres(ZashikiError):
    """Several processes share a PostgreSQL, not a file."""


def serve(settings: Settings, *, lan: bool = False, browser: bool = True, application: str = APPLICATION) -> int:
    """Serves until told to stop; the exit status."""
    logs.configure(settings.log)
    check(settings)
    shared, own = bound_all(settings)
    settings = msgspec.structs.replace(settings, port=shared.getsockname()[1])
    here = f"http://{_written(settings.host)}:{settings.port}"
    plan = Plan(settings, here, application)

    def ready() -> None:
        page = settings.public_url or here
        announce(settings, page, lan=lan)
        if browser and can_browse():
            threading.Thread(target=webbrowser.open, args=[page], daemon=True).start()

    with sole_server(settings.database_url):
        migrate_when_there(settings.database_url)
        if own:
            return _serve_together(plan, shared, own, ready)
        run_server(plan, [shared], ready)
        return 0


def _serve_together(plan: Plan, shared: socket.socket, own: list[socket.socket], ready: Callable[[], None]) -> int:
    async def main() -> int:
        return await Workers(plan, shared, own, ready).run()

    return asyncio.run(main())


def bound_all(settings: Settings) -> tuple[socket.socket, list[socket.socket]]:
    """The socket that all share, and those of several workers, on this machine alone: the ports after it, or any if it is any."""
    shared = bound(settings.host, settings.port)
    numbers = range(settings.workers) if settings.workers > 1 else ()
    return shared, [bound(LOOPBACK, settings.port and settings.port + 1 + number) for number in numbers]


@contextmanager
def sole_server(url: str) -> Iterator[None]:
    """Holds a SQLite file for this server: two that do not hear each other would both ask the bots and both call the time."""
    file = make_url(url).database if url.startswith("sqlite") else None
    if file is None or sys.platform == "win32":
        yield
        return
    import fcntl

    lock = Path(f"{file}.lock")
    lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with lock.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise NeedsPostgres(f"another server uses {file} already; several need a PostgreSQL that they share") from None
        yield


def check(settings: Settings) -> None:
    """Refuses settings that cannot work, before anything is touched."""
    if not 1 <= settings.workers <= MOST_WORKERS:
        raise WrongAddress(f"there can be 1 to {MOST_WORKERS} workers, not {settings.workers}")
    if settings.workers > 1 and settings.database_url.startswith("sqlite"):
        raise NeedsPostgres("several workers need a PostgreSQL that they share: --database postgresql://user@host/name")
    if settings.workers > 1 and sys.platform == "win32":
        raise WrongAddress("several workers need a Unix system")
    if not 0 <= settings.port <= 65_535 - settings.workers:
        raise WrongAddress(f"there is no port {settings.port} with room for {settings.workers} workers after it")
    if settings.public_url is not None:
        parts = urlsplit(settings.public_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
            raise WrongAddress(f"--public-url is like https://cards.example.org, not {settings.public_url!r}")


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens nowhere else than there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        if error.errno == errno.EADDRINUSE:
            raise WrongAddress(f"port {port} is taken: stop whoever has it, or choose another with --port") from None
        raise WrongAddress(f"cannot listen at {host}:{port}: {error.strerror}") from None
    except (UnicodeError, OverflowError):
        raise WrongAddress(f"there is no address {host}:{port}") from None
    return made


def announce(settings: Settings, page: str, *, lan: bool) -> None:
    """Says where the table is; in the house also as a QR code for phones."""
    print(f"\n  Zashiki is at {page}")
    if lan:
        address = lan_address()
        if address is None:
            print("  This machine has no address in a network: phones cannot reach it.")
        else:
            link = settings.public_url or f"http://{address}:{settings.port}"
            print(f"  In this network: {link}\n")
            print_code(link)
    print("  Ctrl-C ends it.\n", flush=True)


def print_code(link: str) -> None:
    """The link as a QR code in the terminal."""
    import segno

    segno.make(link, micro=False).terminal(compact=True)


def lan_address() -> str | None:
    """The address under which others in the same network reach this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(NOWHERE)
        except OSError:
            return None
        found: str = probe.getsockname()[0]
        return None if found.startswith("127.") else found


def can_browse() -> bool:
    """Whether somebody sits before a screen here."""
    if not sys.stdout.isatty() or "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("win32", "darwin") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _written(host: str) -> str:
    """A host as it stands in an address; one that means everywhere is also here."""
    if host in ("0.0.0.0", "::", ""):
        return LOOPBACK
    return f"[{host}]" if ":" in host else host
