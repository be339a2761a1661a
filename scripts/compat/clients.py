"""Client libraries of Open Food Facts and FoodData Central from PyPI, against a server of ours.

Their code is unchanged. Where the address of the original service is fixed in it, the constant that holds it or the functions that
make it are replaced.
"""

import sys

BASE, KEY = sys.argv[1], sys.argv[2]


def open_food_facts(base, **credentials):
    """The official client. Its addresses are made by two functions."""
    import openfoodfacts
    from openfoodfacts.utils import URLBuilder

    URLBuilder._get_url = URLBuilder.search = staticmethod(lambda *arguments, **keywords: base)
    api = openfoodfacts.API(user_agent="morsel-tests/1", **credentials)
    found = api.product.text_search("banana", page=1, page_size=5)
    assert found["count"] > 5 and found["page_size"] == 5 and len(found["products"]) == 5, found
    first = found["products"][0]
    assert first["product_name"] == "Banana, raw" and first["brands"] == "", first
    assert first["nutriments"]["energy-kcal_100g"] > 80, first

    product = api.product.get(first["code"], fields=["code", "product_name", "nutriments"])
    assert product["product_name"] == "Banana, raw", product
    assert product["nutriments"]["potassium_100g"] < 1 and product["nutriments"]["potassium_unit"] == "mg", product
    assert "serving_size" not in product, product
    assert api.product.get("4000000000006") is None
    try:
        api.product.get("not-a-code", raise_if_invalid=True)
        raise AssertionError("an invalid code was accepted")
    except ValueError:
        pass
    third = openfoodfacts.API(user_agent="morsel-tests/1", version="v3", **credentials)
    assert third.product.get(first["code"])["product_name"] == "Banana, raw"
    assert third.product.get("4000000000006") is None
    return api


def usda_fdc():
    """A client whose address is a parameter. It sends the key in the header X-Api-Key."""
    from usda_fdc import FdcClient
    from usda_fdc.exceptions import FdcAuthError, FdcResourceNotFoundError, FdcValidationError

    client = FdcClient(api_key=KEY, base_url=BASE + "/fdc/v1/")
    found = client.search("milk", data_type=["Foundation", "SR Legacy"], page_size=10, sort_by="fdcId", sort_order="asc")
    assert found.total_hits > 10 and found.current_page == 1 and len(found.foods) == 10, found
    assert {food.data_type for food in found.foods} <= {"Foundation", "SR Legacy"}, found
    ids = [food.fdc_id for food in found.foods]
    assert ids == sorted(ids) and all(isinstance(id, int) for id in ids), ids

    food = client.get_food(ids[0])
    energy = [nutrient for nutrient in food.nutrients if nutrient.id == 1008]
    assert len(energy) == 1 and energy[0].unit_name == "kcal" and energy[0].amount > 0, food
    assert food.description == found.foods[0].description and food.food_category, food
    banana = client.get_food(client.search("banana", page_size=1).foods[0].fdc_id)
    assert any(portion.gram_weight == 126.0 for portion in banana.food_portions), banana.food_portions
    short = client.get_food(ids[0], format="abridged", nutrients=[203, 208])
    assert [nutrient.nutrient_nbr for nutrient in short.nutrients] == ["208", "203"], short
    assert [food.fdc_id for food in client.get_foods(ids[:3])] == ids[:3]
    assert len(client.list_foods(data_type=["Foundation"], page_size=20, page_number=2)) == 20
    for wrong, error in [
        (lambda: client.get_food(4000000000), FdcResourceNotFoundError),
        (lambda: client.search("milk", data_type=["Magic"]), FdcValidationError),
        (lambda: FdcClient(api_key="wrong", base_url=BASE + "/fdc/v1/").search("milk"), FdcAuthError),
    ]:
        try:
            wrong()
            raise AssertionError(f"no {error.__name__}")
        except error:
            pass


def py_usda():
    """A client whose address is a constant. It sends the key as the user name of HTTP's basic authentication."""
    import pyUsda.base
    from pyUsda.client import UsdaClient
    from pyUsda.enums import DataType, ReportFormat

    pyUsda.base.BASE_URI = BASE + "/fdc/v1"
    client = UsdaClient(KEY)
    raw = client.search_foods("cheddar cheese", data_type=[DataType.SR, DataType.FNDDS, DataType.Branded], raw=True)
    assert raw["totalHits"] > 10 and raw["foodSearchCriteria"]["query"] == "cheddar cheese", raw
    for food in client.search_foods("cheddar cheese", data_type=[DataType.SR, DataType.Branded]).foods[:5]:
        full = client.get_food(food.fdc_id, report_format=ReportFormat.full)
        energy = [row for row in full.nutrients if row.nutrient.nutrient_id == 1008]
        assert len(energy) == 1 and energy[0].amount > 0, full
    ids = [food["fdcId"] for food in raw["foods"][:4]]
    assert [food.fdc_id for food in client.get_foods(ids)] == ids
    assert client.get_food(ids[0]).nutrients[0].number == "208"
    assert len(client.list_foods(page_size=5)) == 5


api = open_food_facts(f"{BASE}/off/{KEY}")
# The newer search sends no credentials: the key must be in the address.
hits = api.product.search("greek yogurt", page_size=3)
assert len(hits["hits"]) == 3 and hits["page_count"] == 34, hits
open_food_facts(BASE, session_cookie=KEY)
open_food_facts(BASE, access_token=KEY)
usda_fdc()
py_usda()
print("PyPI: openfoodfacts, usda-fdc and pyUsda work")
