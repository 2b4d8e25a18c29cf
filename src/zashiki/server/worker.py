"""One process of the server: the application on uvicorn, on sockets that somebody else has bound.

As a program of its own it reads its job from standard input and goes when that ends: then whoever started it is gone.
"""

from __future__ import annotations

import importlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import uvicorn

from zashiki.server.guard import GuardedWebSocket
from zashiki.server.settings import Settings

APPLICATION = "zashiki.server.building:build_app"
"""The function that makes the application of a process from its settings and its own address."""
DRAIN_S = 5
"""How long connections may take to close."""
STOP_S = 15
"""After so long a process that should stop is ended, whatever it is doing."""
LARGEST_FRAME = 64 * 1024
LARGEST_HEAD = 16 * 1024
"""Of a request line with its headers."""
LONGEST_QUEUE = 16
"""Frames of one socket that wait to be read."""


class Plan(msgspec.Struct, frozen=True):
    """What a process is: which application with which settings, and the address that is its alone."""

    settings: Settings
    address: str = ""
    application: str = APPLICATION


class Job(msgspec.Struct, frozen=True):
    """What a worker is told: its plan, the descriptors of its sockets, and where to say that it serves."""

    plan: Plan
    sockets: list[int]
    ready: int


def build_app(plan: Plan) -> Any:
    """The application, from where its name says."""
    module, _, function = plan.application.partition(":")
    return getattr(importlib.import_module(module), function)(plan.settings, address=plan.address)


def run_server(plan: Plan, sockets: list[socket.socket], on_ready: Callable[[], None]) -> None:
    """Serves until a signal says stop, then ends cleanly: sockets are closed with 1012, what was accepted is written."""
    from zashiki.server import logs

    logs.configure(plan.settings.log)
    server = _Server(config(build_app(plan), plan.settings), on_ready)
    # uvicorn listens to signals while it serves; one that comes before must not be lost, and it sends them on to us afterwards.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, server.handle_exit)
    if sys.platform != "win32":  # a terminal that closes
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    server.run(sockets)


def config(app: Any, settings: Settings) -> uvicorn.Config:
    """How uvicorn serves us."""
    return uvicorn.Config(
        app,
        loop="uvloop" if sys.platform != "win32" else "asyncio",
        http="h11",
        ws=GuardedWebSocket,
        ws_max_size=LARGEST_FRAME,
        ws_max_queue=LONGEST_QUEUE,
        ws_per_message_deflate=False,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        interface="asgi3",
        lifespan="on",
        server_header=False,
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips=None,  # $FORWARDED_ALLOW_IPS, else this machine
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=DRAIN_S,
        # A proxy must be the first to let go of an idle connection, or it may ask into one that has just closed.
        timeout_keep_alive=75 if settings.behind_proxy else 5,
    )


class _Server(uvicorn.Server):
    """Tells when it serves, and does not take for ever to stop."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            give_up = threading.Timer(STOP_S, os._exit, [1])
            give_up.daemon = True
            give_up.start()
        super().handle_exit(sig, frame)


def encoded(job: Job) -> bytes:
    """A job as a line."""
    return msgspec.json.encode(job, enc_hook=str) + b"\n"


def _decoded(line: bytes) -> Job:
    return msgspec.json.decode(line, type=Job, dec_hook=lambda kind, value: Path(value))


def _stop_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """A worker as a program of its own."""
    job = _decoded(sys.stdin.buffer.readline())
    threading.Thread(target=_stop_with_parent, name="parent", daemon=True).start()
    sockets = [socket.socket(fileno=descriptor) for descriptor in job.sockets]

    def ready() -> None:
        os.write(job.ready, b"!")
        os.close(job.ready)

    run_server(job.plan, sockets, ready)


if __name__ == "__main__":
    main()
