"""One recording, from an empty database to files: the play of a live run, with PostgreSQL alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dbt_debezium_spark.config.sources import HEARTBEAT_PREFIX
from dev.live import platform as servers
from dev.live.connectors import SHOP
from dev.live.pace import Pace
from dev.live.play import Play
from dev.recorder import events
from dev.recorder.replay import mismatches
from dev.recorder.writer import write_json, write_parts
from dev.servers import ServerError, kafka


@dataclass(frozen=True)
class Size:
    """How much traffic surrounds the scenes; the scenes are the same in every size."""

    transactions: int
    """Per session and round of traffic."""
    rows_per_part: int


SIZES = {"small": Size(2, 60), "full": Size(45, 500)}


@dataclass(frozen=True)
class Manifest:
    """What a recording holds; also its `manifest.json`."""

    seed: int
    size: str
    connector: str
    topic_prefix: str
    versions: dict[str, str]
    records: int
    parts: int
    engine_runs: int
    redelivered: int
    operations: dict[str, int]
    topics: dict[str, dict[str, int]]
    truth_rows: dict[str, int]


def record(out: Path, seed: int = 1, size: str = "small") -> Manifest:
    """Record real PostgreSQL through real Debezium; then replay the records, and compare.

    Args:
        out: gets `records/`, `truth/` and `manifest.json`; must not exist or be empty. When the
            recording fails it gets `logs/`.
        seed: decides the statements of the workload.
        size: one of `SIZES`.

    Raises:
        ServerError: something is missing, failed or took too long; the message says what to do.
    """
    if size not in SIZES:
        raise ServerError(f"recorder: unknown size `{size}`. Choose one of {', '.join(SIZES)}.")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ServerError(f"recorder: {out} is not an empty folder. Remove it or name another.")
    pace = Pace(waits_for_runs=False)
    with (
        servers.running(out / "logs", with_mariadb=False) as platform,
        closing(Play(platform, seed, SIZES[size].transactions, pace)) as play,
    ):
        play.perform()
        rows = play.works[SHOP].save_truth(out / "truth")
        delivered = play.delivered()[SHOP]
        records = in_order(_recorded(platform.tail.records))
        topics = events.counts(records)
        manifest = Manifest(
            seed=seed,
            size=size,
            connector="postgresql",
            topic_prefix=SHOP,
            versions={
                "debezium": _debezium(records),
                "kafka": kafka.VERSION,
                "postgresql": platform.postgres.version(),
            },
            records=len(records),
            parts=write_parts(out / "records", records, SIZES[size].rows_per_part),
            engine_runs=len(set(map(events.run_of, records)) - {None}),
            redelivered=delivered.redelivered,
            operations=dict(sorted(sum(map(Counter, topics.values()), Counter()).items())),
            topics=topics,
            truth_rows=rows,
        )
        write_json(out / "manifest.json", asdict(manifest))
        if manifest.redelivered == 0:
            raise ServerError("recorder: no record was redelivered; the kills had no effect.")
        if found := mismatches(out):
            shown = "\n".join(found[:5])
            raise ServerError(
                f"recorder: {len(found)} differences between the records and the truth in {out}; "
                f"do not use this recording. The first:\n{shown}"
            )
    return manifest


def in_order(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return records in the order in which the connector sent them, over all partitions.

    Of one millisecond the LSN tells, as far as it keeps the order of each partition.

    Args:
        records: those of a partition stand in their order.
    """
    last: dict[tuple[str, int], tuple[int, int]] = {}

    def place(record: dict[str, Any]) -> tuple[int, int]:
        value = events.payload(record["value"])
        lsn = value.get("source", {}).get("lsn") if isinstance(value, dict) else None
        partition = record["topic"], record["partition"]
        last[partition] = max(last.get(partition, (0, 0)), (record["timestamp"], lsn or 0))
        return last[partition]

    return sorted(records, key=place)


def _recorded(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records of the connector's topics."""
    heartbeats = f"{HEARTBEAT_PREFIX}.{SHOP}"
    return [r for r in records if r["topic"].startswith(f"{SHOP}.") or r["topic"] == heartbeats]


def _debezium(records: Iterable[dict[str, Any]]) -> str:
    """Return the version that the records tell."""
    values = (events.payload(record["value"]) for record in records)
    return next(
        value["source"]["version"]
        for value in values
        if isinstance(value, dict) and "source" in value
    )
