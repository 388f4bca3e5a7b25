"""`raw_<source>__schemas`: the schemas that a registry gave, so that runs need it only for new ids.

An id stands for one schema of one registry for good, so rows are only added. A row that two runs
added is the same row.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.avro.errors import UnknownSchema
from dbt_debezium_spark.avro.registry import AVRO, RegisteredSchema, Registry
from dbt_debezium_spark.config.avro import AvroSettings
from dbt_debezium_spark.local_frames import ddl, local_frame
from dbt_debezium_spark.progress import report

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

COLUMNS = {
    "registry": "string",
    "id": "bigint",
    "type": "string",
    "schema": "string",
    "referenced": "array<struct<name: string, schema: string>>",
    "fetched_at": "timestamp",
}


def find_schemas(
    session: SparkSession,
    wanted: Mapping[int, str],
    *,
    settings: AvroSettings,
    table: str,
    file_format: str,
) -> dict[int, RegisteredSchema]:
    """Return schemas by id: from the table, and from the registry what it does not hold.

    What the registry gave is written into the table, which is made when it does not exist. A schema
    that it does not know, or whose references lead nowhere, is one with `why_not`: its records are
    set aside. A registry that never gave any schema is the wrong one, and nothing is set aside.

    Args:
        session: Spark.
        wanted: ids, each with the first record that needs it in words.
        settings: the registry.
        table: quoted name of the table.
        file_format: of the table.

    Raises:
        RegistryError: the registry cannot be reached, refuses, or is the wrong one; what it gave
            before is kept.
        ConfigError: its secrets are not in the environment.
    """
    if not wanted:
        return {}
    session.sql(f"create table if not exists {table} ({ddl(COLUMNS)}) using {file_format}")
    kept = session.table(table).where(F.col("registry") == settings.registry)
    rows = kept.where(F.col("id").isin(list(wanted))).collect()
    found = {
        row.id: RegisteredSchema(
            row.id,
            row.type,
            row["schema"],
            tuple((one.name, one["schema"]) for one in row.referenced or ()),
        )
        for row in rows
    }
    missing = sorted(set(wanted) - set(found))
    if not missing:
        return found
    fetched: list[RegisteredSchema] = []
    unknown: list[UnknownSchema] = []
    try:
        with Registry(settings) as registry:
            for schema_id in missing:
                try:
                    fetched.append(registry.fetch(schema_id, wanted[schema_id]))
                except UnknownSchema as error:
                    unknown.append(error)
                    report(
                        f"{settings.registry} does not know schema id {schema_id}, which"
                        f" {wanted[schema_id]} needs: its records are set aside"
                    )
                    fetched.append(_not_known(schema_id))
    finally:
        good = [one for one in fetched if one.why_not is None]
        if good:
            _add(session, table, settings.registry, good)
    if unknown and len(unknown) == len(wanted) and kept.isEmpty():
        raise unknown[0]
    return found | {one.id: one for one in fetched}


def _not_known(schema_id: int) -> RegisteredSchema:
    return RegisteredSchema(schema_id, AVRO, "", why_not="is not known to the registry")


def _add(session: SparkSession, table: str, registry: str, fetched: list[RegisteredSchema]) -> None:
    now = datetime.now(UTC)
    rows = [
        (
            registry,
            one.id,
            one.type,
            one.text,
            [{"name": name, "schema": text} for name, text in one.referenced],
            now,
        )
        for one in fetched
    ]
    local_frame(session, rows, ddl(COLUMNS)).writeTo(table).append()
