"""The report of `debezium-spark status`: what is wrong, its order, its text and its page."""

from __future__ import annotations

import json
from copy import deepcopy
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from dbt_debezium_spark.status.page import page
from dbt_debezium_spark.status.report import read_last_run, report_of
from dbt_debezium_spark.status.text import cells, duration, lines

STRANGE = "</td><script>alert('{{ 1/0 }}')</script>\x1b[31m&\u202e"


def table(name: str, **more: Any) -> dict[str, Any]:
    """Return a row of `debezium_obs__tables` as the macro gives it."""
    return {
        **{"source_name": "shop", "table_name": name, "is_late": False, "fails": []},
        **{"as_of": "2026-11-30T03:20:00.123Z", "newest_source_at": "2026-11-30T03:19:20.000Z"},
        **{"lag_seconds": 61, "unexplained": 0, "unavailable_values": 0, **more},
    }


FACTS: dict[str, Any] = {
    "tables": [
        table("public.a_well", waiting_records=0, max_lag_seconds=900),
        table("public.unexplained", unexplained=2, fails=["unexplained"]),
        table("public.drifted"),
        table("public.z_failed"),
        table("public.late", is_late=True, late_because="waiting", waits_for="state"),
    ],
    "findings": {
        "quarantine": [{"source_name": "shop", "found": 3}],
        "drift": [{"source_name": "shop", "table_name": "public.drifted", "found": 1}],
        "lost": [],
    },
    "sizes": [
        {"layer": "raw", "source_name": "shop", "table_name": None, "bytes": 7_900_000},
        {"layer": "state", "source_name": "shop", "table_name": "public.late", "bytes": 0},
    ],
    "models": {
        "model.shop.stg_z": ["shop", "public.z_failed"],
        "model.shop.state_z": ["shop", "public.z_failed"],
    },
    "batches": [
        {"source_name": "shop", "batch_id": 1, "events": 9, "lag_seconds": 2}
        | {"landed_at": "2026-11-30T03:00:00.000Z"},
        {
            "source_name": "shop",
            "batch_id": 2,
            "events": 3,
            "landed_at": "2026-11-30T03:10:00.000Z",
        },
    ],
    "target_dir": "target",
}
RESULTS = (
    ("model.shop.stg_z", "error"),
    ("model.shop.state_z", "skipped"),
    ("model.shop.raw_shop", "success"),
)


def last_run(folder: Path) -> dict[str, Any] | None:
    """Return the last run of three nodes."""
    text = json.dumps(
        {
            "metadata": {"generated_at": "2026-11-30T03:10:00.000001Z"},
            "args": {"which": "build"},
            "elapsed_time": 1.5,
            "results": [{"unique_id": node, "status": status} for node, status in RESULTS],
        }
    )
    (folder / "run_results.json").write_text(text, encoding="utf-8")
    return read_last_run(folder)


def wrong(report: dict[str, Any]) -> list[tuple[str | None, dict[str, str]]]:
    """Return the tables of a report, with what is wrong."""
    return [(row["table"], row["wrong"]) for row in report["tables"]]


def test_what_is_wrong_comes_first(tmp_path: Path):
    report = report_of(deepcopy(FACTS), last_run(tmp_path))

    assert wrong(report) == [
        ("public.z_failed", {"run": "error"}),
        ("public.late", {"late": "waiting (state)"}),
        ("public.unexplained", {"unexplained": "2"}),
        (None, {"quarantine": "3"}),
        ("public.drifted", {"drift": "1"}),
        ("public.a_well", {}),
    ]
    assert (report["wrong"], report["is_well"]) == (5, False)
    # a view without findings counts none; what the project does not have is not said
    assert [row["lost"] for row in report["tables"]] == [0] * 6
    assert "transactions" not in report["findings"]


def test_a_view_that_is_new_counts_by_itself():
    facts = {**deepcopy(FACTS), "findings": {"lost": [{"source_name": "shop", "found": 4}]}}

    assert wrong(report_of(facts, None))[1] == (None, {"lost": "4"})


def test_all_is_well():
    facts = {**deepcopy(FACTS), "tables": [table("public.a")], "findings": {"drift": []}}
    report = report_of(facts, None)

    assert (report["wrong"], report["is_well"]) == (0, True)


def test_a_failed_run_is_wrong_also_where_no_table_is(tmp_path: Path):
    facts = {**deepcopy(FACTS), "tables": [table("public.a")], "findings": {}, "models": {}}

    assert report_of(facts, last_run(tmp_path))["is_well"] is False


def test_the_worst_of_a_table_is_said_first(tmp_path: Path):
    facts = deepcopy(FACTS)
    facts["models"] = {"model.shop.state_z": ["shop", "public.late"]}
    facts["findings"]["drift"][0]["table_name"] = "public.late"

    assert cells(report_of(facts, last_run(tmp_path)))[1][-1] == (
        "run: skipped, late: waiting (state), drift: 1"
    )


def test_what_dbt_did_not_write_is_refused(tmp_path: Path):
    assert read_last_run(tmp_path) is None
    for text in ("{", "[]", '{"results": [1]}', '{"results": []}'):
        (tmp_path / "run_results.json").write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=r"run_results.json is not what dbt writes .* run dbt"):
            read_last_run(tmp_path)


def test_text(tmp_path: Path):
    text = lines(report_of(deepcopy(FACTS), last_run(tmp_path)))

    assert text[:5] == [
        "5 of 6 need attention, as of 2026-11-30 03:20:00Z",
        "Last run: dbt build, 2026-11-30 03:10:00Z: 1 error, 1 skipped, 1 success",
        "  error: stg_z",
        "",
        "source  table               newest event          lag    bound   waiting  unexplained"
        "  unavailable_values  quarantine  drift  lost  raw     staging  state    wrong",
    ]
    assert text[-1].split() == [
        *("shop", "public.a_well", "2026-11-30", "03:19:20Z", "1", "min", "15", "min", "0", "0"),
        *("0", "0", "0", "0", "-", "-", "-", "-"),
    ]


def test_times_and_sizes():
    assert [duration(one) for one in (None, 0, 59, 60, 7199, -7200, 172_800)] == [
        *("-", "0 s", "59 s", "1 min", "1 h", "-2 h", "2 d"),
    ]
    facts = deepcopy(FACTS)
    facts["tables"][0]["newest_source_at"] = "+29226-12-31T00:00:00.000Z"
    found = cells(report_of(facts, None))
    assert "+29226-12-31T00:00:00.000Z" in {row[2] for row in found}
    assert {row[found[0].index("raw")] for row in found} == {"raw", "-", "7.9 MB"}


class _Tags(HTMLParser):
    """Collects tags, attributes and text of a page, and sees that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def read_page(facts: dict[str, Any], run: dict[str, Any] | None = None) -> _Tags:
    """Return what a page shows."""
    tags = _Tags()
    tags.feed(page(report_of(deepcopy(facts), run)))
    tags.close()
    assert tags.open == []
    return tags


def test_the_page_shows_the_tables_and_a_picture_of_each_measure(tmp_path: Path):
    tags = read_page(FACTS, last_run(tmp_path))

    assert tags.tags.count("svg") == 2
    assert tags.tags.count("tr") == 1 + 6
    for text in ("5 of 6 need attention", "error: stg_z", "waiting (state)", "7.9 MB"):
        assert text in tags.text
    # the second landing has no lag: no event of it says when it was committed
    assert [value for name, value in tags.attributes if name == "d"] == ["M0.0,0.0h.01"]


def test_the_page_needs_no_network_and_no_script():
    tags = read_page(FACTS)
    names = {name for name, _ in tags.attributes}

    assert not names & {"src", "href", "xlink:href", "style", "onload", "onclick"}
    assert not {"script", "img", "link", "iframe"} & set(tags.tags)
    assert "url(" not in tags.text and "@import" not in tags.text


def test_names_of_strangers_are_text():
    plain = read_page(FACTS)
    facts = deepcopy(FACTS)
    facts["tables"][1]["table_name"] = STRANGE
    facts["tables"][4]["waits_for"] = STRANGE
    facts["batches"][0]["source_name"] = STRANGE
    facts["sizes"][0]["source_name"] = STRANGE
    tags = read_page(facts)

    assert "script" not in tags.tags
    assert len(tags.tags) > len(plain.tags)
    assert "</td><script>alert('{{ 1/0 }}')</script>\\x1b[31m&\\u202e" in tags.text
    assert not any("\x1b" in line or "\u202e" in line for line in lines(report_of(facts, None)))
