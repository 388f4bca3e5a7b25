"""Decisions of a model's macros for the materialization that runs after them."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any


class Decisions:
    """Decisions of the models of one command; threads run different models."""

    def __init__(self) -> None:
        """Create an empty record."""
        self._lock = threading.Lock()
        self._of_models: dict[str, dict[str, Any]] = {}

    def add(self, model: str, decisions: Mapping[str, Any]) -> None:
        """Add decisions of a model; a later one of the same name replaces the earlier one.

        Args:
            model: unique id of the model's node.
            decisions: values by name; `macros/tables/decide.sql` lists the names.
        """
        with self._lock:
            self._of_models.setdefault(model, {}).update(decisions)

    def take(self, model: str) -> dict[str, Any]:
        """Return and remove the decisions of a model, which are valid for one execution."""
        with self._lock:
            return self._of_models.pop(model, {})
