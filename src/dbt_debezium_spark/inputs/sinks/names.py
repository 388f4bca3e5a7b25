"""What the name of a sink's file tells: topic, partition, first offset, and what is in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from dbt_debezium_spark.config.sink_layouts import template_pattern
from dbt_debezium_spark.landing.record_values import INT_MAX, LONG_MAX

VALUES, KEYS, HEADERS = "values", "keys", "headers"
SIDECARS = (KEYS, HEADERS)
# The sinks of this family take their delimiter from `file.delim`; HDFS adds the last offset.
_CONNECT_NAME = re.compile(
    r"(?P<topic>[A-Za-z0-9._-]+)\+(?P<partition>[0-9]+)\+(?P<start_offset>[0-9]+)"
    r"(?P<last>\+[0-9]+)?(?P<part>\.keys|\.headers)?(?P<suffix>(?:\.[A-Za-z0-9_]+)*)"
)
# The same in Spark, on whole paths: the base, topic, partition, first offset, and part.
CONNECT_PATH = (
    r"^((?:.*/)?([A-Za-z0-9._-]+)(?:[+]|%2[Bb])([0-9]+)(?:[+]|%2[Bb])([0-9]+)"
    r"(?:(?:[+]|%2[Bb])[0-9]+)?)(?:[.](keys|headers))?(?:[.][A-Za-z0-9_]+)*$"
)
# `tombstone.encoded.partition`: the sink writes only the keys (and headers) of tombstones there.
TOMBSTONES = r"/tombstone/[^/]*[.](keys|headers)(?:[.][A-Za-z0-9_]+)*$"
_DEFAULT_FOLDER = re.compile(r"partition=([0-9]+)")
# A file of another partitioner has some of the records from its first offset on, and other files
# have those between. So its records are numbered apart: see docs/inputs.md.
SPREAD = 10_000_000
_COMPRESSION = re.compile(r"(?:\.(?:gz|bz2|zst|lz4|snappy|deflate))+$", re.IGNORECASE)


class NameProblem(ValueError):  # noqa: N818 - it says what the name is, not what failed
    """A file whose records cannot be placed; the text is the reason, with a remedy."""


@dataclass(frozen=True)
class SinkName:
    """The content of a file, by its name.

    Attributes:
        topic: topic of its records.
        partition: their partition.
        first_offset: offset of the first record.
        part: `values`, or the `keys` or `headers` of the values with the same base.
        base: the path without part and extension.
        suffix: the extension in lower case, without that of a compression.
        is_spread: whether a partitioner has spread the partition's records over several files.
    """

    topic: str
    partition: int
    first_offset: int
    part: str = VALUES
    base: str = ""
    suffix: str = ""
    is_spread: bool = False

    @property
    def base_offset(self) -> int:
        """The offset of the file's first record in the raw table."""
        return self.first_offset * SPREAD if self.is_spread else self.first_offset


def connect_name(path: str) -> SinkName:
    """Return what the name of a file of Confluent's sinks tells.

    Raises:
        NameProblem: it has no topic, partition and first offset, or its folder has others.
    """
    *folders, name = path.split("/")
    name = name if "+" in name else unquote(name)  # tools that copy objects may escape it
    match = _CONNECT_NAME.fullmatch(name)
    if match is None:
        raise NameProblem(
            "its name is not `<topic>+<partition>+<first offset>`, so that its records have no"
            " offsets; let the sink name its files so (`file.delim` is `+`), or move it"
        )
    partition, offset = _numbers(match)
    parent = unquote(folders[-1]) if folders else ""
    topic_folder = unquote(folders[-2]) if len(folders) > 1 else match["topic"]
    default = _DEFAULT_FOLDER.fullmatch(parent)
    if default and (int(default[1]) != partition or topic_folder != match["topic"]):
        raise NameProblem(
            f"its name says topic `{match['topic']}`, partition {partition}, and its folder"
            f" `{topic_folder}/{parent}`; move it to the folder of its topic and partition"
        )
    # Files in a folder of no partitioner were put there by something else than the sink.
    has_partitioner = "=" in parent or match["topic"] in map(unquote, folders[:-1])
    found = SinkName(
        topic=match["topic"],
        partition=partition,
        first_offset=offset,
        part=(match["part"] or f".{VALUES}")[1:],
        base="/".join([*folders, name[: match.end("last" if match["last"] else "start_offset")]]),
        suffix=plain_suffix(match["suffix"]),
        is_spread=has_partitioner and not default and parent != match["topic"],
    )
    return _checked(found)


def aiven_name(path: str, template: str) -> SinkName:
    """Return what the name of a file of Aiven's sinks tells.

    Args:
        path: path of the file.
        template: `file.name.template` of the sink; it is the end of the path.

    Raises:
        NameProblem: the path does not end so.
    """
    pattern = rf"(?:.*[^A-Za-z0-9._-])?{template_pattern(template)}(?P<suffix>(?:\.[A-Za-z0-9]+)*)"
    match = re.fullmatch(pattern, path, re.DOTALL)
    if match is None:
        raise NameProblem(
            f"its path does not end like `{template}`, so that its records have no partition;"
            " write `file.name.template` of the sink into `input.file_name`"
        )
    partition, offset = _numbers(match)
    return _checked(
        SinkName(match["topic"], partition, offset, suffix=plain_suffix(match["suffix"]))
    )


def plain_suffix(suffix: str) -> str:
    """Return an extension in lower case, without those of compressions."""
    return _COMPRESSION.sub("", suffix.lower())


def suffix_of(path: str) -> str:
    """Return the extension of a file, see `SinkName.suffix`."""
    name = plain_suffix(path.rpartition("/")[2])
    return name[name.rfind(".") :] if "." in name else ""


def _numbers(match: re.Match[str]) -> tuple[int, int]:
    partition, offset = match["partition"], match["start_offset"]
    # Python refuses to read very long numbers.
    if len(partition) > 20 or len(offset) > 20 or int(partition) > INT_MAX:
        raise NameProblem(
            f"its name has the partition {partition[:30]} and the first offset {offset[:30]},"
            " which Kafka does not have; correct it"
        )
    return int(partition), int(offset)


def _checked(name: SinkName) -> SinkName:
    if name.first_offset * (SPREAD if name.is_spread else 1) > LONG_MAX - SPREAD:
        raise NameProblem(
            f"its name has the first offset {name.first_offset}, which is too large; correct it"
        )
    return name
