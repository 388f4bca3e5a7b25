"""Parts of the adapter, one per subject: `adapter.SparkAdapter` inherits them all.

Macros call the methods named `debezium_*`. Parts that override dbt's methods, or run SQL, derive
from dbt-spark's adapter. The others only need dbt's metaclass, which makes their methods available.
"""
