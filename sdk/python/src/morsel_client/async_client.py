"""The client for asynchronous programs."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import AsyncIterator, Sequence
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


class AsyncMorsel(BaseClient):
    """A client, like `Morsel`, whose methods are awaited."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 2,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(base_url, api_key, timeout=timeout, max_retries=max_retries)
        self._http = http or httpx.AsyncClient()
        self.foods = AsyncFoods(self)
        self.recipes = AsyncRecipes(self)

    async def estimate(self, meal: str | Sequence[Message] | None = None, **options: Unpack[EstimateOptions]) -> Estimate:
        """Estimates a meal: a text, a photo (`image`), both, or a conversation."""
        return await self._run(calls.estimate(meal, **options))

    async def estimate_stream(
        self, meal: str | Sequence[Message] | None = None, **options: Unpack[EstimateOptions]
    ) -> AsyncIterator[Event]:
        """Estimates a meal and yields each item as soon as it is known. The last event, `done`, has the whole estimate."""
        response = await self._send(calls.estimate_stream(meal, **options), stream=True)
        reader = EventReader()
        try:
            async for text in response.aiter_text():
                for event in reader.feed(text):
                    yield event
        except httpx.TransportError as cause:
            raise error_of_transport(cause)
        finally:
            await response.aclose()
        reader.finish()

    async def estimate_batch(
        self, inputs: Sequence[str | BatchInput], *, include: Sequence[Include] = (), language: str | None = None
    ) -> list[BatchResult]:
        """Estimates up to 100 meals. The results are in the order of the inputs."""
        return await self._run(calls.estimate_batch(inputs, include, language))

    async def upload(self, image: Image) -> Upload:
        """Uploads a photo. Its URL can be used as `image` until it expires."""
        return await self._run(calls.upload(image))

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, call: Call[T]) -> T:
        return read(call, await self._send(call))

    async def _send(self, call: Call[Any], stream: bool = False) -> httpx.Response:
        request = self._request(self._http, call)
        attempt = 0
        while True:
            try:
                response = await self._http.send(request, stream=stream)
                self._note_rate_limit(response)
                if response.is_success:
                    return response
                await response.aread()
                error = error_of_response(response)
            except httpx.TransportError as cause:
                error = error_of_transport(cause)
            await asyncio.sleep(self._wait_before_retry(attempt, error))
            attempt += 1


class AsyncFoods:
    """The foods of the catalog."""

    def __init__(self, client: AsyncMorsel) -> None:
        self._client = client

    async def search(
        self, query: str, *, limit: int | None = None, source: str | None = None, language: str | None = None
    ) -> list[Food]:
        """Returns the foods with this name, the most likely first."""
        return await self._client._run(calls.search_foods(query, limit, source, language))

    async def get(self, id: str) -> FoodDetail:
        """Returns a food with all its portions and nutrients."""
        return await self._client._run(calls.get_food(id))

    async def barcode(self, gtin: str) -> FoodDetail:
        """Returns the product with this barcode."""
        return await self._client._run(calls.get_food_by_barcode(gtin))


class AsyncRecipes:
    """The recipes of the account."""

    def __init__(self, client: AsyncMorsel) -> None:
        self._client = client

    async def list(self) -> builtins.list[Recipe]:
        """Returns all recipes, newest first."""
        return await self._client._run(calls.list_recipes())

    async def get(self, id: str) -> Recipe:
        """Returns a recipe."""
        return await self._client._run(calls.get_recipe(id))

    async def create(self, **fields: Unpack[NewRecipe]) -> CreatedRecipe:
        """Saves a recipe. Its numbers are per serving."""
        return await self._client._run(calls.create_recipe(**fields))

    async def update(self, id: str, **fields: Unpack[RecipeChanges]) -> None:
        """Changes the given fields of a recipe."""
        await self._client._run(calls.update_recipe(id, **fields))

    async def delete(self, id: str) -> None:
        """Deletes a recipe."""
        await self._client._run(calls.delete_recipe(id))
