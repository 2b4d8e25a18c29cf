"""Plays the new game: one match, and a thousand at once."""

from zashiki import Batch, Match

match = Match("lantern", 3, seed=7)
while not match.over:
    seat = match.to_act[0]
    match.act(seat, match.legal_actions(seat)[0])
print(match.outcome)

batch = Batch("lantern", 1000, seats=3)
for _ in range(20):
    batch.observe()
    batch.step(batch.random_actions())
print(f"{len(batch.done)} matches at once")
