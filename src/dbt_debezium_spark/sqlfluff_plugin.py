"""Let sqlfluff's dbt templater see our adapter.

The templater registers dbt's adapter before dbt looks for plugins, so macros that ask the adapter
for a source's configuration would fail under `sqlfluff lint` only. sqlfluff imports this module
through its entry point when it starts.
"""

from __future__ import annotations

from dbt_debezium_spark.plugin import install

install()
