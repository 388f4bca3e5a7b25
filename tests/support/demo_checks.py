"""What must hold for every simulated demo, whatever its connector."""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from dev.simulator.__main__ import main
from reference import KafkaRecord
from tests.property.plain_values import comparable
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


def columns_of(records: Iterable[KafkaRecord]) -> dict[str, Any]:
    """Return the columns of a table as its records describe them, by name."""
    columns: dict[str, Any] = {}
    for record in records:
        if record.value:
            images = json.loads(record.value)["schema"]["fields"]
            columns |= {
                node["field"]: node | {"semantic": node.get("name")} for node in images[1]["fields"]
            }
    return columns


def plain(value: Any) -> str:
    """Return numbers, times and moments of either side as one text; a moment has microseconds."""
    text = comparable(value).removeprefix("'").removesuffix("'").removeprefix("decimal ")
    if text.startswith("datetime.date("):
        return str(value)
    if text[4:5] == "-" and "T" in text or text.count(":") == 2:
        head, _, fraction = text.removesuffix("Z").partition(".")
        return f"{head}.{fraction[:6]:0<6}"
    if text.startswith("x"):
        return text[1:]
    try:
        return f"{Decimal(text).normalize():f}"
    except ArithmeticError:
        return text


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
