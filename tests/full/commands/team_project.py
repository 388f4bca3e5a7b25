"""A team's project: two sources of the demo, and a team's own models, tests, seed and snapshot."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from dev.demo.__main__ import SOURCES, compare_source
from tests.support.paths import DEMO, REPOSITORY
from tests.support.shop import OwnedProject, differences

# A table with a key, one without, and documents; histories, a feed and transactions of some.
OF_TEAM = [one for one in SOURCES if one.name in ("inventory", "content")]
OPTIONS: dict[str, dict[str, Any]] = {
    "inventory": {
        "feed": True,
        "provide_transaction_metadata": True,
        "max_lag": "999 days",
        "tables": {"inventory.goods": {"history": True}},
    },
    "content": {"tables": {"cms.articles": {"history": True}}},
}
FILES = {
    "models/team/goods_by_supplier.sql": """
        select supplier_id, count(*) as goods from {{ ref('cur_inventory__goods') }} group by all
    """,
    "models/team/goods_seen.sql": """
        {{ config(materialized='incremental', unique_key='code', incremental_strategy='merge',
                  event_time='_cdc_source_at') }}
        select code, _cdc_source_at from {{ ref('cur_inventory__goods') }}
    """,
    "models/team/goods_of_a_day.sql": "select code from {{ ref('goods_seen') }}",
    "models/team/longest_titles.py": """
        def model(dbt, session):
            dbt.config(materialized="table")
            return dbt.ref("cur_content__articles").selectExpr("_id", "length(title) as letters")
    """,
    "models/team/team.yml": """
        models:
          - name: goods_by_supplier
            columns:
              - name: supplier_id
                data_tests: [not_null, {unique: {config: {store_failures: true}}}]
        unit_tests:
          - name: goods_are_counted
            model: goods_by_supplier
            given:
              - input: ref('cur_inventory__goods')
                rows: [{code: a, supplier_id: 7}, {code: b, supplier_id: 7}]
            expect: {rows: [{supplier_id: 7, goods: 2}]}
    """,
    "models/team/landed.yml": """
        sources:
          - name: landed
            schema: "{{ target.schema }}"
            config:
              loaded_at_field: _cdc_landed_at
              freshness: {warn_after: {count: 1, period: day}}
            tables: [{name: raw_inventory}]
    """,
    "snapshots/goods_kept.yml": """
        snapshots:
          - name: goods_kept
            relation: ref('cur_inventory__goods')
            config:
              unique_key: code
              strategy: check
              check_cols: all
              file_format: "{{ target.name }}"
    """,
    "seeds/regions.csv": "region,label\nn,north\ns,south\n",
    "tests/every_good_is_counted.sql": """
        select 1 from {{ ref('goods_by_supplier') }}
        having coalesce(sum(goods), 0) != (select count(*) from {{ ref('cur_inventory__goods') }})
    """,
}


class TeamProject(OwnedProject):
    """The project, beside the folder `landing` from which it reads its records."""

    def __init__(self, home: Path, state: Path, schema: str) -> None:
        """Make the project, its records landed except for each source's last file."""
        super().__init__(home / "team", {"DEBEZIUM_SPARK_STATE": str(state)})
        self.landing = home / "landing"
        self.use(schema=schema)
        for source in OF_TEAM:
            records = self.landing / source.name
            records.mkdir(parents=True)
            for name, text in self.parts(source.name)[:-1]:
                (records / name).write_text(text, encoding="utf-8")
            self.debezium_spark(
                *("init", self.path.name, "--source", source.name),
                *("--connector", source.folder, "--input", f"landing/{source.name}"),
                folder=home,
            )
        demo = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text("utf-8"))
        described = demo["vars"]["debezium_sources"]
        for source in OF_TEAM:
            options = dict(OPTIONS[source.name])
            for table, of_demo in (described[source.name].get("tables") or {}).items():
                options["tables"][table] = {**of_demo, **options["tables"].get(table, {})}
            self.set_options(source.name, options)
        self.debezium_spark("generate")
        for name, text in FILES.items():
            file = self.path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(textwrap.dedent(text).strip() + "\n", encoding="utf-8")

    def use(self, **names: str) -> None:
        """Work in another `schema` or with another `target`."""
        for name, value in names.items():
            self._environment[f"DEBEZIUM_SPARK_{name.upper()}"] = value

    @contextmanager
    def using(self, **names: str) -> Iterator[None]:
        """Work so for a while."""
        before = dict(self._environment)
        self.use(**names)
        try:
            yield
        finally:
            self._environment = before

    def parts(self, source: str) -> list[tuple[str, str]]:
        """Return the name and text of each file of a source's records.

        The demo's last file is cut in two: its first records bring a new column, of which the
        models know.
        """
        folder = next(one.folder for one in OF_TEAM if one.name == source)
        *files, last = sorted((DEMO / folder / "records").glob("*.jsonl"))
        lines = last.read_text(encoding="utf-8").splitlines(keepends=True)
        half = len(lines) // 2
        return [
            *((file.name, file.read_text(encoding="utf-8")) for file in files),
            (last.name, "".join(lines[:half])),
            (f"{last.stem}-end.jsonl", "".join(lines[half:])),
        ]

    def land_all(self) -> None:
        """Let the last files arrive."""
        for source in OF_TEAM:
            name, text = self.parts(source.name)[-1]
            (self.landing / source.name / name).write_text(text, encoding="utf-8")

    def hold_back(self) -> None:
        """Take the last files away again."""
        for source in OF_TEAM:
            (self.landing / source.name / self.parts(source.name)[-1][0]).unlink()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return what a query finds in the project's schema."""
        return [tuple(row) for row in self.spark().sql(query).collect()]

    def check_rows(self) -> None:
        """Every current table is the source's table."""
        spark = self.spark()
        for source in OF_TEAM:
            compared = [one for one, _ in compare_source(spark, source)]
            assert compared and not differences(compared), differences(compared)
