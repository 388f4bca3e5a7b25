"""Inputs beyond records as Debezium writes them: sinks, Avro, nested columns, flattened records."""
