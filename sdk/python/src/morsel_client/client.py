"""The client for ordinary programs."""

from __future__ import annotations

import builtins
import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx

from . import calls
from .base import BaseClient, read
from .calls import Call
from .errors import error_of_response, error_of_transport
from .events import EventReader
from .types import (
    BatchInput,
    BatchResult,
    CreatedRecipe,
    Estimate,
    EstimateOptions,
    Event,
    Food,
    FoodDetail,
    Image,
    Include,
    Message,
    NewRecipe,
    Recipe,
    RecipeChanges,
    Upload,
)

T = TypeVar("T")


class Morsel(BaseClient):
    """A client. The URL and the key come from `MORSEL_URL` and `MORSEL_API_KEY` if they are not given.

    `timeout` is in seconds, for connecting and for each wait for data. A request that failed for a reason that may pass is
    sent again up to `max_retries` times, after the wait that the server asks for.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 2,
        http: httpx.Client | None = None,
    ) -> None:
        super().__init__(base_url, api_key, timeout=timeout, max_retries=max_retries)
        self._http = http or httpx.Client()
        self.foods = Foods(self)
        self.recipes = Recipes(self)

    def estimate(self, meal: str | Sequence[Message] | None = None, **options: Unpack[EstimateOptions]) -> Estimate:
        """Estimates a meal: a text, a photo (`image`), both, or a conversation."""
        return self._run(calls.estimate(meal, **options))

    def estimate_stream(
        self, meal: str | Sequence[Message] | None = None, **options: Unpack[EstimateOptions]
    ) -> Iterator[Event]:
        """Estimates a meal and yields each item as soon as it is known. The last event, `done`, has the whole estimate."""
        response = self._send(calls.estimate_stream(meal, **options), stream=True)
        reader = EventReader()
        try:
            for text in response.iter_text():
                yield from reader.feed(text)
        except httpx.TransportError as cause:
            raise error_of_transport(cause)
        finally:
            response.close()
        reader.finish()

    def estimate_batch(
        self, inputs: Sequence[str | BatchInput], *, include: Sequence[Include] = (), language: str | None = None
    ) -> list[BatchResult]:
        """Estimates up to 100 meals. The results are in the order of the inputs."""
        return self._run(calls.estimate_batch(inputs, include, language))

    def upload(self, image: Image) -> Upload:
        """Uploads a photo. Its URL can be used as `image` until it expires."""
        return self._run(calls.upload(image))

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, call: Call[T]) -> T:
        return read(call, self._send(call))

    def _send(self, call: Call[Any], stream: bool = False) -> httpx.Response:
        request = self._request(self._http, call)
        attempt = 0
        while True:
            try:
                response = self._http.send(request, stream=stream)
                self._note_rate_limit(response)
                if response.is_success:
                    return response
                response.read()
                error = error_of_response(response)
            except httpx.TransportError as cause:
                error = error_of_transport(cause)
            time.sleep(self._wait_before_retry(attempt, error))
            attempt += 1


class Foods:
    """The foods of the catalog."""

    def __init__(self, client: Morsel) -> None:
        self._client = client

    def search(
        self, query: str, *, limit: int | None = None, source: str | None = None, language: str | None = None
    ) -> list[Food]:
        """Returns the foods with this name, the most likely first."""
        return self._client._run(calls.search_foods(query, limit, source, language))

    def get(self, id: str) -> FoodDetail:
        """Returns a food with all its portions and nutrients."""
        return self._client._run(calls.get_food(id))

    def barcode(self, gtin: str) -> FoodDetail:
        """Returns the product with this barcode."""
        return self._client._run(calls.get_food_by_barcode(gtin))


class Recipes:
    """The recipes of the account."""

    def __init__(self, client: Morsel) -> None:
        self._client = client

    def list(self) -> builtins.list[Recipe]:
        """Returns all recipes, newest first."""
        return self._client._run(calls.list_recipes())

    def get(self, id: str) -> Recipe:
        """Returns a recipe."""
        return self._client._run(calls.get_recipe(id))

    def create(self, **fields: Unpack[NewRecipe]) -> CreatedRecipe:
        """Saves a recipe. Its numbers are per serving."""
        return self._client._run(calls.create_recipe(**fields))

    def update(self, id: str, **fields: Unpack[RecipeChanges]) -> None:
        """Changes the given fields of a recipe."""
        self._client._run(calls.update_recipe(id, **fields))

    def delete(self, id: str) -> None:
        """Deletes a recipe."""
        self._client._run(calls.delete_recipe(id))
