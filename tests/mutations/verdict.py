"""Whether the tests of a mutation notice it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tests.mutations.copied_tree import CopiedTree
from tests.mutations.listed import Mutation, WrongList
from tests.mutations.pytest_run import Outcome, PytestRun, run_pytest

# A test that fails like this met code that cannot run, which any test would notice.
_NO_CODE = re.compile(
    r"\b(?:SyntaxError|IndentationError|NameError|UnboundLocalError|TemplateSyntaxError"
    r"|UndefinedError|ParseException|PARSE_SYNTAX_ERROR|AnalysisException"
    r"|UNRESOLVED_COLUMN|DATATYPE_MISMATCH)\b"
)
_MOST_CHARACTERS = 160
_IN_A_LAB = ("tests/lab/", "tests/traps/", "tests/property/")


class Status(StrEnum):
    """What became of a mutation."""

    KILLED = "killed"
    SURVIVED = "survived"
    BROKEN = "broken"  # a mistake of the list: it says nothing about the tests


@dataclass(frozen=True)
class Verdict:
    """What became of a mutation, which test noticed it, and why where none did."""

    mutation: Mutation
    status: Status
    seconds: float
    test: str | None = None
    reason: str = ""


def judge(mutation: Mutation, tree: CopiedTree, timeout: float) -> Verdict:
    """Run the tests of a mutation against the changed product.

    Args:
        mutation: what to change.
        tree: a copy of the clone that nothing else uses meanwhile.
        timeout: seconds; tests that need longer noticed, when without the change they do not.
    """
    try:
        with tree.changed(mutation):
            run = run_pytest(tree, mutation.tests, timeout, is_warm=_is_for_a_lab(mutation))
    except WrongList as error:
        return Verdict(mutation, Status.BROKEN, 0.0, reason=str(error))
    if run.outcome is Outcome.PASSED:
        return Verdict(mutation, Status.SURVIVED, run.seconds)
    if run.outcome is Outcome.TIMED_OUT:
        unchanged = run_pytest(tree, mutation.tests, timeout)
        if unchanged.outcome is not Outcome.PASSED:
            reason = f"without the change the tests take over {timeout:g} s, too"
            return Verdict(mutation, Status.BROKEN, run.seconds, run.test, reason)
        return Verdict(mutation, Status.KILLED, run.seconds, run.test, run.message)
    if run.outcome is Outcome.FAILED and not _met_no_code(run.message):
        return Verdict(mutation, Status.KILLED, run.seconds, run.test, _short(run.message))
    return Verdict(
        mutation, Status.BROKEN, run.seconds, run.test, f"{run.outcome}: {_short(run.message)}"
    )


def _is_for_a_lab(mutation: Mutation) -> bool:
    """Tell whether macros are changed and tested in a lab, which reads them for each run."""
    return mutation.file.startswith("macros/") and all(
        test.startswith(_IN_A_LAB) for test in mutation.tests
    )


def run_unchanged(mutations: Sequence[Mutation], tree: CopiedTree) -> list[PytestRun]:
    """Run all tests of some mutations against the product as it is.

    Returns:
        One run for all paths and ids, and one for each set of tests with an expression.
    """
    plain: dict[str, None] = {}
    expressions: dict[tuple[str, ...], None] = {}
    for mutation in mutations:
        if any(test.startswith("-k") for test in mutation.tests):
            expressions[mutation.tests] = None
        else:
            plain.update(dict.fromkeys(mutation.tests))
    # a test twice in one call is run once by pytest
    selections = ([tuple(plain)] if plain else []) + list(expressions)
    return [run_pytest(tree, tests, None, most_failures=5) for tests in selections]


def _met_no_code(message: str) -> bool:
    # a test that misses an error names it, too
    return "DID NOT RAISE" not in message and _NO_CODE.search(message) is not None


def _short(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= _MOST_CHARACTERS else line[:_MOST_CHARACTERS] + " …"
