"""Which statements a run of `landing.sql_table` executes; tests/spark runs them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_debezium_spark.config import load_source
from dbt_debezium_spark.landing.raw_append import OverlappingRunError
from dbt_debezium_spark.landing.schemas import LEDGER_COLUMNS
from dbt_debezium_spark.landing.sql_table import SqlLanding
from dbt_debezium_spark.landing.statements import Statements
from dbt_debezium_spark.landing.tables import tables_of
from tests.support.blocks import source_options
from tests.support.macros import CompilerError, Macros

INPUT = {"type": "table", "relation": "lake.bronze.records", "landing": "sql"}
OPTIONS = source_options(input=INPUT)
PARTITION = {"topic": "p.it's", "partition": 0}
EXTENT = {
    "placed": 2,
    "late": 0,
    "above": 2,
    "unplaced": 0,
    "new_unplaced": 0,
    "last": 7,
    "highest": 9,
    "relations": [0],
}
COLUMNS = ["topic", "partition", "offset", "value"]


class RefusedError(Exception):
    pass


class Server:
    """Answers queries by a word in them, and keeps the statements."""

    def __init__(self, **answers: Any) -> None:
        self.answers: dict[str, Any] = {
            "as recorded": [{"batch": 3, "recorded": 8}],
            "as foreign": [{"open": 0, "foreign": 0}],
            "select max(_cdc_batch_id) from": 3,
            "_relation": [],
            **answers,
        }
        self.statements: list[str] = []
        self.refuses = ""
        self.columns = dict.fromkeys(COLUMNS, "string")

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        if sql.startswith("describe query select * from `debezium`.`raw_shop__files`"):
            return [(name, kind, None) for name, kind in LEDGER_COLUMNS.items()]
        if sql.startswith("describe query"):
            return [(name, kind, None) for name, kind in self.columns.items()]
        for word, answer in self.answers.items():
            if word in sql:
                if not isinstance(answer, list):
                    return [] if answer is None else [(answer,)]
                return [(json.dumps(row),) for row in answer]
        raise AssertionError(f"no answer to:\n{sql}")

    def execute(self, sql: str) -> None:
        self.statements.append(sql)
        if self.refuses and sql.startswith(self.refuses):
            raise RefusedError("Found conflicting files that can contain rows")

    @property
    def written(self) -> list[str]:
        """The first words of the statements, without those that create side tables."""
        return [
            " ".join(sql.split()[:2])
            for sql in self.statements
            if not sql.startswith("create table if not exists")
        ]

    def land(self, **options: Any) -> Any:
        config = load_source("shop", {"shop": {**OPTIONS, **options}})
        connection = Statements(self.query, self.execute, RefusedError)
        tables = tables_of("debezium", "raw_shop")
        landing = SqlLanding(
            connection, config, tables, rows="`debezium`.`work`", file_format="iceberg"
        )
        return landing.land("select * from `lake`.`bronze`.`records`")


def with_rows(records: int = 2, appended: int = 2) -> Server:
    group = {**PARTITION, "path": "table:p.it's/0", "state": "record", "block": 0}
    group |= {"first_seq": 0, "last_seq": records - 1}
    return Server(
        **{
            "_relation": [{**PARTITION, **EXTENT}],
            "min(seq)": [{**group, "rows": records, "min_offset": 8, "max_offset": 9}],
            "broadcast(new)": [],
            "having count(*) > bit_count": None,
            "_cdc_landed_at = cast": appended,
        }
    )


def test_new_rows_are_written_once_and_the_ledger_last() -> None:
    server = with_rows()
    assert server.land().records == 2
    assert server.written == ["create table", "merge into", "insert into", "drop table"]
    rows, append, ledger, dropped = server.statements[2:]
    assert r'"_wanted_topic": "p.it\'s", "_wanted_partition": 0, "_wanted_after": 7' in rows
    assert "and (_offset > 7)" in rows
    assert "on landed._cdc_batch_id > 3" in append
    assert "cast(4 as bigint) as _cdc_batch_id" in append
    assert r'"ranges": [{"topic": "p.it\'s", "partition": 0, "min_offset": 8' in ledger
    assert dropped == "drop table if exists `debezium`.`work` purge"


@pytest.mark.parametrize("refuses", [True, False])
def test_a_run_that_another_one_overtook_writes_no_ledger(refuses: bool) -> None:
    server = with_rows(appended=0)
    server.refuses = "merge into" if refuses else ""
    with pytest.raises(OverlappingRunError, match=r"another run wrote `debezium`.`raw_shop`"):
        server.land()
    assert server.written == ["create table", "merge into", "drop table"]


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"value": "struct<op:string>"}, "its column `value` is of type struct<op:string>"),
        ({"Key": "map<string,string>"}, "its column `Key` is of type map<string,string>"),
        ({"__op": "string"}, "its columns are flattened rows"),
    ],
)
def test_typed_columns_do_not_land_by_sql(columns: dict[str, str], why: str) -> None:
    server = Server()
    server.columns |= columns
    with pytest.raises(ValueError, match="by SQL, and") as raised:
        server.land()
    assert f"{why}. Remove `landing: sql`: Python lands typed columns." in str(raised.value)
    assert server.written == []


def test_columns_of_the_relation_have_other_names() -> None:
    server = with_rows()
    server.columns = dict.fromkeys(["A`B", "partition", "offset", "value", "other"], "string")
    server.land(input={**OPTIONS["input"], "columns": {"topic": "a`b"}})
    assert "select `A``B` as `topic`, `partition` as `partition`" in server.statements[2]
    assert "`other`" not in server.statements[2]


def test_what_is_no_table_does_not_land_by_sql() -> None:
    with pytest.raises(ValueError, match="no table as input"):
        Server().land(**source_options())


def test_the_configuration_chooses_the_way_of_landing() -> None:
    source = load_source("shop", {"shop": OPTIONS})
    assert source.lands_by_sql
    python = load_source("shop", {"shop": {**OPTIONS, "input": {"type": "table", "relation": "r"}}})
    assert not python.lands_by_sql


def test_the_raw_model_is_sql_and_selects_the_relation() -> None:
    macros = Macros({"shop": OPTIONS})
    files = {one["path"]: one["content"] for one in macros.generate(part="source")}
    assert (
        "{{\n    debezium_spark.input_rows(\n        source='shop',\n    )\n}}\n"
        in (files["models/raw/raw_shop.sql"])
    )
    assert "models/raw/raw_shop.yml" in files
    assert not [path for path in files if path.startswith("python_models")]
    assert macros.input_rows("shop") == "select *\nfrom `lake`.`bronze`.`records`"


def test_a_raw_model_of_sql_for_another_input_says_what_to_do() -> None:
    macros = Macros({"shop": source_options()})
    with pytest.raises(CompilerError, match="Run debezium-spark generate"):
        macros.input_rows("shop")
    paths = [one["path"] for one in macros.generate(part="source")]
    assert "python_models/raw/raw_shop.py" in paths
