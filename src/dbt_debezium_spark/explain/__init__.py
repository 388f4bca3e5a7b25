"""Why a row is as it is: docs/explain.md. `macros/explain` asks Spark, this package says it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MACRO = "debezium_spark.explain_row"
EVENT_PREFIX = "debezium_spark.explain "


class NotExplained(ValueError):
    """The table or the key is none, or has no models; the text says what to do."""


def explain(
    table: str,
    key: Any,
    *,
    source: str | None = None,
    as_of: str | None = None,
    project_dir: str | Path = ".",
    profiles_dir: str | Path | None = None,
    target: str | None = None,
) -> dict[str, Any]:
    """Explain a row, as `debezium-spark explain` does, in this process.

    Args:
        table: the source table, such as `public.orders`, or one of its models.
        key: a value, `name=value` texts, or a mapping.
        source: the table's source, if several have one of this name.
        as_of: an instant; None for the row as it stands.
        project_dir: folder with dbt_project.yml.
        profiles_dir: folder with profiles.yml; by default the project's.
        target: target of the profile; by default the profile's own.

    Returns:
        `records`, `outcome`, `row` and more; `text.lines` makes them readable.

    Raises:
        NotExplained: the table or the key is not known.
        DbtError: dbt cannot read the project, or Spark fails.
    """
    from dbt_debezium_spark.generator.dbt_project import DbtProject

    project = DbtProject(project_dir, profiles_dir=profiles_dir, target=target)
    request = {"table": table, "key": _plain(key), "source": source, "as_of": as_of}
    # one text in ASCII: dbt reads arguments as YAML, which is no superset of JSON
    arguments = {"request": json.dumps(request, default=str)}
    return project.answer_of(MACRO, arguments, EVENT_PREFIX, NotExplained)


def _plain(key: Any) -> Any:
    return key if isinstance(key, str | Mapping | int | float) else [str(part) for part in key]
