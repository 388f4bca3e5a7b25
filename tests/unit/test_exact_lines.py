"""Workers of a cluster read lines exactly without this package."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from pyspark import cloudpickle

from dbt_debezium_spark.landing.exact_lines import _batch_reader

WORKER = """
import json, pickle, sys
from pathlib import Path

import pyarrow as pa


class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "dbt_debezium_spark":
            raise ImportError(name)


sys.meta_path.insert(0, Blocker())
read = pickle.loads(Path(sys.argv[1]).read_bytes())
record = b'{"topic": "t", "partition": 0, "offset": 1, "value": {"a": 1.10}, "headers": ["h", "x"]}'
rows = [{"path": "p", "block": 0, "seq": 0, "line": line} for line in (record, b"?")]
(batch,) = read(iter([pa.RecordBatch.from_pylist(rows)]))
leftover = [name for name in sys.modules if name.startswith("dbt_debezium_spark")]
values = [[row["value"], row["headers"], row["state"]] for row in batch.to_pylist()]
print(json.dumps(values + leftover))
"""


def test_a_worker_reads_lines_without_the_package(tmp_path: Path) -> None:
    reader = tmp_path / "reader"
    reader.write_bytes(cloudpickle.dumps(_batch_reader()))

    worker = subprocess.run(
        [sys.executable, "-c", WORKER, str(reader)], capture_output=True, text=True
    )

    assert worker.returncode == 0, worker.stderr
    assert json.loads(worker.stdout) == [
        ['{"a":1.10}', [{"key": "h", "value": "x"}], "record"],
        [None, None, "rejected"],
    ]
