"""Texts in the properties of tables, written so that Spark shows them again.

`show tblproperties` hides every value in which a word stands that may be a secret's or a URL's
(`spark.redaction.regex`): a table with a column `password` or `token` would never know again how
its rows were read. Packed, a text has no words.
"""

from __future__ import annotations

import zlib

_MARK = "z:"


def pack(text: str) -> str:
    """Return a text, of any length, in digits and the letters a to f; the same for the same."""
    return _MARK + zlib.compress(text.encode(), 9).hex()


def unpack(text: str | None) -> str | None:
    """Return what was packed, and a text that was not as it is.

    None stays None, and so does what is hidden or damaged: nothing is known of it.
    """
    if text is None or text.startswith("***"):
        return None
    if not text.startswith(_MARK):
        return text
    try:
        return zlib.decompress(bytes.fromhex(text.removeprefix(_MARK))).decode()
    except (ValueError, zlib.error):
        return None
