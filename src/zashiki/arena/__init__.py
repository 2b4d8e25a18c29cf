"""The arena: bots meet in many matches, and what comes of it is told with its uncertainty."""
