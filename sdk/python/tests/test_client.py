"""The synchronous client against a real server."""

from __future__ import annotations

import json
import time
import unittest
from pathlib import Path
from typing import get_args
from unittest import mock

from morsel_client import Include, Message, Morsel, MorselError, image_part

from .server import (
    GTIN,
    KEY,
    LIMITED_KEY,
    PHOTO,
    URL,
    Network,
    answer,
    hang_up,
    lose_response,
    refuse,
    stay_silent,
)

BREAKFAST = "two eggs and a slice of toast"


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Morsel()
        self.addCleanup(self.client.close)

    def through(self, network: Network, **options: float) -> Morsel:
        """Returns a client of the server behind a network."""
        self.enterContext(network)
        return self.enterContext(Morsel(network.url, **options))  # type: ignore[arg-type]

    def failure(self, client: Morsel | None = None) -> MorselError:
        """Returns the error of an estimate that fails."""
        with self.assertRaises(MorselError) as caught:
            (client or self.client).estimate(BREAKFAST)
        return caught.exception


class Estimates(ClientTest):
    def test_a_text_becomes_items_and_totals(self) -> None:
        meal = self.client.estimate(BREAKFAST)
        self.assertEqual([item["unit"] for item in meal["items"]], ["egg", "slice"])
        self.assertEqual(set(meal), {"items", "totals"})
        self.assertEqual(meal["totals"]["calories"], sum(item["calories"] for item in meal["items"]))

    def test_later_messages_correct_earlier_ones(self) -> None:
        messages: list[Message] = [
            {"role": "user", "content": "two eggs and a coke"},
            {"role": "user", "content": [{"type": "correction", "item": 2, "quantity": 0}]},
            {"role": "user", "content": [{"type": "food", "food_id": "fndds_11400010", "quantity": 200, "unit": "g"}]},
        ]
        meal = self.client.estimate(messages)
        self.assertEqual([item["unit"] for item in meal["items"]], ["egg", "g"])

    def test_every_optional_field_is_returned_on_request(self) -> None:
        recipe = self.client.recipes.create(name="Zwirbel soup", calories=100)
        self.addCleanup(self.client.recipes.delete, recipe["id"])
        meal = self.client.estimate("100 g rice, zwirbel soup", include=get_args(Include))
        rice, soup = meal["items"]
        self.assertEqual(rice["grams"]["how"], "mass")
        self.assertEqual(rice["tier"], "measured")
        self.assertLessEqual(rice["range"]["calories"]["low"], rice["calories"])
        self.assertIn("sodium_mg", rice["nutrients"])
        self.assertTrue(rice["source"]["food_id"] and rice["alternatives"])
        self.assertEqual(soup["recipe"]["id"], recipe["id"])
        self.assertEqual((meal["language"], meal["unresolved"]), ("en", []))

    def test_a_language_can_be_given(self) -> None:
        meal = self.client.estimate("pain", language="fr", include=["language"])
        self.assertEqual(meal["language"], "fr")

    def test_a_photo_is_a_path_bytes_or_an_uploaded_photo(self) -> None:
        upload = self.client.upload(PHOTO)
        self.assertGreater(upload["expires_at"], "2026")
        for image in (PHOTO, str(PHOTO), PHOTO.read_bytes(), upload["url"]):
            (item,) = self.client.estimate(image=image, include=["source"])["items"]
            self.assertEqual((item["name"], item["source"]["photo"]["by"]), ("Oat biscuits (Grunau)", "barcode"))

    def test_text_and_messages_can_have_a_photo(self) -> None:
        (one,) = self.client.estimate(image=PHOTO)["items"]
        conversation: list[Message] = [
            {"role": "user", "content": [image_part(PHOTO)]},
            {"role": "user", "content": "make it two"},
        ]
        last: list[Message] = [{"role": "user", "content": "an egg"}, {"role": "user", "content": "and two of these"}]
        for meal in (
            self.client.estimate("two of these", image=PHOTO),
            self.client.estimate(conversation),
            self.client.estimate(last, image=PHOTO),
        ):
            self.assertEqual(meal["items"][-1]["calories"], round(2 * 5.975 * 10), meal)
        self.assertEqual(one["calories"], 60)


class Streams(ClientTest):
    def test_events_arrive_in_order_and_end_with_the_whole_estimate(self) -> None:
        events = list(self.client.estimate_stream(BREAKFAST, include=["tier"]))
        self.assertEqual([event["type"] for event in events], ["start", "item", "item", "totals", "done"])
        self.assertEqual([event["sequence"] for event in events], list(range(5)))
        done = events[-1]
        assert done["type"] == "done"
        self.assertEqual(done["items"], self.client.estimate(BREAKFAST, include=["tier"])["items"])

    def test_a_name_with_a_line_separator_is_one_event(self) -> None:
        recipe = self.client.recipes.create(name="Zwirbel\u2028cake", calories=100)
        self.addCleanup(self.client.recipes.delete, recipe["id"])
        events = list(self.client.estimate_stream("zwirbel cake"))
        names = [event["item"]["name"] for event in events if event["type"] == "item"]
        self.assertEqual(names, ["Zwirbel\u2028cake"])

    def test_an_invalid_request_fails_before_the_first_event(self) -> None:
        with self.assertRaises(MorselError) as caught:
            next(self.client.estimate_stream(BREAKFAST, language="xx"))
        self.assertEqual((caught.exception.status, caught.exception.param), (400, "language"))

    def test_a_refused_stream_is_requested_again(self) -> None:
        network = Network(refuse(503))
        events = list(self.through(network).estimate_stream(BREAKFAST))
        self.assertEqual((events[-1]["type"], len(network.requests)), ("done", 2))

    def test_an_error_event_is_raised(self) -> None:
        error = {"type": "error", "error": "The server is stopping.", "code": "stopping", "request_id": "req_1"}
        stream = f': keep-alive\n\nevent: new\ndata: {{"type":"new"}}\n\nevent: error\ndata: {json.dumps(error)}\n\n'
        with self.assertRaises(MorselError) as caught:
            list(self.through(Network(answer(stream.encode()))).estimate_stream(BREAKFAST))
        self.assertEqual((caught.exception.code, caught.exception.request_id), ("stopping", "req_1"))

    def test_a_stream_that_ends_too_early_is_an_error(self) -> None:
        start = b'event: start\ndata: {"type":"start","sequence":0,"id":"est_1","engine_version":"1"}\n\nevent: it'
        events = self.through(Network(answer(start))).estimate_stream(BREAKFAST)
        self.assertEqual(next(events)["type"], "start")
        with self.assertRaises(MorselError) as caught:
            next(events)
        self.assertEqual(caught.exception.code, "incomplete_stream")


class OtherCalls(ClientTest):
    def test_batches(self) -> None:
        first, second, third = self.client.estimate_batch(
            [BREAKFAST, {"id": "b", "text": "x" * 9000}, {"id": "c", "messages": [{"role": "user", "content": "an egg"}]}],
            include=["tier"],
            language="en",
        )
        assert "error" not in first and "error" in second and "error" not in third
        self.assertEqual((first["id"], first["status"], len(first["items"])), ("1", 200, 2))
        self.assertEqual((second["id"], second["status"], second["error"]["code"]), ("b", 400, "invalid_request"))
        self.assertEqual((third["id"], third["items"][0]["tier"]), ("c", "derived"))

    def test_foods(self) -> None:
        foods = self.client.foods.search("greek yogurt", limit=2, source="usda", language="en")
        self.assertEqual((len(foods), {food["source"] for food in foods}), (2, {"usda"}))
        food = self.client.foods.get(foods[0]["id"])
        self.assertEqual(food["name"], foods[0]["name"])
        self.assertTrue(food["portions"] and food["nutrients_per_100g"]["protein"])
        self.assertEqual(self.client.foods.barcode(GTIN)["name"], "Oat biscuits")
        with self.assertRaises(MorselError) as caught:
            self.client.foods.get("no/such?food")
        self.assertEqual((caught.exception.status, caught.exception.code), (404, "not_found"))

    def test_recipes(self) -> None:
        recipes = self.client.recipes
        id = recipes.create(name="Zwirbel stew", calories=310, aliases=["stew of zwirbels"])["id"]
        self.assertEqual(recipes.list()[0]["id"], id)
        recipes.update(id, calories=320, aliases=None)
        recipe = recipes.get(id)
        self.assertEqual((recipe["name"], recipe["calories"], recipe["aliases"]), ("Zwirbel stew", 320, []))
        recipes.delete(id)
        with self.assertRaises(MorselError) as caught:
            recipes.get(id)
        self.assertEqual(caught.exception.status, 404)


class Errors(ClientTest):
    def test_an_error_has_the_details_of_the_response(self) -> None:
        with self.assertRaises(MorselError) as caught:
            self.client.recipes.create(name="Zwirbel", calories=-1)
        error = caught.exception
        self.assertEqual((error.status, error.code, error.param), (400, "invalid_request", "calories"))
        self.assertRegex(error.request_id or "", "^req_")
        self.assertIn(error.message, str(error))
        self.assertIn(error.request_id or "-", str(error))

    def test_a_key_is_required(self) -> None:
        with mock.patch.dict("os.environ", {"MORSEL_API_KEY": ""}), Morsel() as client:
            error = self.failure(client)
        self.assertEqual((error.status, error.code), (401, "missing_key"))

    def test_a_wrong_key_is_not_tried_again(self) -> None:
        network = Network()
        self.enterContext(network)
        with Morsel(network.url, KEY[:-1] + ("a" if KEY[-1] != "a" else "b")) as client:
            error = self.failure(client)
        self.assertEqual((error.status, error.code, len(network.requests)), (401, "invalid_key", 1))

    def test_arguments_win_over_the_environment(self) -> None:
        client = Morsel("http://example.test/morsel/", "svc_test_x")
        self.assertEqual(client.base_url, "http://example.test/morsel")
        self.assertEqual(Morsel().base_url, URL)

    def test_a_page_of_another_server_is_not_an_estimate(self) -> None:
        error = self.failure(self.through(Network(answer(b"<h1>Welcome to nginx!</h1>", "text/html"))))
        self.assertEqual((error.code, error.status), ("invalid_response", None))


class Limits(ClientTest):
    def test_the_rate_limit_of_the_last_response_is_known(self) -> None:
        self.assertIsNone(self.client.rate_limit)
        self.client.estimate(BREAKFAST)
        first = self.client.rate_limit
        assert first is not None
        self.assertGreater(first.limit, first.remaining)
        self.assertGreater(first.reset, time.time() - 1)

    def test_exceeding_the_rate_limit_is_an_error_with_the_time_to_wait(self) -> None:
        client = self.enterContext(Morsel(api_key=LIMITED_KEY, max_retries=0))
        with self.assertRaises(MorselError) as caught:
            # Three requests per window, and at most two windows.
            for _ in range(9):
                client.recipes.list()
        error = caught.exception
        self.assertEqual((error.status, error.code), (429, "rate_limit_exceeded"))
        self.assertTrue(1 <= (error.retry_after or 0) <= 60)
        self.assertEqual(client.rate_limit and (client.rate_limit.limit, client.rate_limit.remaining), (3, 0))


class Retries(ClientTest):
    def test_a_refused_request_is_sent_again_after_the_time_to_wait(self) -> None:
        for status in (408, 429, 500, 503):
            network = Network(refuse(status, retry_after=1 if status == 503 else None))
            start = time.monotonic()
            self.assertEqual(len(self.through(network).estimate(BREAKFAST)["items"]), 2)
            self.assertEqual(len(network.requests), 2)
            first, second = network.idempotency_keys
            self.assertTrue(first)
            self.assertEqual(first, second)
            if status == 503:
                self.assertGreaterEqual(time.monotonic() - start, 1)

    def test_every_post_has_an_idempotency_key_of_its_own(self) -> None:
        network = Network()
        client = self.through(network)
        client.estimate(BREAKFAST)
        client.estimate(BREAKFAST)
        client.recipes.list()
        first, second, third = network.idempotency_keys
        self.assertNotEqual(first, second)
        self.assertIsNone(third)

    def test_a_closed_connection_is_opened_again(self) -> None:
        network = Network(hang_up)
        self.assertEqual(len(self.through(network).estimate(BREAKFAST)["items"]), 2)
        self.assertEqual(len(network.requests), 2)

    def test_a_request_whose_response_was_lost_is_executed_once(self) -> None:
        network = Network(lose_response)
        created = self.through(network).recipes.create(name="Zwirbel pie")
        self.addCleanup(self.client.recipes.delete, created["id"])
        same = [recipe for recipe in self.client.recipes.list() if recipe["name"] == "Zwirbel pie"]
        self.assertEqual([recipe["id"] for recipe in same], [created["id"]])
        self.assertEqual(len(network.requests), 2)

    def test_attempts_are_bounded(self) -> None:
        network = Network(*[refuse(503, retry_after=0)] * 9)
        error = self.failure(self.through(network, max_retries=1))
        self.assertEqual((error.status, error.code, len(network.requests)), (503, "http_error", 2))

    def test_waits_are_bounded(self) -> None:
        network = Network(refuse(429, retry_after=3600))
        error = self.failure(self.through(network))
        self.assertEqual((error.retry_after, len(network.requests)), (3600, 1))

    def test_a_server_that_cannot_be_reached_is_an_error(self) -> None:
        with Network() as network:
            pass
        error = self.failure(Morsel(network.url, max_retries=1))
        self.assertEqual((error.code, error.status), ("connection_failed", None))

    def test_a_silent_server_is_given_up(self) -> None:
        network = Network(stay_silent, stay_silent)
        error = self.failure(self.through(network, timeout=1, max_retries=1))
        self.assertEqual((error.code, error.status, len(network.requests)), ("timeout", None, 2))


class Package(unittest.TestCase):
    def test_the_package_is_typed(self) -> None:
        import morsel_client

        self.assertTrue((Path(morsel_client.__file__).parent / "py.typed").exists())
