"""Photos, as the API takes them."""

from __future__ import annotations

import base64
from pathlib import Path

from .types import Image, ImagePart


def image_part(image: Image) -> ImagePart:
    """Returns a photo as a part of a message."""
    return {"type": "image_url", "image_url": {"url": image_url(image)}}


def image_url(image: Image) -> str:
    """Returns the URL of a photo: its own, or a data URL of its bytes."""
    if isinstance(image, str) and image.startswith(("http://", "https://", "data:")):
        return image
    data = image if isinstance(image, bytes) else Path(image).read_bytes()
    return f"data:{_media_type(data)};base64,{base64.b64encode(data).decode('ascii')}"


def _media_type(data: bytes) -> str:
    if data.startswith(b"\x89PNG"):
        return "image/png"
    if data[8:12] == b"WEBP":
        return "image/webp"
    return "image/jpeg"
