"""A source database, a Debezium connector and Kafka, simulated: logs together with the truth."""

from dev.simulator.broker import Said
from dev.simulator.features import Features, random_features
from dev.simulator.history import History, random_history
from dev.simulator.landing import split_into_batches, to_jsonl

__all__ = [
    "Features",
    "History",
    "Said",
    "random_features",
    "random_history",
    "split_into_batches",
    "to_jsonl",
]
