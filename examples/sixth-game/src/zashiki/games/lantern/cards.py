"""The cards of Lantern: fifteen lanterns, no two of them equally bright."""

LANTERNS = 15
HAND = 3
"""Lanterns in each hand, and streets in a match."""

HOUSE_NUMBERS = {
    "lanterns": "15, three for each player; the game is made up to show how one is added",
}
