"""Which text of a model sqlfluff checks: see the macro `typed_skeleton`."""

from __future__ import annotations

import os
from typing import Any

_VARIABLE = "DEBEZIUM_SPARK_LINT"
_CHOICES = ("skeleton", "macros")
_TEMPLATER = "sqlfluff_templater_dbt"


def shows_skeletons(arguments: Any) -> bool:
    """Return whether sqlfluff compiles models and checks skeletons, which is the default.

    Args:
        arguments: arguments of the command in dbt's configuration. Those of sqlfluff's templater
            have a class of their own; dbt itself may run in the same process.

    Raises:
        ValueError: the variable DEBEZIUM_SPARK_LINT has an unknown value.
    """
    choice = os.environ.get(_VARIABLE, _CHOICES[0])
    if choice not in _CHOICES:
        raise ValueError(
            f"debezium_spark: the variable {_VARIABLE} is {choice!r}. "
            f"Set it to one of: {', '.join(_CHOICES)}."
        )
    is_sqlfluff = type(arguments).__module__.partition(".")[0] == _TEMPLATER
    return is_sqlfluff and choice == _CHOICES[0]
