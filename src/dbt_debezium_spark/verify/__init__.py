"""Is a table what its source holds: docs/verify.md.

`macros/verify` compares, in two steps:

1. `reading` reads and holds the rows of the source; then records may land.
2. SQL compares texts by range and by row, with what `columns` says of each column.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dbt_debezium_spark.generator.dbt_project import DbtProject

MACRO = "debezium_spark.verify_rows"
EVENT_PREFIX = "debezium_spark.verify "


class NotVerified(ValueError):
    """The table or the rows are none, or cannot be compared; the text says what to do."""


def verify(
    table: str,
    against: str,
    *,
    build: bool = False,
    project_dir: str | Path = ".",
    profiles_dir: str | Path | None = None,
    target: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Compare a table with rows of its source, as `debezium-spark verify` does, in this process.

    Args:
        table: the source table, such as `public.orders`, or one of its models.
        against: a JDBC URL, a path of files, or a relation.
        build: land and fold what came during the reading.
        project_dir: folder with dbt_project.yml.
        profiles_dir: folder with profiles.yml; by default the project's.
        target: target of the profile; by default the profile's own.
        **options: `source`, `there`, `read_at`, `as_of`, `ranges`, `limit`: docs/verify.md.

    Returns:
        `differing`, the number of rows; `rows`, `not_compared` and more: `text.lines` shows them.

    Raises:
        NotVerified: the table or the rows are none.
        DbtError: dbt cannot read the project, or Spark fails.
    """
    from dbt_debezium_spark.generator.dbt_project import DbtProject
    from dbt_debezium_spark.verify.reading import file_format

    project = DbtProject(project_dir, profiles_dir=profiles_dir, target=target)
    if file_format(against) and "://" not in against and not against.startswith("jdbc:"):
        against = str(Path(against).absolute())
    request = {"table": table, "against": against, **options}
    held = _answer(project, {**request, "step": "read"})
    if build:
        project.run("--quiet", "run", "--select", *(f"+{name}" for name in held["models"]))
    return _answer(project, {**request, "step": "compare", "held": held})


def _answer(project: DbtProject, request: dict[str, Any]) -> dict[str, Any]:
    # one text in ASCII: dbt reads arguments as YAML, which is no superset of JSON
    arguments = {"request": json.dumps(request)}
    return project.answer_of(MACRO, arguments, EVENT_PREFIX, NotVerified)
