"""An adapter that changes what dbt-spark's does, and counts the calls of its own methods."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass

from dbt.adapters.base.meta import available
from dbt.adapters.spark.connections import SparkConnectionManager, SparkCredentials
from dbt.adapters.spark.impl import SparkAdapter
from dbt.adapters.spark.relation import SparkRelation
from dbt_common.exceptions import DbtRuntimeError

CALLS: Counter[str] = Counter()
_MISSING = ("SCHEMA_NOT_FOUND", "NoSuchNamespaceException")


@dataclass
class HarborCredentials(SparkCredentials):
    """Credentials of dbt-spark under another type."""

    @property
    def type(self) -> str:
        return "harbor"


class HarborConnectionManager(SparkConnectionManager):
    """Connections of dbt-spark under another type."""

    TYPE = "harbor"

    def set_connection_name(self, name=None, query_header_context=None):
        return super().set_connection_name(name)


@dataclass(frozen=True, eq=False, repr=False)
class HarborRelation(SparkRelation):
    """Relations with a class of their own."""


class HarborAdapter(SparkAdapter):
    """Overrides with further arguments, results of their own, and no call of `super()`."""

    Relation = HarborRelation
    ConnectionManager = HarborConnectionManager

    def acquire_connection(self, name=None, query_header_context=None):
        CALLS["acquire_connection"] += 1
        return self.connections.set_connection_name(name, query_header_context)

    @contextmanager
    def connection_named(self, name, query_header_context=None, should_release_connection=True):
        try:
            self.acquire_connection(name, query_header_context)
            yield
        finally:
            if should_release_connection:
                self.release_connection()

    def execute(self, sql, auto_begin=False, fetch=False, limit=None, *, staging_table=None):
        CALLS["execute"] += 1
        return super().execute(sql=sql, auto_begin=auto_begin, fetch=fetch, limit=limit)

    def list_relations_without_caching(self, schema_relation):
        CALLS["list_relations_without_caching"] += 1
        schema = schema_relation.schema
        try:
            views = self._names("views", schema)
            tables = self._names("tables", schema) - views
        except DbtRuntimeError as error:
            if any(text in str(error) for text in _MISSING):
                return []
            raise
        return [
            self.Relation.create(schema=schema, identifier=name, type="view") for name in views
        ] + [
            # no word about its format, as in dbt-glue
            self.Relation.create(schema=schema, identifier=name, type="table")
            for name in tables
        ]

    def _names(self, kind, schema):
        _, table = self.execute(f"show {kind} in {self.quote(schema)}", fetch=True)
        return {row[1] for row in table.rows if row[0]}

    def pre_model_hook(self, config):
        CALLS["pre_model_hook"] += 1
        return "of harbor"

    def post_model_hook(self, config, context):
        assert context == "of harbor", context
        CALLS["post_model_hook"] += 1

    @property
    def python_submission_helpers(self):
        return {**super().python_submission_helpers, "harbor_job": object}

    @available
    def harbor_name(self):
        return "harbor"
