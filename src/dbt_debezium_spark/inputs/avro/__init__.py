"""Decode records in Avro, in the format of Confluent's serializers, to JSON with embedded schemas.

After landing, records have one form: the text that Kafka Connect's JsonConverter writes with
`schemas.enable=true`. Landing converts keys and values in Avro to that text:

1. `config.records` has the registry, and the names of environment variables with secrets.
2. `registry` calls the REST interface; `cache` stores its schemas in a side table.
3. `parsing` turns an Avro schema into a tree and resolves named types and references.
4. `connect_schema` turns the tree into the equivalent Connect schema.
5. `reader_schema` turns it into the schema with which Spark reads the bytes, and finds parts that
   need more than `to_json`; `payload` has the expressions for them.
6. `decode` does all this for a frame of records. Other packages call only this module.

This module imports no pyspark, because every dbt command imports the configuration.
"""

from __future__ import annotations

from dbt_debezium_spark.config.records import AvroSettings

__all__ = ["AvroSettings"]
