"""What one update does to a document: oplog patches and update descriptions (spec §7.2, §7.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dbt_debezium_spark.mongodb import ejson

Document = dict[str, Any]
PATCH_OPERATORS = ("$v", "$set", "$unset")
MOST_PADDING = 1_500_000  # nulls that a server puts before an element behind the end
MOST_PARTS = 200  # of a path; a server nests documents 100 deep at most


class UnknownChange(ValueError):
    """A change in a form that says nothing certain, like the diffs of MongoDB 5.0."""


def is_replacement(patch: Document) -> bool:
    """Tell a whole new document from a list of changes: no member is an operator."""
    return not any(name.startswith("$") for name in patch)


def replaced(patch: Document, key: Any) -> Document:
    """Return the document that a replacing patch leaves; `_id` never changes."""
    return patch if "_id" in patch else {"_id": key, **patch}


def apply_patch(patch: Document, document: Document) -> None:
    """Change a document as the operators of an oplog patch say.

    Raises:
        UnknownChange: it has others than `$set` and `$unset`, or they hold no paths.
    """
    check_patch(patch)
    for path, value in patch.get("$set", {}).items():
        set_path(document, path, value)
    for path in patch.get("$unset", {}):
        unset_path(document, path)


def check_patch(patch: Document) -> None:
    """Refuse a patch whose form is not known.

    Raises:
        UnknownChange: nothing is guessed.
    """
    odd = [name for name in patch if name not in PATCH_OPERATORS]
    odd += [name for name in ("$set", "$unset") if not isinstance(patch.get(name, {}), dict)]
    if patch.get("$v", 1) != 1:
        odd.append("$v")
    if odd:
        raise UnknownChange(f"a patch with {', '.join(sorted(odd))}")
    _check_paths([*patch.get("$set", {}), *patch.get("$unset", {})])


def apply_description(description: Document, document: Document) -> None:
    """Change a document as an update description says: arrays cut, fields set, fields removed.

    Raises:
        UnknownChange: its form is not known; the document is as it was.
    """
    check_description(description)
    for cut in description.get("truncatedArrays") or ():
        truncate_path(document, cut["field"], int(cut["size"]))
    for path, value in (description.get("updatedFields") or {}).items():
        set_path(document, path, value)
    for path in description.get("removedFields") or ():
        unset_path(document, path)


def check_description(description: Document) -> None:
    """Refuse an update description whose form is not known.

    Raises:
        UnknownChange: nothing is guessed.
    """
    cuts = description.get("truncatedArrays") or []
    updated = description.get("updatedFields") or {}
    removed = description.get("removedFields") or []
    if not (isinstance(cuts, list) and isinstance(updated, dict) and isinstance(removed, list)):
        raise UnknownChange("an update description of other parts")
    for cut in cuts:
        if not isinstance(cut, dict) or type(cut.get("size")) is not int or cut["size"] < 0:
            raise UnknownChange("an array cut to no size")
    _check_paths([*(cut.get("field") for cut in cuts), *updated, *removed])


def _check_paths(paths: Iterable[Any]) -> None:
    for path in paths:
        if not isinstance(path, str) or path.count(".") >= MOST_PARTS:
            raise UnknownChange("a path that is none")


def set_path(document: Document, path: str, value: Any) -> None:
    """Set what a dotted path addresses, with the documents that are missing on the way.

    A number addresses an element where an array stands, else a field. What cannot hold the rest of
    the path gives room to a document: the base is then newer than the change (a looked-up one), and
    the changes that follow set it right.
    """
    _set(document, path.split("."), value)


def unset_path(document: Document, path: str) -> None:
    """Remove what a dotted path addresses; an element of an array becomes null."""
    *way, last = path.split(".")
    container = _find(document, way)
    if isinstance(container, list):
        place = _place(container, last)
        if place is not None and place < len(container):
            container[place] = None
    elif ejson.is_document(container):
        container.pop(last, None)


def truncate_path(document: Document, path: str, size: int) -> None:
    """Cut an array to its first elements."""
    array = _find(document, path.split("."))
    if isinstance(array, list):
        del array[size:]


def _set(container: Any, parts: list[str], value: Any) -> Any:
    """Return the container with the value in it, a new one where this one cannot hold it."""
    first, rest = parts[0], parts[1:]
    place = _place(container, first) if isinstance(container, list) else None
    if place is not None:
        container.extend([None] * (place + 1 - len(container)))
        container[place] = _set(container[place], rest, value) if rest else value
        return container
    if not ejson.is_document(container):
        container = {}
    container[first] = _set(container.get(first), rest, value) if rest else value
    return container


def _find(container: Any, parts: Iterable[str]) -> Any:
    """Return what a path addresses, None when there is nothing."""
    for part in parts:
        if isinstance(container, list):
            place = _place(container, part)
            container = container[place] if place is not None and place < len(container) else None
        elif ejson.is_document(container):
            container = container.get(part)
        else:
            return None
    return container


def _place(array: list[Any], part: str) -> int | None:
    """Return the index that a part of a path means in an array, None when it means a field."""
    if not (part.isascii() and part.isdigit()) or len(part) > 9:
        return None
    place = int(part)
    return place if place <= len(array) + MOST_PADDING else None
