"""Spark's standalone cluster on the loopback: a master and its workers, of pyspark's installation.

The programs and their arguments are those of docs/clusters.md, "A standalone master".
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dev.servers.managed import Managed
from dev.servers.ports import ANSWER_SECONDS, free_ports

HOST = "127.0.0.1"
# of a master and of a worker; executors have what the worker offers
DAEMON_MEGABYTES = 512
_CLASSES = "org.apache.spark.deploy"


def spark_home() -> Path:
    """Return the folder of pyspark's Spark."""
    from pyspark.find_spark_home import _find_spark_home

    return Path(_find_spark_home())


class SparkMaster(Managed):
    """A running master, as a context manager; `folder` must exist and is ours to fill."""

    name = "Spark's standalone master"
    log_name = "master"

    def __init__(self, folder: Path) -> None:
        """Prepare a master that knows no worker."""
        super().__init__(folder)
        self._ui_port = 0

    @property
    def address(self) -> str:
        """What `spark.master` is."""
        return f"spark://{HOST}:{self.port}"

    def state(self) -> dict[str, Any]:
        """Return what it says about itself, its workers and its applications.

        Raises:
            OSError: it does not answer.
        """
        address = f"http://{HOST}:{self._ui_port}/json/"
        with urllib.request.urlopen(address, timeout=ANSWER_SECONDS) as answer:
            return dict(json.loads(answer.read()))

    def has_worker(self, port: int) -> bool:
        """Tell whether the worker at a port is registered and alive."""
        found = [one for one in self.state()["workers"] if one["port"] == port]
        return any(one["state"] == "ALIVE" for one in found)

    def _command(self, attempt: int) -> Sequence[str | Path]:
        self.port, self._ui_port = free_ports(2)
        return _program(
            self.folder, "master.Master", "--host", HOST, "--port", str(self.port),
            "--webui-port", str(self._ui_port),
        )  # fmt: skip

    def _answers(self) -> bool:
        try:
            return str(self.state()["status"]) == "ALIVE"
        except OSError:
            return False


class SparkWorker(Managed):
    """A worker of a running master, as a context manager, which starts executors.

    It can be killed and started again.
    """

    name = "Spark's standalone worker"

    def __init__(self, folder: Path, number: int, master: SparkMaster, megabytes: int) -> None:
        """Prepare a worker with one core.

        Args:
            folder: of the cluster; must exist.
            number: tells its log and folders from those of others.
            master: a running one.
            megabytes: that its executors may have.
        """
        self.log_name = f"worker-{number}"
        super().__init__(folder)
        self.work = folder / self.log_name
        self._master = master
        self._megabytes = megabytes

    def _command(self, attempt: int) -> Sequence[str | Path]:
        self.port, ui_port = free_ports(2)
        return _program(
            self.folder, "worker.Worker", "--host", HOST, "--port", str(self.port),
            "--webui-port", str(ui_port), "--cores", "1", "--memory", f"{self._megabytes}m",
            "--work-dir", self.work, self._master.address,
        )  # fmt: skip

    def _answers(self) -> bool:
        return self._master.has_worker(self.port)

    def executors(self) -> list[int]:
        """Return the process ids of its executors."""
        if self._process is None:
            return []
        found = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True
        )
        rows = [line.split() for line in found.stdout.splitlines()]
        parent = str(self._process.pid)
        return [int(pid) for pid, above, state in rows if above == parent and state[0] != "Z"]

    def executor_logs(self) -> list[Path]:
        """Return what its executors wrote, the newest application last."""
        return sorted(self.work.glob("app-*/*/stderr"))

    def kill(self) -> None:
        """End it and its executors without warning, as a machine that fails."""
        executors = self.executors()
        # the worker first: it would report a lost executor, and get another one
        super().kill()
        for executor in executors:
            os.kill(executor, signal.SIGKILL)


def _program(folder: Path, name: str, *arguments: str | Path) -> list[str | Path]:
    """Return the command that runs a part of a cluster, which becomes the process of that part."""
    home = spark_home()
    return [
        "env", f"SPARK_HOME={home}", f"SPARK_DAEMON_MEMORY={DAEMON_MEGABYTES}m",
        f"SPARK_LOCAL_DIRS={folder / 'local'}", home / "bin" / "spark-class", f"{_CLASSES}.{name}",
        *arguments,
    ]  # fmt: skip
