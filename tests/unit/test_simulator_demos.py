"""The committed files of a simulated demo are what the command writes into an empty folder."""

from __future__ import annotations

import pytest

from dev.simulator.__main__ import DEMOS, main
from tests.support.paths import DEMO


# the committed collections of MongoDB are those of an earlier simulator
@pytest.mark.parametrize("connector", sorted({*DEMOS} - {"mongodb"}))
def test_the_committed_demo_is_what_the_command_writes(connector, tmp_path):
    demo = DEMO / connector
    main(["--seed", "1", "--connector", connector, "--out", str(tmp_path)])
    written = {path.relative_to(tmp_path): path for path in tmp_path.rglob("*.json*")}
    committed = {path.relative_to(demo): path for path in demo.rglob("*.json*")}
    assert set(written) == set(committed)
    for name, path in written.items():
        assert path.read_text("utf-8") == committed[name].read_text("utf-8"), name
