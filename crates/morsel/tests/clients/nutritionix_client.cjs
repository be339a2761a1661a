// A library for Nutritionix against Morsel. It only speaks HTTPS on port 443, so its requests are sent to the server instead;
// everything else is the library's own code.

const assert = require("node:assert/strict");
const http = require("node:http");
const https = require("node:https");

const { hostname, port, pathname } = new URL(process.env.MORSEL_URL);
assert.equal(pathname, "/");
https.request = (options, answered) => {
    // The host that the library names is that of the other service.
    const headers = { ...options.headers, Host: `${hostname}:${port}` };
    return http.request({ ...options, hostname, port, headers }, answered);
};
const nutritionix = require("nutritionix-api");
nutritionix.init("an-app-id", process.env.MORSEL_API_KEY);

(async () => {
    const { foods } = await nutritionix.natural.search("2 eggs and 100 g of rice");
    assert.equal(foods.length, 2);
    assert.equal(foods[1].serving_weight_grams, 100);
    assert.ok(foods[0].nf_calories > 120 && foods[0].photo.thumb.endsWith(".png"));
    const nothing = await nutritionix.natural.search("hello");
    assert.equal(nothing.message, "We couldn't match any of your foods");
    const item = await nutritionix.item.byId("sr_09040");
    assert.equal(item.foods.length, 1);
    assert.ok(item.foods[0].full_nutrients.find((nutrient) => nutrient.attr_id === 208).value > 50);
    assert.equal((await nutritionix.item.byUpc("4000000000006")).message, "resource not found");
    console.log("nutritionix-api for JavaScript … ok");
})();
