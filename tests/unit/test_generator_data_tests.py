"""Data tests and descriptions in generated properties, in bare Jinja."""

from __future__ import annotations

import json

import pytest
import yaml

from tests.unit.test_generator_macros import SHOP, generate, row

CURRENT = "models/current/shop/cur_shop__customers.yml"
ENUM = "io.debezium.data.Enum"
ERP = {"shop": {**SHOP["shop"], "connector": "sqlserver"}}
MYSQL = {"shop": {**SHOP["shop"], "connector": "mysql"}}


def text(column, position, **changes):
    schema = {"type": "string", "field": column, **changes.pop("schema", {})}
    return row(column=column, position=position, schema_json=json.dumps(schema), **changes)


def properties(rows, **arguments):
    files, messages = generate(rows, **arguments)
    assert messages == []
    (model,) = yaml.safe_load(files[CURRENT])["models"]
    return model


def data_tests_of(rows, column, **arguments):
    (found,) = [one for one in properties(rows, **arguments)["columns"] if one["name"] == column]
    return found.get("data_tests")


def test_a_column_that_no_version_lets_be_null_is_not_null():
    rows = [
        row(key=1),
        row(column="a", position=2, is_never_null=True),
        row(column="b", position=3),
    ]

    assert data_tests_of(rows, "a") == ["not_null"]
    assert data_tests_of(rows, "b") is None


@pytest.mark.parametrize(
    ("sources", "database_type", "expected"),
    [
        (SHOP, "text", None),
        (ERP, "varchar(40)", ["not_null"]),
        (ERP, "varchar(max)", None),
        (ERP, "xml", None),
        (ERP, None, None),
        (MYSQL, "LONGTEXT", ["not_null"]),
    ],
)
def test_a_value_that_the_log_may_lack_is_not_promised(sources, database_type, expected):
    rows = [row(key=1), text("a", 2, is_never_null=True, database_type=database_type)]

    assert data_tests_of(rows, "a", sources=sources) == expected


def test_postgresql_promises_all_values_of_tables_with_full_replica_identity():
    tables = {"public.customers": {"replica_identity": "full"}}
    rows = [row(key=1), text("a", 2, is_never_null=True)]

    assert data_tests_of(rows, "a", sources={"shop": {**SHOP["shop"], "tables": tables}}) == [
        "not_null"
    ]


def test_postgresql_promises_no_value_of_a_table_that_became_full():
    identity = [{"is": "full", "from": "2026-01-31T12:00:00Z"}]
    tables = {"public.customers": {"replica_identity": identity}}
    rows = [row(key=1), text("a", 2, is_never_null=True)]

    assert data_tests_of(rows, "a", sources={"shop": {**SHOP["shop"], "tables": tables}}) is None


def test_labels_that_a_definition_lists_are_the_accepted_values():
    rows = [row(key=1), text("size", 2, schema={"name": ENUM}, enum_values=["S", "1", "no", "é"])]

    assert data_tests_of(rows, "size") == [
        {"accepted_values": {"arguments": {"values": ["S", "1", "no", "é"]}}}
    ]


LABELS = {
    "it's": r"it\x27s",
    "{{ x }}": r"\x7b\x7b x \x7d\x7d",
    'var(adapter.execute("drop table t"))': (
        r"var\x28adapter.execute\x28\x22drop table t\x22\x29\x29"
    ),
    "line\nend": r"line\x0aend",
    "😀": r"\U0001f600",
}


@pytest.mark.parametrize("label", LABELS)
def test_labels_with_signs_that_dbt_or_sql_read_are_given_to_a_test_of_ours(label):
    rows = [row(key=1), text("size", 2, enum_values=["S", label])]

    assert data_tests_of(rows, "size") == [
        {"debezium_spark.accepted_texts": {"arguments": {"texts": ["S", LABELS[label]]}}}
    ]


@pytest.mark.parametrize("label", ["a,b", "a\\b"])
def test_labels_that_are_written_in_two_forms_are_not_tested(label):
    assert data_tests_of([row(key=1), text("size", 2, enum_values=["S", label])], "size") is None


def test_a_column_whose_name_dbt_would_read_is_tested_by_the_model():
    name, argument = 'ref("x")', r"ref\x28\x22x\x22\x29"
    rows = [row(column=name, key=1, is_optional=False), text("a b", 2, enum_values=["S"])]

    model = properties(rows)
    assert "data_tests" not in model["columns"][0]
    assert model["columns"][1]["data_tests"] == [
        {"accepted_values": {"arguments": {"values": ["S"]}}}
    ]
    assert model["data_tests"][:1] == [
        {"debezium_spark.never_null": {"arguments": {"columns": [argument]}}},
    ]


def test_labels_of_a_column_whose_name_dbt_would_read_are_tested_by_the_model():
    name, argument = "a`b", r"a\x60b"
    for labels, test in [
        ({"enum_values": ["S"]}, {"accepted_texts": {"column": argument, "texts": ["S"]}}),
        (
            {"enum_lists": ["S,M"]},
            {"accepted_values_of_lists": {"column": argument, "lists": ["S,M"]}},
        ),
    ]:
        model = properties([row(key=1), text(name, 2, **labels)])
        ((test_name, arguments),) = test.items()
        assert model["data_tests"][0] == {f"debezium_spark.{test_name}": {"arguments": arguments}}


@pytest.mark.covers("trap 63")
def test_labels_between_commas_are_looked_up_in_every_list_seen():
    rows = [row(key=1), text("mood", 2, schema={"name": ENUM}, enum_lists=["sad", "sad,a,b"])]

    assert data_tests_of(rows, "mood") == [
        {"debezium_spark.accepted_values_of_lists": {"arguments": {"lists": ["sad", "sad,a,b"]}}}
    ]


@pytest.mark.parametrize("several", [False, True])
def test_that_keys_are_unique_is_tested_on_the_key_of_the_record(several):
    """The case masked-key-column: all rows of the source can have one value in a key column."""
    rows = [row(key=1, is_optional=False)]
    if several:
        rows.append(row(column="part", position=2, key=2, is_optional=False))
    files, _ = generate(rows)

    assert "unique" not in files[CURRENT]
    state = files["models/state/shop/state_shop__customers.yml"]
    (key,) = yaml.safe_load(state)["models"][0]["columns"]
    assert key == {"name": "_cdc_key", "data_tests": ["not_null", "unique"]}


@pytest.mark.covers("case null-in-key-member")
def test_a_key_column_that_its_schema_lets_be_null_is_not_promised():
    """The case null-in-key-member: `message.key.columns` may name any column."""
    rows = [row(column="a", key=1), row(column="b", position=2, key=2, is_optional=False)]

    assert data_tests_of(rows, "a") is None
    assert data_tests_of(rows, "b") == ["not_null"]
    # what configuration leaves out, it does not say
    declared = [row(column="a", key=1, evidence="configuration")]
    assert data_tests_of(declared, "a") == ["not_null"]


@pytest.mark.parametrize("name", ["null", "current_date", "select", "order", "Mixed Case", "ключ"])
def test_names_of_tested_columns_are_quoted(name):
    (column,) = [
        one
        for one in properties([row(column=name, key=1, is_optional=False)])["columns"]
        if one["name"] == name
    ]

    assert column["quote"] is True


def test_a_table_is_described_by_its_comment():
    model = properties([row(key=1, table_comment='Who "buys".')])

    assert model["description"].startswith('Who "buys". — Rows of table `public.customers`')


@pytest.mark.parametrize(
    ("ended_by", "rows"),
    [
        ("renamed to public.clients", " and show the rows it held."),
        ("dropped", ", and its rows end."),
    ],
)
def test_a_table_that_is_gone_at_the_source_keeps_its_models_and_says_so(ended_by, rows):
    files, messages = generate([row(key=1, ended_by=ended_by)])

    assert CURRENT in files
    assert messages == [
        (
            "note",
            f"table 'public.customers' was {ended_by} at the source; its models are kept{rows}",
        )
    ]


def test_a_thousand_columns_are_all_written():
    rows = [row(key=1)] + [text(f"c{place:04}", place) for place in range(2, 1001)]

    names = [one["name"] for one in properties(rows)["columns"]]
    assert names[:1000] == ["id", *(f"c{place:04}" for place in range(2, 1001))]


def test_disagreements_are_counted_with_an_example():
    found = {"disagreements": 2, "example": "public.t, column a: encoding string, not int32"}
    _, messages = generate(
        [row(key=1)],
        models=[{"name": "catalog_shop__disagreements"}],
        disagreements=[json.dumps(found)],
    )

    assert messages == [
        (
            "note",
            "source 'shop': records, definitions and configuration disagree in 2 places, which"
            " catalog_shop__disagreements lists. One: public.t, column a: encoding string,"
            " not int32.",
        )
    ]
