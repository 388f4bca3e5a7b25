"""Let sqlfluff's dbt templater see our adapter, and the adapter that sqlfluff lints.

The templater registers dbt's adapter before dbt looks for plugins, so macros that ask the adapter
for a source's configuration would fail under `sqlfluff lint` only. sqlfluff imports this module
through its entry point when it starts.
"""

from __future__ import annotations

from dbt_debezium_spark.lint import note_sqlfluff
from dbt_debezium_spark.plugin import install

note_sqlfluff()
install()
