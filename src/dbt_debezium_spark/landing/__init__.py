"""Landing: from record files to `raw_<source>`, each record once.

Raw models in Python call `land`. A run has these steps:

1. `before` reads what earlier runs left. An `origin` finds what is new: files in `listing` and
   `ledger`, offsets of Kafka in `kafka_plan`, rows of a table in `table_progress`.
2. The origin reads it into one relation of candidates (`schemas.CANDIDATE_COLUMNS`): a row for each
   record, and for each line or row that is none, with the reason. `record_values` has the rule;
   `fast_lines`, `record_line` and `row_rules` apply it to each form.
3. `run` finishes every run by SQL: `repeats` finds the records that landed before or contradict a
   landed one, `rejections` stores what cannot land.
4. The materialization appends `Landing.frame`; `Landing.commit` writes the ledger.

A table also lands where no Python runs (`sql_table`): its candidates are written to a table of the
run, so that all statements see the same rows, and a MERGE appends them. Steps 1 and 3 are the same.

A crash between two steps loses nothing and repeats nothing. Rejections have ids that depend on
their content, the ledger is written last, and the batch number shows which records in the raw table
have no ledger entry.
"""

from __future__ import annotations

from dbt_debezium_spark.landing.land import Landing, land

__all__ = ["Landing", "land"]
