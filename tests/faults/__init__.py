"""Faults against real processes: kill them under load, fill the disk, cut the connections; nothing that was said is lost."""
