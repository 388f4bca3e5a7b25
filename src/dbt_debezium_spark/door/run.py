"""Namespace `run` of the door: what needs the connection, or the project that dbt runs."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from dbt.adapters.spark.connections import SparkConnectionMethod
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.config.for_macros import as_compilation_error
from dbt_debezium_spark.door.lint import shows_skeletons
from dbt_debezium_spark.door.package_digest import python_digest
from dbt_debezium_spark.door.parsing import while_parsing
from dbt_debezium_spark.door.queries import Queries
from dbt_debezium_spark.spark.overlap import overlap_text
from dbt_debezium_spark.spark.session import is_remote, session_for
from dbt_debezium_spark.spark.settings import missing_for_format, unusable_format
from dbt_debezium_spark.spark.versions import FORMATS

_WORK = "__dbt_work_"
_STAMP = "%Y%m%d%H%M%S"
# No run of a model takes longer: a work table of that age is one of a killed run.
_ABANDONED_AFTER = timedelta(days=2)


class Run(Queries):
    """The command that dbt runs: its statements, its project, its tables."""

    def __init__(self, adapter: Any) -> None:
        """Run as the adapter does; nothing is read yet."""
        super().__init__(adapter)
        self._digest: str | None = None

    # -- the project -------------------------------------------------------------------------

    @while_parsing(False)
    def lints(self) -> bool:
        """Return whether models are compiled as skeletons, for sqlfluff: see `lint`."""
        return shows_skeletons(self._adapter.config.args)

    @while_parsing("iceberg")  # nothing is written then
    def format_of_target(self) -> str:
        """Return the format of tables whose models name none: see `settings.default_format`."""
        return self._adapter._debezium_format_of_target()

    @while_parsing("")
    def project_dir(self) -> str:
        """Return the absolute folder of the project, to which input paths are relative."""
        return str(self._adapter.config.project_root)

    @while_parsing("")
    def target_dir(self) -> str:
        """Return the absolute folder with the artifacts of dbt's commands."""
        return str(Path(self.project_dir(), self._adapter.config.target_path))

    @while_parsing(True)
    def runs_python(self) -> bool:
        """Return whether the connection may run Python models; a thrift server runs SQL alone."""
        method = getattr(self._adapter.config.credentials, "method", None)
        return bool(method != SparkConnectionMethod.THRIFT)

    @while_parsing(None)
    def check_input(self, name: str, sources: Mapping[str, Any] | None) -> None:
        """Check that a source's input exists.

        Raises:
            CompilationError: the path is missing or cannot be read.
        """
        with as_compilation_error():
            from dbt_debezium_spark import config

            config.check_input(config.load_source(name, sources), self.project_dir())

    @while_parsing(None)
    def check_formats(self, formats: Iterable[str]) -> None:
        """Check that the Spark of this process has table formats; a server says so itself.

        Raises:
            DbtRuntimeError: one is missing.
        """
        if not self._adapter._debezium_in_own_session or is_remote():
            return
        settings = dict(session_for(self._adapter._debezium_settings).conf.getAll)
        for file_format in set(formats) & set(FORMATS):
            missing = missing_for_format(settings, file_format)
            if missing:
                raise DbtRuntimeError(
                    unusable_format(self._adapter.config.target_name, file_format, missing)
                )

    @while_parsing("")
    def digest(self) -> str:
        """Return a digest of every macro of the project, and of this package's Python.

        It covers what makes a model's SQL besides its own text, its configuration and data.
        """
        if self._digest is None:
            resolver = self._adapter.get_macro_resolver()
            macros = {} if resolver is None else resolver.macros
            digest = hashlib.md5(python_digest().encode(), usedforsecurity=False)
            for unique_id in sorted(macros):
                digest.update(f"{unique_id}\n{macros[unique_id].macro_sql}\n".encode())
            self._digest = digest.hexdigest()
        return self._digest

    @while_parsing("")
    def catalog(self, schema: str) -> str:
        """Return the catalog of a schema, which is the current one unless the schema names it."""
        return self._adapter._debezium_catalog(schema)

    # -- landing by SQL ----------------------------------------------------------------------

    @while_parsing({})
    def land(
        self, source: Mapping[str, Any], relation: Any, select: str, file_format: str
    ) -> dict[str, Any]:
        """Land the new rows of a SELECT; return the number of `records`, and a `text`.

        Args:
            source: validated configuration of the source.
            relation: the raw table.
            select: text of the raw model.
            file_format: of the raw table.

        Raises:
            DbtRuntimeError: the rows cannot be read or written; nothing has landed.
        """
        # Here, because landing imports pyspark, and dbt imports this module at every start.
        from dbt_debezium_spark.config import SourceConfig
        from dbt_debezium_spark.landing.raw_append import OverlappingRunError
        from dbt_debezium_spark.landing.sql_table import SqlLanding
        from dbt_debezium_spark.landing.statements import Statements
        from dbt_debezium_spark.landing.tables import tables_beside

        try:
            landing = SqlLanding(
                Statements(self._adapter._debezium_rows, self._adapter.execute, DbtRuntimeError),
                SourceConfig.from_dict(source),
                tables_beside(str(relation.quote(schema=True, identifier=True))),
                rows=str(self.work_table(relation)),
                file_format=file_format,
            )
            landed = landing.land(select)
        except (ValueError, OverlappingRunError) as error:
            raise DbtRuntimeError(str(error)) from error
        return {"records": landed.records, "text": landed.text}

    # -- several runs at a time: see `overlap` -----------------------------------------------

    @while_parsing("")
    def overlap_text(self, relation: Any) -> str:
        """Return the sentence for a run whose write to a table was refused."""
        return overlap_text(str(relation))

    @while_parsing(None)
    def refuse(self, relation: Any) -> None:
        """Raise the error of a run whose write to a table another one overtook.

        Raises:
            DbtRuntimeError: always.
        """
        raise self._adapter._debezium_refusal(str(relation))

    @while_parsing(None)
    def work_table(self, relation: Any) -> Any:
        """Return a name for a table that one run of a model writes, reads and drops.

        Those of killed runs are dropped when they are old: a younger one may be of a run that
        works at the same time.

        Args:
            relation: the model's own table.
        """
        now = datetime.now(UTC)
        beginning = f"{relation.identifier}{_WORK}"
        oldest = f"{beginning}{now - _ABANDONED_AFTER:{_STAMP}}"
        for other in self._adapter.list_relations(relation.database, relation.schema):
            if other.identifier.startswith(beginning) and other.identifier < oldest:
                self._adapter.drop_relation(other.quote(schema=True, identifier=True))
        name = f"{beginning}{now:{_STAMP}}_{uuid.uuid4().hex[:6]}"
        table = relation.incorporate(path={"identifier": name}, type="table")
        return table.quote(schema=True, identifier=True)

    # -- data tests that passed: see `passed_tests` ------------------------------------------

    @while_parsing(None)
    def tests_to_keep(self) -> dict[str, str] | None:
        """Return the test results to store for later commands: see `PassedTests.to_keep`."""
        return self._adapter._debezium_tests_to_keep()

    @while_parsing(None)
    def tests_table(self) -> Any:
        """Return the relation of the table that stores on which rows tests passed."""
        return self._adapter._debezium_tests_table()
