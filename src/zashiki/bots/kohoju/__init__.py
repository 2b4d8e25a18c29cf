"""What Kohoju's master has beyond the heuristic: what it looks at in every action and position, and which hands it imagines."""
