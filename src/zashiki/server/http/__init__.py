"""Everything but the live stream, over HTTP."""
