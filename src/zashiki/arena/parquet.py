"""The matches of a tournament as a table for analysis: a row each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from zashiki.arena.play import Result
from zashiki.arena.schedule import Tournament, pairings
from zashiki.core.errors import ZashikiError

SEAT_BY_SEAT = ("winners", "points", "decisions", "seconds", "slowest")


class NoParquet(ZashikiError, ImportError):
    """There is nothing to write Parquet with."""


def check_parquet() -> None:
    """Says before anything is played that it could not be written."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise NoParquet("pyarrow is not installed: pip install 'zashiki[arena]'") from None


def write_parquet(file: Path, tournament: Tournament, results: Iterable[Result]) -> None:
    """Writes them all, those of unfinished deals too."""
    import pyarrow as pa
    from pyarrow import parquet

    rows = [_row(tournament, result) for result in sorted(results, key=lambda result: result.sitting)]
    parquet.write_table(pa.Table.from_pylist(rows, _schema(pa)), file)


def _row(tournament: Tournament, result: Result) -> dict[str, Any]:
    pairing = pairings(tournament)[result.pairing]
    return {
        "pairing": pairing.title,
        "deal": result.deal,
        "seating": result.seating,
        "bots": [tournament.bots[bot] for bot in pairing.seatings[result.seating]],
        "ending": result.ending,
        "forfeited_by": result.forfeit.seat if result.forfeit else None,
        "forfeit": result.forfeit.reason if result.forfeit else None,
    } | {name: getattr(result, name) for name in SEAT_BY_SEAT}


def _schema(pa: Any) -> Any:
    number, numbers, times = pa.int32(), pa.list_(pa.int32()), pa.list_(pa.float64())
    text = pa.string()
    return pa.schema(
        {
            "pairing": text,
            "deal": number,
            "seating": number,
            "bots": pa.list_(text),
            "points": numbers,
            "winners": numbers,
            "ending": text,
            "decisions": numbers,
            "seconds": times,
            "slowest": times,
            "forfeited_by": number,
            "forfeit": text,
        }
    )
