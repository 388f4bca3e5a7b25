"""Python models compile in dbt's threads, all at once."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from dbt_debezium_spark.adapter_parts.python_job import compile_model

MODEL = "def model(dbt, session):\n" + "    x = [f(a + [b, (c, {1: d})]) for a in b if c]\n" * 60


@pytest.fixture
def collections_that_wait() -> Iterator[None]:
    """Collect garbage often, with finalizers that let other threads run, as py4j's do."""

    def let_others_run(phase: str, info: dict[str, int]) -> None:
        time.sleep(0.0001)

    before = gc.get_threshold()
    gc.callbacks.append(let_others_run)
    gc.set_threshold(50)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(let_others_run)


def test_models_compile_in_several_threads(collections_that_wait: None) -> None:
    with ThreadPoolExecutor(8) as threads:
        compiled = list(threads.map(lambda n: compile_model(MODEL, f"m{n}.py", 0), range(24)))

    assert [code.co_filename for code in compiled] == [f"m{n}.py" for n in range(24)]


def test_lines_count_as_in_the_file_of_the_user() -> None:
    code = compile_model("import os\n\ndef model(dbt, session):\n    return 1\n", "m.py", 2)

    model = next(one for one in code.co_consts if hasattr(one, "co_firstlineno"))
    assert model.co_firstlineno == 1
