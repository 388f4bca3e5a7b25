"""Options of a source whose connector provides transaction metadata (docs/transactions.md)."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator

from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.values import as_text, flag, whole_number

DEFAULT_TOPIC = "transaction"
DEFAULT_MAX_AGE = 3600
_TOPIC = re.compile(r"[A-Za-z0-9._-]+")


def _topic(value: Any) -> str:
    name = as_text(value, DEFAULT_TOPIC)
    if not _TOPIC.fullmatch(name):
        raise problem(
            f" is {name!r}",
            "Write the part of the topic's name that follows the topic prefix and a dot, like"
            f" `{DEFAULT_TOPIC}`",
        )
    return name


ProvidesTransactions = Annotated[bool, flag("Use true or false")]
TransactionTopic = Annotated[str, BeforeValidator(_topic)]
MaxAge = Annotated[int, BeforeValidator(whole_number("Write whole seconds, like 3600", 0))]
