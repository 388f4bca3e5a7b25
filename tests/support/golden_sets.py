"""The golden sets: example records, the catalog they make and the files generated from it.

`tests/golden/<connector>/catalog.jsonl` is what Spark makes of the records (tests/spark), and what
the renderer starts from; its files are beside it (tests/unit). `UPDATE_GOLDEN=1 pytest …` rewrites
both: first tests/lab/test_catalog_golden.py, then tests/unit/test_generator_golden.py.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.paths import GOLDEN

UPDATES = os.environ.get("UPDATE_GOLDEN") == "1"


@dataclass(frozen=True)
class GoldenSet:
    """One source with everything that is known of it."""

    source: str
    options: dict[str, Any]
    examples: tuple[str, ...]

    @property
    def folder(self) -> Path:
        return GOLDEN / str(self.options["connector"])

    @property
    def sources(self) -> dict[str, Any]:
        return {self.source: self.options}

    def catalog(self) -> list[dict[str, Any]]:
        text = (self.folder / "catalog.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]


SETS = (
    GoldenSet(
        "shop",
        {
            "connector": "postgresql",
            "topic_prefix": "PostgreSQL_server",
            "input": {"type": "files", "path": "data/shop/*.jsonl"},
            "tables": {
                "public.audit_log": {
                    "replica_identity": "full",
                    "columns": [
                        {"name": "who", "type": "string"},
                        {"name": "what", "type": "string"},
                    ],
                }
            },
        },
        (
            "postgres_3.6_types_with_schema",
            "postgres_3.6_update_unavailable_toast_with_schema",
            "postgres_2.1.4_create_with_schema",
            "seq_postgres_no_primary_key",
        ),
    ),
    GoldenSet(
        "erp",
        {
            "connector": "sqlserver",
            "topic_prefix": "server1",
            "input": {"type": "files", "path": "data/erp/*.jsonl"},
        },
        (
            "sqlserver_2.1.4_schema_change_create_from_seed",
            "sqlserver_2.1.4_schema_change_alter_with_schema",
            "sqlserver_2.1.4_update_payload_only",
            "sqlserver_3.6_types_with_schema",
        ),
    ),
)
