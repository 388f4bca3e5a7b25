"""`raw_<source>__schemas`: a cache of schemas, so that runs need the registry only for new ids.

An id of a registry always stands for the same schema, so rows are only added. If two runs add the
same id, the rows are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.config.records import AvroSettings
from dbt_debezium_spark.inputs.avro.errors import UnknownSchema
from dbt_debezium_spark.inputs.avro.registry import AVRO, RegisteredSchema, Registry
from dbt_debezium_spark.spark.local_frames import ddl, local_frame
from dbt_debezium_spark.text.progress import report

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
    needed_by: Mapping[int, str],
    *,
    settings: AvroSettings,
    table: str,
    file_format: str,
) -> dict[int, RegisteredSchema]:
    """Return schemas by id, from the table or else from the registry.

    New schemas of the registry are added to the table, which is created if it does not exist. A
    schema that the registry does not know, or whose references it does not know, has a `problem`,
    and its records are rejected. A registry that has never returned a schema is the wrong one; then
    no record is rejected.

    Args:
        session: Spark.
        needed_by: ids, each with a text about the first record that needs it.
        settings: the registry.
        table: quoted name of the table.
        file_format: file format of the table.

    Raises:
        RegistryError: the registry cannot be reached, refuses, or is the wrong one. Schemas that it
            returned before stay in the table.
        ConfigError: its secrets are not in the environment.
    """
    if not needed_by:
        return {}
    session.sql(f"create table if not exists {table} ({ddl(COLUMNS)}) using {file_format}")
    cached = session.table(table).where(F.col("registry") == settings.registry)
    rows = cached.where(F.col("id").isin(list(needed_by))).collect()
    schemas = {
        row.id: RegisteredSchema(
            row.id,
            row.type,
            row["schema"],
            tuple((reference.name, reference["schema"]) for reference in row.referenced or ()),
        )
        for row in rows
    }
    missing = sorted(set(needed_by) - set(schemas))
    if not missing:
        return schemas
    fetched: list[RegisteredSchema] = []
    unknown: list[UnknownSchema] = []
    try:
        with Registry(settings) as registry:
            for schema_id in missing:
                try:
                    fetched.append(registry.fetch(schema_id, needed_by[schema_id]))
                except UnknownSchema as error:
                    unknown.append(error)
                    report(
                        f"{settings.registry} does not know schema id {schema_id}, which"
                        f" {needed_by[schema_id]} needs: its records are rejected"
                    )
                    fetched.append(_unknown_schema(schema_id))
    finally:
        usable = [schema for schema in fetched if schema.problem is None]
        if usable:
            _add(session, table, settings.registry, usable)
    if unknown and len(unknown) == len(needed_by) and cached.isEmpty():
        raise unknown[0]
    return schemas | {schema.id: schema for schema in fetched}


def _unknown_schema(schema_id: int) -> RegisteredSchema:
    return RegisteredSchema(schema_id, AVRO, "", problem="is not known to the registry")


def _add(session: SparkSession, table: str, registry: str, fetched: list[RegisteredSchema]) -> None:
    now = datetime.now(UTC)
    rows = [
        (
            registry,
            schema.id,
            schema.type,
            schema.text,
            [{"name": name, "schema": text} for name, text in schema.referenced],
            now,
        )
        for schema in fetched
    ]
    local_frame(session, rows, ddl(COLUMNS)).writeTo(table).append()
