"""Adapters that build on dbt-spark get the methods of this package, and keep their own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from dbt.adapters.base.meta import available
from dbt.adapters.base.plugin import AdapterPlugin
from dbt.adapters.factory import FACTORY
from dbt.adapters.spark.connections import SparkConnectionManager, SparkConnectionMethod
from dbt.adapters.spark.impl import SparkAdapter
from dbt.adapters.sql import SQLAdapter
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.adapter import Extension, extended
from dbt_debezium_spark.door.run import Run
from dbt_debezium_spark.notebook import read_settings
from dbt_debezium_spark.plugin import install
from dbt_debezium_spark.spark.connection import OwnSession
from tests.support import harbor
from tests.support.paths import REPOSITORY
from tests.support.project import create_project

harbor.install()

from dbt.adapters.harbor import HarborAdapter  # noqa: E402
from dbt.adapters.harbor import Plugin as HarborPlugin  # noqa: E402
from dbt.adapters.harbor.impl import CALLS  # noqa: E402


class OpensItself(SparkConnectionManager):
    """Connections of a platform's own."""

    TYPE = "quay"

    @classmethod
    def open(cls, connection: Any) -> Any:
        return connection


class OnSparkWithoutItsClass(SQLAdapter):
    """As dbt-glue's: it depends on `spark` for macros, and derives from dbt's adapter."""

    ConnectionManager = OpensItself

    @classmethod
    def date_function(cls) -> str:
        return "now()"

    @available
    def list_relations_without_caching(self, schema_relation: Any) -> list[Any]:
        return ["of quay"]


def adapter_without_init(kind: type[Any], credentials: Any) -> Any:
    """Return an extended adapter that is not connected."""
    made = object.__new__(extended(kind))
    made.config = SimpleNamespace(credentials=credentials)
    return made


@pytest.mark.parametrize("kind", [SparkAdapter, HarborAdapter, OnSparkWithoutItsClass])
def test_every_adapter_has_the_method_that_macros_call(kind):
    made = extended(kind)

    assert Extension._available_ == {"debezium"} <= made._available_
    assert kind._available_ <= made._available_
    assert issubclass(made, kind) and made.__name__ == kind.__name__
    assert made.type() == kind.type()
    assert extended(made) is made and extended(kind) is made


def test_what_needs_the_connection_says_what_it_does_while_dbt_parses():
    methods = [name for name in dir(Run) if not name.startswith("_")]
    assert len(methods) > 20
    assert [name for name in methods if not hasattr(getattr(Run, name), "while_parsing")] == []


# What this package overrides of dbt's; it calls the adapter's own.
OVERRIDDEN = {
    "acquire_connection",
    "default_python_submission_method",
    "execute",
    "list_relations_without_caching",
    "post_model_hook",
    "pre_model_hook",
    "python_submission_helpers",
}


def test_no_other_name_of_ours_can_hide_one_of_an_adapter():
    ours = [one for one in Extension.__mro__ if one.__module__.startswith("dbt_debezium_spark")]
    names = {name for one in ours for name in vars(one) if not name.endswith("__")}
    mangled = tuple(f"_{one.__name__.lstrip('_')}__" for one in ours)
    # Python's and dbt's own of each class
    names -= {"_abc_impl", "_available_", "_parse_replacements_"}

    others = {name for name in names if not name.startswith(("_debezium_", *mangled))}
    assert others == OVERRIDDEN | {"debezium"}
    connections = {name for name in vars(OwnSession) if not name.startswith("__")}
    assert connections == {"open", "exception_handler"}


def test_an_adapter_without_dbt_sparks_class_does_not_get_it():
    assert not issubclass(extended(OnSparkWithoutItsClass), SparkAdapter)


def test_methods_are_replaced_in_parsing_as_without_the_extension():
    made = extended(HarborAdapter)
    replaced = {**SparkAdapter._parse_replacements_, **Extension._parse_replacements_}

    assert made._parse_replacements_.items() >= replaced.items()


def test_plugins_that_depend_on_spark_are_extended_and_no_others(monkeypatch):
    class Elsewhere(SQLAdapter):
        ConnectionManager = OpensItself

    other = AdapterPlugin(Elsewhere, object, "elsewhere")
    quay = AdapterPlugin(OnSparkWithoutItsClass, object, "quay", ["spark"])
    monkeypatch.setattr(FACTORY, "plugins", {"quay": quay, "elsewhere": other})
    install()
    install()

    assert other.adapter is Elsewhere
    assert quay.adapter is extended(OnSparkWithoutItsClass)


def test_a_session_is_ours_only_where_dbt_spark_would_open_it():
    session = SimpleNamespace(method=SparkConnectionMethod.SESSION, server_side_parameters={"a": 1})
    thrift = SimpleNamespace(method=SparkConnectionMethod.THRIFT, server_side_parameters={})

    assert issubclass(extended(HarborAdapter).ConnectionManager, OwnSession)
    assert adapter_without_init(HarborAdapter, session)._debezium_in_own_session
    assert not adapter_without_init(HarborAdapter, thrift)._debezium_in_own_session
    # its credentials may have a `method` with the same name, or none
    assert extended(OnSparkWithoutItsClass).ConnectionManager is OpensItself
    quay = adapter_without_init(OnSparkWithoutItsClass, SimpleNamespace(method="session"))
    assert not quay._debezium_in_own_session
    assert quay._debezium_settings == {}
    assert not adapter_without_init(
        OnSparkWithoutItsClass, SimpleNamespace()
    )._debezium_in_own_session


def test_an_adapter_that_lists_relations_in_its_own_way_keeps_it():
    quay = adapter_without_init(OnSparkWithoutItsClass, SimpleNamespace())

    assert quay.list_relations_without_caching(None) == ["of quay"]


def test_a_hook_gets_what_the_adapters_own_hook_made_before():
    made = adapter_without_init(HarborAdapter, SimpleNamespace())
    made._PassedTestCalls__skipped = threading.local()
    before = CALLS["post_model_hook"]
    config = SimpleNamespace(model=SimpleNamespace(resource_type="model"))

    # harbor's own hook refuses any other context than its own
    made.post_model_hook(config, made.pre_model_hook(config))

    assert CALLS["post_model_hook"] == before + 1


def test_arguments_that_only_the_adapter_knows_reach_it(monkeypatch):
    made = adapter_without_init(HarborAdapter, SimpleNamespace())
    made._Locking__is_lock_settled = True
    made._PassedTestCalls__skipped = threading.local()
    named = []
    connections = SimpleNamespace(set_connection_name=lambda *names: named.append(names))
    monkeypatch.setattr(made, "connections", connections, raising=False)

    made.acquire_connection("model", query_header_context="header")

    assert named == [("model", "header")]


def test_submission_methods_of_the_adapter_stay():
    session = SimpleNamespace(method=SparkConnectionMethod.SESSION, server_side_parameters={})
    thrift = SimpleNamespace(method=SparkConnectionMethod.THRIFT, server_side_parameters={})
    at_home, elsewhere = (adapter_without_init(HarborAdapter, one) for one in (session, thrift))

    assert set(at_home.python_submission_helpers) - set(elsewhere.python_submission_helpers) == {
        "session"
    }
    assert "harbor_job" in elsewhere.python_submission_helpers
    assert at_home.default_python_submission_method == "session"
    assert elsewhere.default_python_submission_method == "all_purpose_cluster"


def test_a_notebook_is_told_that_a_profile_has_no_spark_settings(monkeypatch):
    quay = SimpleNamespace(credentials=SimpleNamespace(type="quay", schema="one"))
    monkeypatch.setattr("dbt.config.runtime.load_profile", lambda *_, **__: quay)

    with pytest.raises(DbtRuntimeError, match="uses the adapter `quay`, whose profile has no Spa"):
        read_settings(REPOSITORY)


def test_the_plugin_of_such_an_adapter_is_as_dbt_expects_it():
    assert HarborPlugin.dependencies == ["spark"]
    assert HarborPlugin.credentials(host="NA", method="session", schema="one").type == "harbor"


@pytest.mark.full
def test_dbt_parses_a_project_with_the_adapter_that_it_finds_on_the_path(tmp_path):
    create_project(
        tmp_path / "project",
        schema="any",
        target="",
        spark=None,
        variables={},
        files={
            "models/one.sql": """
                {{ config(materialized='debezium_append') }}
                select '{{ adapter.harbor_name() }}' as name, {{ current_timestamp() }} as at,
                    {{ debezium_spark.text_literal("it's") }} as words
            """
        },
    )
    environment = {name: one for name, one in os.environ.items() if "DEBEZIUM_" not in name}
    path = [str(harbor.FOLDER), str(REPOSITORY / "src"), str(REPOSITORY)]
    result = subprocess.run(
        [
            *(sys.executable, "-m", "dbt.cli.main", "--no-use-colors", "compile"),
            *("--no-introspect", "--no-populate-cache"),
            *("--project-dir", tmp_path / "project"),
            *("--profiles-dir", harbor.write_profiles(tmp_path / "profiles")),
            *("--log-path", tmp_path / "logs"),
        ],
        env={**environment, "PYTHONPATH": os.pathsep.join(path)},
        text=True,
        capture_output=True,
    )

    assert result.returncode == 0, result.stdout + result.stderr
    assert "Registered adapter: harbor=1.0.0" in result.stdout
    compiled = tmp_path / "project" / "target" / "compiled" / "shop" / "models" / "one.sql"
    words = compiled.read_text(encoding="utf-8").split()
    assert " ".join(words) == r"select 'harbor' as name, now() as at, 'it\'s' as words"
