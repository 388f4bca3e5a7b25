"""`make demo`: build the bundled sources with dbt, show their tables, count what differs from the truth."""
