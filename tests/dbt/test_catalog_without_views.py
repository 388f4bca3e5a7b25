"""A catalog that refuses views: what would be views are tables, written when their rows change.

The project lands a table by SQL, and names its own tables and the input with their catalogs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark.notebook import read_settings
from dbt_debezium_spark.spark.session import session_for
from tests.support.bare_catalog import CATALOG, write_profile
from tests.support.embedded_records import field, table_record
from tests.support.project import DbtProject, create_project, newest_files

pytestmark = pytest.mark.full

SCHEMA = f"{CATALOG}.shop"
RECORDS = "lake.bronze_bare.records"
OBSERVED = ("tables", "quarantine", "drift")
_DDL = (
    "topic string, `partition` int, `offset` bigint, `timestamp` bigint, key string, value string"
)
_FIELDS = [field("id", optional=False), field("name", "string")]


class Bare(DbtProject):
    """The project, and the table that somebody else fills."""

    def land(self, *records: dict[str, Any]) -> None:
        rows = [tuple(one[name] for name in _names()) for one in records]
        self.spark.createDataFrame(rows, _DDL).writeTo(RECORDS).append()

    def tables(self) -> dict[str, str]:
        """Return what any commit to any table changes."""
        return newest_files(self.spark, SCHEMA)

    def rows_of(self, query: str) -> list[Any]:
        """Return the first column of a query with `{schema}` in it."""
        return [row[0] for row in self.spark.sql(query.replace("{schema}", SCHEMA)).collect()]

    def names_of(self, table: str) -> list[str]:
        rows = self.spark.table(f"{SCHEMA}.cur_shop__{table}").orderBy("id").collect()
        return [row.name for row in rows]


def _names() -> list[str]:
    return [part.split(" ")[0].strip("`") for part in _DDL.split(", ")]


def record(offset: int, name: str | None, table: str = "people", **changes: Any) -> dict[str, Any]:
    after = {"id": offset, "name": name}
    return table_record(_FIELDS, offset=offset, table=table, after=after, **changes)


@pytest.fixture(scope="module")
def project(
    tmp_path_factory: pytest.TempPathFactory, spark_by_target: dict[str, SparkSession]
) -> Iterator[Bare]:
    folder = tmp_path_factory.mktemp("bare")
    source = {
        "connector": "postgresql",
        "topic_prefix": "PostgreSQL_server",
        "max_lag": "3650 days",
        "input": {"type": "table", "relation": RECORDS, "landing": "sql"},
    }
    create_project(
        folder,
        schema=SCHEMA,
        target="iceberg",
        spark=spark_by_target["iceberg"],
        files={},
        variables={
            "debezium_sources": {"shop": source},
            "debezium_views": False,
            # soon after the first record
            "debezium_as_of": "2021-01-01T00:00:00Z",
        },
    )
    profiles = write_profile(folder / "profile", SCHEMA)
    settings = read_settings(folder, profiles, "iceberg")[0]
    bare = Bare(folder, SCHEMA, "iceberg", session_for(settings), profiles=profiles)
    bare.spark.sql("create schema if not exists lake.bronze_bare")
    bare.spark.sql(f"create table {RECORDS} ({_DDL}) using iceberg")
    bare.land(record(1, "Ada"), record(2, "Bo"), record(3, "a lamp", "goods"))
    bare.command("generate")
    bare.run("build")
    yield bare


def test_the_catalog_refuses_views(project: Bare) -> None:
    with pytest.raises(Exception, match="view"):
        project.spark.sql(f"create view {SCHEMA}.v as select 1 as one")


def test_current_and_observed_rows_are_in_tables_and_a_second_build_writes_none(
    project: Bare,
) -> None:
    project.run("build")
    before = project.tables()
    assert project.names_of("people") == ["Ada", "Bo"]
    assert {name for name in before if name.startswith(("cur_", "debezium_obs__"))} == {
        "cur_shop__goods",
        "cur_shop__people",
        *(f"debezium_obs__{one}" for one in OBSERVED),
    }
    assert not [name for name in before if "__dbt_work_" in name]
    # the model that lands is SQL
    assert (project.path / "models" / "raw" / "raw_shop.sql").is_file()
    assert not list((project.path / "python_models").rglob("*.py"))

    project.run("build")

    assert project.tables() == before


def test_new_rows_are_written_to_the_tables_that_show_them(project: Bare) -> None:
    project.run("build")
    before = project.tables()
    project.land(record(4, "Cy"))
    project.run("build")

    changed = {name for name, file in project.tables().items() if before.get(name) != file}
    assert project.names_of("people") == ["Ada", "Bo", "Cy"]
    assert "cur_shop__people" in changed
    assert "cur_shop__goods" not in changed
    lag = project.rows_of("select newest_batch_id from {schema}.debezium_obs__tables")
    assert max(lag) == max(project.rows_of("select _cdc_batch_id from {schema}.raw_shop"))


def test_a_heartbeat_alone_is_written_to_the_table_that_tells_of_it(project: Bare) -> None:
    project.run("build")
    before = project.tables()
    project.land(
        {
            "topic": "__debezium-heartbeat.PostgreSQL_server",
            "partition": 0,
            "offset": 0,
            "timestamp": 1_700_000_000_000,
            "key": '{"serverName":"PostgreSQL_server"}',
            "value": '{"ts_ms":1700000000000}',
        }
    )
    project.run("build")

    changed = {name for name, file in project.tables().items() if before.get(name) != file}
    assert "debezium_obs__tables" in changed
    assert not [name for name in changed if name.startswith(("stg_", "state_", "cur_"))]
    query = "select unix_seconds(newest_heartbeat_at) from {schema}.debezium_obs__tables"
    assert {*project.rows_of(query)} == {1_700_000_000}


def test_what_cannot_land_is_shown_in_a_table_as_well(project: Bare) -> None:
    project.run("build")
    project.land(record(5, "Di", partition=-1))
    result = project.invoke("build")

    assert not result.success
    assert result.statuses["debezium_obs__quarantine"] == "success"
    reasons = project.rows_of("select reason from {schema}.debezium_obs__quarantine")
    assert reasons == ["bad_value: partition: -1"]
    project.spark.sql(f"delete from {RECORDS} where `partition` < 0")
    project.spark.sql(f"delete from {SCHEMA}.raw_shop__rejected")
    project.run("build")
    assert project.rows_of("select reason from {schema}.debezium_obs__quarantine") == []


def test_without_the_var_the_error_names_it(project: Bare) -> None:
    # the model is a table of this catalog now
    result = project.invoke(
        "run", "--select", "cur_shop__goods", "--vars", "{debezium_views: true}"
    )

    assert not result.success
    assert "debezium_views: false" in result.text
    project.run("build")
    assert project.names_of("goods") == ["a lamp"]


def test_tables_in_place_of_views_are_maintained(project: Bare) -> None:
    result = project.run("run-operation", "debezium_maintain")

    assert "`cur_shop__goods`: 1 files before, 1 now" in result.text
    assert project.names_of("goods") == ["a lamp"]
