"""Records of the demo, damaged: what one bad line can do.

`mutants` makes them, the same ones for the same seed; `readers` reads each line as landing does,
without Spark. `python -m tests.fuzz --out DIR` writes them as record files, for staging or a build.
"""
