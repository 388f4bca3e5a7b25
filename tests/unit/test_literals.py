"""Texts as literals of Jinja and YAML."""

from __future__ import annotations

import pytest

from dbt_debezium_spark.literals import (
    MOST_COLUMNS,
    jinja_block,
    jinja_lines,
    jinja_literal,
    jinja_text,
    yaml_name,
    yaml_text,
)


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
        # dbt renders properties, and literals of models it does not
        ("{{ x }}", "'{{ x }}'", "\"{{ '{{' }} x }}\""),
        ("{% x %}{# y #}", "'{% x %}{# y #}'", "\"{{ '{%' }} x %}{{ '{#' }} y #}\""),
    ],
)
def test_a_text_is_a_literal_of_one_line(text, jinja, yaml):
    assert (jinja_text(text), yaml_text(text)) == (jinja, yaml)


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
