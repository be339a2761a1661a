"""The asynchronous client against a real server. What both clients share is tested with the other one."""

from __future__ import annotations

import logging
import unittest

from morsel_client import AsyncMorsel, Event, MorselError

from .server import GTIN, PHOTO, Network, hang_up, lose_response, refuse, stay_silent

BREAKFAST = "two eggs and a slice of toast"


# Tests run in the debug mode of asyncio, which reports steps that take long; on a busy machine all do.
logging.getLogger("asyncio").setLevel(logging.ERROR)


class AsyncClient(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.client = await self.enterAsyncContext(AsyncMorsel())

    async def through(self, network: Network, **options: float) -> AsyncMorsel:
        self.enterContext(network)
        return await self.enterAsyncContext(AsyncMorsel(network.url, **options))  # type: ignore[arg-type]

    async def test_estimates(self) -> None:
        meal = await self.client.estimate(BREAKFAST, include=["tier"])
        self.assertEqual([item["tier"] for item in meal["items"]], ["derived", "derived"])
        upload = await self.client.upload(PHOTO)
        meal = await self.client.estimate(image=upload["url"])
        self.assertEqual(meal["items"][0]["name"], "Oat biscuits (Grunau)")
        assert self.client.rate_limit is not None

    async def test_streams(self) -> None:
        events: list[Event] = [event async for event in self.client.estimate_stream(BREAKFAST)]
        self.assertEqual([event["type"] for event in events], ["start", "item", "item", "totals", "done"])

    async def test_batches(self) -> None:
        (result,) = await self.client.estimate_batch([BREAKFAST])
        self.assertEqual((result["id"], result["status"]), ("1", 200))

    async def test_foods(self) -> None:
        (found,) = await self.client.foods.search("greek yogurt", limit=1)
        self.assertEqual((await self.client.foods.get(found["id"]))["name"], found["name"])
        self.assertEqual((await self.client.foods.barcode(GTIN))["brand"], "Grunau")

    async def test_recipes(self) -> None:
        recipes = self.client.recipes
        id = (await recipes.create(name="Zwirbel salad"))["id"]
        await recipes.update(id, calories=90)
        self.assertEqual((await recipes.get(id))["calories"], 90)
        self.assertIn(id, [recipe["id"] for recipe in await recipes.list()])
        await recipes.delete(id)
        with self.assertRaises(MorselError) as caught:
            await recipes.get(id)
        self.assertRegex(caught.exception.request_id or "", "^req_")

    async def test_retries(self) -> None:
        network = Network(refuse(503, retry_after=0), hang_up)
        self.assertEqual(len((await (await self.through(network)).estimate(BREAKFAST))["items"]), 2)
        self.assertEqual((len(network.requests), len(set(network.idempotency_keys))), (3, 1))

    async def test_a_request_whose_response_was_lost_is_executed_once(self) -> None:
        created = await (await self.through(Network(lose_response))).recipes.create(name="Zwirbel tart")
        same = [recipe for recipe in await self.client.recipes.list() if recipe["name"] == "Zwirbel tart"]
        self.assertEqual([recipe["id"] for recipe in same], [created["id"]])
        await self.client.recipes.delete(created["id"])

    async def test_a_silent_server_is_given_up(self) -> None:
        client = await self.through(Network(stay_silent, stay_silent), timeout=0.1, max_retries=0)
        for call in (client.estimate(BREAKFAST), anext(client.estimate_stream(BREAKFAST))):
            with self.assertRaises(MorselError) as caught:
                await call
            self.assertEqual(caught.exception.code, "timeout")
