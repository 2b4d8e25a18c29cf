"""Several processes on one port: kept alive, replaced one after the other on SIGHUP, stopped together."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from typing import Any

import msgspec

from zashiki.server.worker import STOP_S, Job, Plan, encoded

FIRST_DELAY_S, LONGEST_DELAY_S = 0.5, 30.0
CALM_S = 60.0
"""A worker that has lived so long before it died is started again without delay."""
PATIENCE_S = STOP_S + 5
"""After so long a worker that should have stopped is killed."""

logger = logging.getLogger("zashiki.workers")


class Worker:
    """A process that serves, or will in a moment."""

    def __init__(self, process: Process, ready: int) -> None:
        self.process = process
        self.began = time.monotonic()
        self.is_ready = asyncio.get_running_loop().run_in_executor(None, _read_and_close, ready)
        """Whether it serves; known when it does, or when it has died before."""

    @classmethod
    async def start(cls, plan: Plan, sockets: list[socket.socket]) -> Worker:
        """Begins a process on these sockets."""
        reading, writing = os.pipe()
        descriptors = [each.fileno() for each in sockets]
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-P", "-m", "zashiki.server.worker"),  # nothing from the folder we happen to be in
                stdin=PIPE,
                pass_fds=(*descriptors, writing),
                process_group=0,  # Ctrl-C is for us; we tell the workers ourselves
            )
        finally:
            os.close(writing)
        assert process.stdin is not None
        process.stdin.write(encoded(Job(plan, descriptors, writing)))
        return cls(process, reading)

    async def stop(self) -> None:
        """Lets it finish what it has accepted; kills it if it does not end."""
        if self.process.returncode is None:
            self.process.terminate()
        try:
            await asyncio.wait_for(self.process.wait(), PATIENCE_S)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()


def _read_and_close(descriptor: int) -> bool:
    try:
        return bool(os.read(descriptor, 1))
    finally:
        os.close(descriptor)


class Slot:
    """A worker's place: the socket that is its alone, and who has it now."""

    def __init__(self, number: int, own: socket.socket) -> None:
        self.number = number
        self.own = own
        self.worker: Worker | None = None


class Workers:
    """Keeps one worker in each slot."""

    def __init__(self, plan: Plan, shared: socket.socket, own: list[socket.socket], on_ready: Callable[[], None]) -> None:
        self._plan = plan
        self._shared = shared
        self._slots = [Slot(number, each) for number, each in enumerate(own)]
        self._on_ready = on_ready
        self._stopping = asyncio.Event()
        self._replacing = asyncio.Event()

    async def run(self) -> int:
        """Serves until a signal says stop; the exit status."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stopping.set)
        # From a terminal it means that the terminal is closing.
        loop.add_signal_handler(signal.SIGHUP, (self._stopping if os.isatty(0) else self._replacing).set)
        tasks: list[asyncio.Task[None]] = []
        try:
            if not await self._start_all():
                return 0 if self._stopping.is_set() else 1
            self._on_ready()
            tasks += [asyncio.create_task(self._keep(slot)) for slot in self._slots]
            tasks.append(asyncio.create_task(self._replace_when_asked()))
            await self._stopping.wait()
            return 0
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.gather(*(slot.worker.stop() for slot in self._slots if slot.worker))

    async def _start_all(self) -> bool:
        """Whether all serve, and nobody has said stop meanwhile."""
        for slot in self._slots:
            slot.worker = await self._start(slot)
        ready = asyncio.gather(*(slot.worker.is_ready for slot in self._slots if slot.worker))
        stopping = asyncio.create_task(self._stopping.wait())
        awaited: set[asyncio.Future[Any]] = {ready, stopping}
        await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        return ready.done() and all(ready.result())

    async def _start(self, slot: Slot) -> Worker:
        host, port = slot.own.getsockname()[:2]
        plan = msgspec.structs.replace(self._plan, address=f"http://{host}:{port}")
        return await Worker.start(plan, [self._shared, slot.own])

    async def _keep(self, slot: Slot) -> None:
        """Starts a worker again whenever it dies, less and less eagerly if it dies at once."""
        delay = FIRST_DELAY_S
        while True:
            worker = slot.worker
            assert worker is not None
            code = await worker.process.wait()
            if slot.worker is not worker:
                continue
            lived = time.monotonic() - worker.began
            delay = FIRST_DELAY_S if lived > CALM_S else min(delay * 2, LONGEST_DELAY_S)
            logger.error("worker %d has ended with status %d; another starts in %.0f s", slot.number, code, delay)
            await asyncio.sleep(delay)
            if slot.worker is worker:
                slot.worker = await self._start(slot)

    async def _replace_when_asked(self) -> None:
        while True:
            await self._replacing.wait()
            self._replacing.clear()
            logger.info("replacing %d workers one after the other", len(self._slots))
            for slot in self._slots:
                if not await self._replace(slot):
                    logger.error("the new worker %d did not start; those that serve go on", slot.number)
                    break
            else:
                logger.info("all workers are new")

    async def _replace(self, slot: Slot) -> bool:
        """Puts a new worker into a slot; the old one stops when the new one serves."""
        fresh = await self._start(slot)
        try:
            ready = await asyncio.shield(fresh.is_ready)
        except asyncio.CancelledError:
            await fresh.stop()
            raise
        if not ready:
            await fresh.stop()
            return False
        old, slot.worker = slot.worker, fresh
        if old:
            await old.stop()
        return True
