"""What `generate` writes and says for rows of a catalog, in bare Jinja."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import yaml
from jinja2 import Environment

from tests.support.blocks import source_options
from tests.support.macros import Macros

SHOP: dict[str, Any] = {"shop": source_options("postgresql", "pg")}
Row = Mapping[str, Any]


def shop(**options: Any) -> dict[str, Any]:
    """Return the source `shop` with more options."""
    return {"shop": {**SHOP["shop"], **options}}


def row(
    table: str = "customers",
    column: str = "id",
    position: int | None = 1,
    *,
    schema: str = "public",
    key: int | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """Return a row of `catalog_shop__columns`, as Spark prints it."""
    node = {"type": changes.get("connect_type", "int32"), "field": column}
    return {
        "database_name": "db",
        "schema_name": schema,
        "table_name": table,
        "topics": [f"pg.{schema}.{table}"],
        "evidence": "embedded_schema",
        "column_name": column,
        "ordinal_position": position,
        "connect_type": "int32",
        "schema_json": json.dumps(node),
        "is_optional": True,
        "is_key": key is not None,
        "key_position": key,
        **changes,
    }


def typed(column: str, position: int, node: Row, **changes: Any) -> dict[str, Any]:
    """Return a row of a column with this schema."""
    text = json.dumps({**node, "field": column})
    return row(column=column, position=position, schema_json=text, **changes)


def topic_row(table: str | None = "customers", **changes: Any) -> dict[str, Any]:
    """Return what a topic carried of a table."""
    names = {"database_name": "db", "schema_name": "public", "table_name": table}
    return {"topic": f"pg.public.{table}", "kind": "data", **names, **changes}


def recorded(made: Row) -> dict[str, Any]:
    """Return what a topic carried as a row of `_recorded_schemas`, with its `event_id`."""
    event = str(made.get("event_id") or f"{made['topic']}:0:0")
    _, partition, offset = event.rsplit(":", 2)
    first = {"at": 0, "partition": int(partition), "offset": int(offset)}
    return {"kind": "data", "first": first, **made}


def other_row(**changes: Any) -> dict[str, Any]:
    """Return what a topic of another connector carried."""
    return {"kind": "other_source", **changes}


def evidence_of(seen: str, default: Iterable[Row], **makers: Callable[..., Row]) -> dict[str, Any]:
    """Return the arguments of `generate` for what a row of a table of tests says.

    Args:
        seen: YAML, as the head of `tests/unit/generated_models.txt` describes it.
        default: rows of the catalog where it tells none.
        makers: what makes evidence of mappings, by the argument.
    """
    told = yaml.safe_load(f"{{{seen}}}")
    source = told.pop("source", {})
    if "options" in told:
        source["tables"] = {"public.customers": told.pop("options")}
    makers = {"rows": _row_of, "topics": topic_row, "others": other_row, **makers}
    evidence = {name: [makers.get(name, dict)(**one) for one in told[name]] for name in told}
    return {"rows": default, "sources": shop(**source), **evidence}


def _row_of(node: Row | None = None, **members: Any) -> dict[str, Any]:
    made = row(**members)
    if node is not None:
        made["schema_json"] = json.dumps({**node, "field": made["column_name"]})
    return made


def results_of(
    rows: Iterable[Row],
    sources: Mapping[str, Any] = SHOP,
    *,
    topics: Iterable[Row] = (),
    models: Iterable[Row] = (),
    disagreements: Iterable[Row] = (),
    others: Iterable[Row] = (),
    schemas: Iterable[Row] = (),
    variables: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> list[dict[str, Any]]:
    """Return what `generate` gives back for a catalog and other evidence."""
    queries = {
        "catalog_row": rows,
        "recorded_schema": map(recorded, (*topics, *others, *schemas)),
        "disagreement_row": disagreements,
    }
    answers = {word: [(json.dumps(one),) for one in found] for word, found in queries.items()}
    (source,) = sources
    catalog = [{"name": f"catalog_{source}__{one}"} for one in ("columns", "schemas")]
    macros = Macros(sources, answers, [*catalog, *models], variables=variables)
    return list(macros.generate(**{"source": source, "part": "tables", **arguments}))


def generate(
    rows: Iterable[Row], sources: Mapping[str, Any] = SHOP, **more: Any
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return the files of `generate` by path, and its messages with their kinds."""
    results = results_of(rows, sources, **more)
    files = {one["path"]: one["content"] for one in results if one["kind"] == "file"}
    return files, [(one["kind"], one["message"]) for one in results if "message" in one]


def arguments_of(sql: str) -> dict[str, Any]:
    """Return what a generated model passes to its macro, read by Jinja itself."""
    seen: dict[str, Any] = {}

    class Package:
        def __getattr__(self, name: str) -> Any:
            return lambda *positional, **arguments: seen.update(arguments) or ""

    Environment().from_string(sql).render(
        config=lambda **settings: "", ref=lambda name: name, debezium_spark=Package()
    )
    return seen


FOLDERS = {
    "stg": "staging",
    "cur": "current",
    "all": "feed",
    "hist": "history",
    "versions": "history",
    "cut": "transactions",
}


def path_of(model: str, suffix: str = "sql") -> str:
    """Return where a model like `stg_shop__customers` lies."""
    layer = model.split("_")[0]
    return f"models/{FOLDERS.get(layer, layer)}/shop/{model}.{suffix}"


def call_of(files: Mapping[str, str], model: str) -> dict[str, Any]:
    """Return what the generated model of a table passes to its macro."""
    return arguments_of(files[path_of(model)])


def properties_of(files: Mapping[str, str], model: str) -> dict[str, Any]:
    """Return the properties of the generated model of a table."""
    (found,) = yaml.safe_load(files[path_of(model, "yml")])["models"]
    return dict(found)


def stems(files: Iterable[str], folder: str) -> set[str]:
    """Return the names of the generated models in a folder."""
    return {
        path.rsplit("/", 1)[1].removesuffix(".sql")
        for path in files
        if path.startswith(f"models/{folder}/") and path.endswith(".sql")
    }


def nodes_of(files: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return the generated models as nodes of dbt's graph."""
    return {
        path: {"resource_type": "model", "name": stem, "alias": stem, "raw_code": text}
        for path, text in files.items()
        if path.endswith(".sql") and (stem := path.split("/")[-1].removesuffix(".sql"))
    }
