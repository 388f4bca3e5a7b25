"""Tables that traps are told on, and the stories told on them.

A case is a table with its models. Several stories share it, because each run of a model takes
seconds: each has a topic of its own and keys of its own, marked with its number or name in one
column on the way in and unmarked on the way out.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reference import KafkaRecord
from tests.support.blocks import source_options
from tests.support.examples import compact

MARK_STEP = 100_000  # ids of one story; no example has a higher one
TABLES: list[Table] = []
_numbers = itertools.count(1)


@dataclass(eq=False)
class Table:
    """A table, its configuration and its models. Its name is the source's, too.

    `mark` names the column that tells stories apart; a case without one has one story.
    """

    name: str
    connector: str
    columns: list[dict[str, Any]]
    key: list[str] = field(default_factory=lambda: ["id"])
    table: str = "public.customers"
    mark: str | None = "id"
    full: bool = False
    settings: dict[str, Any] = field(default_factory=dict)
    shared_topic: bool = False
    as_text: bool = False  # read every column as text: Python has no year 10000
    options: dict[str, Any] = field(default_factory=dict)
    has_catalog: bool = False  # staged with the source's catalog of embedded schemas
    definitions: str = ""  # the topic of schema changes, which the model does not name
    stories: list[Story] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Enter it into the list of cases."""
        TABLES.append(self)

    def story(
        self,
        name: str,
        *batches: Sequence[KafkaRecord],
        epochs: Sequence[Mapping[str, Any]] = (),
        keeps_topics: bool = False,
        of_case: bool = False,
    ) -> Story:
        """Tell a story: what each run of dbt finds landed. `epochs` are by offsets of its topic.

        It has one topic, or with `keeps_topics` one for each of its records'.
        """
        story = Story(self, name, next(_numbers), keeps_topics, of_case)
        story.batches = [[story.marked(record) for record in batch] for batch in batches]
        self.stories.append(story)
        for epoch in epochs:
            entry = {"topic": story.topic, **epoch} if "offsets" in epoch else epoch
            self.options.setdefault("epochs", []).append(dict(entry))
        return story

    def topics(self) -> list[str]:
        """Return the topics that the staging model names."""
        return [
            topic
            for story in self.stories
            for told, topic in story.topics.items()
            if not self.definitions or told != self.definitions
        ]

    def source_config(self) -> dict[str, Any]:
        """Return the source's block of the configuration."""
        settings = dict(self.settings) | ({"replica_identity": "full"} if self.full else {})
        return source_options(
            self.connector,
            "traps",
            **self.options,
            **{"tables": {self.table: settings}} if settings else {},
        )


@dataclass(eq=False)
class Story:
    """What happened to some rows of a table, in batches as they landed."""

    told_on: Table
    name: str
    number: int
    keeps_topics: bool = False
    of_case: bool = False  # told by `test_sql.py`, and only if that test runs
    topics: dict[str, str] = field(default_factory=dict)
    batches: list[list[KafkaRecord]] = field(default_factory=list)

    @property
    def topic(self) -> str:
        """Its topic; not that of the example, which others share."""
        return f"traps.{self.told_on.name}.{self.name}"

    def topic_of(self, record: KafkaRecord) -> str:
        """Return the story's topic for that of a record; the first is `topic`."""
        count = len(self.topics)
        own = f"{self.topic}.{count + 1}" if count else self.topic
        return self.topics.setdefault(record.topic if self.keeps_topics else "", own)

    def marked(self, record: KafkaRecord) -> KafkaRecord:
        """Return the record in the story's topic and with the story's keys."""
        return replace(
            record,
            topic=self.topic_of(record),
            key=self._rewritten(record.key, self._mark_key),
            value=self._rewritten(record.value, self._mark_value),
            headers=tuple(
                (name, self._rewritten(text, self._mark_key) if name.endswith("key") else text)
                for name, text in record.headers
            ),
        )

    def owns(self, row: Mapping[str, Any]) -> bool:
        """Tell whether a row of the table is the story's."""
        value = row.get(self.told_on.mark or "")
        if self.told_on.mark is None:
            return True
        if isinstance(value, int):
            return value // MARK_STEP == self.number
        return isinstance(value, str) and value.startswith(f"{self.name}|")

    def unmarked(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row as the story told it."""
        values = dict(row)
        if self.told_on.mark is not None and values.get(self.told_on.mark) is not None:
            value = values[self.told_on.mark]
            values[self.told_on.mark] = (
                value % MARK_STEP if isinstance(value, int) else value.removeprefix(f"{self.name}|")
            )
        return values

    def _rewritten(self, text: str | None, mark: Any) -> Any:
        """Return a text with marks; whatever is no JSON, or has nothing to mark, stays as it is."""
        if text is None or self.told_on.mark is None:
            return text
        try:
            value = json.loads(text)
        except ValueError:
            return text
        marked = mark(value)
        return text if marked == value else compact(marked)

    def _mark_key(self, value: Any) -> Any:
        if isinstance(value, dict) and set(value) == {"schema", "payload"}:
            if value["schema"] is None or isinstance(value["schema"], dict):
                return value | {"payload": self._mark_key(value["payload"])}
        if isinstance(value, dict):
            return self._mark_image(value)
        if self.told_on.key == [self.told_on.mark] and isinstance(value, int | str):
            return self._mark(value)
        return value

    def _mark_value(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        if isinstance(value.get("payload"), dict) and "op" not in value:
            return value | {"payload": self._mark_value(value["payload"])}
        images = {name: value[name] for name in ("before", "after") if name in value}
        return value | {name: self._mark_image(image) for name, image in images.items()}

    def _mark_image(self, image: Any) -> Any:
        mark = self.told_on.mark
        if not isinstance(image, dict) or image.get(mark) is None:
            return image
        return image | {mark: self._mark(image[mark])}

    def _mark(self, value: Any) -> Any:
        if isinstance(value, int):
            return self.number * MARK_STEP + value
        return f"{self.name}|{value}" if isinstance(value, str) else value
