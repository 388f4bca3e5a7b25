"""The observability models of a project, each one call for all tables of all sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.config.sources import DEFAULT_MAX_AGE
from dbt_debezium_spark.generator.observability_subjects import SUBJECTS, Subject
from dbt_debezium_spark.generator.properties import ColumnProperties, plain_column
from dbt_debezium_spark.literals import jinja_text, read_argument, yaml_text

_MAX_COLUMNS = 100
_INDENT = " " * 12


@dataclass(frozen=True)
class ObservabilityModel:
    """One model: the arguments of its call with their entries, and its properties.

    Entries are lines of Jinja; `description` and `condition` are YAML scalars. `test` is the
    generic test of the package.
    """

    name: str
    arguments: Sequence[tuple[str, Sequence[str]]]
    description: str
    is_tested: bool
    condition: str | None
    test: str
    columns: Sequence[ColumnProperties]


def observability_models(
    sources: Collection[str],
    found: Sequence[Mapping[str, Any]],
    kept: Sequence[Mapping[str, Any]],
    models: Sequence[Mapping[str, Any]],
    configured: Mapping[str, Any] | None,
) -> list[ObservabilityModel]:
    """Return the observability models that have tables.

    Tables of sources that are not being generated come from the existing models, so that generating
    one source does not remove the others.

    Args:
        sources: names of the sources being generated.
        found: tables of these sources.
        kept: refused tables of these sources, whose models stay.
        models: models of the project: `name` and `meta` (of this package).
        configured: the var `debezium_sources`.
    """
    tables = [
        *({"source": row["source"], "table": row["table"], "model": row["model"]} for row in kept),
        *({"source": row["source"], "table": row["name"], "model": row["model"]} for row in found),
    ]
    names = list(sources)
    for model in models:
        meta = model["meta"]
        if meta.get("source") and meta["source"] not in sources:
            if model["name"].startswith("raw_") and meta["source"] not in names:
                names.append(meta["source"])
            elif model["name"].startswith("stg_") and meta.get("table"):
                table = read_argument(meta["table"])
                tables.append({"source": meta["source"], "table": table, "model": meta["model"]})
    if not tables:
        return []
    tables.sort(key=lambda table: (table["source"].lower(), table["table"].lower()))
    names.sort(key=str.lower)
    results = []
    for subject in SUBJECTS:
        chosen = [name for name in names if _has_option(configured, name, subject.option)]
        subject_tables = [table for table in tables if table["source"] in chosen]
        if subject_tables:
            results.append(_model(subject, configured, chosen, subject_tables))
    return results


def _has_option(configured: Mapping[str, Any] | None, source: str, option: str | None) -> bool:
    return option is None or bool(_option(configured, source, option))


def _option(
    configured: Mapping[str, Any] | None, source: str, option: str, default: Any = None
) -> Any:
    """Return an option of a source as it is written, or its default."""
    return ((configured or {}).get(source) or {}).get(option, default)


def _model(
    subject: Subject,
    configured: Mapping[str, Any] | None,
    sources: Sequence[str],
    tables: Sequence[Mapping[str, str]],
) -> ObservabilityModel:
    arguments: list[tuple[str, Sequence[str]]] = []
    if subject.per_source:
        entries = [_source_entry(subject.per_source, configured, name) for name in sources]
        arguments.append((subject.per_source, entries))
    if subject.relations:
        argument, layer = subject.relations
        arguments.append((argument, [_table_entry(table, layer, subject.also) for table in tables]))
    is_conditional = subject.test == "reports_nothing" and subject.fails not in (None, "always")
    return ObservabilityModel(
        name=subject.name,
        arguments=arguments,
        description=yaml_text(subject.description),
        is_tested=subject.fails is not None,
        condition=yaml_text(str(subject.fails)) if is_conditional else None,
        test=subject.test,
        columns=[plain_column(*column) for column in subject.columns],
    )


def _source_entry(argument: str, configured: Mapping[str, Any] | None, source: str) -> str:
    """Return the entry of a source in the argument of that name."""
    if argument == "catalogs":
        return _catalog_entry(source)
    if argument == "transactions":
        max_age = _option(configured, source, "transaction_max_age_seconds", DEFAULT_MAX_AGE)
        return _transactions_entry(source, max_age)
    return f"('{source}', ref('raw_{source}')),"


def _catalog_entry(source: str) -> str:
    members = [
        f"'source': '{source}'",
        f"'columns': ref('catalog_{source}__columns')",
        f"'schemas': ref('catalog_{source}__schemas')",
    ]
    return _on_lines(members)


def _transactions_entry(source: str, max_age: Any) -> str:
    members = [
        f"'source': '{source}'",
        f"'relation': ref('transactions_{source}')",
        f"'max_age': {int(max_age)}",
    ]
    line = f"{{{', '.join(members)}}},"
    return line if len(_INDENT + line) <= _MAX_COLUMNS else _on_lines(members)


def _table_entry(table: Mapping[str, str], layer: str, also: str | None) -> str:
    model = f"{table['source']}__{table['model']}"
    members = [
        f"'source': {jinja_text(table['source'])}",
        f"'table': {jinja_text(table['table'])}",
        f"'relation': ref('{layer}_{model}')",
    ]
    if also is not None:
        members.append(f"'{also}': ref('{also}_{model}')")
    line = f"{{{', '.join(members)}}},"
    return line if len(_INDENT + line) <= _MAX_COLUMNS else _on_lines(members)


def _on_lines(members: Sequence[str]) -> str:
    lines = [f"{_INDENT}    {member}," for member in members]
    return "\n".join(["{", *lines, _INDENT + "},"])
