"""The columns of the models of a table, which its first model declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jinja2 import TemplateRuntimeError

from dbt_debezium_spark.config.for_macros import load_source
from dbt_debezium_spark.decode import DecodedColumn, decoded_columns
from dbt_debezium_spark.generator.recorded_collections import OWN_COLUMNS
from dbt_debezium_spark.generator.staging_call import only_call, with_values

_Nodes = Mapping[str, Mapping[str, Any]]


class _LayerCalls:
    """Replaces the namespace `debezium_spark` and records the columns of calls."""

    def __init__(self, of_model: Callable[[str], list[str]], load: Callable[[str], Any]) -> None:
        self.calls: list[list[str]] = []
        self._load = load
        self.table_columns = of_model

    def staging(
        self,
        source: str,
        raw: Any,
        topics: Sequence[str],
        table: str,
        key: Sequence[Mapping[str, Any]],
        columns: Sequence[Any],
        *positional: Any,
        **named: Any,
    ) -> str:
        decoded = self.decoded_columns(source, with_values(columns))
        self.calls.append([column["name"] for column in decoded])
        return ""

    def state(
        self, source: str, table: str, staging: Any, key: Sequence[str], columns: Sequence[str]
    ) -> str:
        self.calls.append(list(columns))
        return ""

    def versions(
        self, source: str, table: str, staging: Any, key: Sequence[str], columns: Sequence[str]
    ) -> str:
        return self.state(source, table, staging, key, columns)

    def history(
        self, source: str, table: str, versions: Any, columns: Sequence[str] | None = None
    ) -> str:
        self.calls.append(self.table_columns(versions) if columns is None else list(columns))
        return ""

    def decoded_columns(self, source: str, columns: Sequence[Any]) -> list[DecodedColumn]:
        return decoded_columns(self._load(source), columns)


def table_columns(
    nodes: _Nodes,
    model: str,
    variable: Callable[..., Any],
) -> list[str] | None:
    """Return the names of a table's columns in one of its models, including exact texts.

    A state model that a person took over may have fewer columns than its staging model.

    Args:
        nodes: nodes of dbt's `graph`.
        model: name or alias of the model.
        variable: dbt's `var`.

    Returns:
        The names in the order of the table; None if the text of the model does not contain them.
    """
    node = _node(nodes, model)
    if node is None:
        return None
    if node.get("language") == "python":
        fields = (node.get("config") or {}).get("fields")
        return None if fields is None else [*OWN_COLUMNS, *(field["name"] for field in fields)]

    def model_columns(name: str) -> list[str]:
        columns = table_columns(nodes, name, variable)
        if columns is None:
            raise TemplateRuntimeError(name)
        return columns

    layers = _LayerCalls(
        model_columns, lambda name: load_source(name, variable("debezium_sources", {}))
    )
    return only_call(layers, node["raw_code"], variable)


def _node(nodes: _Nodes, model: str) -> Mapping[str, Any] | None:
    models = [node for node in nodes.values() if node["resource_type"] == "model"]
    for member in ("alias", "name"):
        for node in models:
            if node[member] == model:
                return node
    return None
