"""What `zashiki stats` measured, from the files it wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from docs._ext.markdown import paragraphs, table

FOLDER = Path(__file__).parents[1] / "statistics"


def statistics(name: str) -> str:
    """One study: its command, the share of victories by place, points, length, endings and kinds of actions."""
    study: dict[str, Any] = msgspec.json.decode((FOLDER / f"{name}.json").read_bytes())
    return paragraphs(
        f"**{study['tournament']['seats']} seats**, {study['played']:,} matches:",
        f"```sh\n{command(study)}\n```",
        table(("", "share of victories", "95 %"), [_place(each) for each in study["by_place"]]),
        _sizes(study),
        table(("kind of action", "decisions in which it was legal", "chosen then"), [_kind(each) for each in study["kinds"]]),
    )


def command(study: dict[str, Any]) -> str:
    """What was run."""
    played = study["tournament"]
    words = ["zashiki stats", played["game"], "--bot", played["bots"][0], "--seats", str(played["seats"])]
    return " ".join([*words, "--matches", str(study["planned"]), "--seed", str(played["seed"])])


def _place(place: dict[str, Any]) -> tuple[str, str, str]:
    share = place["share"]
    return place["name"], _percent(share["value"]), f"{_percent(share['low'])} – {_percent(share['high'])}"


def _kind(kind: dict[str, Any]) -> tuple[str, str, str]:
    return kind["kind"], f"{kind['legal']:,}", _percent(kind["rate"]["value"])


def _sizes(study: dict[str, Any]) -> str:
    endings = ", ".join(f"{name} {_percent(count / study['played'])}" for name, count in study["endings"].items())
    return f"Points a seat: {_spread(study['points'])}. Decisions a match: {_spread(study['decisions'])}. Endings: {endings}."


def _spread(sizes: dict[str, Any]) -> str:
    low, high = (sizes["quantiles"][each] for each in ("5", "95"))
    return f"{sizes['mean']:,.1f} on average, {low:,.0f} to {high:,.0f} in nine of ten"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
