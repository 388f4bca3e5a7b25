"""Names, labels and comments as a stranger might choose them, for hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.support.parsed_project import (
    ENVIRONMENT_CANARY,
    MACRO_CANARY,
    VARIABLE_CANARY,
    catalog_row,
)

_VARIABLE, _MACRO = ENVIRONMENT_CANARY[0], MACRO_CANARY[0]
_CALLS = [
    f"env_var('{_VARIABLE}')",
    f'env_var("{_VARIABLE}")',
    f"var('{VARIABLE_CANARY[0]}')",
    f"{_MACRO}()",
    "ref('x')",
    "source('x', 'y')",
    "doc('x')",
    "adapter.execute('drop table t')",
    "run_query('select 1')",
]
JINJA = [
    *_CALLS,
    *(f"{{{{ {call} }}}}" for call in _CALLS),
    *("{{", "}}", "{%", "%}", "{#", "#}", "{{-", "-}}", "{", "}", "{% raw %}", "{% endraw %}"),
    *("{% do ", "{% set x = ", "' ~ ", '" ~ ', " | as_native", "{{ '", "' }}"),
]
SQL = [
    *("'", '"', "`", "``", "\\", "\\'", "''", ";", "--", "/*", "*/", "/*+", "\\n", "\\u0027"),
    *("drop table t", "select 1", ") as select 1 --", "') as x", "` from t --", " as ", ","),
    *("select", "null", "true", "order", "_cdc_op", "_CDC_", "struct<", "id", "ID"),
]
YAML = [
    *(": ", "- ", "? ", "|", ">", "#", " #", "@", "%", "&a", "*a", "!tag", "!!python/object:os"),
    *("~", "null", "yes", "no", "0x10", "1e3", "1_0", ".inf", "<<", "---", "...", "[", "]"),
]
SHELL_AND_PATHS = [
    *("$(touch x)", "`touch x`", "$HOME", "&&", "|", ">x", "../", "../../x", "/etc/passwd", "~/"),
    *("C:\\", "\\\\", "CON", ".", "..", "a/b", "x" * 60, "x" * 300),
]
UNICODE = [
    *("ı", "İ", "ſ", "ς", "σ", "ß", "ﬁ", "é", "e\u0301", "ключ", "名", "😀", "\u212a"),
    *("\u202e", "\u200b", "\ufeff", "\u00a0", "\u00ad", "\u3000", "\ufffd", "\ufffe", "\U0010ffff"),
]
CONTROL = ["\n", "\r", "\t", "\0", "\x1b[31m", "\x1b]0;x\x07", "\x7f", "\x85", "\x9b", "\u2028"]
SPARK = ["${env:HOME}", "${system:user.home}", "${spark:spark.app.name}", "${", "$", "{d}", ":x"]
MARKUP = ["<script>alert(1)</script>", "<img src=x onerror=y>", "[a](javascript:x)", "&lt;", "<"]

_fragments = st.sampled_from(
    [*JINJA, *SQL, *YAML, *SHELL_AND_PATHS, *UNICODE, *CONTROL, *SPARK, *MARKUP]
)
# what no control character refuses, so that most of it becomes models
_writable = st.sampled_from([*JINJA, *SQL, *YAML, *SHELL_AND_PATHS[:-1], *UNICODE, *MARKUP])
_letters = st.text(st.characters(exclude_categories=("Cs",)), max_size=3)


def _joined(fragments: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(fragments, min_size=1, max_size=4).map("".join)


texts = _joined(_fragments | _letters)
names = _joined(_writable) | _joined(_writable | _letters) | texts


@st.composite
def tables(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows of the catalog that describe one table."""
    name = draw(names.map(lambda text: f"t{text}"))
    about = {
        "topics": draw(st.lists(texts, min_size=1, max_size=2)),
        "table_comment": draw(st.none() | texts),
        "ended_by": draw(st.none() | texts.map(lambda text: f"renamed to {text}")),
    }
    columns = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    keys = draw(st.integers(0, len(columns)))
    rows = []
    for number, column in enumerate(columns, 1):
        labels = draw(st.lists(texts, max_size=2))
        rows.append(
            catalog_row(
                name,
                column,
                number,
                key=number if number <= keys else None,
                schema={"type": draw(st.sampled_from(["string", "int32"]))},
                comment=draw(st.none() | texts),
                default_value=draw(st.none() | texts),
                database_type=draw(st.none() | texts),
                is_never_null=draw(st.booleans()),
                **{draw(st.sampled_from(["enum_values", "enum_lists"])): labels},
                **about,
            )
        )
    return rows


def drawn_tables(number: int, of_seed: int) -> list[dict[str, Any]]:
    """Return the rows of a catalog of that many tables: the same for the same seed."""
    found: list[list[dict[str, Any]]] = []

    @seed(of_seed)
    @settings(
        # the first example is the simplest one
        max_examples=number + 1,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(tables())
    def draw(rows: list[dict[str, Any]]) -> None:
        found.append(rows)

    draw()
    return [
        {**row, "table_name": f"{place}{row['table_name']}"}
        for place, rows in enumerate(found[-number:])
        for row in rows
    ]
