"""`dbt run-operation debezium_retain`: fewer staged records, the same rows, on both formats.

Ten days of records of a PostgreSQL table, of which three are kept.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.embedded_records import field, table_record
from tests.support.examples import compact
from tests.support.models import table_models

COLUMNS = [
    {"name": "id", "type": "int32"},
    {"name": "name", "type": "string"},
    {"name": "notes", "type": "string"},
]
FIELDS = [field("id", optional=False), field("name", "string"), field("notes", "string")]
TOPIC = "PostgreSQL_server.public.people"
UNAVAILABLE = "__debezium_unavailable_value"
SOURCES = {
    "shop": {
        "connector": "postgresql",
        "topic_prefix": "PostgreSQL_server",
        "input": {"type": "files", "path": "data"},
    }
}
FILES = {
    "python_models/raw_shop.py": """
        from dbt_debezium_spark import landing

        def model(dbt, session):
            dbt.config(materialized="debezium_raw")
            return landing.land(dbt, session, source="shop")
    """,
}
FILES |= table_models(
    "shop", source="shop", columns=COLUMNS, table="public.people", topics=[TOPIC], landed=None
)
OF_TABLE = "{{ config(meta={'debezium_spark': {'source': 'shop', 'table': 'public.people'}}) }}\n"
FILES |= {
    f"models/{layer}_shop.sql": OF_TABLE + FILES[f"models/{layer}_shop.sql"]
    for layer in ("stg", "state", "cur")
}
DAY_MS = 86_400_000
BEGIN_MS = 1_790_000_000_000
RECORDS_OF_A_DAY = 10


def change(
    offset: int, lsn: int, row: dict[str, Any] | None, op: str = "u", *, day: float = 0
) -> dict[str, Any]:
    """Return a change of a row, as it is delivered on a day."""
    at_ms = BEGIN_MS + int(day * DAY_MS)
    record = table_record(FIELDS, table="people", after=row, offset=offset, timestamp=at_ms)
    value = json.loads(record["value"])
    value["payload"]["op"] = op
    value["payload"]["ts_ms"] = at_ms
    value["payload"]["source"] |= {
        "lsn": lsn,
        "sequence": json.dumps([str(lsn - 1), str(lsn)]),
        "ts_ms": at_ms,
        "snapshot": "false",
    }
    return record | {"value": compact(value)}


def day_of_changes(day: int) -> list[dict[str, Any]]:
    """Return the records of a day: the same three rows change, and a row of its own appears."""
    first = day * RECORDS_OF_A_DAY
    records = [change(first, 1000 + first, {"id": 100 + day, "name": "n", "notes": "x"}, "c")]
    for number in range(1, RECORDS_OF_A_DAY):
        row = {"id": number % 3, "name": f"name {first + number}", "notes": UNAVAILABLE}
        op = "u"
        if day == 0 and number <= 3:
            row, op = row | {"notes": f"notes of {number % 3}"}, "c"
        records.append(change(first + number, 1000 + first + number, row, op))
    return [
        one | {"timestamp": BEGIN_MS + day * DAY_MS + number} for number, one in enumerate(records)
    ]


@pytest.fixture
def project(dbt_project_factory, target, retention):
    sources = {"shop": SOURCES["shop"] | {"retention": retention}}
    made = dbt_project_factory(FILES, vars={"debezium_sources": sources}, target=target)
    for day in range(10):
        land(made, f"day-{day}", day_of_changes(day))
        if day in (0, 4, 7, 9):
            made.run("run")
    return made


def land(project, name, records):
    lines = [json.dumps(record) for record in records]
    project.write({f"data/{name}.jsonl": "\n".join(lines) + "\n"})


@pytest.mark.parametrize("retention", [{"staging": "48 hours"}])
def test_rows_stay_while_staged_records_go(project):
    rows, states = project.rows("cur_shop"), counts(project)
    staged = project.sql(f"select count(*) from {project.table('stg_shop')}")[0][0]
    assert staged == 10 * RECORDS_OF_A_DAY
    assert {row[2] for row in rows if row[0] < 3} == {f"notes of {number}" for number in range(3)}

    told = project.run("run-operation", "debezium_retain", "--args", "{dry_run: true}")
    assert "stg_shop: would let " in told.text
    assert project.sql(f"select count(*) from {project.table('stg_shop')}")[0][0] == staged

    told = project.run("run-operation", "debezium_retain")

    left = project.sql(f"select count(*) from {project.table('stg_shop')}")[0][0]
    # three days with the open time, rows of their own from before, and bases of three rows
    assert left == 3 * RECORDS_OF_A_DAY + 7 + 3
    assert f"stg_shop: let {staged - left} of {staged} records go, up to 20" in told.text
    project.run("run")
    assert (project.rows("cur_shop"), counts(project)) == (rows, states)

    # one change again, one that is late, and one that is new
    again = change(100, 1000 + 24, {"id": 1, "name": "old", "notes": UNAVAILABLE}, day=9.1)
    late = change(101, 2000, {"id": 2, "name": "late", "notes": "late"}, day=1)
    new = change(102, 2001, {"id": 0, "name": "new", "notes": UNAVAILABLE}, day=9.2)
    land(project, "after", [again, late, new])
    project.run("run")

    current = {row[0]: row[1:3] for row in project.rows("cur_shop")}
    assert current[0] == ("new", "notes of 0")
    before = {row[0]: row[1:3] for row in rows}
    assert {key: current[key] for key in before if key} == {k: v for k, v in before.items() if k}
    (errors,) = project.sql(
        f"select _cdc_errors from {project.table('stg_shop')} where _cdc_offset = 101"
    )
    assert errors[0][0].startswith("record: before the horizon 2026-")
    assert counts(project) == states

    # what was staged from the whole of raw forgets the horizon
    project.run("run", "--full-refresh")
    assert {row[0]: row[1:3] for row in project.rows("cur_shop")} == current | {2: ("late", "late")}


@pytest.mark.parametrize(
    "retention", [{"raw": "72 hours"}, {"raw": "72 hours", "staging": "48 hours"}]
)
def test_rows_stay_while_raw_records_go(project, retention):
    rows, states = project.rows("cur_shop"), counts(project)
    columns = "_cdc_topic, _cdc_offset, _cdc_op, _cdc_key, id, name, notes, _cdc_snapshot"

    told = project.run("run-operation", "debezium_retain", "--args", "{dry_run: true}")
    assert "raw_shop: would let 70 records go, with values of " in told.text
    assert size(project, "raw_shop") == 10 * RECORDS_OF_A_DAY

    told = project.run("run-operation", "debezium_retain")

    assert "raw_shop: let 70 records go, with values of " in told.text
    assert size(project, "raw_shop") == 3 * RECORDS_OF_A_DAY
    kept = project.sql(f"select {columns} from {project.table('stg_shop')} order by 2")
    project.run("run")
    assert (project.rows("cur_shop"), counts(project)) == (rows, states)

    # records that went land again, and a table that is built anew keeps its own
    land(project, "again", day_of_changes(3))
    project.run("run")
    assert size(project, "raw_shop") == 4 * RECORDS_OF_A_DAY
    refused = f"select count(*) from {project.table('stg_shop')} where _cdc_errors is not null"
    assert project.sql(refused)[0][0] == RECORDS_OF_A_DAY
    for _ in range(2):
        project.run("run", "--full-refresh", "--exclude", "raw_shop")
        staged = f"select {columns} from {project.table('stg_shop')}"
        assert project.sql(f"{staged} where _cdc_errors is null order by 2") == kept
        assert project.sql(refused)[0][0] == RECORDS_OF_A_DAY
        assert (project.rows("cur_shop"), counts(project)) == (rows, states)


def size(project, model):
    return project.sql(f"select count(*) from {project.table(model)}")[0][0]


def counts(project):
    return project.sql(
        "select sum(_cdc_fold_replays), sum(_cdc_fold_unexplained)"
        f" from {project.table('state_shop')}"
    )[0]
