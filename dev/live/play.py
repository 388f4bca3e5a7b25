"""What happens in both databases, to the connectors and to their worker, act by act."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dev.live import connectors, offsets, web_tables
from dev.live.pace import Pace
from dev.live.platform import Platform
from dev.live.redelivery import repeats
from dev.live.web_truth import save as save_web
from dev.live.web_workload import WebWorkload
from dev.recorder import connector, tables, truth
from dev.recorder.events import operation, payload
from dev.recorder.workload import Workload
from dev.servers import mariadb
from dev.servers.errors import ServerError

SLOT_SECONDS = 60
CRASHES_TRIED = 5
SHOP, WEB = connectors.SHOP, connectors.WEB
MARKERS = {SHOP: f"{SHOP}.{connector.MARKER_TABLE}", WEB: f"{WEB}.{mariadb.DATABASE}.marker"}
SNAPSHOT_AGAIN = {
    SHOP: ["public.customers", "public.order_lines"],
    WEB: [f"{mariadb.DATABASE}.visitors", f"{mariadb.DATABASE}.carts"],
}
"""Tables of incremental snapshots."""


@dataclass(frozen=True)
class Size:
    """How much traffic surrounds the scenes; the scenes are the same in every size."""

    transactions: int
    """Per session, database and round of traffic."""


SIZES = {"small": Size(5), "full": Size(25)}


@dataclass(frozen=True)
class Delivered:
    """What one connector brought to the broker."""

    records: int
    changes: int
    redelivered: int


class Play:
    """The whole story; every act is a method, and leaves its changes delivered."""

    def __init__(
        self,
        platform: Platform,
        seed: int,
        size: Size,
        pace: Pace,
        say: Callable[[str], None] = lambda text: None,
        *,
        flattened: bool = False,
    ) -> None:
        """Prepare the play.

        Args:
            platform: a running one.
            seed: decides the statements.
            size: how much traffic there is.
            pace: when an act may begin.
            say: is told what happens.
            flattened: the connectors flatten their records, and no table is truncated: the
                transform drops truncates.
        """
        self._flattened = flattened
        self._platform = platform
        self._size = size
        self._pace = pace
        self._say = say
        self._marks = 0
        self._shop = Workload(platform.postgres.connect, seed, truncates=not flattened)
        self._web = WebWorkload(platform.mariadb.connect, seed, truncates=not flattened)

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
        self._shop.close()
        self._web.close()

    def save_truth(self, folder: Path) -> dict[str, dict[str, int]]:
        """Write what the tables hold now, one folder for each source; return their rows."""
        counts = {}
        connection = self._platform.postgres.connect()
        try:
            counts[SHOP] = truth.save(connection, tables.TRUTH_TABLES, folder / SHOP / "truth")
        finally:
            connection.close()
        connection = self._platform.mariadb.connect()
        try:
            counts[WEB] = save_web(
                connection, mariadb.DATABASE, web_tables.TRUTH_TABLES, folder / WEB / "truth"
            )
        finally:
            connection.close()
        return counts

    def delivered(self) -> dict[str, Delivered]:
        """Return what each connector brought to the broker so far."""
        self._platform.tail.catch_up()
        records = self._platform.tail.records
        found = {}
        for name in (SHOP, WEB):
            own = [r for r in records if r["topic"] == name or r["topic"].startswith(f"{name}.")]
            changes = sum(operation(r) in ("c", "u", "d", "r", "t") for r in own)
            found[name] = Delivered(len(own), changes, repeats(records, name))
        return found

    # -- Acts ----------------------------------------------------------------------------------

    def snapshot(self) -> None:
        """The connectors take their first snapshot while transactions are open."""
        self._shop.prepare()
        self._web.prepare()
        worker, tail = self._platform.worker, self._platform.tail
        worker.register(SHOP, self._options("postgresql", connectors.shop(self._platform.postgres)))
        self._wait_for_slot()
        self._shop.begin_transaction_that_spans_the_snapshot()
        self._wait_for_notification(SHOP, "Initial Snapshot", "COMPLETED")
        self._shop.commit_long_transaction()
        web = connectors.web(self._platform.mariadb, self._platform.broker.address)
        worker.register(WEB, self._options("mariadb", web))
        self._traffic()
        self._sync("after the snapshot")
        for name in (SHOP, WEB):
            worker.wait_running(name)
        self._say(f"{len(tail.records)} records on the broker")

    def change_and_crash(self) -> None:
        """Changes of every kind; the worker is killed amid them."""
        self._shop.update_out_of_line_values()
        self._shop.change_keys()
        self._shop.emit_messages()
        self._web.change_keys()
        self._traffic()
        self._wait_for_commits()

        self._shop.change_much_at_once()
        self._web.change_much_at_once()
        self._traffic()
        self._shop.truncate_and_insert(1)
        self._web.truncate_and_insert(1)
        self._shop.change_rows_without_a_key()
        self._web.change_rows_without_a_key()
        self._shop.delete_and_insert_again()
        self._web.delete_and_insert_again()
        # Killed in its midst or right behind it: its signal comes again, and so does it.
        self._request_incremental_snapshot("before-the-kill")
        self._crash()

    def restart_and_crash(self) -> None:
        """Truncates, snapshots, a restart in order, altered tables; the worker is killed again."""
        self._shop.roll_back()
        self._web.roll_back()
        self._shop.truncate_several_tables()
        self._traffic()
        self._sync("after the first crash")
        self._shop.begin_transaction_that_spans_the_incremental_snapshot()
        self._web.begin_long_transaction()
        self._incremental_snapshot("during-traffic")
        self._shop.commit_long_transaction()
        self._web.commit_long_transaction()
        for name in (SHOP, WEB):
            self._platform.worker.restart(name)
        self._traffic()
        self._shop.change_quoted_names()
        self._shop.add_columns()
        self._web.add_columns()
        self._wait_for_commits()

        self._traffic()
        self._shop.drop_and_widen_columns()
        self._web.drop_and_widen_columns()
        # What comes again has the layout of before the change.
        self._crash()

    def end(self) -> None:
        """The last traffic and truncates, a renamed column, a snapshot of it."""
        self._traffic()
        self._shop.truncate_and_insert(2)
        self._web.truncate_and_insert(2)
        self._shop.rename_and_fill_columns()
        # The default of an added column changed rows without an event: only a read shows it.
        self._sync("after the second crash")
        self._incremental_snapshot("after-the-alter")
        self._traffic()
        self._sync("end")

    # -- Steps ---------------------------------------------------------------------------------

    def _options(self, connector: str, options: dict[str, str]) -> dict[str, str]:
        return {**options, **(connectors.flattening(connector) if self._flattened else {})}

    def _traffic(self) -> None:
        self._pace.check()
        self._shop.traffic(self._size.transactions)
        self._web.traffic(self._size.transactions)

    def _sync(self, note: str) -> dict[str, Mapping[str, Any]]:
        """Wait until the broker has everything committed so far; return the markers' records."""
        self._marks += 1
        number = self._marks
        self._shop.mark(number, note)
        self._web.mark(number, note)
        return {name: self._wait_for_marker(name, number, note) for name in (SHOP, WEB)}

    def _wait_for_marker(self, name: str, number: int, note: str) -> Mapping[str, Any]:
        def is_marker(record: Mapping[str, Any]) -> bool:
            if record["topic"] != MARKERS[name] or record["value"] is None:
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
        for name in (SHOP, WEB):
            tail.wait_for(
                lambda record, name=name: offsets.is_commit(record, name),
                f"a commit of the offsets of `{name}`",
                since,
                meanwhile=lambda name=name: self._check(name),
            )

    def _is_committed(self, name: str, wanted: offsets.Place) -> bool:
        self._platform.tail.poll()
        found = offsets.committed(self._platform.tail.records, name)
        return found is not None and found >= wanted

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
        for name in (SHOP, WEB):
            self._wait_for_notification(name, "Incremental Snapshot", "COMPLETED", signal)

    def _request_incremental_snapshot(self, signal: str) -> None:
        self._shop.request_incremental_snapshot(signal, SNAPSHOT_AGAIN[SHOP])
        self._web.request_incremental_snapshot(signal, SNAPSHOT_AGAIN[WEB])
        for name in (SHOP, WEB):
            self._wait_for_notification(name, "Incremental Snapshot", "STARTED", signal)

    def _wait_for_notification(
        self, name: str, aggregate: str, kind: str, identifier: str | None = None
    ) -> None:
        def is_it(record: Mapping[str, Any]) -> bool:
            if record["topic"] != f"{name}.notifications":
                return False
            value = payload(record["value"])
            return bool(
                value["aggregate_type"] == aggregate
                and value["type"] == kind
                and identifier in (None, value["id"])
            )

        self._platform.tail.wait_for(
            is_it, f"`{name}`: {aggregate} {kind}", meanwhile=lambda: self._check(name)
        )

    def _wait_for_slot(self) -> None:
        """Wait until the replication slot is made: what is written from now on is streamed."""
        connection = self._platform.postgres.connect()
        try:
            deadline = time.monotonic() + SLOT_SECONDS
            query = "select 1 from pg_replication_slots where confirmed_flush_lsn is not null"
            while not connection.run(query):
                self._check(SHOP)
                if time.monotonic() > deadline:
                    raise ServerError(
                        f"live: Debezium made no replication slot in {SLOT_SECONDS} s. "
                        f"Look into {self._platform.worker.log}."
                    )
                time.sleep(0.005)
        finally:
            connection.close()
