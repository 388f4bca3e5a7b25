"""The plugin that dbt-core discovers: it replaces the Spark adapter by ours."""

from __future__ import annotations

import sys

from dbt.plugins.manager import dbtPlugin


class DebeziumSparkPlugin(dbtPlugin):
    """Give dbt's Spark adapter what the project needs: see `adapter.SparkAdapter`."""

    def initialize(self) -> None:
        """Install the adapter when this invocation uses Spark.

        dbt calls this once per invocation, several times in one process, and in every project of
        the environment: it must be idempotent, and must leave other adapters' projects alone. The
        profile is loaded before, so a Spark project has the adapter imported already.
        """
        if "dbt.adapters.spark" in sys.modules:
            install()


def install() -> None:
    """Make dbt create our adapter wherever it would create its own for Spark."""
    import dbt.adapters.spark as dbt_spark

    from dbt_debezium_spark.adapter import SparkAdapter

    dbt_spark.Plugin.adapter = SparkAdapter
