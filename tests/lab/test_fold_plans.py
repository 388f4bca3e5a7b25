"""Every plan of `choose_fold_plan` is taken when it should be, and gives the reference's rows.

A table for each: what a third run finds landed for it calls for one plan. Which plan was taken
shows in the SQL of the state models.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from reference import Config, Epoch, Folded, KafkaRecord, fold
from tests.cases.log import GONE, Log
from tests.support.examples import START_MS
from tests.support.lab import Lab
from tests.support.raw import raw_row

COLUMNS = [
    {"name": "id", "type": "int32", "optional": False},
    {"name": "name", "type": "string"},
    {"name": "note", "type": "string"},
]
NAMES = [column["name"] for column in COLUMNS]
RUNS = 3

# What a plan does, by a text that only the SQL of such plans holds.
SIGNS = {
    "new events only": "_cdc_batch_id >",
    "in order": "ends.winner_offset",
    "state": "'state' as kind",
    "state narrowly": "if(false, struct(",
    "keys anew": "left semi join touched_keys on staged_events.row_key",
    "other keys": "__dbt_chains",
    "new truncates": "'!truncate'",
    "old truncates": "like '!truncate:%'",
    "looks into the log": "earlier_identities as (",
    # no table here: PostgreSQL gives every change a position
    "compares contents": "occurrences as (",
}


class Rows(Log):
    """A PostgreSQL log of one table."""

    def __init__(self) -> None:
        """Begin."""
        super().__init__("postgresql")

    def say(self, op: str, number: int, position: int, name: str = "", **more: Any) -> Rows:
        """Add a change of a row."""
        image = {"id": number, "name": name, "note": more.pop("note", "n")}
        self.add(op, {"id": number}, position, None if op == "d" else image, **more)
        return self

    def read(self, number: int, position: int, name: str = "", **more: Any) -> Rows:
        """Add a read of a full snapshot."""
        return self.say("r", number, position, name, snapshot="true", commit=None, **more)

    def again(self, place: int) -> Rows:
        """Add a record once more, byte for byte."""
        told = self.records[place]
        return self.raw(told.key, told.value)

    def truncate(self, position: int, **place: Any) -> Rows:
        """Add a truncate."""
        self.add("t", None, position, **place)
        return self


@dataclass
class Table:
    """A table: what each run finds landed, and the plan that each run after the first takes."""

    name: str
    batches: list[list[KafkaRecord]]
    plans: list[set[str]]

    def records(self, runs: int) -> list[KafkaRecord]:
        """Return what had landed after so many runs."""
        return [replace(r, topic=self.topic) for batch in self.batches[:runs] for r in batch]

    @property
    def topic(self) -> str:
        """Its topic."""
        return f"plans.public.{self.name}"


def table(name: str, log: Log, cuts: tuple[int, int], *plans: set[str]) -> Table:
    """Cut a log into the batches of three runs."""
    return Table(name, log.cut(*cuts), list(plans))


def start() -> Rows:
    """Begin with three rows."""
    return Rows().say("c", 1, 10, "a").say("c", 2, 11, "b").say("c", 3, 12, "c")


BOUNDARY, BOUNDARY_MS = "2030-01-01T00:00:00Z", 1_893_456_000_000
FORMERLY_1 = {"__debezium.oldkey": '{"id":1}'}
IDLE = {"nothing new", "new events only", "in order"}
WITH_VALUES = {"new events only", "state"}
PLAIN = {"new events only", "in order"}
NARROW = WITH_VALUES | {"state narrowly"}
AGAIN = {"new events only", "keys anew"}
LOOKING = WITH_VALUES | {"looks into the log"}
TRUNCATING = WITH_VALUES | {"new truncates", "old truncates"}
AFTER_TRUNCATE = NARROW | {"old truncates"}

plain = start().say("u", 1, 20, "a2").say("c", 4, 21, "d").say("d", 1, 30).say("u", 2, 31, "b2")
late = Rows().say("c", 1, 10, "a", offset=0).say("u", 1, 40, "a4", offset=3)
late.say("u", 1, 20, "a2", offset=1)
late.say("u", 1, 30, "a3", offset=2).say("u", 1, 50, "a5", offset=4)
# late in its partition, and yet of a higher position than all before
late_high = Rows().say("c", 1, 10, "a", offset=0).say("u", 1, 40, "a4", offset=3)
late_high.say("u", 1, 60, "a6", offset=1).say("u", 1, 70, "a7", offset=4)
moved = start().say("u", 3, 20, "c2", partition=1, offset=0)
moved.say("u", 2, 21, "b2", offset=3).say("u", 3, 30, "c3", partition=1, offset=1)
torn = Rows().say("c", 1, 10, "a", at=START_MS).say("u", 1, 30, "a3", at=START_MS + 100)
torn.say("u", 1, 20, "a2", partition=1, offset=7, at=START_MS + 50)
torn.say("u", 1, 40, "a4", at=START_MS + 200)
torn.say("u", 1, 35, "a3.5", partition=1, offset=8, at=START_MS + 150)
torn.say("u", 1, 50, "a5", at=START_MS + 300)
partial = Rows().say("c", 1, 10, "a", note="kept").say("c", 2, 11, "b", note="other")
partial.say("u", 1, 20, "a2", note=GONE).say("d", 1, 30)
partial.say("c", 7, 30, "a2", note=GONE, headers=FORMERLY_1)
former = Rows().say("c", 1, 10, "a", note="kept", partition=1, offset=0)
former.say("c", 7, 20, "a", note=GONE, headers=FORMERLY_1, offset=0)
former.say("u", 1, 15, "a", note="written", partition=1, offset=1)
former.say("d", 1, 20, partition=1, offset=2).say("c", 2, 30, "b", offset=1)
truncated = start().say("c", 8, 25, "spared")
truncated.truncate(20, partition=1, offset=0).say("c", 4, 30, "new")
truncated.say("c", 5, 15, "late", partition=1, offset=1).say("c", 6, 35, "on")
# the same, with a change that is not ahead of all that was folded
truncated_late = start().say("c", 8, 25, "spared").truncate(20, partition=1, offset=0)
truncated_late.say("c", 4, 15, "late", partition=1, offset=1).say("c", 6, 35, "on")
replayed = start().say("u", 1, 20, "a2").say("c", 1, 10, "a").say("u", 1, 20, "a2")
replayed.say("u", 1, 30, "a3")
unexplained = start().say("u", 1, 20, "a2").say("u", 1, 15, "old").say("u", 1, 16, "older")
recreated = start()
recreated.say("u", 1, 20, "a2", offset=5)
recreated.say("u", 1, 30, "a3", offset=0, at=BOUNDARY_MS).say(
    "u", 1, 40, "a4", offset=1, at=BOUNDARY_MS + 1
)
restored = start().say("u", 1, 20, "a2").say("u", 1, 5, "restored").say("u", 3, 6, "restored")
restored.say("u", 2, 21, "b2")
# a position that an earlier epoch had, too
restored.say("u", 1, 20, "written anew")
# the same and a repeat, so that the events are not in order: identities are compared
restored_twice = Rows()
restored_twice.records.extend(restored.records)
restored_twice.again(7)
# a connector that resumes takes another commit for the last one before (spec 5.2)
higher_half = start().say("u", 1, 20, "a2").say("u", 1, 30, "a3").say("u", 1, 20, "a2", commit=25)
higher_half.say("u", 1, 40, "a4").say("u", 1, 50, "a5").say("u", 1, 40, "a4", commit=45)
# above all identities, and yet below the mark
lower_half = start().say("u", 1, 20, "a2", commit=15).say("u", 1, 25, "old", commit=5)
lower_half.say("u", 1, 30, "a3", commit=28)
# the same within one batch
lower_now = start().say("u", 1, 20, "a2", commit=15).say("u", 1, 25, "old", commit=5)
lower_now.say("u", 1, 30, "a3", commit=28).say("u", 2, 31, "b2", commit=30)
twice = start().say("u", 1, 40, "a4").say("u", 1, 50, "a5").again(3).say("u", 1, 60, "a6")
# the same at once: its position is not lower than that of the event before it
doubled = start().say("u", 1, 40, "a4").again(3).say("u", 2, 50, "b2")
# an insert that comes again behind its delete, whose tombstone has no identity
gone = start().say("c", 9, 25, "b", commit=20).say("d", 9, 30, commit=None).tombstone({"id": 9})
gone.again(3).say("u", 1, 40, "a4")
# a tombstone that empties: what was delivered before it counts again
emptied = Rows().say("c", 1, 10, "a").tombstone({"id": 1}).again(0).say("u", 1, 20, "a2")
emptied_now = Rows().say("c", 1, 10, "a").tombstone({"id": 1}).again(0).say("u", 1, 20, "a2")
emptied_long = Rows().say("c", 1, 10, "a").tombstone({"id": 1}).say("c", 1, 20, "b").again(0)
# the same, and the batch between them is not in order
emptied_slowly = Rows().say("c", 1, 10, "a").tombstone({"id": 1}).say("u", 2, 15, "x")
emptied_slowly.say("c", 1, 20, "b").again(2).again(0)
# a producer sends a batch again that begins with a tombstone
sent_again = Rows().say("c", 1, 10, "a").say("d", 1, 20).tombstone({"id": 1}, at=START_MS + 9)
sent_again.say("c", 1, 30, "b", at=START_MS + 9).tombstone({"id": 1}, at=START_MS + 9).again(3)
# the same, and between them a batch that says nothing of tombstones
sent_later = Rows().say("c", 1, 10, "a").say("d", 1, 20).tombstone({"id": 1}, at=START_MS + 9)
sent_later.say("c", 1, 30, "b", at=START_MS + 9).tombstone({"id": 1}, at=START_MS + 9).again(3)
# a delete in one batch and its tombstone in the next
parted = start().say("d", 1, 20).tombstone({"id": 1}).say("u", 2, 30, "b2")
parted.say("d", 2, 40).tombstone({"id": 2}).say("c", 2, 50, "b3").say("d", 3, 60)
parted.tombstone({"id": 3})
# a delete, its tombstone with other rows, and that tombstone sent again behind the next insert
parted_again = Rows().say("c", 1, 10, "a").say("c", 2, 11, "b").say("d", 1, 20)
parted_again.tombstone({"id": 1}, at=START_MS + 9).say("u", 2, 30, "b2")
parted_again.say("c", 1, 40, "c", at=START_MS + 9).tombstone({"id": 1}, at=START_MS + 9)
# a read that arrived behind a change in another partition, with a lower offset
scattered = Rows().read(1, 10, "read", offset=0, at=START_MS + 100)
scattered.say("u", 1, 20, "before", partition=1, offset=5, at=START_MS + 50)
scattered.say("u", 1, 30, "a3", partition=1, offset=6, at=START_MS + 200)
scattered.say("u", 1, 40, "a4", partition=1, offset=7, at=START_MS + 300)
# a snapshot that lands over several runs, and a change behind it
snapshot = Rows().read(1, 10, "a").read(2, 10, "b").read(3, 10, "c").say("u", 3, 20, "c2")
snapshot.say("u", 1, 30, "a2").read(4, 10, "d").say("u", 4, 31, "d2")
# repeated reads; their source tells two times, and of one none
reread = Rows().read(1, 10, "a").read(2, 10, "b", source={"ts_ms": START_MS - 1000})
reread.read(3, 10, "c", source={"ts_ms": None})
reread.say("u", 1, 20, "a2").say("u", 2, 21, "b2").say("u", 3, 22, "c2")
reread.again(0).again(1).again(2).say("u", 1, 15, "never seen")
# a repeated read, and behind it a change of the same row that is ahead of all
reread_first = Rows().read(1, 10, "a").say("u", 1, 20, "a2").again(0).say("u", 1, 30, "a3")
reread_first.say("u", 1, 40, "a4")
# a full read lets lower positions count, and no repeat takes that back
below = Rows().say("c", 1, 10, "a").say("u", 1, 30, "a3").read(1, 40, "read").again(1)
below.say("u", 1, 20, "counts").say("u", 1, 25, "counts, too")
below_cut = Rows().say("c", 1, 10, "a").say("u", 1, 30, "a3").read(1, 40, "read").again(1)
below_cut.say("u", 1, 20, "counts").say("u", 1, 25, "counts, too")
# births behind a delete of the first transaction of a slot, which tells no commit before it
UNTOLD: dict[str, Any] = {"commit": None}
births = Rows()
for number in range(1, 7):
    births.say("c", number, 9 + number, "first")
for number in (1, 3, 5):
    births.say("d", number, 30, **UNTOLD)
births.tombstone({"id": 3}).say("d", 2, 30, commit=28)
births.say("c", 1, 25, "late", commit=20).say("c", 2, 20, "old", commit=5)
births.say("c", 3, 25, "late", commit=20)
births.say("d", 4, 30, **UNTOLD).tombstone({"id": 4}).say("c", 4, 25, "late", commit=20).again(4)
births.say("c", 9, 16, "first").say("d", 9, 30, **UNTOLD).tombstone({"id": 9})
births.say("d", 6, 30, **UNTOLD).again(5).say("c", 6, 25, "late", commit=20)
births.say("c", 5, 25, "late", commit=20).say("u", 1, 37, "on", commit=36)
births.say("c", 9, 25, "late", commit=20)
# behind a delete that is set aside nothing is born
births.say("u", 7, 60, "stays", commit=59).say("d", 7, 30, **UNTOLD).say(
    "c", 7, 25, "old", **UNTOLD
)
# nothing tells where an insert of the first transaction of a slot lies among commits
births.say("c", 8, 15, "first").say("d", 8, 50, commit=48).say("c", 8, 25, "late", **UNTOLD)
# a create below an update is no birth
births.say("u", 4, 40, "on", **UNTOLD).say("c", 4, 24, "old", commit=20)

TABLES = [
    table("plain", plain, (3, 5), PLAIN, PLAIN),
    table("quiet", start().say("u", 1, 20, "a2"), (3, 4), PLAIN, IDLE),
    table("late", late, (2, 3), AGAIN, AGAIN),
    table("late_high", late_high, (2, 3), AGAIN, PLAIN),
    table("moved", moved, (3, 4), AGAIN, NARROW),
    table("torn", torn, (2, 4), AGAIN, AGAIN),
    table("former", former, (2, 4), AGAIN | {"other keys"}, PLAIN),
    table("recreated", recreated, (5, 6), PLAIN, IDLE),
    table("partial", partial, (2, 3), WITH_VALUES, AGAIN | {"other keys"}),
    table("truncated", truncated, (4, 6), TRUNCATING, AFTER_TRUNCATE),
    table("truncated_late", truncated_late, (4, 6), TRUNCATING, AFTER_TRUNCATE),
    table("replayed", replayed, (4, 6), LOOKING, PLAIN),
    table("unexplained", unexplained, (4, 5), LOOKING, LOOKING),
    # the third run comes with an epoch that nobody had configured before: all is folded anew
    table("restored", restored, (4, 6), LOOKING, {"in order"}),
    table("restored_twice", restored_twice, (4, 6), LOOKING, set()),
    table("higher_half", higher_half, (5, 6), LOOKING, NARROW),
    table("lower_half", lower_half, (4, 5), WITH_VALUES, PLAIN),
    table("lower_now", lower_now, (5, 6), PLAIN, PLAIN),
    table("twice", twice, (3, 6), NARROW, PLAIN),
    table("doubled", doubled, (3, 5), NARROW, PLAIN),
    table("gone", gone, (3, 7), NARROW, PLAIN),
    table("emptied", emptied, (2, 3), AGAIN, PLAIN),
    table("emptied_now", emptied_now, (1, 3), LOOKING, PLAIN),
    table("sent_again", sent_again, (4, 5), WITH_VALUES, LOOKING),
    table("sent_later", sent_later, (3, 4), PLAIN, LOOKING),
    table("parted", parted, (4, 6), WITH_VALUES, PLAIN),
    table("parted_again", parted_again, (3, 5), WITH_VALUES, NARROW),
    table("scattered", scattered, (2, 3), NARROW, NARROW),
    table("snapshot", snapshot, (2, 4), PLAIN, PLAIN),
    table("emptied_long", emptied_long, (2, 3), PLAIN, AGAIN),
    table("emptied_slowly", emptied_slowly, (3, 5), LOOKING, AGAIN),
    table("reread_first", reread_first, (2, 4), LOOKING | NARROW, PLAIN),
    table("reread", reread, (6, 9), LOOKING, LOOKING),
    table("below", below, (4, 5), LOOKING, LOOKING),
    table("below_cut", below_cut, (3, 5), LOOKING, LOOKING),
    table("births", births, (11, 24), LOOKING, LOOKING),
]
BY_NAME = {one.name: one for one in TABLES}
RESTORED = ("restored", "restored_twice")
EPOCHS = [{"topic": BY_NAME[name].topic, "offsets": {"0": 4}} for name in RESTORED]


class Built:
    """The tables after each run."""

    def __init__(self) -> None:
        """Begin before the first run."""
        self.sql: dict[tuple[str, int], str] = {}
        self.current: dict[tuple[str, int], list[dict[str, Any]]] = {}
        self.state: dict[tuple[str, int], dict[str, Any]] = {}
        self.decisions: dict[tuple[str, int], dict[str, Any]] = {}


def asked_for(items: Iterable[pytest.Item]) -> list[Table]:
    """Return the tables that collected tests look at: one test needs no others."""
    names: set[str] = set()
    for item in items:
        if item.path == Path(__file__) and "built" in getattr(item, "fixturenames", ()):
            spec = getattr(item, "callspec", None)
            names |= {spec.params["name"]} if spec else set(BY_NAME)
    return [one for one in TABLES if one.name in names]


@pytest.fixture(scope="module")
def built(request: pytest.FixtureRequest, lab_spark: SparkSession) -> Built:
    """Three runs over the tables."""
    return build(lab_spark, asked_for(request.session.items))


def build(lab_spark: SparkSession, tables: list[Table]) -> Built:
    """Fold tables in three runs."""
    lab = Lab(lab_spark)
    built = Built()
    for run in range(1, RUNS + 1):
        rows = [raw_row(r, run) for t in tables for r in t.records(run)[len(t.records(run - 1)) :]]
        lab.append("raw", lab.rows(rows))
        sources = configured(EPOCHS if run == RUNS else [])
        for source in dict.fromkeys(map(source_of, tables)):
            # what a table's events are is not asked here: they are staged together, and dealt out
            lab.stage(
                sources,
                source,
                "raw",
                f"staged_{source}",
                topics=[one.topic for one in tables if source_of(one) == source],
                table="public.any",
                key=COLUMNS[:1],
                columns=COLUMNS,
            )
        for one in tables:
            stg, state = f"stg_{one.name}", f"state_{one.name}"
            staged = lab.tables[lab.name(f"staged_{source_of(one)}")]
            lab.append(stg, staged.where(f"_cdc_topic = '{one.topic}' and _cdc_batch_id = {run}"))
            built.decisions[one.name, run] = lab.fold(
                sources,
                source_of(one),
                stg,
                state,
                table=f"public.{one.name}",
                key=["id"],
                columns=NAMES,
            )
            built.sql[one.name, run] = lab.sql[state]
            current = lab.macros(sources, "").current(state=lab.name(state), columns=NAMES)
            built.current[one.name, run] = [
                row.asDict() for row in lab_spark.sql(current).collect()
            ]
            built.state[one.name, run] = {
                row["_cdc_key"]: row.asDict(recursive=True)
                for row in lab.tables[lab.name(state)].collect()
            }
    return built


def configured(epochs: list[dict[str, Any]]) -> Mapping[str, Any]:
    """Return the sources, with epochs of the one that has them."""
    block: dict[str, Any] = {
        "connector": "postgresql",
        "topic_prefix": "plans",
        "input": {"type": "files", "path": "data"},
    }
    return {
        "plans": block,
        "recreated": block | {"incarnations": [BOUNDARY]},
        "restored": block | ({"epochs": epochs} if epochs else {}),
    }


def source_of(one: Table) -> str:
    """Return its source; epochs and incarnations are configured for a whole one."""
    if one.name in RESTORED:
        return "restored"
    return one.name if one.name == "recreated" else "plans"


def reference(one: Table, run: int) -> Folded:
    """Return what the reference fold says after a run."""
    epochs = tuple(Epoch(topic=epoch["topic"], offsets={0: 4}) for epoch in EPOCHS)
    config = Config(
        connector="postgresql",
        epochs=epochs if run == RUNS else (),
        incarnations=(BOUNDARY_MS,) if one.name == "recreated" else (),
        key=("id",),
        columns={column["name"]: column for column in COLUMNS},
    )
    return fold(one.records(run), config)


def rows_of(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the columns of the table, ordered."""
    return sorted(({name: row[name] for name in NAMES} for row in found), key=lambda r: r["id"])


@pytest.mark.parametrize("run", range(1, RUNS + 1))
@pytest.mark.parametrize("name", BY_NAME)
def test_rows_are_those_of_the_reference(built: Built, name: str, run: int) -> None:
    expected = reference(BY_NAME[name], run)

    assert rows_of(built.current[name, run]) == rows_of(list(expected.rows.values()))


@pytest.mark.parametrize("run", range(2, RUNS + 1))
@pytest.mark.parametrize("name", BY_NAME)
def test_the_plan_is_the_one_called_for(built: Built, name: str, run: int) -> None:
    taken = {sign for sign, text in SIGNS.items() if text in built.sql[name, run]}
    if built.decisions[name, run]["nothing_new"]:
        taken.add("nothing new")

    assert taken == BY_NAME[name].plans[run - 2]


@pytest.mark.parametrize("run", range(1, RUNS + 1))
@pytest.mark.parametrize("name", BY_NAME)
def test_replays_are_counted_and_explained_by_the_log(built: Built, name: str, run: int) -> None:
    expected = reference(BY_NAME[name], run)
    rows = {k: row for k, row in built.state[name, run].items() if not k.startswith("!")}

    for counts, column in (
        (expected.replays, "_cdc_fold_replays"),
        (expected.unexplained, "_cdc_fold_unexplained"),
    ):
        assert {k: row[column] for k, row in rows.items() if row[column]} == counts


def test_stories_tell_what_they_are_for() -> None:
    def ends(name: str) -> Folded:
        return reference(BY_NAME[name], RUNS)

    assert ends("partial").rows['{"id":7}']["note"] == "kept"
    assert set(ends("truncated").rows) == {'{"id":4}', '{"id":6}', '{"id":8}'}
    assert ends("truncated_late").rows['{"id":8}']["name"] == "spared"
    assert ends("replayed").replays and not ends("replayed").unexplained
    assert ends("unexplained").unexplained
    assert reference(BY_NAME["higher_half"], 2).rows['{"id":1}']["name"] == "a3"
    assert ends("higher_half").rows['{"id":1}']["name"] == "a5"
    assert reference(BY_NAME["lower_half"], 2).rows['{"id":1}']["name"] == "a2"
    assert reference(BY_NAME["restored"], 2).rows['{"id":1}']["name"] == "a2"
    for name in RESTORED:
        assert reference(BY_NAME[name], 3).rows['{"id":1}']["name"] == "written anew"
    # of which the third run finds no record
    assert reference(BY_NAME["restored"], 2).rows['{"id":3}']["name"] == "c"
    assert reference(BY_NAME["restored"], 3).rows['{"id":3}']["name"] == "restored"
    assert '{"id":9}' not in ends("gone").rows and ends("gone").replays == {'{"id":9}': 1}
    assert ends("emptied").rows and not ends("emptied").replays
    assert ends("emptied_now").rows and not ends("emptied_now").replays
    assert ends("emptied_long").unexplained and ends("emptied_slowly").unexplained
    assert ends("sent_again").rows and not ends("sent_again").unexplained
    assert ends("sent_later").rows and not ends("sent_later").unexplained
    assert reference(BY_NAME["lower_now"], 1).rows['{"id":1}']["name"] == "a2"
    assert ends("parted_again").rows['{"id":1}']["name"] == "c"
    assert reference(BY_NAME["scattered"], 1).rows['{"id":1}']["name"] == "read"
    assert ends("doubled").replays == {'{"id":1}': 1}
    assert ends("reread_first").replays == {'{"id":1}': 1}
    assert [row["name"] for row in ends("reread").rows.values()] == ["a2", "b2", "c2"]
    assert ends("below").rows['{"id":1}']["name"] == "counts, too"
    assert {key: row["name"] for key, row in ends("births").rows.items()} == {
        '{"id":1}': "on",
        '{"id":3}': "late",
        '{"id":4}': "on",
        '{"id":5}': "late",
        '{"id":6}': "late",
        '{"id":7}': "stays",
        '{"id":8}': "late",
        '{"id":9}': "late",
    }


def test_a_run_without_news_decides_that_nothing_is_to_be_written(built: Built) -> None:
    assert built.decisions["quiet", 3]["nothing_new"]
    assert built.state["quiet", 3] == built.state["quiet", 2]
    assert not built.decisions["plain", 3]["nothing_new"]


def test_a_merge_gets_the_keys_of_its_batch_where_no_other_rows_are_written(
    built: Built,
) -> None:
    for name, table in BY_NAME.items():
        has_origins = False  # the state remembers key changes with unavailable values
        for run, plan in zip(range(2, RUNS + 1), table.plans, strict=True):
            decisions = built.decisions[name, run]
            is_written = not (decisions["nothing_new"] or decisions["replaces_table"])
            has_origins = has_origins or "other keys" in plan
            if has_origins or "new truncates" in plan:
                assert decisions["key_hashes"] is None, (name, run)
            elif is_written and "in order" in plan:
                assert decisions["key_hashes"], (name, run)


@pytest.mark.parametrize("name", ["plain", "truncated", "former"])
def test_a_merge_finds_all_rows_that_it_writes(lab_spark: SparkSession, name: str) -> None:
    # the lab asserts it of each MERGE; here in a test and not in its fixture
    built = build(lab_spark, [BY_NAME[name]])

    assert rows_of(built.current[name, RUNS]) == rows_of(
        list(reference(BY_NAME[name], RUNS).rows.values())
    )


def test_truncates_are_remembered(built: Built) -> None:
    for run in (2, 3):
        assert [k for k in built.state["truncated", run] if k.startswith("!truncate:")]
