"""The option `columns_from`: where an export of the columns of the source's database is."""

from __future__ import annotations

from typing import Any

from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.values import as_text

# Before the name of a table or view of Spark.
RELATION_MARK = "table:"
_PARQUET = (".parquet", ".parq", ".pq")


def export_place(value: Any) -> str:
    """Return the place of an export.

    Raises:
        PydanticCustomError: the value is no text, or a name without a known ending.
    """
    text = as_text(value, "columns/shop.csv")
    if text.startswith(RELATION_MARK):
        as_text(text.removeprefix(RELATION_MARK), "table:bronze.shop_columns")
    elif not (text.lower().endswith(".csv") or is_parquet(text)):
        raise problem(
            f" is {text!r}",
            "Write the path of a CSV file (`.csv`) or of Parquet (`.parquet`), or"
            " `table:schema.name`",
        )
    return text


def is_parquet(text: str) -> bool:
    """Return whether a place names Parquet, one file or a folder."""
    return text.rstrip("/").lower().endswith(_PARQUET)
