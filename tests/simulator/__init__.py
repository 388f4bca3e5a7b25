"""A source database, a Debezium connector and Kafka, simulated: logs together with the truth."""

from tests.simulator.broker import Said
from tests.simulator.features import Features, random_features
from tests.simulator.history import History, random_history
from tests.simulator.landing import split_into_batches, to_jsonl

__all__ = [
    "Features",
    "History",
    "Said",
    "random_features",
    "random_history",
    "split_into_batches",
    "to_jsonl",
]
