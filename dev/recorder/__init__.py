"""Records a real PostgreSQL through real Debezium, with the true final tables beside it."""
