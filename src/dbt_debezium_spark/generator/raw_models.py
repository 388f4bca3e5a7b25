"""The model that lands a source is Python or SQL, as its input is configured."""

from __future__ import annotations

from collections.abc import Iterable

RAW_FOLDERS = {".py": "python_models/raw", ".sql": "models/raw"}


def raw_models_in_the_other_language(paths: Iterable[str]) -> list[str]:
    """Return the paths that generated raw models would have in the other language.

    Args:
        paths: generated files, relative to the project; others than raw models are ignored.
    """
    others = []
    for path in paths:
        folder, _, name = path.rpartition("/")
        model, _, suffix = name.rpartition(".")
        if folder in RAW_FOLDERS.values():
            (other,) = [one for one in RAW_FOLDERS if RAW_FOLDERS[one] != folder]
            others.append(f"{RAW_FOLDERS[other]}/{model}{'.yml' if suffix == 'yml' else other}")
    return others
