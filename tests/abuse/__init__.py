"""Abuse: everything a hostile client can send, beside honest tables that must not notice."""
