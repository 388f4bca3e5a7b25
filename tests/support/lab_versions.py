"""What a MERGE of the rows of a history does, on the frames of a lab."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

if TYPE_CHECKING:
    from tests.support.lab import Lab
    from tests.support.macros import Macros

KEY = "_cdc_scd_id"


def write_versions(
    lab: Lab, macros: Macros, into: str, frame: DataFrame, decisions: Mapping[str, Any]
) -> None:
    """Write rows as `_merge_versions_sql` does, and then what `keep` removes."""
    new = frame.localCheckpoint()
    keys = [row[0] for row in new.select(KEY).collect()]
    assert None not in keys and len(set(keys)) == len(keys), f"a MERGE would fail: {sorted(keys)}"
    if decisions.get("key_hashes") is not None:
        condition = macros.has_key_hash("_cdc_key", decisions["key_hashes"])
        assert not new.where(f"not {condition}").count(), "a MERGE would not find all rows"
    held = lab.tables[lab.name(into)]
    columns = [name for name in new.columns if name != "_cdc_write"]
    assert {*columns} == {*held.columns}
    written = new.select(*(f.col(f"`{name}`").alias(f"new {name}") for name in new.columns))
    met = held.join(written, held[KEY] == f.col(f"`new {KEY}`"), "left")
    how = f.col("`new _cdc_write`")
    closes = {*decisions.get("closing_columns", ()), *decisions.get("head_columns", ())}
    amends = closes | {*decisions.get("amended_columns", ())}
    changed = []
    for name in columns:
        ways = ["row"] + ["close"] * (name in closes) + ["amend"] * (name in amends)
        value = f.when(how.isin(ways), f.col(f"`new {name}`")).otherwise(f.col(f"`{name}`"))
        changed.append(value.alias(name))
    left = met.where(how.isNull() | (how != "gone")).select(*changed)
    added = new.join(held.select(KEY), KEY, "left_anti").where("_cdc_write != 'gone'")
    unknown = added.where("_cdc_write != 'row'").count()
    assert not unknown, f"{unknown} versions to close are not there"
    rows = left.unionByName(added.select(columns))
    for statement in decisions["statements"]:
        if statement["sql"].startswith("delete from"):
            rows = rows.where(f"not coalesce({statement['when']}, false)")
        else:
            hidden = f.expr(f"coalesce({statement['when']}, false) or _cdc_is_expired")
            rows = rows.withColumn("_cdc_is_expired", hidden)
    lab.put(into, rows)
