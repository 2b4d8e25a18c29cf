"""Assistants at the table, through the Model Context Protocol."""
