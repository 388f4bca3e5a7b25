"""Values of dbt's vars outside of Jinja."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def project_var(config: Any, name: str) -> Any:
    """Return the value of a var, None if it has none.

    The order is dbt's: command line, the project's own block, the block for all projects.

    Args:
        config: dbt's runtime configuration.
        name: name of the var.
    """
    for_all_projects = config.vars.to_dict()
    for_this_project = for_all_projects.get(config.project_name)
    for values in (config.cli_vars, for_this_project, for_all_projects):
        if isinstance(values, Mapping) and name in values:
            return values[name]
    return None


def configured_sources(variables: Mapping[str, Any]) -> list[Any]:
    """Return the sources that the vars configure, not validated.

    Args:
        variables: vars of a project, with blocks for single projects.
    """
    scopes = [variables, *[value for value in variables.values() if isinstance(value, Mapping)]]
    return [
        source
        for scope in scopes
        if isinstance(scope.get("debezium_sources"), Mapping)
        for source in scope["debezium_sources"].values()
    ]


def reads_kafka(sources: list[Any]) -> bool:
    """Return whether one of the sources reads Kafka.

    Args:
        sources: result of `configured_sources`.
    """
    inputs = [source.get("input") for source in sources if isinstance(source, Mapping)]
    return any(isinstance(block, Mapping) and block.get("type") == "kafka" for block in inputs)
