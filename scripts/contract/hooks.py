"""What scripts/contract-fuzz needs to know beyond the OpenAPI document: photos that are photos, limits on all messages together, and
how many recipes an account may have."""
import base64
import json
import os
import struct
import threading
import uuid
import zlib

import requests
import schemathesis
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

BASE = os.environ["MORSEL_URL"]
KEY = os.environ["MORSEL_KEY"]
# Half of what an account may have.
MAX_RECIPES = 500
MAX_CHARACTERS = 8_000
MAX_IMAGES = 5
MAX_MESSAGES = 50


def png(side, shade):
    """Returns a small picture."""

    def pixel(x, y):
        return bytes([shade, x * 255 // side, y * 255 // side])

    rows = b"".join(b"\0" + b"".join(pixel(x, y) for x in range(side)) for y in range(side))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PHOTOS = [
    "data:image/png;base64," + base64.b64encode(png(side, shade)).decode() for side, shade in [(32, 0), (48, 99), (64, 200)]
]
schemathesis.openapi.format("photo-url", st.sampled_from(PHOTOS))
schemathesis.openapi.format("photo-data-url", st.sampled_from(PHOTOS))
# Foods that are always in the catalog, and a unit that all foods have.
FOODS = ["sr_09040", "fndds_11111000"]
schemathesis.openapi.format("food-id", st.sampled_from(FOODS))
schemathesis.openapi.format("food-unit", st.just("g"))


def contents_and_parts(messages):
    """Returns what messages contain, and the parts of those that consist of parts."""
    contents = [message.get("content") for message in messages if isinstance(message, dict)]
    return contents, [part for content in contents if isinstance(content, list) for part in content if isinstance(part, dict)]


def conversations(body):
    """Returns the lists of messages in a body: its own, or those of every meal of a batch."""
    inputs = body.get("inputs")
    holders = [body, *(inputs if isinstance(inputs, list) else [])]
    lists = [holder.get("messages") for holder in holders if isinstance(holder, dict)]
    return [messages for messages in lists if isinstance(messages, list)]


def characters(messages):
    """Counts the characters of a conversation."""
    contents, parts = contents_and_parts(messages)
    texts = [content for content in contents if isinstance(content, str)]
    return sum(map(len, texts)) + sum(len(part["text"]) for part in parts if isinstance(part.get("text"), str))


def images(messages):
    """Counts the images of a conversation."""
    return sum("image_url" in part for part in contents_and_parts(messages)[1])


@schemathesis.hook
def filter_body(context, body):
    """Skips what a schema cannot state: limits on the text of a conversation, and on all images of a request."""
    if not isinstance(body, dict):
        return True
    all_messages = conversations(body)
    return max(map(characters, all_messages), default=0) <= MAX_CHARACTERS and sum(map(images, all_messages)) <= MAX_IMAGES


@schemathesis.hook
def map_body(context, body):
    """Changes what a schema cannot state: which items there are to correct, and how much all ingredients are together."""
    if not isinstance(body, dict):
        return body
    serve_less(body.get("ingredients"))
    if isinstance(body.get("inputs"), list):
        return {**body, "inputs": [with_items(meal) if isinstance(meal, dict) else meal for meal in body["inputs"]]}
    return with_items(body)


def serve_less(ingredients):
    """Makes valid amounts of ingredients small enough for the numbers of one serving."""
    if not isinstance(ingredients, dict):
        return
    servings = ingredients.get("servings")
    if isinstance(servings, (int, float)) and 0 < servings < 1:
        ingredients["servings"] = 1
    foods = ingredients.get("foods")
    for food in foods if isinstance(foods, list) else []:
        quantity = food.get("quantity") if isinstance(food, dict) else None
        if isinstance(quantity, (int, float)) and 1_000 < quantity <= 100_000:
            food["quantity"] = 1_000


def with_items(body):
    """Gives corrections something to correct."""
    messages = body.get("messages")
    if not isinstance(messages, list) or len(messages) >= MAX_MESSAGES:
        return body
    _, parts = contents_and_parts(messages)
    corrections = [part for part in parts if part.get("type") == "correction"]
    for part in corrections:
        if isinstance(part.get("item"), (int, float)) and part["item"] >= 1:
            part["item"] = 1
        # An item that was removed cannot be corrected again.
        if part.get("quantity") == 0:
            part["quantity"] = 1
    food = {"role": "user", "content": [{"type": "food", "food_id": FOODS[0]}]}
    return {**body, "messages": [food, *messages]} if corrections else body


@schemathesis.hook
def before_call(context, case, **kwargs):
    """Makes every valid `Idempotency-Key` of a new recipe unique: a repeated one returns a recipe that may be deleted by now. Not while
    single headers are left out on purpose, which a changed header would undo."""
    phase = case.meta.phase.name.value if case.meta is not None else None
    if phase == "coverage":
        return
    if phase == "stateful" and case.path == "/v1/upload/base64" and isinstance(case.body, dict):
        # The fuzzer takes the id of an uploaded photo for a photo to upload, because both are called an image.
        if str(case.body.get("image")).startswith("img_"):
            case.body["image"] = PHOTOS[0]
    for name, value in list((case.headers or {}).items()):
        if name.lower() == "idempotency-key" and case.path == "/v1/recipes" and isinstance(value, str):
            if 1 <= len(value) <= 255 and value.isascii() and value.isprintable():
                case.headers[name] = str(uuid.uuid4())


recipes = []
lock = threading.Lock()


@schemathesis.hook
def after_call(context, case, response):
    """Deletes the oldest recipes, so that creating another one is always allowed."""
    if case.method.upper() == "POST" and case.path == "/v1/recipes" and response.status_code == 201:
        with lock:
            recipes.append(response.json()["id"])
            if len(recipes) > MAX_RECIPES:
                requests.delete(f"{BASE}/v1/recipes/{recipes.pop(0)}", headers={"Authorization": f"Bearer {KEY}"}, timeout=10)


@schemathesis.check
def events_match_their_schema(context, response, case):
    """Compares every event of a stream with the schema of events: the tool's own check compares the envelope."""
    if "text/event-stream" not in str(response.headers.get("content-type", [])):
        return
    document = case.operation.schema.raw_schema
    validator = Draft202012Validator({"$ref": "#/components/schemas/StreamEvent", "components": document["components"]})
    events = [line[len("data: "):] for line in response.text.splitlines() if line.startswith("data: ")]
    assert events, "a stream without events"
    for event in map(json.loads, events):
        validator.validate(event)
    assert json.loads(events[-1])["type"] in ("done", "error"), "the last event ends the stream"
