"""A wheel without content, for a package that pip cannot look at."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile


def write_stand_in(folder: Path, name: str, version: str) -> Path:
    """Write an empty wheel for `--find-links`, and return the folder.

    Args:
        folder: where to write it.
        name: name of the distribution.
        version: a version that is higher than those of the registry, so that pip takes it.
    """
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    folder.mkdir(parents=True, exist_ok=True)
    with ZipFile(folder / f"{module}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    return folder
