"""Records a real PostgreSQL through real Debezium, with the true final tables beside it."""

from __future__ import annotations

from dev.recorder.errors import RecorderError
from dev.recorder.recording import Manifest, record

__all__ = ["Manifest", "RecorderError", "record"]
