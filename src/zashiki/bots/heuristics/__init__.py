"""What a sensible person knows of each game: how likely each action is, and what a position is worth."""
