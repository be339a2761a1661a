"""Uses a server with the official client of the Model Context Protocol; see scripts/mcp-client-test."""

import asyncio
import base64
import json
import struct
import sys
import time
import zlib
from contextlib import asynccontextmanager

import httpx2
import jsonschema
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

READING = ["estimate_meal", "search_foods", "get_food", "lookup_barcode", "compare_foods"]
RECIPES = ["list_recipes", "save_recipe", "delete_recipe"]


def png():
    """Returns a small picture."""
    rows = b"".join(b"\0" + bytes((x * y) % 256 for x in range(64 * 3)) for y in range(64))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Session:
    """A connected client that checks every result of a tool."""

    def __init__(self, client, tools):
        self.client = client
        self.tools = {tool.name: tool for tool in tools}

    async def call(self, tool, /, **arguments):
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, (tool, result.content)
        jsonschema.validate(arguments, self.tools[tool].input_schema)
        jsonschema.validate(result.structured_content, self.tools[tool].output_schema)
        assert 1 <= len(result.content[0].text.splitlines()) <= 5, result.content[0].text
        return result.structured_content

    async def refuse(self, tool, /, **arguments):
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error and result.content[0].text.endswith("."), (tool, result)
        return result.content[0].text


async def use(client, revision):
    assert client.protocol_version == revision, client.protocol_version
    # A client that assumes a revision has not asked who the server is.
    assert client.server_info is None or client.server_info.name == "morsel"
    listed = (await client.list_tools()).tools
    session = Session(client, listed)
    has_recipes = "save_recipe" in session.tools
    assert [tool.name for tool in listed] == READING + (RECIPES if has_recipes else []), list(session.tools)
    for tool in listed:
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)

    meal = await session.call("estimate_meal", text="two eggs and a slice of toast")
    assert len(meal["items"]) == 2 and 150 < meal["totals"]["calories"] < 350, meal
    extras = ["source", "grams", "range", "tier", "alternatives", "nutrients", "recipe", "unresolved", "language"]
    meal = await session.call("estimate_meal", text="200 g Hähnchenbrust und zzqx", include=extras, language="de")
    assert meal["items"][0]["grams"]["grams"] == 200 and meal["language"] == "de", meal
    picture = base64.b64encode(png()).decode()
    await session.call("estimate_meal", image_base64=picture, text="an apple")
    await session.call("estimate_meal", image_url=f"data:image/png;base64,{picture}")
    foods = (await session.call("search_foods", query="greek yogurt", limit=5, source="branded"))["foods"]
    ids = [food["id"] for food in foods]
    detail = await session.call("get_food", id=ids[0], amount=150, unit="g")
    assert detail["amount"]["grams"]["grams"] == 150, detail
    # No product that ships has a barcode; the tests import one.
    found = (await session.call("search_foods", query="oat biscuits grunau"))["foods"]
    if any(food["id"] == "gtin_04006381333931" for food in found):
        product = await session.call("lookup_barcode", gtin="4006381333931", amount=2, unit="biscuits")
        assert product["id"] == "gtin_04006381333931" and product["amount"]["grams"]["grams"] == 25, product
    else:
        assert "No product" in await session.refuse("lookup_barcode", gtin="4006381333931")
    compared = await session.call("compare_foods", ids=ids, basis="100g")
    assert {food["serving_grams"] for food in compared["foods"]} == {100}
    await session.call("compare_foods", ids=ids[:2], basis="serving")

    assert "Describe the meal" in await session.refuse("estimate_meal", text=" ")
    assert "not found" in await session.refuse("get_food", id="none")
    try:
        await client.call_tool("eat", {})
        raise AssertionError("there is no such tool")
    except MCPError as error:
        assert error.code == -32602, error

    templates = (await client.list_resource_templates()).resource_templates
    assert [template.uri_template for template in templates] == ["morsel://foods/{id}"]
    food = await client.read_resource(f"morsel://foods/{ids[0]}")
    assert json.loads(food.contents[0].text)["id"] == ids[0]
    resources = [str(resource.uri) for resource in (await client.list_resources()).resources]
    assert resources == (["morsel://recipes"] if has_recipes else [])
    if has_recipes:
        await use_recipes(session)
    return has_recipes


async def use_recipes(session):
    saved = await session.call("save_recipe", name="Client's stew", calories=412, aliases=["stew of the client"])
    again = await session.call("save_recipe", name="client's stew", protein=31.5)
    assert saved["id"] == again["id"], (saved, again)
    meal = await session.call("estimate_meal", text="stew of the client")
    assert meal["totals"] == {"calories": 412, "protein": 31.5, "carbs": 0, "fat": 0}, meal
    recipes = (await session.call("list_recipes"))["recipes"]
    assert saved["id"] in [recipe["id"] for recipe in recipes]
    listed = await session.client.read_resource("morsel://recipes")
    assert json.loads(listed.contents[0].text)["recipes"] == recipes
    await session.call("delete_recipe", id=saved["id"])
    assert "not found" in await session.refuse("delete_recipe", id=saved["id"])


async def time_estimates(client):
    """Returns the median of calls with different texts, in milliseconds."""
    times = []
    for number in range(1, 201):
        start = time.perf_counter()
        await client.call_tool("estimate_meal", {"text": f"{number} g of rice with chicken and an apple"})
        times.append((time.perf_counter() - start) * 1_000)
    return sorted(times)[100]


@asynccontextmanager
async def over_http(url, mode, headers):
    # Five seconds, the client's own limit, are too short on a machine that is busy with other things.
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            yield client


async def check_http(url, key, host):
    public = {"host": host} if host else {}
    bearer = {"authorization": f"Bearer {key}"}
    ways = [
        ("auto", url, bearer, "2026-07-28"),
        ("2026-07-28", url, {"x-api-key": key}, "2026-07-28"),
        ("legacy", f"{url}/{key}", {}, "2025-11-25"),
    ]
    for mode, address, headers, revision in ways:
        async with over_http(address, mode, headers | public) as client:
            assert await use(client, revision), "a key of all scopes has recipes"
            print(f"{mode}: fine over HTTP in revision {revision}, median {await time_estimates(client):.2f} ms")
    try:
        async with over_http(url, "auto", public):
            raise AssertionError("a key is required")
    except* MCPError as group:
        assert group.exceptions, group


async def check_stdio(command):
    for mode, revision in [("auto", "2026-07-28"), ("legacy", "2025-11-25")]:
        server = StdioServerParameters(command=command[0], args=command[1:])
        async with Client(stdio_client(server), mode=mode) as client:
            recipes = "with" if await use(client, revision) else "without"
            took = await time_estimates(client)
            print(f"{mode}: fine over stdio {recipes} recipes in revision {revision}, median {took:.2f} ms")


if __name__ == "__main__":
    if sys.argv[1] == "--":
        asyncio.run(check_stdio(sys.argv[2:]))
    else:
        asyncio.run(check_http(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None))
