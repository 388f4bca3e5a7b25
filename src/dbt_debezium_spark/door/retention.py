"""Namespace `retention` of the door: which tables shorten their logs, and their horizons."""

from __future__ import annotations

from dbt_debezium_spark.retention.horizon import OPEN_SECONDS, from_json, horizon
from dbt_debezium_spark.retention.subjects import raw_logs, subjects

__all__ = ["OPEN_SECONDS", "from_json", "horizon", "raw_logs", "subjects"]
