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
UNSEEN = {"public.orders": "total", "web.carts": "total"}
"""Tables of which one row is changed behind the connector's back, and the column."""

PAUSE_SECONDS = 7
"""Longer than the time for which `verify` takes clocks to differ."""


@dataclass(frozen=True)
class Verified:
    """What `verify` said of a table; `unseen`: one row was changed that it must find."""

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
    keys = {"public.orders": change_unseen_in_postgres(platform.postgres)}
    if platform.mariadb:
        keys["web.carts"] = change_unseen_in_mariadb(platform.mariadb)
    time.sleep(PAUSE_SECONDS)
    for table, key in keys.items():
        one = _verified(platform, landing, table, 1, say)
        (row,) = one.found["rows"]
        shown = (row["row_key"], [differing["column"] for differing in row["differs"]])
        if shown != (f'{{"id":{key}}}', [UNSEEN[table]]):
            raise ProjectError(f"live: verify of {table} shows {shown}, not {key}.")
        verified.append(one)
    return verified


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


def change_unseen_in_postgres(server: postgres.Server) -> int:
    """Change a row while the publication has inserts alone; return its key."""
    with closing(server.connect()) as connection:
        connection.run(f"alter publication {SHOP} set (publish = 'insert')")
        (row,) = connection.run(
            "update public.orders set total = total + 1"
            " where id = (select max(id) from public.orders) returning id"
        )
        connection.run(
            f"alter publication {SHOP} set (publish = 'insert, update, delete, truncate')"
        )
    return int(row[0])


def change_unseen_in_mariadb(server: mariadb.Server) -> int:
    """Change a row in a session that writes no binlog; return its key."""
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("set sql_log_bin = 0")
        cursor.execute("select max(id) from carts")
        (key,) = cursor.fetchone()
        cursor.execute("update carts set total = coalesce(total, 0) + 1 where id = %s", (key,))
    return int(key)
