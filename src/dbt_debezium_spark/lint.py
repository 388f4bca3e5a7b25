"""What sqlfluff is shown of a model: see the macro `typed_skeleton`."""

from __future__ import annotations

import os

_VARIABLE = "DEBEZIUM_SPARK_LINT"
_SHOWN = ("skeleton", "macros")
_in_sqlfluff = False


def note_sqlfluff() -> None:
    """Note that it is sqlfluff for which this process compiles models."""
    global _in_sqlfluff
    _in_sqlfluff = True


def shows_skeletons() -> bool:
    """Tell whether sqlfluff lints, and whoever started it did not ask for what macros render.

    Raises:
        ValueError: the variable DEBEZIUM_SPARK_LINT holds another word.
    """
    shown = os.environ.get(_VARIABLE, _SHOWN[0])
    if shown not in _SHOWN:
        raise ValueError(
            f"debezium_spark: the variable {_VARIABLE} is {shown!r}. "
            f"Set it to one of: {', '.join(_SHOWN)}."
        )
    return _in_sqlfluff and shown == _SHOWN[0]
