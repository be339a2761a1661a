"""The shapes of requests and responses.

Responses are plain dictionaries, exactly as the API sends them; these types describe them to editors and type checkers. Fields
that a newer server adds are there too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired, TypeAlias, TypedDict, final

Include: TypeAlias = Literal[
    "source", "grams", "range", "tier", "alternatives", "nutrients", "recipe", "unresolved", "language"
]
"""Something that an estimate shows only on request."""

Image: TypeAlias = str | os.PathLike[str] | bytes
"""A photo: a path, its bytes, or the URL of an uploaded photo. JPEG, PNG or WebP."""


# What is sent.


class TextPart(TypedDict):
    """Words."""

    type: Literal["text"]
    text: str


class ImageUrl(TypedDict):
    """A URL returned by `upload`, or a data URL."""

    url: str


class ImagePart(TypedDict):
    """A photo; `image_part` makes one from a file."""

    type: Literal["image_url"]
    image_url: ImageUrl


class FoodPart(TypedDict):
    """A food, or a recipe of the account, by its id."""

    type: Literal["food"]
    food_id: str
    quantity: NotRequired[float]
    unit: NotRequired[str]


class CorrectionPart(TypedDict):
    """A correction of one item of the conversation so far, counted from 1."""

    type: Literal["correction"]
    item: int
    food_id: NotRequired[str]
    quantity: NotRequired[float]
    unit: NotRequired[str]


ContentPart: TypeAlias = TextPart | ImagePart | FoodPart | CorrectionPart


class Message(TypedDict):
    """A message in the common chat format; only those of the user are estimated."""

    role: Literal["user", "assistant", "system"]
    content: str | Sequence[ContentPart]


class EstimateOptions(TypedDict, total=False):
    """The options of an estimate."""

    image: Image | None
    """A photo of the meal. Of a conversation, it belongs to the last message."""
    include: Sequence[Include]
    """Fields to add to the response."""
    language: str | None
    """The language of the text, such as `de` or `pt-BR`; by default it is detected."""


class BatchInput(TypedDict):
    """One meal of a batch: either a text or messages. The id, by default its number from 1, is returned with the result."""

    id: NotRequired[str]
    text: NotRequired[str]
    messages: NotRequired[Sequence[Message]]


class RecipeValues(TypedDict, total=False):
    """The numbers of a recipe, per serving, and its other fields."""

    calories: float
    protein: float
    carbs: float
    fat: float
    serving_description: str | None
    aliases: Sequence[str] | None


class NewRecipe(RecipeValues):
    """A recipe to create."""

    name: str


class RecipeChanges(RecipeValues, total=False):
    """Changes of a recipe: fields that are absent stay as they are."""

    name: str


# What is returned.


class Macros(TypedDict):
    """Calories in kcal; protein, carbs and fat in grams."""

    calories: float
    protein: float
    carbs: float
    fat: float


class Region(TypedDict):
    """A rectangle of an upright photo, in shares of its width and height, from 0 to 1."""

    left: float
    top: float
    width: float
    height: float


class Photo(TypedDict):
    """How and where a food was recognized in a photo."""

    image: int
    by: str
    confidence: float
    note: NotRequired[str]
    region: NotRequired[Region]


class Source(TypedDict):
    """Where the numbers of an item come from."""

    food_id: str
    source: str
    origin: str
    name: str
    attribution: NotRequired[str]
    photo: NotRequired[Photo]


class Grams(TypedDict):
    """The weight of an item."""

    grams: float
    how: Literal["mass", "portion", "density", "usual"]
    portion: NotRequired[str]


class Bounds(TypedDict):
    """The ends of a range."""

    low: float
    high: float


class MacroRanges(TypedDict):
    """Where the true values probably are."""

    calories: Bounds
    protein: Bounds
    carbs: Bounds
    fat: Bounds


class Alternative(TypedDict):
    """Another food that may be meant, and its calories."""

    food_id: str
    name: str
    calories: float


class RecipeUse(TypedDict):
    """The recipe that an item comes from."""

    id: str
    matched: str
    servings: float


class Item(Macros):
    """A food of a meal. The optional fields are those of `include`."""

    name: str
    quantity: float
    unit: str
    source: NotRequired[Source]
    grams: NotRequired[Grams]
    range: NotRequired[MacroRanges]
    tier: NotRequired[Literal["recipe", "measured", "derived", "estimated"]]
    alternatives: NotRequired[list[Alternative]]
    nutrients: NotRequired[dict[str, float]]
    recipe: NotRequired[RecipeUse]


class Estimate(TypedDict):
    """An estimated meal."""

    items: list[Item]
    totals: Macros
    unresolved: NotRequired[list[str]]
    language: NotRequired[str]


class StartEvent(TypedDict):
    """The stream starts."""

    type: Literal["start"]
    sequence: int
    id: str
    engine_version: str


class ItemEvent(TypedDict):
    """An item is known."""

    type: Literal["item"]
    sequence: int
    index: int
    item: Item


class TotalsEvent(TypedDict):
    """All items are known."""

    type: Literal["totals"]
    sequence: int
    totals: Macros


class DoneEvent(Estimate):
    """The whole estimate; the last event."""

    type: Literal["done"]
    sequence: int


Event: TypeAlias = StartEvent | ItemEvent | TotalsEvent | DoneEvent


class ErrorBody(TypedDict):
    """Why a meal of a batch was not estimated."""

    error: str
    code: str
    param: NotRequired[str]


@final
class BatchEstimate(Estimate):
    """An estimated meal of a batch."""

    id: str
    status: int


@final
class BatchFailure(TypedDict):
    """A meal of a batch that was not estimated."""

    id: str
    status: int
    error: ErrorBody


BatchResult: TypeAlias = BatchEstimate | BatchFailure
"""A result of a batch; `"error" in result` tells them apart."""


class Food(Macros):
    """A food of the catalog; the numbers are per serving."""

    id: str
    source: str
    name: str
    brand: str | None
    fiber: float
    serving_description: str
    serving_grams: float


class Portion(TypedDict):
    """A portion of a food."""

    description: str
    grams: float


class FoodDetail(Food):
    """A food with all its portions and nutrients."""

    origin: str
    description: str | None
    category: str | None
    gtin: str | None
    portions: list[Portion]
    nutrients_per_100g: dict[str, float]
    attribution: NotRequired[str]
    country: NotRequired[str]
    local_names: NotRequired[dict[str, list[str]]]


class Recipe(Macros):
    """A saved recipe; the numbers are per serving."""

    id: str
    name: str
    serving_description: str | None
    aliases: list[str]
    created_at: str
    updated_at: str


class CreatedRecipe(TypedDict):
    """A recipe that was just created."""

    id: str
    name: str
    message: str


class Upload(TypedDict):
    """The address of an uploaded photo, and when it is removed."""

    url: str
    expires_at: str


@dataclass(frozen=True)
class RateLimit:
    """The account's rate limit, as the last response showed it."""

    limit: int
    """Requests per window."""
    remaining: int
    """Requests left in this window."""
    reset: int
    """The start of the next window, in Unix time."""
