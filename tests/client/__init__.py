"""Programs that play at a server."""
