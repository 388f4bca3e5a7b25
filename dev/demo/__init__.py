"""`make demo`: build the bundled sources, show their tables, count rows unlike the truth."""
