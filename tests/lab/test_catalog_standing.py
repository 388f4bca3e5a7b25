"""The current layout is the one furthest in the source's log, not the one that came last."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.support.blocks import source_options
from tests.support.catalog_run import CatalogRun
from tests.support.embedded_records import field, table_record
from tests.support.examples import compact
from tests.support.schema_topic import CONNECTORS, Source, options

OLD, NEW = ["id"], ["id", "added"]


@pytest.fixture
def read(spark):
    def landed(connector, *batches, **more):
        return CatalogRun(spark, {"erp": options(connector, **more)}).read(*batches)

    return landed


def current(run):
    return [name for (name,) in run.columns("column_name", where=lambda row: row["is_current"])]


@pytest.mark.parametrize("cut", [False, True], ids=["one batch", "cut"])
@pytest.mark.parametrize("connector", CONNECTORS)
def test_inside_a_repeated_stretch_the_newer_layout_stays_current(read, connector, cut):
    source = Source(connector)
    old = source.row("t", OLD, at=999_900)
    # the numbers get longer: 999900 → 1000000, and binlog.000999 → binlog.001000
    new = source.row("t", NEW, at=1_000_000)
    repeated = source.again(old)
    batches = [[old, new], [repeated]] if cut else [[old, new, repeated]]

    assert current(read(connector, *batches)) == NEW


def test_a_binlog_file_beyond_six_digits_is_the_later_one(read):
    source = Source("mysql")
    old = source.row("t", OLD, at=999_999_900)
    new = source.row("t", NEW, at=1_000_000_235)

    assert '"binlog.1000000"' in new["value"] and '"binlog.999999"' in old["value"]
    assert current(read("mysql", [old, new, source.again(old)])) == NEW


@pytest.mark.parametrize("connector", CONNECTORS)
def test_a_column_added_and_dropped_again_leaves_the_old_layout_current(read, connector):
    source = Source(connector)
    rows = [
        source.row("t", OLD, at=10),
        source.row("t", NEW, at=20),
        source.row("t", OLD, at=30),
    ]
    run = read(connector, rows, [source.again(rows[1])])

    assert (current(run), len(run.columns("version"))) == (OLD, 3)


@pytest.mark.parametrize("connector", CONNECTORS)
def test_records_of_one_position_go_by_arrival(read, connector):
    source = Source(connector)

    assert (
        current(read(connector, [source.row("t", OLD, at=10), source.row("t", NEW, at=10)])) == NEW
    )


@pytest.mark.parametrize("cut", [False, True], ids=["one batch", "cut"])
@pytest.mark.parametrize("connector", CONNECTORS)
def test_a_full_snapshot_of_a_database_that_started_again_lower_counts(read, connector, cut):
    source = Source(connector)
    before = [source.row("t", OLD, at=5000)]
    after = [
        source.row("t", NEW, at=100, snapshot="true", op="r"),
        source.row("t", [*NEW, "more"], at=150),
    ]
    batches = [before, after] if cut else [before + after]

    assert current(read(connector, *batches)) == [*NEW, "more"]


def test_an_incremental_read_opens_no_new_life(read):
    source = Source("mysql")
    rows = [
        source.row("t", NEW, at=5000),
        source.row("t", OLD, at=100, snapshot="incremental", op="r"),
    ]

    assert current(read("mysql", rows)) == NEW


@pytest.mark.parametrize("connector", CONNECTORS)
def test_a_configured_epoch_counts_before_the_position(read, connector):
    source = Source(connector)
    old, new = source.row("t", OLD, at=5000), source.row("t", NEW, at=100)
    boundary = datetime.fromtimestamp(new["timestamp"] / 1000, UTC).isoformat()

    assert current(read(connector, [old, new])) == OLD
    assert current(read(connector, [old, new], epochs=[{"from": boundary}])) == NEW
    offsets = {"topic": new["topic"], "offsets": {"0": new["offset"]}}
    assert current(read(connector, [old, new], epochs=[offsets])) == NEW


def test_in_a_later_epoch_a_layout_known_before_stands_where_it_was_seen_last(read):
    source = Source("sqlserver")
    rows = [
        source.row("t", OLD, at=5000),
        source.row("t", OLD, at=100),
        source.row("t", NEW, at=200),
    ]
    boundary = datetime.fromtimestamp(rows[1]["timestamp"] / 1000, UTC).isoformat()

    assert current(read("sqlserver", rows, epochs=[{"from": boundary}])) == NEW


def test_a_topic_created_anew_counts_by_its_incarnation(read):
    source = Source("sqlserver")
    old, new = source.row("t", OLD, at=5000), source.row("t", NEW, at=100) | {"offset": 0}
    boundary = datetime.fromtimestamp(new["timestamp"] / 1000, UTC).isoformat()

    assert current(read("sqlserver", [old, new], incarnations=[boundary])) == NEW


def test_a_definition_and_a_key_delivered_again_do_not_win_either(read):
    source = Source("sqlserver")
    first = source.define("CREATE", "t", ["id", "a"], ("id",), at=5)
    second = source.define("ALTER", "t", ["id", "a"], ("a",), at=9)
    run = read("sqlserver", [first, second], [source.again(first)])

    assert run.columns("column_name", "is_key") == [("id", False), ("a", True)]


def postgresql(spark, *records):
    return CatalogRun(spark, {"shop": source_options(prefix="PostgreSQL_server")}).read(records)


def postgresql_row(names, offset, *, lsn, sequence, **source):
    record = table_record([field(name) for name in names], offset=offset)
    members = {"table": "t", "lsn": lsn, "sequence": sequence, **source}
    block = compact(members)[1:-1]
    return record | {"value": record["value"].replace('"table":"t"', block)}


def test_postgresql_goes_by_lsn_whatever_the_commit_before_says(spark):
    run = postgresql(
        spark,
        postgresql_row(OLD, 0, lsn=99, sequence='["50","99"]'),
        postgresql_row(NEW, 1, lsn=100, sequence='["99","100"]'),
        # a repeat begins with another commit
        postgresql_row(OLD, 2, lsn=99, sequence='["4000","99"]'),
    )

    assert current(run) == NEW


def test_incremental_reads_of_postgresql_stand_where_the_stream_stood(spark):
    run = postgresql(
        spark,
        postgresql_row(OLD, 0, lsn=99, sequence='["50","99"]'),
        postgresql_row(NEW, 1, lsn=None, sequence='["99","120"]', snapshot="incremental"),
        postgresql_row(OLD, 2, lsn=99, sequence='["50","99"]'),
    )

    assert current(run) == NEW


def test_positions_are_read_from_records_with_blanks_and_from_those_without_schemas(spark):
    source = Source("mysql")
    new = source.define("ALTER", "t", NEW, at=20)
    old = source.define("CREATE", "t", OLD, at=10)
    spaced = old | {"value": old["value"].replace('"source":{', '"source" : {')}
    run = CatalogRun(spark, {"erp": options("mysql")})
    run.land([new, spaced])

    assert current(run.build()) == NEW


def test_a_row_that_quotes_a_source_block_does_not_pass_for_one(spark):
    source = Source("mysql")
    old = source.row("t", OLD, at=10)
    quoted = compact({"source": {"file": "binlog.999999", "pos": 1, "row": 0}})
    liar = old | {
        "value": old["value"].replace('"after":{}', f'"after":{{"id":{compact(quoted)}}}')
    }
    run = CatalogRun(spark, {"erp": options("mysql")})
    run.land([liar, source.row("t", NEW, at=20)])

    assert liar != old
    assert current(run.build()) == NEW
