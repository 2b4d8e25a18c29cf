"""The gears: the same rules as plain Python, or compiled by Numba for the processor and, from there, for a GPU.

`ZASHIKI_GEAR=python` chooses plain Python; anything else compiles. Compiled code is kept on disk, under a name that changes with
every source file, and table, it may have come from: Numba itself notices a change only in the file of the outermost function.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

GEAR = os.environ.get("ZASHIKI_GEAR", "native")
RULES = ("core", "games")
PLAYERS = ("bots", "bench/engine.py", "bench/gpu.py", "adapters/openspiel/steps.py")
"""The folders and files that may be compiled. Those who play know the rules, but the rules do not know who plays: a change in
PLAYERS leaves the compiled rules as they are, a change in any other file leaves all compiled code as it is."""
KEPT_CACHES = 6
KEPT_SECONDS = 7 * 24 * 3600
"""Compiled code of other versions is dropped when there is newer and nobody has used it for a week."""
_CACHE_DIR = Lock()
"""Numba has one setting for all threads of where compiled code is kept: who changes it holds this."""


def rule(function: F) -> F:
    """Marks a function of the rules: compiled in the native gear, left as it is in the python gear."""
    if GEAR == "python":
        return function
    return _compiled(function)


def door(function: F) -> F:
    """Marks a function that Python calls for a microsecond's work: compiled, but it keeps the GIL.

    Letting go of it would invite every other thread to take its turn, which costs far more than the work.
    """
    if GEAR == "python":
        return function
    return _compiled(function, nogil=False)


def direct(function: F, *samples: Any) -> F:
    """The compiled code for arguments of these types, called without looking the types up: a third of the time.

    Its caller answers for the types of what it passes.
    """
    if GEAR == "python":
        return function
    import numba

    dispatcher: Any = function
    types = tuple(numba.typeof(sample) for sample in samples)
    dispatcher.compile(types)
    entry: F = dispatcher.overloads[types].entry_point
    return entry


def cache_folder(module: str = __name__) -> Path:
    """Where this version of the sources keeps the compiled code of a module."""
    package = __name__.split(".")[0]
    belongs = RULES if module.startswith(tuple(f"{package}.{folder}." for folder in RULES)) else RULES + PLAYERS
    return _cache_root() / f"rules-{_digest_of(belongs)}"


def _cache_root() -> Path:
    chosen = os.environ.get("ZASHIKI_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zashiki"


@cache
def _digest_of(parts: tuple[str, ...]) -> str:
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    sources = (source for kind in ("*.py", "*.npy") for source in package.rglob(kind))
    for source in sorted(source for source in sources if _is_part(source.relative_to(package), parts)):
        digest.update(str(source.relative_to(package)).encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def is_compiled(source: Path) -> bool:
    """Whether a file of the package may be compiled."""
    return _is_part(source, RULES + PLAYERS)


def _is_part(source: Path, parts: tuple[str, ...]) -> bool:
    return source.parts[0] in parts or source.as_posix() in parts


def _compiled(function: F, nogil: bool = True) -> F:  # native gear only
    import numba

    folder = cache_folder(function.__module__)
    kept = _prepare_cache(folder)
    with _CACHE_DIR:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            compiled: F = numba.njit(nogil=nogil, cache=kept, error_model="numpy")(function)
        finally:
            numba.config.CACHE_DIR = before
    _widen_calls(compiled)
    _forgive_full_disks(compiled)
    return compiled


def _forgive_full_disks(dispatcher: Any) -> None:  # native gear only
    """What cannot be kept is compiled again next time, and no reason to stop."""
    save = dispatcher._cache.save_overload

    def save_if_possible(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    dispatcher._cache.save_overload = save_if_possible


def _widen_calls(dispatcher: Any) -> None:  # native gear only
    """Lets compiled callers pass every signed integer as 64 bits: Numba would compile once more for each width and constant."""
    from numba.core import types as numba_types

    types: Any = numba_types

    def widened(argument: Any) -> Any:
        plain = types.unliteral(argument)
        return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain

    resolve = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: resolve(tuple(widened(each) for each in args), kws)


@cache
def _prepare_cache(folder: Path) -> bool:  # native gear only
    """Makes the folder and drops old ones; without a folder to write to, tells that nothing can be kept."""
    _announce_compilation()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        (folder / "used").touch()
    except OSError as error:
        print(
            f"zashiki: {folder} cannot be written ({error.strerror}), so the rules are compiled at every start;", file=sys.stderr
        )
        print("zashiki: name a folder that can be written in ZASHIKI_CACHE", file=sys.stderr)
        return False
    _drop_old(folder.parent)
    return True


def _drop_old(root: Path) -> None:  # native gear only
    folders = sorted(root.glob("rules-*"), key=lambda each: -each.stat().st_mtime)
    for folder in folders[KEPT_CACHES:]:
        if time.time() - folder.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


@cache
def _announce_compilation() -> None:  # native gear only
    """Shows one line on the terminal while functions are compiled, which happens once per machine and version."""
    from numba.core import event

    if not sys.stderr.isatty() and not os.environ.get("ZASHIKI_PROGRESS"):
        return

    class Progress(event.Listener):  # type: ignore[misc]  # numba ships no types
        done = depth = 0

        def on_start(self, event: Any) -> None:
            self.depth += 1
            line = f"Compiling the rules, once on this machine: {self.done} functions"
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)

        def on_end(self, event: Any) -> None:
            self.done += 1
            self.depth -= 1
            if self.depth == 0:
                print("\r\033[K", end="", file=sys.stderr, flush=True)

    event.register("numba:compile", Progress())
