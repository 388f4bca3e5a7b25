"""Which table and which row are asked for: names and keys as a person writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from dbt_debezium_spark.generator.staging_call import records_read, staging_call
from dbt_debezium_spark.generator.table_columns import table_columns
from dbt_debezium_spark.mongodb import ejson
from dbt_debezium_spark.text.literals import read_argument

Answer = dict[str, Any]
_LAYERS = ("stg", "state", "cur", "all", "hist", "versions", "asof")
_OBJECT_ID = re.compile("[0-9a-f]{24}")
_NAMES = 8


def problem(problem: str, remedy: str) -> Answer:
    """Return the answer where nothing can be explained."""
    return {"problem": problem, "remedy": remedy}


def find_table(
    nodes: Mapping[str, Mapping[str, Any]],
    name: str,
    source: str | None,
    variable: Callable[..., Any],
) -> Answer:
    """Return the table that is named, or one of whose models is.

    Args:
        nodes: nodes of dbt's `graph`.
        name: of the source table, such as `public.orders`, or of a model, such as `cur_shop__x`.
        source: its source; None if only one has such a table.
        variable: dbt's `var`.

    Returns:
        `source`, `table`, `kind` (`rows`, `documents`, `keyless`), names of its models `staging`
        and `state`, of all by layer as `models`, `columns`, and `call`, the arguments of its
        staging model; or a problem.
    """
    tables: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for node in nodes.values():
        meta = (node["config"].get("meta") or {}).get("debezium_spark") or {}
        layer, _, rest = node["name"].partition("_")
        if node["resource_type"] == "model" and meta.get("table") and layer in _LAYERS and rest:
            table = read_argument(meta["table"])
            tables.setdefault((meta["source"], table), {})[layer] = node
    known = {pair: models for pair, models in tables.items() if source in (None, pair[0])}
    found = [pair for pair in known if pair[1] == name] or [
        pair
        for pair, models in known.items()
        if name in {model["name"] for model in models.values()}
    ]
    if not found:
        names = sorted({pair[1] for pair in known})
        nodes_of = [node["name"] for of_table in known.values() for node in of_table.values()]
        last = {table.rpartition(".")[2]: table for table in names}
        close = get_close_matches(name, [*names, *nodes_of, *last], _NAMES) or names[:_NAMES]
        known_names = ", ".join(dict.fromkeys(last.get(word, word) for word in close))
        of_source = f" of source {source}" if source else ""
        return problem(
            f"no table {name}{of_source}.",
            f"Known: {known_names or 'none; run `debezium-spark generate`'}.",
        )
    if len(found) > 1:
        sources = ", ".join(sorted(pair[0] for pair in found))
        return problem(f"several sources have a table {name}: {sources}.", "Add --source.")
    models = known[found[0]]
    if not {"stg", "state"} <= models.keys():
        return problem(
            f"table {name} has no models stg_ and state_.", "Run `debezium-spark generate`."
        )
    staging, state = models["stg"], models["state"]
    is_document = state.get("language") == "python"
    read = records_read if is_document else staging_call
    call = read(staging["raw_code"], variable)
    columns = table_columns(nodes, (state if is_document else staging)["name"], variable)
    if call is None or columns is None:
        return problem(
            f"the text of model {staging['name']} does not tell its key and columns.",
            "Let it call debezium_spark.staging with literals, as generated models do.",
        )
    kind = "documents" if is_document else "rows" if call["key"] else "keyless"
    return {
        **{"source": found[0][0], "table": found[0][1], "kind": kind, "columns": columns},
        **{"staging": staging["name"], "state": state["name"], "call": call},
        "models": {layer: model["name"] for layer, model in models.items()},
    }


def key_asked(model: Mapping[str, Any], key: Any) -> Answer:
    """Return the key that a person wrote.

    Args:
        model: of the table: `find_table`.
        key: a value; `name=value` pairs, as one text or several; or a mapping.

    Returns:
        `values`, texts by column in the order of the key; of documents `candidates`, texts of
        their `_id`; or a problem.
    """
    parts = [key] if isinstance(key, str) else key
    if model["kind"] == "documents":
        if not isinstance(key, str):
            parts = parts if isinstance(parts, Sequence) else [parts]
        text = " ".join(part if isinstance(part, str) else json.dumps(part) for part in parts)
        return {"candidates": _ids(text.removeprefix("_id="))}
    is_keyless = model["kind"] == "keyless"
    names = model["columns"] if is_keyless else [column["name"] for column in model["call"]["key"]]
    values = dict(parts) if isinstance(parts, Mapping) else None
    if values is None and not isinstance(parts, Sequence):
        parts = [str(parts)]
    if values is None:
        given = _object(parts)
        values = given if given and set(given) <= set(names) else _pairs(parts, names)
    if values is None and len(names) == 1 and len(parts) == 1:
        values = {names[0]: parts[0]}
    all_names = ", ".join(names)
    if not values or not set(values) <= set(names):
        return problem(
            f"no key of {model['table']}: {' '.join(map(str, parts or values or []))}.",
            f"Write column=value for {'some of ' if is_keyless else 'each of '}{all_names}.",
        )
    lacking = [name for name in names if name not in values]
    if lacking and not is_keyless:
        return problem(
            f"the key of {model['table']} is ({all_names}); {', '.join(lacking)} is missing.",
            "Write column=value for each.",
        )
    return {"values": {name: _text(values[name]) for name in names if name in values}}


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, bool | int | float) else str(value)


def _object(parts: Sequence[Any]) -> dict[str, Any] | None:
    """Return the members of a JSON object such as `_cdc_key`; numbers stay texts."""
    try:
        value = json.loads(" ".join(map(str, parts)), parse_int=str, parse_float=str)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _pairs(parts: Sequence[Any], names: Sequence[str]) -> dict[str, str] | None:
    """Return values by column; a text may hold several pairs, and values may hold blanks."""
    ordered = sorted(names, key=len, reverse=True)
    begin = re.compile(rf"(?:^|\s+)({'|'.join(map(re.escape, ordered))})=")
    values: dict[str, str] = {}
    for part in map(str, parts):
        # one text may hold all pairs; of several, each is one
        found = list(begin.finditer(part))[: None if len(parts) == 1 else 1]
        if not found or found[0].start() > 0:
            return None
        ends = [match.start() for match in found[1:]] + [len(part)]
        for match, end in zip(found, ends, strict=True):
            values[match[1]] = part[match.end() : end]
    return values


def _ids(text: str) -> list[str]:
    """Return the canonical texts that a document's `_id` can have, the likeliest first."""
    ids = []
    try:
        ejson.parse(text)
        ids.append(ejson.key_text(text))
    except ejson.NotEjson:
        pass
    if _OBJECT_ID.fullmatch(text):
        ids.append(json.dumps({"$oid": text}, separators=(",", ":")))
    ids.append(ejson.key_text(json.dumps(text)))
    return list(dict.fromkeys(ids))
