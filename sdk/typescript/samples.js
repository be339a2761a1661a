// The samples of the documentation. The guide and the reference show these sections, and the tests run them.

// [setup]
import { Morsel } from "morsel-client";

const client = new Morsel({ baseUrl: "http://127.0.0.1:8080" }); // the key is in MORSEL_API_KEY

// [first request]
const meal = await client.estimate("two eggs and a slice of toast");
console.log(meal.totals.calories);

// [streaming]
for await (const event of client.estimateStream("two eggs, toast with butter and a large latte")) {
  if (event.type === "item") console.log(event.item.name, event.item.calories);
  if (event.type === "done") console.log("total", event.totals.calories);
}

// [photos]
const plate = await client.estimate("rice with chicken, about 400 g", { image: "dinner.jpg" });
console.log(plate.items);

// [errors]
import { MorselError } from "morsel-client";

try {
  await client.foods.search("x");
} catch (error) {
  if (!(error instanceof MorselError)) throw error;
  console.log(error.status, error.code, error.message, error.requestId);
}

// [POST /v1/estimate/sync]
const breakfast = await client.estimate("two eggs and a slice of toast", { include: ["grams", "tier"] });
for (const item of breakfast.items) console.log(item.name, item.grams?.grams, item.tier);

// [POST /v1/estimate]
for await (const event of client.estimateStream("a banana")) console.log(event.type, event.sequence);

// [POST /v1/estimate/batch]
const meals = [{ id: "breakfast", text: "two eggs" }, { id: "snack", text: "a banana" }];
for (const result of await client.estimateBatch(meals)) {
  if ("error" in result) console.log(result.id, result.error.error);
  else console.log(result.id, result.totals.calories);
}

// [POST /v1/upload/base64]
const photo = await client.upload("dinner.jpg");
console.log(photo.url, photo.expires_at);

// [GET /v1/foods]
for (const food of await client.foods.search("greek yogurt", { limit: 1 })) {
  console.log(food.id, food.name, food.calories);
}

// [GET /v1/foods/{id}]
const detail = await client.foods.get("fndds_11400010");
console.log(detail.name, detail.nutrients_per_100g.protein);

// [GET /v1/foods/barcode/{gtin}]
const product = await client.foods.barcode("4006381333931");
console.log(product.name, product.brand);

// [GET /v1/recipes]
for (const saved of await client.recipes.list()) console.log(saved.id, saved.name);

// [POST /v1/recipes]
const created = await client.recipes.create({
  name: "Mom's Lasagna",
  calories: 620,
  protein: 34,
  carbs: 48,
  fat: 31,
  serving_description: "1 slice (350 g)",
  aliases: ["the family lasagna"],
});
console.log(created.id);

// [GET /v1/recipes/{id}]
const recipe = await client.recipes.get("rcp_i946uhP4tcPKhoS6MTkoE5");
console.log(recipe.name, recipe.calories);

// [PUT /v1/recipes/{id}]
await client.recipes.update("rcp_i946uhP4tcPKhoS6MTkoE5", { calories: 640, aliases: ["lasagna"] });

// [DELETE /v1/recipes/{id}]
await client.recipes.delete("rcp_i946uhP4tcPKhoS6MTkoE5");
