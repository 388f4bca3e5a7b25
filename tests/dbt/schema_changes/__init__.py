"""Tables of a PostgreSQL source that are altered between two deliveries."""
