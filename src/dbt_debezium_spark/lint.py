"""What sqlfluff is shown of a model: see the macro `typed_skeleton`."""

from __future__ import annotations

import os
from typing import Any

_VARIABLE = "DEBEZIUM_SPARK_LINT"
_SHOWN = ("skeleton", "macros")
_TEMPLATER = "sqlfluff_templater_dbt"


def shows_skeletons(arguments: Any) -> bool:
    """Tell whether sqlfluff compiles models, and whoever started it did not ask for macros.

    Args:
        arguments: of the command, as dbt's configuration holds them. Those that sqlfluff's
            templater makes are of its own class; dbt itself may run in the same process.

    Raises:
        ValueError: the variable DEBEZIUM_SPARK_LINT holds another word.
    """
    shown = os.environ.get(_VARIABLE, _SHOWN[0])
    if shown not in _SHOWN:
        raise ValueError(
            f"debezium_spark: the variable {_VARIABLE} is {shown!r}. "
            f"Set it to one of: {', '.join(_SHOWN)}."
        )
    is_sqlfluff = type(arguments).__module__.partition(".")[0] == _TEMPLATER
    return is_sqlfluff and shown == _SHOWN[0]
