"""All rules, in the order of the pages."""

from __future__ import annotations

from tests.mutations import of_documents, of_history, of_inputs, of_semantics, of_transactions
from tests.mutations.rules import Rule

_PAGES = (of_semantics, of_history, of_transactions, of_documents, of_inputs)
RULES = tuple(
    Rule(text, where, *target, tests)
    for page in _PAGES
    for where, rules in page.RULES.items()
    for text, (target, *tests) in rules.items()
)
