"""The packages that a part of the program needs and the rest does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from zashiki.core.errors import MissingPackages


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Says what to install where a package imported under it is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "zashiki").startswith("zashiki"):
            raise
        raise MissingPackages(f"this needs {error.name}: pip install 'zashiki[{name}]'") from None
