"""Kasane beyond its heuristic: the last market, which lies open card by card."""
