"""Tables that configuration includes in others: the option `includes` (macros/envelope/origins)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from dbt_debezium_spark.staging.origins import Included, OriginRules


class TableName(NamedTuple):
    """The name of a table, in the columns of the catalog."""

    topic_prefix: str
    database_name: str | None
    schema_name: str | None
    table_name: str | None


def including_table(rules: OriginRules, name: TableName) -> TableName | None:
    """Return the table that includes a table, None if no table does.

    Parts that the configured name omits, such as the database, stay as they are.

    Args:
        rules: how records of the source name their table.
        name: name of the table that may be included.
    """
    parts = name._asdict()
    for included in rules["included"]:
        if _applies(rules, included, parts):
            own = {
                column: text
                for member, text in included["own"].items()
                for column in rules["columns"][member]
            }
            return name._replace(**own)
    return None


def _applies(rules: OriginRules, included: Included, parts: Mapping[str, str | None]) -> bool:
    return all(
        _matches(parts[rules["columns"][member][0]], text)
        for member, text in included["members"].items()
    )


def _matches(value: str | None, text: str) -> bool:
    """Return whether a value matches a text, in which `*` stands for any characters."""
    if value is None:
        return False
    pattern = ".*".join(re.escape(part) for part in text.split("*"))
    return re.fullmatch(pattern, value, re.DOTALL) is not None
