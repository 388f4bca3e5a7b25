"""Jars of the servers come through Ivy, which is a Java program."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev.servers import ServerError
from dev.servers.jars import Artifact, jars


def test_unreachable_jars_are_named_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "settings.xml"
    settings.write_text(
        '<ivysettings><settings defaultResolver="empty"/><resolvers>'
        f'<filesystem name="empty"><ivy pattern="{tmp_path}/none/[module].xml"/>'
        f'<artifact pattern="{tmp_path}/none/[artifact].[ext]"/></filesystem>'
        "</resolvers></ivysettings>"
    )
    monkeypatch.setenv("DEBEZIUM_SPARK_IVY", str(tmp_path))
    monkeypatch.setenv("DEBEZIUM_SPARK_IVY_SETTINGS", str(settings))
    with pytest.raises(ServerError, match=r"(?s)org.example:thing:1.0 could not.*Maven Central"):
        jars("things", [Artifact("org.example", "thing", "1.0")])
    assert not [path for path in (tmp_path / "servers").iterdir() if path.is_dir()]
