"""Texts as literals of Jinja, YAML and SQL, and as properties of tables."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbt_debezium_spark.adapter_parts.relations import SparkRelation
from dbt_debezium_spark.landing.tables import tables_of
from dbt_debezium_spark.text.literals import (
    MOST_COLUMNS,
    argument_text,
    is_plain,
    jinja_block,
    jinja_lines,
    jinja_literal,
    jinja_text,
    plain_words,
    printable,
    read_argument,
    yaml_name,
    yaml_text,
)
from dbt_debezium_spark.text.property_text import pack, unpack
from dbt_debezium_spark.text.sql_text import path_parts, quoted_path, text_literal


@pytest.mark.parametrize(
    ("text", "jinja", "yaml"),
    [
        ("plain name_1", "'plain name_1'", '"plain name_1"'),
        ("it's", r"'it\'s'", '"it\'s"'),
        ('say "x"', "'say \"x\"'", r'"say \"x\""'),
        (r"a\b", r"'a\\b'", r'"a\\b"'),
        ("line\nend", r"'line\nend'", r'"line\nend"'),
        ("next\x85line", r"'next\x85line'", r'"next\x85line"'),
        ("nul\x00", r"'nul\x00'", r'"nul\x00"'),
        ("\u2028", r"'\u2028'", r'"\u2028"'),
        ("ключ 😀", "'ключ 😀'", '"ключ 😀"'),
        # no sign of Jinja is a stranger's: dbt renders properties, and looks for Jinja everywhere
        ("{{ x }}", r"'\x7b\x7b x \x7d\x7d'", "\"{{ '\\\\x7b\\\\x7b x \\\\x7d\\\\x7d' }}\""),
        ("{% x", r"'\x7b% x'", "\"{{ '\\\\x7b% x' }}\""),
    ],
)
def test_a_text_is_a_literal_of_one_line(text, jinja, yaml):
    assert (jinja_text(text), yaml_text(text)) == (jinja, yaml)


ARGUMENTS = {
    "plain name_1, a.b-c": "plain name_1, a.b-c",
    "ключ": "ключ",
    "it's": r"it\x27s",
    r"a\x27b": r"a\x5cx27b",
    "{{ x }}": r"\x7b\x7b x \x7d\x7d",
    'env_var("X")': r"env_var\x28\x22X\x22\x29",
    "\n\u2028😀": r"\x0a\u2028\U0001f600",
}


@pytest.mark.parametrize("text", ARGUMENTS)
def test_an_argument_has_no_sign_that_dbt_reads_and_is_read_back(text):
    argument = argument_text(text)

    assert argument == ARGUMENTS[text]
    assert read_argument(argument) == text
    assert is_plain(text) == (argument == text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  Where\nto\twrite. ", "Where to write."),
        ("<img src=x onerror=alert(1)>", "\uff1cimg src=x onerror=alert(1)\uff1e"),
        ("[a](javascript:x)", "\uff3ba\uff3d(javascript:x)"),
        ("{{ x }} `y`", "\uff5b\uff5b x \uff5d\uff5d \uff40y\uff40"),
        ("R&D &lt;b&gt; &#60;", "R&D \uff06lt;b\uff06gt; \uff06#60;"),
        ("\u202egnp.exe\u200b\x1b[31m", "gnp.exe \uff3b31m"),
        (r"a path like C:\ or 'x'", r"a path like C:\ or 'x'"),
    ],
)
def test_a_strangers_words_in_a_description_are_plain_text(text, words):
    assert plain_words(text) == words


def test_what_cannot_be_seen_is_escaped_for_a_terminal():
    assert printable("é 😀 \\") == "é 😀 \\"
    assert printable("\x1b[2J\x9b\u202e\n") == r"\x1b[2J\x9b\u202e\n"
    assert printable("a\nb\r", keep="\n") == "a\nb\\r"


@pytest.mark.parametrize(
    ("name", "yaml"),
    [
        ("id", "id"),
        ("_a1", "_a1"),
        ("no", '"no"'),
        ("ON", '"ON"'),
        ("1a", '"1a"'),
        ("a b", '"a b"'),
    ],
)
def test_a_name_stands_bare_where_yaml_takes_it_for_a_text(name, yaml):
    assert yaml_name(name) == yaml


def test_values_are_written_as_jinja_writes_them():
    value = {"a": None, "b": [True, False, 7, 1.5], "c": {"d": "it's"}}

    assert jinja_literal(value) == r"{'a': none, 'b': [true, false, 7, 1.5], 'c': {'d': 'it\'s'}}"


def test_what_fits_stays_on_one_line_and_lists_of_columns_have_one_each():
    fitting = ["x" * (MOST_COLUMNS - 4 - 4)]
    longer = ["x" * (MOST_COLUMNS - 4 - 4 + 1)]

    assert jinja_block(fitting, 4) == f"['{fitting[0]}']"
    assert jinja_block(longer, 4) == f"[\n        '{longer[0]}',\n    ]"
    assert jinja_block({"a": longer}, 0).startswith("{\n    'a': [\n")
    assert (jinja_lines([], 4), jinja_lines([1], 4)) == ("[]", "[\n        1,\n    ]")


# -- SQL ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("records", ["records"]),
        ("bronze.records", ["bronze", "records"]),
        ("lake.bronze.kafka_records", ["lake", "bronze", "kafka_records"]),
        ("lake.`kafka.records`", ["lake", "kafka.records"]),
        ("`a``b`.c", ["a`b", "c"]),
        # no name of several parts: one name, which nothing will have
        ("bronze..records", ["bronze..records"]),
        ("a.`b", ["a.`b"]),
    ],
)
def test_dots_separate_the_parts_of_a_name(path: str, parts: list[str]) -> None:
    assert path_parts(path) == parts


def test_every_part_is_quoted_alone() -> None:
    assert quoted_path("lake.bronze") == "`lake`.`bronze`"
    assert quoted_path("x; drop table y") == "`x; drop table y`"


def test_the_tables_of_a_source_stand_in_the_catalog_of_its_schema() -> None:
    tables = tables_of("lake.debezium", "raw_shop")
    assert tables.raw == "`lake`.`debezium`.`raw_shop`"
    assert tables.rejected == "`lake`.`debezium`.`raw_shop__rejected`"


def test_a_text_is_one_literal_on_one_line() -> None:
    assert text_literal("it's\\\n${x}") == r"'it\'s\\\n\u0024{x}'"


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ("debezium", "`debezium`.`cur_a.b`"),
        ("lake.debezium", "`lake`.`debezium`.`cur_a.b`"),
        ("`my.lake`.debezium", "`my.lake`.`debezium`.`cur_a.b`"),
    ],
)
def test_the_schema_of_a_relation_may_name_its_catalog(schema: str, name: str) -> None:
    relation = SparkRelation.create(schema=schema, identifier="cur_a.b")
    assert str(relation.quote(schema=True, identifier=True)) == name
    assert str(relation.without_identifier()) == schema


# -- properties of tables -------------------------------------------------------------------------


# Spark's own patterns, of `spark.redaction.regex` and `spark.sql.redaction.options.regex`
HIDDEN = re.compile(r"(?i)secret|password|token|access[.]?key|url")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_packed_text_is_told_again_and_has_no_words(text: str) -> None:
    packed = pack(text)

    assert unpack(packed) == text
    assert re.fullmatch("z:[0-9a-f]+", packed)


@pytest.mark.parametrize("name", ["password", "API_TOKEN", "image_url", "client.secret"])
def test_names_that_spark_hides_do_not_show(name: str) -> None:
    assert HIDDEN.search(name) and not HIDDEN.search(pack(f'{{"columns":{{"{name}":"1"}}}}'))


def test_what_was_never_packed_is_the_text_itself() -> None:
    assert unpack('{"version":4}') == '{"version":4}'


@pytest.mark.parametrize("text", [None, "*********(redacted)", "z:0", "z:00ff", "z:zz"])
def test_of_what_is_hidden_or_damaged_nothing_is_known(text: str | None) -> None:
    assert unpack(text) is None
