"""The command `debezium-spark`."""

from __future__ import annotations

from dbt_debezium_spark.cli.app import app


def main() -> None:
    """Run the command line; the process ends with its exit code."""
    app()


__all__ = ["app", "main"]
