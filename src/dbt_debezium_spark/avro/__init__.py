"""Records in Avro, framed as Confluent's serializers frame them, as JSON with embedded schemas.

What follows landing reads one form: the text that Kafka Connect's JsonConverter writes with
`schemas.enable=true`. Keys and values in Avro become that text at landing:

1. `config.avro`: the registry, and the names of the environment variables that hold secrets.
2. `registry`: the REST interface; `cache`: a side table of the schemas it gave.
3. `parsing`: an Avro schema as a tree, named types and references resolved.
4. `connect_schema`: the tree as the Connect schema that it stands for.
5. `reader_schema`: the tree as the schema by which Spark reads the bytes, and what of it needs
   more than `to_json`; `payload`: the expressions of that.
6. `decode`: all together, on a frame of records. It is the only module that others call.

This module stays free of pyspark: configuration is read by every dbt command.
"""

from __future__ import annotations

from dbt_debezium_spark.config.avro import AvroSettings, read_avro

__all__ = ["AvroSettings", "read_avro"]
