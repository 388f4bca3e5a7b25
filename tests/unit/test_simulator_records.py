"""The simulator's records look as Debezium's, and land as files do."""

from __future__ import annotations

import json
import random

import pytest

from dev.simulator import random_history, split_into_batches, to_jsonl
from dev.simulator.__main__ import main
from dev.simulator.columns import base64_decimal
from reference import fold
from tests.support.examples import messages

CONNECTORS = ("oracle", "postgresql", "sqlserver", "mysql", "mariadb")


@pytest.mark.parametrize("connector", CONNECTORS)
def test_a_seed_is_one_history(connector):
    one, other = (random_history(7, connector) for _ in range(2))
    assert one.records == other.records and one.truth == other.truth
    assert one.records != random_history(8, connector).records


@pytest.mark.parametrize("connector", CONNECTORS)
def test_many_histories_share_a_table_with_topics_and_keys_of_their_own(connector):
    histories = [
        random_history(
            seed,
            connector,
            topic=f"s{seed}.public.articles",
            key_base=seed * 100,
            key="single",
            restore="no",
            binary="hex",
            recreate_topic=False,
            truncates=False,  # they are of the whole table
        )
        for seed in range(12)
    ]
    declared = [history.declared_columns() for history in histories]
    assert all(columns == declared[0] for columns in declared)
    together = fold([r for h in histories for r in h.records], histories[0].config)
    apart = [fold(h.records, histories[0].config) for h in histories]
    assert together.rows == {key: row for one in apart for key, row in one.rows.items()}
    assert sum(len(one.rows) for one in apart) == len(together.rows) > 0


@pytest.mark.parametrize(
    ("connector", "example"),
    [
        ("postgresql", "seq_postgres_interleaved_transactions"),
        ("sqlserver", "seq_sqlserver_2.1.4_key_change"),
        ("mysql", "seq_mysql_binlog_rollover"),
        ("oracle", "oracle_2.1.4_update_lob_unavailable"),
    ],
)
def test_envelopes_have_the_members_of_the_documented_ones(connector, example):
    documented = messages(example)[0]["value"]
    line = documented["source"]["version"][:4]
    history = next(
        h
        for h in (random_history(seed, connector, schemas="without") for seed in range(99))
        if f'"version":"{line}' in (h.records[0].value or "")
    )
    envelope = json.loads(history.records[0].value or "")
    assert set(envelope) == set(documented)
    assert set(envelope["source"]) == set(documented["source"]) | {"sequence"}


@pytest.mark.parametrize("connector", CONNECTORS)
def test_an_embedded_schema_names_every_member_of_its_payload(connector):
    history = random_history(3, connector, schemas="with", key="composite", compaction=False)
    values = [json.loads(r.value) for r in history.records if r.value and '"schema":{' in r.value]
    assert values
    for value in values:
        fields = {field["field"]: field for field in value["schema"]["fields"]}
        assert set(value["payload"]) == set(fields)
        for image in ("before", "after", "source"):
            if value["payload"][image] is not None:
                assert set(value["payload"][image]) == {
                    field["field"] for field in fields[image]["fields"]
                }
    key = json.loads(history.records[0].key or "")
    assert [field["field"] for field in key["schema"]["fields"]] == list(key["payload"])


@pytest.mark.parametrize(
    ("unscaled", "text"),
    [
        (123411, "AeIT"),
        (-123411, "/h3t"),
        (-1, "/w=="),
        (0, "AA=="),
        (12345, "MDk="),
        (255, "AP8="),
    ],
)
def test_decimals_are_encoded_as_documented(unscaled, text):
    assert base64_decimal(unscaled) == text


def test_batches_can_keep_the_order_of_the_log():
    records = random_history(1, "postgresql").records
    sizes = set()
    for seed in range(20):
        batches = split_into_batches(records, random.Random(seed), late=False, duplicates=False)
        assert [record for batch in batches for record in batch] == records
        sizes.add(len(batches))
    assert {1, 2, 3} <= sizes


def test_lines_have_the_columns_of_the_raw_contract():
    records = random_history(1, "postgresql", headers="all").records
    lines = [json.loads(line) for line in to_jsonl(records).splitlines()]
    assert [line["offset"] for line in lines] == [record.offset for record in records]
    assert set(lines[0]) == {
        "topic",
        "partition",
        "offset",
        "timestamp",
        "timestampType",
        "key",
        "value",
        "headers",
    }
    assert lines[0]["timestamp"] == records[0].timestamp_ms
    assert lines[0]["headers"][0] == dict(zip(("key", "value"), records[0].headers[0], strict=True))
    timed = json.loads(to_jsonl(records[:1], iso_timestamps=True))["timestamp"]
    assert timed.endswith("Z") and "T" in timed


def test_the_source_block_declares_epochs_incarnations_and_the_replica_identity():
    history = random_history(
        5, "postgresql", restore="epoch", recreate_topic=True, full_identity=True, key="single"
    )
    block = history.source_config()
    assert block["epochs"][0]["from"].endswith("Z")
    assert len(block["incarnations"]) == 1
    assert block["tables"]["public.articles"]["replica_identity"] == "full"
    names = [column["name"] for column in block["tables"]["public.articles"]["columns"]]
    assert names[0] == "id" and history.declared_key() == [{"name": "id", "type": "int32"}]


def test_the_command_writes_a_random_history_with_its_source_block(tmp_path):
    main(["--seed", "4", "--connector", "postgresql", "--out", str(tmp_path)])
    block = json.loads((tmp_path / "source.json").read_text())
    assert block["connector"] == "postgresql" and block["topic_prefix"] == "simulated"
    lines = [
        line
        for path in sorted((tmp_path / "records").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    assert len(lines) > 5 and json.loads(lines[0])["topic"].startswith("simulated.")
