"""What `debezium_obs__drift` says of a table that changed since its models were generated."""

from __future__ import annotations

import json

import pytest

from tests.support.drift_harness import GeneratedModels
from tests.support.generated_text import SHOP, row, shop

DECIMAL = "org.apache.kafka.connect.data.Decimal"
MICRO = "io.debezium.time.MicroTimestamp"
NANO = "io.debezium.time.NanoTimestamp"
MYSQL = shop(connector="mysql")
BUILD = "debezium-spark generate, then dbt build --select stg_shop__customers+"
REBUILD = (
    f"{BUILD} --vars 'debezium_incompatible_changes: rebuild'"
    " once those who read the tables are ready for it"
)


def column(name, kind="string", position=2, *, schema=None, **changes):
    node = {"type": kind, "field": name, **(schema or {})}
    said = {"connect_type": kind, "schema_json": json.dumps(node), **changes}
    return row(column=name, position=position, **said)


def decimal(precision, scale):
    parameters = {"scale": str(scale), "connect.decimal.precision": str(precision)}
    return {"name": DECIMAL, "parameters": parameters}


def table(*columns, key=1, **changes):
    """Return the catalog's rows of a table: a key `id`, then these columns."""
    rows = [row(key=key), *columns]
    return [{**one, "ordinal_position": place, **changes} for place, one in enumerate(rows, 1)]


def named(name, *columns, **changes):
    """Return the catalog's rows of a table of this name."""
    return table(*columns, **{"table_name": name, "topics": [f"pg.public.{name}"], **changes})


def change(before, after, sources=SHOP, **more):
    """Return the only change between the models of one catalog and another."""
    (found,) = GeneratedModels(sources, before).changes(after, **more)
    return found


def told(one):
    return one.change, one.column_name, one.modelled, one.recorded, one.is_compatible, one.remedy


REGION = column("region", is_key=True, key_position=2)
SHARD = row(column="shard", position=None, key=2)
LONG_SHARD = column("shard", "int64", position=None, is_key=True, key_position=2)
TOPICS = ["pg.public.customers", "routed"]
MILLIS = "io.debezium.time.Timestamp"


SHARED = table(topics=["routed"]) + named("orders", topics=["routed"])


def of_type(kind, **members):
    return table(column("x", kind, schema=members))


def key_in(unit):
    return table({**column("at", "int64", schema={"name": unit}, key_position=2), "is_key": True})


# before, after => change, column, as modelled, as recorded, is it compatible
CHANGES = {
    "column that was gone between two generations": (
        table(column("note")), table(column("note", gone_until="0200")),
        ("column_added_again", "note", None, "gone until 0200", True),
    ),
    "narrower number": (
        of_type("int64"), of_type("int32"), ("column_type_changed", "x", "int64", "int32", True),
    ),
    "text in place of a number": (
        of_type("int32"), of_type("string"),
        ("column_type_changed", "x", "int32", "string", False),
    ),
    "another scale": (
        of_type("bytes", **decimal(10, 2)), of_type("bytes", **decimal(12, 4)),
        ("column_type_changed", "x", f"{DECIMAL}(10,2)", f"{DECIMAL}(12,4)", False),
    ),
    "another unit": (
        of_type("int64", name=MILLIS), of_type("int64", name=MICRO),
        ("column_type_changed", "x", f"{MILLIS} (int64)", f"{MICRO} (int64)", True),
    ),
    "a unit with a text beside it": (
        of_type("int64", name=MICRO), of_type("int64", name=NANO),
        ("column_type_changed", "x", f"{MICRO} (int64)", f"{NANO} (int64)", True),
    ),
    "other items": (
        of_type("array", items={"type": "int32"}), of_type("array", items={"type": "int64"}),
        ("column_type_changed", "x", "array<int32>", "array<int64>", False),
    ),
    "key that is printed otherwise": (
        key_in(MILLIS), key_in(MICRO),
        ("column_type_changed", "at", f"{MILLIS} (int64)", f"{MICRO} (int64)", False),
    ),
    "no key any more": (
        table(REGION), table(column("region"), key=None),
        ("key_changed", None, "id, region", "no key", False),
    ),
    "first key": (
        table(column("region"), key=None), table(REGION),
        ("key_changed", None, "no key", "id, region", False),
    ),
    "field that only keys had": (
        [*table(), SHARD], table(), ("key_changed", None, "id, shard int32", "id", False),
    ),
    "another type of a field that only keys have": (
        [*table(), SHARD], [*table(), LONG_SHARD],
        ("key_changed", None, "id, shard int32", "id, shard int64", True),
    ),
    "one topic more": (
        table(), table(topics=TOPICS),
        ("topics_changed", None, "pg.public.customers", "pg.public.customers, routed", True),
    ),
    "one topic less": (
        table(topics=TOPICS), table(),
        ("topics_changed", None, "pg.public.customers, routed", "pg.public.customers", True),
    ),
    "records of another origin": (
        [row(key=1, topic_prefix="pg_1")], [row(key=1, topic_prefix="pg_2")],
        ("origin_changed", None, "pg_1.db.public.customers", "pg_2.db.public.customers", True),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CHANGES)
def test_a_change_is_told_with_what_was_modelled_and_what_is_recorded(case):
    before, after, expected = CHANGES[case]
    remedy = BUILD if expected[-1] else REBUILD

    assert told(change(before, after)) == (*expected, remedy)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # what is stricter now fits
        (table(column("x")), table(column("x", is_optional=False))),
        # the model knows of the gap
        (table(column("v", gone_until="0200")), table(column("v", gone_until="0200"))),
        # a member that the model does not name may be any
        ([row(key=1, database_name=None)], [row(key=1)]),
        # a catalog without the table says nothing of it
        (table(), []),
        # a table that came and went is none of anybody
        (table(), table() + named("orders", ended_by="dropped")),
        # one that was never generated, because it cannot be, is left to `generate`
        (table(), table() + named("clash", column("ID"))),
        (SHARED, SHARED),
    ],
)
def test_what_the_models_allow_is_no_change(before, after):
    assert GeneratedModels(SHOP, before).changes(after) == []


def test_the_policy_for_incompatible_changes_changes_the_remedy():
    found = change(
        table(column("x", "int32")),
        table(column("x", "string")),
        variables={"debezium_incompatible_changes": "rebuild"},
    )

    assert not found.is_compatible
    assert found.remedy == BUILD


def test_a_key_that_was_another_before():
    topic = {"topic": "pg.public.customers", "table_name": "customers", "schema_name": "public"}
    seen = [{**topic, "key_fields": one} for one in (["id"], ["code"])]
    models = GeneratedModels(SHOP, table(column("code")))

    code = column("code", is_key=True, key_position=1, is_optional=False)
    (late,) = models.changes(table(column("code")), seen)
    (now,) = models.changes([{**row(), "is_key": False}, code], seen)

    assert told(late) == ("key_changed", None, "id", "id (formerly code)", True, BUILD)
    assert told(now) == ("key_changed", None, "id", "code (formerly id)", False, REBUILD)


def test_a_renamed_key_column_is_the_same_key_once_that_is_declared():
    renamed = {**SHOP["shop"], "tables": {"public.customers": {"renames": {"number": "id"}}}}
    models = GeneratedModels(SHOP, table())
    after = [row(column="number", key=1)]

    added, dropped, key = sorted(models.changes(after), key=lambda one: one.change)
    assert "declare renames: {number: id}" in added.remedy
    assert (key.change, key.recorded, key.is_compatible) == ("key_changed", "number", False)

    models.sources = {"shop": renamed}
    added, dropped, key = sorted(models.changes(after), key=lambda one: one.change)
    assert added.remedy == BUILD
    assert (key.change, key.recorded, key.is_compatible) == ("key_changed", "number", True)
    assert dropped.column_name == "id"


def test_a_topic_that_another_table_shares_now():
    models = GeneratedModels(SHOP, table(topics=["routed"]))

    shared, added = models.changes(SHARED)

    assert told(shared) == (
        "topics_changed", None, "routed", "routed (shared with other tables)", True, BUILD
    )  # fmt: skip
    assert added.change == "table_added"


@pytest.mark.parametrize(
    ("ended_by", "name"), [("dropped", "table_dropped"), ("renamed to a.b", "table_renamed")]
)
def test_a_table_that_ended_is_told_until_its_models_know(ended_by, name):
    alive, ended = table(), table(ended_by=ended_by)
    found = change(alive, ended, MYSQL)

    assert told(found)[:5] == (name, None, "1 column, key id", ended_by, True)
    rows = "" if ended_by == "dropped" else " and show the rows it held"
    assert found.remedy == (f"its models stay{rows}; {BUILD} notes it in them")
    models = GeneratedModels(MYSQL, ended)
    assert models.changes(ended) == []
    text = models.files["models/current/shop/cur_shop__customers.yml"]
    assert f"was {ended_by} at the source" in text
    again = change(ended, alive, MYSQL)
    assert told(again) == ("table_added", None, ended_by, "1 column, key id", True, BUILD)


def test_a_renamed_column_is_two_changes_and_a_hint():
    before = table(column("a"), column("name"), column("z"))
    after = table(column("first"), column("a"), column("full name"), column("z"))

    added, hinted, dropped = GeneratedModels(SHOP, before).changes(after)

    assert [one.change for one in (added, hinted)] == ["column_added"] * 2
    assert (added.column_name, added.remedy) == ("first", BUILD)
    assert hinted.remedy == (
        'if full name is name renamed, first declare renames: {"full name": name}'
        f" in debezium_sources.shop.tables.public.customers; {BUILD}"
    )
    assert (dropped.change, dropped.column_name) == ("column_dropped", "name")
    assert dropped.remedy == BUILD


@pytest.mark.parametrize(
    "after",
    [table(column("other", "int32"), column("z")), table(column("z"), column("other"))],
    ids=["another type", "another place"],
)
def test_what_is_no_rename_gets_no_hint(after):
    found = GeneratedModels(SHOP, table(column("name"), column("z"))).changes(after)

    assert {one.change for one in found} == {"column_added", "column_dropped"}
    assert {one.remedy for one in found} == {BUILD}


def test_a_table_that_can_no_longer_be_generated_says_why():
    found = change(table(), table(column("ID")))

    assert (found.change, found.is_compatible) == ("column_added", False)
    assert found.remedy.startswith(
        "table 'public.customers' has the columns 'id' and 'ID', which Spark takes for one."
    )


def test_a_model_taken_over_by_hand_counts_as_it_stands():
    models = GeneratedModels(SHOP, table(column("note")))
    path = models.path("stg_shop__customers")
    models.files[path] = models.files[path].replace("{'name': 'note', 'type': 'string'},", "")

    (found,) = models.changes(table(column("note")))

    assert told(found)[:4] == ("column_added", "note", None, "string")


def test_a_model_that_does_not_tell_its_columns_is_named():
    models = GeneratedModels(SHOP, table())
    models.files[models.path("stg_shop__customers")] = "select 1 as id"

    assert models.changes(table(column("note"))) == []
    (said,) = models.logged
    assert "stg_shop__customers does not tell its columns" in said


def test_a_refused_table_in_the_topic_of_one_that_has_models_is_told():
    own = table()
    refused = [row("b", key=1), row("b", "ID", 2)]
    assert GeneratedModels(SHOP, own).changes([*own, *refused]) == []

    shared = [{**one, "topics": own[0]["topics"]} for one in refused]
    (found,) = GeneratedModels(SHOP, own).changes([*own, *shared])
    expected = ("public.b", "table_added", False)
    assert (found.table_name, found.change, found.is_compatible) == expected
    assert "which Spark takes for one" in found.remedy
