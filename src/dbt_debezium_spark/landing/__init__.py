"""Landing: from record files to `raw_<source>`, each record once.

Entry point of raw models is `land`. What a run does, in the order it does it:

1. `listing` and `ledger`: which files are new or changed.
2. `fast_lines`, `exact_lines`, `parquet_files`: records, and what is none of them.
3. `duplicates`: which records have landed before, and which contradict a landed one.
4. `rejected`: what cannot land is written down.
5. the materialization appends `Landing.frame`; `Landing.commit` writes the ledger.

A crash between any two steps loses nothing and repeats nothing: rejections are known by content,
the ledger is written last, and records that landed without a ledger entry are found in the raw
table by their batch number.
"""

from __future__ import annotations

from dbt_debezium_spark.landing.land import Landing, land

__all__ = ["Landing", "land"]
