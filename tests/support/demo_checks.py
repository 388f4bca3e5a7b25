"""What must hold for every simulated demo, whatever its connector."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tests.reference import KafkaRecord
from tests.simulator.__main__ import main
from tests.support.paths import DEMO


def check_payloads_fit_their_schemas(records: Iterable[KafkaRecord]) -> None:
    """Every member of a payload is a field of the schema beside it, and the reverse for images."""
    for record in records:
        if record.value is None:
            continue
        value = json.loads(record.value)
        fields = {node["field"]: node for node in value["schema"]["fields"]}
        for name, content in value["payload"].items():
            assert name in fields
            if name in ("before", "after", "source") and content is not None:
                assert set(content) == {node["field"] for node in fields[name]["fields"]}


def check_committed_demo(connector: str, folder: Path) -> None:
    """The committed files of a demo are what the command writes into an empty folder."""
    demo = DEMO / connector
    main(["--seed", "1", "--connector", connector, "--out", str(folder)])
    written = {path.relative_to(folder): path for path in folder.rglob("*.json*")}
    committed = {path.relative_to(demo): path for path in demo.rglob("*.json*")}
    assert set(written) == set(committed)
    for name, path in written.items():
        assert path.read_text("utf-8") == committed[name].read_text("utf-8"), name
    assert sum(path.stat().st_size for path in committed.values()) < 1_000_000
