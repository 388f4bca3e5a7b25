"""A dbt adapter that builds on dbt-spark, as adapters of platforms do; nobody's product.

`dbt/` has the layout of an installed adapter: with this folder on PYTHONPATH, dbt finds it. It
overrides what such adapters override, with arguments of their own.
"""

from __future__ import annotations

from pathlib import Path

from tests.support.paths import PROFILES

FOLDER = Path(__file__).resolve().parent


def install() -> None:
    """Make the adapter importable in this process."""
    import dbt.adapters
    import dbt.include

    for package, name in ((dbt.adapters, "adapters"), (dbt.include, "include")):
        folder = str(FOLDER / "dbt" / name)
        if folder not in package.__path__:
            package.__path__.append(folder)


def write_profiles(folder: Path) -> Path:
    """Write the bundled profiles for this adapter, and return their folder."""
    text = (PROFILES / "profiles.yml").read_text(encoding="utf-8")
    assert text.count("type: spark\n") == 1
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "profiles.yml").write_text(
        text.replace("type: spark\n", "type: harbor\n"), encoding="utf-8"
    )
    return folder
