"""What the models cost, as ratios to the bare Spark cost of the same work in the same run."""
