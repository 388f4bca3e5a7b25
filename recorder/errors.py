"""The one error that a person who records is meant to read."""

from __future__ import annotations


class RecorderError(RuntimeError):
    """What is wrong and what to do about it, in one sentence each."""
