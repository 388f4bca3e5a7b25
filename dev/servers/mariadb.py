"""A MariaDB server of our own: temporary data, one port on the loopback, gone at the end."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dev.servers import ServerError
from dev.servers.accounts import hand_over, identity, unprivileged_user
from dev.servers.managed import Managed
from dev.servers.ports import free_port

DATABASE = "web"
USER = "recorder"
STATEMENT_TIMEOUT_SECONDS = 60
SYSTEM_FOLDERS = ("/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/usr/local/opt/mariadb/bin")
"""Where servers stand that are not on everybody's PATH."""


def find_binaries() -> tuple[Path, Path]:
    """Return `mariadbd` and `mariadb-install-db`.

    Raises:
        ServerError: no server is installed.
    """
    programs = ("mariadbd", "mariadb-install-db", "my_print_defaults")
    folders = os.pathsep.join((os.environ.get("PATH", ""), *SYSTEM_FOLDERS))
    server, install, defaults = (shutil.which(program, path=folders) for program in programs)
    if server is None or install is None or defaults is None:
        raise ServerError(
            f"servers: no MariaDB server ({', '.join(programs)}) was found. Install one with "
            "`apt-get install mariadb-server-core mariadb-client-core`."
        )
    return Path(server), Path(install)


class Server(Managed):
    """A running server, as a context manager; `folder` must exist and is ours to fill."""

    name = "MariaDB"
    log_name = "mariadb"

    def __init__(self, folder: Path) -> None:
        """Prepare a server whose data and log stand in `folder`."""
        super().__init__(folder)
        self._server, self._install = find_binaries()
        self._data = folder / "data"
        self._user = unprivileged_user(("mysql",))
        self.identity = identity(self._user)
        self.password = secrets.token_urlsafe(18)

    def connect(self) -> Any:
        """Return a new autocommit connection in UTC, with time-outs."""
        import pymysql

        return pymysql.connect(
            host="127.0.0.1", port=self.port, user=USER, password=self.password,
            database=DATABASE, charset="utf8mb4", autocommit=True,
            connect_timeout=10, read_timeout=STATEMENT_TIMEOUT_SECONDS + 10,
            init_command=(
                f"set time_zone = '+00:00', innodb_lock_wait_timeout = 20,"
                f" max_statement_time = {STATEMENT_TIMEOUT_SECONDS}"
            ),
        )  # fmt: skip

    def start(self) -> None:
        """Create the system tables, start the server, create the database and its user."""
        hand_over(self._user, self.folder)
        self._run(
            "mariadb-install-db",
            [
                self._install, "--no-defaults", f"--datadir={self._data}", "--skip-test-db",
                "--auth-root-authentication-method=normal", "--skip-name-resolve",
            ],
        )  # fmt: skip
        # Root has no password until these have run, and then it is gone.
        first = self.folder / "first.sql"
        first.touch(mode=0o600)
        first.write_text(
            f"create database {DATABASE} character set utf8mb4;\n"
            f"create user '{USER}'@'127.0.0.1' identified by '{self.password}';\n"
            f"grant all on *.* to '{USER}'@'127.0.0.1';\n"
            "delete from mysql.global_priv where user <> 'recorder' and user <> 'mariadb.sys';\n"
            "flush privileges;\n"
        )
        hand_over(self._user, first)
        super().start()
        first.unlink()

    def _command(self, attempt: int) -> Sequence[str | Path]:
        self.port = free_port()
        return [
            self._server, "--no-defaults", f"--datadir={self._data}",
            f"--port={self.port}", "--bind-address=127.0.0.1", "--skip-name-resolve",
            f"--socket={self.folder / 'mariadb.sock'}",
            f"--pid-file={self.folder / 'mariadb.pid'}",
            f"--init-file={self.folder / 'first.sql'}",
            "--server-id=1", "--log-bin=mysql-bin", "--binlog-format=ROW",
            "--binlog-row-image=FULL", "--max-binlog-size=65536",
            "--default-time-zone=+00:00", "--character-set-server=utf8mb4",
            # What a crash of the machine loses is of no interest.
            "--innodb-flush-log-at-trx-commit=0", "--sync-binlog=0",
            "--innodb-buffer-pool-size=64M",
        ]  # fmt: skip

    def _answers(self) -> bool:
        import pymysql

        try:
            self.connect().close()
        except (OSError, pymysql.err.MySQLError):
            return False
        return True
