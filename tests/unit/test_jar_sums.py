"""The jars that Spark loads are those of the committed list."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict

import pytest
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark import jar_sums
from dbt_debezium_spark.jar_cache import cache_folder, resolved_jar
from dbt_debezium_spark.jar_sums import check, fetch_and_check, known_sums
from dbt_debezium_spark.spark_versions import LINES, SQLITE

ONE = "org.example:one_2.13:1.0"
NAME = "org.example_one_2.13-1.0.jar"


@pytest.fixture
def listed(tmp_path, monkeypatch):
    """A list of one jar, and Spark's folder."""
    digest = hashlib.sha256(b"good").hexdigest()
    sums = tmp_path / "jars.sha256"
    sums.write_text(f"# A comment: of two.\n\n# {ONE}\n{digest}  {NAME}\n")
    monkeypatch.setattr(jar_sums, "SUMS", sums)
    known_sums.cache_clear()
    folder = tmp_path / "ivy"
    (folder / "jars").mkdir(parents=True)
    yield folder
    known_sums.cache_clear()


def test_every_package_of_the_product_is_in_the_list():
    named = {
        package
        for packages in LINES.values()
        for package in asdict(packages).values()
        if package is not None
    }

    assert named | {SQLITE} == set(known_sums())
    for package, jars in known_sums().items():
        group, module, version = package.split(":")
        assert resolved_jar(cache_folder({}), group, module, version).name in jars
        assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in jars.values())


@pytest.mark.parametrize("place", [f"jars/{NAME}", "cache/org.example/one/jars/one_2.13-1.0.jar"])
def test_a_jar_that_is_another_is_not_loaded(listed, place):
    jar = listed / place
    jar.parent.mkdir(parents=True, exist_ok=True)
    jar.write_bytes(b"good")
    check(listed, [ONE])

    jar.write_bytes(b"evil")
    with pytest.raises(DbtRuntimeError, match=rf"{jar.name} is not the jar that {ONE} was tested"):
        check(listed, [ONE])


def test_what_is_missing_is_fetched_before_spark_starts_and_compared(listed, monkeypatch):
    settings = {"spark.jars.ivy": str(listed), "spark.jars.packages": f"{ONE}, org.other:two:2.0"}
    asked = []

    def fetch(given):
        asked.append(given)
        (listed / "jars" / NAME).write_bytes(b"evil")

    monkeypatch.setattr(jar_sums, "_fetch", fetch)
    with pytest.raises(DbtRuntimeError, match="Nothing of it was loaded"):
        fetch_and_check(settings)
    (listed / "jars" / NAME).write_bytes(b"good")
    fetch_and_check(settings)

    assert asked == [settings]


def test_packages_of_the_user_are_left_to_ivy(listed, monkeypatch):
    monkeypatch.setattr(jar_sums, "_fetch", lambda given: pytest.fail("fetched"))
    fetch_and_check({"spark.jars.ivy": str(listed), "spark.jars.packages": "org.other:two:2.0"})
    fetch_and_check({"spark.jars.ivy": str(listed)})
