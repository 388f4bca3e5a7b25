"""The registry's client, against a server of a few lines."""

from __future__ import annotations

import base64
import contextlib
import socket
import threading
import time

import pytest

from dbt_debezium_spark.config.errors import ConfigError
from dbt_debezium_spark.inputs.avro import AvroSettings
from dbt_debezium_spark.inputs.avro.errors import RegistryError, UnknownSchema
from dbt_debezium_spark.inputs.avro.registry import RegisteredSchema, Registry
from tests.avro.stub_registry import StubRegistry, stub_registry
from tests.support.said import is_said

SEEN = "the value of p.t partition 0 offset 7"
SECRET = "hunter2"


@pytest.fixture
def stub():
    with stub_registry() as server:
        yield server


def client(stub: StubRegistry, **options: object) -> Registry:
    block = {"registry": stub.address, **options}
    return Registry(AvroSettings.read(block, "avro"), backoff=0)


def fetch(stub: StubRegistry, schema_id: int = 7, **options: object) -> RegisteredSchema:
    with client(stub, **options) as registry:
        return registry.fetch(schema_id, SEEN)


@pytest.mark.parametrize(
    ("more", "kind", "text"),
    [({}, "AVRO", "int"), ({"schemaType": "PROTOBUF"}, "PROTOBUF", "syntax = 'proto3';")],
)
def test_a_schema_is_found_by_its_id_with_its_language(stub, more, kind, text):
    stub.add(7, text, **more)

    assert fetch(stub) == RegisteredSchema(7, kind, text)
    # none are configured
    assert stub.authorizations == [None]


def test_references_are_followed_each_once_and_come_after_what_they_need(stub):
    stub.add(7, "top", references=[{"name": "b", "subject": "b/s", "version": 2}])
    stub.answers["/subjects/b%2Fs/versions/2"] = (
        200,
        {"schema": "B", "references": [{"name": "a", "subject": "a", "version": 1}] * 2},
    )
    stub.answers["/subjects/a/versions/1"] = (200, {"schema": "A"})

    assert fetch(stub).referenced == (("a", "A"), ("b", "B"))
    assert stub.asked.count("/subjects/a/versions/1") == 1


def test_a_busy_registry_is_asked_again(stub):
    stub.answers["/schemas/ids/7"] = [(503, "busy"), (429, "slow down"), (200, {"schema": "int"})]

    assert fetch(stub).text == "int"
    assert len(stub.asked) == 3


def test_a_registry_that_stays_broken_ends_the_run_with_its_message(stub):
    stub.answers["/schemas/ids/7"] = (500, {"error_code": 50001, "message": "store is down"})

    with pytest.raises(RegistryError, match=rf"{stub.address} answers with status 500.*id 7.*down"):
        fetch(stub)
    assert len(stub.asked) == 5


def test_an_unknown_id_names_registry_id_record_and_remedy(stub):
    with pytest.raises(UnknownSchema) as raised:
        fetch(stub)

    said = str(raised.value)
    for part in (stub.address, "schema id 7", SEEN, "use-id=contentId", "nothing has landed"):
        assert part in said


@pytest.mark.covers("case registry-reference-cycle")
def test_references_in_a_circle_end_with_a_reason(stub):
    a, b = ({"name": name, "subject": name, "version": 1} for name in "ab")
    stub.add(7, "top", references=[a])
    stub.answers["/subjects/a/versions/1"] = (200, {"schema": "A", "references": [b]})
    stub.answers["/subjects/b/versions/1"] = (200, {"schema": "B", "references": [a]})

    assert fetch(stub).problem == (
        "refers to itself by way of `a`: " + '{"name": "a", "subject": "a", "version": 1}'
    )
    assert len(stub.asked) == 3


def test_references_without_end_are_given_up(stub):
    class Endless(dict):
        def get(self, path, default=None):
            number = int(path.split("/")[3 if "ids" in path else 2]) + 1
            more = {"name": f"n{number}", "subject": str(number), "version": 1}
            return 200, {"schema": '"int"', "references": [more]}

    stub.answers = Endless()

    assert fetch(stub).problem == "refers to more than 200 schemas"
    assert len(stub.asked) == 201


UNKNOWN = {"name": "b", "subject": "s", "version": 2}


@pytest.mark.parametrize(
    ("references", "problem"),
    [
        ([UNKNOWN], "refers to a schema that the registry does not know: `b`"),
        ({"a": 1}, "refers to …"),
        ("abc", "refers to …"),
        ([{"name": "x"}], "refers to …"),
        (["x"], "refers to …"),
        ([{"name": "x", "subject": "s", "version": "../1"}], "refers to …"),
    ],
)
def test_references_that_are_none_are_told(stub, references, problem):
    stub.add(7, '"int"', references=references)

    assert is_said(problem, fetch(stub).problem)


DEEP = '{"schema":' + "[" * 100_000 + "]" * 100_000 + "}"


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        # another interface than the one that knows ids
        (404, "<html>", "/apis/ccompat/v7"),
        (404, {"message": "no such page"}, "/apis/ccompat/v7"),
        *((200, one, "not answer with a schema") for one in ("<html>", ["x"], {"schema": 1}, {})),
        (200, DEEP, "did not answer with a schema"),
    ],
)
def test_an_answer_that_is_no_schema_is_refused(stub, status, body, message):
    stub.answers["/schemas/ids/7"] = (status, body)

    with pytest.raises(RegistryError, match=message):
        fetch(stub)


@pytest.mark.parametrize(("listens", "why"), [(False, "id 7.*refused"), (True, "timed out")])
def test_a_registry_that_does_not_answer_is_not_waited_for(listens, why):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if listens:
            server.listen()
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        settings = AvroSettings.read({"registry": address}, "avro")
        with (
            Registry(settings, backoff=0, read_seconds=0.05) as registry,
            pytest.raises(RegistryError, match=rf"{address} cannot be reached.*{why}"),
        ):
            registry.fetch(7, SEEN)


def test_what_a_registry_says_is_printed_without_control_characters(stub):
    stub.answers["/schemas/ids/7"] = (500, {"error_code": 1, "message": "\x1b[31mevil\x07" * 90})

    with pytest.raises(RegistryError, match=r"\\x1b\[31mevil\\x07") as raised:
        fetch(stub)
    assert "\x1b" not in str(raised.value)


def test_a_registry_that_never_finishes_its_answer_is_left():
    def drip(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(65_536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            with contextlib.suppress(OSError):
                for _ in range(1_000):
                    connection.sendall(b" " * 100)
                    time.sleep(0.01)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=drip, args=(server,), daemon=True).start()
        settings = AvroSettings.read(
            {"registry": f"http://127.0.0.1:{server.getsockname()[1]}"}, "avro"
        )
        started = time.monotonic()
        with (
            Registry(settings, backoff=0, read_seconds=0.3) as registry,
            pytest.raises(RegistryError, match="cannot be reached.*not complete in 0.3 s"),
        ):
            registry.fetch(7, SEEN)
    assert time.monotonic() - started < 8


def test_an_answer_without_end_is_not_kept(stub, monkeypatch):
    monkeypatch.setattr("dbt_debezium_spark.inputs.avro.registry.MAX_ANSWER_BYTES", 1_000)
    stub.add(7, "x" * 1_001)

    with pytest.raises(RegistryError, match="its answer is over 1000 bytes"):
        fetch(stub)


def test_credentials_come_from_the_environment_and_are_shown_nowhere(stub, monkeypatch, caplog):
    caplog.set_level("DEBUG")
    monkeypatch.setenv("REGISTRY_AUTH", f"reader:{SECRET}")
    stub.answers["/schemas/ids/7"] = (403, {"error_code": 40301, "message": "forbidden"})

    with pytest.raises(RegistryError, match="status 403") as raised:
        fetch(stub, options_from_env={"basic_auth": "REGISTRY_AUTH"})

    expected = base64.b64encode(f"reader:{SECRET}".encode()).decode()
    assert stub.authorizations == [f"Basic {expected}"]
    assert SECRET not in str(raised.value) + caplog.text + repr(raised.value.__context__)
    assert SECRET not in repr(AvroSettings.read({"registry": stub.address}, "avro"))


@pytest.mark.parametrize(
    ("value", "wrong"), [(None, "is not set"), (SECRET, "is not `user:password`")]
)
def test_a_variable_that_is_missing_or_wrong_is_named_without_its_value(
    stub, monkeypatch, value, wrong
):
    monkeypatch.delenv("REGISTRY_AUTH", raising=False)
    if value:
        monkeypatch.setenv("REGISTRY_AUTH", value)

    with pytest.raises(ConfigError, match=rf"`REGISTRY_AUTH`.*{wrong}") as raised:
        client(stub, options_from_env={"basic_auth": "REGISTRY_AUTH"})
    assert SECRET not in str(raised.value)
