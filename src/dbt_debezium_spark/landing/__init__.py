"""Landing: from record files to `raw_<source>`, each record once.

Raw models call `land`. A run has these steps:

1. `listing` and `ledger` find the files that are new or changed.
2. `fast_lines`, `exact_lines` and `parquet_files` read their records.
3. `duplicates` finds the records that landed before or contradict a landed one.
4. `rejections` stores what cannot land.
5. The materialization appends `Landing.frame`; `Landing.commit` writes the ledger.

A crash between two steps loses nothing and repeats nothing. Rejections have ids that depend on
their content, the ledger is written last, and the batch number shows which records in the raw table
have no ledger entry.
"""

from __future__ import annotations

from dbt_debezium_spark.landing.land import Landing, land

__all__ = ["Landing", "land"]
