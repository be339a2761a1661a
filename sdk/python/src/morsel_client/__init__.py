"""The Python client of Morsel, the self-hosted nutrition API.

    from morsel_client import Morsel

    client = Morsel("http://127.0.0.1:8080")  # the key is in MORSEL_API_KEY
    meal = client.estimate("two eggs and a slice of toast")
    print(meal["totals"]["calories"])
"""

from .async_client import AsyncMorsel
from .client import Morsel
from .errors import MorselError
from .images import image_part
from .types import (
    BatchInput,
    BatchResult,
    Estimate,
    Event,
    Food,
    FoodDetail,
    Image,
    Include,
    Item,
    Macros,
    Message,
    RateLimit,
    Recipe,
    Upload,
)
from .version import VERSION as __version__

__all__ = [
    "AsyncMorsel",
    "BatchInput",
    "BatchResult",
    "Estimate",
    "Event",
    "Food",
    "FoodDetail",
    "Image",
    "Include",
    "Item",
    "Macros",
    "Message",
    "Morsel",
    "MorselError",
    "RateLimit",
    "Recipe",
    "Upload",
    "__version__",
    "image_part",
]
