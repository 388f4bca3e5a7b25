"""`debezium_obs__drift` without dbt: models generated from one catalog, compared with another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import yaml

from tests.support.generated_text import generate, recorded
from tests.support.macros import Macros

Row = Mapping[str, Any]


class Relation(str):
    """Name of a relation, as dbt's relations print it."""

    @property
    def identifier(self) -> str:
        """The name itself."""
        return str(self)


class GeneratedModels:
    """The models that `generate` writes from a catalog."""

    def __init__(self, sources: Mapping[str, Any], catalog: Iterable[Row]) -> None:
        self.sources = sources
        (self.source,) = sources
        self.files, _ = generate(catalog, sources)
        self.stagings = [
            {"source": self.source, "table": meta["table"], "relation": Relation(name)}
            for name, meta in self._described("staging")
        ]

    def _described(self, folder: str) -> list[tuple[str, dict[str, Any]]]:
        models = [
            yaml.safe_load(content)["models"][0]
            for path, content in sorted(self.files.items())
            if path.startswith(f"models/{folder}/") and path.endswith(".yml")
        ]
        return [(one["name"], one["config"]["meta"]["debezium_spark"]) for one in models]

    def path(self, name: str) -> str:
        """Return the path of a staging model's file."""
        return f"models/staging/{self.source}/{name}.sql"

    def macros(self, catalog: Iterable[Row], topics: Iterable[Row] = (), **more: Any) -> Macros:
        """Return the macros of a run that finds this catalog, and topics that carried this."""
        nodes = [
            {
                "name": name,
                "raw_code": self.files[self.path(name)],
                "meta": {"debezium_spark": meta},
            }
            for name, meta in self._described("staging")
        ]
        queries = {
            "catalog_row": _answers(catalog),
            "recorded_schema": _answers(map(recorded, topics)),
        }
        return Macros(self.sources, queries, nodes, running=True, **more)

    def changes(
        self, catalog: Iterable[Row], topics: Iterable[Row] = (), **more: Any
    ) -> list[SimpleNamespace]:
        """Return what the catalog says that the models do not."""
        macros = self.macros(catalog, topics, **more)
        declared = macros._declarations(self.stagings)
        found = macros.source_changes(self._catalog(), declared)
        self.logged = macros.events
        return [SimpleNamespace(**one) for one in found]

    def _catalog(self) -> dict[str, str]:
        return {"source": self.source, "columns": "the_columns", "schemas": "the_schemas"}

    def view(self, catalog: Iterable[Row], stagings: Sequence[Row] | None = None) -> str:
        """Return the SQL of the view."""
        return str(
            self.macros(catalog).obs_drift(
                stagings=self.stagings if stagings is None else stagings,
                catalogs=[self._catalog()],
            )
        )


def _answers(catalog: Iterable[Row]) -> list[tuple[str]]:
    return [(json.dumps(row),) for row in catalog]
