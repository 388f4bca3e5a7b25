"""Names of tables in the configuration, and the table parts of their models' names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

# A name is extended by the schema, the database and the connector; each may cause a new clash.
_MAX_ROUNDS = 5
_OTHER_CHARACTERS = re.compile("[^a-z0-9_]")


def name_tables(
    config: Mapping[str, Any], tables: Sequence[dict[str, Any]], has_schemas: bool
) -> None:
    """Add its name and the table part of its model names to every table.

    Names: `schema.table`, after the database if two databases of the source have such a table, and
    after the connector's name if two connectors have databases of the same name.

    Model parts: `tables.<name>.model`, or the table in lower case with `_` for every other
    character. Equal parts are extended by the schema, then by the database. If parts are still
    equal, `names` reports that the tables cannot become models.

    Args:
        config: configuration of the source.
        tables: each with `topic_prefix` and `full_name` (database, schema, table). They receive
            `names` (from the shortest to the longest), `name`, `model` and `rivals` (the names of
            the other tables with this model).
        has_schemas: whether the databases of the source have schemas.
    """
    configured = config.get("tables") or {}
    counts: Counter[str] = Counter()
    for table in tables:
        table["names"] = _names(table, has_schemas)
        counts.update(set(table["names"]))
    for table in tables:
        short, long, longest = table["names"]
        table["name"] = short
        if counts[short] > 1 or (long in configured and short not in configured):
            table["name"] = long if counts[long] == 1 else longest
        database = table["full_name"][:1] if has_schemas and table["full_name"][0] else []
        connector = [table["topic_prefix"]] if table["name"] == longest else []
        table["name_parts"] = [*connector, *database, *table["full_name"][1:]]
        table["chosen"] = (configured.get(table["name"]) or {}).get("model")
        table["parts"] = 1
        table["model"] = table["chosen"] or _model_part(table)
    for _ in range(_MAX_ROUNDS):
        _extend(tables)
    owners = _owners(tables)
    for table in tables:
        table["rivals"] = [one for one in owners[table["model"]] if one != table["name"]]


def _names(table: Mapping[str, Any], has_schemas: bool) -> list[str]:
    database, schema, name = table["full_name"]
    short = f"{schema}.{name}"
    long = f"{database}.{short}" if has_schemas and database else short
    return [short, long, f"{table.get('topic_prefix') or ''}.{long}"]


def _extend(tables: Sequence[dict[str, Any]]) -> None:
    """Extend the shortest names of each clash by one part."""
    owners = _owners(tables)
    extended = []
    for table in tables:
        if table["chosen"] or len(owners[table["model"]]) < 2:
            continue
        rivals = [
            other for other in tables if other["model"] == table["model"] and not other["chosen"]
        ]
        fewest = min(rival["parts"] for rival in rivals)
        if table["parts"] == fewest and table["parts"] < len(table["name_parts"]):
            extended.append(table)
    for table in extended:
        table["parts"] += 1
        table["model"] = _model_part(table)


def _model_part(table: Mapping[str, Any]) -> str:
    name = "_".join(map(str, table["name_parts"][-table["parts"] :]))
    return _OTHER_CHARACTERS.sub("_", name.lower())


def _owners(tables: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the names of tables by model part."""
    owners: dict[str, list[str]] = {}
    for table in tables:
        owners.setdefault(table["model"], []).append(table["name"])
    return owners
