"""Parts of the adapter, one per subject: `adapter.Extension` inherits them all.

Macros call the methods named `debezium_*`. Parts that override dbt's methods, or run SQL, derive
from `part.AdapterPart`: their `super()` is dbt-spark's adapter, or one that builds on it. The
others only need dbt's metaclass, which makes their methods available.
"""
