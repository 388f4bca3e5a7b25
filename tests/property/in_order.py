"""The short plan of a fold against the walk: the same state rows, in every column.

A run takes the short plan when all keys of its batch go on from what they were. Random batches
seldom are like that, but many of their keys are: these are folded by both plans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import Row

from tests.support.lab import Lab, table_of

_KEYS = """
with

{ctes}

select row_key
from neighbours
where row_key is not null
group by row_key
having
    bool_and({continues})
    and count_if(op in ('c', 'u', 'd') and epoch_pos is null) = 0
except select row_key from ({origins}) as origins
"""


def differences_in_order(
    lab: Lab, sources: Mapping[str, Any], columns: Sequence[str], watermark: int | None
) -> tuple[int, dict[str, tuple[Row | None, Row | None]]]:
    """Fold a batch's keys that go on from what they were once more, by the short plan.

    The lab's tables are `stg`, with the batch, `held`, the state before it, and `state`, as the
    walk left it. Returns how many keys there were, and both rows of those where the plans differ.
    """
    of_table = table_of("_cdc_topic")
    lab.put(
        "plain",
        lab.session.sql(
            f"select * from {lab.name('stg')} where {of_table} not in"
            f" (select {of_table} from {lab.name('stg')} where _cdc_op = 't')"
        ),
    )
    macros = lab.macros(sources, "held")
    config = macros.source_config("sim")
    plain = lab.name("plain")
    keys = _KEYS.format(
        ctes=macros.batch_neighbours(config, plain, watermark),
        continues=macros._continues(),
        origins=macros.origin_keys(lab.name("stg")),
    )
    if watermark is not None:
        keys += f"except {macros.keys_not_in_order(config, plain, watermark)}"
    lab.put("in_order_keys", lab.session.sql(keys))
    in_order = f"_cdc_key in (select row_key from {lab.name('in_order_keys')})"
    lab.put("in_order", lab.session.sql(f"select * from {plain} where {in_order}"))
    unavailable = lab.tables[lab.name("in_order")].selectExpr("explode(_cdc_unavailable) as name")
    plan = macros.whole_plan(config, "any", []) | {
        "watermark": watermark,
        "lookup_columns": sorted(row.name for row in unavailable.distinct().collect()),
    }
    if watermark is not None:
        lab.put("continued", lab.tables[lab.name("held")])
    lab.merge(
        "continued",
        lab.session.sql(macros.in_order(config, lab.name("in_order"), list(columns), plan)),
        values=macros.merge_values(plan),
    )
    walked, continued = (
        lab.tables[lab.name(one)].where(in_order).drop("_cdc_marks")
        for one in ("state", "continued")
    )
    continued = continued.select(walked.columns)
    only = [
        {row["_cdc_key"]: row for row in one.exceptAll(other).collect()}
        for one, other in ((walked, continued), (continued, walked))
    ]
    return (
        lab.tables[lab.name("in_order_keys")].count(),
        {key: (only[0].get(key), only[1].get(key)) for key in sorted({*only[0], *only[1]})},
    )
