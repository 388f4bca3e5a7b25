"""All cases: importing this module lists them."""

from tests.cases import fold_plans, fold_plans_of_repeats, replays, truncates
from tests.cases.case import CASES

__all__ = ["CASES", "fold_plans", "fold_plans_of_repeats", "replays", "truncates"]
