"""Tables that configuration includes in others: the option `includes` (macros/envelope/origins)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from dbt_debezium_spark.generator.origins import Included, OriginRules


class TableName(NamedTuple):
    """A table, by the columns of the catalog that name it."""

    topic_prefix: str
    database_name: str | None
    schema_name: str | None
    table_name: str | None


def including_table(rules: OriginRules, name: TableName) -> TableName | None:
    """Return the table that includes a table, none where none does.

    What the configured name leaves open, the database for instance, stays as it is.

    Args:
        rules: how records of the source name their table.
        name: of the table that may be included.
    """
    parts = name._asdict()
    for one in rules["included"]:
        if _holds(rules, one, parts):
            own = {
                column: text
                for member, text in one["own"].items()
                for column in rules["columns"][member]
            }
            return name._replace(**own)
    return None


def _holds(rules: OriginRules, included: Included, parts: Mapping[str, str | None]) -> bool:
    return all(
        _matches(parts[rules["columns"][member][0]], text)
        for member, text in included["members"].items()
    )


def _matches(value: str | None, text: str) -> bool:
    """Tell whether a value is the text, in which `*` stands for any signs."""
    if value is None:
        return False
    pattern = ".*".join(re.escape(part) for part in text.split("*"))
    return re.fullmatch(pattern, value, re.DOTALL) is not None
