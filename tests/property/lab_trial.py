"""Random histories of all connectors, staged each by its own models and folded together.

The fold knows no connector: it sees staged events, and tells histories apart by their topics. So
each group of histories is staged once, by the staging model of its table, and held against the
reference as staged (`staged.py`); then the staged events of all groups go through one state model,
batch by batch, and its rows are held against the reference fold.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from dev.simulator import History
from reference import Folded, KafkaRecord, canonical_json, fold
from tests.property.feed import FeedConsumer, feed_rows, seed_of_ids
from tests.property.histories import (
    BATCHES,
    KEYS,
    Difference,
    compare,
    landings,
    name_of,
    source_block,
)
from tests.property.in_order import differences_in_order
from tests.property.plain_values import comparable
from tests.property.staged import staged_differences
from tests.support.blocks import source_options
from tests.support.lab import Lab, in_a_lab
from tests.support.raw import raw_row

FOLDED = "public.folded"  # the table that all groups become
# What the staged events of all groups tell besides: a macro that knew the epochs of hundreds of
# topics would be most of the SQL of a fold.
EPOCH, CONNECTOR = "_cdc_sim_epoch", "_cdc_sim_connector"


@dataclass
class Staged:
    """Staged events of histories of one table, and the names of its columns in the common one."""

    histories: Sequence[History]
    frame: DataFrame
    slots: dict[str, str]


@in_a_lab
def fold_together(
    lab: Lab,
    groups: Sequence[Sequence[History]],
    *,
    most: int = BATCHES,
    late: bool = True,
    progress: Callable[[str], None] = lambda text: None,
    plans: Callable[[str], None] = lambda sql: None,
    in_order: Callable[[int], None] | None = None,
    feed: Callable[[int], None] | None = None,
) -> list[Difference]:
    """Stage the histories of each group, fold all of them together, and return every difference.

    Args:
        lab: made in the session that callers give.
        groups: each of histories that fit into one table; all have a key or none has, and unseen
            rows are closed in all or in none. The ids of the n-th history of all are those from n
            times `KEYS`.
        most: batches into which a history is cut, at most.
        late: some records land later than their neighbours.
        progress: is told what was done.
        plans: is told the SQL of each fold.
        in_order: is told how many keys of each batch the short plan folds, too; without it, none.
        feed: is told how many rows a copy of the change feed saw deleted without an event of their
            own; without it, there is no feed.
    """
    parts, batches, differences = staged_groups(lab, groups, most, late, progress)
    if differences:
        return differences
    staged = union(parts).localCheckpoint()
    folder = Folder(lab, parts, feed is not None)
    last = max(map(len, batches.values()))
    histories = [history for part in parts for history in part.histories]
    for batch in range(1, last + 1):
        plans(folder.fold(staged.where(f"_cdc_batch_id = {batch}")))
        if in_order:
            count, unlike = folder.differences_in_order(batch)
            in_order(count)
            differences += unlike
        if feed:
            differences += folder.consumer.follow(batch)
            if batch == last:
                folder.fold_at_once()
                differences += folder.consumer.folded_at_once(batch)
                feed(folder.consumer.deletes)
        found, told = folder.rows(), {} if not histories[0].table.key else folder.told()
        for history in histories:
            landed = [one for records in batches[history.topic][:batch] for one in records]
            expected = fold(landed, history.config)
            differences += compare(
                history, batch, expected, found.pop(history.topic, {}), by_record_key=True
            )
            if history.table.key:
                own = told.pop(history.topic, {})
                wanted = _told_by(expected)
                differences += [
                    Difference(history.seed, batch, key, wanted.get(key), own.get(key), "told of")
                    for key in sorted({*wanted, *own})
                    if wanted.get(key) != own.get(key)
                ]
        assert not found and not told, f"rows of no history: {found} {told}"
        progress(f"folded batch {batch}: {len(differences)} differences")
        if differences:
            break
    return differences


def staged_groups(
    lab: Lab,
    groups: Sequence[Sequence[History]],
    most: int,
    late: bool,
    progress: Callable[[str], None],
) -> tuple[list[Staged], dict[str, list[list[KafkaRecord]]], list[Difference]]:
    """Return the staged events of each group, the batches of each topic, and every difference."""
    differences: list[Difference] = []
    parts: list[Staged] = []
    batches: dict[str, list[list[KafkaRecord]]] = {}
    for number, histories in enumerate(groups):
        landed = {history.topic: landings(history, most, late=late) for history in histories}
        batches |= landed
        part, found = _stage(lab, number, histories, landed)
        parts.append(part)
        differences += found
        name = histories[0].connector
        progress(f"staged {len(histories)} histories of {name}: {len(found)} differences")
    return parts, batches, differences


def _stage(
    lab: Lab,
    number: int,
    histories: Sequence[History],
    landed: Mapping[str, list[list[KafkaRecord]]],
) -> tuple[Staged, list[Difference]]:
    first = histories[0]
    block = source_block(histories) | {"input": {"type": "files", "path": "records"}}
    sources = {"sim": block}
    columns = first.declared_columns()
    rows = [
        raw_row(record, place)
        for batches in landed.values()
        for place, batch in enumerate(batches, start=1)
        for record in batch
    ]
    raw, staging = f"raw_{number}", f"stg_{number}"
    lab.append(raw, lab.rows(rows))
    lab.stage(
        sources,
        "sim",
        raw,
        staging,
        topics=[topic for history in histories for topic in history.topics],
        table=f"{first.table.schema}.{first.table.name}",
        key=first.declared_key(),
        columns=columns,
    )
    frame = lab.tables[lab.name(staging)]
    macros = lab.macros(sources, staging)
    slots = _slots(macros.decoded_columns("sim", columns))
    epoch = macros.event_epoch(macros.source_config("sim"))
    in_slots = _in_slots(frame, slots).withColumns(
        {EPOCH: f.expr(epoch), CONNECTOR: f.lit(first.connector)}
    )
    return (
        Staged(histories, in_slots, slots),
        list(staged_differences(histories, landed, frame.collect())),
    )


def _slots(decoded: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return for each column its name in the common table: its type, and a number."""
    counts: dict[str, int] = {}
    slots = {}
    for column in decoded:
        kind = "".join(letter if letter.isalnum() else "_" for letter in column["data_type"])
        counts[kind] = counts.get(kind, 0) + 1
        slots[column["name"]] = f"{kind}_{counts[kind]:02d}"
    return slots


def _in_slots(frame: DataFrame, slots: Mapping[str, str]) -> DataFrame:
    """Return staged rows with the columns of the common table, also in images and lists."""
    names = f.create_map(*[f.lit(text) for pair in slots.items() for text in pair])
    kept = []
    for name in frame.columns:
        column = f.col(f"`{name}`")
        if name in slots:
            column = column.alias(slots[name])
        elif name == "_cdc_unavailable":
            column = f.transform(column, lambda one: f.element_at(names, one)).alias(name)
        elif name == "_cdc_before":
            image = f.struct(
                *[f.col(f"_cdc_before.`{one}`").alias(slots[one]) for one in sorted(slots)]
            )
            column = f.when(column.isNotNull(), image).alias(name)
        kept.append(column)
    return frame.select(*kept)


def union(parts: Sequence[Staged]) -> DataFrame:
    """Return the staged rows of all groups; what a group has not got is null."""
    types = {name: kind for part in parts for name, kind in part.frame.dtypes}
    has_before = types.pop("_cdc_before", None) is not None
    images = sorted(name for name in types if not name.startswith("_cdc_"))
    frames = []
    for part in parts:
        columns = [_column(name, kind, part.frame.columns) for name, kind in sorted(types.items())]
        if has_before:
            own = part.slots.values()
            image = f.struct(*[_column(name, types[name], own, "_cdc_before.") for name in images])
            columns.append(f.when(f.col("_cdc_before").isNotNull(), image).alias("_cdc_before"))
        frames.append(part.frame.select(*columns))
    return functools.reduce(DataFrame.unionByName, frames)


def _column(name: str, kind: str, own: Collection[str], within: str = "") -> Column:
    value = f.col(within + name) if name in own else f.lit(None).cast(kind)
    return value.alias(name)


class Folder:
    """The state model of the common table, and what it shows."""

    def __init__(self, lab: Lab, parts: Sequence[Staged], has_feed: bool = False) -> None:
        """Configure a source for the staged events of these groups."""
        self._lab = lab
        self._parts = parts
        self._has_feed = has_feed
        self._columns = sorted({slot for part in parts for slot in part.slots.values()})
        (self._id,) = {part.slots["id"] for part in parts}
        self._of_history = {
            history.key_base // KEYS: (part, history)
            for part in parts
            for history in part.histories
        }
        self._keyless = not parts[0].histories[0].table.key
        if len(self._of_history) > 1:
            lab.replaced["event_epoch"] = lambda macros: lambda config: EPOCH
        self._sources = {"sim": self._block()}
        seeds = {number: history.seed for number, (_, history) in self._of_history.items()}
        self.consumer = FeedConsumer(
            lambda state: feed_rows(lab, self._sources, FOLDED, self._columns, state),
            seed_of_ids(seeds, KEYS),
        )

    def _block(self) -> dict[str, Any]:
        """Return a configuration under which the fold is that of every group."""
        histories = [history for _, history in self._of_history.values()]
        whole = source_block(histories)
        is_added_to = self._keyless and not histories[0].config.complete_before
        block = source_options("postgresql" if is_added_to else "sqlserver", "simulated")
        options = {"close_unseen": histories[0].config.close_unseen, "feed": self._has_feed}
        if any(options.values()):
            block["tables"] = {FOLDED: options}
        for option in ("epochs", "incarnations"):
            if option in whole:
                block[option] = whole[option]
        return block

    def fold(self, staged: DataFrame) -> str:
        """Fold one more batch of staged events, and return the SQL that did."""
        self._lab.append("stg", staged)
        if (held := self._lab.tables.get(self._lab.name("state"))) is not None:
            self._lab.put("held", held)
        self._fold_into("state")
        return self._lab.sql["state"]

    def fold_at_once(self) -> None:
        """Fold everything that was staged into a state of its own, `anew`."""
        self._fold_into("anew")

    def _fold_into(self, state: str) -> None:
        self._lab.fold(
            self._sources,
            "sim",
            "stg",
            state,
            table=FOLDED,
            key=[] if self._keyless else ["id"],
            columns=self._columns,
        )

    def differences_in_order(self, batch: int) -> tuple[int, list[Difference]]:
        """Return of how many keys the short plan gives rows, and which differ from the walk's."""
        watermark = batch - 1 if batch > 1 else None
        count, rows = differences_in_order(self._lab, self._sources, self._columns, watermark)
        unlike = []
        for key, (walked, continued) in rows.items():
            _, history = self._of_history[json.loads(key)["id"] // KEYS]
            unlike.append(
                Difference(history.seed, batch, key, walked, continued, "in the short plan")
            )
        return count, unlike

    def rows(self) -> dict[str, dict[str, Any]]:
        """Return what `cur_` shows, by topic and by record key or, without one, the row."""
        key = [] if self._keyless else ["_cdc_key"]
        sql = self._lab.macros(self._sources, "cur").current(
            state=self._lab.name("state"), columns=[*self._columns, *key], keyless=self._keyless
        )
        found: dict[str, dict[str, Any]] = {}
        for row in self._lab.session.sql(sql).collect():
            # a source can mask the key in its rows
            members = {"id": row[self._id]} if self._keyless else json.loads(row["_cdc_key"])
            part, history = self._of_history[members["id"] // KEYS]
            values = {name: comparable(row[slot]) for name, slot in part.slots.items()}
            own = found.setdefault(history.topic, {})
            if self._keyless:
                name = name_of(history, values)
                own[name] = own.get(name, 0) + 1
            else:
                name = canonical_json(members)
                assert name not in own, f"cur_ has key {name} twice"
                own[name] = values
        return found

    def told(self) -> dict[str, dict[str, tuple[Any, ...]]]:
        """Return by topic and key: replays, unexplained ones, unknown columns of a live row."""
        columns = ("replays", "unexplained")
        frame = self._lab.tables[self._lab.name("state")].where("_cdc_key not like '!%'")
        told: dict[str, dict[str, tuple[Any, ...]]] = {}
        for row in frame.selectExpr(
            "_cdc_key",
            *(f"_cdc_fold_{name} as {name}" for name in columns),
            "case when not _cdc_is_deleted then _cdc_unavailable end as unknown",
        ).collect():
            key = json.loads(row["_cdc_key"])
            part, history = self._of_history[key["id"] // KEYS]
            names = {slot: name for name, slot in part.slots.items()}
            unknown = sorted(names[slot] for slot in row["unknown"] or [])
            if row["replays"] or unknown:
                own = told.setdefault(history.topic, {})
                own[canonical_json(key)] = (row["replays"], row["unexplained"], unknown)
        return told


def _told_by(expected: Folded) -> dict[str, tuple[Any, ...]]:
    """Return what `Folder.told` must say of a history."""
    return {
        key: (
            expected.replays[key],
            expected.unexplained[key],
            sorted(expected.unknown.get(key, ())),
        )
        for key in {*expected.replays, *expected.unknown}
    }
