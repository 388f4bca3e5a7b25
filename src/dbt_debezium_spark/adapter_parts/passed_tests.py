"""Data tests that passed on the same rows are not executed again: see `passed_tests`."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from dbt.adapters.contracts.connection import AdapterResponse
from dbt.adapters.events.logging import AdapterLogger
from dbt_common.clients.agate_helper import table_from_rows
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.adapter_parts.part import AdapterPart
from dbt_debezium_spark.adapter_parts.project_vars import project_var
from dbt_debezium_spark.door.table_metadata import TableMetadata
from dbt_debezium_spark.passed_tests import PassedTests

logger = AdapterLogger("debezium_spark")


class _HookContext(NamedTuple):
    """What the hook before a model hands to the hook after it.

    `of_adapter` is the extended adapter's; `tested` are a test and its state.
    """

    of_adapter: Any
    tested: tuple[Any, Any] | None = None


class PassedTestCalls(AdapterPart):
    """An adapter that skips the SQL of tests that passed before."""

    def __init__(self, config: Any, mp_context: Any) -> None:
        """Connect as the extended adapter does; no earlier result is read yet."""
        super().__init__(config, mp_context)
        self._debezium_tables = TableMetadata(self._debezium_rows, self._debezium_properties)
        self.__passed_tests = PassedTests(
            self.__read_passed_tests, self._debezium_tables, self.__relation_of
        )
        # `test`: name of the test whose SQL this thread skips
        self.__skipped = threading.local()

    def pre_model_hook(self, config: Any) -> Any:
        """Decide whether to skip a test; keep its state for `post_model_hook`."""
        of_adapter = super().pre_model_hook(config)
        test: Any = getattr(config, "model", None)
        is_test = str(getattr(test, "resource_type", "")) == "test"
        if not is_test or self.__repeats_tests():
            return _HookContext(of_adapter)
        resolver: Any = self.get_macro_resolver()
        state = self.__passed_tests.state(test, resolver.nodes)
        if state is None:
            return _HookContext(of_adapter)
        self.__skipped.test = test.name if self.__passed_tests.passed_before(test, state) else None
        return _HookContext(of_adapter, (test, state))

    def post_model_hook(self, config: Any, context: Any) -> None:
        """Record the state in which a test passed."""
        super().post_model_hook(config, context.of_adapter)
        self.__skipped.test = None
        if context.tested is None:
            return
        result = config["load_result"]("main")
        row = list(result["table"].rows[0]) if result is not None else None
        if row is not None and not any(row):
            self.__passed_tests.note(*context.tested)

    def execute(self, sql: str, *args: Any, **kwargs: Any) -> tuple[AdapterResponse, Any]:
        """Execute a statement, unless it is that of a test which passed on the same rows."""
        test = getattr(self.__skipped, "test", None)
        if test is None:
            return super().execute(sql, *args, **kwargs)
        self.__skipped.test = None
        logger.debug(f"debezium_spark: {test} passed before, and the rows it reads are the same")
        columns = ["failures", "should_warn", "should_error"]
        return AdapterResponse("passed before"), table_from_rows([(0, False, False)], columns)

    def _debezium_tests_to_keep(self) -> dict[str, str] | None:
        """Return the test results to store for later commands: see `PassedTests.to_keep`."""
        resolver: Any = self.get_macro_resolver()
        return self.__passed_tests.to_keep(resolver.nodes)

    def _debezium_tests_table(self) -> Any:
        """Return the relation of the table that stores on which rows tests passed."""
        relation = self.Relation.create(
            schema=self.config.credentials.schema, identifier="debezium_tests_passed", type="table"
        )
        return relation.quote(schema=True, identifier=True)

    def __repeats_tests(self) -> bool:
        """Return whether every test runs: asked for, or it writes failures or reads other rows."""
        from dbt.flags import get_flags

        flags = get_flags()
        names = ("STORE_FAILURES", "EMPTY", "SAMPLE")
        return bool(
            project_var(self.config, "debezium_repeat_tests")
            or any(getattr(flags, name, None) for name in names)
        )

    def __read_passed_tests(self) -> dict[str, str]:
        table = self._debezium_tests_table()
        if self.get_relation(table.database, table.schema, table.identifier) is None:
            return {}
        try:
            rows = self._debezium_rows(f"select test, passed_on from {table}")
        except DbtRuntimeError as error:
            # another command is writing it: then the tests run
            logger.debug(f"debezium_spark: no test is known to have passed: {error}")
            return {}
        return {str(test): str(passed_on) for test, passed_on in rows}

    def __relation_of(self, node: Any) -> Any:
        relation = self.Relation.create_from(self.config, node)
        return relation.quote(schema=True, identifier=True)
