"""Mutation testing: one rule of the pages broken at a time, which a test must notice.

`python -m tests.mutations --help` says how to run it.

A rule is broken where it has a name: a macro, a column of a CTE, a function. Nothing is searched
for in the product's text, and no file is changed: a process runs pytest with the name replaced in
memory. So a rule that is reworded, or moves to another file, needs no change here.

* `rules.py`: what a rule is, and how names are found;
* `changes.py`: what can be done to a macro or a function;
* `of_<page>.py`: the rules, in the order of the page that states them;
* `worker.py`: the process that runs pytest; `__main__.py`: the command.

Only tests that call the product in their own process see a change: unit tests, and those of a lab.
Processes of dbt, and functions that Spark sends to its workers, have the product as it is.

These rules have no name of their own, and are not broken, or only with what is around them:

* a truncate does nothing to a delete: in the middle of `fold_rows`;
* which delivery of a truncate is the first: an aggregate in `first_truncates`;
* a repeated full read lets no positions begin again: in the CTE `segments` of `fold_replays`;
* what may lie between a delete and a late birth: in the CTE `predecessors` of `fold_replays`;
* incremental reads add nothing to a table without a key: a filter in `keyless_events`;
* an update that equals the version before makes one: in the CTE `effects_on_versions`;
* the rows of the walk of documents: all in `Walk._counts`, told apart by what it knew before;
* what identifies a change of a document: in the middle of `document_staging_sql`;
* circular links end: in the middle of `walk`;
* equal contents, and which of two records came first: texts in `landing/repeats`.
"""
