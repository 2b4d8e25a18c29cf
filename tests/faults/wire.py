"""The wire to PostgreSQL, which can be cut, held and mended."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Wire:
    """A port that leads to PostgreSQL's socket file."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._whole = True
        self._passing = threading.Event()
        self._passing.set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        """Where it begins."""
        port: int = self._listening.getsockname()[1]
        return port

    def cut(self) -> None:
        """Ends all connections and takes no new ones."""
        self._whole = False
        for pair in list(self._pairs):
            _end(pair)

    def hold(self) -> None:
        """Lets nothing pass, and tells nobody."""
        self._passing.clear()

    def mend(self) -> None:
        """Everything passes again."""
        self._whole = True
        self._passing.set()

    def close(self) -> None:
        """Removes it."""
        self.cut()
        self._passing.set()
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                self._join(near)

    def _join(self, near: socket.socket) -> None:
        far = socket.socket(socket.AF_UNIX)
        try:
            if not self._whole:
                raise ConnectionRefusedError
            far.connect(self._file)
        except OSError:
            near.close()
            far.close()
            return
        pair = (near, far)
        self._pairs.add(pair)
        for source, sink in (pair, pair[::-1]):
            threading.Thread(target=self._pump, args=(source, sink, pair), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, pair: tuple[socket.socket, socket.socket]) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                self._passing.wait()
                sink.sendall(data)
        self._pairs.discard(pair)
        _end(pair)


def _end(pair: tuple[socket.socket, socket.socket]) -> None:
    for end in pair:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
