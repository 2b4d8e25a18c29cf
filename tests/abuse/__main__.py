"""`python -m tests.abuse --messages 50000`: the long siege, with latencies of honest tables beside it."""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from tests.abuse.siege import Report, besiege
from tests.faults.processes import LIMITS, Server


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.abuse", description="Besieges a server and measures honest tables beside.")
    parser.add_argument("--messages", type=int, default=50_000)
    parser.add_argument("--rate", type=float, default=1000.0, help="bad messages a second, at most")
    parser.add_argument("--windows", type=int, default=10, help="how often server and decoy are attacked in turn")
    parser.add_argument("--silent", type=int, default=50, help="connections that never read")
    parser.add_argument("--idle", type=int, default=4000, help="idle connections, at a server whose limits are raised")
    parser.add_argument("--limits", type=float, default=1.0, help="how many times the usual limits hold (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=int, help="the core of the server; everything else runs on the others")
    asked = parser.parse_args()
    others = os.sched_getaffinity(0) - {asked.core}
    os.sched_setaffinity(0, others)
    how = {"messages": asked.messages, "rate": asked.rate, "windows": asked.windows, "silent": asked.silent}
    failures = []
    if asked.messages:
        report = run(asked.limits, asked.core, seed=asked.seed, **how)
        failures += report.failures
        decoy, abuse = report.latency["decoy"], report.latency["abuse"]
        ratios = ", ".join(f"{name} {abuse[name] / decoy[name]:.2f}" for name in ("mean", "p50", "p90", "p99"))
        print(f"latency of honest moves, server attacked / decoy attacked: {ratios}", flush=True)
    if asked.idle:
        failures += run(LIMITS, asked.core, messages=0, seed=asked.seed, silent=0, idle=asked.idle).failures
    raise SystemExit("\n".join(failures) or 0)


def run(limits: float, core: int | None, **how: Any) -> Report:
    """One siege of one server, told as JSON."""
    with tempfile.TemporaryDirectory(prefix="zashiki-abuse-") as folder:
        server = Server(Path(folder), limits=limits)
        server.start()
        try:
            if core is not None:
                os.sched_setaffinity(server.pid, {core})
            server.wait_until_ready()
            report = asyncio.run(besiege(server, **how))
            print(msgspec.json.format(msgspec.json.encode(report)).decode())
            if report.failures:
                print(server.last_words())
            return report
        finally:
            server.kill()


if __name__ == "__main__":
    main()
