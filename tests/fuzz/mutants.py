"""Damaged records, made from those of the demo."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.support.paths import REPOSITORY

DEMO = REPOSITORY / "dev" / "demo" / "data"
OVERSIZED_CHARACTERS = 200_000
DEEP = 20_000
# Stands in JSON for a token that `json.dumps` would not write.
_MARK = "@@token@@"
_TOKENS = (
    "1e999", "-1e999", "1e99999999999999999999", "1e-99999999999999999999", "NaN", "Infinity",
    "9223372036854775807", "9223372036854775808", "-9223372036854775809", "2147483648", "-1",
    "1" * 700, "0." + "3" * 700, "1.0", "-0.0", "01", "0x10", "true", "null", "[]", "{}", '""',
    '"\\ud800"', '"\\udc00\\ud800"', '"\\\\ud800"', '"\\u0000"', '"\\x"', '"9999-12-31T23:59:59Z"',
    '"0001-01-01T00:00:00+18:00"', '"99999-01-01T00:00:00Z"', '"12:00"', '"NaN"', '"1e999"',
    '[["a"]]', '[{"key":1}]', '["a"]', '{"a":{"b":1}}', '"\x1b[31m"', "'a'",
)  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One damaged line.

    Attributes:
        line: what a file of records holds, without its newline.
        connector: whose record it was.
        original: its line in `originals`.
        damage: what was done to it.
    """

    line: bytes
    connector: str
    original: int
    damage: str


@cache
def originals() -> tuple[tuple[str, bytes], ...]:
    """Return every line of the demo's records with its connector, always in the same order."""
    return tuple(
        (folder.name, line)
        for folder in sorted(DEMO.iterdir())
        for file in sorted((folder / "records").glob("*.jsonl"))
        for line in file.read_bytes().splitlines()
    )


def mutants(seed: int, count: int) -> Iterator[Mutant]:
    """Yield mutants; those of a seed are the same ones each time, however many are taken."""
    for number in range(count):
        yield mutant(seed, number)


def mutant(seed: int, number: int) -> Mutant:
    """Return one mutant of a seed."""
    chance = random.Random(f"{seed}/{number}")
    damages = list(DAMAGES)
    while True:
        original = chance.randrange(len(originals()))
        connector, line = originals()[original]
        name = chance.choice(damages)
        damaged = DAMAGES[name](line, chance).replace(b"\n", b" ")
        if damaged != line:
            return Mutant(damaged, connector, original, name)


# -- bytes ----------------------------------------------------------------------------------------


def _flip_bits(line: bytes, chance: random.Random) -> bytes:
    content = bytearray(line)
    for _ in range(chance.choice([1, 1, 1, 2, 8])):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return bytes(content)


def _flip_bits_in_front(line: bytes, chance: random.Random) -> bytes:
    # Topic, partition, offset and timestamp stand there.
    content = bytearray(line)
    content[chance.randrange(min(130, len(content)))] ^= 1 << chance.randrange(8)
    return bytes(content)


def _cut(line: bytes, chance: random.Random) -> bytes:
    return line[: chance.randrange(len(line))]


def _cut_out(line: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(line))
    return line[:start] + line[start + chance.choice([1, 1, 2, 10, 100]) :]


def _repeat(line: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(line))
    end = start + chance.choice([1, 1, 2, 10, 100])
    return line[:end] + line[start:]


def _put_in(line: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(line))
    return line[:start] + chance.randbytes(chance.choice([1, 1, 4, 32])) + line[start:]


def _glue(line: bytes, chance: random.Random) -> bytes:
    other = chance.choice(originals())[1]
    return line + chance.choice([b"", b" ", b",", b"}", b"\r", b"\x00"]) + other


# -- members of the line, or of the JSON in its key or value ------------------------------------


def _remove(holder: dict[str, Any], name: str, chance: random.Random) -> None:
    del holder[name]


def _retype(holder: dict[str, Any], name: str, chance: random.Random) -> None:
    value = holder[name]
    others: list[Any] = [None, True, 0, -1, 1.5, "", "x", [], {}, [value], {"x": value}]
    holder[name] = chance.choice([*others, str(value), json.dumps(value)])


def _swap(holder: dict[str, Any], name: str, chance: random.Random) -> None:
    other = chance.choice(list(holder))
    holder[name], holder[other] = holder[other], holder[name]


def _rename(holder: dict[str, Any], name: str, chance: random.Random) -> None:
    new = chance.choice([name.upper(), name + "x", "\ud800", "", "schema", "payload", "op"])
    holder[new] = holder.pop(name)


def _enlarge(holder: dict[str, Any], name: str, chance: random.Random) -> None:
    size = chance.randrange(1, OVERSIZED_CHARACTERS)
    texts: list[Any] = ["x" * size, "9" * size, "\\" * size, "\u20ac" * size, [0] * size]
    holder[name] = chance.choice(texts)


def _token(holder: dict[str, Any], name: str, chance: random.Random) -> str:
    holder[name] = _MARK
    return chance.choice(_TOKENS)


def _deepen(holder: dict[str, Any], name: str, chance: random.Random) -> str:
    holder[name] = _MARK
    depth = chance.choice([100, 900, 1_100, DEEP])
    return chance.choice(["[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth])


def _double(holder: dict[str, Any], name: str, chance: random.Random) -> str:
    # `name` twice in one object.
    value = holder[name]
    holder[name] = _MARK
    again = chance.choice([value, None, 0, "x"])
    return f"{json.dumps(value)},{json.dumps(name)}:{json.dumps(again)}"


MemberDamage = Callable[[dict[str, Any], str, random.Random], str | None]


def _in_line(damage: MemberDamage) -> Callable[[bytes, random.Random], bytes]:
    def mutate(line: bytes, chance: random.Random) -> bytes:
        members = json.loads(line)
        token = damage(members, chance.choice(list(members)), chance)
        return _written(members, token).encode()

    return mutate


def _in_text(damage: MemberDamage) -> Callable[[bytes, random.Random], bytes]:
    """Damage a member anywhere in the JSON of a key or value."""

    def mutate(line: bytes, chance: random.Random) -> bytes:
        members = json.loads(line)
        side = chance.choice(["key", "value", "value"])
        if not isinstance(members.get(side), str):
            return line
        content = json.loads(members[side])
        holders = list(_holders(content))
        if not holders:
            return line
        holder = chance.choice(holders)
        token = damage(holder, chance.choice(list(holder)), chance)
        members[side] = _written(content, token)
        return json.dumps(members).encode()

    return mutate


def _holders(content: Any) -> Iterator[dict[str, Any]]:
    if isinstance(content, dict):
        if content:
            yield content
        for one in content.values():
            yield from _holders(one)
    elif isinstance(content, list):
        for one in content:
            yield from _holders(one)


def _written(content: Any, token: str | None) -> str:
    text = json.dumps(copy.copy(content))
    return text if token is None else text.replace(f'"{_MARK}"', token)


def _glue_texts(line: bytes, chance: random.Random) -> bytes:
    # `{...}{...}` within a value.
    members = json.loads(line)
    side = chance.choice(["key", "value"])
    if isinstance(members.get(side), str):
        members[side] += chance.choice(["", " ", ","]) + members[side]
    return json.dumps(members).encode()


_OF_MEMBERS: dict[str, MemberDamage] = {
    "removed": _remove,
    "retyped": _retype,
    "swapped": _swap,
    "renamed": _rename,
    "oversized": _enlarge,
    "odd token": _token,
    "nested deeply": _deepen,
    "given twice": _double,
}
DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "bits flipped": _flip_bits,
    "bits flipped in front": _flip_bits_in_front,
    "cut": _cut,
    "part cut out": _cut_out,
    "part repeated": _repeat,
    "bytes put in": _put_in,
    "two lines in one": _glue,
    "two texts in one": _glue_texts,
    **{f"member of the line {name}": _in_line(one) for name, one in _OF_MEMBERS.items()},
    **{f"member of key or value {name}": _in_text(one) for name, one in _OF_MEMBERS.items()},
}
