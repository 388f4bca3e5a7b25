"""The tables of a MongoDB collection over records that a test lands; in a lab, without dbt.

`documents_project.py` has the same of a dbt project.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pyspark.sql import DataFrame

from dbt_debezium_spark.mongodb.document_versions import plan_versions
from dbt_debezium_spark.mongodb.documents import plan_fold, state_rows
from dbt_debezium_spark.mongodb.fields import read_fields
from reference import KafkaRecord
from tests.support.blocks import source_options
from tests.support.lab import Lab
from tests.support.lab_versions import write_versions
from tests.support.raw import raw_row

COLLECTION = "inventory.customers"
TOPIC = "content.inventory.customers"


def columns_of(fields: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the columns of current documents."""
    return ["_id", "document", *(field["name"] for field in fields)]


class Documents(ABC):
    """The tables of one collection: staged events, state and current documents."""

    @abstractmethod
    def land(self, records: Iterable[KafkaRecord], batch: int) -> None:
        """Land records as one batch."""

    @abstractmethod
    def run(self) -> None:
        """Bring all tables up to date."""

    @abstractmethod
    def rows(self, layer: str) -> list[dict[str, Any]]:
        """Return the rows of `stg`, `state` or `cur`."""

    def documents(self) -> dict[str, str]:
        """Return the live documents by `_id`."""
        found = [(row["_id"], row["document"]) for row in self.rows("cur")]
        assert len(dict(found)) == len(found), "cur_ has an _id twice"
        return dict(found)

    def incomplete(self) -> set[str]:
        """Return the ids of live documents whose base is missing."""
        rows = self.rows("state")
        return {row["_cdc_key"] for row in rows if "document" in (row["_cdc_unavailable"] or ())}

    def replays(self) -> dict[str, tuple[int, int]]:
        """Return replays and unexplained ones, by key, of keys that have any."""
        return {
            row["_cdc_key"]: (row["_cdc_fold_replays"], row["_cdc_fold_unexplained"])
            for row in self.rows("state")
            if row["_cdc_fold_replays"]
        }


class LabDocuments(Documents):
    """The tables of one collection in a lab."""

    def __init__(
        self,
        lab: Lab,
        *,
        topics: Sequence[str] = (TOPIC,),
        fields: Sequence[Mapping[str, str]] = (),
        options: Mapping[str, Any] | None = None,
        collection: str = COLLECTION,
        origins: Sequence[Mapping[str, str]] = (),
        schemas: str | None = None,
    ) -> None:
        """Begin without records; `schemas`: the view of the catalog, where topics are shared."""
        self._lab = lab
        self._model = {
            "table": collection,
            "origins": [dict(one) for one in origins],
            "schemas": schemas,
        }
        self._topics = list(topics)
        self._fields = [dict(field) for field in fields]
        self._sources = {"sim": source_options("mongodb", "content", **(options or {}))}
        lab.append("raw", lab.rows([]))

    def land(self, records: Iterable[KafkaRecord], batch: int) -> None:
        """Land records as one batch."""
        self.land_rows([raw_row(record, batch) for record in records])

    def land_rows(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Land rows of the raw table."""
        self._lab.append("raw", self._lab.rows(rows))

    def run(self) -> None:
        """Stage what landed, and fold it."""
        self._lab.stage_documents(
            self._sources, "sim", "raw", "stg", topics=self._topics, **self._model
        )
        self._fold()

    def rows(self, layer: str) -> list[dict[str, Any]]:
        """Return the rows of `stg`, `state`, `cur`, or `all` where there is a change feed."""
        macros = self._lab.macros(self._sources, layer)
        state, columns = self._lab.name("state"), columns_of(self._fields)
        if layer == "cur":
            frame = self._lab.session.sql(macros.current(state=state, columns=columns))
        elif layer == "all":
            table = self._model["table"]
            frame = self._lab.session.sql(
                macros.feed(source="sim", table=table, state=state, columns=columns)
            )
        else:
            frame = self._lab.tables[self._lab.name(layer)]
        return [row.asDict() for row in frame.collect()]

    def keep_versions(self) -> None:
        """Do what the materialization `debezium_document_versions` does, writing apart."""
        lab = self._lab
        macros = lab.macros(self._sources, "versions")
        staging = lab.name("stg")
        fingerprints = [macros._property(staging, macros._fingerprint_property())]
        context = macros.document_version_context(
            macros.source_config("sim"),
            self._model["table"],
            self._fields,
            lab.name("versions"),
            fingerprints,
        )
        written = plan_versions(lab.session, lab.tables[staging], context)
        if written is None:
            return
        if written.is_replaced:
            lab.put("versions", written.rows)
        else:
            statements = [{"when": when, "sql": sql} for when, sql in written.statements]
            write_versions(lab, "versions", written.rows, statements)

    def versions(self) -> DataFrame:
        """Return what the history shows."""
        lab = self._lab
        macros = lab.macros(self._sources, "hist")
        config, table = macros.source_config("sim"), self._model["table"]
        return lab.session.sql(
            macros.stored_versions(
                lab.name("versions"),
                columns_of(self._fields),
                macros.history_options(config, table) or {},
            )
        )

    def _fold(self) -> None:
        """Do what the materialization `debezium_documents` does, writing apart."""
        lab = self._lab
        macros = lab.macros(self._sources, "state")
        config = macros.source_config("sim")
        staging, state = lab.name("stg"), lab.name("state")
        fingerprints = [macros._property(staging, macros._fingerprint_property())]
        configuration = macros.document_fingerprint(config, self._fields, fingerprints)
        checkpoint = macros.read_checkpoint()
        has_state = checkpoint is not None and checkpoint["configuration"] == configuration
        held = (state, checkpoint["batch_id"]) if has_state else (None, None)
        context = {
            "has_state": has_state,
            "is_empty": False,
            "checkpoint": checkpoint or {},
            "configuration": configuration,
            "staging": "debezium_staged_events",
            "sql": macros.document_fold(config, "debezium_staged_events", *held),
        }
        plan = plan_fold(lab.session, lab.tables[staging], context)
        if plan is None:
            return
        rows = state_rows(lab.session, plan, read_fields(self._fields))
        (lab.put if plan.is_replaced else lab.merge)("state", rows)
