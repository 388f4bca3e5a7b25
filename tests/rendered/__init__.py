"""The SQL of all macros in one file, to compare before and after a move."""
