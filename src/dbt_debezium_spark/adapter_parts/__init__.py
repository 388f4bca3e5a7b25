"""Parts of the adapter that override dbt's methods: `adapter.Extension` inherits them all.

Their `super()` is dbt-spark's adapter, or one that builds on it. What macros call is in `door`.
"""
