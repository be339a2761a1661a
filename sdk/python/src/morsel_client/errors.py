"""The one error that this package raises."""

from __future__ import annotations

import re

import httpx


class MorselError(Exception):
    """A request that failed.

    `code` is stable and meant for programs. The server's codes are in its documentation; `timeout`, `connection_failed`,
    `invalid_response` and `incomplete_stream` come from this package, without a `status`.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        param: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        doc_url: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.param = param
        """The invalid field of the request."""
        self.request_id = request_id
        """The id of the request in the server's log."""
        self.retry_after = retry_after
        """How many seconds the server asks to wait."""
        self.doc_url = doc_url
        """The page that explains the error."""

    def __str__(self) -> str:
        about = [self.code if self.status is None else f"{self.status} {self.code}"]
        if self.request_id is not None:
            about.append(self.request_id)
        return f"{self.message} ({', '.join(about)})"

    @property
    def is_temporary(self) -> bool:
        """Whether the same request may succeed later."""
        if self.status is None:
            return self.code in ("timeout", "connection_failed")
        return self.status in (408, 409, 429) or self.status >= 500


def error_of_response(response: httpx.Response) -> MorselError:
    """Returns the error that a response describes. Proxies answer without our JSON."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {}
    return MorselError(
        body.get("error") or response.reason_phrase or "The request failed.",
        code=body.get("code") or "http_error",
        status=response.status_code,
        param=body.get("param"),
        request_id=body.get("request_id") or response.headers.get("x-request-id"),
        retry_after=_seconds(response.headers.get("retry-after")),
        doc_url=_help(response),
    )


def error_of_transport(cause: httpx.TransportError) -> MorselError:
    """Returns the error for a request that got no response."""
    if isinstance(cause, httpx.TimeoutException):
        error = MorselError("The server took too long to respond.", code="timeout")
    else:
        error = MorselError(f"The server cannot be reached: {cause}", code="connection_failed")
    error.__cause__ = cause
    return error


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isdecimal() else None


def _help(response: httpx.Response) -> str | None:
    found = re.search(r'<([^>]+)>; rel="help"', response.headers.get("link", ""))
    return str(response.url.join(found[1])) if found is not None else None
