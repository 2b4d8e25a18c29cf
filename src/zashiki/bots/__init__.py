"""Players that are programs. Each sees a view, never a state."""
