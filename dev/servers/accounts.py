"""The account a database server runs under: such servers refuse to run as root."""

from __future__ import annotations

import os
import pwd
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dev.servers import ServerError


def unprivileged_user(preferred: Sequence[str]) -> str | None:
    """Return the account that runs a server, None for our own when that is not root.

    Raises:
        ServerError: we are root and know no other account.
    """
    if os.geteuid() != 0:
        return None
    names = (*preferred, "nobody")
    for name in names:
        try:
            pwd.getpwnam(name)
        except KeyError:
            continue
        return name
    raise ServerError(
        f"servers: running as root, and none of the users {', '.join(names)} exists to run the "
        "server. Run as another user."
    )


def identity(user: str | None) -> dict[str, Any]:
    """Return the arguments of `subprocess` that make a process run under an account."""
    if user is None:
        return {}
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


def hand_over(user: str | None, *paths: Path) -> None:
    """Make an account the owner of paths of ours."""
    if user is not None:
        account = pwd.getpwnam(user)
        for path in paths:
            os.chown(path, account.pw_uid, account.pw_gid)
