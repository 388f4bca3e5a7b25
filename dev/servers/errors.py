"""The error that a person who starts servers is meant to read."""

from __future__ import annotations


class ServerError(RuntimeError):
    """What is wrong and what to do about it, in one sentence each."""
