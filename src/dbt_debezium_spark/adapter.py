"""dbt's Spark adapter with what this project needs on top."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.meta import available
from dbt.adapters.contracts.connection import AdapterResponse
from dbt.adapters.events.logging import AdapterLogger
from dbt.adapters.spark.connections import SparkConnectionMethod
from dbt.adapters.spark.impl import SparkAdapter as DbtSparkAdapter
from dbt_common.clients.agate_helper import table_from_rows
from dbt_common.exceptions import CompilationError, DbtRuntimeError

from dbt_debezium_spark import literals, names, run_lock
from dbt_debezium_spark.catalog.adapter_calls import CatalogCalls
from dbt_debezium_spark.connection import (
    SessionConnectionWrapper,
    SparkConnectionManager,
    columns_of,
    create_analysed_view,
    most_rows,
    texts_of_few_rows,
)
from dbt_debezium_spark.decisions import Decisions
from dbt_debezium_spark.decode.adapter_calls import DecodeCalls
from dbt_debezium_spark.generator.adapter_calls import GeneratorCalls
from dbt_debezium_spark.kafka_jars import KAFKA_KEY
from dbt_debezium_spark.lint import shows_skeletons
from dbt_debezium_spark.own_code import python_digest
from dbt_debezium_spark.passed_tests import PassedTests
from dbt_debezium_spark.private_files import make_project_folders_private
from dbt_debezium_spark.property_text import pack, unpack
from dbt_debezium_spark.python_job import SessionPythonJob
from dbt_debezium_spark.record_schema import schema_problem
from dbt_debezium_spark.session import serves_few_rows, session_for, session_for_few_rows
from dbt_debezium_spark.settings import resolve_settings
from dbt_debezium_spark.staging_call import is_one_call, observability_call, staging_call
from dbt_debezium_spark.table_columns import table_columns
from dbt_debezium_spark.table_ends import table_end
from dbt_debezium_spark.tables_seen import Rows, TablesSeen
from dbt_debezium_spark.type_change import type_change

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = AdapterLogger("debezium_spark")

_NOT_FOUND = ("SCHEMA_NOT_FOUND", "NoSuchNamespaceException", "NoSuchDatabaseException")
_ICEBERG_CATALOG = "org.apache.iceberg.spark.SparkCatalog"


def load_source(name: str, sources: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the validated configuration of one source, every default filled in.

    Args:
        name: name of the source.
        sources: value of the var `debezium_sources`.

    Raises:
        CompilationError: the configuration is wrong; the text says what and what to do.
    """
    from dbt_debezium_spark import config
    from dbt_debezium_spark.placeholder import placeholder_forms

    try:
        source = config.describe_source(name, sources or {})
        forms = placeholder_forms(source["unavailable_value_placeholder"])
    except ValueError as error:
        raise CompilationError(str(error)) from error
    return {**source, "unavailable_value_forms": forms}


@contextmanager
def _as_compilation_error() -> Iterator[None]:
    """Let dbt name the model or hook beside the text of a wrong configuration."""
    from dbt_debezium_spark.config import ConfigError

    try:
        yield
    except ConfigError as error:
        raise CompilationError(str(error)) from error


def _sources(variables: Mapping[str, Any]) -> list[Any]:
    """Return the sources of the vars; whether they are configured rightly is seen later."""
    scopes = [variables, *[one for one in variables.values() if isinstance(one, Mapping)]]
    return [
        source
        for scope in scopes
        if isinstance(scope.get("debezium_sources"), Mapping)
        for source in scope["debezium_sources"].values()
    ]


def _reads_kafka(sources: list[Any]) -> bool:
    """Say whether some source reads Kafka."""
    inputs = [one.get("input") for one in sources if isinstance(one, Mapping)]
    return any(isinstance(one, Mapping) and one.get("type") == "kafka" for one in inputs)


class SparkAdapter(CatalogCalls, DecodeCalls, GeneratorCalls, DbtSparkAdapter):
    """The adapter dbt uses in this project.

    The name must be dbt-spark's: dbt derives the adapter's type from it in messages and caches.
    """

    ConnectionManager = SparkConnectionManager

    def __init__(self, config: Any, mp_context: Any) -> None:
        """Make the profile's paths absolute, then connect as dbt-spark does."""
        credentials = config.credentials
        sources = _sources(config.vars.to_dict())
        if credentials.method == SparkConnectionMethod.SESSION:
            credentials.server_side_parameters = resolve_settings(
                credentials.server_side_parameters, config.project_root
            )
            if _reads_kafka(sources):
                credentials.server_side_parameters[KAFKA_KEY] = "true"
        if sources:
            from dbt.flags import get_flags

            make_project_folders_private(
                Path(config.project_root) / config.target_path,
                Path(config.project_root) / str(get_flags().LOG_PATH),
            )
        # What dbt parsed holds for one target (`+file_format`). It notices another `--target`, not
        # another one that a variable names in profiles.yml; these values it compares.
        config.project_env_vars["target"] = config.target_name
        super().__init__(config, mp_context)
        self._run_lock: run_lock.RunLock | None = None
        self._is_lock_settled = False
        self._seen = TablesSeen(self._rows)
        self._passed_tests = PassedTests(self._read_passed_tests, self._seen, self._relation_of)
        self._answered = threading.local()
        self._digest: str | None = None
        self._decisions = Decisions()

    # -- one writing run at a time: see `run_lock` ---------------------------------------------

    def acquire_connection(self, name: str | None = None) -> Any:
        """Take the lock before the first connection of a command that needs it.

        dbt's main thread is the first to ask, before it looks at any table; so Ctrl-C ends a wait.
        """
        if not self._is_lock_settled:
            from dbt.flags import get_flags

            which = str(getattr(get_flags(), "WHICH", None) or "")
            place = self._lock_place()
            if which in run_lock.WRITING_COMMANDS or place.guards_reading:
                self._hold(place, which)
            self._is_lock_settled = True
        return super().acquire_connection(name)

    def cleanup_connections(self) -> None:
        """Give the lock back when dbt is done: called at every end of a command."""
        super().cleanup_connections()
        held, self._run_lock, self._is_lock_settled = self._run_lock, None, False
        if held is not None and not held.place.until_exit:
            held.release()

    @available.parse(lambda: None)
    def debezium_hold_run_lock(self) -> None:
        """Wait for other runs and keep them out: for macros that write in `dbt run-operation`."""
        if self._run_lock is None:
            self._hold(self._lock_place(), "run-operation")

    def _hold(self, place: run_lock.Place, which: str) -> None:
        lock = run_lock.lock_of(place)
        try:
            timeout = run_lock.timeout_seconds(self._var(run_lock.TIMEOUT_VAR))
            lock.take(run_lock.command_line(f"dbt {which}"), timeout, self._say)
        except run_lock.LockError as error:
            raise DbtRuntimeError(str(error)) from error
        self._run_lock = lock

    def _lock_place(self) -> run_lock.Place:
        credentials = self.config.credentials
        is_session = credentials.method == SparkConnectionMethod.SESSION
        settings = resolve_settings(credentials.server_side_parameters, self.config.project_root)
        return run_lock.place_of(
            settings, credentials.schema, None if is_session else credentials.host
        )

    def _var(self, name: str) -> Any:
        """Return a var as dbt looks it up: command line, the project's own block, all projects."""
        of_project = self.config.vars.to_dict()
        scoped = of_project.get(self.config.project_name)
        for values in (self.config.cli_vars, scoped, of_project):
            if isinstance(values, Mapping) and name in values:
                return values[name]
        return None

    @staticmethod
    def _say(text: str) -> None:
        logger.info(f"debezium_spark: {text}")

    # -- configuration of sources ------------------------------------------------------------

    @available.parse(load_source)
    def debezium_source(self, name: str, sources: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the validated configuration of one source: see `load_source`.

        The same function runs while dbt parses, so a wrong configuration fails before any SQL.
        """
        return load_source(name, sources)

    @available
    def debezium_project_dir(self) -> str:
        """Return the absolute folder of the project: relative input paths start there."""
        return str(self.config.project_root)

    @available.parse(lambda name, sources: None)
    def debezium_check_input(self, name: str, sources: Mapping[str, Any] | None) -> None:
        """Fail when a source's input is not there, naming the path.

        Raises:
            CompilationError: the path is missing or cannot be read.
        """
        with _as_compilation_error():
            from dbt_debezium_spark import config

            config.check_input(config.load_source(name, sources), self.debezium_project_dir())

    @available
    def debezium_type_change(self, old: str, new: str) -> str:
        """Say what becomes of held values when a column changes type: see `type_change`."""
        return type_change(old, new)

    @available
    def debezium_schema_problem(self, side: str, schema: str) -> str | None:
        """Say why no converter writes an embedded schema: see `record_schema`."""
        return schema_problem(side, schema)

    @available
    def debezium_table_end(self, definition: str, connector: str, table: str) -> str | None:
        """Return the truncate that a schema-change record stands for: see `table_ends`."""
        return table_end(definition, connector, table)

    @available
    def debezium_staging_call(
        self, code: str, variable: Callable[..., Any]
    ) -> dict[str, Any] | None:
        """Say what a staging model declares of its table: see `staging_call`."""
        return staging_call(code, variable)

    @available
    def debezium_table_columns(
        self, nodes: Mapping[str, Any], model: str, variable: Callable[..., Any]
    ) -> list[str] | None:
        """Return the names of the columns of a model: see `table_columns`."""
        return table_columns(nodes, model, variable, load_source)

    @available
    def debezium_observability_call(
        self, code: str, variable: Callable[..., Any]
    ) -> dict[str, Any] | None:
        """Say what an observability model looks at: see `observability_call`."""
        return observability_call(code, variable)

    @available.parse(lambda relation: True)
    def debezium_exists(self, relation: Any) -> bool:
        """Say whether there is a table or view, also one of which dbt has not heard.

        dbt knows what was there when the command began and what its models made since; a landing
        makes tables besides.
        """
        known = self.get_relation(relation.database, relation.schema, relation.identifier)
        return known is not None or any(
            one.identifier == relation.identifier
            for one in self.list_relations_without_caching(relation.without_identifier())
        )

    @available.parse(lambda sql: None)
    def debezium_attempt(self, sql: str) -> str | None:
        """Execute a statement, and return the message of the error that it ended with."""
        try:
            self.execute(sql)
        except DbtRuntimeError as error:
            return str(error)
        return None

    @available.parse(lambda sql: [])
    def debezium_texts(self, sql: str) -> list[str]:
        """Return the first column, texts, of a query with a large plan over few rows.

        In dbt's own Spark it has a session made for such: see `session.session_for_few_rows`.

        Raises:
            DbtDatabaseError: Spark refuses the query.
        """
        credentials = self.config.credentials
        if credentials.method != SparkConnectionMethod.SESSION:
            _, table = self.execute(sql, fetch=True)
            return [row[0] for row in table.rows]
        return texts_of_few_rows(session_for_few_rows(credentials.server_side_parameters), sql)

    # -- text of generated files: see `literals` ---------------------------------------------

    @available
    def debezium_jinja_text(self, text: str) -> str:
        """Return a text as a Jinja literal."""
        return literals.jinja_text(text)

    @available
    def debezium_jinja_block(self, value: Any, indent: int) -> str:
        """Return a value as a Jinja literal, over several lines where one would be too long."""
        return literals.jinja_block(value, indent)

    @available
    def debezium_jinja_lines(self, values: list[Any], indent: int) -> str:
        """Return a list as a Jinja literal with one member per line."""
        return literals.jinja_lines(values, indent)

    @available
    def debezium_yaml_name(self, text: str) -> str:
        """Return a name or a type as a YAML scalar, bare where that is safe."""
        return literals.yaml_name(text)

    @available
    def debezium_python_text(self, text: str) -> str:
        """Return a text as a Python literal."""
        return literals.python_text(text)

    @available
    def debezium_yaml_argument(self, text: str) -> str:
        """Return a text as a YAML scalar without any sign that dbt reads: see `argument_text`."""
        return literals.yaml_argument(text)

    @available.parse(literals.read_argument)
    def debezium_read_argument(self, text: str) -> str:
        """Return the text that a generated file holds as an argument."""
        return literals.read_argument(text)

    # -- names that cannot become models: see `names` ----------------------------------------

    @available.parse(literals.printable)
    def debezium_printable(self, text: str, keep: str = "") -> str:
        """Return a text that is safe on a terminal and in a log."""
        return literals.printable(text, keep)

    @available.parse(names.collision)
    def debezium_collision(self, columns: list[str]) -> tuple[str, str] | None:
        """Return two columns that Spark takes for one."""
        return names.collision(columns)

    @available.parse(names.unwritable)
    def debezium_unwritable(self, name: str) -> str | None:
        """Return what in a name keeps SQL from holding it."""
        return names.unwritable(name)

    @available.parse(lambda view, sql: [])
    def debezium_create_temporary_view(self, view: Any, sql: str) -> list[Any]:
        """Create a temporary view of a SELECT; in dbt's own Spark it is analysed once.

        Args:
            view: relation without a schema.
            sql: the SELECT.

        Returns:
            The columns of the view.

        Raises:
            DbtDatabaseError: Spark refuses the SELECT.
        """
        session = self._own_session()
        if session is None:
            self.execute(f"create or replace temporary view {view} as\n{sql}")
            return list(self.get_columns_in_relation(view))
        return [
            self.Column(column=field.name, dtype=field.dataType.simpleString())
            for field in create_analysed_view(session, str(view), sql)
        ]

    @available.parse(lambda sql: [])
    def debezium_columns(self, sql: str) -> list[str]:
        """Return the names of the columns of a SELECT.

        Raises:
            DbtDatabaseError: Spark refuses the SELECT.
        """
        session = self._own_session()
        if session is None:
            _, table = self.execute(f"select * from ({sql}) where false", fetch=True)
            return [str(name) for name in table.column_names]
        return columns_of(session, sql)

    def _own_session(self) -> SparkSession | None:
        """Return the session of this thread's connection; None on a server behind thrift."""
        handle = self.connections.get_thread_connection().handle
        return handle.session() if isinstance(handle, SessionConnectionWrapper) else None

    @available.parse(lambda sql, rows: False)
    def debezium_reads_few_rows(self, sql: str, rows: int) -> bool:
        """Say whether a SELECT reads so few rows at most, by what its files' metadata tell."""
        settings = self.config.credentials.server_side_parameters
        if self.config.credentials.method != SparkConnectionMethod.SESSION or not serves_few_rows(
            settings
        ):
            return False
        most = most_rows(session_for(settings), sql)
        return most is not None and most <= rows

    @available.parse(lambda: False)
    def debezium_works_on_few_rows(self) -> bool:
        """Say whether this model's statements run in the session for few rows."""
        handle = self.connections.get_thread_connection().handle
        return isinstance(handle, SessionConnectionWrapper) and handle.works_on_few_rows

    @available.parse(lambda is_few: None)
    def debezium_work_on_few_rows(self, is_few: bool) -> None:
        """Run this model's next statements in the session for few rows, or in dbt's own again."""
        handle = self.connections.get_thread_connection().handle
        if isinstance(handle, SessionConnectionWrapper):
            handle.work_on_few_rows(is_few)

    @available.parse(lambda model, decisions: None)
    def debezium_decide(self, model: str, decisions: Mapping[str, Any]) -> None:
        """Add decisions of a model for its materialization: see `decisions`."""
        self._decisions.add(model, decisions)

    @available.parse(lambda model: {})
    def debezium_decisions(self, model: str) -> dict[str, Any]:
        """Return what a model decided for its materialization, once."""
        return self._decisions.take(model)

    @available.parse(lambda: False)
    def debezium_lints(self) -> bool:
        """Tell whether models are compiled as skeletons, for sqlfluff: see `lint`."""
        return shows_skeletons(self.config.args)

    # -- tables that are up to date: see macros/materializations/_up_to_date.sql --------------

    @available.parse(lambda relation: {})
    def debezium_properties(self, relation: Any) -> dict[str, str]:
        """Return the properties of a table: see `TablesSeen.properties`."""
        return self._seen.properties(relation)

    @available.parse(lambda relation: None)
    def debezium_up_to_date_with(self, relation: Any) -> str | None:
        """Return what a table is up to date with: see `TablesSeen.up_to_date_with`."""
        return self._seen.up_to_date_with(relation)

    @available.parse(lambda relation: None)
    def debezium_forget(self, relation: Any) -> None:
        """Look at a table's properties anew: see `TablesSeen.forget`."""
        self._seen.forget(relation)

    @available.parse(lambda relation, name, value: None)
    def debezium_remember(self, relation: Any, name: str, value: str) -> None:
        """Take note of a property that was set: see `TablesSeen.remember`."""
        self._seen.remember(relation, name, value)

    @available.parse(lambda relation, in_metadata: {})
    def debezium_batches(self, relation: Any, in_metadata: bool) -> dict[str, int]:
        """Return the highest batch of each topic: see `TablesSeen.batches`."""
        return self._seen.batches(relation, in_metadata)

    @available.parse(pack)
    def debezium_pack(self, text: str) -> str:
        """Return a text as the value of a table's property: see `property_text`."""
        return pack(text)

    @available.parse(unpack)
    def debezium_unpack(self, text: str | None) -> str | None:
        """Return the text that a table's property holds: see `property_text`."""
        return unpack(text)

    @available.parse(lambda code: False)
    def debezium_is_one_call(self, code: str) -> bool:
        """Tell whether a model is the call of one macro of the package: see `is_one_call`."""
        return is_one_call(code)

    @available.parse(lambda: "")
    def debezium_digest(self) -> str:
        """Return a digest of every macro of the project, and of this package's Python.

        Whatever makes a model's SQL besides its own text, configuration and data is in it.
        """
        if self._digest is None:
            resolver = self.get_macro_resolver()
            macros = {} if resolver is None else resolver.macros
            digest = hashlib.md5(python_digest().encode(), usedforsecurity=False)
            for unique_id in sorted(macros):
                digest.update(f"{unique_id}\n{macros[unique_id].macro_sql}\n".encode())
            self._digest = digest.hexdigest()
        return self._digest

    def _rows(self, sql: str) -> Rows:
        _, table = self.execute(sql, fetch=True)
        return [tuple(row) for row in table.rows]

    # -- tests that passed before: see `passed_tests` ------------------------------------------

    def pre_model_hook(self, config: Any) -> Any:
        """Answer a test that passed on the same rows; return it with its state, to be noted."""
        test: Any = getattr(config, "model", None)
        if str(getattr(test, "resource_type", "")) != "test" or self._var("debezium_repeat_tests"):
            return super().pre_model_hook(config)
        resolver: Any = self.get_macro_resolver()
        state = self._passed_tests.state(test, resolver.nodes)
        if state is None:
            return None
        self._answered.test = test.name if self._passed_tests.passed_before(test, state) else None
        return test, state

    def post_model_hook(self, config: Any, context: Any) -> None:
        """Note the state in which a test passed."""
        super().post_model_hook(config, None)
        self._answered.test = None
        if context is None:
            return
        result = config["load_result"]("main")
        row = list(result["table"].rows[0]) if result is not None else None
        if row is not None and not any(row):
            self._passed_tests.note(*context)

    def execute(self, sql: str, *args: Any, **kwargs: Any) -> tuple[AdapterResponse, Any]:
        """Execute a statement; that of a test which passed on the same rows is not."""
        test = getattr(self._answered, "test", None)
        if test is None:
            return super().execute(sql, *args, **kwargs)
        self._answered.test = None
        logger.debug(f"debezium_spark: {test} passed before, and what it reads is the same")
        columns = ["failures", "should_warn", "should_error"]
        return AdapterResponse("passed before"), table_from_rows([(0, False, False)], columns)

    @available.parse(lambda: None)
    def debezium_tests_to_keep(self) -> dict[str, str] | None:
        """Return what later commands should know of tests: see `PassedTests.to_keep`."""
        resolver: Any = self.get_macro_resolver()
        return self._passed_tests.to_keep(resolver.nodes)

    @available.parse(lambda: None)
    def debezium_tests_table(self) -> Any:
        """Return the relation of the table in which commands keep what tests passed on."""
        relation = self.Relation.create(
            schema=self.config.credentials.schema, identifier="debezium_tests_passed", type="table"
        )
        return relation.quote(schema=True, identifier=True)

    def _read_passed_tests(self) -> dict[str, str]:
        try:
            rows = self._rows(f"select test, passed_on from {self.debezium_tests_table()}")
        except DbtRuntimeError as error:
            # nothing was kept, or another command is writing it: then the tests run
            logger.debug(f"debezium_spark: no test is known to have passed: {error}")
            return {}
        return {str(test): str(passed_on) for test, passed_on in rows}

    def _relation_of(self, node: Any) -> Any:
        relation = self.Relation.create_from(self.config, node)
        return relation.quote(schema=True, identifier=True)

    # -- Python models -----------------------------------------------------------------------

    @property
    def default_python_submission_method(self) -> str:
        """Run Python models in dbt's own session, unless the profile connects elsewhere."""
        if self.config.credentials.method == SparkConnectionMethod.SESSION:
            return "session"
        return super().default_python_submission_method

    @property
    def python_submission_helpers(self) -> dict[str, Any]:
        """Add the submission method `session` to dbt-spark's."""
        return {
            **super().python_submission_helpers,
            "session": partial(SessionPythonJob, config=self.config),
        }

    # -- relations ---------------------------------------------------------------------------

    def list_relations_without_caching(self, schema_relation: Any) -> list[Any]:
        """List tables and views of a schema.

        dbt-spark asks for tables only, which in a v2 catalog (Iceberg) leaves out the views:
        `dbt docs` would miss them, and a table of a view's name could not be created.
        """
        try:
            if self._current_catalog_class() == _ICEBERG_CATALOG:
                return self._list_iceberg_relations(schema_relation.schema)
            return self._list_any_relations(schema_relation)
        except DbtRuntimeError as error:
            if any(text in (error.msg or "") for text in _NOT_FOUND):
                return []
            raise

    def _list_iceberg_relations(self, schema: str) -> list[Any]:
        # Such a catalog holds nothing but Iceberg: reading every table's metadata, as
        # `show table extended` does, would tell no more.
        views = self._names(f"show views in {self.quote(schema)}")
        tables = self._names(f"show tables in {self.quote(schema)}") - views
        return [self._view(schema, name) for name in sorted(views)] + [
            self.Relation.create(schema=schema, identifier=name, type="table", is_iceberg=True)
            for name in sorted(tables)
        ]

    def _list_any_relations(self, schema_relation: Any) -> list[Any]:
        rows = self.execute_macro(
            "list_relations_without_caching", kwargs={"schema_relation": schema_relation}
        )
        # Temporary views are listed too; they have no schema and are no relations of this one.
        relations = self._build_spark_relation_list(
            row_list=[row for row in rows if row[0]],
            relation_info_func=self._get_relation_information,
        )
        known = {relation.identifier for relation in relations}
        views = self._names(f"show views in {self.quote(schema_relation.schema)}")
        return relations + [
            self._view(schema_relation.schema, name) for name in sorted(views - known)
        ]

    def _view(self, schema: str, name: str) -> Any:
        return self.Relation.create(schema=schema, identifier=name, type="view")

    def _names(self, sql: str) -> set[str]:
        _, table = self.execute(sql, fetch=True)
        return {row[1] for row in table.rows if row[0]}

    def _current_catalog_class(self) -> str:
        _, table = self.execute("select current_catalog()", fetch=True)
        _, table = self.execute(f"set spark.sql.catalog.{table.rows[0][0]}", fetch=True)
        return str(table.rows[0][1])
