"""The demo's MongoDB source: a content store whose collections two kinds of connectors followed.

`articles` comes by change streams that hold changes only, from a connector of 3.6; `comments` by
oplog patches, from one of 1.1. Both crash and repeat themselves.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from dev.simulator.mongodb import (
    LINES,
    Document,
    Scalar,
    Simulation,
    canonical_text,
    key_of,
    value_of,
)
from reference import KafkaRecord

PREFIX = "content"
DATABASE = "cms"
FIRST_DAY_MS = 1_767_225_600_000
WORDS = ("Iron", "Snow", "Amber", "Quiet", "Größe", "漢字", "Harbour", "Signal", "Night", "Field")

Fields = tuple[tuple[str, str, Callable[[Document], Any]], ...]


class Collection(Simulation):
    """One collection of the store and its connector."""

    database = DATABASE

    def __init__(self, rng: random.Random, name: str, line: str) -> None:
        """Set the connector up; it writes one partition."""
        super().__init__(rng, f"{PREFIX}.{DATABASE}.{name}")
        self.collection = name
        self.line_name, self.line = line, LINES[line]
        self.capture = "delta"
        self.with_schema = name == "comments"
        self.tombstones = self.headers = True
        self.metadata = False
        self.ids = []

    def insert(self, key: Any, **fields: Any) -> str:
        """Insert a document."""
        name = key_of(key)
        self.documents[name] = after = {"_id": key, **fields}
        self.change("c", name, None, after, None)
        self.ids.append(name)
        return name

    def update(self, name: str, *removes: str, transaction: int | None = None, **sets: Any) -> None:
        """Set and remove members; `__` in a name stands for the dot of a path."""
        before = self.documents[name]
        after = copy.deepcopy(before)
        paths = {path.replace("__", "."): value for path, value in sets.items()}
        for path, value in paths.items():
            *way, last = path.split(".")
            container: Any = after
            for part in way:
                container = container[int(part)] if isinstance(container, list) else container[part]
            if isinstance(container, list):
                container.extend([None] * (int(last) + 1 - len(container)))
                container[int(last)] = copy.deepcopy(value)
            else:
                container[last] = copy.deepcopy(value)
        for path in removes:
            *way, last = path.split(".")
            container = after
            for part in way:
                container = container[part]
            del container[last]
        self.documents[name] = after
        self.change(
            "u", name, before, after, transaction, sets=copy.deepcopy(paths), removes=list(removes)
        )

    def cut(self, name: str, field: str, size: int) -> None:
        """Cut an array."""
        before = self.documents[name]
        after = copy.deepcopy(before)
        del after[field][size:]
        self.documents[name] = after
        self.change("u", name, before, after, None, cuts={field: size})

    def replace(self, name: str, **fields: Any) -> None:
        """Replace a document."""
        before = self.documents[name]
        self.documents[name] = after = {"_id": value_of(name), **fields}
        self.change("u", name, before, after, None, replaced=True)

    def delete(self, name: str) -> None:
        """Delete a document."""
        self.change("d", name, self.documents.pop(name), None, None)
        self.ids.remove(name)


class Content:
    """The store, its records and its truth."""

    def __init__(self, seed: int, *, transactions: bool = False) -> None:
        """Let both collections live; with `transactions`, those of articles are reported."""
        self.articles = Collection(random.Random(seed), "articles", "3.6")
        if transactions:
            self.articles.report_transactions()
        self.comments = Collection(random.Random(seed + 1), "comments", "1.1")
        _write_articles(self.articles)
        _write_comments(self.comments)

    @property
    def records(self) -> list[KafkaRecord]:
        """The records of both topics, in the order of their times."""
        records = [*self.articles.broker.records, *self.comments.broker.records]
        if self.articles.boundaries:
            records += self.articles.boundaries.broker.records
        return sorted(records, key=lambda one: (one.timestamp_ms, one.topic, one.offset))

    def described(self) -> dict[str, Any]:
        """Return the columns of the truth, by table."""
        own = [("_id", "string"), ("document", "string")]
        return {
            name: {
                "key": ["_id"],
                "columns": [
                    {"name": column, "type": kind}
                    for column, kind in [*own, *((one[0], one[1]) for one in fields)]
                ],
            }
            for name, _, fields in self._told()
        }

    def truth(self) -> dict[str, list[dict[str, Any]]]:
        """Return the rows that the current tables must have."""
        return {
            name: [
                {
                    "_id": canonical_text(document["_id"]),
                    "document": canonical_text(document),
                    **{column: read(document) for column, _, read in fields},
                }
                for document in collection.documents.values()
            ]
            for name, collection, fields in self._told()
        }

    def _told(self) -> list[tuple[str, Collection, Fields]]:
        return [
            ("articles", self.articles, ARTICLE_FIELDS),
            ("comments", self.comments, COMMENT_FIELDS),
        ]


def _moment_of(document: Document, name: str) -> str | None:
    value = document.get(name)
    if value is None:
        return None
    text = canonical_text(value)
    return text[len('{"$date":"') : -len('"}')]


ARTICLE_FIELDS: Fields = (
    ("title", "string", lambda d: d.get("title")),
    ("author_name", "string", lambda d: (d.get("author") or {}).get("name")),
    ("views", "long", lambda d: d["views"].said if "views" in d else None),
    ("rating", "double", lambda d: d.get("rating")),
    ("price", "number", lambda d: d["price"].said if "price" in d else None),
    ("published", "date", lambda d: _moment_of(d, "published")),
    ("tags", "json", lambda d: canonical_text(d["tags"]) if "tags" in d else None),
)
COMMENT_FIELDS: Fields = (
    ("article", "string", lambda d: d["article"].said),
    ("likes", "long", lambda d: d.get("likes")),
    ("posted_at", "date", lambda d: _moment_of(d, "posted_at")),
    ("text", "string", lambda d: d.get("text")),
)


def _write_articles(articles: Collection) -> None:
    rng = articles.rng

    def article(number: int) -> Document:
        title = " ".join(rng.sample(WORDS, 3))
        return {
            "title": title,
            "author": {"name": f"{rng.choice(WORDS)} {number % 7}", "email": f"a{number}@cms.org"},
            "tags": rng.sample(WORDS, rng.randint(0, 4)),
            "views": Scalar("long", 9_007_199_254_740_993 * (number % 2) + number),
            "rating": rng.randint(0, 40) / 8,
            "price": Scalar("decimal", f"{rng.randint(0, 9999)}.{rng.randint(0, 99):02d}"),
            "draft": number % 3 == 0,
        }

    for number in range(1, 16):
        articles.insert(Scalar("oid", f"5f{number:022x}"), **article(number))
    articles.started = articles.sent = len(articles.log)
    articles.snapshot("true")
    for number in range(16, 41):
        articles.insert(Scalar("oid", f"5f{number:022x}"), **article(number))
        for _ in range(8):
            _edit(articles, rng.choice(articles.ids), article, number)
        if rng.random() < 0.3:
            articles.delete(rng.choice(articles.ids))
        for _ in range(rng.randint(4, 16)):
            articles.send_next()
        if number % 11 == 0:
            articles.crash()
    articles.drain()
    articles.snapshot("incremental", articles.ids[:3])
    for name in articles.ids[:5]:
        articles.update(name, title="The last word")
    articles.drain()


def _edit(articles: Collection, name: str, article: Callable[[int], Document], number: int) -> None:
    rng = articles.rng
    held = articles.documents[name]
    draw = rng.random()
    if draw < 0.3 and "views" in held:
        articles.update(name, views=Scalar("long", held["views"].said + rng.randint(1, 9)))
    elif draw < 0.4 and "published" not in held:
        moment = FIRST_DAY_MS + rng.randint(0, 10**9)
        articles.update(name, draft=False, published=Scalar("date", moment))
    elif draw < 0.5 and held.get("tags"):
        articles.cut(name, "tags", rng.randint(0, len(held["tags"]) - 1))
    elif draw < 0.65 and "tags" in held:
        articles.update(name, **{f"tags__{rng.randint(0, len(held['tags']))}": rng.choice(WORDS)})
    elif draw < 0.75 and "author" in held:
        articles.update(name, author__name=f"{rng.choice(WORDS)} {number}")
    elif draw < 0.8 and "rating" in held:
        articles.update(name, "rating")
    elif draw < 0.9:
        articles.transactions += 1
        articles.tick()
        for title in ("Draft", "Final"):
            articles.update(name, transaction=articles.transactions, title=f"{title} {number}")
    else:
        articles.replace(name, **article(number))


def _write_comments(comments: Collection) -> None:
    rng = comments.rng
    for number in range(1, 61):
        name = comments.insert(
            Scalar("long", 1000 + number),
            article=Scalar("oid", f"5f{rng.randint(1, 40):022x}"),
            text=f"{rng.choice(WORDS)}, {rng.choice(WORDS)}!",
            posted_at=Scalar("date", FIRST_DAY_MS + number * 60_000),
        )
        if number == 5:
            comments.started = comments.sent = len(comments.log)
            comments.snapshot("true")
        comments.update(name, likes=number)
        old = rng.choice(comments.ids)
        comments.update(old, text=f"edited {number}")
        if number % 9 == 0:
            comments.delete(rng.choice(comments.ids))
        if number % 10 == 0:
            held = comments.documents[comments.ids[0]]
            comments.replace(
                comments.ids[0],
                article=held["article"],
                posted_at=held["posted_at"],
                text=f"rewritten {number}",
            )
        for _ in range(rng.randint(1, 6)):
            comments.send_next()
        if number % 25 == 0:
            comments.crash()
    comments.drain()
