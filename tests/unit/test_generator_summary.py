"""The difference that `generate` prints, from real generated files."""

from __future__ import annotations

import re

import pytest

from dbt_debezium_spark.cli.summary import summary_lines
from dbt_debezium_spark.generator import Change, FileChange, GeneratedFile, plan_changes
from tests.support.generated_text import generate, row, typed

ID = {"key": 1, "is_optional": False}


def lines_of(project, before, after, check=False):
    """Return what is printed when the files of one catalog become those of another."""
    for path, text in generate(before)[0].items():
        file = project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    tables = {f"cur_shop__{one['table_name']}": one for one in after}
    files = [
        GeneratedFile(path, text, "shop", _table_of(path, tables))
        for path, text in generate(after)[0].items()
    ]
    return summary_lines(plan_changes(project, files, ["shop"]), len(tables), check)


def _table_of(path, tables):
    match = re.search(r"/(?:stg|state|cur)(_shop__.*)\.", path)
    found = tables.get(f"cur{match[1]}") if match else None
    return f"{found['schema_name']}.{found['table_name']}" if found else None


def test_columns_that_come_go_and_change_are_named_with_their_types(tmp_path):
    decimal = {"type": "bytes", "name": "org.apache.kafka.connect.data.Decimal"}
    old = {**decimal, "parameters": {"scale": "2", "connect.decimal.precision": "10"}}
    new = {**decimal, "parameters": {"scale": "2", "connect.decimal.precision": "12"}}
    before = [row(**ID), typed("amount", 2, old), typed("legacy", 3, {"type": "int32"})]
    after = [row(**ID), typed("amount", 2, new), typed("note", 3, {"type": "string"})]

    assert lines_of(tmp_path, before, after) == [
        "changed tables:",
        "  shop public.customers: +note string, amount decimal(10,2) -> decimal(12,2), -legacy;"
        " tests: +no_placeholder [stg.sql, cur.yml]",
        "1 table; files 2 changed, 14 unchanged",
    ]


def test_tests_that_come_and_go_are_named_with_their_columns(tmp_path):
    number = {"type": "int32"}
    before = [row(**ID), typed("n", 2, number, is_never_null=True)]
    after = [row(key=1, is_optional=True), typed("n", 2, number)]

    (line,) = [line for line in lines_of(tmp_path, before, after) if "public.customers" in line]
    assert "tests: -not_null(id), -not_null(n)" in line


def test_a_label_that_comes_changes_its_test(tmp_path):
    mood = {"type": "string", "name": "io.debezium.data.Enum"}
    before = [row(**ID), typed("mood", 2, mood, enum_values=["sad"])]
    after = [row(**ID), typed("mood", 2, mood, enum_values=["sad", "ok"])]

    assert lines_of(tmp_path, before, after)[1] == (
        "  shop public.customers: tests: changed accepted_values(mood) [cur.yml]"
    )


def test_an_encoding_and_a_key_that_change_are_named(tmp_path):
    micros = {"type": "int64", "name": "io.debezium.time.MicroTimestamp"}
    millis = {"type": "int64", "name": "io.debezium.time.Timestamp"}
    before = [row(**ID), typed("at", 2, millis, is_optional=False)]
    after = [row(**ID), typed("at", 2, micros, is_optional=False, key=2)]

    (line,) = [line for line in lines_of(tmp_path, before, after) if "public.customers" in line]
    assert "read otherwise: at; staging: key;" in line


def test_tables_that_come_and_go_are_named_and_others_counted(tmp_path):
    before = [row(table="gone", **ID), row(table="same", **ID)]
    after = [row(table="came", **ID), row(table="same", **ID)]

    observability = ["drift", "lag", "quarantine", "replays", "unavailable"]
    paths = ", ".join(f"models/observability/debezium_obs__{one}.sql" for one in observability)
    assert lines_of(tmp_path, before, after, check=True) == [
        "new tables: shop public.came (6 files)",
        "removed tables (the catalog no longer has them): shop gone (6 files)",
        f"other files: {paths}",
        "2 tables; files would be 6 created, 5 changed, 11 unchanged, 6 removed",
    ]


def test_a_hundred_tables_are_few_lines(tmp_path):
    names = [f"t{number:03}" for number in range(100)]
    before = [row(table=name, **ID) for name in names]
    note = typed("note", 2, {"type": "string"})
    after = [one for row in before for one in (row, {**note, "table_name": row["table_name"]})]

    lines = lines_of(tmp_path, before, after)

    assert len(lines) == 3 and max(map(len, lines)) < 300
    assert "shop public.t007 and 92 more: +note string; tests: +no_placeholder" in lines[1]


def test_files_written_by_hand_and_damaged_ones_are_named(tmp_path):
    generated = generate([row(**ID)])[0]
    path = "models/current/shop/cur_shop__customers.yml"
    damaged = generated[path].splitlines()[0] + "\nmodels: ["
    changes = [
        FileChange(path, Change.CHANGED, generated[path], damaged, "shop", "public.customers"),
        FileChange("models/current/shop/cur_shop__other.sql", Change.KEPT),
    ]

    assert summary_lines(changes, 1, False) == [
        "changed tables:",
        "  shop public.customers: tests: +not_null(id) [cur.yml]",
        "kept, written by hand (no `generated by debezium-spark` in the first line):"
        " models/current/shop/cur_shop__other.sql",
        "1 table; files 1 changed, 1 kept",
    ]


@pytest.mark.parametrize(
    "before", ["models: {}", "models: [1]", "- 1", "models: [{columns: 1, data_tests: [{}]}]"]
)
def test_properties_of_another_form_are_no_obstacle(before):
    path = "models/current/shop/cur_shop__customers.yml"
    after = generate([row(**ID)])[0][path]
    lines = summary_lines([FileChange(path, Change.CHANGED, after, before)], 1, False)
    assert lines[1].startswith("  shop customers: ")


def test_a_file_that_is_missing_makes_no_new_table():
    path = "models/current/shop/cur_shop__customers.yml"
    created = FileChange(path, Change.CREATED, "", None, "shop", "public.customers")
    assert summary_lines([created], 1, False)[:2] == [
        "changed tables:",
        "  shop public.customers: [+cur.yml]",
    ]


def test_nothing_that_changed_is_one_line():
    assert summary_lines([], 0, True) == ["0 tables; files none"]


def test_names_of_strangers_do_not_steer_the_terminal():
    path = "models/staging/shop/stg_shop__x.sql"
    change = FileChange(path, Change.CREATED, "", None, "shop", "a\x1b[2J")
    (line, _) = summary_lines([change], 1, False)
    assert "\x1b" not in line
