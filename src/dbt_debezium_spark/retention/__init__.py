"""What logs let go of, and what stays behind of it. reference/retention.md."""
