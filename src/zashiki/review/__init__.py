"""A match looked at again, as chess players do: what each decision was worth, where the match turned, and how much was luck.

Nothing here reads or writes anything: a match goes in, a `Review` comes out, the same one every time.
"""
