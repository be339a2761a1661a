/** The client against a real server. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

import { imagePart, Morsel, MorselError } from "morsel-client";

import {
  answer,
  GTIN,
  hangUp,
  KEY,
  LIMITED_KEY,
  loseResponse,
  PHOTO,
  refuse,
  stall,
  startNetwork,
  staySilent,
  URL_OF_SERVER,
} from "./server.js";

const BREAKFAST = "two eggs and a slice of toast";
const START = 'event: start\ndata: {"type":"start","sequence":0,"id":"est_1","engine_version":"1"}\n\nevent: it';
const client = new Morsel();

/**
 * Returns the error of a call that fails.
 * @param {Promise<unknown>} call
 */
async function failure(call) {
  const error = await call.then(() => assert.fail("it succeeds"), (error) => error);
  assert.ok(error instanceof MorselError, String(error));
  return error;
}

/**
 * @template T
 * @param {AsyncIterable<T>} iterable
 */
async function all(iterable) {
  const list = [];
  for await (const each of iterable) list.push(each);
  return list;
}

/**
 * Creates a recipe and deletes it after the test.
 * @param {import("node:test").TestContext} test
 * @param {import("morsel-client").NewRecipe} recipe
 */
async function temporaryRecipe(test, recipe) {
  const { id } = await client.recipes.create(recipe);
  test.after(() => client.recipes.delete(id));
  return id;
}

test("a text becomes items and totals", async () => {
  const meal = await client.estimate(BREAKFAST);
  assert.deepEqual(meal.items.map((item) => item.unit), ["egg", "slice"]);
  assert.deepEqual(Object.keys(meal), ["items", "totals"]);
  assert.equal(meal.totals.calories, meal.items.reduce((sum, item) => sum + item.calories, 0));
});

test("later messages correct earlier ones", async () => {
  const { items } = await client.estimate([
    { role: "user", content: "two eggs and a coke" },
    { role: "user", content: [{ type: "correction", item: 2, quantity: 0 }] },
    { role: "user", content: [{ type: "food", food_id: "fndds_11400010", quantity: 200, unit: "g" }] },
  ]);
  assert.deepEqual(items.map((item) => item.unit), ["egg", "g"]);
});

test("every optional field is returned on request", async (test) => {
  const id = await temporaryRecipe(test, { name: "Zwirbel soup", calories: 100 });
  const meal = await client.estimate("100 g rice, zwirbel soup", {
    include: ["source", "grams", "range", "tier", "alternatives", "nutrients", "recipe", "unresolved", "language"],
  });
  const [rice, soup] = meal.items;
  assert.equal(rice?.grams?.how, "mass");
  assert.equal(rice.tier, "measured");
  assert.ok(rice.range && rice.range.calories.low <= rice.calories);
  assert.ok(rice.nutrients && "sodium_mg" in rice.nutrients);
  assert.ok(rice.source?.food_id && rice.alternatives?.length);
  assert.equal(soup?.recipe?.id, id);
  assert.deepEqual([meal.language, meal.unresolved], ["en", []]);
});

test("a language can be given", async () => {
  assert.equal((await client.estimate("pain", { language: "fr", include: ["language"] })).language, "fr");
});

test("a photo is a path, bytes, a blob or an uploaded photo", async () => {
  const bytes = await readFile(PHOTO);
  const upload = await client.upload(PHOTO);
  assert.ok(upload.expires_at > "2026");
  const copy = new Uint8Array(bytes);
  for (const image of [PHOTO, bytes, copy.buffer, new Blob([copy]), upload.url]) {
    const { items } = await client.estimate("", { image, include: ["source"] });
    assert.deepEqual([items[0]?.name, items[0]?.source?.photo?.by], ["Oat biscuits (Grunau)", "barcode"]);
  }
});

test("text and messages can have a photo", async () => {
  const conversation = /** @type {const} */ ([
    { role: "user", content: [await imagePart(PHOTO)] },
    { role: "user", content: "make it two" },
  ]);
  const one = await client.estimate("", { image: PHOTO });
  assert.equal(one.totals.calories, 60);
  for (const meal of [await client.estimate("two of these", { image: PHOTO }), await client.estimate(conversation)]) {
    assert.equal(meal.totals.calories, 120, JSON.stringify(meal));
  }
});

test("events arrive in order and end with the whole estimate", async () => {
  const events = await all(client.estimateStream(BREAKFAST, { include: ["tier"] }));
  assert.deepEqual(events.map((event) => event.type), ["start", "item", "item", "totals", "done"]);
  assert.deepEqual(events.map((event) => event.sequence), [0, 1, 2, 3, 4]);
  const done = events.at(-1);
  assert.ok(done?.type === "done");
  assert.deepEqual(done.items, (await client.estimate(BREAKFAST, { include: ["tier"] })).items);
});

test("an invalid stream fails before the first event", async () => {
  const error = await failure(client.estimateStream(BREAKFAST, { language: "xx" }).next());
  assert.deepEqual([error.status, error.param], [400, "language"]);
});

test("a refused stream is requested again", async (test) => {
  const network = await startNetwork(test, refuse(503));
  const events = await all(new Morsel({ baseUrl: network.url }).estimateStream(BREAKFAST));
  assert.deepEqual([events.at(-1)?.type, network.idempotencyKeys.length], ["done", 2]);
});

test("an error event is thrown", async (test) => {
  const data = JSON.stringify({ type: "error", error: "It is stopping.", code: "stopping", request_id: "req_1" });
  const network = await startNetwork(test, answer(`: keep-alive\n\ndata: {"type":"new"}\n\ndata: ${data}\n\n`));
  const error = await failure(all(new Morsel({ baseUrl: network.url }).estimateStream(BREAKFAST)));
  assert.deepEqual([error.code, error.requestId], ["stopping", "req_1"]);
});

test("a stream that ends or stalls too early is an error", async (test) => {
  const network = await startNetwork(test, answer(START), stall(START));
  for (const code of ["incomplete_stream", "timeout"]) {
    const events = new Morsel({ baseUrl: network.url, timeout: 2000, maxRetries: 0 }).estimateStream(BREAKFAST);
    assert.equal((await events.next()).value?.type, "start");
    assert.equal((await failure(events.next())).code, code);
  }
});

test("a stream can be left early", async (test) => {
  const network = await startNetwork(test, stall(START));
  for await (const event of new Morsel({ baseUrl: network.url }).estimateStream(BREAKFAST)) {
    assert.equal(event.type, "start");
    break;
  }
});

test("batches", async () => {
  const [first, second, third] = await client.estimateBatch(
    [BREAKFAST, { id: "b", text: "x".repeat(9000) }, { id: "c", messages: [{ role: "user", content: "an egg" }] }],
    { include: ["tier"], language: "en" },
  );
  assert.ok(first && !("error" in first) && second && "error" in second && third && !("error" in third));
  assert.deepEqual([first.id, first.status, first.items.length], ["1", 200, 2]);
  assert.deepEqual([second.id, second.status, second.error.code], ["b", 400, "invalid_request"]);
  assert.deepEqual([third.id, third.items[0]?.tier], ["c", "derived"]);
});

test("foods", async () => {
  const foods = await client.foods.search("greek yogurt", { limit: 2, source: "usda", language: "en" });
  assert.deepEqual(foods.map((food) => food.source), ["usda", "usda"]);
  const food = await client.foods.get(foods[0]?.id ?? "");
  assert.equal(food.name, foods[0]?.name);
  assert.ok(food.portions.length && food.nutrients_per_100g["protein"]);
  assert.equal((await client.foods.barcode(GTIN)).name, "Oat biscuits");
  const error = await failure(client.foods.get("no/such?food"));
  assert.deepEqual([error.status, error.code], [404, "not_found"]);
});

test("recipes", async () => {
  const { id } = await client.recipes.create({ name: "Zwirbel stew", calories: 310, aliases: ["stew of zwirbels"] });
  assert.ok((await client.recipes.list()).some((recipe) => recipe.id === id));
  await client.recipes.update(id, { calories: 320, aliases: null });
  const recipe = await client.recipes.get(id);
  assert.deepEqual([recipe.name, recipe.calories, recipe.aliases], ["Zwirbel stew", 320, []]);
  await client.recipes.delete(id);
  assert.equal((await failure(client.recipes.get(id))).status, 404);
});

test("an error has the details of the response", async () => {
  const error = await failure(client.recipes.create({ name: "Zwirbel", calories: -1 }));
  assert.deepEqual([error.status, error.code, error.param], [400, "invalid_request", "calories"]);
  assert.match(error.requestId ?? "", /^req_/);
  assert.match(error.message, /calories/);
});

test("a valid key is required, and a wrong one is not tried again", async (test) => {
  const missing = await failure(new Morsel({ apiKey: "" }).recipes.list());
  assert.deepEqual([missing.status, missing.code], [401, "missing_key"]);
  const network = await startNetwork(test);
  const apiKey = KEY.slice(0, -1) + (KEY.endsWith("a") ? "b" : "a");
  const wrong = await failure(new Morsel({ baseUrl: network.url, apiKey }).recipes.list());
  assert.deepEqual([wrong.status, wrong.code, network.idempotencyKeys.length], [401, "invalid_key", 1]);
});

test("arguments win over the environment", () => {
  assert.equal(new Morsel({ baseUrl: "http://example.test/morsel/" }).baseUrl, "http://example.test/morsel");
  assert.equal(client.baseUrl, URL_OF_SERVER);
});

test("a page of another server is not an estimate", async (test) => {
  const network = await startNetwork(test, answer("<h1>Welcome to nginx!</h1>"));
  const error = await failure(new Morsel({ baseUrl: network.url }).estimate(BREAKFAST));
  assert.deepEqual([error.code, error.status], ["invalid_response", undefined]);
});

test("the rate limit of the last response is known", async () => {
  const client = new Morsel();
  assert.ok(client.rateLimit === undefined);
  await client.estimate(BREAKFAST);
  const { limit = 0, remaining = 0, reset = 0 } = client.rateLimit ?? {};
  assert.ok(limit > remaining && remaining > 0 && reset > Date.now() / 1000 - 1);
});

test("exceeding the rate limit is an error with the time to wait", async () => {
  const client = new Morsel({ apiKey: LIMITED_KEY, maxRetries: 0 });
  const error = await failure(
    (async () => {
      // Three requests per window, and at most two windows.
      for (let at = 0; at < 9; at++) await client.recipes.list();
    })(),
  );
  assert.deepEqual([error.status, error.code], [429, "rate_limit_exceeded"]);
  assert.ok(error.retryAfter && error.retryAfter <= 60);
  assert.deepEqual([client.rateLimit?.limit, client.rateLimit?.remaining], [3, 0]);
});

test("a refused request is sent again after the time to wait, with the same idempotency key", async (test) => {
  for (const [status, retryAfter] of /** @type {const} */ ([[408], [429], [500], [503, 1]])) {
    const network = await startNetwork(test, refuse(status, retryAfter));
    const start = performance.now();
    assert.equal((await new Morsel({ baseUrl: network.url }).estimate(BREAKFAST)).items.length, 2);
    const [first, second, ...more] = network.idempotencyKeys;
    assert.ok(first && first === second && more.length === 0, String(network.idempotencyKeys));
    assert.ok(performance.now() - start >= (retryAfter ?? 0) * 1000);
  }
});

test("every POST has an idempotency key of its own", async (test) => {
  const network = await startNetwork(test);
  const client = new Morsel({ baseUrl: network.url });
  await client.estimate(BREAKFAST);
  await client.estimate(BREAKFAST);
  await client.recipes.list();
  const [first, second, third] = network.idempotencyKeys;
  assert.ok(first && second && first !== second && third === undefined);
});

test("a closed connection is opened again", async (test) => {
  const network = await startNetwork(test, hangUp);
  assert.equal((await new Morsel({ baseUrl: network.url }).estimate(BREAKFAST)).items.length, 2);
});

test("a request whose response was lost is executed once", async (test) => {
  const network = await startNetwork(test, loseResponse);
  const { id } = await new Morsel({ baseUrl: network.url }).recipes.create({ name: "Zwirbel pie" });
  test.after(() => client.recipes.delete(id));
  const same = (await client.recipes.list()).filter((recipe) => recipe.name === "Zwirbel pie");
  assert.deepEqual(same.map((recipe) => recipe.id), [id]);
  assert.equal(network.idempotencyKeys.length, 2);
});

test("attempts and waits are bounded", async (test) => {
  const busy = await startNetwork(test, refuse(503, 0), refuse(503, 0), refuse(503, 0));
  const error = await failure(new Morsel({ baseUrl: busy.url, maxRetries: 1 }).estimate(BREAKFAST));
  assert.deepEqual([error.status, error.code, busy.idempotencyKeys.length], [503, "http_error", 2]);
  const closed = await startNetwork(test, refuse(429, 3600));
  const limited = await failure(new Morsel({ baseUrl: closed.url }).estimate(BREAKFAST));
  assert.deepEqual([limited.retryAfter, closed.idempotencyKeys.length], [3600, 1]);
});

test("a server that cannot be reached is an error", async (test) => {
  const network = await startNetwork(test);
  await new Promise((resolve) => network.server.close(resolve));
  const error = await failure(new Morsel({ baseUrl: network.url, maxRetries: 1 }).estimate(BREAKFAST));
  assert.deepEqual([error.code, error.status], ["connection_failed", undefined]);
  assert.match(error.message, /ECONNREFUSED/);
});

test("a silent server is given up", async (test) => {
  const network = await startNetwork(test, staySilent, staySilent);
  const error = await failure(new Morsel({ baseUrl: network.url, timeout: 1000, maxRetries: 1 }).estimate(BREAKFAST));
  assert.deepEqual([error.code, error.status, network.idempotencyKeys.length], ["timeout", undefined, 2]);
});

test("a call can be canceled while it runs and while it waits", async (test) => {
  for (const fault of [staySilent, refuse(503, 30)]) {
    const controller = new AbortController();
    const network = await startNetwork(test, (request, response, body) => {
      fault(request, response, body);
      setTimeout(() => controller.abort(new Error("enough")), 100);
    });
    const call = new Morsel({ baseUrl: network.url }).estimate(BREAKFAST, { signal: controller.signal });
    await assert.rejects(call, { message: "enough" });
    assert.equal(network.idempotencyKeys.length, 1);
  }
});
