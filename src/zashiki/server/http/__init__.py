"""Everything except the live stream, over HTTP: controllers that decode, ask the house, and send."""
