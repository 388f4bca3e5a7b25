"""Landing by SQL alone, for connections that run no Python: thrift servers, SQL warehouses.

A table that somebody else fills lands with the same rules as in a Python model: the texts of
`landing.row_rules`, `identity_rules` and `rejection_rules` are in the statements here. A run has
these steps; `run` does them.

1. `input_rows` finds the partitions with new rows. Their rows, as records or with the reason why
   they are none, are written to a table of this run, `raw_<source>__landing_…`: all later
   statements see the same rows, whatever happens to the input.
2. `repeats` finds the records that landed before or contradict a landed one.
3. `writing` stores what cannot land, appends the records, and writes the ledger.

The tables and their rows are those of `landing`, so a source may change its way of landing.
"""

from __future__ import annotations

from dbt_debezium_spark.sql_landing.run import Landed, SqlLanding
from dbt_debezium_spark.sql_landing.statements import Statements

__all__ = ["Landed", "SqlLanding", "Statements"]
