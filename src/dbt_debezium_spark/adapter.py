"""dbt's Spark adapter with the methods that this package adds: see `adapter_parts`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from dbt.adapters.base.meta import available
from dbt.adapters.spark.connections import SparkConnectionMethod

from dbt_debezium_spark.adapter_parts.locking import Locking
from dbt_debezium_spark.adapter_parts.passed_tests import PassedTestCalls
from dbt_debezium_spark.adapter_parts.project_vars import configured_sources, reads_kafka
from dbt_debezium_spark.adapter_parts.queries import QueryCalls
from dbt_debezium_spark.adapter_parts.relation_lists import RelationLists
from dbt_debezium_spark.adapter_parts.sources import SourceCalls
from dbt_debezium_spark.adapter_parts.texts import TextCalls
from dbt_debezium_spark.catalog.adapter_calls import CatalogCalls
from dbt_debezium_spark.connection import SparkConnectionManager
from dbt_debezium_spark.decode.adapter_calls import DecodeCalls
from dbt_debezium_spark.generator.adapter_calls import GeneratorCalls
from dbt_debezium_spark.kafka_jars import KAFKA_KEY
from dbt_debezium_spark.lint import shows_skeletons
from dbt_debezium_spark.private_files import make_project_folders_private
from dbt_debezium_spark.python_job import SessionPythonJob
from dbt_debezium_spark.settings import resolve_settings


class SparkAdapter(
    CatalogCalls,
    DecodeCalls,
    GeneratorCalls,
    TextCalls,
    SourceCalls,
    QueryCalls,
    PassedTestCalls,
    Locking,
    RelationLists,
):
    """The adapter that dbt uses in this project.

    The name must be dbt-spark's: dbt derives the adapter's type from it in messages and caches.
    """

    ConnectionManager = SparkConnectionManager

    def __init__(self, config: Any, mp_context: Any) -> None:
        """Make the profile's paths absolute, then connect as dbt-spark does."""
        credentials = config.credentials
        sources = configured_sources(config.vars.to_dict())
        if credentials.method == SparkConnectionMethod.SESSION:
            credentials.server_side_parameters = resolve_settings(
                credentials.server_side_parameters, config.project_root
            )
            if reads_kafka(sources):
                credentials.server_side_parameters[KAFKA_KEY] = "true"
        if sources:
            from dbt.flags import get_flags

            make_project_folders_private(
                Path(config.project_root) / config.target_path,
                Path(config.project_root) / str(get_flags().LOG_PATH),
            )
        # A parsed project is valid for one target (`+file_format`). dbt parses again if `--target`
        # changes, but not if an environment variable in profiles.yml names another target. It does
        # compare these values.
        config.project_env_vars["target"] = config.target_name
        super().__init__(config, mp_context)

    @available.parse(lambda: False)
    def debezium_lints(self) -> bool:
        """Return whether models are compiled as skeletons, for sqlfluff: see `lint`."""
        return shows_skeletons(self.config.args)

    @property
    def default_python_submission_method(self) -> str:
        """Run Python models in dbt's own session, unless the profile connects elsewhere."""
        if self.config.credentials.method == SparkConnectionMethod.SESSION:
            return "session"
        return super().default_python_submission_method

    @property
    def python_submission_helpers(self) -> dict[str, Any]:
        """Return dbt-spark's submission methods and `session`."""
        return {
            **super().python_submission_helpers,
            "session": partial(SessionPythonJob, config=self.config),
        }
