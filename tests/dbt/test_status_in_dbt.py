"""`debezium-spark status` in a project: what is wrong, its exit code, the page, freshness."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.text.literals import argument_text
from tests.cases.log import Log
from tests.support.examples import START_MS
from tests.support.landed import LandedProject
from tests.support.models import table_models

COLUMNS = [{"name": "id", "type": "int32"}, {"name": "v", "type": "string"}]
TABLES = {"well": "public.well", "odd": "public.<b>{{ x }}"}
RAWS = "raws=[('shop', ref('raw_shop'))]"
START = datetime.fromtimestamp(START_MS / 1000, UTC)
RAW = "{{ config(materialized='table', file_format=%r) }}\nselect * from {{ target.schema }}.landed"


def stagings(more: str = "") -> str:
    entries = (
        f"{{'source': 'shop', 'table': {json.dumps(table)}, 'relation': ref('stg_{name}')"
        f"{more.format(name)}}}"
        for name, table in TABLES.items()
    )
    return f"stagings=[{', '.join(entries)}]"


VIEWS = {
    "tables": f"{RAWS}, {stagings(', {}: ref({})')}",
    "quarantine": f"{RAWS}, {stagings()}",
}


def properties() -> str:
    """Return the properties of the models, as `generate` writes them, and of a dbt source."""
    models: list[Any] = [
        {"name": "raw_shop", "config": {"meta": {"debezium_spark": {"source": "shop"}}}}
    ]
    for name, table in TABLES.items():
        meta = {"source": "shop", "table": argument_text(table), "model": name}
        for layer in ("stg", "state", "cur"):
            model = {"name": f"{layer}_{name}", "config": {"meta": {"debezium_spark": meta}}}
            models.append(model)
    models[-1]["columns"] = [{"name": "v", "data_tests": ["not_null"]}]
    query = "{{ debezium_spark.source_freshness('shop') }}"
    freshness = {"error_after": {"count": 1, "period": "hour"}}
    table = {"name": "raw_shop", "config": {"loaded_at_query": query, "freshness": freshness}}
    source = {"name": "shop", "schema": "{{ target.schema }}", "tables": [table]}
    return yaml.safe_dump({"models": models, "sources": [source]})
