"""Measurements: the engine on this machine, on a GPU, and beside other libraries."""
