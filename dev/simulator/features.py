"""What may happen in a simulated history. Every switch off gives a plain log."""

from __future__ import annotations

import random
from dataclasses import dataclass, fields, replace
from typing import Any

# Switches that only some connectors know.
KNOWN_BY: dict[str, tuple[str, ...]] = {
    "truncates": ("postgresql", "oracle", "mysql", "mariadb"),
    "full_identity": ("postgresql",),
    "toast": ("postgresql", "oracle"),
    "copy": ("postgresql",),
    "overlap": ("sqlserver", "mysql", "mariadb"),
    "max_before": ("sqlserver",),
    "compressed": ("mysql",),
    "binary": ("oracle",),
    "unordered": ("oracle",),
    "direct": ("sqlserver",),
    "late_births": ("postgresql", "oracle"),
}
# A source has them or not: never drawn for one history.
GIVEN = ("compressed", "close_unseen", "transaction_topic")


@dataclass(frozen=True)
class Features:
    """Switches of a history.

    `key`: single, composite or none. `partitions`: at the start. `initial`: empty (the table is),
    snapshot (it had rows, they are read) or unread (it had rows, nothing tells of them).
    `headers`: all, links (no context headers), none (the landing dropped them).
    `schemas`: with, without, mixed. `binary`: binary.handling.mode. `toast`: values out of line,
    of Oracle LOBs. `tombstones`: null, empty, text, legacy (how the landing shows
    Kafka's null) or off. `restore`: no, epoch, snapshot, both.
    `unordered`: some changes of Oracle have no number in their redo record. `compressed`: the
    changes of a transaction share their position.
    `retries`: a producer sends a batch again, byte for byte: no, whole (unless it begins with the
    tombstone of a delete that is not in it) or any. `blocking`: ad hoc snapshots that change no
    offset: no, drained (all was sent before) or behind (streaming goes on below what they read).
    `direct`: SQL Server's change tables are read by command (3.4). `late_births`: an insert is
    logged before the delete that it waits for. `second_topic`: records go to another one at some
    moment; a restart may deliver there what the first has. `transaction_topic`: the connector
    reports the begin and end of transactions, too.
    `hidden_deletes`: a repeated snapshot follows lost deletes; `close_unseen`: that ends the rows.
    """

    key: str = "single"
    partitions: int = 1
    initial: str = "empty"
    headers: str = "all"
    schemas: str = "without"
    tombstones: str = "null"
    restore: str = "no"
    quoted_numbers: bool = False
    transaction_metadata: bool = False
    full_identity: bool = False
    toast: bool = False
    key_changes: bool = False
    swaps: bool = False
    truncates: bool = False
    copy: bool = False
    redelivery: bool = False
    ends_in_redelivery: bool = False
    incremental: bool = False
    snapshot_again: bool = False
    broken_snapshot: bool = False
    overlap: bool = False
    hidden_deletes: bool = False
    add_partitions: bool = False
    recreate_topic: bool = False
    compaction: bool = False
    gaps: bool = False
    max_before: bool = False
    compressed: bool = False
    binary: str = "bytes"
    unordered: bool = False
    close_unseen: bool = False
    retries: str = "no"
    blocking: str = "no"
    direct: bool = False
    late_births: bool = False
    second_topic: bool = False
    transaction_topic: bool = False

    def for_connector(self, connector: str) -> Features:
        """Return these switches without those that the connector or each other rule out."""
        off: dict[str, Any] = {
            switch.name: switch.default
            for switch in fields(self)
            if connector not in KNOWN_BY.get(switch.name, (connector,))
        }
        if self.key == "none" and self.blocking == "behind":
            off["blocking"] = "drained"  # no record tells which changes the snapshot saw
        if self.toast and (self.key_changes or self.swaps):
            # A row that was renamed below what the snapshot read takes values it lacks from the
            # row that the snapshot found under the former key.
            off["blocking"] = "drained" if self.blocking == "behind" else self.blocking
        if self.close_unseen:
            off["compaction"] = False  # it may take the read that says that the snapshot ended
        if self.key == "none":
            off |= {
                "key_changes": False,
                "swaps": False,
                "late_births": False,
                "compaction": False,
                "overlap": False,
                "max_before": False,
                "full_identity": connector == "postgresql",
                # rows are known by all of their values, which `before` lacks where there are LOBs
                "toast": self.toast and connector != "oracle",
                "initial": "empty" if self.initial == "unread" else self.initial,
            }
        if self.key != "none" or self.headers != "all":
            off["copy"] = False  # only the run's id tells equal rows at one position from repeats
        if self.compressed and connector == "mysql":
            off["headers"] = "all"  # likewise for equal changes of a transaction
            off["compaction"] = False  # and it takes first deliveries, which repeats are known by
        if self.headers != "all" or self.compaction:
            off["unordered"] = False
        if self.compaction and self.key != "none":
            # A compacted topic refuses records without a key; and of a log that ends amid a
            # repeat it keeps the repeat only.
            off |= {"truncates": False, "ends_in_redelivery": False}
            # Of a batch that was sent twice it may keep the delete of the first, the read before
            # that one of the second.
            off["retries"] = "no"
            # And it may take the delete below which a row was born.
            off["late_births"] = False
        return replace(self, **off)


CHOICES: dict[str, tuple[Any, ...]] = {
    "key": ("single", "single", "composite"),
    "partitions": (1, 1, 2, 3, 4),
    "initial": ("empty", "snapshot", "unread"),
    "headers": ("all", "all", "links", "none"),
    "schemas": ("without", "with", "mixed"),
    "tombstones": ("null", "null", "null", "empty", "text", "legacy", "off"),
    "restore": ("no", "no", "no", "epoch", "snapshot", "both"),
    "binary": ("bytes", "bytes", "hex", "base64", "base64-url-safe"),
    "retries": ("no", "whole", "any"),
    "blocking": ("no", "drained", "behind"),
}
# Switches that came with their connectors: others draw as they did before there were these.
_ADDED = ("binary", "unordered", "direct", "late_births")
_RARE = (
    "hidden_deletes",
    "compaction",
    "snapshot_again",
    "recreate_topic",
    "broken_snapshot",
    "second_topic",
)


def random_features(rng: random.Random, connector: str, **fixed: Any) -> Features:
    """Draw switches; `fixed` ones are taken as given."""
    drawn: dict[str, Any] = {}
    for switch in fields(Features):
        if switch.name == "binary":
            rng.random()  # there was a switch before it: histories of a seed stay what they are
        unknown = switch.name in _ADDED and connector not in KNOWN_BY[switch.name]
        if switch.name in GIVEN or unknown:
            continue
        if switch.name in CHOICES:
            drawn[switch.name] = rng.choice(CHOICES[switch.name])
        else:
            drawn[switch.name] = rng.random() < (0.15 if switch.name in _RARE else 0.5)
    return Features(**(drawn | fixed)).for_connector(connector)
