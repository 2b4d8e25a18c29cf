"""`zashiki serve` as it is, but with limits that no test reaches: all our clients come from one address."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from zashiki import cli
from zashiki.server import building, serve
from zashiki.server.settings import Settings

VARIABLE = "ZASHIKI_TEST_LIMITS"
"""So many times what people may do."""


def build_app(settings: Settings, *, address: str = "") -> Any:
    """The application of one process."""
    return building.build_app(settings, address=address, multiplier=float(os.environ.get(VARIABLE, "1000")))


if __name__ == "__main__":
    serve.serve = partial(serve.serve, application="tests.faults.generous:build_app")
    cli.main()
