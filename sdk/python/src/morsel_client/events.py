"""Reading Server-Sent Events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from .errors import MorselError
from .types import Event

_KNOWN = ("start", "item", "totals", "done")


class EventReader:
    """Cuts the text of a stream into events.

    The data of an event is one line of JSON. Lines end with a newline only: JSON may contain the other characters that
    `str.splitlines` would split at.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._is_done = False

    def feed(self, text: str) -> Iterator[Event]:
        """Yields the events that are complete with this text. Raises the error that the server reports."""
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            if not line.startswith("data:"):
                continue
            event = json.loads(line.removeprefix("data:"))
            if event["type"] == "error":
                raise MorselError(event["error"], code=event["code"], request_id=event["request_id"])
            # A newer server may send more kinds of events.
            if event["type"] in _KNOWN:
                self._is_done = event["type"] == "done"
                yield cast(Event, event)

    def finish(self) -> None:
        """Raises an error if the stream ended too early."""
        if not self._is_done:
            raise MorselError("The stream ended before the estimate was complete.", code="incomplete_stream")
