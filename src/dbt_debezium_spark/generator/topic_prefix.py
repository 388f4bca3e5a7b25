"""What the first records of an input tell of its source: topic prefix, connector, flattened rows.

So a new user need not know the prefix, and a wrong connector is noticed before anything is written.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from dbt_debezium_spark.config import CONNECTORS, FilesInput
from dbt_debezium_spark.config.input_walk import printable_path, walk
from dbt_debezium_spark.flattened.recognised import flattened_source, is_flattened
from dbt_debezium_spark.generator.file_beginnings import SampledFile
from dbt_debezium_spark.generator.file_records import (
    SHOWN,
    FirstRecord,
    first_records,
    form_and_topic,
)
from dbt_debezium_spark.generator.recognised_layout import recognised_layout
from dbt_debezium_spark.inputs.sinks.names import VALUES, NameProblem, connect_name
from dbt_debezium_spark.text.literals import printable
from dbt_debezium_spark.text.progress import counted, evenly

FILES = 50
MAX_UNREAD_NAMES = 3
MAX_REASON_CHARACTERS = 200
_TABLE = ("db", "schema", "table", "collection")
# Before the id of a registry's schema, which the bytes of a value begin with.
_SCHEMA_ID = ("\x00", b"\x00")


class TopicPrefixError(ValueError):
    """The records do not contain the prefix."""


@dataclass
class Findings:
    """What was looked into, and what its records tell.

    Attributes:
        place: the input, as the user wrote it.
        looked: what was looked into, like `12 of 240 files (JSON lines, gz)`.
        layout: options of an input of files: the layout of a sink.
        records: number of records.
        flattened: number of flattened records.
        encoded: number of values with the id of a registry's schema.
        sources: number of records by the topic prefix and connector that they name.
        renamed: number of records by the prefix that they name, if their topic has another.
        tables: the tables of the records.
        unread: files, with the reason why nothing was read or not all.
    """

    place: str
    looked: str = ""
    layout: dict[str, Any] = field(default_factory=dict)
    records: int = 0
    flattened: int = 0
    encoded: int = 0
    sources: Counter[tuple[str, str | None]] = field(default_factory=Counter)
    renamed: Counter[str] = field(default_factory=Counter)
    tables: set[tuple[str, ...] | str] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)

    def add(self, topic: Any, value: Any) -> None:
        """Add a record.

        A record's source block has the prefix as `name`. It counts if the record's topic is the
        prefix or begins with it, so topics that a routing transform renamed do not count.

        Args:
            topic: its topic; None if nothing tells it.
            value: its value, a text or members.
        """
        self.records += 1
        payload = _payload(value)
        self.flattened += is_flattened(payload)
        self.encoded += isinstance(value, str | bytes) and value[:1] in _SCHEMA_ID
        block = _object(payload.get("source")) or flattened_source(payload)
        name, kind = block.get("name"), block.get("connector")
        if "op" in payload or is_flattened(payload):
            table = tuple(str(block[part]) for part in _TABLE if block.get(part) is not None)
            self.tables.update(filter(None, [table or topic]))
        if not isinstance(name, str) or not isinstance(topic, str | None):
            return
        if topic is None or topic == name or topic.startswith(name + "."):
            self.sources[name, kind if isinstance(kind, str) else None] += 1
        else:
            self.renamed[name] += 1

    def topic_prefix(self, connector: str, named: str | None = None) -> str:
        """Return the topic prefix.

        Args:
            connector: kind of the connector; records of another of `CONNECTORS` do not count.
            named: the prefix if the user named it.

        Raises:
            TopicPrefixError: no record contains it, there are several prefixes, or the records are
                those of other connectors.
        """
        prefixes: Counter[str] = Counter()
        others: set[str] = set()
        for (name, kind), count in self.sources.items():
            # who writes the format of a connector, like TiCDC, has a name of its own
            if kind != connector and kind in CONNECTORS:
                others.update([str(kind)] if named in (name, None) else [])
            else:
                prefixes[name] += count
        if others and not (prefixes[named] if named else prefixes):
            raise self._error(
                f"come from {_quoted(others)}, not from `{connector}`. Correct --connector"
            )
        if named is not None:
            return named
        if len(prefixes) == 1:
            return next(iter(prefixes))
        if prefixes:
            found = (
                f"`{printable(name)}` ({count} records)" for name, count in prefixes.most_common()
            )
            raise self._error(
                f"have several topic prefixes: {', '.join(found)}. Choose one with --topic-prefix;"
                " the others are separate sources"
            )
        unread = f" Not read: {self.not_read}." if self.unread else ""
        raise TopicPrefixError(
            f"debezium_spark: the topic prefix cannot be determined: {self.reason} in {self.place}."
            f" Looked into {self.looked}.{unread} Add --topic-prefix (the connector's"
            " `topic.prefix`, before 2.0 `database.server.name`)."
        )

    @property
    def reason(self) -> str:
        """Why no record tells the prefix."""
        if not self.records:
            return "no record"
        if self.renamed:
            named = f"name {_quoted(self.renamed)} in their source block"
            return (
                f"{counted(sum(self.renamed.values()), 'record')} {named}, but not in their topic,"
            )
        if self.flattened:
            return f"{counted(self.flattened, 'flattened record')} without the name of the source"
        if self.encoded:
            encoded = counted(self.encoded, "record")
            return f"{encoded} encoded with a registry's schema, which only landing reads,"
        return f"{counted(self.records, 'record')}, but no Debezium record with a source block"

    @property
    def not_read(self) -> str:
        """The files that were not read, or not whole, with the reason."""
        more = len(self.unread) - MAX_UNREAD_NAMES
        others = [f"{more} more"] if more > 0 else []
        return "; ".join([*self.unread[:MAX_UNREAD_NAMES], *others])

    def report(self) -> list[str]:
        """Return what was looked into and found, and what was not read; nothing if there is none.

        Names come from records, and are printable.
        """
        if not self.looked:
            return []
        names = {name: None for name, _ in self.sources}
        kinds = {kind: None for _, kind in self.sources if kind is not None}
        facts = [
            f"{counted(self.records, 'record')}{', flattened' if self.flattened else ''}",
            *([counted(len(self.tables), "table")] if self.tables else []),
            *(f"topic prefix {printable(name)}" for name in names),
            *(f"connector {printable(kind)}" for kind in kinds),
        ]
        not_read = [f"Not read: {self.not_read}"] if self.unread else []
        return [f"Looked into {self.looked}: {', '.join(facts)}", *not_read]

    def _error(self, text: str) -> TopicPrefixError:
        return TopicPrefixError(f"debezium_spark: the records in {self.place} {text}.")


def look_into_files(path: str) -> Findings:
    """Look into the files of a folder or glob on this machine.

    Args:
        path: folder or glob.
    """
    listed = walk(path)
    unread = [_unread(refused.path, refused.why) for refused in listed.refused]
    files = [SampledFile(name, partial(io.FileIO, name)) for name in listed.files]
    return look_into_samples(path, files, unread, len(files) + len(unread))


def look_into_samples(
    place: str, files: Sequence[SampledFile], unread: Iterable[str], count: int
) -> Findings:
    """Look into some of the files of an input, from its first to its last.

    Args:
        place: the input, as the user wrote it.
        files: its files.
        unread: what was found out about others.
        count: number of all files.
    """
    values = [file for file in files if _has_values(file.name)]
    sample = evenly(values, FILES)
    found = Findings(place, layout=recognised_layout(sample), unread=list(unread))
    options = FilesInput.model_validate({"type": "files", "path": place, **found.layout})
    forms: set[str] = set()
    for file in sample:
        _look_into(file, options, found, forms)
    some = f"{len(sample):,} of " if len(sample) < count else ""
    shown = f" ({', '.join(sorted(forms))})" if forms else ""
    found.looked = f"{some}{counted(count, 'file')}{shown}"
    return found


def _look_into(file: SampledFile, options: FilesInput, found: Findings, forms: set[str]) -> None:
    records = found.records
    rejected: list[FirstRecord] = []
    try:
        form, topic = form_and_topic(file.name, options)
        for record in first_records(file, form, topic, options):
            if record.reason:
                rejected.append(record)
            else:
                found.add(record.topic, record.value)
    except Exception as error:  # each library has its own; one file must not stop the others
        found.unread.append(_unread(file.name, str(error) or type(error).__name__))
    if found.records > records:
        forms |= {SHOWN[form], *filter(None, [file.compression[1:]])}
    if rejected:
        what = (
            "is no record"
            if len(rejected) == 1
            else f"and {len(rejected) - 1:,} more are no records"
        )
        line, _, reason = rejected[0].reason.partition(": ")
        found.unread.append(_unread(file.name, f"{line} {what}: {reason}"))


def _has_values(name: str) -> bool:
    """Return whether a file is none of keys or headers beside the values of Confluent's sinks."""
    try:
        return connect_name(name).part == VALUES
    except NameProblem:
        return True


def _unread(name: str, reason: str) -> str:
    first = next((line for line in reason.splitlines() if line.strip()), "")
    return f"{printable_path(name)}: {printable(first)[:MAX_REASON_CHARACTERS]}"


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{printable(name)}`" for name in sorted(names))


def _payload(value: Any) -> dict[str, Any]:
    members = _object(value)
    if "op" in members or "tableChanges" in members or is_flattened(members):
        return members
    return _object(members.get("payload"))


def _object(value: Any) -> dict[str, Any]:
    """Return a JSON object from a text or a parsed value; an empty one for other values."""
    if isinstance(value, str | bytes):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):  # landing reports them, with their place
            return {}
    if isinstance(value, list):  # a map in Parquet
        value = dict(value) if all(isinstance(item, tuple) for item in value) else {}
    return value if isinstance(value, dict) else {}
