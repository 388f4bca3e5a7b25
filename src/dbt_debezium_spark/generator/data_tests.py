"""Data tests of `cur_<source>__<table>`: what the catalog proves, nothing more.

* Key columns are never null, unless their own schema lets them be (`message.key.columns`), and a
  key of one column is unique.
* not_null: no version of the table allowed a null, and a value can always be had. Where Debezium
  may leave a value out (placeholder) and no earlier event tells it, the column is NULL and
  `debezium_obs__unavailable` says so.
* accepted_values: labels of an enum in every version seen, because a row keeps its text when a
  label is renamed. A list of labels between commas cannot be split for certain (spec, trap 63):
  then a test of our own looks the value up in the list.

dbt writes names and values of its tests into SQL as they are, and calls arguments that look like
its functions. So its tests get plain texts only (`is_plain`); for others there are tests of our
own, which read their arguments back (`argument_text`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, cast

from dbt_debezium_spark.decode import Column, unavailable_forms
from dbt_debezium_spark.generator.column_of import column_of
from dbt_debezium_spark.literals import is_plain

# Types whose values SQL Server and Oracle may store outside of the row.
_LARGE = re.compile(r"\(max\)|lob|long|xml|text|image|json")
_OURS = "debezium_spark."


@dataclass(frozen=True)
class DataTest:
    """One test, with its arguments as they are: texts or lists of texts."""

    name: str
    arguments: Mapping[str, str | Sequence[str]] = field(default_factory=dict)


class TableFacts(TypedDict):
    """What configuration says of a table's records.

    `has_before`: whether `before` holds the whole old row since some moment; `always_has_before`:
    of all records.
    """

    has_before: bool
    always_has_before: bool


def column_tests(
    config: Mapping[str, Any],
    table: Mapping[str, Any],
    facts: TableFacts,
    column: Mapping[str, Any],
) -> list[DataTest]:
    """Return the tests of a column.

    Args:
        config: configuration of the source.
        table: a table as it is described.
        facts: what configuration says of its records.
        column: one of the table's `decoded` columns.
    """
    key_names = [one["name"] for one in table["key"]]
    if column["of"]:
        # the companion holds every value, the typed column may hold two alike
        return [DataTest("unique")] if key_names == [column["of"]] else []
    row = table["described"][column["name"]]
    tests = []
    if column["name"] in key_names:
        if not row.get("is_optional") or table["evidence"] == "configuration":
            tests.append(DataTest("not_null"))
        if exact_names(table, key_names) == [column["name"]]:
            tests.append(DataTest("unique"))
    elif row.get("is_never_null") and not _may_be_unavailable(config, facts, row):
        tests.append(DataTest("not_null"))
    if column["data_type"] == "string":
        tests += _enum_tests(row)
    return tests


def model_tests(
    config: Mapping[str, Any], table: Mapping[str, Any], facts: TableFacts
) -> list[DataTest]:
    """Return the tests that look at whole rows, and those of columns whose names dbt is not told.

    Those that find records nobody could explain stand on the observability models: a failing one
    there does not keep `dbt build` from bringing the tables up to date.
    """
    tests = _key_tests(table)
    for column in table["decoded"]:
        if not is_plain(column["name"]):
            tests += [
                _by_name(column["name"], test)
                for test in column_tests(config, table, facts, column)
            ]
    has_texts = any(column["data_type"] == "string" for column in table["decoded"])
    if has_texts and not table.get("is_collection"):
        # one scan for all text columns instead of one per column
        tests.append(DataTest(f"{_OURS}no_placeholder", {"source": config["name"]}))
    return tests


def exact_names(table: Mapping[str, Any], key_names: Sequence[str]) -> list[str]:
    """Return names of key columns; of one whose type may hold two values alike its companion's."""
    companions = {column["of"]: column["name"] for column in table["decoded"] if column["of"]}
    return [companions.get(name, name) for name in key_names]


def _key_tests(table: Mapping[str, Any]) -> list[DataTest]:
    """Return the test that keys of several columns are unique."""
    key_names = [one["name"] for one in table["key"]]
    if len(key_names) < 2 or any(name not in table["described"] for name in key_names):
        return []
    return [DataTest(f"{_OURS}unique_key", {"columns": exact_names(table, key_names)})]


def _may_be_unavailable(
    config: Mapping[str, Any], facts: TableFacts, row: Mapping[str, Any]
) -> bool:
    """Tell whether an event may lack the value of a column, and nothing else in it tells it."""
    if config["connector"] in ("mysql", "mariadb"):
        return False
    column = cast(Column, column_of(json.loads(row["schema_json"])))
    if not unavailable_forms(config, column):
        return False
    if config["connector"] == "postgresql":
        return not facts["always_has_before"]
    database_type = (row.get("database_type") or "").lower()
    return not database_type or _LARGE.search(database_type) is not None


def _enum_tests(row: Mapping[str, Any]) -> list[DataTest]:
    labels = row.get("enum_values") or []
    lists = row.get("enum_lists") or []
    # a backslash is written in two forms (spec §16)
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
    """Return the test of a column whose name is not plain, as one of its model."""
    if test.name == "not_null":
        return DataTest(f"{_OURS}never_null", {"columns": [name]})
    if test.name == "unique":
        return DataTest(f"{_OURS}unique_key", {"columns": [name]})
    if test.name == "accepted_values":
        texts = test.arguments["values"]
        return DataTest(f"{_OURS}accepted_texts", {"column": name, "texts": texts})
    return DataTest(test.name, {"column": name, **test.arguments})
