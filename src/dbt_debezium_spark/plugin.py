"""The plugin that dbt-core discovers. It replaces dbt's Spark adapter."""

from __future__ import annotations

import sys

from dbt.plugins.manager import dbtPlugin


class DebeziumSparkPlugin(dbtPlugin):
    """Install the adapter of this package: see `adapter.SparkAdapter`."""

    def initialize(self) -> None:
        """Install the adapter if this invocation uses Spark.

        dbt calls this in every invocation of every project in the environment. So it must be
        idempotent, and must not affect projects with other adapters. dbt loads the profile first,
        so in a Spark project the adapter is already imported.
        """
        if "dbt.adapters.spark" in sys.modules:
            install()


def install() -> None:
    """Make dbt create this package's adapter instead of its own for Spark."""
    import dbt.adapters.spark as dbt_spark

    from dbt_debezium_spark.adapter import SparkAdapter

    dbt_spark.Plugin.adapter = SparkAdapter
