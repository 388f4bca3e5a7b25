"""The observability models of a project, each one call for all tables of all sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.config.sources import DEFAULT_MAX_AGE
from dbt_debezium_spark.generator import model_columns
from dbt_debezium_spark.generator.model_columns import DescribedColumns
from dbt_debezium_spark.generator.properties import ColumnProperties, plain_column
from dbt_debezium_spark.generator.tables import KeptTable, Table
from dbt_debezium_spark.text.literals import jinja_entry, jinja_text, read_argument, yaml_text

_INDENT = 12


@dataclass(frozen=True)
class Subject:
    """Arguments and columns of the macro `obs_<name>`.

    Attributes:
        name: name of the subject.
        description: description of the model.
        columns: its columns.
        per_source: the argument with an entry for every source.
        layers: members of the entries of its argument `stagings`, one for every table, with the
            layers of models in them; without any it has no such argument.
        fails: conditions of rows that fail a test of the model each; `true` for every row.
        severity: of its tests, without the var `debezium_test_severity`.
        option: an option of sources; the model has only tables of sources with it.
    """

    name: str
    description: str
    columns: DescribedColumns
    per_source: str
    layers: Mapping[str, str]
    fails: tuple[str, ...]
    severity: str = "error"
    option: str | None = None


_STAGING = {"relation": "stg"}
SUBJECTS = (
    Subject(
        name="tables",
        description=(
            "How each table is: how far behind its source, what waits in sources with max_lag, what"
            " its connector repeated, and which values of live rows no event says. Unexplained:"
            " below the position of their row and never delivered before: their first delivery did"
            " not land, or positions started anew (a restored database, another adapter) and no"
            " epoch says so. docs/operations.md has the query that tells."
        ),
        columns=model_columns.TABLES,
        per_source="raws",
        layers={**_STAGING, "state": "state"},
        fails=("unexplained > 0", "unavailable_values > 0"),
    ),
    Subject(
        name="quarantine",
        description=(
            "Everything that could not be read, or that ignore_records leaves out, with where it"
            " came from and why. Nothing in it is lost."
        ),
        columns=model_columns.QUARANTINE,
        per_source="raws",
        layers=_STAGING,
        fails=("reason not like 'record: ignored: %'",),
    ),
    Subject(
        name="drift",
        description=(
            "Where a table at its source differed from its models at the last build: one row a"
            " change, with the commands that bring the models up to date. Nothing is lost until"
            " then."
        ),
        columns=model_columns.DRIFT,
        per_source="catalogs",
        layers=_STAGING,
        fails=("true",),
    ),
    Subject(
        name="transactions",
        description=(
            "What was expected and what landed of each transaction, by table"
            " (docs/transactions.md). The test fails for events that are missing although later"
            " records landed."
        ),
        columns=model_columns.OBSERVED_TRANSACTIONS,
        per_source="transactions",
        layers={},
        fails=("is_overdue",),
        option="provide_transaction_metadata",
    ),
    Subject(
        name="lost",
        description=(
            "Evidence of lost events, of sources with offset_gaps: one row each, with what was"
            " expected and what was found (docs/lost.md)."
        ),
        columns=model_columns.LOST,
        per_source="sources",
        layers=_STAGING,
        fails=("true",),
        severity="warn",
        option="offset_gaps",
    ),
)


def observability_subject(name: str) -> Subject:
    """Return the subject of the macro `obs_<name>`."""
    return next(subject for subject in SUBJECTS if subject.name == name)


@dataclass(frozen=True)
class ObservabilityModel:
    """One model: the arguments of its call with their entries, and its properties.

    Entries are lines of Jinja; `description` is a YAML scalar. `tests` are names of generic tests
    of the package with their conditions, which are YAML scalars; None for one without.
    """

    name: str
    arguments: Sequence[tuple[str, Sequence[str]]]
    description: str
    tests: Sequence[tuple[str, str | None]]
    severity: str
    columns: Sequence[ColumnProperties]


def observability_models(
    sources: Collection[str],
    found: Sequence[Table],
    kept: Sequence[KeptTable],
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
        *((row["source"], row["table"], row["model"]) for row in kept),
        *((row["source"], row["name"], row["model"]) for row in found),
    ]
    names = list(sources)
    for model in models:
        meta = model["meta"]
        if meta.get("source") and meta["source"] not in sources:
            if model["name"].startswith("raw_") and meta["source"] not in names:
                names.append(meta["source"])
            elif model["name"].startswith("stg_") and meta.get("table"):
                tables.append((meta["source"], read_argument(meta["table"]), meta["model"]))
    tables.sort(key=lambda table: (table[0].lower(), table[1].lower()))
    results = []
    for subject in SUBJECTS:
        observed = {
            name: options
            for name in sorted(names, key=str.lower)
            for options in [(configured or {}).get(name) or {}]
            if subject.option is None or options.get(subject.option)
        }
        of_subject = [table for table in tables if table[0] in observed]
        if of_subject:
            results.append(_model(subject, observed, of_subject))
    return results


def _model(
    subject: Subject,
    sources: Mapping[str, Mapping[str, Any]],
    tables: Sequence[tuple[str, str, str]],
) -> ObservabilityModel:
    entries = [_source_entry(subject.per_source, *source) for source in sources.items()]
    arguments = [(subject.per_source, entries)]
    if subject.layers:
        arguments.append(("stagings", [_table_entry(subject.layers, *table) for table in tables]))
    tests: list[tuple[str, str | None]] = [
        ("reports_nothing", None if condition == "true" else yaml_text(condition))
        for condition in subject.fails
    ]
    if subject.name == "tables" and any(options.get("max_lag") for options in sources.values()):
        tests.append(("never_late", None))
    return ObservabilityModel(
        name=subject.name,
        arguments=arguments,
        description=yaml_text(subject.description),
        tests=tests,
        severity=subject.severity,
        columns=[plain_column(*column) for column in subject.columns],
    )


def _source_entry(argument: str, source: str, options: Mapping[str, Any]) -> str:
    """Return the entry of a source in the argument of that name."""
    members = {"source": f"'{source}'"}
    if argument == "catalogs":
        for part in ("columns", "schemas"):
            members[part] = f"ref('catalog_{source}__{part}')"
        return jinja_entry(members, _INDENT, on_lines=True)
    if argument == "transactions":
        members["relation"] = f"ref('transactions_{source}')"
        members["max_age"] = str(int(options.get("transaction_max_age_seconds", DEFAULT_MAX_AGE)))
        return jinja_entry(members, _INDENT)
    if argument == "sources":
        members["relation"] = f"ref('raw_{source}')"
        has_metadata = options.get("provide_transaction_metadata")
        members["transactions"] = "ref('debezium_obs__transactions')" if has_metadata else "none"
        return jinja_entry(members, _INDENT, on_lines=True)
    return f"('{source}', ref('raw_{source}')),"


def _table_entry(layers: Mapping[str, str], source: str, table: str, model: str) -> str:
    members = {"source": jinja_text(source), "table": jinja_text(table)}
    members |= {name: f"ref('{layer}_{source}__{model}')" for name, layer in layers.items()}
    return jinja_entry(members, _INDENT)
