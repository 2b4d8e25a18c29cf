"""Hanamikoji to the end: what favours are worth, what the opponent may hold, and the last turns of a round solved."""
