"""The one error that a person who records is meant to read."""

from __future__ import annotations

from dev.servers.errors import ServerError


class RecorderError(ServerError):
    """What is wrong and what to do about it, in one sentence each."""
