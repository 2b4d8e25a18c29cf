"""Zashiki: a card table for people, bots and programs."""
