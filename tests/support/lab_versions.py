"""What a MERGE of the rows of a history does, on the frames of a lab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

if TYPE_CHECKING:
    from tests.support.lab import Lab

KEY = "_cdc_scd_id"


def write_versions(
    lab: Lab,
    into: str,
    frame: DataFrame,
    statements: Sequence[Mapping[str, str]],
    condition: str | None = None,
) -> None:
    """Write rows as `_merge_versions_sql` does, and then what `keep` removes.

    With a condition, only rows of which it is true are looked for.
    """
    new = frame.localCheckpoint()
    if condition:
        assert not new.where(f"not {condition}").count(), "a MERGE would not find all rows"
    keys = [row[0] for row in new.select(KEY).collect()]
    assert None not in keys and len(set(keys)) == len(keys), f"a MERGE would fail: {sorted(keys)}"
    held = lab.tables[lab.name(into)]
    written = new.where("_cdc_write = 'row'").drop("_cdc_write")
    assert {*written.columns} == {*held.columns}
    rows = held.join(f.broadcast(new.select(KEY)), KEY, "left_anti").unionByName(written)
    for statement in statements:
        if statement["sql"].startswith("delete from"):
            rows = rows.where(f"not coalesce({statement['when']}, false)")
        else:
            hidden = f.expr(f"coalesce({statement['when']}, false) or _cdc_is_expired")
            rows = rows.withColumn("_cdc_is_expired", hidden)
    lab.put(into, rows)
