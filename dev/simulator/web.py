"""The MariaDB demo: a web site, from a snapshot over a crash to a truncate.

Three tables of database `web`: accounts that change their key and come back, pages, and drafts that
are truncated; a column is added, and records are delivered again after a crash.
"""

from __future__ import annotations

from typing import Any

from dev.simulator import binlog_demo as of
from dev.simulator.demo_source import Tables
from dev.simulator.mariadb import MariaDb

PREFIX = "web"
SCHEMA: Tables = {
    "accounts": (
        ("login",),
        {
            "login": (of.varchar(40), False),
            "id": (of.BIGINT_UNSIGNED, False),
            "role": (of.labels("ENUM", "reader", "author"), False),
            "is_active": (of.TINYINT_1, False),
            "settings": (of.TEXT, True),
            "seen_at": (of.TIMESTAMP, True),
        },
    ),
    "pages": (
        ("path", "lang"),
        {
            "path": (of.varchar(100), False),
            "lang": (of.varchar(5), False),
            "author": (of.varchar(40), True),
            "title": (of.varchar(200), False),
            "weight": (of.DOUBLE, True),
            "fee": (of.decimal(12, 4), False),
            "published_at": (of.DATETIME_6, True),
            "read_for": (of.TIME_0, True),
        },
    ),
    "drafts": (
        ("no",),
        {"no": (of.INT, False), "body": (of.TEXT, True), "due_on": (of.DATE, True)},
    ),
}
TEXTS = ("", "a\nb", 'it\'s "so" \\ here', "漢字 🙂", "<p>½</p>")


class Web(of.BinlogDemo):
    """The site's database, connector and topics."""

    prefix = PREFIX
    database = "web"
    tables = SCHEMA
    connector = MariaDb


def run_web(seed: int, *, transactions: bool = False) -> Web:
    """Return the site after its story."""
    web = Web(seed, transactions=transactions)
    story = _Story(web)
    for _ in range(5):
        story.register()
        story.write()
    web.snapshot()
    for _ in range(6):
        story.write()
        story.draft()
    web.send()
    web.crash(back=8)
    web.send()
    story.rename()
    story.read()
    web.add_column("pages", "keywords", of.varchar(60))
    story.write(keywords="new")
    web.truncate("drafts")
    web.commit()
    story.draft()
    story.leave()
    web.send()
    web.crash(back=5)
    web.send()
    web.read_chunk("accounts")
    story.read()
    web.send()
    return web


class _Story:
    """What people do on the site."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self._numbers = 0

    def register(self) -> None:
        rng = self.web.rng
        self._numbers += 1
        self.web.insert(
            "accounts",
            {
                "login": f"user{self._numbers}",
                "id": 2**64 - self._numbers,
                "role": rng.choice(["reader", "author"]),
                "is_active": 1,
                "settings": rng.choice([None, '{"dark": true}', *TEXTS]),
                "seen_at": rng.choice([None, f"{self.web.now:%Y-%m-%dT%H:%M:%SZ}"]),
            },
        )
        self.web.commit()

    def write(self, **more: Any) -> None:
        """Publish a page in two languages."""
        rng = self.web.rng
        self._numbers += 1
        for lang in ("en", "zh-TW"):
            self.web.insert(
                "pages",
                {
                    "path": f"/p/{self._numbers}",
                    "lang": lang,
                    "author": rng.choice(list(self.web.rows["accounts"]))[0],
                    "title": rng.choice(TEXTS),
                    "weight": rng.choice([None, 0.1, -2.5e-10]),
                    "fee": f"{rng.randint(-(10**6), 10**6) / 10_000:.4f}",
                    "published_at": rng.choice([None, f"{self.web.now:%Y-%m-%dT%H:%M:%S}.000001"]),
                    "read_for": rng.choice([None, "00:00:07", "99:59:59"]),
                }
                | more,
            )
        self.web.commit()

    def draft(self) -> None:
        rng = self.web.rng
        self._numbers += 1
        row = {"no": self._numbers, "body": rng.choice(TEXTS)}
        self.web.insert("drafts", row | {"due_on": rng.choice([None, "2026-12-31"])})
        self.web.commit()

    def rename(self) -> None:
        """Change a key with what refers to it, and use the old one again."""
        rows = self.web.rows
        old = min(rows["accounts"])
        self.web.update("accounts", old, login="renamed")
        for key in [key for key, row in rows["pages"].items() if row["author"] == old[0]]:
            self.web.update("pages", key, author="renamed")
        self.web.commit()
        number = self._numbers
        self._numbers = int(old[0].removeprefix("user")) - 1
        self.register()
        self._numbers = number

    def read(self) -> None:
        for key in list(self.web.rows["pages"])[:4]:
            self.web.update("pages", key, read_for="-00:00:01")
            self.web.commit()

    def leave(self) -> None:
        """Delete an account and its pages."""
        login = max(self.web.rows["accounts"])[0]
        pages = self.web.rows["pages"]
        for key in [key for key, row in pages.items() if row["author"] == login]:
            self.web.delete("pages", key)
        self.web.delete("accounts", (login,))
        self.web.commit()
