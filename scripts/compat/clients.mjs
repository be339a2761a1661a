// The official client library of Open Food Facts from npm, unchanged, against a server of ours.

import assert from "node:assert/strict";
import { OpenFoodFacts, SearchApi } from "@openfoodfacts/openfoodfacts-nodejs";

const [base, key] = process.argv.slice(2);

// The key in the address, as in programs where only an address can be set.
const client = new OpenFoodFacts(fetch, { host: `${base}/off/${key}` });
const { data: found, error } = await client.search({ search_terms: "banana", page_size: 5, fields: "code,product_name,brands" });
assert.equal(error, undefined);
assert.equal(found.products.length, 5);
assert.equal(found.products[0].product_name, "Banana, raw");
const { code } = found.products[0];

const third = await client.getProductV3(code, { fields: ["product_name", "nutriments"] });
assert.equal(third.error, undefined);
assert.equal(third.data.status, "success");
assert.equal(third.data.product.product_name, "Banana, raw");
assert.ok(third.data.product.nutriments["energy-kcal_100g"] > 80);
const missing = await client.getProductV3("4000000000006");
assert.equal(missing.error.result.id, "product_not_found");

const search = new SearchApi(fetch, { baseUrl: `${base}/off/${key}` });
const got = await search.searchGet({ q: "greek yogurt", page_size: 3 });
assert.equal(got.data.hits.length, 3);
const posted = await search.search({ q: "greek yogurt", page_size: 3 });
assert.deepEqual(posted.data.hits, got.data.hits);

// Signing in as SparkyFitness does, with the key as the password, and reading with the cookie.
const form = new URLSearchParams({ user_id: "anybody", password: key, ".submit": "Sign-in" });
const signedIn = await fetch(`${base}/cgi/session.pl`, { method: "POST", body: form, redirect: "manual" });
const cookie = signedIn.headers.getSetCookie()[0].split(";")[0];
const withCookie = (url, init) => {
  const headers = new Headers(init?.headers ?? url.headers);
  headers.set("Cookie", cookie);
  return fetch(url, { ...init, headers });
};
const session = new OpenFoodFacts(withCookie, { host: base });
const again = await session.search({ search_terms: "banana", page_size: 5, fields: "code,product_name,brands" });
assert.deepEqual(again.data, found);
const refused = await new OpenFoodFacts(fetch, { host: base }).search({ search_terms: "banana" });
assert.equal(refused.response.status, 401);

console.log("npm: @openfoodfacts/openfoodfacts-nodejs works");
