"""Random histories through the dbt models, held against the reference fold.

Several histories share one table, each with its own topic and its own keys: the fold knows no more
of another topic's keys than of another table's, and dbt's start is paid once for all of them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from tests.property.plain_values import comparable, exact_text, plain_value
from tests.reference import Epoch, Folded, KafkaRecord, fold
from tests.simulator import History, random_features, random_history, split_into_batches
from tests.support.project import DbtProject, create_project
from tests.support.raw import RAW_TYPE, raw_row

BATCHES = 4  # into which a history is cut, at most
# the same for groups in the tests: dbt takes as long for each batch, however small
BATCHES_OF_GROUPS = 3
KEYS = 1000  # ids of one history of a trial: from its number times this


@dataclass
class Difference:
    """A row of a history that Spark and the reference fold see differently."""

    seed: int
    batch: int
    key: str
    expected: Any
    found: Any

    def __str__(self) -> str:
        """Say what differs, for a person."""
        return (
            f"seed {self.seed}, after batch {self.batch}, key {self.key}:"
            f"\n  reference {self.expected}\n  cur_      {self.found}"
        )


def histories_of(seeds: Sequence[int], connector: str, **fixed: Any) -> list[History]:
    """Return one history per seed; all fit into one table with one configuration.

    The first seed draws what the table and the source have in common. `fixed` switches of
    `Features` are not drawn.
    """
    rng = random.Random(f"{connector} {seeds[0]}")
    common: dict[str, Any] = {
        "key": rng.choice(("single", "single", "composite", "none")),
        "full_identity": rng.random() < 0.3,
    }
    if connector == "oracle":
        common["binary"] = rng.choice(("bytes", "hex", "base64", "base64-url-safe"))
    if connector == "mysql":
        common["compressed"] = rng.random() < 0.3
    if len(seeds) > 1:
        # boundaries hold for a whole source, by time: such histories have a source of their own
        common["recreate_topic"] = False
    common |= fixed
    histories = []
    for number, seed in enumerate(seeds):
        own = random.Random(seed)
        history = random_history(
            seed,
            connector,
            topic=f"simulated.public.articles.h{seed}",
            key_base=number * KEYS,
            keys=own.randint(2, 7),
            steps=own.randint(1, 40),
            features=random_features(own, connector, **common),
        )
        if len(seeds) > 1:
            history.config = replace(history.config, epochs=tuple(_by_offset(history)))
        histories.append(history)
    return histories


def _by_offset(history: History) -> Iterator[Epoch]:
    """Yield the history's epochs as offsets of its own topic, so that they bind no other."""
    for epoch in history.config.epochs:
        if epoch.from_ms is None:
            yield epoch
            continue
        later = [record for record in history.records if record.timestamp_ms >= epoch.from_ms]
        offsets: dict[int, int] = {}
        for record in later:
            offsets[record.partition] = min(
                record.offset, offsets.get(record.partition, record.offset)
            )
        if offsets:
            yield replace(epoch, from_ms=None, topic=history.topic, offsets=offsets)


def run_trial(
    folder: Path,
    spark: SparkSession,
    seeds: Sequence[int],
    connector: str,
    *,
    schema: str,
    target: str = "iceberg",
    progress: Callable[[str], None] = lambda text: None,
    **fixed: Any,
) -> list[Difference]:
    """Fold the histories of these seeds with dbt, batch by batch, and return every difference.

    `fixed` switches of `Features` are not drawn from the seeds.
    """
    return fold_histories(
        folder,
        spark,
        histories_of(seeds, connector, **fixed),
        schema=schema,
        target=target,
        progress=progress,
    )


def fold_histories(
    folder: Path,
    spark: SparkSession,
    histories: Sequence[History],
    *,
    schema: str,
    target: str = "iceberg",
    most: int = BATCHES,
    progress: Callable[[str], None] = lambda text: None,
) -> list[Difference]:
    """Fold histories that fit into one table, batch by batch, and return every difference.

    How a history is cut depends on its seed and on how many batches there are at most: one of a
    group fails alone as it did there.
    """
    landings = [_landings(history, random.Random(history.seed), most) for history in histories]
    project = _project(folder, spark, histories, schema, target)
    spark.sql(f"create schema if not exists `{schema}`")
    spark.createDataFrame([], RAW_TYPE).writeTo(f"`{schema}`.landed").createOrReplace()
    differences: list[Difference] = []
    for number in range(max(len(batches) for batches in landings)):
        landed = []
        for batches in landings:
            landed += batches[number] if number < len(batches) else []
        rows = [raw_row(record, number + 1) for record in landed]
        spark.createDataFrame(rows, RAW_TYPE).writeTo(f"`{schema}`.landed").append()
        models = ["+cur_sim__articles"] if number == 0 else ["stg_*", "state_*"]
        project.run("run", "--select", *models)
        found = _current(project, histories[0])
        for index, (history, batches) in enumerate(zip(histories, landings, strict=True)):
            said = [record for batch in batches[: number + 1] for record in batch]
            expected = fold(said, history.config)
            own = found
            if len(histories) > 1:
                own = {k: row for k, row in found.items() if _id_of(history, k) // KEYS == index}
            differences += _compare(history, number + 1, expected, own)
        progress(f"batch {number + 1}: {len(rows)} records")
        if differences:
            break
    return differences


def _landings(history: History, rng: random.Random, most: int) -> list[list[KafkaRecord]]:
    """Cut a history into batches of what each landing run adds: a record lands once."""
    batches = split_into_batches(history.records, rng, most=most)
    landed: set[tuple[Any, ...]] = set()
    once = []
    for batch in batches:
        fresh = []
        for record in batch:
            identity = (record.partition, record.offset, record.timestamp_ms, record.value)
            if identity not in landed:
                landed.add(identity)
                fresh.append(record)
        once.append(fresh)
    return once


def _project(
    folder: Path, spark: SparkSession, histories: Sequence[History], schema: str, target: str
) -> DbtProject:
    first = histories[0]
    table = f"{first.table.schema}.{first.table.name}"
    block = first.source_config()
    epochs = [epoch for history in histories for epoch in history.source_config().get("epochs", [])]
    block = {name: value for name, value in block.items() if name != "epochs"}
    if epochs:
        block["epochs"] = epochs
    data = folder / "data"
    data.mkdir(parents=True)
    block["input"] = {"type": "files", "path": str(data)}
    # JSON of such lists is Jinja, too
    columns = json.dumps(first.declared_columns())
    key = json.dumps(first.declared_key())
    topics = json.dumps([history.topic for history in histories])
    names = json.dumps([column["name"] for column in first.declared_key()])
    decoded = f"debezium_spark.decoded_columns('sim', {columns}) | map(attribute='name') | list"
    files = {
        "models/raw_sim.sql": (
            "{{ config(materialized='view') }}\nselect * from " + f"`{schema}`.landed"
        ),
        "models/stg_sim__articles.sql": (
            "{{ config(materialized='debezium_append') }}\n"
            f"{{{{ debezium_spark.staging(source='sim', raw=ref('raw_sim'), topics={topics},"
            f" table='{table}', key={key}, columns={columns}) }}}}"
        ),
        "models/state_sim__articles.sql": (
            "{{ config(materialized='debezium_merge', unique_key='_cdc_key') }}\n"
            f"{{{{ debezium_spark.state(source='sim', table='{table}',"
            f" staging=ref('stg_sim__articles'), key={names}, columns={decoded}) }}}}"
        ),
        "models/cur_sim__articles.sql": (
            "{{ config(materialized='view') }}\n"
            "{{ debezium_spark.current(state=ref('state_sim__articles'),"
            f" columns={decoded}, keyless={json.dumps(not first.table.key)}) }}}}"
        ),
    }
    return create_project(
        folder, schema=schema, target=target, spark=spark, files=files,
        variables={"debezium_sources": {"sim": block}},
    )  # fmt: skip


def _current(project: DbtProject, history: History) -> dict[str, Any]:
    """Return the rows of `cur_`, by key, or how often each, without a key; as comparable texts."""
    frame = project.spark.table(project.table("cur_sim__articles"))
    columns = [name for name in frame.columns if not _is_ours(name)]
    rows: dict[str, Any] = {}
    for row in frame.select(*columns).collect():
        values = {name: comparable(row[name]) for name in columns}
        if history.table.key:
            key = json.dumps([values[name] for name in history.table.key])
            assert key not in rows, f"cur_ has key {key} twice"
            rows[key] = values
        else:
            text = json.dumps(values, sort_keys=True)
            rows[text] = rows.get(text, 0) + 1
    return rows


def _is_ours(name: str) -> bool:
    return name.startswith("_cdc_") and not name.startswith("_cdc_text_")


def _expected_values(history: History, row: dict[str, Any]) -> dict[str, str]:
    values = {}
    for column in history.declared_columns():
        raw = row.get(column["name"])
        values[column["name"]] = comparable(plain_value(column, raw))
        semantic = column.get("semantic") or ""
        zoned = semantic.endswith("ZonedTimestamp") and history.connector in ("sqlserver", "oracle")
        if zoned or semantic.endswith("NanoTimestamp"):
            values[f"_cdc_text_{column['name']}"] = comparable(exact_text(column, raw))
        elif semantic.endswith("time.Date") and history.connector == "postgresql":
            # infinite dates are beyond the type, and histories have none
            values[f"_cdc_text_{column['name']}"] = comparable(None)
    return values


def _compare(
    history: History, batch: int, expected: Folded, found: dict[str, Any]
) -> Iterator[Difference]:
    wanted: dict[str, Any] = {}
    if history.table.key:
        for row in expected.rows.values():
            values = _expected_values(history, row)
            wanted[json.dumps([values[name] for name in history.table.key])] = values
    else:
        for text, count in expected.multiset.items():
            values = _expected_values(history, json.loads(text))
            wanted[json.dumps(values, sort_keys=True)] = count
    for key in sorted(set(wanted) | set(found)):
        if wanted.get(key) != found.get(key):
            expected_row, found_row = wanted.get(key), found.get(key)
            if isinstance(expected_row, dict) and isinstance(found_row, dict):
                differing = [n for n in expected_row if expected_row[n] != found_row.get(n)]
                expected_row = {name: expected_row[name] for name in differing}
                found_row = {name: found_row.get(name) for name in differing}
            yield Difference(history.seed, batch, key, expected_row, found_row)


def _id_of(history: History, key: str) -> int:
    values = json.loads(key)
    return int(values[0] if history.table.key else values["id"])
