"""The REST interface of Confluent's schema registry and of compatible ones."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any
from urllib.parse import quote

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from dbt_debezium_spark.config.records import AvroSettings
from dbt_debezium_spark.inputs.avro.errors import RegistryError, UnknownSchema, UnsupportedSchema

AVRO, JSON_SCHEMA, PROTOBUF = "AVRO", "JSON", "PROTOBUF"
CONNECT_SECONDS = 5
READ_SECONDS = 30
# Waits of 0.5, 1, 2 and 4 seconds, or as long as the registry demands.
RETRIES = 4
BACKOFF = 0.5
BUSY = (429, 500, 502, 503, 504)
MAX_MESSAGE_CHARACTERS = 200
MAX_ANSWER_BYTES = 16 * 1024 * 1024
# Small, because the time is checked after each piece.
_PIECE_BYTES = 128
_UNKNOWN = (40401, 40402, 40403)
# Each reference is a request; real schemas have few.
MAX_REFERENCES = 200


@dataclass(frozen=True)
class RegisteredSchema:
    """A schema of a registry.

    Attributes:
        id: id of the schema.
        type: `AVRO`, `JSON` or `PROTOBUF`.
        text: the registered schema.
        referenced: name and text of the referenced schemas, each after those that it references.
        problem: the reason why its records cannot be read; the next run requests it again.
    """

    id: int
    type: str
    text: str
    referenced: tuple[tuple[str, str], ...] = ()
    problem: str | None = None


class Registry:
    """A registry; a context manager that closes its connections."""

    def __init__(
        self,
        settings: AvroSettings,
        *,
        backoff: float = BACKOFF,
        read_seconds: float = READ_SECONDS,
    ) -> None:
        """Read the secrets from the environment; no request is made.

        Args:
            settings: address, and names of environment variables.
            backoff: seconds before the second retry; each further wait is twice as long.
            read_seconds: maximal time of an answer.

        Raises:
            ConfigError: an environment variable is missing.
        """
        self.address = settings.registry
        self._timeout = (CONNECT_SECONDS, read_seconds)
        self._session = requests.Session()
        self._session.auth = settings.basic_auth()
        self._session.headers["Accept"] = (
            "application/vnd.schemaregistry.v1+json, application/json;q=0.9"
        )
        retries = Retry(
            total=RETRIES,
            backoff_factor=backoff,
            status_forcelist=BUSY,
            allowed_methods=("GET",),
            # The last answer is handled like any other.
            raise_on_status=False,
        )
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, HTTPAdapter(max_retries=retries))

    def __enter__(self) -> Registry:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connections."""
        self._session.close()

    def fetch(self, schema_id: int, first_record: str) -> RegisteredSchema:
        """Return the schema with an id, and the schemas that it references.

        Args:
            schema_id: the id.
            first_record: the record that needs it, for messages.

        Raises:
            UnknownSchema: the registry does not know the id.
            RegistryError: the registry cannot be reached, or refuses.
        """
        subject = f"schema id {schema_id}, which {first_record} needs,"
        answer = self._get(f"schemas/ids/{schema_id}", subject)
        referenced: dict[str, str] = {}
        kind = str(answer.get("schemaType") or AVRO)
        try:
            self._fetch_references(answer, referenced, subject, ())
        except UnsupportedSchema as error:
            return RegisteredSchema(schema_id, kind, answer["schema"], problem=str(error))
        except UnknownSchema as error:
            problem = f"refers to a schema that the registry does not know: {error.name}"
            return RegisteredSchema(schema_id, kind, answer["schema"], problem=problem)
        return RegisteredSchema(schema_id, kind, answer["schema"], tuple(referenced.items()))

    def _fetch_references(
        self,
        answer: dict[str, Any],
        schemas: dict[str, str],
        subject: str,
        above: tuple[str, ...],
    ) -> None:
        """Add the schemas that an answer references.

        Raises:
            UnsupportedSchema: the references are circular, too many, or invalid.
        """
        references = answer.get("references") or []
        if not isinstance(references, list):
            raise UnsupportedSchema(f"refers to {_quoted_json(references)}, which is no list")
        for reference in references:
            name, path = _reference(reference)
            if path in above:
                raise UnsupportedSchema(
                    f"refers to itself by way of `{name}`: {_quoted_json(reference)}"
                )
            if name in schemas:
                continue
            if len(schemas) + len(above) >= MAX_REFERENCES:
                raise UnsupportedSchema(f"refers to more than {MAX_REFERENCES} schemas")
            schema = self._get(path, f"`{name}`, to which {subject} refers,", name)
            self._fetch_references(schema, schemas, subject, (*above, path))
            schemas[name] = schema["schema"]

    def _get(self, path: str, subject: str, name: str = "") -> dict[str, Any]:
        try:
            with self._session.get(
                f"{self.address}/{path}", timeout=self._timeout, stream=True
            ) as response:
                body = self._body(response)
        except requests.RequestException as error:
            raise RegistryError(
                f"the schema registry {self.address} cannot be reached, so that {subject} is not "
                f"known ({type(error).__name__}: {_short(error)})",
                "Start it, or correct `avro.registry` of the source, and run again: nothing has "
                "landed. Records of schemas that were fetched before need no registry",
            ) from None
        status = response.status_code
        if status == 200:
            return self._read(response.url, body, subject)
        if status in (401, 403):
            raise RegistryError(
                f"the schema registry {self.address} refuses to show {subject} with status "
                f"{status}",
                "Name an environment variable with `user:password`: "
                "`avro: {options_from_env: {basic_auth: REGISTRY_AUTH}}`, and check its user's "
                "rights",
            )
        message = _message(body)
        if status == 404 and message is not None and message[0] in _UNKNOWN:
            raise UnknownSchema(
                name,
                f"the schema registry {self.address} does not know {subject} ({message[1]})",
                "Check that the records were written with this registry (of Apicurio: with "
                "`apicurio.registry.as-confluent=true` and `apicurio.registry.use-id=contentId`), "
                "or register the schema under that id again, and run again: nothing has landed",
            )
        if status == 404:
            raise RegistryError(
                f"{self.address}/{path} does not exist: {self.address} does not speak the "
                f"interface of Confluent's registry, so that {subject} is not known",
                "Correct `avro.registry` of the source; of Apicurio it is "
                "`http://host:8080/apis/ccompat/v7`",
            )
        raise RegistryError(
            f"the schema registry {self.address} answers with status {status} when asked for "
            f"{subject} ({message[1] if message else _printable(response.reason)})",
            "See the registry's log, and run again: nothing has landed",
        )

    def _body(self, response: requests.Response) -> bytes:
        """Return the content of an answer.

        Raises:
            requests.RequestException: the whole answer takes too much time, or is too long.
        """
        until = time.monotonic() + self._timeout[1]
        body = b""
        for piece in response.iter_content(_PIECE_BYTES):
            body += piece
            if len(body) > MAX_ANSWER_BYTES:
                raise requests.RequestException(f"its answer is over {MAX_ANSWER_BYTES} bytes")
            if time.monotonic() > until:
                raise requests.Timeout(f"its answer was not complete in {self._timeout[1]} s")
        return body

    def _read(self, url: str, body: bytes, subject: str) -> dict[str, Any]:
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or not isinstance(answer.get("schema"), str):
            raise RegistryError(
                f"{url} did not answer with a schema, so that {subject} is not known",
                "Correct `avro.registry` of the source: it must be the interface of Confluent's "
                "registry; of Apicurio `http://host:8080/apis/ccompat/v7`",
            )
        return answer


def _message(body: bytes) -> tuple[int, str] | None:
    """Return the registry's error code and message, None for the answer of another server."""
    try:
        answer = json.loads(body)
        return int(answer["error_code"]), _printable(str(answer["message"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _reference(reference: Any) -> tuple[str, str]:
    """Return the name of a reference, and the path of its schema in the registry."""
    try:
        name, subject = str(reference["name"]), str(reference["subject"])
        return name, f"subjects/{quote(subject, safe='')}/versions/{int(reference['version'])}"
    except (KeyError, TypeError, ValueError):
        raise UnsupportedSchema(
            f"refers to {_quoted_json(reference)}, which has no name, subject and version"
        ) from None


def _quoted_json(value: Any) -> str:
    return json.dumps(value)[:MAX_MESSAGE_CHARACTERS]


def _printable(text: str) -> str:
    """Return a stranger's text for a terminal, without control characters, and cut."""
    printable = "".join(
        character if character.isprintable() else repr(character)[1:-1] for character in text
    )
    return printable[:MAX_MESSAGE_CHARACTERS]


def _short(error: BaseException) -> str:
    """Return the innermost cause in one line; requests wraps it several times."""
    reason: Any = error
    unwrap: tuple[Callable[[Any], Any], ...] = (
        lambda raised: raised.args[0] if raised.args else None,
        lambda raised: getattr(raised, "reason", None),
    )
    for step in unwrap:
        inner = step(reason)
        if isinstance(inner, BaseException):
            reason = inner
    return _printable(str(reason).splitlines()[0]) if str(reason) else "no answer"
