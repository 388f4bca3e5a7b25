"""Texts: literals, identifiers, names, messages."""
