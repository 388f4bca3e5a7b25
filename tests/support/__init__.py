"""What several tests stand on: projects, records, and runs without dbt."""
