"""Which files of a sink are read together: values, and the keys and headers written beside them.

Confluent's sinks write the keys and headers of a file of values into files of their own, right
after it. A run may see the values alone. If the topic's values have such files, the newest values
of each partition wait for theirs, because a record that has landed without its key stays so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dbt_debezium_spark.inputs.sinks.names import SIDECARS, VALUES, SinkName
from dbt_debezium_spark.landing.listing import File

LATE = (
    "its values landed before it, without their {part}; to land them again, drop the raw table and"
    " its side tables"
)
TWICE = "another file has the {part} of the same values; remove one of them"


@dataclass(frozen=True)
class SinkFile:
    """A file and what its name tells."""

    file: File
    name: SinkName


@dataclass(frozen=True)
class FileSet:
    """Values, with the files of their keys and headers by part."""

    values: SinkFile
    sidecars: Mapping[str, SinkFile] = field(default_factory=dict)

    @property
    def files(self) -> list[SinkFile]:
        """All files of the set."""
        return [self.values, *self.sidecars.values()]


@dataclass(frozen=True)
class Known:
    """What earlier runs read, as the ledger tells.

    Attributes:
        names: names of the files read that have the same base as a new one.
        highest: by topic, partition and part the highest first offset of a file read.
    """

    names: frozenset[str] = frozenset()
    highest: Mapping[tuple[str, int, str], int] = field(default_factory=dict)


@dataclass
class FilePlan:
    """What a run does with new files.

    Attributes:
        sets: files to read.
        refused: by uri the reason not to read a file.
        waiting: files that a later run reads.
    """

    sets: list[FileSet] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    waiting: list[SinkFile] = field(default_factory=list)


def plan_files(files: Iterable[SinkFile], known: Known, new: frozenset[str]) -> FilePlan:
    """Group files into sets.

    Args:
        files: new files, and the known ones that have the same base as a new one.
        known: what earlier runs read.
        new: names of the files that are new or changed.
    """
    plan = FilePlan()
    values: dict[str, list[SinkFile]] = {}
    sidecars: dict[tuple[str, str], SinkFile] = {}
    highest = dict(known.highest)
    for file in sorted(files, key=lambda file: file.file.name):
        name = file.name
        place = (name.topic, name.partition, name.part)
        highest[place] = max(highest.get(place, -1), name.first_offset)
        if name.part == VALUES:
            values.setdefault(name.base, []).append(file)
        elif (name.base, name.part) in sidecars:
            plan.refused[file.file.uri] = TWICE.format(part=name.part)
        else:
            sidecars[name.base, name.part] = file
    has_part = {(topic, part) for topic, _, part in highest}
    for base, with_base in values.items():
        found = {part: sidecars[base, part] for part in SIDECARS if (base, part) in sidecars}
        for file in with_base:
            late = [
                sidecar
                for sidecar in found.values()
                if file.file.name in known.names
                and file.file.name not in new
                and sidecar.file.name not in known.names
            ]
            if late:
                for sidecar in late:
                    plan.refused[sidecar.file.uri] = LATE.format(part=sidecar.name.part)
            elif _may_get_sidecars(file.name, found, has_part, highest):
                plan.waiting += [file, *found.values()]
            else:
                plan.sets.append(FileSet(file, found))
    bases = set(values)
    plan.waiting += [file for (base, _), file in sidecars.items() if base not in bases]
    return plan


def _may_get_sidecars(
    name: SinkName,
    found: Mapping[str, SinkFile],
    has_part: set[tuple[str, str]],
    highest: Mapping[tuple[str, int, str], int],
) -> bool:
    """Return whether keys or headers of values may still be written.

    The sink writes the next file of the partition after those of this one.
    """
    is_newest = name.first_offset >= highest[name.topic, name.partition, VALUES]
    return is_newest and any(
        (name.topic, part) in has_part for part in SIDECARS if part not in found
    )
