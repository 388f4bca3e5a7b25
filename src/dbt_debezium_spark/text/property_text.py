"""Texts in table properties, encoded so that Spark does not redact them.

`show tblproperties` redacts every value that contains a word such as `password`, `token` or `url`
(`spark.redaction.regex`). For a table with such a column, the property that describes how its rows
were read would be lost. An encoded text contains no words.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

_MARK = "z:"


def pack(text: str) -> str:
    """Encode a text of any length in digits and the letters a to f, deterministically."""
    return _MARK + zlib.compress(text.encode(), 9).hex()


def unpack(text: str | None) -> str | None:
    """Return the text that `pack` encoded; a text that is not encoded stays as it is.

    The result is None for None, and for a redacted or damaged value.
    """
    if text is None or text.startswith("***"):
        return None
    if not text.startswith(_MARK):
        return text
    try:
        return zlib.decompress(bytes.fromhex(text.removeprefix(_MARK))).decode()
    except (ValueError, zlib.error):
        return None


def short_hash(value: Any) -> str:
    """Return a hash of a value for a table property, the same however its members are ordered."""
    text = json.dumps(value, sort_keys=True)
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:8]
