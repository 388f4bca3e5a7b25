"""`python -m tests.rendered OUT`: the SQL of all macros in one file, before and after a move.

Every model of the demo as `dbt compile` shows it, and the fold of a table by each plan; with
`--types` also the models of the golden sets, and what is made of every type of column. Needs no
Java. Run it before and after the move, and compare the files.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from jinja2 import Environment

from tests.rendered import decoders
from tests.support.golden_sets import SETS
from tests.support.macros import Macros
from tests.support.paths import REPOSITORY

_CALL = re.compile(r"\{\{\s*(debezium_spark\..*)\s*\}\}", re.DOTALL)
# Members of a fold's plan; see macros/state/profile.sql.
_SWITCHES = (
    "is_in_order", "goes_on", "lacks_values", "follows_origins", "truncates", "new_truncates",
    "closes", "keeps_values", "few_keys",
)  # fmt: skip


def models() -> Iterator[tuple[str, str]]:
    """Yield the name and the SQL of every SQL model of the demo."""
    settings = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text(encoding="utf-8"))
    yield from _models_of(REPOSITORY, settings["vars"]["debezium_sources"])


def golden_models() -> Iterator[tuple[str, str]]:
    """Yield the name and the SQL of every SQL model of the golden sets."""
    for golden in SETS:
        yield from _models_of(golden.folder, golden.sources)


def folds() -> Iterator[tuple[str, str]]:
    """Yield the name and the SQL of a table's fold, with one or two switches of its plan set."""
    files = {"type": "files", "path": "x"}
    source = {"connector": "postgresql", "topic_prefix": "p", "input": files}
    macros = Macros({"s": source}, this="`lake`.`state`", running=True)
    config = macros.source_config("s")
    pairs = itertools.combinations(_SWITCHES, 2)
    for switches in (*((one,) for one in _SWITCHES), *pairs):
        plan = {
            **macros.whole_plan(config, "t", []),
            **{switch: switch in switches for switch in _SWITCHES},
            "watermark": 7 if "goes_on" in switches else None,
            "highest_batch": 9,
            "checkpoint": "{}",
            "lookup_columns": ["a"] if "lacks_values" in switches else [],
        }
        fold = macros.in_order if plan["is_in_order"] else macros.walked_rows
        try:
            text = str(fold(config, "`lake`.`stg`", ["a", "b"], plan))
        except Exception as error:  # no plan of a run; that it fails alike is compared, too
            text = f"{type(error).__name__}: {error}"
        yield "fold " + " ".join(switches), text


class Relation(str):
    """The relation of a model, with its name."""

    identifier: str

    def __new__(cls, model: str) -> Relation:
        relation = super().__new__(cls, f"`lake`.`{model}`")
        relation.identifier = model
        return relation


def _models_of(folder: Path, sources: dict[str, Any]) -> Iterator[tuple[str, str]]:
    macros = Macros(sources, models=nodes(folder), this="`lake`.`this`")
    for file in sorted((folder / "models").rglob("*.sql")):
        if call := _CALL.search(file.read_text(encoding="utf-8")):
            yield file.stem, str(_evaluated(macros, call[1]))


def nodes(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the models of a project as nodes of dbt's graph."""
    for file in (folder / "models").rglob("*.sql"):
        yield {"name": file.stem, "raw_code": file.read_text(encoding="utf-8")}
    for file in (folder / "python_models" / "state").rglob("*.py"):
        calls = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        (fields,) = [one for one in calls if isinstance(one, ast.keyword) and one.arg == "fields"]
        yield {"name": file.stem, "language": "python", "fields": ast.literal_eval(fields.value)}


def _evaluated(macros: Macros, call: str) -> Any:
    expression = Environment().compile_expression(call, undefined_to_none=False)
    return expression(debezium_spark=macros, ref=Relation)


def main(
    out: Annotated[Path, typer.Argument(help="File to write.")],
    words: Annotated[
        bool, typer.Option(help="One word a line, so that only white space may differ.")
    ] = False,
    types: Annotated[
        bool, typer.Option(help="Also the golden sets, and what is made of every type of column.")
    ] = False,
) -> None:
    """Write what all macros give into one file."""
    parts = [models, folds]
    if types:
        parts += [golden_models, *decoders.PARTS]
    with out.open("w", encoding="utf-8") as file:
        for name, text in itertools.chain.from_iterable(part() for part in parts):
            shown = "\n".join(text.split()) if words else text
            file.write(f"===== {name}\n{shown}\n")


if __name__ == "__main__":
    typer.run(main)
