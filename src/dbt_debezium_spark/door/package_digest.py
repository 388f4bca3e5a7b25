"""A digest of this package's Python code, on which rows depend as they do on macros."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path


@cache
def python_digest() -> str:
    """Return a digest of every Python file of this package, by name and content."""
    folder = Path(__file__).resolve().parents[1]
    digest = hashlib.md5(usedforsecurity=False)
    for file in sorted(folder.rglob("*.py")):
        content = hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest()
        digest.update(f"{file.relative_to(folder).as_posix()} {content}\n".encode())
    return digest.hexdigest()
