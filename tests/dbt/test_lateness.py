"""Which sources and tables are late, by the heartbeats, events and records that have landed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from reference import KafkaRecord
from tests.cases.log import Log
from tests.support.landed import LandedProject
from tests.support.models import table_models
from tests.support.project import DbtResult

pytestmark = pytest.mark.full

COLUMNS = [{"name": "id", "type": "int32"}, {"name": "born", "type": "string"}]
START = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
BEAT = "__debezium-heartbeat.shop"
NAMES = ("goods", "people")
ENTRIES = ", ".join(
    f"{{'source': 'shop', 'table': 'public.{name}', 'relation': ref('stg_{name}'),"
    f" 'state': ref('state_{name}')}}"
    for name in NAMES
)
TESTS = "models:\n  - name: debezium_obs__tables\n    data_tests: [debezium_spark.never_late]\n"
LEDGER = (
    "path string, size bigint, modified_at timestamp, lines bigint, records bigint,"
    " landed bigint, remaining bigint, _cdc_batch_id bigint, _cdc_landed_at timestamp"
)


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def ms(minutes: float) -> int:
    return int(at(minutes).timestamp() * 1000)


def event(name: str, offset: int, minutes: float) -> KafkaRecord:
    """Return the insert of a row, committed, captured and recorded at one time."""
    log = Log("postgresql")
    log.add("c", {"id": offset}, 10 + offset, {"id": offset, "born": "x"})
    (record,) = log.cut()[0]
    value = json.loads(str(record.value))
    envelope = value.get("payload", value)
    envelope["ts_ms"] = envelope["source"]["ts_ms"] = ms(minutes)
    envelope["source"] |= {"name": "shop", "schema": "public", "table": name}
    for block in (envelope, envelope["source"]):
        for member in ("ts_us", "ts_ns"):
            block.pop(member, None)
    return replace(
        record,
        topic=f"shop.public.{name}",
        offset=offset,
        timestamp_ms=ms(minutes),
        value=json.dumps(value),
    )


def beat(offset: int, minutes: float, value: Any = None) -> KafkaRecord:
    """Return a heartbeat; `value` replaces its own."""
    text = json.dumps({"ts_ms": ms(minutes)}) if value is None else value
    return KafkaRecord(BEAT, 0, offset, ms(minutes), '{"serverName":"shop"}', text, ())


@pytest.fixture
def project(landed: Callable[..., LandedProject]) -> LandedProject:
    """Return a project of two tables whose source may be silent for an hour."""
    files = {"models/observability.yml": TESTS}
    for name in NAMES:
        files |= table_models(name, source="shop", columns=COLUMNS)
    files["models/debezium_obs__tables.sql"] = (
        "{{ debezium_spark.obs_tables("
        f"raws=[('shop', ref('raw_goods'))], stagings=[{ENTRIES}]) }}}}"
    )
    kafka = {"type": "kafka", "brokers": "nowhere:1", "max_records_per_run": 9}
    project = landed("shop", files, options={"max_lag": "1 hour", "input": kafka})
    waiting = project.spark.createDataFrame([], LEDGER).writeTo(project.table("raw_goods__files"))
    waiting.using(project.target).createOrReplace()
    return project


def leave(project: LandedProject, minutes: float, remaining: int) -> None:
    """Record what a run left in Kafka of the topic of goods."""
    row = ("kafka:shop.public.goods/0", 1, at(minutes), 1, 1, 1, remaining, 1, at(minutes))
    frame = project.spark.createDataFrame([row], LEDGER)
    frame.writeTo(project.table("raw_goods__files")).append()


def build(project: LandedProject, minutes: float, *arguments: str) -> DbtResult:
    """Build the project as if it were that time."""
    moment = at(minutes).isoformat()
    return project.invoke("build", "--vars", json.dumps({"debezium_as_of": moment}), *arguments)


def outcome(result: DbtResult) -> str:
    """Return the outcome of the test of the view."""
    return result.statuses["debezium_spark_never_late_debezium_obs__tables_"]


def source(project: LandedProject) -> tuple[Any, ...]:
    """Return what the view says of the source, beside each of its tables."""
    columns = "unix_seconds(newest_heartbeat_at), unix_seconds(heard_at)"
    query = f"select distinct {columns} from {project.table('debezium_obs__tables')}"
    (row,) = project.sql(query)
    return tuple(row)


def tables(project: LandedProject) -> dict[str, tuple[Any, ...]]:
    columns = (
        "waiting_records, waits_for, unix_seconds(as_of) - unix_seconds(waiting_since),"
        " late_because"
    )
    query = f"select table_name, {columns} from {project.table('debezium_obs__tables')}"
    return {row[0]: tuple(row)[1:] for row in project.sql(query)}


def seconds(minutes: float) -> int:
    return int(at(minutes).timestamp())


QUIET = (0, None, None, None)
SILENT = (0, None, None, "silence")
ONLY = ("--select", "debezium_obs__tables")


@pytest.mark.covers("form heartbeats: files, connect, aiven, lenses, table")
def test_a_source_is_late_when_neither_heartbeat_nor_event_is_young(project: LandedProject) -> None:
    project.land(1, [event("goods", 1, 0), event("people", 1, 5), beat(0, 2)])
    assert outcome(build(project, 65)) == "fail"
    assert source(project) == (seconds(2), seconds(5))
    assert tables(project) == {"public.goods": SILENT, "public.people": SILENT}

    # the tables are quiet and the heartbeat shows that nothing waits at the source
    project.land(2, [beat(1, 60)])
    assert outcome(build(project, 65)) == "pass"
    assert source(project) == (seconds(60), seconds(60))
    assert tables(project) == {"public.goods": QUIET, "public.people": QUIET}

    # nothing has changed but the time: what passed before does not pass for ever
    assert outcome(build(project, 119)) == "pass"
    assert outcome(build(project, 121)) == "fail"


def test_records_that_wait_make_their_table_late_and_no_other(project: LandedProject) -> None:
    project.land(1, [event("goods", 1, 0), event("people", 1, 0)])
    assert outcome(build(project, 10)) == "pass"

    project.land(2, [event("goods", 2, 20), event("goods", 3, 30), beat(0, 75)])
    assert outcome(build(project, 79, *ONLY)) == "pass"
    assert tables(project)["public.goods"] == (2, "staging", 3540, None)
    assert outcome(build(project, 81, *ONLY)) == "fail"
    assert tables(project) == {
        "public.goods": (2, "staging", 3660, "waiting"),
        "public.people": QUIET,
    }

    build(project, 81, "--select", "stg_goods")
    assert outcome(build(project, 81, *ONLY)) == "fail"
    assert tables(project)["public.goods"] == (2, "state", 3660, "waiting")

    assert outcome(build(project, 81)) == "pass"
    assert tables(project)["public.goods"] == QUIET


def test_what_a_limited_run_leaves_in_kafka_waits(project: LandedProject) -> None:
    project.land(1, [event("goods", 1, 0), event("people", 1, 0), beat(0, 90)])
    leave(project, 50, 7)
    assert outcome(build(project, 91)) == "fail"
    assert tables(project) == {
        "public.goods": (7, "landing", 5460, "waiting"),
        "public.people": QUIET,
    }
    leave(project, 91, 0)
    assert outcome(build(project, 91)) == "pass"


def test_records_of_another_table_in_the_topic_are_no_sign_of_this_one(
    project: LandedProject,
) -> None:
    for name in NAMES:
        path = project.path / f"models/stg_{name}.sql"
        origins = f"[{{'name': 'shop', 'schema': 'public', 'table': '{name}'}}]"
        text = path.read_text(encoding="utf-8").replace(f"shop.public.{name}", "shop.all")
        call, end = text.rsplit(") }}", 1)
        path.write_text(f"{call}, shared_topic=true, origins={origins}) }}}}{end}")

    def of(name: str, offset: int, minutes: float) -> KafkaRecord:
        return replace(event(name, offset, minutes), topic="shop.all")

    project.land(1, [of("goods", 1, 0), of("people", 2, 0)])
    build(project, 1)
    tombstone = replace(of("people", 4, 5), value=None)
    project.land(2, [of("people", 3, 5), tombstone, beat(0, 70)])
    assert outcome(build(project, 70, *ONLY)) == "fail"
    assert tables(project)["public.goods"] == QUIET
    assert tables(project)["public.people"][:2] == (1, "staging")


def test_a_damaged_heartbeat_hides_nothing(project: LandedProject) -> None:
    beats = [
        beat(0, 1, '{"ts_ms":99999999999999}'),
        beat(1, 2, '{"ts_ms":"soon"}'),
        beat(2, 3, "{"),
        beat(3, 4, None),
        beat(4, 0, '{"schema":{},"payload":{"ts_ms":99999999999999999999}}'),
    ]
    project.land(1, [event("goods", 1, 0), event("people", 1, 0), *beats])
    assert outcome(build(project, 65)) == "fail"
    assert source(project) == (seconds(4), seconds(4))


def test_a_source_of_which_nothing_landed_is_late(project: LandedProject) -> None:
    assert outcome(build(project, 0)) == "fail"
    assert source(project) == (None, None)
    assert tables(project) == {"public.goods": SILENT, "public.people": SILENT}


def test_a_time_without_a_zone_is_refused(project: LandedProject) -> None:
    result = project.invoke("build", "--vars", '{"debezium_as_of": "2026-11-18 12:00"}')
    assert "the var `debezium_as_of` is '2026-11-18 12:00', which has no time zone" in result.text
