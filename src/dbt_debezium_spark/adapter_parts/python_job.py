"""Run dbt's Python models in the Spark that dbt uses."""

from __future__ import annotations

import ast
import threading
import traceback
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from dbt.adapters.base import PythonJobHelper
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.landing import raw_append
from dbt_debezium_spark.spark.session import isolated_session, release

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OWN_ERROR_PREFIX = "debezium_spark:"
# CPython 3.11 counts the recursion depth of its parser for all threads together. Garbage collection
# during a parse (py4j's finalizers wait for a socket) lets another thread run, and a SystemError
# follows.
_parser_lock = threading.Lock()


class SessionPythonJob(PythonJobHelper):
    """Submission method `session`."""

    def __init__(self, parsed_model: dict[str, Any], credentials: Any, *, config: Any) -> None:
        """Create the job of one model.

        Args:
            parsed_model: dbt's node as a dict.
            credentials: the profile's target.
            config: dbt's runtime configuration.
        """
        self._model = parsed_model
        self._settings = credentials.server_side_parameters
        self._path = _model_path(parsed_model, config)
        self._display_path = parsed_model["original_file_path"]

    def submit(self, compiled_code: str) -> None:
        """Run the model, with the code that dbt adds to it, in a separate session.

        Models in parallel threads then do not share temporary views.

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
            raise DbtRuntimeError(f"{self._display_path}, line {line}: {error.msg}") from error

    def _lines_before_model(self, compiled_code: str) -> int:
        start = compiled_code.find(self._model["raw_code"])
        return compiled_code.count("\n", 0, max(start, 0))

    def _explain(self, error: BaseException) -> str:
        frames = traceback.extract_tb(error.__traceback__)
        in_model = [frame for frame in frames if frame.filename == str(self._path)]
        last_line = self._model["raw_code"].count("\n") + 1
        in_model = [frame for frame in in_model if (frame.lineno or 0) <= last_line]
        where = self._display_path
        if in_model:
            where = f"{where}, line {in_model[-1].lineno}"
        message = str(error)
        if message.startswith(_OWN_ERROR_PREFIX):
            return f"{message}\n(raised by {where})"
        # The calls from the model to the failure follow the file and line.
        calls = [frame for frame in frames if frame.filename != __file__]
        return f"{where}: {type(error).__name__}: {message}\n\n" + "".join(
            traceback.format_list(calls)
        )


def compile_model(code: str, path: str, lines_before: int) -> CodeType:
    """Compile a Python model with the line numbers of the file that the user edits.

    Args:
        code: compiled code of dbt.
        path: the user's file.
        lines_before: number of lines that dbt added before the text of that file.

    Raises:
        SyntaxError: the code is invalid; `lineno` is a line of `code`.
    """
    with _parser_lock:
        tree = ast.parse(code, filename=path)
        ast.increment_lineno(tree, -lines_before)
        return compile(tree, filename=path, mode="exec")


def append_raw(model: Any, dbt: Any, session: SparkSession, context: dict[str, Any]) -> None:
    """Append the new records of a raw model, then commit its ledger.

    Args:
        model: the user's `model(dbt, session)`; returns an object with `frame` (the new records
            as a DataFrame, None if there are none) and `commit()`.
        dbt: dbt's object for Python models; receives `debezium_source`, `debezium_file_format` and
            `project_dir`.
        session: the session of this model.
        context: from the materialization: `source`, `file_format`, `project_dir` and `table`
            (quoted name of an existing table).

    Raises:
        TypeError: the model returned something else.
        OverlappingRunError: another run landed records meanwhile.
    """
    dbt.debezium_source = context["source"]
    dbt.debezium_file_format = context["file_format"]
    dbt.project_dir = context["project_dir"]
    before = raw_append.raw_state(session, context["table"], context["file_format"])
    landing = model(dbt, session)
    if not hasattr(landing, "frame") or not callable(getattr(landing, "commit", None)):
        raise TypeError(
            "debezium_spark: a model materialized as debezium_raw must return the result of "
            f"landing.land(), got {type(landing).__name__}. "
            "Write `return landing.land(dbt, session, source='...')`."
        )
    if landing.frame is not None:
        raw_append.append(session, landing.frame, before)
    landing.commit()


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

    staged = _staged_events(model, dbt, session, "debezium_documents", context)
    with raw_append.naming_another_run(session, context["table"]):
        fold(session, staged, context)


def keep_document_versions(
    model: Any, dbt: Any, session: SparkSession, context: dict[str, Any]
) -> None:
    """Bring the history of a collection up to date with the staged events of a model.

    Args:
        model: the user's `model(dbt, session)`; returns the staged events as a DataFrame.
        dbt: dbt's object for Python models.
        session: the session of this model.
        context: from the materialization `debezium_document_versions`.

    Raises:
        TypeError: the model returned something else.
    """
    from dbt_debezium_spark.mongodb.document_versions import keep_versions

    staged = _staged_events(model, dbt, session, "debezium_document_versions", context)
    with raw_append.naming_another_run(session, context["table"]):
        keep_versions(session, staged, context)


def _staged_events(
    model: Any, dbt: Any, session: SparkSession, materialization: str, context: dict[str, Any]
) -> Any:
    staged = model(dbt, session)
    if not hasattr(staged, "createOrReplaceTempView"):
        raise TypeError(
            f"debezium_spark: a model materialized as {materialization} must return the staged"
            f" events, got {type(staged).__name__}. Write `return dbt.ref('stg_...')`."
        )
    # dbt limits no ref of a Python model
    return staged.where("false") if context["is_empty"] else staged


def _model_path(parsed_model: dict[str, Any], config: Any) -> Path:
    root = Path(config.project_root)
    if parsed_model["package_name"] != config.project_name:
        root = root / config.packages_install_path / parsed_model["package_name"]
    return root / parsed_model["original_file_path"]
