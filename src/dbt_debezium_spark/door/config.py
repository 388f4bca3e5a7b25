"""Namespace `config` of the door: sources as they are configured."""

from __future__ import annotations

from dbt_debezium_spark.config.for_macros import load_source, utc_text
from dbt_debezium_spark.config.sources import heartbeat_topic
from dbt_debezium_spark.decode.connectors import connector_of

__all__ = ["connector_of", "heartbeat_topic", "load_source", "utc_text"]
