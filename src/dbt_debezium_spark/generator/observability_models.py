"""The observability models of a project, each one call for all tables of all sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.generator.observability_subjects import SUBJECTS, Subject
from dbt_debezium_spark.generator.properties import ColumnProperties, plain_column
from dbt_debezium_spark.literals import jinja_text, read_argument, yaml_text

_MAX_COLUMNS = 100
_INDENT = " " * 12


@dataclass(frozen=True)
class ObservabilityModel:
    """One model: the arguments of its call with their entries, and its properties.

    Entries are lines of Jinja; `description` and `condition` are YAML scalars.
    """

    name: str
    arguments: Sequence[tuple[str, Sequence[str]]]
    description: str
    is_tested: bool
    condition: str | None
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
    # documents have no layout that could differ from that of their models
    document_sources = {name for name in names if _has_documents(configured, name)}
    with_layout = [table for table in tables if table["source"] not in document_sources]
    catalogs = [name for name in names if name not in document_sources]
    return [
        _model(subject, names, catalogs, subject_tables)
        for subject in SUBJECTS
        if (subject_tables := with_layout if subject.per_source == "catalogs" else tables)
    ]


def _has_documents(configured: Mapping[str, Any] | None, source: str) -> bool:
    return ((configured or {}).get(source) or {}).get("connector") == "mongodb"


def _model(
    subject: Subject,
    sources: Sequence[str],
    catalogs: Sequence[str],
    tables: Sequence[Mapping[str, str]],
) -> ObservabilityModel:
    argument, layer = subject.relations
    arguments = [(argument, [_table_entry(table, layer) for table in tables])]
    if subject.per_source == "raws":
        arguments.insert(0, ("raws", [f"('{name}', ref('raw_{name}'))," for name in sources]))
    elif subject.per_source == "catalogs":
        arguments.insert(0, ("catalogs", [_catalog_entry(name) for name in catalogs]))
    is_conditional = subject.fails not in (None, "always")
    return ObservabilityModel(
        name=subject.name,
        arguments=arguments,
        description=yaml_text(subject.description),
        is_tested=subject.fails is not None,
        condition=yaml_text(str(subject.fails)) if is_conditional else None,
        columns=[plain_column(*column) for column in subject.columns],
    )


def _catalog_entry(source: str) -> str:
    members = [
        f"'source': '{source}'",
        f"'columns': ref('catalog_{source}__columns')",
        f"'schemas': ref('catalog_{source}__schemas')",
    ]
    return _on_lines(members)


def _table_entry(table: Mapping[str, str], layer: str) -> str:
    members = [
        f"'source': {jinja_text(table['source'])}",
        f"'table': {jinja_text(table['table'])}",
        f"'relation': ref('{layer}_{table['source']}__{table['model']}')",
    ]
    line = f"{{{', '.join(members)}}},"
    return line if len(_INDENT + line) <= _MAX_COLUMNS else _on_lines(members)


def _on_lines(members: Sequence[str]) -> str:
    lines = [f"{_INDENT}    {member}," for member in members]
    return "\n".join(["{", *lines, _INDENT + "},"])
