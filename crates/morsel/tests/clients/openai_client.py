"""OpenAI's library for Python against Morsel: what a program sees that was written for a language model."""

import base64
import os
import struct
import zlib
from enum import Enum
from typing import Literal, Optional

import openai
from pydantic import BaseModel

client = openai.OpenAI(base_url=os.environ["MORSEL_URL"] + "/v1", api_key=os.environ["MORSEL_API_KEY"], max_retries=0)
MEAL = "two eggs, 100 g of rice and a banana"


class Unit(Enum):
    GRAM = "g"
    MILLILITER = "ml"
    PIECE = "piece"


class Food(BaseModel):
    name: str
    quantity: float
    unit: Unit
    calories: int
    protein_g: float
    brand: Optional[str]
    confidence: Literal["high", "medium", "low"]


class Totals(BaseModel):
    calories: float
    carbs_g: float
    fat_g: float


class Meal(BaseModel):
    """As pydantic describes it: with definitions and references."""

    summary: str
    foods: list[Food]
    totals: Totals
    questions: list[str]


def user(text):
    return [{"role": "system", "content": "You are a dietitian."}, {"role": "user", "content": text}]


def picture():
    """A blank PNG of 32 × 32."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 32, 32, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes([200, 120, 40]) * 32) * 32
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(png).decode()


def models():
    assert [model.id for model in client.models.list()] == ["morsel"]
    assert client.models.retrieve("morsel").owned_by == "morsel"
    try:
        client.models.retrieve("gpt-4o")
        raise AssertionError("there is no such model")
    except openai.NotFoundError as error:
        assert error.code == "model_not_found", error


def structured_output():
    answer = client.chat.completions.parse(model="morsel", messages=user(MEAL), response_format=Meal)
    meal = answer.choices[0].message.parsed
    assert len(meal.foods) == 3, meal
    assert meal.foods[1].quantity == 100 and meal.foods[1].unit == Unit.GRAM, meal
    assert meal.totals.calories == sum(food.calories for food in meal.foods), meal
    assert meal.questions == [] and meal.foods[0].brand is None and meal.totals.carbs_g > 20, meal
    nothing = client.chat.completions.parse(model="morsel", messages=user("hello"), response_format=Meal)
    assert nothing.choices[0].message.parsed.foods == []


def tools():
    tool = openai.pydantic_function_tool(Meal, name="log_meal", description="Log a meal")
    for choice in ["auto", "required", {"type": "function", "function": {"name": "log_meal"}}]:
        answer = client.chat.completions.parse(model="morsel", messages=user(MEAL), tools=[tool], tool_choice=choice)
        assert answer.choices[0].finish_reason == "tool_calls"
        (call,) = answer.choices[0].message.tool_calls
        assert call.function.name == "log_meal" and len(call.function.parsed_arguments.foods) == 3, call
    answer = client.chat.completions.create(model="morsel", messages=user("good morning"), tools=[tool])
    assert answer.choices[0].message.tool_calls is None and answer.choices[0].message.content


def streams():
    whole = client.chat.completions.create(model="morsel", messages=user(MEAL)).choices[0].message.content
    options = {"include_usage": True}
    pieces = list(client.chat.completions.create(model="morsel", messages=user(MEAL), stream=True, stream_options=options))
    assert "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices) == whole
    assert pieces[-1].usage.total_tokens > 0 and pieces[-2].choices[0].finish_reason == "stop"
    with client.chat.completions.stream(model="morsel", messages=user(MEAL), response_format=Meal) as stream:
        meal = stream.get_final_completion().choices[0].message.parsed
    assert len(meal.foods) == 3, meal
    tool = openai.pydantic_function_tool(Meal, name="log_meal")
    with client.chat.completions.stream(model="morsel", messages=user(MEAL), tools=[tool]) as stream:
        (call,) = stream.get_final_completion().choices[0].message.tool_calls
    assert len(call.function.parsed_arguments.foods) == 3, call


def photos():
    image = {"type": "image_url", "image_url": {"url": picture()}}
    content = [{"type": "text", "text": "two eggs"}, image]
    answer = client.chat.completions.parse(model="morsel", messages=[{"role": "user", "content": content}], response_format=Meal)
    assert len(answer.choices[0].message.parsed.foods) == 1
    content = [{"type": "text", "text": "List the foods in this photo."}, image]
    answer = client.chat.completions.create(model="morsel", messages=[{"role": "user", "content": content}])
    assert answer.choices[0].message.content.startswith("I found no food"), answer


def errors():
    stranger = client.with_options(api_key="sk-proj-1234")
    codes = []
    for failing, kind in [
        (lambda: stranger.chat.completions.create(model="morsel", messages=user(MEAL)), openai.AuthenticationError),
        (lambda: client.chat.completions.create(model="morsel", messages=[]), openai.BadRequestError),
        (lambda: client.chat.completions.create(model="morsel", messages=user("x" * 9_000)), openai.BadRequestError),
    ]:
        try:
            failing()
            raise AssertionError("it should have failed")
        except kind as error:
            assert error.message and error.request_id, error
            codes.append(error.code)
    assert codes == ["invalid_key", "invalid_request", "context_length_exceeded"], codes


for check in [models, structured_output, tools, streams, photos, errors]:
    check()
    print(f"openai {openai.__version__} for Python: {check.__name__} … ok")
