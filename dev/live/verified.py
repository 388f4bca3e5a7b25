"""`debezium-spark verify` on both databases: while they change, and behind the connectors' back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.verify.text import lines
from dev.live.connectors import SHOP, WEB
from dev.live.landing import Landing
from dev.live.platform import Platform, require_everything
from dev.live.play import Play
from dev.live.project import ProjectError
from dev.servers import mariadb, postgres

TABLES = {
    "public.orders": SHOP,
    "public.order_lines": SHOP,
    "public.customers": SHOP,
    "web.visits": WEB,
    "web.carts": WEB,
}
Fault = tuple[str, str, str | None]
"""What is wrong with a row, how it is explained, and which column differs."""

_VALUE = ("value", "stands", "total")
IN_POSTGRES: dict[str, Fault] = {
    "update public.orders set total = total + 1"
    " where id = (select max(id) from public.orders) returning id": _VALUE,
    # in the last of its digits
    "update public.orders set total = total + 0.0001 where id ="
    " (select min(id) from public.orders where abs(total) < 1000) returning id": _VALUE,
    "insert into public.orders (id, customer_id, total, placed_at, uid)"
    " select max(id) + 1000000, 1, 1, now(), gen_random_uuid()"
    " from public.orders returning id": ("missing here", "never seen", None),
}
IN_MARIADB: dict[tuple[str, str], Fault] = {
    ("max", "update carts set total = coalesce(total, 0) + 1 where id = %s"): _VALUE,
    ("min", "delete from carts where id = %s"): ("missing there", "stands", None),
}

PAUSE_SECONDS = 7
"""Longer than the time for which `verify` takes clocks to differ."""


@dataclass(frozen=True)
class Verified:
    """What `verify` said of a table; `unseen`: rows were changed that it must find."""

    table: str
    unseen: bool
    found: dict[str, Any]


def verify_databases(
    platform: Platform, play: Play, landing: Landing, say: Callable[[str], None]
) -> list[Verified]:
    """Verify tables while both databases change, then rows that no connector was told of.

    Raises:
        ProjectError: it found another row than it should.
    """
    plugins = require_everything()
    for driver in ("*/postgresql-*.jar", "*/mariadb-java-client-*.jar"):
        landing.load_drivers(plugins.glob(driver))
    verified = []
    with changing(play):
        for table in TABLES:
            verified.append(_verified(platform, landing, table, 0, say))
    planted = {"public.orders": change_unseen_in_postgres(platform.postgres)}
    if platform.mariadb:
        planted["web.carts"] = change_unseen_in_mariadb(platform.mariadb)
    time.sleep(PAUSE_SECONDS)
    for table, faults in planted.items():
        one = _verified(platform, landing, table, len(faults), say)
        shown = {row["row_key"]: _fault(row) for row in one.found["rows"]}
        if shown != faults:
            raise ProjectError(f"live: verify of {table} shows {shown}, not {faults}.")
        verified.append(one)
    return verified


def _fault(row: dict[str, Any]) -> Fault:
    differing = [one["column"] for one in row["differs"]] if row["what"] == "value" else []
    return row["what"], row["explained"]["outcome"]["what"], ", ".join(differing) or None


def _verified(
    platform: Platform, landing: Landing, table: str, expected: int, say: Callable[[str], None]
) -> Verified:
    if TABLES[table] == SHOP:
        url = f"jdbc:postgresql://127.0.0.1:{platform.postgres.port}/{postgres.DATABASE}"
        account = (postgres.USER, platform.postgres.password)
    else:
        assert platform.mariadb is not None
        url = f"jdbc:mariadb://127.0.0.1:{platform.mariadb.port}/{mariadb.DATABASE}"
        account = (mariadb.USER, platform.mariadb.password)
    found = landing.verify(table, url, *account)
    text = "\n".join(lines(found))
    if found["differing"] != expected or not found["equal"]:
        raise ProjectError(f"live: {expected} rows of {table} should differ:\n{text}")
    say(text)
    return Verified(table, bool(expected), found)


@contextmanager
def changing(play: Play) -> Iterator[None]:
    """Let both databases change all the while."""
    over = threading.Event()
    failures: list[BaseException] = []

    def change() -> None:
        try:
            while not over.wait(1):
                for work in play.works.values():
                    work.traffic(1)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=change, name="traffic")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    if failures:
        raise failures[0]


def change_unseen_in_postgres(server: postgres.Server) -> dict[str, Fault]:
    """Change rows while the publication has truncates alone; return what is wrong, by key."""
    with closing(server.connect()) as connection:
        connection.run(f"alter publication {SHOP} set (publish = 'truncate')")
        faults = {
            f'{{"id":{connection.run(statement)[0][0]}}}': fault
            for statement, fault in IN_POSTGRES.items()
        }
        connection.run(
            f"alter publication {SHOP} set (publish = 'insert, update, delete, truncate')"
        )
    return faults


def change_unseen_in_mariadb(server: mariadb.Server) -> dict[str, Fault]:
    """Change rows in a session that writes no binlog; return what is wrong, by key."""
    faults = {}
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("set sql_log_bin = 0")
        for (which, statement), fault in IN_MARIADB.items():
            cursor.execute(f"select {which}(id) from carts")
            (key,) = cursor.fetchone()
            cursor.execute(statement, (key,))
            faults[f'{{"id":{key}}}'] = fault
    return faults
