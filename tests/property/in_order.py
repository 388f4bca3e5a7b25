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
    bool_and({follows})
    and count_if(op in ('c', 'u', 'd') and pos is null) = 0
    and count_if(unavailable is not null) = 0
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
    ctes = macros.batch_neighbours(config, lab.name("plain"), watermark)
    if watermark is not None:
        ctes += ",\n" + macros.batch_and_state(config, lab.name("plain"), watermark)
    keys = _KEYS.format(ctes=ctes, follows=macros._is_in_order())
    if watermark is not None:
        bad = f"{macros.is_late_arrival()} or {macros._is_below()}"
        keys += f"except select row_key from touched_keys where {bad}"
    lab.put("in_order_keys", lab.session.sql(keys))
    in_order = f"_cdc_key in (select row_key from {lab.name('in_order_keys')})"
    lab.put("in_order", lab.session.sql(f"select * from {lab.name('plain')} where {in_order}"))
    has_feed = "_cdc_landed_at" in lab.tables[lab.name("state")].columns
    plan = macros.fold_plan([]) | {"watermark": watermark, "feed": has_feed}
    if watermark is not None:
        lab.put("continued", lab.tables[lab.name("held")])
    lab.merge(
        "continued",
        lab.session.sql(macros.fold_in_order(config, lab.name("in_order"), list(columns), plan)),
        **macros.preserved_columns(),
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
