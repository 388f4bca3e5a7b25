"""What every Java that tests start is told: their data are small, and what is planned runs once."""

from __future__ import annotations

import os

# Spark's launcher reads it, in this process and in those that tests start: dbt, Spark's servers.
_VARIABLE = "SPARK_SUBMIT_OPTS"

# The optimising compiler took half of the processor time of random histories, most of it to copy
# small methods into large ones. With less of that, three groups of them need 191 s instead of 251 s
# and none of them is slower; a load of many events is, so users' Spark keeps Java's own limits.
_OPTIONS = (
    "-XX:MaxInlineLevel=6",
    "-XX:FreqInlineSize=100",
    "-XX:InlineSmallCode=800",
    # Pauses do not matter, and two processes on two cores leave none for collecting beside.
    "-XX:+UseParallelGC",
)


def set_java_options() -> None:
    """Give the options to every Spark that this process or one of its children starts."""
    given = os.environ.get(_VARIABLE, "")
    missing = [option for option in _OPTIONS if option not in given.split()]
    os.environ[_VARIABLE] = " ".join([given, *missing]).strip()
