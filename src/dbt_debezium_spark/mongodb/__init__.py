"""Documents of MongoDB, rebuilt from their changes.

The fold of one document is plain Python without Spark: `ejson` normalizes all dialects, `deltas`
applies updates, `walk` decides which events count, and `fields` reads typed columns. `documents`
folds all documents of a collection with Spark.
"""
