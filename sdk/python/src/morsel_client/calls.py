"""The calls of the API: what to send, and what to take from the response. Nothing here sends anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Generic, TypeVar, Unpack
from urllib.parse import quote

from .images import image_part, image_url
from .types import (
    BatchInput,
    BatchResult,
    CreatedRecipe,
    Estimate,
    EstimateOptions,
    Food,
    FoodDetail,
    Image,
    Include,
    Message,
    NewRecipe,
    Recipe,
    RecipeChanges,
    TextPart,
    Upload,
)

T = TypeVar("T")


def _whole(body: Any) -> Any:
    return body


def _nothing(_body: Any) -> None:
    return None


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and how to read its response."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None
    query: Mapping[str, str | int] | None = None
    read: Callable[[Any], T] = _whole


def estimate(meal: str | Sequence[Message] | None, **options: Unpack[EstimateOptions]) -> Call[Estimate]:
    return Call("POST", "/v1/estimate/sync", _estimate_body(meal, **options))


def estimate_stream(meal: str | Sequence[Message] | None, **options: Unpack[EstimateOptions]) -> Call[None]:
    return Call("POST", "/v1/estimate", _estimate_body(meal, **options), read=_nothing)


def estimate_batch(
    inputs: Sequence[str | BatchInput], include: Sequence[Include], language: str | None
) -> Call[list[BatchResult]]:
    rows = [BatchInput(text=each) if isinstance(each, str) else each for each in inputs]
    body = {"inputs": rows, "include": list(include), "language": language}
    return Call("POST", "/v1/estimate/batch", body, read=itemgetter("results"))


def upload(image: Image) -> Call[Upload]:
    return Call("POST", "/v1/upload/base64", {"image": image_url(image), "include": ["expires_at"]})


def search_foods(query: str, limit: int | None, source: str | None, language: str | None) -> Call[list[Food]]:
    options = {"limit": limit, "source": source, "language": language}
    given = {name: value for name, value in options.items() if value is not None}
    return Call("GET", "/v1/foods", query={"q": query, **given}, read=itemgetter("foods"))


def get_food(id: str) -> Call[FoodDetail]:
    return Call("GET", f"/v1/foods/{_segment(id)}")


def get_food_by_barcode(gtin: str) -> Call[FoodDetail]:
    return Call("GET", f"/v1/foods/barcode/{_segment(gtin)}")


def list_recipes() -> Call[list[Recipe]]:
    return Call("GET", "/v1/recipes", read=itemgetter("recipes"))


def get_recipe(id: str) -> Call[Recipe]:
    return Call("GET", f"/v1/recipes/{_segment(id)}")


def create_recipe(**fields: Unpack[NewRecipe]) -> Call[CreatedRecipe]:
    return Call("POST", "/v1/recipes", fields)


def update_recipe(id: str, **fields: Unpack[RecipeChanges]) -> Call[None]:
    return Call("PUT", f"/v1/recipes/{_segment(id)}", fields, read=_nothing)


def delete_recipe(id: str) -> Call[None]:
    return Call("DELETE", f"/v1/recipes/{_segment(id)}", read=_nothing)


def _segment(text: str) -> str:
    return quote(text, safe="")


def _estimate_body(meal: str | Sequence[Message] | None, **options: Unpack[EstimateOptions]) -> dict[str, Any]:
    messages = [Message(role="user", content=meal or [])] if meal is None or isinstance(meal, str) else list(meal)
    image = options.get("image")
    if image is not None and messages:
        messages[-1] = _with_image(messages[-1], image)
    return {"messages": messages, "include": list(options.get("include", ())), "language": options.get("language")}


def _with_image(message: Message, image: Image) -> Message:
    content = message["content"]
    parts = [TextPart(type="text", text=content)] if isinstance(content, str) else content
    return Message(role=message["role"], content=[image_part(image), *parts])
