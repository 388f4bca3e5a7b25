"""Configurations of sources, as `debezium_sources` has them."""

from __future__ import annotations

from typing import Any


def source_options(
    connector: str = "postgresql", prefix: str = "p", **options: Any
) -> dict[str, Any]:
    """Return the configuration of a source whose records lie in the folder `records`."""
    files = {"type": "files", "path": "records"}
    return {"connector": connector, "topic_prefix": prefix, "input": files, **options}
