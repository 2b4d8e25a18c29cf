"""Kawaii beyond its heuristic: what a claim is worth, and what a good player looks at in every claim and position."""
