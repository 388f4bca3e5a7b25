"""Real servers of our own for tests and demos: on 127.0.0.1, gone at the end."""

from __future__ import annotations

from dev.servers.errors import ServerError

__all__ = ["ServerError"]
