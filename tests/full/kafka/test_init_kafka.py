"""`debezium-spark init` with a real broker: the topic prefix comes from the topics."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from dev.servers.kafka import Broker
from tests.support.kafka_topics import Topics

pytestmark = pytest.mark.slow


def init(folder: Path, brokers: str) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).with_name("debezium-spark"), "init", "new", "--source", "s"]
    command += ["--connector", "postgresql", "--input", f"kafka://{brokers}"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def event(prefix: str, connector: str = "postgresql") -> str:
    source = {"name": prefix, "connector": connector, "schema": "public", "table": "orders"}
    return json.dumps({"op": "c", "after": {"id": 1}, "source": source})


def test_the_topics_of_a_broker_tell_the_prefix(tmp_path: Path) -> None:
    (tmp_path / "broker").mkdir()
    with Broker(tmp_path / "broker") as broker:
        topics = Topics(broker.address)
        empty = init(tmp_path, broker.address)
        assert empty.returncode == 2
        assert "no record in kafka://" in empty.stderr, empty.stderr
        assert not (tmp_path / "new").exists()

        topics.create("public.orders", partitions=2)
        topics.create("other")
        # the first of many records tell enough
        topics.send("public.orders", [event(topics.prefix)] * 2_500, partition=1)
        topics.send("other", ["no JSON", b"\x00\x00\x00\x00\x07\xff"])
        result = init(tmp_path, broker.address)
        again = init(tmp_path, broker.address)

    assert result.returncode == 0, result.stderr
    (looked,) = [one for one in result.stdout.splitlines() if one.startswith("Looked")]
    assert looked == (
        f"Looked into 2 of 3 partitions: 1,999 records, 1 table, topic prefix {topics.prefix},"
        " connector postgresql"
    )
    assert "Not read: 1 row: bad_value: " in result.stdout
    project = yaml.safe_load((tmp_path / "new" / "dbt_project.yml").read_text())
    source = project["vars"]["debezium_sources"]["s"]
    assert source["topic_prefix"] == topics.prefix
    assert source["input"] == {"type": "kafka", "brokers": broker.address}
    # now in a project that exists
    assert again.returncode == 2
    assert "already has a source `s`" in again.stderr
    assert not (tmp_path / "new" / ".lakehouse").exists()


def test_a_broker_that_does_not_answer_is_told_with_the_remedy(tmp_path: Path) -> None:
    result = init(tmp_path, "127.0.0.1:1")

    assert result.returncode == 2
    assert "Spark was to look into `kafka://127.0.0.1:1`, and this failed: " in result.stderr
    assert "imeout" in result.stderr or "imed out" in result.stderr, result.stderr
    assert "Add --topic-prefix" in result.stderr
    assert list(tmp_path.iterdir()) == []
