"""The version that dbt logs."""

version = "1.0.0"
