"""`python -m tests.faults --kills 100 --seed 1 [--postgres]`: the long run."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from tests.faults.campaign import Campaign
from tests.server.databases import Postgres


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.faults", description="Kills servers under load and compares what is left.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="two servers over PostgreSQL, and kill that too")
    parser.add_argument("--parties", type=int, default=10, help="tables at once")
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--apart", type=float, default=1.0, help="seconds between kills, on average")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="zashiki-faults-") as folder:
        database = Path(folder) / "postgres"
        data = Path(folder) / "data"
        data.mkdir()
        postgres = Postgres(database) if arguments.postgres else None
        try:
            campaign = Campaign(data, seed=arguments.seed, postgres=postgres)
            run = campaign.run(arguments.kills, apart=arguments.apart, parties=arguments.parties, clients=arguments.clients)
            report = asyncio.run(run)
        finally:
            if postgres:
                postgres.close()
    print(report.words())
    raise SystemExit(bool(report.verdict.wrong))


if __name__ == "__main__":
    main()
