"""The games inside interfaces that other people's programs already use."""
