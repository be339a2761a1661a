"""The samples of the documentation. The guide and the reference show these sections, and the tests run them."""

# [setup]
from morsel_client import Morsel

client = Morsel("http://127.0.0.1:8080")  # the key is in MORSEL_API_KEY

# [first request]
meal = client.estimate("two eggs and a slice of toast")
print(meal["totals"]["calories"])

# [streaming]
for event in client.estimate_stream("two eggs, toast with butter and a large latte"):
    if event["type"] == "item":
        print(event["item"]["name"], event["item"]["calories"])
    elif event["type"] == "done":
        print("total", event["totals"]["calories"])

# [photos]
meal = client.estimate("rice with chicken, about 400 g", image="dinner.jpg")
print(meal["items"])

# [errors]
from morsel_client import MorselError

try:
    client.foods.search("x")
except MorselError as error:
    print(error.status, error.code, error.message, error.request_id)

# [async]
import asyncio

from morsel_client import AsyncMorsel


async def main() -> None:
    async with AsyncMorsel("http://127.0.0.1:8080") as client:
        meals = await asyncio.gather(client.estimate("a bowl of oatmeal"), client.estimate("a tuna sandwich"))
        print([meal["totals"]["calories"] for meal in meals])


asyncio.run(main())

# [POST /v1/estimate/sync]
meal = client.estimate("two eggs and a slice of toast", include=["grams", "tier"])
for item in meal["items"]:
    print(item["name"], item["grams"]["grams"], item["tier"])

# [POST /v1/estimate]
for event in client.estimate_stream("a banana"):
    print(event["type"], event["sequence"])

# [POST /v1/estimate/batch]
for result in client.estimate_batch([{"id": "breakfast", "text": "two eggs"}, {"id": "snack", "text": "a banana"}]):
    if "error" in result:
        print(result["id"], result["error"]["error"])
    else:
        print(result["id"], result["totals"]["calories"])

# [POST /v1/upload/base64]
photo = client.upload("dinner.jpg")
print(photo["url"], photo["expires_at"])

# [GET /v1/foods]
for food in client.foods.search("greek yogurt", limit=1):
    print(food["id"], food["name"], food["calories"])

# [GET /v1/foods/{id}]
detail = client.foods.get("fndds_11400010")
print(detail["name"], detail["nutrients_per_100g"]["protein"])

# [GET /v1/foods/barcode/{gtin}]
product = client.foods.barcode("4006381333931")
print(product["name"], product["brand"])

# [GET /v1/recipes]
for saved in client.recipes.list():
    print(saved["id"], saved["name"])

# [POST /v1/recipes]
created = client.recipes.create(
    name="Mom's Lasagna",
    calories=620,
    protein=34,
    carbs=48,
    fat=31,
    serving_description="1 slice (350 g)",
    aliases=["the family lasagna"],
)
print(created["id"])

# [GET /v1/recipes/{id}]
recipe = client.recipes.get("rcp_i946uhP4tcPKhoS6MTkoE5")
print(recipe["name"], recipe["calories"])

# [PUT /v1/recipes/{id}]
client.recipes.update("rcp_i946uhP4tcPKhoS6MTkoE5", calories=640, aliases=["lasagna"])

# [DELETE /v1/recipes/{id}]
client.recipes.delete("rcp_i946uhP4tcPKhoS6MTkoE5")
