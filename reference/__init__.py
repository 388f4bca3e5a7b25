"""The plain-Python fold that the SQL of `macros/state/` is held against."""

from reference.config import Config
from reference.epochs import Epoch
from reference.fold import fold
from reference.folded import Folded, Row
from reference.record import KafkaRecord, canonical_json

__all__ = ["Config", "Epoch", "Folded", "KafkaRecord", "Row", "canonical_json", "fold"]
