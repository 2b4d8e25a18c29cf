"""A small disk that can be full."""

from __future__ import annotations

import errno
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SIZE = 8 * 2**20


class SmallDisk:
    """A disk of a few megabytes in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leaves no room at all."""
        with self._ballast.open("ab", buffering=0) as file:
            try:
                while file.write(b"\0" * 4096):
                    pass
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise

    def clear(self) -> None:
        """Makes room again."""
        self._ballast.unlink()


@contextmanager
def mounted(folder: Path) -> Iterator[SmallDisk | None]:
    """Such a disk; None where we may not mount one."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    try:
        allowed = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        allowed = False
    if not allowed:
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
