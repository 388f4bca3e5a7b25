"""A schema registry of a few lines: Confluent's REST interface, with failures on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, Any]


class StubRegistry:
    """What it answers, by path, and what it was asked.

    Attributes:
        answers: status and body by path; a list is answered one after the other, its last one for
            good. A body that is text is sent as it is.
        asked: paths in the order of the requests.
        authorizations: the header of each request.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Answer | list[Answer]] = {}
        self.asked: list[str] = []
        self.authorizations: list[str | None] = []
        self.address = ""

    def add(self, schema_id: int, schema: Any, **more: Any) -> None:
        """Register a schema under an id."""
        text = schema if isinstance(schema, str) else json.dumps(schema)
        self.answers[f"/schemas/ids/{schema_id}"] = (200, {"schema": text, **more})

    def answer(self, path: str, authorization: str | None) -> Answer:
        """Return the answer to a request."""
        self.asked.append(path)
        self.authorizations.append(authorization)
        found = self.answers.get(path)
        if found is None:
            return 404, {"error_code": 40403, "message": "Schema not found"}
        if isinstance(found, list):
            return found.pop(0) if len(found) > 1 else found[0]
        return found


@contextmanager
def stub_registry() -> Iterator[StubRegistry]:
    """Serve a registry on a free port of 127.0.0.1 as long as the context lasts."""
    stub = StubRegistry()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # noqa: N802 - the library's name
            status, body = stub.answer(self.path, self.headers.get("Authorization"))
            content = (body if isinstance(body, str) else json.dumps(body)).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
