"""The games inside interfaces that other programs know: PettingZoo, Gymnasium and others."""
