"""Updates of a document: oplog patches and update descriptions (spec §7.2, §7.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dbt_debezium_spark.mongodb import ejson

Document = dict[str, Any]
PATCH_OPERATORS = ("$v", "$set", "$unset")
MAX_PADDING = 1_500_000  # nulls that a server adds before an element beyond the end
MAX_PATH_PARTS = 200  # a server nests documents at most 100 levels deep


class UnknownChange(ValueError):
    """A change of unknown form, such as the diffs of MongoDB 5.0."""


def is_replacement(patch: Document) -> bool:
    """Return whether a patch is a whole new document, without operators."""
    return not any(name.startswith("$") for name in patch)


def replacement(patch: Document, key: Any) -> Document:
    """Return the document after a replacement; `_id` never changes."""
    return patch if "_id" in patch else {"_id": key, **patch}


def apply_patch(patch: Document, document: Document) -> None:
    """Apply the operators of an oplog patch to a document.

    Raises:
        UnknownChange: the patch has other operators than `$set` and `$unset`, or invalid paths.
    """
    check_patch(patch)
    for path, value in patch.get("$set", {}).items():
        set_path(document, path, value)
    for path in patch.get("$unset", {}):
        unset_path(document, path)


def check_patch(patch: Document) -> None:
    """Check the form of a patch.

    Raises:
        UnknownChange: the form is unknown.
    """
    unknown = [name for name in patch if name not in PATCH_OPERATORS]
    unknown += [name for name in ("$set", "$unset") if not isinstance(patch.get(name, {}), dict)]
    if patch.get("$v", 1) != 1:
        unknown.append("$v")
    if unknown:
        raise UnknownChange(f"a patch with {', '.join(sorted(unknown))}")
    _check_paths([*patch.get("$set", {}), *patch.get("$unset", {})])


def apply_description(description: Document, document: Document) -> None:
    """Apply an update description to a document: truncate arrays, set fields, remove fields.

    Raises:
        UnknownChange: its form is unknown; the document is unchanged.
    """
    check_description(description)
    for cut in description.get("truncatedArrays") or ():
        truncate_path(document, cut["field"], int(cut["size"]))
    for path, value in (description.get("updatedFields") or {}).items():
        set_path(document, path, value)
    for path in description.get("removedFields") or ():
        unset_path(document, path)


def check_description(description: Document) -> None:
    """Check the form of an update description.

    Raises:
        UnknownChange: the form is unknown.
    """
    cuts = description.get("truncatedArrays") or []
    updated = description.get("updatedFields") or {}
    removed = description.get("removedFields") or []
    if not (isinstance(cuts, list) and isinstance(updated, dict) and isinstance(removed, list)):
        raise UnknownChange("an update description with invalid parts")
    for cut in cuts:
        if not isinstance(cut, dict) or type(cut.get("size")) is not int or cut["size"] < 0:
            raise UnknownChange("a truncated array without a size")
    _check_paths([*(cut.get("field") for cut in cuts), *updated, *removed])


def _check_paths(paths: Iterable[Any]) -> None:
    for path in paths:
        if not isinstance(path, str) or path.count(".") >= MAX_PATH_PARTS:
            raise UnknownChange("an invalid path")


def set_path(document: Document, path: str, value: Any) -> None:
    """Set the value at a dotted path, and create missing documents on the path.

    A number addresses an element of an array, or a field of a document. A scalar on the path is
    replaced by a document: the base is then newer than the change (a looked-up document), and later
    changes correct it.
    """
    _set(document, path.split("."), value)


def unset_path(document: Document, path: str) -> None:
    """Remove the value at a dotted path; an element of an array becomes null."""
    *parents, last = path.split(".")
    container = _find(document, parents)
    if isinstance(container, list):
        place = _place(container, last)
        if place is not None and place < len(container):
            container[place] = None
    elif ejson.is_document(container):
        container.pop(last, None)


def truncate_path(document: Document, path: str, size: int) -> None:
    """Truncate the array at a dotted path to its first elements."""
    array = _find(document, path.split("."))
    if isinstance(array, list):
        del array[size:]


def _set(container: Any, parts: list[str], value: Any) -> Any:
    """Return the container with the value; a scalar is replaced by a new document."""
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
    """Return the value at a path, None if it does not exist."""
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
    """Return the index in an array that a part of a path means, None for a field name."""
    if not (part.isascii() and part.isdigit()) or len(part) > 9:
        return None
    place = int(part)
    return place if place <= len(array) + MAX_PADDING else None
