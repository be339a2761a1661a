"""The foods that our networks recognize: the images of each source that show them, and their names.

A key is what the sources are merged under; NAMES gives the words for those keys that are not their own name.
The order of CLASSES is the order of the network's output: append only.
"""

import world

FOOD101 = """apple_pie baby_back_ribs baklava beef_carpaccio beef_tartare beet_salad beignets bibimbap bread_pudding
breakfast_burrito bruschetta caesar_salad cannoli caprese_salad carrot_cake ceviche cheesecake cheese_plate
chicken_curry chicken_quesadilla chicken_wings chocolate_cake chocolate_mousse churros clam_chowder club_sandwich
crab_cakes creme_brulee croque_madame cup_cakes deviled_eggs donuts dumplings edamame eggs_benedict escargots falafel
filet_mignon fish_and_chips foie_gras french_fries french_onion_soup french_toast fried_calamari fried_rice
frozen_yogurt garlic_bread gnocchi greek_salad grilled_cheese_sandwich grilled_salmon guacamole gyoza hamburger
hot_and_sour_soup hot_dog huevos_rancheros hummus ice_cream lasagna lobster_bisque lobster_roll_sandwich
macaroni_and_cheese macarons miso_soup mussels nachos omelette onion_rings oysters pad_thai paella pancakes panna_cotta
peking_duck pho pizza pork_chop poutine prime_rib pulled_pork_sandwich ramen ravioli red_velvet_cake risotto samosa
sashimi scallops seaweed_salad shrimp_and_grits spaghetti_bolognese spaghetti_carbonara spring_rolls steak
strawberry_shortcake sushi tacos takoyaki tiramisu tuna_tartare waffles""".split()

# Folder of the 36 fruits and vegetables -> key.
FRUIT_VEGETABLE_36 = {
    "apple": "apple", "banana": "banana", "beetroot": "beetroot", "bell pepper": "bell_pepper", "cabbage": "cabbage",
    "capsicum": "bell_pepper", "carrot": "carrot", "cauliflower": "cauliflower", "chilli pepper": "chili_pepper",
    "corn": "corn", "cucumber": "cucumber", "eggplant": "eggplant", "garlic": "garlic", "ginger": "ginger",
    "grapes": "grapes", "jalepeno": "jalapeno", "kiwi": "kiwi", "lemon": "lemon", "lettuce": "lettuce",
    "mango": "mango", "onion": "onion", "orange": "orange", "paprika": "bell_pepper", "pear": "pear", "peas": "peas",
    "pineapple": "pineapple", "pomegranate": "pomegranate", "potato": "potato", "raddish": "radish",
    "soy beans": "soybeans", "spinach": "spinach", "sweetcorn": "corn", "sweetpotato": "sweet_potato",
    "tomato": "tomato", "turnip": "turnip", "watermelon": "watermelon",
}

VEGETABLE_15 = {
    "Bean": "green_beans", "Bitter_Gourd": "bitter_melon", "Bottle_Gourd": "bottle_gourd", "Brinjal": "eggplant",
    "Broccoli": "broccoli", "Cabbage": "cabbage", "Capsicum": "bell_pepper", "Carrot": "carrot",
    "Cauliflower": "cauliflower", "Cucumber": "cucumber", "Papaya": "papaya", "Potato": "potato",
    "Pumpkin": "pumpkin", "Radish": "radish", "Tomato": "tomato",
}

# Part of the path in the grocery store set -> key; the first that matches.
GROCERY = [
    ("Sweet-Potato", "sweet_potato"), ("/Apple/", "apple"), ("Avocado", "avocado"), ("Banana", "banana"),
    ("/Kiwi", "kiwi"), ("/Lemon", "lemon"), ("/Lime", "lime"), ("/Mango", "mango"), ("Cantaloupe", "cantaloupe"),
    ("Galia-Melon", "galia_melon"), ("Honeydew-Melon", "honeydew_melon"), ("Watermelon", "watermelon"),
    ("Nectarine", "nectarine"), ("Fruit/Orange", "orange"), ("Papaya", "papaya"), ("Passion-Fruit", "passion_fruit"),
    ("Fruit/Peach", "peach"), ("Fruit/Pear", "pear"), ("Pineapple", "pineapple"), ("Fruit/Plum", "plum"),
    ("Pomegranate", "pomegranate"), ("Fruit/Red-Grapefruit", "grapefruit"), ("Satsumas", "mandarin"),
    ("Apple-Juice", "apple_juice"), ("Orange-Red-Grapefruit-Juice", "orange_juice"), ("Orange-Juice", "orange_juice"),
    ("Grapefruit", "grapefruit_juice"), ("Juice-Smooth", "orange_juice"), ("Mandarin-Morning", "orange_juice"),
    ("Packages/Milk/", "milk"), ("Oat-Milk", "oat_milk"), ("Oatghurt", "oat_yogurt"), ("Sour-Cream", "sour_cream"),
    ("Sour-Milk", "buttermilk"), ("Soy-Milk", "soy_milk"), ("Soyghurt", "soy_yogurt"), ("Vanilla-Yoghurt", "vanilla_yogurt"),
    ("Strawberry-Yoghurt", "strawberry_yogurt"), ("Yoghurt", "yogurt"), ("Asparagus", "asparagus"),
    ("Aubergine", "eggplant"), ("Mushroom", "mushrooms"), ("Cabbage", "cabbage"), ("Carrots", "carrot"),
    ("Cucumber", "cucumber"), ("Garlic", "garlic"), ("Ginger", "ginger"), ("Leek", "leek"), ("Onion", "onion"),
    ("/Pepper/", "bell_pepper"), ("/Potato/", "potato"), ("Red-Beet", "beetroot"), ("/Tomato/", "tomato"),
    ("Zucchini", "zucchini"),
]

# Start of the folder in the set of fruits on white -> key; the longest that matches. Others are skipped.
FRUITS_360 = {
    "Almonds": "almonds", "Apple": "apple", "Apricot": "apricot", "Avocado": "avocado", "Banana": "banana",
    "Bean pod": "green_beans", "Beetroot": "beetroot", "BlackBerry": "blackberries", "Blackberry": "blackberries",
    "Blueberry": "blueberries", "Cabbage red": "red_cabbage", "Cabbage white": "cabbage",
    "Cactus fruit": "prickly_pear", "Caju seed": "cashews", "Cantaloupe": "cantaloupe", "Carambola": "starfruit",
    "Carrot": "carrot", "Cauliflower": "cauliflower", "Cherimoya": "cherimoya", "Cherry": "cherries",
    "Chestnut": "chestnuts", "Clementine": "mandarin", "Cocos": "coconut", "Corn": "corn", "Cucumber": "cucumber",
    "Dates": "dates", "Eggplant": "eggplant", "Fig": "fig", "Ginger": "ginger", "Gooseberry": "gooseberries",
    "Granadilla": "passion_fruit", "Grape": "grapes", "Grapefruit": "grapefruit", "Guava": "guava",
    "Hazelnut": "hazelnuts", "Huckleberry": "huckleberries", "Kaki": "persimmon", "Kiwi": "kiwi",
    "Kohlrabi": "kohlrabi", "Kumquats": "kumquats", "Lemon": "lemon", "Limes": "lime", "Lychee": "lychee",
    "Mandarine": "mandarin", "Mango": "mango", "Mangostan": "mangosteen", "Maracuja": "passion_fruit",
    "Melon Piel de Sapo": "honeydew_melon", "Mulberry": "mulberries", "Nectarine": "nectarine",
    "Nut Forest": "hazelnuts", "Nut Pecan": "pecans", "Onion": "onion", "Onion Red": "red_onion", "Orange": "orange",
    "Papaya": "papaya", "Passion Fruit": "passion_fruit", "Peach": "peach", "Peanut shell": "peanuts", "Pear": "pear",
    "Pepino": "pepino", "Pepper": "bell_pepper", "Physalis": "physalis", "Pineapple": "pineapple",
    "Pistachio": "pistachios", "Pitahaya": "dragon_fruit", "Plum": "plum", "Pomegranate": "pomegranate",
    "Pomelo": "pomelo", "Potato": "potato", "Potato Sweet": "sweet_potato", "Quince": "quince",
    "Rambutan": "rambutan", "Raspberry": "raspberries", "Redcurrant": "red_currants", "Salak": "salak",
    "Strawberry": "strawberries", "Tamarillo": "tamarillo", "Tangelo": "tangelo", "Tomato": "tomato",
    "Tomato Cherry": "cherry_tomatoes", "Walnut": "walnuts", "Watermelon": "watermelon", "Zucchini": "zucchini",
}

THAI = {
    "Foi Thong": "foi_thong", "Gai Pad Med Ma Muang Himmaphan": "cashew_chicken",
    "Gung Ob Woon Sen": "shrimp_glass_noodles", "Hor Mok": "steamed_fish_curry", "Kaeng Khiao Wan": "green_curry",
    "Kaeng Massaman": "massaman_curry", "Kai Palo": "braised_eggs_pork", "Khanom Krok": "coconut_pancakes",
    "Khao Kha Mu": "braised_pork_leg_rice", "Khao Kluk Kapi": "shrimp_paste_rice",
    "Khao Man Gai": "hainanese_chicken_rice", "Khao Niao Ma Muang": "mango_sticky_rice", "Khao Soi": "khao_soi",
    "Larb": "larb", "Pad Krapow": "basil_chicken", "Pad Thai": "pad_thai", "Por Pia Tod": "spring_rolls",
    "Som Tum": "papaya_salad", "Tom Kha Gai": "tom_kha_soup", "Tom Yum Goong": "tom_yum_soup",
}

# Start of the file name in the set with a coin beside the food -> key.
ECUSTFD = {
    "apple": "apple", "banana": "banana", "bread": "bread", "bun": "steamed_bun", "doughnut": "donuts", "egg": "egg",
    "fired_dough_twist": "fried_dough_twist", "grape": "grapes", "lemon": "lemon", "litchi": "lychee",
    "mango": "mango", "mooncake": "mooncake", "orange": "orange", "peach": "peach", "pear": "pear", "plum": "plum",
    "qiwi": "kiwi", "sachima": "sachima", "tomato": "tomato",
}

# WordNet id in the set of very small images -> key.
TINY_FOOD = {
    "n07583066": "guacamole", "n07614500": "ice_cream", "n07615774": "popsicle", "n07695742": "pretzel",
    "n07711569": "mashed_potatoes", "n07715103": "cauliflower", "n07720875": "bell_pepper", "n07734744": "mushrooms",
    "n07747607": "orange", "n07749582": "lemon", "n07753592": "banana", "n07768694": "pomegranate",
    "n07871810": "meatloaf", "n07873807": "pizza", "n07875152": "pot_pie", "n07920052": "espresso",
}
# Neither clearly food nor clearly not: plates, bottles, shops, pots and pans, kitchens, things held while eating.
TINY_UNSURE = set("""n07579787 n02823428 n03983396 n03089624 n02927161 n04596742 n03400231 n04398044 n04560804 n02999410
n03937543 n02795169 n03201208 n04532670 n04099969 n12267677 n04259630 n02793495 n04597913 n04270147 n01983481
n01984695 n01910747 n01855672 n02321529""".split())

# Names that differ from the key.
NAMES = {
    "beef_tartare": "steak tartare", "cheese_plate": "cheese", "cup_cakes": "cupcake", "donuts": "donut",
    "lobster_roll_sandwich": "lobster roll", "creme_brulee": "creme brulee", "macarons": "macaron",
    "escargots": "escargot", "foi_thong": "sweet egg threads", "shrimp_glass_noodles": "shrimp with glass noodles",
    "steamed_fish_curry": "steamed fish curry", "braised_eggs_pork": "braised pork with eggs",
    "coconut_pancakes": "coconut pancakes", "braised_pork_leg_rice": "braised pork with rice",
    "shrimp_paste_rice": "shrimp fried rice", "hainanese_chicken_rice": "chicken and rice", "khao_soi": "khao soi",
    "basil_chicken": "thai basil chicken", "papaya_salad": "green papaya salad", "tom_kha_soup": "tom kha gai",
    "tom_yum_soup": "tom yum soup", "fried_dough_twist": "fried dough", "sachima": "rice krispies treat",
    "pepino": "pepino melon", "physalis": "ground cherries", "salak": "snake fruit", "mandarin": "mandarin orange", "yogurt": "plain yogurt", "soy_milk": "soy milk", "grapefruit_juice": "grapefruit juice",
    # As AIY spells them, so that they are the same food.
    "crepe": "crêpe", "com_tam": "cơm tấm", "dakgalbi": "dak-galbi", "rasmalai": "ras malai", "grilled_eel": "unagi",
    "keskek": "keşkek",
    "beyran": "lamb soup",
}


def name(key):
    """Returns the name of a key."""
    return NAMES.get(key, key.replace("_", " "))


def _all():
    keys = list(FOOD101)
    for table in (FRUIT_VEGETABLE_36, VEGETABLE_15, dict(GROCERY), FRUITS_360, THAI, ECUSTFD, TINY_FOOD):
        for key in table.values():
            if key not in keys:
                keys.append(key)
    return keys + [key for key in world.keys() if key not in keys]

CLASSES = _all()
INDEX = {key: number for number, key in enumerate(CLASSES)}

def sources_of(key):
    """Returns the sources whose images show a food, and its group."""
    tables = {"fruit_vegetable_36": FRUIT_VEGETABLE_36, "vegetable_15": VEGETABLE_15, "grocery": dict(GROCERY),
              "fruits_360": FRUITS_360, "thai": THAI, "ecustfd": ECUSTFD, "tiny_imagenet": TINY_FOOD}
    found = ["food101"] if key in FOOD101 else []
    found += [source for source, table in tables.items() if key in table.values()]
    found += [source for source in world.sources_of(key) if source not in found]
    group = {"fruit_vegetable_36": "produce", "vegetable_15": "produce", "fruits_360": "produce",
             "tiny_imagenet": "imagenet"}.get(found[0], "world" if found[0] in world.TRAINED else found[0])
    return found, group


if __name__ == "__main__":
    # The table that the program reads: python classes.py > ../models/dish-classes.tsv
    for number, key in enumerate(CLASSES):
        found, group = sources_of(key)
        print(number, name(key), group, ",".join(found), sep="\t")
