"""Hypothesis strategies: switches are drawn one by one, so that shrinking turns them off."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from dev.simulator.features import CHOICES, GIVEN, Features
from dev.simulator.history import History, random_history

# The plainest choice first: hypothesis shrinks towards it.
_CHOICES = {name: tuple(dict.fromkeys(values)) for name, values in CHOICES.items()} | {
    "key": ("single", "composite", "none")
}


@st.composite
def histories(draw: st.DrawFn, /, connector: str, **fixed: Any) -> History:
    """Draw a history of a connector; `fixed` switches are not drawn."""
    switches: dict[str, Any] = {}
    for switch in fields(Features):
        if switch.name in fixed:
            switches[switch.name] = fixed[switch.name]
        elif switch.name in GIVEN:
            continue
        elif switch.name in _CHOICES:
            switches[switch.name] = draw(st.sampled_from(_CHOICES[switch.name]))
        else:
            switches[switch.name] = draw(st.booleans())
    return random_history(
        draw(st.integers(0, 2**32 - 1)),
        connector,
        keys=draw(st.integers(2, 7)),
        steps=draw(st.integers(1, 40)),
        features=Features(**switches),
    )
