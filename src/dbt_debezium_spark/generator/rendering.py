"""The files and messages that `macros/generate` returns to Python."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

EVENT_PREFIX = "debezium_spark.generate "


@dataclass(frozen=True)
class GeneratedFile:
    """One file; `source` and `table` are None for a file of no single source or table."""

    path: str
    content: str
    source: str | None = None
    table: str | None = None


@dataclass(frozen=True)
class Message:
    """A message: a `problem` (a refused table), a `warning` or a `note`."""

    kind: str
    text: str
    source: str | None = None
    table: str | None = None


@dataclass
class Rendering:
    """Files and messages of one run of the macro; `kept` has the paths of files that stay."""

    files: list[GeneratedFile] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    @property
    def tables(self) -> set[tuple[str, str]]:
        """Return (source, table) of every table that became models."""
        return {(file.source, file.table) for file in self.files if file.source and file.table}

    def narrowed(self, patterns: Sequence[str]) -> Rendering:
        """Return the files of tables whose name matches one of `patterns` (shell globs).

        Files of no single table are omitted, because they refer to tables that are not selected.
        """
        return Rendering(
            files=[file for file in self.files if file.table and _matches(file.table, patterns)],
            messages=[
                message
                for message in self.messages
                if not message.table or _matches(message.table, patterns)
            ],
        )


def read_events(events: Iterable[str]) -> Rendering:
    """Return the rendering that the macro sent as log events; other events are ignored."""
    rendering = Rendering()
    for event in events:
        if not event.startswith(EVENT_PREFIX):
            continue
        result = json.loads(event.removeprefix(EVENT_PREFIX))
        if result["kind"] == "file":
            rendering.files.append(
                GeneratedFile(
                    path=result["path"],
                    content=result["content"],
                    source=result.get("source"),
                    table=result.get("table"),
                )
            )
        elif result["kind"] == "kept":
            rendering.kept.append(result["path"])
        else:
            rendering.messages.append(
                Message(
                    kind=result["kind"],
                    text=result["message"],
                    source=result.get("source"),
                    table=result.get("table"),
                )
            )
    return rendering


def _matches(table: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(table, pattern) for pattern in patterns)
