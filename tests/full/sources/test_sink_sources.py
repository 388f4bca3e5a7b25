"""A simulated source, written as sinks of Kafka Connect would have, equals its truth."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dev.demo.__main__ import Source, compare_source
from tests.support.generated_project import GeneratedProject
from tests.support.paths import REPOSITORY
from tests.support.shop import differences
from tests.support.sink_writer import write_aiven, write_connect, write_lenses

pytestmark = [pytest.mark.slow, pytest.mark.full]

DEMO = REPOSITORY / "dev" / "demo" / "data" / "mariadb"
PREFIX = "web"
FIELDS = ("headers", "key", "value", "timestamp", "offset")


def records(part: str) -> list[dict[str, Any]]:
    found = []
    for line in (DEMO / "records" / part).read_text(encoding="utf-8").splitlines():
        one = {"key": None, "headers": None, **json.loads(line)}
        for side in ("key", "value"):
            if one[side] is not None and not isinstance(one[side], str):
                one[side] = json.dumps(one[side])
        found.append(one)
    return found


def shard(one: dict[str, Any]) -> str:
    """Return the folder of a partitioner by field that keeps the events of a key together."""
    return f"shard={zlib.crc32((one['key'] or '').encode()) % 3}"


def written(folder: Path, part: list[dict[str, Any]]) -> None:
    """Write the records of one part in every layout."""
    # The simulator's schema changes lack members that Avro needs.
    changes = [one for one in part if one["topic"] == PREFIX]
    events = [one for one in part if one["topic"] != PREFIX]
    for form, ours in (("avro", events), ("string.json", changes)):
        kinds = "avro" if form == "avro" else "json"
        write_connect(folder / "keyed", ours, form=form, flush=7, keys=kinds, headers="json")
    write_connect(folder / "unkeyed", part, form="string.json", flush=5)
    write_connect(folder / "spread", part, form="json.gz", flush=9, keys="json", partitioner=shard)
    write_aiven(folder / "fields", part, fields=FIELDS, flush=6, compression=".gz")
    write_lenses(folder / "envelopes", part, flush=6)


LAYOUTS: dict[str, tuple[str, str]] = {
    "keyed": ("mariadb_keyed", "connect"),
    "unkeyed": ("mariadb_unkeyed", "connect"),
    "spread": ("mariadb_spread", "connect"),
    "fields": ("mariadb_fields", "aiven"),
    "envelopes": ("mariadb_envelopes", "lenses"),
}


@pytest.fixture
def project(
    tmp_path: Path, dbt_project_factory: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[GeneratedProject]:
    made = GeneratedProject(tmp_path / "lake", dbt_project_factory(), monkeypatch)
    monkeypatch.chdir(tmp_path)
    yield made


def test_current_tables_equal_the_truth_in_every_layout(
    project: GeneratedProject, tmp_path: Path
) -> None:
    parts = sorted(path.name for path in (DEMO / "records").glob("*.jsonl"))
    written(tmp_path / "in", records(parts[0]))
    for folder, (source, layout) in LAYOUTS.items():
        made = project.call(
            *("init", "lake", "--source", source, "--connector", "mariadb"),
            *("--input", f"in/{folder}"),
            *(("--topic-prefix", PREFIX) if folder == "keyed" else ()),
        )
        assert made.exit_code == 0, made.output
        assert f"layout: {layout}" in made.output
        assert f"topics {PREFIX}.*" in made.output
    for part in parts[1:]:
        # Offsets go on, so later parts are later files.
        written(tmp_path / "in", records(part))
        # a table is altered in the last part
        if part in (parts[1], parts[-1]):
            generated = project.generate()
            assert generated.exit_code == 0, generated.output
    built = project.dbt("build")
    assert built.success, built.text

    spark = project.project.spark
    used = spark.sql("select current_schema()").first()[0]
    spark.sql(f"use `{project.project.schema}`")
    try:
        for source, _ in LAYOUTS.values():
            compared = compare_source(spark, Source(source, "mariadb", ""))
            assert not differences([one for one, _ in compared]), source
    finally:
        if used:  # a session may begin in none
            spark.sql(f"use `{used}`")
    before = [project.project.version(f"raw_{source}") for source, _ in LAYOUTS.values()]
    assert project.dbt("build").success
    after = [project.project.version(f"raw_{source}") for source, _ in LAYOUTS.values()]
    assert after == before
