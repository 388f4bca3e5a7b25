"""Stage the logs of histories together, and keep their versions in a lab, run by run.

What is staged does not depend on a history's options: all cases share one staging table, and those
with the same options and settings one history. Every way to land a log has a topic of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pyspark.sql import SparkSession

from reference.versions import Options
from tests.cases.table import Story, Table
from tests.cases.version_case import TIMES, VersionCase, stored, told_of
from tests.property.version_trial import configured
from tests.support.lab import Lab, LabMacros
from tests.support.raw import raw_row

Group = tuple[Table, Options]
Told = list[dict[str, Any]]


class BuiltHistories:
    """The versions after each run, by topic and the options that show them."""

    def __init__(self, session: SparkSession, told: Sequence[tuple[VersionCase, Story]]) -> None:
        """Tell these stories."""
        self.lab = Lab(session)
        self._groups: dict[Group, list[tuple[VersionCase, Story]]] = {}
        self._found: dict[tuple[Options, str, int], Told] = {}
        for case, story in told:
            group = case.told_on, stored(case.options)
            self._groups.setdefault(group, []).append((case, story))
        self._topics = sorted(story.topic for _, story in told)
        for run in range(1, max(len(story.batches) for _, story in told) + 1):
            self._run(run, [story for _, story in told if len(story.batches) >= run])

    def versions(self, case: VersionCase, story: Story, run: int) -> Told:
        """Return what the history shows after a run, with the keys that the lab has."""
        return self._found[case.options, story.topic, run]

    def _run(self, run: int, told: Sequence[Story]) -> None:
        table = told[0].told_on
        rows = [raw_row(record, run) for story in told for record in story.batches[run - 1]]
        self.lab.append("raw", self.lab.rows(rows))
        self.lab.stage(
            self._sources(table),
            table.name,
            "raw",
            "staged",
            topics=self._topics,
            table=table.table,
            key=table.columns[:1],
            columns=table.columns,
        )
        staged = self.lab.tables[self.lab.name("staged")].where(f"_cdc_batch_id = {run}")
        for number, (group, of_group) in enumerate(self._groups.items()):
            topics = [story.topic for _, story in of_group if len(story.batches) >= run]
            if not topics:
                continue
            names = ", ".join(f"'{topic}'" for topic in topics)
            self.lab.append(f"stg_{number}", staged.where(f"_cdc_topic in ({names})"))
            self._keep(number, group)
            for options in {case.options for case, _ in of_group}:
                shown = self._shown(number, group, options)
                for topic in topics:
                    self._found[options, topic, run] = shown.get(topic, [])

    def _keep(self, number: int, group: Group) -> None:
        table, options = group
        self.lab.keep_versions(
            self._sources(table, options),
            table.name,
            f"stg_{number}",
            f"hist_{number}",
            table=table.table,
            key=table.key,
            columns=[column["name"] for column in table.columns],
        )

    def _shown(self, number: int, group: Group, options: Options) -> dict[str, Told]:
        """Return the versions as the view shows them, by topic."""
        columns = [column["name"] for column in group[0].columns]
        macros = self.lab.macros({}, "shown")
        view = shown_options(options)
        sql = macros.stored_versions(self.lab.name(f"hist_{number}"), columns, view)
        frame = self.lab.session.sql(sql)
        found: dict[str, Told] = {}
        for row in frame.selectExpr(*shown_times(macros, view), "*").collect():
            topic = row["_cdc_from_event_id"].rsplit(":", 2)[0]
            found.setdefault(topic, []).append(told_of(row.asDict(recursive=True), columns))
        return found

    def _sources(self, table: Table, options: Options | None = None) -> Mapping[str, Any]:
        block = table.source_config()
        if options is not None:
            block["history"] = configured(options)
        found: Mapping[str, Any] = json.loads(json.dumps({table.name: block}))
        return found


def shown_options(options: Options) -> dict[str, Any]:
    """Return the options as the view of a history reads them."""
    view = configured(options)
    for name in ("first_from", "valid_to_current"):
        if (instant := getattr(options, name)) is not None:
            view[name] = datetime.fromtimestamp(instant / 1_000_000, UTC).isoformat()
    return view


def shown_times(macros: LabMacros, view: Mapping[str, Any]) -> list[str]:
    """SQL: the times of a version in microseconds, as the view shows them."""
    return [
        f"unix_micros({macros.shown_version_column(f'_cdc_{name}', view)}) as micros_{name}"
        for name in TIMES
    ]
