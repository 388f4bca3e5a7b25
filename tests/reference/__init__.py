"""The plain-Python fold that the SQL of `macros/state/` is held against."""

from tests.reference.fold import Config, Epoch, Folded, Row, fold
from tests.reference.record import KafkaRecord, canonical_json

__all__ = ["Config", "Epoch", "Folded", "KafkaRecord", "Row", "canonical_json", "fold"]
