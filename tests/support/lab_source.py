"""A whole source in the lab: records are landed and catalogued, models generated and run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml
from pyspark.sql import Row, SparkSession

from dbt_debezium_spark.generator.staging_call import staging_call
from reference import KafkaRecord
from tests.support.lab import Lab, LabMacros
from tests.support.raw import raw_row
from tests.support.table_columns import is_of_table


class LabRelation(str):
    """Name of a view of the lab, with the name of its model."""

    identifier: str

    def __new__(cls, lab: Lab, model: str) -> LabRelation:
        """Return the relation of a model."""
        relation = super().__new__(cls, lab.name(model))
        relation.identifier = model
        return relation


class LabSource:
    """One source, from its records to its current tables, as `generate` and dbt build them."""

    def __init__(
        self,
        session: SparkSession,
        name: str,
        block: Mapping[str, Any],
        lab: Lab | None = None,
    ) -> None:
        """Begin without records, in a lab of its own where none is given."""
        self.lab = lab or Lab(session)
        self.name = name
        self.sources = {name: {"input": {"type": "files", "path": "records"}, **block}}
        self.models: dict[str, dict[str, Any]] = {}
        self.messages: list[str] = []
        self.batch = 0

    def configure(self, **options: Any) -> None:
        """Change options of the source."""
        self.sources[self.name] = {**self.sources[self.name], **options}

    def land(self, records: Iterable[KafkaRecord], *, catalogues: bool = True) -> None:
        """Land a batch and bring the catalog up to date, as each build does."""
        rows = [raw_row(record, self.batch + 1) for record in records]
        self.land_rows(rows, catalogues=catalogues)

    def land_rows(self, rows: Sequence[tuple[Any, ...]], *, catalogues: bool = True) -> None:
        """Land rows of the raw table, which are of the next batch."""
        self.batch += 1
        self.lab.append("raw", self.lab.rows(rows))
        if catalogues:
            self.catalogue()

    def catalogue(self) -> None:
        """Read the landed records into the catalog."""
        self.lab.read_schemas(self.sources, self.name, "raw", "schemas")
        macros = self.lab.macros(self.sources, "schemas")
        sql = macros.catalog_columns(source=self.name, schemas=self.lab.name("schemas"))
        self.lab.put("columns", self.lab.session.sql(sql))

    def generate(self) -> dict[str, str]:
        """Write the models that the catalog asks for, and return their texts by path."""
        results = self._macros().generate(source=self.name, part="tables")
        self.messages = [one["message"] for one in results if one["kind"] != "file"]
        files = {one["path"]: one["content"] for one in results if one["kind"] == "file"}
        described = [
            yaml.safe_load(text)["models"][0]
            for path, text in sorted(files.items())
            if path.startswith("models/staging/") and path.endswith(".yml")
        ]
        self.models = {
            one["name"]: {
                **one["config"]["meta"]["debezium_spark"],
                "text": files[f"models/staging/{self.name}/{one['name']}.sql"],
            }
            for one in described
        }
        self.lab.models = [
            {"name": model, "raw_code": one["text"], "meta": {"debezium_spark": one}}
            for model, one in self.models.items()
        ]
        return files

    def run(self) -> dict[str, dict[str, Any]]:
        """Run staging and state of every model; returns what staging said, by table."""
        return {one["table"]: self._run(model, one) for model, one in self.models.items()}

    def build(self) -> None:
        """Generate, then run."""
        self.generate()
        self.run()

    def current(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return the rows of every table, in the order of their texts."""
        return {one["table"]: self._current(model) for model, one in self.models.items()}

    def staged(self, table: str) -> list[Row]:
        """Return the staged records of a table in the order of their offsets."""
        staging = self.lab.tables[self.lab.name(self._model(table))]
        return staging.orderBy("_cdc_topic", "_cdc_offset").collect()

    def state(self, table: str) -> list[Row]:
        """Return the rows of a table's state, dead ones included."""
        return self.lab.tables[self.lab.name(f"state_{self._model(table)}")].collect()

    def has_key(self, table: str) -> bool:
        """Tell whether a table's rows have a key."""
        return bool(self._call(self._model(table))["key"])

    def _model(self, table: str) -> str:
        (model,) = (model for model, one in self.models.items() if one["table"] == table)
        return model

    def drift(self) -> list[Row]:
        """Return what `debezium_obs__drift` shows."""
        stagings = [
            {
                "source": self.name,
                "table": one["table"],
                "relation": LabRelation(self.lab, model),
            }
            for model, one in self.models.items()
        ]
        catalog = {
            "source": self.name,
            "columns": self.lab.name("columns"),
            "schemas": self.lab.name("schemas"),
        }
        sql = self._macros().obs_drift(stagings=stagings, catalogs=[catalog])
        return self.lab.session.sql(sql).orderBy("table_name", "change").collect()

    def _macros(self) -> LabMacros:
        macros = LabMacros(self.lab, self.sources, "none", self.lab.models)
        known = {f"catalog_{self.name}__{one}": one for one in ("columns", "schemas")}
        known[f"raw_{self.name}"] = "raw"
        macros._macros["_model_relation"] = lambda name: (
            self.lab.name(known[name]) if name in known else None
        )
        return macros

    def _run(self, model: str, about: Mapping[str, Any]) -> dict[str, Any]:
        call = self._call(model)
        decisions = self.lab.stage(
            self.sources,
            self.name,
            "raw",
            model,
            table=about["table"],
            schemas=self.lab.name("schemas"),
            **{name: call[name] for name in call if name != "image_columns"}
            | {"columns": call["image_columns"]},
        )
        columns = self._columns(call)
        self.lab.fold(
            self.sources,
            self.name,
            model,
            f"state_{model}",
            table=about["table"],
            key=[one["name"] for one in call["key"]],
            columns=columns,
        )
        return decisions

    def _call(self, model: str) -> dict[str, Any]:
        """Return the arguments with which a staging model calls its macro."""
        call = staging_call(self.models[model]["text"], lambda name, default=None: default)
        assert call is not None
        return call

    def _columns(self, call: Mapping[str, Any]) -> list[str]:
        decoded = self.lab.macros(self.sources, "").decoded_columns(self.name, call["columns"])
        return [one["name"] for one in decoded]

    def _current(self, model: str) -> list[tuple[Any, ...]]:
        call = self._call(model)
        sql = self.lab.macros(self.sources, "").current(
            state=self.lab.name(f"state_{model}"),
            columns=self._columns(call),
            keyless=not call["key"],
        )
        rows = self.lab.session.sql(sql).collect()
        names = [name for name in (rows[0].asDict() if rows else ()) if is_of_table(name)]
        return sorted((tuple(row[name] for name in names) for row in rows), key=repr)
