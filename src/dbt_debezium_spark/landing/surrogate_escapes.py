r"""Escapes of surrogates in JSON texts, such as `\ud83d`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import Column


def may_have_surrogate_escapes(text: Column) -> Column:
    """Return whether a text may escape surrogates; most texts have no such escape at all."""
    lower, upper = F.contains(text, F.lit("\\ud")), F.contains(text, F.lit("\\uD"))
    return F.contains(text, F.lit("\\u")) & (lower | upper)
