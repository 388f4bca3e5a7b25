"""What the history of a collection hands to Python, in bare Jinja, and rows of a walk."""

from __future__ import annotations

import json
from typing import Any

from dbt_debezium_spark.mongodb.document_versions import document_versions
from dbt_debezium_spark.mongodb.fields import Field
from dbt_debezium_spark.mongodb.lives import HistoryOptions
from tests.support.blocks import source_options
from tests.support.documents import COLLECTION
from tests.support.macros import Macros
from tests.unit.test_mongodb_documents import change, event

N = {"name": "n", "path": "n", "type": "json"}


def context(history: Any, checkpoint: dict[str, Any] | None = None) -> dict[str, Any]:
    options = {"tables": {COLLECTION: {"history": history}}}
    macros = Macros(
        {"sim": source_options("mongodb", "content", **options)}, this="versions", running=True
    )
    macros._macros["read_checkpoint"] = lambda: checkpoint
    config = macros.source_config("sim")
    found: dict[str, Any] = macros.document_version_context(
        config, COLLECTION, [N], "versions", ["staged"]
    )
    return found


def test_a_history_is_built_again_when_an_option_changes_its_rows() -> None:
    first = context(True)
    assert not first["has_state"]
    known = {"configuration": first["configuration"], "batch_id": 4}
    assert context(True, known)["has_state"]
    # only the view shows these
    assert context({"first_from": "1900-01-01", "names": "dbt"}, known)["has_state"]
    for options in ({"deleted_rows": True}, {"track": ["n"]}, {"keep": "1 day"}):
        assert not context(options, known)["has_state"]


def test_the_table_has_the_columns_of_its_options() -> None:
    names = [name for name, _ in context(True)["columns"]]
    assert names[:4] == ["_id", "document", "n", "_cdc_key"]
    assert len({*names}) == len(names)
    assert "_cdc_gap_to" not in names
    assert "_cdc_gap_to" in [name for name, _ in context({"deleted_rows": True})["columns"]]
    assert context({"track": ["n"]})["tracked"] == ["n"]
    assert context({"ignore": ["n"]})["tracked"] == ["_id", "document"]


def staged(*events: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"tx": None, "tx_id": None, **one} for one in events]


def test_each_change_of_a_document_is_a_version_with_its_typed_columns() -> None:
    events = staged(
        event("1", "c", 1, after=json.dumps({"_id": 1, "n": 1})),
        event("1", "u", 2, update_description=change('{"n": 2}')),
        event("2", "u", 3, update_description=change('{"n": 3}')),
        event("2", "d", 4),
    )

    rows = list(document_versions(iter(events), [Field("n", "n", "int")], HistoryOptions()))

    told = [(row["_cdc_key"], row["n"], row["_cdc_ended_by"], row["_cdc_unavailable"])
            for row in rows if "n" in row and row.get("_cdc_ended_by")]  # fmt: skip
    assert told == [("1", 1, "update", None), ("2", 3, "delete", ["document"])]
