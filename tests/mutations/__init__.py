"""Mutation testing of the product: rules changed one at a time, each of which a test must notice.

`python -m tests.mutations --help` says how to run it; `mutations.yml` lists the changes.
"""
