"""The plain-Python fold that the SQL of `macros/state/` is held against."""

from tests.reference.config import Config
from tests.reference.epochs import Epoch
from tests.reference.fold import fold
from tests.reference.folded import Folded, Row
from tests.reference.record import KafkaRecord, canonical_json

__all__ = ["Config", "Epoch", "Folded", "KafkaRecord", "Row", "canonical_json", "fold"]
