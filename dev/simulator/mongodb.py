"""Random histories of a MongoDB collection: its server, its connector, and the truth.

The server changes documents and writes a log of what each operation said; the connector follows it
in one of two styles (oplog patches up to 1.x, change streams after), crashes and repeats itself,
and may be upgraded in between. Lookups read the document when the event is sent, not when it
happened.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dev.simulator.broker import Broker, Said
from dev.simulator.transaction_topic import TransactionTopic
from reference import Config, Epoch, KafkaRecord

Document = dict[str, Any]


@dataclass(frozen=True)
class Scalar:
    """A value of BSON that the dialects of Extended JSON write differently."""

    kind: str
    said: Any


@dataclass(frozen=True)
class Line:
    """A version line of the connector: its version, its style, the dialect of its keys."""

    version: str
    style: str
    strict_keys: bool = False
    wall_time: bool = False
    run_headers: bool = False


LINES = {
    "1.1": Line("1.1.2.Final", "oplog", strict_keys=True),
    "1.9": Line("1.9.7.Final", "streams"),
    "2.1": Line("2.1.4.Final", "streams"),
    "3.3": Line("3.3.1.Final", "streams", run_headers=True),
    "3.6": Line("3.6.1.Final", "streams", wall_time=True, run_headers=True),
}
CAPTURES = ("delta", "lookup", "delta", "post_image", "delta_with_before", "lookup_with_before")


@dataclass
class Operation:
    """One entry of the server's log.

    `sets`, `removes` and `cuts` are the paths that an update changed; `replaced` a whole new
    document. `transaction` is the number of a multi-document transaction.
    """

    op: str
    key: str
    seconds: int
    ordinal: int
    wall_ms: int
    before: Document | None = None
    after: Document | None = None
    replaced: bool = False
    sets: dict[str, Any] = field(default_factory=dict)
    removes: list[str] = field(default_factory=list)
    cuts: dict[str, int] = field(default_factory=dict)
    transaction: int | None = None
    place: int = 0


@dataclass
class DocumentHistory:
    """A simulated history of one collection.

    `truth`: canonical text of each live document by the canonical text of its `_id`. `doubts`: why
    the log does not lead there; then only the reference knows what to expect.
    """

    seed: int
    topic: str  # the first of its topics
    records: list[KafkaRecord]
    truth: dict[str, str]
    config: Config
    doubts: list[str]
    line: str
    retries: str = "no"
    boundaries: list[KafkaRecord] = field(default_factory=list)

    @property
    def topics(self) -> list[str]:
        """The topics of its records."""
        return sorted({self.topic, *(record.topic for record in self.records)})


def document_history(
    seed: int, *, topic: str, key_base: int = 0, transactions: bool = False
) -> DocumentHistory:
    """Return the history of a seed; keys begin at `key_base`, so that histories share models.

    With `transactions`, the connector reports them in a topic of their own.
    """
    simulation = Simulation(random.Random(seed), topic, key_base)
    if transactions:
        simulation.report_transactions()
    return simulation.run(seed)


class Simulation:
    """A server with one collection, and the connector that follows it."""

    database = "inventory"
    collection = "customers"

    def __init__(self, rng: random.Random, topic: str, key_base: int = 0) -> None:
        """Draw how the connector is set up, and the ids of the collection."""
        self.rng = rng
        self.topic = topic
        self.key_base = key_base
        self.line_name = rng.choice(list(LINES))
        self.line = LINES[self.line_name]
        self.capture = rng.choice(CAPTURES)
        self.with_schema = rng.random() < 0.2
        self.tombstones = rng.random() < 0.8
        self.metadata = rng.random() < 0.3
        self.headers = rng.random() < 0.8
        self.retries = rng.choice(("no", "whole", "any"))
        self.broker = Broker(topic, rng.randint(1, 2), rng, rng.random() < 0.3, self.retries)
        self.documents: dict[str, Document] = {}
        self.log: list[Operation] = []
        self.started = 0  # where the connector's stream begins in the log
        self.ever_sent = 0  # operations that some run has sent
        self.sent = 0  # operations of the log that the connector has sent
        self.seconds = 1_760_000_000 + rng.randint(0, 10**6)
        self.ordinal = 0
        self.transactions = 0
        self.counter = 0
        self.run_number = 1
        self.epochs: list[Epoch] = []
        self.doubts: list[str] = []
        self.ids = [self._id(number) for number in range(rng.randint(1, 5))]
        self.boundaries: TransactionTopic | None = None

    def report_transactions(self) -> None:
        """Let the connector report transactions in a topic of their own, too."""
        prefix = self.topic.split(".")[0]
        self.boundaries = TransactionTopic("mongodb", prefix, with_schema=self.with_schema)

    def run(self, seed: int) -> DocumentHistory:
        """Let both do what the seed draws, then let the connector send everything."""
        rng = self.rng
        for key in self.ids:
            if rng.random() < 0.5:
                self._insert(key)
        start = rng.random()
        self.started = len(self.log) if start < 0.85 else 0
        if start < 0.7:
            self.sent = self.started
            self.snapshot("true")
        elif start < 0.85:
            self.sent = self.started  # no snapshot: what was there before is not known
            self.doubts.append("documents that no event shows")
        for _ in range(rng.randint(3, 40)):
            self._step()
        self.drain()
        if rng.random() < 0.15:
            self._compact()
        return DocumentHistory(
            seed,
            self.topic,
            self.broker.records,
            {_plain_key(key): canonical_text(doc) for key, doc in self.documents.items()},
            Config("mongodb", epochs=tuple(self.epochs)),
            self.doubts,
            self.line_name,
            self.retries,
            self.boundaries.broker.records if self.boundaries else [],
        )

    def _step(self) -> None:
        rng = self.rng
        draw = rng.random()
        if draw < 0.60:
            self._operate()
        elif draw < 0.66:
            self._transaction()
        elif draw < 0.86:
            for _ in range(rng.randint(1, 6)):
                self.send_next()
        elif draw < 0.92:
            self.crash()
        elif draw < 0.95:
            self.drain()
            self.snapshot("incremental", rng.sample(self.ids, rng.randint(1, len(self.ids))))
        elif draw < 0.96:
            if rng.random() < 0.5:
                self.drain()  # otherwise streaming goes on below what was read
            self.snapshot(rng.choice(["true", "first", "last"]))
        elif draw < 0.98:
            self._upgrade()
        else:
            rng.choice((self.broker.add_partitions, self.broker.change_topic))()

    # -- the server ----------------------------------------------------------------------------

    def _operate(self, transaction: int | None = None, keys: list[str] | None = None) -> None:
        key = self.rng.choice(keys or self.ids)
        if key not in self.documents:
            self._insert(key, transaction)
            return
        draw = self.rng.random()
        if transaction is not None and not self._tells_equal_changes():
            draw = max(draw, 0.1)  # a second delete would look like a repeat of the first
        if draw < 0.1:
            self.change("d", key, self.documents.pop(key), None, transaction)
        elif draw < 0.2:
            before = self.documents[key]
            self.documents[key] = after = self._document(key, transaction)
            self.change("u", key, before, after, transaction, replaced=True)
        else:
            self._update(key, transaction)

    def _transaction(self) -> None:
        """Change some documents at one point of the log."""
        self.transactions += 1
        keys = self.rng.sample(self.ids, self.rng.randint(1, len(self.ids)))
        self.tick()
        for _ in range(self.rng.randint(2, 5)):
            self._operate(self.transactions, keys)

    def _insert(self, key: str, transaction: int | None = None) -> None:
        self.documents[key] = after = self._document(key, transaction)
        self.change("c", key, None, after, transaction)

    def _tells_equal_changes(self) -> bool:
        """Tell whether records show that two equal changes of a transaction are two."""
        return self.metadata or (self.headers and self.line.run_headers)

    def _update(self, key: str, transaction: int | None) -> None:
        rng = self.rng
        before = self.documents[key]
        after = copy.deepcopy(before)
        sets: dict[str, Any] = {}
        removes: list[str] = []
        cuts: dict[str, int] = {}
        used: set[str] = set()
        for _ in range(rng.randint(1, 3)):
            name = rng.choice(("name", "n", "address", "tags", "items", "seen", "0"))
            if name in used:
                continue
            used.add(name)
            held = after.get(name)
            if rng.random() < 0.15 and name in after:
                del after[name]
                removes.append(name)
            elif name == "address" and isinstance(held, dict) and rng.random() < 0.8:
                part = rng.choice(("city", "zip", "1"))
                if part in held and rng.random() < 0.3:
                    del held[part]
                    removes.append(f"address.{part}")
                else:
                    held[part] = sets[f"address.{part}"] = self._value()
            elif name in ("tags", "items") and isinstance(held, list) and rng.random() < 0.8:
                self._update_array(name, held, sets, removes, cuts)
            else:
                after[name] = self._field(name)
                sets[name] = copy.deepcopy(after[name])
        must_differ = transaction is not None and not self._tells_equal_changes()
        if must_differ or not (sets or removes or cuts):
            removes = [path for path in removes if path != "n"]
            after["n"] = sets["n"] = self._number()
        self.documents[key] = after
        self.change("u", key, before, after, transaction, sets=sets, removes=removes, cuts=cuts)

    def _update_array(
        self,
        name: str,
        held: list[Any],
        sets: dict[str, Any],
        removes: list[str],
        cuts: dict[str, int],
    ) -> None:
        rng = self.rng
        draw = rng.random()
        if draw < 0.25 and held and self.line.style == "streams":
            size = rng.randint(0, len(held) - 1)
            del held[size:]
            cuts[name] = size
        elif draw < 0.4 and held:
            place = rng.randrange(len(held))
            held[place] = None
            removes.append(f"{name}.{place}")
        elif draw < 0.6 and held and isinstance(held[-1], dict):
            place = len(held) - 1
            held[place]["k"] = sets[f"{name}.{place}.k"] = self._value()
        else:
            place = rng.randint(0, len(held) + 2)
            held.extend([None] * (place + 1 - len(held)))
            held[place] = self._element(name)
            sets[f"{name}.{place}"] = copy.deepcopy(held[place])

    def change(
        self,
        op: str,
        key: str,
        before: Document | None,
        after: Document | None,
        transaction: int | None,
        **told: Any,
    ) -> None:
        """Write an operation into the server's log."""
        if transaction is None:
            self.tick()
        self.log.append(
            Operation(
                op,
                key,
                self.seconds,
                self.ordinal,
                self.seconds * 1000 + self.rng.randint(-900, 900),
                copy.deepcopy(before),
                copy.deepcopy(after),
                transaction=transaction,
                place=len(self.log),
                **told,
            )
        )

    def tick(self) -> None:
        """Let the cluster's clock go on."""
        if self.rng.random() < 0.5:
            self.ordinal += 1
        else:
            self.seconds += self.rng.randint(1, 3)
            self.ordinal = 1

    # -- values --------------------------------------------------------------------------------

    def _id(self, number: int) -> str:
        """Return an `_id` as Python text of its value: what JSON of it the dialects write."""
        unique = self.key_base + number
        forms: list[Any] = [
            unique,
            Scalar("long", unique),
            f'key {unique} "quoted" {{ ü }}',
            Scalar("oid", f"{unique:024x}"),
            {"tenant": Scalar("long", unique), "day": Scalar("date", 1_558_965_508_123 + number)},
            {"b": unique, "a": [1.5, "x  y"]},
            Scalar("binary", ("a2Fma2E=", "00")) if number == 0 and self.key_base == 0 else unique,
            Scalar("date", 86_400_000 * unique),
        ]
        return key_of(self.rng.choice(forms))

    def _document(self, key: str, transaction: int | None = None) -> Document:
        names = self.rng.sample(
            ("name", "n", "address", "tags", "items", "seen", "0"), self.rng.randint(0, 6)
        )
        fields = {name: self._field(name) for name in names}
        if transaction is not None:
            fields["n"] = self._number()
        return {"_id": value_of(key), **fields}

    def _field(self, name: str) -> Any:
        if name == "address":
            if self.rng.random() < 0.2:
                return self._value()
            return {part: self._value() for part in self.rng.sample(("city", "zip", "1"), 2)}
        if name in ("tags", "items"):
            return [self._element(name) for _ in range(self.rng.randint(0, 4))]
        return self._value()

    def _element(self, name: str) -> Any:
        return {"k": self._value()} if name == "items" else self._value()

    def _number(self) -> int:
        self.counter += 1
        return self.counter

    def _value(self) -> Any:
        number = self._number()
        return self.rng.choice(
            (
                number,
                f"text {number}",
                'quoted "$date" \\ {"$numberLong": "1"} ü🙂',
                Scalar("long", 9_007_199_254_740_993 + number),
                Scalar("date", self.rng.choice((0, 1_558_965_508_123, -1, -62_135_596_800_000))),
                Scalar("decimal", "12.3400"),
                Scalar("binary", ("FA7YEzXgQXSX9OxmzllH2w==", "04")),
                Scalar("oid", f"{number:024x}"),
                Scalar("regex", ("^a", "i")),
                Scalar("timestamp", (number, 1)),
                number / 4,
                None,
                True,
                {},
                [],
            )
        )

    # -- the connector -------------------------------------------------------------------------

    def send_next(self) -> None:
        """Send the next operation of the log, if there is one."""
        if self.sent < len(self.log):
            self._send(self.log[self.sent])
            self.sent += 1
            self.ever_sent = max(self.ever_sent, self.sent)

    def drain(self) -> None:
        """Send all that is in the log."""
        while self.sent < len(self.log):
            self.send_next()

    def crash(self) -> None:
        """Begin again before the last operations, at the first of a transaction."""
        self.sent = max(self.started, self.sent - self.rng.randint(0, 8))
        while self.sent > self.started and self._same_transaction(self.sent):
            self.sent -= 1
        self._resume_transactions()
        self._start_run()

    @property
    def _data_collection(self) -> str:
        """The collection in the transaction topic; before 2.6 the replica set stands in front."""
        name = f"{self.database}.{self.collection}"
        return name if self.line.version.startswith("3.") else f"rs0.{name}"

    def _resume_transactions(self) -> None:
        """Let the transaction topic go on behind the last operation that counts as sent."""
        if not self.boundaries or not self.sent:
            return
        number = self.log[self.sent - 1].transaction
        count = sum(one.transaction == number for one in self.log[: self.sent])
        if number is not None:
            sent = Counter({self._data_collection: count})
            self.boundaries.restart(number, _transaction_id(number), sent)

    def _start_run(self) -> None:
        self.run_number += 1
        self.broker.end_batches()

    def _same_transaction(self, place: int) -> bool:
        if place >= len(self.log):
            return False
        before, here = self.log[place - 1].transaction, self.log[place].transaction
        return here is not None and before == here

    def _upgrade(self) -> None:
        """Go on with a later version, after all was sent; another style begins with a snapshot."""
        self.drain()
        names = list(LINES)
        later = names[names.index(self.line_name) + 1 :]
        if not later:
            return
        self.line_name = self.rng.choice(later)
        former, self.line = self.line, LINES[self.line_name]
        self._start_run()
        if former.style != self.line.style:
            self.started = self.sent
            self.snapshot("true")

    def snapshot(self, marker: str, keys: list[str] | None = None) -> None:
        """Read documents as they are now."""
        for key in keys or self.ids:
            document = self.documents.get(key)
            if document is None:
                continue
            source = self._source(None, marker)
            self._append(key, {"op": "r", "after": strict_text(document), "source": source})

    def _send(self, operation: Operation) -> None:
        value: dict[str, Any] = {
            "op": operation.op,
            "source": self._source(operation, "false"),
        }
        if self.line.style == "oplog":
            value |= {"after": None, "patch": None, "filter": None}
            if operation.op == "c":
                value["after"] = strict_text(operation.after)
            else:
                value["filter"] = strict_text({"_id": value_of(operation.key)})
            if operation.op == "u":
                value["patch"] = self._patch(operation)
        else:
            value |= self._stream_members(operation)
        if self.boundaries and operation.transaction is not None:
            value["transaction"] = self.boundaries.event(
                operation.transaction,
                _transaction_id(operation.transaction),
                self._data_collection,
                self.broker.now_ms,
            )
        elif self.metadata and operation.transaction is not None:
            first = next(one for one in self.log if one.transaction == operation.transaction)
            place = operation.place - first.place + 1
            value["transaction"] = {
                "id": _transaction_id(operation.transaction),
                "total_order": place,
                "data_collection_order": place,
            }
        self._append(operation.key, value, self._tells_retry(operation))
        if operation.op == "d" and self.tombstones:
            self._append(operation.key, None)

    def _tells_retry(self, operation: Operation) -> bool:
        """Tell whether records show that a producer's repeat of an event is one.

        Where runs are known, what one run sends twice without a position of its own are two
        changes: the second would stand above what an earlier run sent after it.
        """
        runs = self.headers and self.line.run_headers
        placed = not self.line.wall_time and operation.transaction is None
        return placed or not runs or operation.place >= self.ever_sent

    def _patch(self, operation: Operation) -> str:
        if operation.replaced:
            return strict_text(operation.after)
        patch: dict[str, Any] = {"$v": 1} if operation.place % 2 else {}
        if operation.sets:
            patch["$set"] = operation.sets
        if operation.removes:
            patch["$unset"] = dict.fromkeys(operation.removes, True)
        return strict_text(patch)

    def _stream_members(self, operation: Operation) -> dict[str, Any]:
        members: dict[str, Any] = {"after": None, "before": None, "updateDescription": None}
        if self.capture.endswith("with_before") and operation.before is not None:
            members["before"] = strict_text(operation.before)
        if operation.op == "c" or operation.replaced:
            members["after"] = strict_text(operation.after)
        elif operation.op == "u":
            members["updateDescription"] = {
                "removedFields": operation.removes or None,
                "updatedFields": relaxed_text(operation.sets) if operation.sets else None,
                "truncatedArrays": [
                    {"field": name, "size": size} for name, size in operation.cuts.items()
                ]
                or None,
            }
            if self.capture == "post_image":
                members["after"] = strict_text(operation.after)
            elif self.capture.startswith("lookup"):
                now = self.documents.get(operation.key)
                members["after"] = None if now is None else strict_text(now)
        return members

    def _source(self, operation: Operation | None, marker: str) -> dict[str, Any]:
        seconds = self.seconds if operation is None else operation.seconds
        source: dict[str, Any] = {
            "version": self.line.version,
            "connector": "mongodb",
            "name": self.topic.split(".")[0],
            "ts_ms": seconds * 1000,
            "snapshot": marker,
            "db": self.database,
            "collection": self.collection,
            "ord": -1 if operation is None else operation.ordinal,
        }
        if self.line.style == "oplog":
            source |= {"rs": "rs0", "h": None, "tord": None}
        if operation is not None and operation.transaction is not None:
            source |= {"lsid": "session", "txnNumber": operation.transaction}
        if self.line.wall_time and operation is not None:
            source |= {"ts_ms": operation.wall_ms, "wallTime": operation.wall_ms}
        return source

    def _append(self, key: str, value: dict[str, Any] | None, repeatable: bool = True) -> None:
        text = (strict_text if self.line.strict_keys else relaxed_text)(value_of(key))
        if self.line.strict_keys:
            text = text.replace('{"$', '{ "$').replace('": "', '" : "')
        key_json: Any = {"id": text}
        if self.with_schema:
            schema = {"type": "struct", "optional": False, "fields": []}
            key_json = {"schema": schema, "payload": key_json}
        headers = []
        if self.headers and self.line.run_headers:
            headers = [("__debezium.context.runId", f"run {self.run_number}")]
        if value is not None:
            value["ts_ms"] = self.broker.now_ms
            if self.with_schema:
                value = {"schema": {"type": "struct", "fields": []}, "payload": value}
        self.broker.append(
            json.dumps(key_json, separators=(",", ":"), ensure_ascii=False),
            None if value is None else json.dumps(value, ensure_ascii=False),
            headers,
            Said("nothing"),
            repeatable,
        )

    def _compact(self) -> None:
        """Drop records that a later one of the key and partition supersedes."""
        records = self.broker.records
        end = self.rng.randint(0, len(records))
        places = [(one.key, one.topic, one.partition) for one in records]
        last = {place: index for index, place in enumerate(places[:end])}
        self.broker.records = [
            record
            for index, record in enumerate(records)
            if index >= end or last[places[index]] == index or self.rng.random() < 0.3
        ]
        self.doubts.append("log compaction drops the changes that a document is made of")


def _transaction_id(number: int) -> str:
    """Return the id of a transaction: its session and its number there."""
    return f"tx:{number}"


def strict_text(value: Any) -> str:
    """Return the strict dialect, as the Java driver prints it."""
    return json.dumps(_dialect(value, True), ensure_ascii=False)


def relaxed_text(value: Any) -> str:
    """Return the relaxed dialect."""
    return json.dumps(_dialect(value, False), ensure_ascii=False)


def canonical_text(value: Any) -> str:
    """Return the text that `document` must have."""
    return json.dumps(
        _dialect(value, False, every_date=True),
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
    )


def _dialect(value: Any, strict: bool, every_date: bool = False) -> Any:
    if isinstance(value, dict):
        return {name: _dialect(member, strict, every_date) for name, member in value.items()}
    if isinstance(value, list):
        return [_dialect(item, strict, every_date) for item in value]
    if not isinstance(value, Scalar):
        return value
    match value:
        case Scalar("long", number):
            return {"$numberLong": str(number)} if strict else number
        case Scalar("date", moment) if strict:
            return {"$date": moment}
        case Scalar("date", moment):
            # the relaxed dialect writes years from 1970 to 9999 as text
            if moment < 0 and not every_date:
                return {"$date": {"$numberLong": str(moment)}}
            return {"$date": _moment(moment)}
        case Scalar("binary", (content, subtype)) if strict:
            return {"$binary": content, "$type": subtype}
        case Scalar("binary", (content, subtype)):
            return {"$binary": {"base64": content, "subType": subtype}}
        case Scalar("regex", (pattern, options)) if strict:
            return {"$regex": pattern, "$options": options}
        case Scalar("regex", (pattern, options)):
            return {"$regularExpression": {"pattern": pattern, "options": options}}
        case Scalar("timestamp", (seconds, number)):
            return {"$timestamp": {"t": seconds, "i": number}}
        case Scalar("decimal", digits):
            return {"$numberDecimal": digits}
    return {f"${value.kind}": value.said}


def _moment(milliseconds: int) -> str:
    from datetime import UTC, datetime, timedelta

    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    precision = "milliseconds" if milliseconds % 1000 else "seconds"
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")


_IDS: dict[str, Any] = {}


def key_of(value: Any) -> str:
    """Return a name for an `_id`, by which its value is found again."""
    name = json.dumps(_dialect(value, True), ensure_ascii=False)
    _IDS[name] = value
    return name


def value_of(key: str) -> Any:
    """Return the value of a canonical id."""
    return copy.deepcopy(_IDS[key])


def _plain_key(key: str) -> str:
    return json.dumps(
        _dialect(_IDS[key], False, every_date=True), ensure_ascii=False, separators=(",", ":")
    )
