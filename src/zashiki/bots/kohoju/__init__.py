"""What Kohoju's master has beyond the heuristic: what it looks at in every action and position, and how it practises."""
