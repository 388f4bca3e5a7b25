"""Python packages that only some commands need."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

from dev.servers.errors import ServerError


def require_packages(modules: Sequence[str], extra: str) -> None:
    """Check that modules can be imported.

    Args:
        modules: their names.
        extra: of this distribution, which brings them.

    Raises:
        ServerError: one is missing.
    """
    missing = [name for name in modules if not importlib.util.find_spec(name)]
    if missing:
        raise ServerError(
            f"servers: Python package {', '.join(missing)} is missing. "
            f"Install the extra: pip install -e '.[{extra}]'."
        )
