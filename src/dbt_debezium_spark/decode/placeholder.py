"""All forms in which Debezium writes the unavailable-value placeholder (spec §6.5)."""

from __future__ import annotations

import base64
import hashlib
import json
import uuid


def placeholder_forms(placeholder: str) -> dict[str, str]:
    """Return the JSON texts that a connector writes for a value that was not in the log.

    Args:
        placeholder: value of `unavailable.value.placeholder`; `hex:…` stands for raw bytes.

    Returns:
        The text of a string, of bytes (base64, base64 for addresses, hexadecimal), of arrays of
        text and of base64 bytes, of an array of character codes (integer and date arrays), of an
        array of name-based UUIDs, and of an hstore. Arrays and objects are compact JSON, as Spark
        writes a nested member that it reads as text.

    Raises:
        ValueError: the text after `hex:` is not hexadecimal.
    """
    if placeholder.startswith("hex:"):
        raw = bytes.fromhex(placeholder.removeprefix("hex:"))
        text = raw.decode("utf-8", errors="replace")
    else:
        raw = placeholder.encode("utf-8")
        text = placeholder
    encoded = base64.b64encode(raw).decode("ascii")
    # Java's UUID.nameUUIDFromBytes: MD5 without a namespace, version 3
    name_based = str(uuid.UUID(bytes=hashlib.md5(raw, usedforsecurity=False).digest(), version=3))

    def compact(value: object) -> str:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    return {
        "text": text,
        "base64": encoded,
        "base64_url_safe": base64.urlsafe_b64encode(raw).decode("ascii"),
        "hex": raw.hex(),
        "text_array": compact([text]),
        "base64_array": compact([encoded]),
        "code_array": compact(list(raw)),
        "uuid_array": compact([name_based]),
        "hstore": compact({text: text}),
    }
