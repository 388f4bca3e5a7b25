"""Extend the adapter for sqlfluff's dbt templater.

The templater registers dbt's adapter before dbt loads plugins, so macros that call methods of this
package's adapter would fail in `sqlfluff lint`. sqlfluff imports this module through its entry
point when it starts.
"""

from __future__ import annotations

from dbt_debezium_spark.plugin import install_when_registered

install_when_registered()
