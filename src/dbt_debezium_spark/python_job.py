"""Run a dbt Python model in the Spark session dbt uses."""

from __future__ import annotations

import ast
import threading
import traceback
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from dbt.adapters.base import PythonJobHelper
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark import raw_append
from dbt_debezium_spark.session import isolated_session, release

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OWN_ERROR_PREFIX = "debezium_spark:"
# CPython 3.11 counts how deep it is in making a syntax tree for all threads together, and garbage
# collection amid it (py4j's finalizers wait for a socket) lets another thread in: SystemError.
_one_tree_at_a_time = threading.Lock()


class SessionPythonJob(PythonJobHelper):
    """Submission method `session`."""

    def __init__(self, parsed_model: dict[str, Any], credentials: Any, *, config: Any) -> None:
        """Take the model as dbt parsed it.

        Args:
            parsed_model: dbt's node as a dict.
            credentials: the profile's target.
            config: dbt's runtime configuration.
        """
        self._model = parsed_model
        self._settings = credentials.server_side_parameters
        self._path = _model_path(parsed_model, config)
        self._shown_path = parsed_model["original_file_path"]

    def submit(self, compiled_code: str) -> None:
        """Run the model and the code dbt adds to it, in a session of its own.

        A session per model keeps temporary views of models apart that run in parallel threads.

        Raises:
            DbtRuntimeError: the model failed; the text names its file and line.
        """
        code = self._compile(compiled_code)
        session = isolated_session(self._settings)
        namespace: dict[str, Any] = {
            "__name__": f"dbt_model_{self._model['alias']}",
            "__file__": str(self._path),
            "spark": session,
        }
        try:
            exec(code, namespace)
        except Exception as error:
            raise DbtRuntimeError(self._explain(error)) from error
        finally:
            release(session)

    def _compile(self, compiled_code: str) -> CodeType:
        lines_before = self._lines_before_model(compiled_code)
        try:
            return compile_model(compiled_code, str(self._path), lines_before)
        except SyntaxError as error:
            line = (error.lineno or 1) - lines_before
            raise DbtRuntimeError(f"{self._shown_path}, line {line}: {error.msg}") from error

    def _lines_before_model(self, compiled_code: str) -> int:
        start = compiled_code.find(self._model["raw_code"])
        return compiled_code.count("\n", 0, max(start, 0))

    def _explain(self, error: BaseException) -> str:
        frames = traceback.extract_tb(error.__traceback__)
        in_model = [frame for frame in frames if frame.filename == str(self._path)]
        last_line = self._model["raw_code"].count("\n") + 1
        in_model = [frame for frame in in_model if (frame.lineno or 0) <= last_line]
        where = self._shown_path
        if in_model:
            where = f"{where}, line {in_model[-1].lineno}"
        message = str(error)
        if message.startswith(_OWN_ERROR_PREFIX):
            return f"{message}\n(raised by {where})"
        # `text` names the file and line; below, the calls from the model to the failure.
        calls = [frame for frame in frames if frame.filename != __file__]
        return f"{where}: {type(error).__name__}: {message}\n\n" + "".join(
            traceback.format_list(calls)
        )


def compile_model(code: str, path: str, lines_before: int) -> CodeType:
    """Compile a Python model so that its lines count as in the file that the user edits.

    Args:
        code: what dbt compiled.
        path: the user's file.
        lines_before: lines that dbt put before the text of that file.

    Raises:
        SyntaxError: its `lineno` counts the lines of `code`.
    """
    with _one_tree_at_a_time:
        tree = ast.parse(code, filename=path)
        ast.increment_lineno(tree, -lines_before)
        return compile(tree, filename=path, mode="exec")


def append_raw(model: Any, dbt: Any, session: SparkSession, context: dict[str, Any]) -> None:
    """Append what a raw model lands, then let it commit its ledger.

    Args:
        model: the user's `model(dbt, session)`; returns an object with `frame` (the new records
            as a DataFrame, None when there are none) and `commit()`.
        dbt: dbt's object for Python models; gets `debezium_source`, `debezium_file_format` and
            `project_dir`.
        session: the session of this model.
        context: from the materialization: `source`, `file_format`, `project_dir` and `table`
            (quoted name of an existing table).

    Raises:
        TypeError: the model returned something else.
        OverlappingRunError: another run has landed records meanwhile.
    """
    dbt.debezium_source = context["source"]
    dbt.debezium_file_format = context["file_format"]
    dbt.project_dir = context["project_dir"]
    before = raw_append.look(session, context["table"], context["file_format"])
    landed = model(dbt, session)
    if not hasattr(landed, "frame") or not callable(getattr(landed, "commit", None)):
        raise TypeError(
            "debezium_spark: a model materialized as debezium_raw must return the result of "
            f"landing.land(), got {type(landed).__name__}. "
            "Write `return landing.land(dbt, session, source='...')`."
        )
    if landed.frame is not None:
        raw_append.append(session, landed.frame, before)
    landed.commit()


def fold_documents(model: Any, dbt: Any, session: SparkSession, context: dict[str, Any]) -> None:
    """Fold the staged events that a model returns into its state of documents.

    Args:
        model: the user's `model(dbt, session)`; returns the staged events as a DataFrame.
        dbt: dbt's object for Python models.
        session: the session of this model.
        context: from the materialization `debezium_documents`.

    Raises:
        TypeError: the model returned something else.
    """
    from dbt_debezium_spark.mongodb.documents import fold

    staged = model(dbt, session)
    if not hasattr(staged, "createOrReplaceTempView"):
        raise TypeError(
            "debezium_spark: a model materialized as debezium_documents must return the staged"
            f" events, got {type(staged).__name__}. Write `return dbt.ref('stg_...')`."
        )
    fold(session, staged, context)


def _model_path(parsed_model: dict[str, Any], config: Any) -> Path:
    root = Path(config.project_root)
    if parsed_model["package_name"] != config.project_name:
        root = root / config.packages_install_path / parsed_model["package_name"]
    return root / parsed_model["original_file_path"]
