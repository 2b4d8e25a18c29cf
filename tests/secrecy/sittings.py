"""The matches that are compared: every game, its paces and options, tables of several sizes, with and without clocks and bots."""

from __future__ import annotations

from tests.secrecy.lockstep import Sitting

DAYS = {"type": "move", "seconds": 5 * 86_400}
BANK = {"type": "bank", "seconds": 10_800, "increment": 5}

SITTINGS = [
    Sitting("hanamikoji", 2, clock=DAYS),
    Sitting("hanamikoji", 2, {"rounds": 3}, clock=BANK),
    Sitting("hanamikoji", 2, {"rounds": 1}, bots={0: "club"}),
    Sitting("kimono", 3, clock=DAYS),
    Sitting("kimono", 4, clock=BANK),
    Sitting("kimono", 6, bots={2: "beginner", 5: "club"}, onlookers=2),
    Sitting("kasane", 2, {"accessory_combo": True}, clock=BANK),
    Sitting("kasane", 4, clock=DAYS, onlookers=2),
    Sitting("kawaii", 3, clock=DAYS),
    Sitting("kawaii", 4, {"stacked": True}, clock=BANK, onlookers=2),
    Sitting("kawaii", 3, {"pace": "live"}, clock=DAYS, steps=250),
    Sitting("kawaii", 3, {"pace": "live", "stacked": True}),
    Sitting("kawaii", 5, {"pace": "live"}, clock=BANK, onlookers=2),
    Sitting("kohoju", 2, {"target": 10}, clock=BANK),
    Sitting("kohoju", 3, clock=DAYS, onlookers=2),
    Sitting("kohoju", 6, {"target": 10}, bots={1: "club"}, onlookers=1),
]
