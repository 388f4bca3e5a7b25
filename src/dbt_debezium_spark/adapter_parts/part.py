"""The base class of all parts of the adapter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.meta import AdapterMeta
from dbt.adapters.events.logging import AdapterLogger
from dbt.adapters.spark.connections import SparkConnectionMethod
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.spark.connection import OwnSession, properties_in_catalog
from dbt_debezium_spark.spark.session import is_remote, session_for

logger = AdapterLogger("debezium_spark")

if TYPE_CHECKING:
    from dbt.adapters.spark.impl import SparkAdapter as _AnyAdapter
else:

    class _AnyAdapter(metaclass=AdapterMeta):
        """Nothing: a part inherits dbt's methods from the adapter that it extends."""


class AdapterPart(_AnyAdapter):
    """Methods that `adapter.extended` adds to an adapter.

    `super()` is the extended adapter, whose methods may have further arguments. A part's own names
    begin with `_debezium_`, or with two underscores: others may be the adapter's.
    """

    @property
    def _debezium_in_own_session(self) -> bool:
        """Whether statements run in the Spark session that this package starts in dbt's process."""
        return uses_own_session(self.ConnectionManager, self.config.credentials)

    @property
    def _debezium_settings(self) -> Mapping[str, str]:
        """Spark settings of the profile; adapters other than dbt-spark may have none."""
        return getattr(self.config.credentials, "server_side_parameters", None) or {}

    def _debezium_rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        _, table = self.execute(sql, fetch=True)
        return [tuple(row) for row in table.rows]

    def _debezium_properties(self, relation: Any) -> dict[str, str] | None:
        """Return the properties of a table or view, None if a statement must ask for them."""
        if not self._debezium_in_own_session or is_remote():
            return None
        session = session_for(self._debezium_settings)
        try:
            return properties_in_catalog(session, relation.schema, relation.identifier)
        except DbtRuntimeError as error:
            logger.debug(f"debezium_spark: a statement asks for {relation}: {error}")
            return None


def uses_own_session(manager: type[Any], credentials: Any) -> bool:
    """Return whether connections of a profile are this package's sessions.

    Args:
        manager: the connection manager of the adapter.
        credentials: the profile's target.
    """
    method = getattr(credentials, "method", None)
    return issubclass(manager, OwnSession) and method == SparkConnectionMethod.SESSION
