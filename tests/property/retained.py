"""Random histories with retention between their batches: rows and counts stay as they were.

What was staged goes through the macros of macros/retention, and what they leave is folded. The
reference folds all events, except late ones.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as f

from dbt_debezium_spark.retention.horizon import Horizon
from dev.simulator import History
from reference import KafkaRecord
from reference import retention as rules
from reference.envelope import read_event
from reference.event import Event
from reference.fold import fold_events
from reference.walk import distinct_events
from tests.property.histories import BATCHES, Difference, compare
from tests.property.lab_trial import FOLDED, Folder, _told_by, staged_groups, union
from tests.support.lab import Lab, in_a_lab

# Longer than a simulated key change takes, as a day is for a real one; its create asks for values.
RENAME_SECONDS = 4
# What has no position can be delivered again for as long; identities are kept.
OPEN_SECONDS = 10
PLACE = ("_cdc_topic", "_cdc_partition", "_cdc_offset", "_cdc_timestamp", "_cdc_batch_id")


@dataclass
class Retained:
    """A staged log that retention shortens, and what went."""

    lab: Lab
    folder: Folder
    horizon: Horizon | None = None
    lowered_us: int = 0  # to where the timestamp of the last retention was lowered for offsets
    dropped: int = 0

    def __post_init__(self) -> None:
        """Take the macros as the staging model calls them."""
        self.macros = self.lab.macros(self.folder._sources, "stg")
        self.config = self.macros.source_config("sim")

    def arrived(self, batch: DataFrame) -> DataFrame:
        """Return a batch as it is staged behind the horizon; late events have none."""
        if self.horizon is None:
            return batch
        self.lab.put("arrived", batch)
        sql = self.macros.behind_horizon(self.config, self.lab.name("arrived"), self.horizon)
        return self.lab.session.sql(sql).select(batch.columns)

    def shorten(self, late_us: int, closes: bool) -> None:
        """Let go of what is settled."""
        lab, macros, staging = self.lab, self.macros, self.lab.name("stg")
        renames = lab.tables[staging].where("_cdc_op = 'c' and _cdc_unavailable is not null")
        until_us = late_us - (RENAME_SECONDS * 10**6 if renames.count() else 0)
        sql = macros.settled_until(self.config, staging, [late_us, until_us])
        lowered = lab.session.sql(sql).first()
        self.lowered_us = lowered[0]
        told = lab.session.sql(macros.horizon_of(self.config, staging, *lowered)).first()[0]
        members = {"changes": {}, "offsets": {}, **json.loads(told)}
        horizon = Horizon(late_us, lowered[1], OPEN_SECONDS, **members)
        self.horizon = horizon.behind(self.horizon)
        lacking = lab.tables[staging].selectExpr("explode(_cdc_unavailable) as name").distinct()
        plan = macros.whole_plan(self.config, FOLDED, []) | {
            "lookup_columns": sorted(row.name for row in lacking.collect()),
            "closes": closes,
            "highest_batch": lab.tables[staging].selectExpr("max(_cdc_batch_id)").first()[0],
        }
        if plan["lookup_columns"]:
            plan["chains"] = macros.write_chains(self.config, staging, plan)
        sql = macros.events_to_drop(self.config, staging, plan, self.horizon)
        actions = lab.session.sql(sql).localCheckpoint()
        self.dropped += actions.where("action = 'drop'").count()
        held = lab.tables[staging]
        values = macros.settled_values(held.columns, plan)
        merged = [
            f.expr(f"if(action is null, debezium_target.`{name}`, {values[name]})").alias(name)
            if name in values
            else f.col(f"debezium_target.`{name}`")
            for name in held.columns
        ]
        same = " and ".join(f"debezium_target.{name} = debezium_source.{name}" for name in PLACE)
        both = held.alias("debezium_target").join(
            actions.alias("debezium_source"), f.expr(same), "left"
        )
        lab.put("stg", both.where("action is distinct from 'drop'").select(*merged))


@in_a_lab
def retain_together(
    lab: Lab, groups: Sequence[Sequence[History]], *, seed: int, most: int = BATCHES
) -> tuple[list[Difference], Counter[str]]:
    """Stage groups as `fold_together` does, with retention between batches.

    Returns every difference, and how many events were late, settled and dropped.
    """
    rng = random.Random(seed)
    parts, batches, differences = staged_groups(lab, groups, most, True, lambda text: None)
    histories = [history for part in parts for history in part.histories]
    begins = {history.topic: _begin_us(batches[history.topic]) for history in histories}
    staged = _at_one_time(union(parts), histories, begins).localCheckpoint()
    folder = Folder(lab, parts)
    log = Retained(lab, folder)
    closes = histories[0].config.close_unseen
    landed: dict[str, list[Event]] = {history.topic: [] for history in histories}
    horizons: dict[str, rules.Horizon] = {}
    counts: Counter[str] = Counter()
    for batch in range(1, max(map(len, batches.values())) + 1):
        folder.fold(log.arrived(staged.where(f"_cdc_batch_id = {batch}")))
        lab.tables.pop(lab.name("anew"), None)
        folder.fold_at_once()
        found = folder.rows()
        lab.put("state_of_all", lab.tables[lab.name("state")])
        lab.put("state", lab.tables[lab.name("anew")])
        anew, told = folder.rows(), folder.told()
        lab.put("state", lab.tables[lab.name("state_of_all")])
        for history in histories:
            of_batch = batches[history.topic][batch - 1 : batch]
            own = landed[history.topic]
            for event in distinct_events(
                [one for records in of_batch for one in records], history.config, read_event
            ):
                horizon = horizons.get(history.topic)
                if horizon and rules.is_late(event, horizon):
                    counts["late"] += 1
                    continue
                if horizon and event.op != "t" and rules.is_settled(event, horizon):
                    counts["settled"] += 1
                    event = replace(event, settled=True)
                own.append(event)
            expected = fold_events(own, history.config)
            for rows in (found, anew):
                differences += compare(
                    history, batch, expected, rows.get(history.topic, {}), by_record_key=True
                )
            own_counts, wanted = told.get(history.topic, {}), _told_by(expected)
            differences += [
                Difference(history.seed, batch, key, wanted.get(key), own_counts.get(key), "told")
                for key in sorted({*wanted, *own_counts})
                if wanted.get(key) != own_counts.get(key)
            ]
        if differences:
            break
        times = sorted(row[0] for row in _times(lab))
        late_us = rng.choice(times)
        log.shorten(late_us, closes)
        for history in histories:
            topic = history.topic
            horizons[topic] = _of_reference(
                landed[topic], log, late_us, begins[topic] // 1000, horizons.get(topic)
            )
    counts["dropped"] = log.dropped
    return differences, counts


def _times(lab: Lab) -> list[Row]:
    frame = lab.tables[lab.name("stg")].where("_cdc_op is not null")
    return frame.selectExpr("unix_micros(_cdc_timestamp) as at_us").collect()


def _begin_us(batches: Sequence[Sequence[KafkaRecord]]) -> int:
    return min((one.timestamp_ms for batch in batches for one in batch), default=0) * 1000


def _at_one_time(
    staged: DataFrame, histories: Sequence[History], begins: Mapping[str, int]
) -> DataFrame:
    """Return staged rows as if all histories had begun at the same moment."""
    of_topics = {topic: begins[one.topic] for one in histories for topic in one.topics}
    pairs = [f.lit(one) for pair in of_topics.items() for one in pair]
    begin = f.element_at(f.create_map(*pairs), f.col("_cdc_topic"))
    for name in ("_cdc_timestamp", "_cdc_source_at"):
        staged = staged.withColumn(name, f.timestamp_micros(f.unix_micros(name) - begin))
    return staged


def _of_reference(
    landed: Sequence[Event],
    log: Retained,
    late_us: int,
    begin_ms: int,
    earlier: rules.Horizon | None,
) -> rules.Horizon:
    assert log.horizon is not None
    until_ms = log.horizon.until_us // 1000 + begin_ms
    settled = [event for event in landed if event.record.timestamp_ms <= until_ms]
    lowered_ms = log.lowered_us // 1000 + begin_ms
    horizon = rules.horizon_of(landed, settled, lowered_ms, OPEN_SECONDS * 1000, earlier)
    return replace(horizon, late_ms=log.horizon.late_us // 1000 + begin_ms)
