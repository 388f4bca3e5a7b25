"""How a wrong configuration is reported: what is wrong with which value, and the remedy."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

SIMILARITY = 0.6


class ConfigError(ValueError):
    """A configuration that cannot be used; the message says what is wrong and what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        """Keep both halves, so that callers can show them apart.

        Args:
            what: what is wrong, with the value; no full stop.
            remedy: what to do; no full stop.
        """
        super().__init__(f"debezium_spark: {what}. {remedy}.")
        self.what = what
        self.remedy = remedy


def in_words(names: Iterable[str]) -> str:
    """Return names as they are listed in messages."""
    return ", ".join(f"`{name}`" for name in names)


def nearest(name: object, known: Collection[str]) -> str | None:
    """Return the known name that was most likely meant, if one is near enough.

    Debezium writes its options with dots; people copy them, so dots and hyphens count as `_`.
    """
    written = str(name).strip().lower().replace(".", "_").replace("-", "_")
    folded = {one.lower().replace("-", "_"): one for one in known}
    found = difflib.get_close_matches(written, folded, n=1, cutoff=SIMILARITY)
    return folded[found[0]] if found else None


def expect_mapping(value: Any, where: str) -> Mapping[str, Any]:
    """Return `value` when it is a mapping with text keys.

    Raises:
        ConfigError: it is something else.
    """
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where} is {value!r}", "Write it as a mapping of names to values")
    for key in value:
        if not isinstance(key, str):
            raise ConfigError(
                f"{where} has the name {key!r}, which is not text", "Put it in quotes"
            )
    return value


def expect_known(value: Mapping[str, Any], known: Collection[str], where: str) -> None:
    """Refuse names that nothing reads: a misspelt option must not pass as its default.

    Raises:
        ConfigError: a name is unknown; the remedy names the nearest known one.
    """
    for name in value:
        if name not in known:
            meant = nearest(name, known)
            hint = f"Did you mean `{meant}`? Known" if meant else "Known"
            raise ConfigError(
                f"{where} has the unknown option `{name}`", f"{hint}: {in_words(known)}"
            )


def expect_text(value: Any, where: str, example: str) -> str:
    """Return `value` when it is non-empty text.

    Raises:
        ConfigError: it is missing, empty, or of another type.
    """
    if value is None:
        raise ConfigError(f"{where} is missing", f"Write for example `{example}`")
    if not isinstance(value, str) or not value.strip():
        raise ConfigError(f"{where} is {value!r}, not text", f"Write for example `{example}`")
    return value


def expect_one_of(value: Any, allowed: Collection[str], where: str) -> str:
    """Return `value` when it is one of the allowed words.

    Raises:
        ConfigError: it is not; the remedy lists them.
    """
    if isinstance(value, str) and value in allowed:
        return value
    meant = nearest(value, allowed)
    hint = f"Did you mean `{meant}`? Allowed" if meant else "Allowed"
    raise ConfigError(f"{where} is {value!r}", f"{hint}: {in_words(allowed)}")


def expect_list(value: Any, where: str) -> list[Any]:
    """Return `value` when it is a list.

    Raises:
        ConfigError: it is something else; text is not taken for a list of letters.
    """
    if not isinstance(value, list | tuple):
        raise ConfigError(f"{where} is {value!r}", "Write it as a list")
    return list(value)
