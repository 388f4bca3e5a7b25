"""The record that README.md begins with gives the row that it shows."""

from __future__ import annotations

import json
import re

from reference import KafkaRecord
from tests.support.blocks import source_options
from tests.support.paths import REPOSITORY
from tests.support.raw import raw_row

TEXT = (REPOSITORY / "README.md").read_text(encoding="utf-8")
TOTAL = {
    "type": "bytes",
    "semantic": "org.apache.kafka.connect.data.Decimal",
    "parameters": {"scale": "2", "connect.decimal.precision": "12"},
}
COLUMNS = [
    {"name": "id", "type": "int32"},
    {"name": "total", **TOTAL},
    {"name": "due", "type": "int32", "semantic": "io.debezium.time.Date"},
    {"name": "placed_at", "type": "int64", "semantic": "io.debezium.time.MicroTimestamp"},
]
SOURCES = {"shop": source_options("postgresql", "shop")}
TABLE = {"table": "public.orders", "key": [{"name": "id", "type": "int32"}], "columns": COLUMNS}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_record_in_the_readme_gives_its_row(lab):
    record = json.loads(re.search(r"```json\n(.*?)```", TEXT, re.DOTALL)[1])
    shown = [cells(line) for line in TEXT.splitlines() if line.startswith("| id INT")]
    (row,) = [cells(line) for line in TEXT.splitlines() if line.startswith("| 1004 |")]
    headings = [heading.split(" ", 1) for heading in shown[0]]
    names = [heading[0] for heading in headings]
    key, value = '{"id":1004}', json.dumps(record)
    landed = KafkaRecord("shop.public.orders", 0, 0, record["ts_ms"], key, value, ())
    lab.append("raw", lab.rows([raw_row(landed, 1)]))
    lab.stage(SOURCES, "shop", "raw", "stg", topics=["shop.public.orders"], **TABLE)
    columns = [column["name"] for column in COLUMNS]
    lab.fold(SOURCES, "shop", "stg", "state", table="public.orders", key=["id"], columns=columns)

    current = lab.macros(SOURCES, "cur").current(state=lab.name("state"), columns=columns)
    found = lab.session.sql(str(current)).select(names)

    texts = found.selectExpr(*(f"cast({name} as string)" for name in names))
    assert [list(one) for one in texts.collect()] == [row]
    types = {name: kind[0] for name, *kind in headings if kind}
    assert {name: kind.upper() for name, kind in found.dtypes if name in types} == types
