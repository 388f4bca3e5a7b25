"""A project whose tables are in a catalog without views, by names of three parts.

The catalog is Iceberg's on a file system. The session's own catalog, with views, is another one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tests.support.paths import PROFILES

CATALOG = "bare"


def write_profile(folder: Path, schema: str, settings: dict[str, str] | None = None) -> Path:
    """Write a profile whose one target has a schema with its catalog; return its folder.

    Args:
        folder: where profiles.yml is written.
        schema: the schema of the target.
        settings: settings of Spark, beside those of the target `iceberg`.
    """
    profile: dict[str, Any] = yaml.safe_load((PROFILES / "profiles.yml").read_text("utf-8"))
    target = profile["debezium_spark"]["outputs"]["iceberg"]
    target["schema"] = schema
    target["threads"] = 2
    target["server_side_parameters"] |= settings or bare_catalog()
    profile["debezium_spark"] = {"target": "iceberg", "outputs": {"iceberg": target}}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "profiles.yml").write_text(yaml.safe_dump(profile), encoding="utf-8")
    return folder


def bare_catalog() -> dict[str, str]:
    """Return the settings of the catalog without views."""
    prefix = f"spark.sql.catalog.{CATALOG}"
    return {
        prefix: "org.apache.iceberg.spark.SparkCatalog",
        f"{prefix}.type": "hadoop",
        f"{prefix}.warehouse": "<state>/bare",
        f"{prefix}.cache-enabled": "false",
    }
