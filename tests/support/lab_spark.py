"""A Spark for a lab alone: no jars, no catalog, one core."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from tests.support.jvm_options import set_java_options
from tests.support.lab import lab_session

_SETTINGS = {
    "spark.master": "local[1]",
    "spark.driver.memory": "3g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.debug.maxToStringFields": "1000",
    # as in defaults.py: ICU's tables take seconds
    "spark.sql.icu.caseMappings.enabled": "false",
    # as in profiles/: by default each broadcast table takes 64 MB
    "spark.buffer.pageSize": "4m",
}


def start_lab(folder: Path) -> SparkSession:
    """Start Spark, if this process has none, and return a session for labs; it writes nothing."""
    set_java_options()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.config("spark.sql.warehouse.dir", str(folder))
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return lab_session(session)
