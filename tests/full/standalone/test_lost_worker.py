"""A standalone master with two workers, of which one dies in a run, with its executor and its task.

The run ends well, or it fails and the next one does. Either way the tables are those of the same
batches in local mode.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from pyspark.sql import SparkSession

from dbt_debezium_spark.notebook import read_settings
from dbt_debezium_spark.spark.session import session_for
from dev.live.project import Project
from dev.servers.standalone import SparkMaster, SparkWorker, spark_home
from dev.simulator.landing import to_jsonl
from tests.cases.log import Log
from tests.support.paths import DEMO, REPOSITORY
from tests.support.programs import DBT

pytestmark = pytest.mark.slow

GENERATE = (sys.executable, "-c", "from dbt_debezium_spark.cli import main; main()", "generate")
BUILD = (DBT, "--no-use-colors", "build")
# of an executor, 1 GiB by default, and what its Python workers share with others
WORKER_MEGABYTES = 1536
GOODS, VISITS = 3_000, 500


def described(**more: Any) -> dict[str, Any]:
    """Return what records without schemas do not tell of a table."""
    columns = [{"name": "id", "type": "int32"}, {"name": "v", "type": "string"}]
    return {"replica_identity": "full", "columns": columns, **more}


SHOP = {
    "history": True,
    "tables": {"public.goods": described(key=["id"]), "public.visits": described()},
}
# The session is spark-submit's: docs/clusters.md shows this line.
SUBMITTED = (
    "from pyspark.sql import SparkSession; SparkSession.builder.getOrCreate();"
    " from dbt.cli.main import cli; cli()\n"
)
# When the worker dies: the model that begins. MERGE on a table with history; documents, walked in
# Python workers; the append of landed records.
MOMENTS = ("state_shop__goods", "state_content__articles", "raw_shop")
# The time of day at which a record landed differs between two runs; nothing else does.
OF_THE_CLOCK = re.compile(r"landed_at|read_at|modified")
_TASK = r"task \d+\.(?P<try>\d+) in stage (?P<stage>\d+)\.(?P<again>\d+) \(TID (?P<id>\d+)\)"
STARTED = re.compile(f"Running {_TASK}")
ENDED = re.compile(f"(?:Finished|Exception in|killed) {_TASK}")


class Shop:
    """Records of two tables and of documents, which land batch by batch in two folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.position = 0
        self.logs = {"goods": Log(), "visits": Log()}
        self.batches = 0
        for source in ("shop", "content"):
            (folder / source).mkdir(parents=True)

    def land(self) -> None:
        """Let the first batch arrive, of inserts, or one of 12,000 changes."""
        held = {name: len(log.records) for name, log in self.logs.items()}
        goods, visits = self.logs["goods"], self.logs["visits"]
        of = {name: {"name": "shop", "db": "shop", "table": name} for name in self.logs}
        for number in range(GOODS if not self.batches else 9_000):
            self.position += 10
            key, text = number % (GOODS + 100 * self.batches), f"{self.batches}-{number}"
            if not self.batches:
                goods.c(key, self.position, text, ms=self.position, source=of["goods"])
            elif number % 50 == 7:
                goods.d(key, self.position, text, ms=self.position, source=of["goods"])
            else:
                goods.u(key, self.position, text, ms=self.position, source=of["goods"])
        for number in range(VISITS if not self.batches else 3_000):
            self.position += 10
            text = f"{self.batches}"
            visits.c(number, self.position, text, keyless=True, source=of["visits"])
        self.batches += 1
        for name, log in self.logs.items():
            new = [replace(one, topic=f"shop.public.{name}") for one in log.records[held[name] :]]
            self._write("shop", f"{name}-{self.batches}.jsonl", to_jsonl(new))
        self._write("content", f"{self.batches}.jsonl", self._documents())

    def _documents(self) -> str:
        """Return the demo's records but the last file's, then parts of that."""
        *first, last = sorted((DEMO / "mongodb" / "records").glob("*.jsonl"))
        if self.batches == 1:
            return "".join(part.read_text(encoding="utf-8") for part in first)
        lines = last.read_text(encoding="utf-8").splitlines(keepends=True)
        size = len(lines) // len(MOMENTS)
        return "".join(lines[size * (self.batches - 2) : size * (self.batches - 1)])

    def _write(self, source: str, name: str, text: str) -> None:
        (self.folder / source / name).write_text(text, encoding="utf-8")


class Side:
    """The project on one master: with tables, artifacts and output of its own."""

    def __init__(self, project: Path, folder: Path, master: str) -> None:
        folder.mkdir()
        self.project, self.folder = project, folder
        kept = {
            name: text
            for name, text in os.environ.items()
            if not name.startswith(("DEBEZIUM_", "DBT_", "SPARK_REMOTE"))
        }
        self.environment = kept | {
            "DEBEZIUM_SPARK_MASTER": master,
            "DEBEZIUM_SPARK_DRIVER_MEMORY": "1g",
            "DEBEZIUM_SPARK_STATE": str(folder / "state"),
            "DBT_TARGET_PATH": str(folder / "target"),
            "DBT_LOG_PATH": str(folder / "logs"),
            "PYTHONUNBUFFERED": "1",
        }
        self.runs = 0

    def start(self, *command: str | Path) -> subprocess.Popen[bytes]:
        """Start a command as the leader of a group."""
        self.runs += 1
        with self._log.open("wb") as output:
            return subprocess.Popen(
                [str(one) for one in command],
                cwd=self.project,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def run(self, *command: str | Path) -> str:
        """Run a command, which must succeed."""
        code = self.wait(self.start(*command))
        assert code == 0, self.output[-8000:]
        return self.output

    def wait(self, process: subprocess.Popen[bytes], seconds: float = 900) -> int:
        """Wait for the end of a command, which goes with its Spark if it takes too long."""
        try:
            return process.wait(seconds)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    @property
    def output(self) -> str:
        """What the last command printed so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    @property
    def spark_log(self) -> str:
        """What Spark logged in the commands so far."""
        file = self.folder / "state" / "spark.log"
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""

    @property
    def _log(self) -> Path:
        return self.folder / f"{self.runs}.out"

    def session(self) -> SparkSession:
        """Return a session of this process on the tables."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("DEBEZIUM_SPARK_STATE", self.environment["DEBEZIUM_SPARK_STATE"])
            patch.setenv("DEBEZIUM_SPARK_MASTER", "local[2]")
            return session_for(read_settings(self.project, self.project, "iceberg")[0])

    def tables(self) -> dict[str, Counter[str]]:
        """Return the rows of every table and view of the sources, without times of the clock."""
        session = self.session()
        names = {row.tableName for row in session.sql("show tables in debezium").collect()}
        names |= {row.viewName for row in session.sql("show views in debezium").collect()}
        found = {}
        for name in sorted(names):
            if name.startswith("debezium_") or "__dbt_work_" in name:
                continue
            frame = session.table(f"debezium.`{name}`")
            columns = [f"`{one}`" for one in frame.columns if not OF_THE_CLOCK.search(one)]
            rows = frame.selectExpr(f"to_json(struct({', '.join(columns)})) as row").collect()
            found[name] = Counter(row.row for row in rows)
        return found


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkMaster]:
    with SparkMaster(tmp_path_factory.mktemp("master")) as running:
        yield running


@pytest.fixture(scope="module")
def workers(
    tmp_path_factory: pytest.TempPathFactory, master: SparkMaster
) -> Iterator[list[SparkWorker]]:
    folder = tmp_path_factory.mktemp("workers")
    with ExitStack() as stack:
        made = [SparkWorker(folder, number, master, WORKER_MEGABYTES) for number in (1, 2)]
        yield [stack.enter_context(worker) for worker in made]


def make_project(home: Path, records: Path) -> Path:
    """Make the project of a user, with both sources."""
    demo = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text("utf-8"))
    content = demo["vars"]["debezium_sources"]["content"]
    project = Project(home / "project")
    project.add_source("shop", "postgresql", str(records / "shop"), SHOP)
    options = {"tables": content["tables"]}
    project.add_source("content", "mongodb", str(records / "content"), options)
    return project.path


def stages_amid(worker: SparkWorker) -> set[str]:
    """Return the stages whose tasks an executor runs; it stops if there are any."""
    (executor,) = worker.executors()
    if not _running(worker):
        return set()
    os.kill(executor, signal.SIGSTOP)
    time.sleep(0.3)  # the worker writes what the executor said before
    stages = set(_running(worker).values())
    if not stages:
        os.kill(executor, signal.SIGCONT)
    return stages


def _running(worker: SparkWorker) -> dict[str, str]:
    """Return the stage of each task that has begun and not ended."""
    text = _said(worker)
    ended = {found["id"] for found in ENDED.finditer(text)}
    started = {found["id"]: found["stage"] for found in STARTED.finditer(text)}
    return {task: stage for task, stage in started.items() if task not in ended}


def runs_again(worker: SparkWorker) -> set[str]:
    """Return the stages of tasks that an executor ran for another time."""
    found = STARTED.finditer(_said(worker))
    return {one["stage"] for one in found if one["try"] != "0" or one["again"] != "0"}


def _said(worker: SparkWorker) -> str:
    return worker.executor_logs()[-1].read_text(encoding="utf-8", errors="replace")


def kill_one(
    workers: list[SparkWorker], side: Side, run: subprocess.Popen[bytes], model: str
) -> tuple[SparkWorker, set[str]]:
    """Kill a worker whose executor runs tasks, once a model has begun; return their stages, too."""
    begun = re.compile(rf"START .*\b{model} ")
    wait_until(lambda: begun.search(side.output), side, run)
    found: list[tuple[SparkWorker, set[str]]] = []

    def one_is_amid() -> bool:
        for worker in workers:
            if stages := stages_amid(worker):
                found.append((worker, stages))
                return True
        return False

    wait_until(one_is_amid, side, run)
    worker, stages = found[0]
    worker.kill()
    assert run.poll() is None
    return worker, stages


def wait_until(
    condition: Callable[[], Any], side: Side, run: subprocess.Popen[bytes], seconds: float = 300
) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert run.poll() is None, side.output[-8000:]
        assert time.monotonic() < deadline, f"nothing after {seconds} s: {side.output[-2000:]}"
        time.sleep(0.01)


def test_a_worker_that_dies_takes_nothing_and_doubles_nothing(
    tmp_path: Path, master: SparkMaster, workers: list[SparkWorker]
) -> None:
    shop = Shop(tmp_path / "records")
    shop.land()
    project = make_project(tmp_path, shop.folder)
    cluster = Side(project, tmp_path / "cluster", master.address)
    local = Side(project, tmp_path / "local", "local[2]")
    for side in (cluster, local):
        side.run(*GENERATE)
        side.run(*BUILD)
    applications = master.state()["completedapps"]
    assert len(applications) == 2
    # both workers took part
    assert all(len(worker.executor_logs()) == 2 for worker in workers)

    for model in MOMENTS:
        shop.land()
        before = len(cluster.spark_log)
        started = time.monotonic()
        run = cluster.start(*BUILD)
        try:
            dead, stages = kill_one(workers, cluster, run, model)
        except BaseException:
            os.killpg(run.pid, signal.SIGKILL)
            raise
        code = cluster.wait(run)
        print(f"killed in {model}: exit code {code} after {time.monotonic() - started:.0f} s")
        assert "Lost executor" in cluster.spark_log[before:]
        (survivor,) = (worker for worker in workers if worker is not dead)
        if code:
            # what the message names is lost with the worker, and the next run finds it again
            assert "ERROR" in cluster.output
            print(cluster.output[-3000:])
            cluster.run(*BUILD)
        else:
            assert stages <= runs_again(survivor)
        dead.start()
        local.run(*BUILD)

    # and one that finds nothing new, by spark-submit
    (tmp_path / "run.py").write_text(SUBMITTED, encoding="utf-8")
    settings = read_settings(project, project, "iceberg")[0]
    del cluster.environment["DEBEZIUM_SPARK_MASTER"]
    cluster.environment["PYSPARK_PYTHON"] = sys.executable
    output = cluster.run(
        *(spark_home() / "bin" / "spark-submit", "--master", master.address),
        *("--packages", settings["spark.jars.packages"]),
        *("--conf", f"spark.sql.extensions={settings['spark.sql.extensions']}"),
        *(tmp_path / "run.py", "build"),
    )
    assert "no new files" in output
    assert len(master.state()["completedapps"]) > len(applications) + len(MOMENTS)

    on_cluster, in_local_mode = cluster.tables(), local.tables()
    assert on_cluster.keys() == in_local_mode.keys()
    assert len(on_cluster["cur_shop__goods"]) > GOODS / 2
    assert sum(on_cluster["hist_shop__goods"].values()) > len(shop.logs["goods"].records) / 2
    assert sum(on_cluster["raw_shop"].values()) == sum(
        len(log.records) for log in shop.logs.values()
    )
    for name, rows in on_cluster.items():
        missing, unexpected = in_local_mode[name] - rows, rows - in_local_mode[name]
        assert not missing and not unexpected, (
            f"{name}: missing {list(missing)[:3]}, unexpected {list(unexpected)[:3]}"
        )
