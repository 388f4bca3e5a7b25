"""Real databases, Debezium on Kafka Connect and a Kafka broker, while dbt lands what they say."""
