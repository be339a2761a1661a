"""What both clients share: settings, how requests are made, how responses are read, and when to try again."""

from __future__ import annotations

import os
import random
import uuid
from typing import Any, TypeVar

import httpx

from .calls import Call
from .errors import MorselError
from .types import RateLimit
from .version import VERSION

T = TypeVar("T")

DEFAULT_URL = "http://127.0.0.1:8080"
MAX_WAIT = 60.0
"""If the server asks for a longer wait, the request is not sent again."""


class BaseClient:
    """The settings of a client."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 2,
    ) -> None:
        self.base_url = (base_url or os.environ.get("MORSEL_URL") or DEFAULT_URL).rstrip("/")
        self.timeout = timeout
        self.max_retries = max_retries
        self.rate_limit: RateLimit | None = None
        """The rate limit of the last response; `None` until a key was accepted."""
        self._headers = {"User-Agent": f"morsel-client-python/{VERSION}"}
        if key := (api_key or os.environ.get("MORSEL_API_KEY") or "").strip():
            self._headers["Authorization"] = f"Bearer {key}"

    def _request(self, http: httpx.Client | httpx.AsyncClient, call: Call[Any]) -> httpx.Request:
        """Makes the request of a call. Sent again, it has the same idempotency key, so that it is executed once."""
        headers = {"Idempotency-Key": uuid.uuid4().hex} if call.method == "POST" else {}
        url = self.base_url + call.path
        return http.build_request(
            call.method, url, params=call.query, json=call.body, headers=self._headers | headers, timeout=self.timeout
        )

    def _note_rate_limit(self, response: httpx.Response) -> None:
        names = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
        values = [response.headers.get(name) for name in names]
        if all(values):
            self.rate_limit = RateLimit(*map(int, values))

    def _wait_before_retry(self, attempt: int, error: MorselError) -> float:
        """Returns the seconds to wait before the next attempt, or raises the error if there is none."""
        if attempt >= self.max_retries or not error.is_temporary or (error.retry_after or 0) > MAX_WAIT:
            raise error
        backoff = min(0.5 * 2.0**attempt, 8.0)
        # Many clients that were refused together should not come back together.
        return (error.retry_after or 0) + backoff * random.uniform(0.5, 1.0)


def read(call: Call[T], response: httpx.Response) -> T:
    """Returns what a call takes from its response."""
    try:
        return call.read(response.json())
    except (ValueError, KeyError, TypeError) as cause:
        message = f"{response.url} did not answer as a Morsel server does."
        raise MorselError(message, code="invalid_response") from cause
