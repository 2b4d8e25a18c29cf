"""`python -m tests.abuse --messages 50000`: the long siege, with latencies of honest tables beside it."""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from pathlib import Path

import msgspec

from tests.abuse.siege import besiege
from tests.faults.processes import Server


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.abuse", description="Besieges a server and measures honest tables beside.")
    parser.add_argument("--messages", type=int, default=50_000)
    parser.add_argument("--rate", type=float, default=1000.0, help="bad messages a second, at most")
    parser.add_argument("--windows", type=int, default=10, help="how often server and decoy are attacked in turn")
    parser.add_argument("--silent", type=int, default=50, help="connections that never read")
    parser.add_argument("--idle", type=int, default=4000, help="idle connections")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", type=int, help="the core of the server; everything else runs on the others")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="zashiki-abuse-") as folder:
        server = Server(Path(folder))
        server.start()
        try:
            server.wait_until_ready()
            if arguments.core is not None:
                os.sched_setaffinity(server.pid, {arguments.core})
                os.sched_setaffinity(0, os.sched_getaffinity(0) - {arguments.core})
            report = asyncio.run(
                besiege(
                    server,
                    messages=arguments.messages,
                    seed=arguments.seed,
                    rate=arguments.rate,
                    windows=arguments.windows,
                    silent=arguments.silent,
                    idle=arguments.idle,
                )
            )
            print(msgspec.json.format(msgspec.json.encode(report)).decode())
            if report.failures:
                print(server.last_words())
        finally:
            server.kill()
    decoy, abuse = report.latency["decoy"], report.latency["abuse"]
    ratios = ", ".join(f"{name} {abuse[name] / decoy[name]:.2f}" for name in ("mean", "p50", "p90", "p99"))
    print(f"latency of honest moves, server attacked / decoy attacked: {ratios}")
    raise SystemExit("\n".join(report.failures) or 0)


if __name__ == "__main__":
    main()
