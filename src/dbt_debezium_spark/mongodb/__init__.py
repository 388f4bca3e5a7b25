"""Documents of MongoDB, rebuilt from their changes.

The walk of one document is plain Python without Spark: `ejson` (one form for every dialect),
`deltas` (what an update does to a document), `walk` (which event counts), `fields` (typed columns).
`documents` lets Spark walk all documents of a collection.
"""
