"""A column added at the source: kept before the models know it, shown for old events after.

The table is altered after two events; models of the old layout stage two more; the regenerated
models then read again what was kept, without a full refresh, and agree with one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.text.property_text import pack, unpack
from tests.cases.log import GONE, Log
from tests.support.formats import DEFAULT_FIRST
from tests.support.landed import LandedProject
from tests.support.models import table_models

KEY = {"name": "id", "type": "int32"}
OLD = [{"name": "id", "type": "int32", "optional": False}, {"name": "name", "type": "string"}]
ADDED = [
    {"name": "born", "type": "int32", "semantic": "io.debezium.time.Date"},
    {
        "name": "price",
        "type": "bytes",
        "semantic": "org.apache.kafka.connect.data.Decimal",
        "parameters": {"scale": "2", "connect.decimal.precision": "10"},
    },
    {"name": "seen", "type": "int64", "semantic": "io.debezium.time.NanoTimestamp"},
    {"name": "note", "type": "string"},
]
TOPIC = "adopting.public.people"


def story() -> Log:
    """Return what happened to the table."""
    log = Log("postgresql")
    log.add("c", {"id": 1}, 10, {"id": 1, "name": "a"})
    log.add("c", {"id": 2}, 11, {"id": 2, "name": "b"})
    full = {"born": 19_000, "price": "ATk=", "seen": 1_600_000_000_123_456_789, "note": "kept"}
    log.add("u", {"id": 1}, 20, {"id": 1, "name": "a2"} | full | {"other": 5})
    log.add("c", {"id": 3}, 21, {"id": 3, "name": "c"} | full | {"born": "spring"})
    log.add("u", {"id": 1}, 30, {"id": 1, "name": "a3"} | full | {"note": GONE, "price": None})
    log.add("c", {"id": 4}, 40, {"id": 4, "name": "d"} | full)
    return log


def models(*columns: dict[str, Any]) -> dict[str, str]:
    """Return the models of a layout."""
    return table_models("people", source="adopting", columns=columns, key=[KEY])


def land(project: LandedProject, first: int, end: int) -> None:
    """Let some of the records land as one batch."""
    records = story().records[first:end]
    project.land(first + 1, [replace(record, topic=TOPIC) for record in records])


@pytest.fixture(scope="module", params=DEFAULT_FIRST)
def project(request: pytest.FixtureRequest, landed: Callable[..., LandedProject]) -> LandedProject:
    """Return the project after five events were staged by models of the old layout."""
    project = landed("adopting", models(*OLD), target=request.param)
    for part in ((0, 2), (2, 5)):
        land(project, *part)
        project.run("run")
    return project


def staged(project: LandedProject) -> list[dict[str, Any]]:
    """Return the staged rows by offset."""
    names = [column["name"] for column in ADDED]
    query = f"""select _cdc_offset, {", ".join(names)}, _cdc_text_seen, _cdc_unmapped,
        _cdc_unavailable, _cdc_errors from {project.table("stg_people")} order by _cdc_offset"""
    return [row.asDict() for row in project.sql(query)]


def test_old_events_show_what_they_held(project: LandedProject) -> None:
    kept = project.sql(f"select map_keys(_cdc_unmapped) as k from {project.table('stg_people')}")
    assert sorted(name for row in kept for name in row.k or []) == sorted(
        [column["name"] for column in ADDED] * 3 + ["other"]
    )
    project.write(models(*OLD, *ADDED))

    project.run("run")

    rows = staged(project)
    assert [row["born"] for row in rows] == [None, None, date(2022, 1, 8), None, date(2022, 1, 8)]
    assert [row["price"] for row in rows] == [None, None, Decimal("3.13"), Decimal("3.13"), None]
    assert rows[2]["_cdc_text_seen"].endswith("123456789")
    assert [row["note"] for row in rows] == [None, None, "kept", "kept", None]
    assert [row["_cdc_unavailable"] for row in rows] == [None, None, None, None, ["note"]]
    assert [row["_cdc_unmapped"] for row in rows] == [None, None, {"other": "5"}, None, None]
    assert [bool(row["_cdc_errors"]) for row in rows] == [False, False, False, True, False]
    assert rows[3]["_cdc_errors"] == ["born: not a io.debezium.time.Date: spring"]
    current = {row.id: row for row in project.sql(f"select * from {project.table('cur_people')}")}
    assert (current[1].name, current[1].note, current[1].born) == ("a3", "kept", date(2022, 1, 8))
    assert (current[2].name, current[2].note) == ("b", None)

    before = project.version("stg_people"), project.version("state_people")
    project.run("run")
    assert (project.version("stg_people"), project.version("state_people")) == before

    land(project, 5, 6)
    project.run("run")
    incremental = staged(project), project.sql(f"select * from {project.table('cur_people')}")
    project.run("run", "--full-refresh")
    assert staged(project) == incremental[0]
    assert sorted(project.sql(f"select * from {project.table('cur_people')}")) == sorted(
        incremental[1]
    )


def test_an_interrupted_reading_is_made_up_for(project: LandedProject) -> None:
    relation = project.table("stg_people")
    project.sql(
        f"update {relation} set note = null, _cdc_unmapped = map('note', 'kept')"
        " where _cdc_offset = 3"
    )
    written = reading(project)
    earlier = {**written, "columns": {k: v for k, v in written["columns"].items() if k != "note"}}
    project.sql(
        f"alter table {relation} set tblproperties"
        f" ('debezium_spark.reading' = '{pack(json.dumps(earlier))}')"
    )

    result = project.run("run", "--select", "stg_people")

    assert [row["note"] for row in staged(project)][3] == "kept"
    assert reading(project) == written
    assert "read 1 events again" in result.text
    assert "built anew" not in result.text


def test_a_record_is_left_out_and_taken_back(project: LandedProject) -> None:
    file = project.path / "dbt_project.yml"
    settings = yaml.safe_load(file.read_text(encoding="utf-8"))
    source = settings["vars"]["debezium_sources"]["adopting"]

    def run(ignored: list[dict[str, Any]]) -> tuple[str, list[Any]]:
        source["ignore_records"] = ignored
        file.write_text(yaml.safe_dump(settings), encoding="utf-8")
        text = project.run("run").text
        shown = project.sql(f"select id, name from {project.table('cur_people')} order by id")
        return text, [tuple(row) for row in shown]

    _, before = run([])
    everything = staged(project)
    entry = {"topic": TOPIC, "partition": 0, "offset": 1, "reason": "cut by a proxy"}
    text, without = run([entry])
    assert "events again" in text and "built anew from the raw records" not in text
    assert without == [row for row in before if row[0] != 2]
    assert staged(project)[1]["_cdc_errors"] == ["record: ignored: cut by a proxy"]

    _, again = run([])
    assert again == before
    assert staged(project) == everything


def reading(project: LandedProject) -> dict[str, Any]:
    """Return what the staging table says it was read by."""
    properties = project.sql(f"show tblproperties {project.table('stg_people')}")
    (text,) = [row.value for row in properties if row.key == "debezium_spark.reading"]
    return json.loads(unpack(text) or "")
