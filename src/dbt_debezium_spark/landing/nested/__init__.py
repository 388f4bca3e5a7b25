"""Records in nested columns, of Parquet files and tables."""
