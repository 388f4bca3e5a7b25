"""What happens in the databases, to the connectors and to their worker, act by act."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from dev.live import connectors, offsets
from dev.live.connectors import SHOP, WEB
from dev.live.pace import Pace
from dev.live.platform import Platform
from dev.live.web_workload import WebWorkload
from dev.recorder.events import operation, payload, redelivered
from dev.recorder.traffic import Traffic
from dev.recorder.workload import Workload
from dev.servers import ServerError

SLOT_SECONDS = 60
CRASHES_TRIED = 5
SIZES = {"small": 5, "full": 25}
"""Transactions per session, database and round of traffic; the scenes are always the same."""


@dataclass(frozen=True)
class Delivered:
    """What one connector brought to the broker."""

    records: int
    changes: int
    redelivered: int


class Play:
    """The whole story; every act is a method, and leaves its changes delivered.

    Attributes:
        works: what happens in each database, by the name of its connector.
    """

    def __init__(
        self,
        platform: Platform,
        seed: int,
        transactions: int,
        pace: Pace,
        say: Callable[[str], None] = lambda text: None,
        *,
        flattened: bool = False,
    ) -> None:
        """Prepare the play.

        Args:
            platform: a running one.
            seed: decides the statements.
            transactions: per session, database and round of traffic.
            pace: when an act may begin.
            say: is told what happens.
            flattened: the connectors flatten their records, and no table is truncated: the
                transform drops truncates.
        """
        self._flattened = flattened
        self._platform = platform
        self._transactions = transactions
        self._pace = pace
        self._say = say
        self._marks = 0
        self.works: dict[str, Traffic] = {
            SHOP: Workload(platform.postgres.connect, seed, truncates=not flattened)
        }
        if platform.mariadb:
            self.works[WEB] = WebWorkload(platform.mariadb.connect, seed, truncates=not flattened)

    @property
    def acts(self) -> list[Callable[[], None]]:
        """The acts in their order."""
        return [self.snapshot, self.change_and_crash, self.restart_and_crash, self.end]

    def perform(self) -> None:
        """Play all acts, at their pace; what fails stops the other side, too."""
        try:
            for number, act in enumerate(self.acts, start=1):
                self._pace.before_act(number)
                self._say(f"act {number} of {len(self.acts)}: {(act.__doc__ or '').strip()}")
                act()
                self._pace.act_is_over()
        except BaseException as error:
            self._pace.fail(error)
            raise

    def close(self) -> None:
        """Close the connections to the databases."""
        for work in self.works.values():
            work.close()

    def delivered(self) -> dict[str, Delivered]:
        """Return what each connector brought to the broker so far."""
        self._platform.tail.catch_up()
        records = self._platform.tail.records
        found = {}
        for name in self.works:
            own = [r for r in records if r["topic"] == name or r["topic"].startswith(f"{name}.")]
            changes = sum(operation(r) in ("c", "u", "d", "r", "t") for r in own)
            found[name] = Delivered(len(own), changes, redelivered(records, name))
        return found

    # -- Acts ----------------------------------------------------------------------------------

    def snapshot(self) -> None:
        """The connectors take their first snapshot while transactions are open."""
        self._play("prepare")
        platform = self._platform
        self._register(SHOP, "postgresql", connectors.shop(platform.postgres))
        self._wait_for_slot()
        self._play("begin_transaction_that_spans_the_snapshot")
        self._wait_for_notification(SHOP, "Initial Snapshot", "COMPLETED")
        self.works[SHOP].commit_long_transaction()
        if platform.mariadb:
            options = connectors.web(platform.mariadb, platform.broker.address)
            self._register(WEB, "mariadb", options)
        self._traffic()
        self._sync("after the snapshot")
        for name in self.works:
            platform.worker.wait_running(name)
        self._say(f"{len(platform.tail.records)} records on the broker")

    def change_and_crash(self) -> None:
        """Changes of every kind; the worker is killed amid them."""
        self._play("update_out_of_line_values", "change_keys", "emit_messages")
        self._traffic()
        self._wait_for_commits()

        self._play("change_much_at_once")
        self._traffic()
        self._play("truncate_and_insert", number=1)
        self._play("change_rows_without_a_key", "delete_and_insert_again")
        # Killed in its midst or right behind it: its signal comes again, and so does it.
        self._request_incremental_snapshot("before-the-kill")
        self._crash()
        # Debezium would send what it read before a truncate behind it.
        self._wait_for_snapshot_after_crash("before-the-kill")

    def restart_and_crash(self) -> None:
        """Truncates, snapshots, a restart in order, altered tables; the worker is killed again."""
        self._play("roll_back", "truncate_several_tables")
        self._traffic()
        self._sync("after the first crash")
        self._play("begin_long_transaction")
        self._incremental_snapshot("during-traffic")
        self._play("commit_long_transaction")
        for name in self.works:
            self._platform.worker.restart(name)
        self._traffic()
        self._play("change_quoted_names", "add_columns")
        self._wait_for_commits()

        self._traffic()
        self._play("drop_and_widen_columns")
        # What comes again has the layout of before the change.
        self._crash()

    def end(self) -> None:
        """The last traffic and truncates, a renamed column, a snapshot of it."""
        self._traffic()
        self._play("truncate_and_insert", number=2)
        self._play("rename_and_fill_columns")
        # The default of an added column changed rows without an event: only a read shows it.
        self._sync("after the second crash")
        self._incremental_snapshot("after-the-alter")
        self._traffic()
        self._sync("end")

    # -- Steps ---------------------------------------------------------------------------------

    def _play(self, *scenes: str, **told: Any) -> None:
        """Play scenes in every database that has them."""
        for scene in scenes:
            for work in self.works.values():
                if hasattr(work, scene):
                    getattr(work, scene)(**told)

    def _register(self, name: str, connector: str, options: dict[str, str]) -> None:
        flattening = connectors.flattening(connector) if self._flattened else {}
        self._platform.worker.register(name, options | flattening)

    def _traffic(self) -> None:
        self._pace.check()
        self._play("traffic", transactions=self._transactions)

    def _sync(self, note: str) -> dict[str, Mapping[str, Any]]:
        """Wait until the broker has everything committed so far; return the markers' records."""
        self._marks += 1
        self._play("mark", number=self._marks, note=note)
        return {name: self._wait_for_marker(name, self._marks, note) for name in self.works}

    def _wait_for_marker(self, name: str, number: int, note: str) -> Mapping[str, Any]:
        def is_marker(record: Mapping[str, Any]) -> bool:
            topic = f"{name}.{self.works[name].marker_table}"
            if record["topic"] != topic or record["value"] is None:
                return False
            after = payload(record["value"])["after"]
            return after is not None and after["id"] == number

        what = f"marker {number} ({note}) of `{name}`"
        return self._platform.tail.wait_for(is_marker, what, meanwhile=lambda: self._check(name))

    def _check(self, name: str) -> None:
        self._pace.check()
        self._platform.worker.check()
        self._platform.worker.states(name)

    def _wait_for_commits(self) -> None:
        """Wait until Connect commits the offsets of both connectors: a kill repeats what follows.

        Without any commit a snapshot would be taken again, and deletes before it never be told.
        """
        tail = self._platform.tail
        since = len(tail.records)
        self._sync("before a crash")
        for name in self.works:
            tail.wait_for(
                lambda record, name=name: offsets.committed(record, name) is not None,
                f"a commit of the offsets of `{name}`",
                since,
                meanwhile=lambda name=name: self._check(name),
            )

    def _is_committed(self, name: str, wanted: offsets.Place) -> bool:
        self._platform.tail.poll()
        places = (offsets.committed(record, name) for record in self._platform.tail.records)
        return any(place is not None and place >= wanted for place in places)

    def _crash(self) -> None:
        """Kill the worker while both connectors have delivered more than they committed."""
        worker = self._platform.worker
        for _ in range(CRASHES_TRIED):
            markers = self._sync("before the kill")
            if not any(self._is_committed(n, offsets.place_of(m)) for n, m in markers.items()):
                break
            # A commit came in between: its successor is a whole interval away.
            self._traffic()
        else:
            raise ServerError(
                "live: offsets were committed faster than changes delivered, "
                f"{CRASHES_TRIED} times. Run it on a machine that is less busy."
            )
        worker.kill()
        self._say("Kafka Connect was killed")
        worker.start()
        self._say("Kafka Connect is back")
        self._sync("after the kill")

    def _incremental_snapshot(self, signal: str) -> None:
        self._request_incremental_snapshot(signal)
        # Traffic while the windows are open: some of its keys fall into them.
        self._traffic()
        for name in self.works:
            self._wait_for_notification(name, "Incremental Snapshot", "COMPLETED", signal)

    def _request_incremental_snapshot(self, signal: str) -> None:
        self._play("request_incremental_snapshot", signal_id=signal)
        for name in self.works:
            self._wait_for_notification(name, "Incremental Snapshot", "STARTED", signal)

    def _wait_for_notification(
        self, name: str, aggregate: str, kind: str, identifier: str | None = None, since: int = 0
    ) -> None:
        self._platform.tail.wait_for(
            lambda record: _is_notification(record, name, aggregate, kind, identifier),
            f"`{name}`: {aggregate} {kind}",
            since,
            meanwhile=lambda: self._check(name),
        )

    def _wait_for_snapshot_after_crash(self, signal: str) -> None:
        """Wait until an incremental snapshot is over that a crash may have made begin again."""
        self._platform.tail.catch_up()
        for name in self.works:
            told = (name, "Incremental Snapshot")
            begun = [
                number
                for number, record in enumerate(self._platform.tail.records)
                if _is_notification(record, *told, "STARTED", signal)
            ]
            self._wait_for_notification(*told, "COMPLETED", signal, since=begun[-1])

    def _wait_for_slot(self) -> None:
        """Wait until the replication slot is made: what is written from now on is streamed."""
        deadline = time.monotonic() + SLOT_SECONDS
        query = "select 1 from pg_replication_slots where confirmed_flush_lsn is not null"
        with closing(self._platform.postgres.connect()) as connection:
            while not connection.run(query):
                self._check(SHOP)
                if time.monotonic() > deadline:
                    raise ServerError(
                        f"live: Debezium made no replication slot in {SLOT_SECONDS} s. "
                        f"Look into {self._platform.worker.log}."
                    )
                time.sleep(0.005)


def _is_notification(
    record: Mapping[str, Any], name: str, aggregate: str, kind: str, identifier: str | None
) -> bool:
    if record["topic"] != f"{name}.notifications":
        return False
    value = payload(record["value"])
    return bool(
        value["aggregate_type"] == aggregate
        and value["type"] == kind
        and identifier in (None, value["id"])
    )
