"""The page docs/fold.md: the SQL that `orders` is folded by, and the file with that of staging."""

from __future__ import annotations

import re

import yaml

from dbt_debezium_spark.generator.staging_call import staging_call
from tests.rendered.__main__ import Relation, nodes
from tests.support.macros import Macros
from tests.support.paths import REPOSITORY

PAGE = REPOSITORY / "docs" / "fold.md"
STAGED = REPOSITORY / "tests" / "golden" / "staging_of_orders.sql"
STAGING = Relation("stg_shop__public_orders")
_BLOCK = re.compile(r"(?<=```sql\n).*?(?=```)", re.DOTALL)
# columns that the row of the checkpoint does not have
_NULLS = re.compile(r"(?:^ +(?:cast\(null as [\w<>]+\)|null) as [\w`]+,\n){3,}", re.MULTILINE)


def page(text: str) -> str:
    """Return the text of the page with its SQL written anew; its words stay as they are.

    Long runs of NULL columns are a comment with their number.
    """
    assert len(_BLOCK.findall(text)) == 1
    return _BLOCK.sub(lambda _: _NULLS.sub(_counted, in_order()), text)


def _counted(nulls: re.Match[str]) -> str:
    return f"        -- NULL in {len(nulls[0].splitlines())} columns\n"


def in_order() -> str:
    """Return the SELECT of a batch in order behind batch 41."""
    macros = _macros("`state`")
    config, columns = macros.source_config("shop"), macros.table_columns(STAGING)
    plan = macros.whole_plan(config, "public.orders", columns) | {
        "watermark": 41,
        "highest_batch": 42,
        "lookup_columns": [],
        "new_truncates": False,
        "few_keys": True,
        "checkpoint": "{…}",
    }
    text = str(macros.in_order(config, STAGING.identifier, columns, plan))
    return _lines(text)


def staged() -> str:
    """Return the SELECT of a first load of staging, for records of one layout."""
    macros = _macros(STAGING)
    (node,) = (one for one in nodes(REPOSITORY) if one["name"] == STAGING.identifier)
    call = staging_call(node["raw_code"], lambda name, default=None: default)
    assert call is not None
    text = macros.staging_sql(
        macros.source_config("shop"),
        "raw_shop",
        call["topics"],
        "public.orders",
        call["key"],
        call["columns"],
        origins=call["origins"],
    )
    return _lines(str(text))


def _macros(this: str) -> Macros:
    settings = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text(encoding="utf-8"))
    sources = settings["vars"]["debezium_sources"]
    return Macros(sources, models=nodes(REPOSITORY), this=this, running=True)


def _lines(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip().splitlines())
