"""Meals in words become foods with calories, protein, carbs and fat."""

from collections.abc import Iterable
from typing import Any, Literal, Optional, TypedDict, Union

__version__: str
engine_version: str
"""Changes whenever the same text may get another answer; as in the header X-Engine-Version of the service."""
MAX_CHARS: int
"""The most characters of a text."""

Extra = Literal["source", "grams", "range", "tier", "alternatives", "nutrients", "recipe", "unresolved", "language"]

class Macros(TypedDict):
    calories: float
    protein: float
    carbs: float
    fat: float

class _Item(Macros):
    name: str
    quantity: float
    unit: str

class Item(_Item, total=False):
    """A food of a meal. Everything below is there if it is included."""

    source: dict[str, Any]
    grams: dict[str, Any]
    range: dict[str, Any]
    tier: Literal["measured", "derived", "estimated"]
    alternatives: list[dict[str, Any]]
    nutrients: dict[str, float]

class _Estimate(TypedDict):
    items: list[Item]
    totals: Macros

class Estimate(_Estimate, total=False):
    """A meal. Everything below is there if it is included."""

    unresolved: list[str]
    language: str

class Columns(TypedDict):
    calories: list[Optional[float]]
    protein: list[Optional[float]]
    carbs: list[Optional[float]]
    fat: list[Optional[float]]
    items: list[Optional[int]]
    unresolved: list[Optional[list[str]]]

class Food(Macros):
    """A food of a search; the numbers are per serving."""

    id: str
    source: str
    name: str
    brand: Optional[str]
    fiber: float
    serving_description: str
    serving_grams: float

class Portion(TypedDict):
    description: str
    grams: float

class _FoodDetail(Food):
    origin: str
    description: Optional[str]
    category: Optional[str]
    gtin: Optional[str]
    portions: list[Portion]
    nutrients_per_100g: dict[str, float]

class FoodDetail(_FoodDetail, total=False):
    """A food with all its portions and nutrients."""

    attribution: str
    country: str
    local_names: dict[str, list[str]]

def estimate(text: str, language: Optional[str] = None, include: Union[str, Iterable[Extra]] = ()) -> Estimate:
    """Estimates one meal. Raises ValueError for a text of more than MAX_CHARS characters or an unknown name."""

def estimate_many(
    texts: Iterable[Any],
    language: Optional[str] = None,
    include: Union[str, Iterable[Extra]] = (),
    threads: Optional[int] = None,
) -> list[Optional[Estimate]]:
    """Estimates many meals on all cores, in order. Missing texts (None, NaN, NA) are None."""

def estimate_columns(texts: Iterable[Any], language: Optional[str] = None, threads: Optional[int] = None) -> Columns:
    """Estimates many meals on all cores and returns their totals as columns, for a data frame."""

def search(
    text: str, limit: int = 20, language: Optional[str] = None, source: Optional[str] = None
) -> list[Food]:
    """Searches foods by name, the most likely first."""

def food(id: str, /) -> Optional[FoodDetail]:
    """Returns the food with an id, or None."""

def barcode(gtin: str, /) -> Optional[FoodDetail]:
    """Returns the product with a barcode, or None. Raises ValueError for what is not 6 to 14 digits."""
