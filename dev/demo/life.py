"""The life of one row, from the history of its table."""

from __future__ import annotations

from datetime import datetime

from pyspark.sql import DataFrame, Row
from rich.table import Table

ABOUT = ("_cdc_valid_from", "_cdc_valid_to", "_cdc_began_by", "_cdc_ended_by")
SHOWN_VERSIONS = 12
SHOWN_COLUMNS = 4


def life_of_one_row(table: str, history: DataFrame) -> Table:
    """Return the first versions of the row that changed most: when, why, and to what.

    Args:
        table: its name, for the title.
        history: the `hist_` model.
    """
    key = history.selectExpr("max_by(_cdc_key, struct(_cdc_version, _cdc_key))").collect()[0][0]
    versions = history.where(history["_cdc_key"] == key).orderBy("_cdc_version").collect()
    columns = changed_columns(versions)[:SHOWN_COLUMNS]
    title = f"{table}: the life of the row {key}, {len(versions)} versions"
    shown = Table(title=title, title_justify="left")
    for name in ("", "from", "to", "began by", "ended by", *columns):
        shown.add_column(name, overflow="ellipsis", no_wrap=True, max_width=19)
    for version in versions[:SHOWN_VERSIONS]:
        values = [version["_cdc_version"], *(version[name] for name in (*ABOUT, *columns))]
        shown.add_row(*map(_shown, values))
    return shown


def changed_columns(versions: list[Row]) -> list[str]:
    """Return the columns of the table that differ between versions, most often changed first."""
    names = [name for name in versions[0].asDict() if not name.startswith("_cdc_")]
    pairs = list(zip(versions, versions[1:], strict=False))
    changes = {name: sum(one[name] != other[name] for one, other in pairs) for name in names}
    return sorted((name for name in names if changes[name]), key=lambda name: -changes[name])


def _shown(value: object) -> str:
    if isinstance(value, datetime):
        return value.strftime("%H:%M:%S.%f")[:-3]
    return "" if value is None else str(value)
