"""All cases: importing this module lists them."""

from tests.cases import replays, truncates
from tests.cases.case import CASES

__all__ = ["CASES", "replays", "truncates"]
