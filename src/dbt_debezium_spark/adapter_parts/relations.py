"""Relations in any catalog."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dbt.adapters.contracts.relation import ComponentName
from dbt.adapters.spark.relation import SparkRelation as DbtSparkRelation

from dbt_debezium_spark.text.sql_text import quoted_path


@dataclass(frozen=True, eq=False, repr=False)
class SparkRelation(DbtSparkRelation):
    """A relation whose schema may begin with its catalog: `lake.debezium`.

    dbt-spark knows no database besides the schema, and would quote both as one name.
    """

    def _render_iterator(self) -> Iterator[tuple[ComponentName | None, str | None]]:
        for component, part in super()._render_iterator():
            is_quoted = part is not None and self.quote_policy.schema
            if component is ComponentName.Schema and is_quoted and self.schema:
                yield component, quoted_path(self.schema)
            else:
                yield component, part
