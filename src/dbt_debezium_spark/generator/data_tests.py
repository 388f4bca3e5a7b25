"""Data tests of `cur_<source>__<table>` that follow from the catalog.

* Key columns are never null, unless their own schema allows it (`message.key.columns`). That keys
  are unique is tested on `_cdc_key` of the state: the source may mask or cut a key column in its
  rows (`column.mask.*`, `column.truncate.*`), which nothing in a record shows.
* not_null: no version of the table allows null, and every event contains the value. If Debezium may
  omit a value (placeholder) and no earlier event contains it, the column is NULL and
  `debezium_obs__tables` lists it.
* accepted_values: labels of an enum in all versions, because a row keeps its text if a label is
  renamed. A list of labels separated by commas cannot be split reliably (spec, trap 63), so a test
  of this package searches the value in the list.

dbt writes names and values of its tests into SQL without escapes, and calls arguments that look
like its functions. So its tests receive only plain texts (`is_plain`). For other texts there are
tests of this package, which decode their arguments (`argument_text`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from dbt_debezium_spark.decode import Column, unavailable_forms
from dbt_debezium_spark.decode.connectors import connector_of
from dbt_debezium_spark.decode.record_schema import column_of
from dbt_debezium_spark.generator.tables import Config, Row, Table
from dbt_debezium_spark.staging import has_complete_before
from dbt_debezium_spark.text.literals import is_plain, yaml_argument

# Types with values that SQL Server and Oracle may store outside of the row.
_LARGE = re.compile(r"\(max\)|lob|long|xml|text|image|json")
_OURS = "debezium_spark."


@dataclass(frozen=True)
class DataTest:
    """One test, with unescaped arguments: texts or lists of texts."""

    name: str
    arguments: Mapping[str, str | Sequence[str]] = field(default_factory=dict)

    @property
    def literals(self) -> dict[str, str | list[str]]:
        """The arguments as YAML scalars that dbt takes literally."""
        return {
            name: yaml_argument(value) if isinstance(value, str) else [*map(yaml_argument, value)]
            for name, value in self.arguments.items()
        }


def column_tests(
    config: Config,
    table: Table,
    column: Mapping[str, Any],
) -> list[DataTest]:
    """Return the tests of a column.

    Args:
        config: configuration of the source.
        table: the description of a table.
        column: one of the table's `decoded` columns.
    """
    key_names = [key_column["name"] for key_column in table["key"]]
    if column["of"]:
        return []
    row = table["described"][column["name"]]
    tests = []
    if column["name"] in key_names:
        if not row.get("is_optional") or table["evidence"] == "configuration":
            tests.append(DataTest("not_null"))
        if table.get("is_collection"):
            tests.append(DataTest("unique"))
    elif row.get("is_never_null") and not _may_be_unavailable(config, table, row):
        tests.append(DataTest("not_null"))
    if column["data_type"] == "string":
        tests += _enum_tests(row)
    return tests


def model_tests(config: Config, table: Table) -> list[DataTest]:
    """Return the tests of whole rows, and those of columns whose names dbt cannot handle.

    Tests that find unexplained records belong to the observability models, because there a failing
    test does not stop `dbt build` from updating the tables.
    """
    tests = []
    for column in table["decoded"]:
        if not is_plain(column["name"]):
            tests += [
                _by_name(column["name"], test) for test in column_tests(config, table, column)
            ]
    has_texts = any(column["data_type"] == "string" for column in table["decoded"])
    if has_texts and not table.get("is_collection"):
        # one scan for all text columns instead of one per column
        tests.append(DataTest(f"{_OURS}no_placeholder", {"source": config["name"]}))
    return tests


def history_tests(source: str, table: Table) -> list[DataTest]:
    """Return the tests of a history: each finds what no history may contain."""
    names = [column["name"] for column in table["decoded"]]
    return [
        DataTest(f"{_OURS}one_current_version"),
        DataTest(f"{_OURS}versions_follow_each_other"),
        DataTest(
            f"{_OURS}current_versions_are_the_rows",
            {"current": f"cur_{source}__{table['model']}", "columns": names},
        ),
    ]


def _may_be_unavailable(config: Config, table: Table, row: Row) -> bool:
    """Return whether an event may lack the value of a column entirely."""
    may_omit = connector_of(config).may_omit
    if may_omit == "nothing":
        return False
    column = cast(Column, column_of(json.loads(row["schema_json"])))
    if not unavailable_forms(config, column):
        return False
    if may_omit == "unavailable":
        return not has_complete_before(config, table["name"], always=True)
    database_type = (row.get("database_type") or "").lower()
    return not database_type or _LARGE.search(database_type) is not None


def _enum_tests(row: Row) -> list[DataTest]:
    labels = row.get("enum_values") or []
    lists = row.get("enum_lists") or []
    # connectors write a backslash in two forms (spec §16)
    if any("\\" in text for text in [*labels, *lists]):
        return []
    if labels and "," not in "".join(labels):
        if is_plain("".join(labels)):
            return [DataTest("accepted_values", {"values": labels})]
        return [DataTest(f"{_OURS}accepted_texts", {"texts": labels})]
    if not labels and lists:
        return [DataTest(f"{_OURS}accepted_values_of_lists", {"lists": lists})]
    return []


def _by_name(name: str, test: DataTest) -> DataTest:
    """Return the test of a column whose name is not plain, as a test of the model."""
    if test.name == "not_null":
        return DataTest(f"{_OURS}never_null", {"columns": [name]})
    if test.name == "accepted_values":
        texts = test.arguments["values"]
        return DataTest(f"{_OURS}accepted_texts", {"column": name, "texts": texts})
    return DataTest(test.name, {"column": name, **test.arguments})
