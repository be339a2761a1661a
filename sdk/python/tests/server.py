"""The servers of the tests: the real one, which `scripts/sdk-tests` starts, and an unreliable network in front of it."""

from __future__ import annotations

import http.client
import os
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

URL = os.environ["MORSEL_URL"]
KEY = os.environ["MORSEL_API_KEY"]
LIMITED_KEY = os.environ["MORSEL_TEST_LIMITED_KEY"]
"""A key whose account may send three requests per minute."""
PHOTO = Path(os.environ["MORSEL_TEST_PHOTO"])
"""A photo of the barcode of a product that was imported."""
GTIN = "4006381333931"


class Exchange(BaseHTTPRequestHandler):
    """A request that arrives at the network."""

    protocol_version = "HTTP/1.1"
    network: Network

    def handle_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.network.requests.append((self.command, dict(self.headers)))
        fault = self.network.faults.pop(0) if self.network.faults else forward
        fault(self, body)

    do_GET = do_POST = do_PUT = do_DELETE = handle_any

    def reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


Fault = Callable[[Exchange, bytes], None]


def forward(exchange: Exchange, body: bytes) -> None:
    """Passes the request on to the real server, and its response back."""
    exchange.reply(*_ask_server(exchange, body))


def refuse(status: int, retry_after: int | None = None) -> Fault:
    """Refuses the request, as a proxy or an overloaded server does."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return lambda exchange, _body: exchange.reply(status, headers, b"<h1>Sorry</h1>")


def hang_up(exchange: Exchange, _body: bytes) -> None:
    """Closes the connection without a response."""
    exchange.close_connection = True
    exchange.connection.close()


def lose_response(exchange: Exchange, body: bytes) -> None:
    """Passes the request on, and loses the response."""
    _ask_server(exchange, body)
    hang_up(exchange, body)


def answer(body: bytes, kind: str = "text/event-stream") -> Fault:
    """Answers with this body."""
    return lambda exchange, _body: exchange.reply(200, {"Content-Type": kind}, body)


def stay_silent(exchange: Exchange, _body: bytes) -> None:
    """Never answers, until the test is over."""
    exchange.network.is_over.wait()
    exchange.close_connection = True


def _ask_server(exchange: Exchange, body: bytes) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(urlsplit(URL).netloc)
    connection.request(exchange.command, exchange.path, body, dict(exchange.headers))
    response = connection.getresponse()
    content = response.read()
    connection.close()
    own = ("content-length", "transfer-encoding", "connection", "date")
    return response.status, {name: value for name, value in response.getheaders() if name.lower() not in own}, content


class Network:
    """A proxy in front of the real server. The first requests meet the given faults; the others pass."""

    def __init__(self, *faults: Fault) -> None:
        self.faults = list(faults)
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.is_over = threading.Event()
        handler = type("OwnExchange", (Exchange,), {"network": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @property
    def idempotency_keys(self) -> list[str | None]:
        return [headers.get("Idempotency-Key") for _, headers in self.requests]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over.set()
        self._server.shutdown()
        self._server.server_close()
