"""The photos of dishes of the world: what each folder shows, and which sources are only for testing.

TRAINED are the sources that the networks learn from; one photo of eight, by its name, is left out for validation. KEPT are dishes of
sources of which no photo is trained on, to measure how well a dish is recognized in photos from elsewhere. CHOSEN are kept in the
same way, but used for choices such as the bias of the new dishes and the averaging of weights.
"""

CHINESE = {"00": "mapo_tofu", "01": "kung_pao_chicken", "02": "twice-cooked_pork", "03": "yuxiang_pork", "04": "sichuan_boiled_fish",
           "05": "fried_eggplant", "06": "shredded_potatoes", "07": "stir-fried_tomato_and_scrambled_eggs", "08": "di_san_xian",
           "09": "cooked_lettuce", "10": "red_braised_pork_belly", "11": "sweet_and_sour_spare_ribs", "12": "red_braised_pork_belly",
           "13": "peking_shredded_pork", "14": "dumplings", "15": "baozi", "16": "fried_rice", "17": "zhajiangmian",
           "18": "mongolian_lamb", "19": "crayfish"}
KOREAN = ["bibimbap", "bulgogi", "grilled_mackerel", "jjamppong", "ramyeon", "yangnyeom_chicken", "doenjang-jjigae",
          "beef_bone_soup", "gimbap", "jeyuk_bokkeum", "jjajangmyeon", "kal-guksu", "kimchi-jjigae", "dumplings", "pajeon",
          "samgye-tang", "samgyeopsal", None, "tteokbokki", "tteokguk"]
KOREAN_MORE = ["dumplings", "perilla_leaves", "multigrain_rice", "jeyuk_bokkeum", "kimchi-jjigae", "samgyeopsal", "doenjang-jjigae",
               "beef_bone_soup", "ramyeon", "yangnyeom_chicken", "fried_chicken", "kimchi", "kkakdugi", "bulgogi", "grilled_mackerel",
               "jjajangmyeon", "jjamppong", "fried_egg", "steamed_egg"]
TURKISH = {"acibademKurabiyesi": "almond_cookies", "aciliEzme": "ezme", "adanaKenap": "adana_kebab", "akcaabatKofte": "kofta",
           "alacaCorba": "lentil_soup", "aliNazik": "alinazik_kebab", "amerikanSalatasi": "russian_salad",
           "armutTatlisi": "poached_pear", "arnavutCigeri": "fried_liver", "asure": "ashure", "ayran": "ayran", "ayvaTatlisi": None,
           "balikCorbasi": "fish_soup", "bamya": "okra_stew", "bamyaCorbasi": "okra_stew", "barbunya": "borlotti_beans",
           "beyranCorbasi": "beyran", "beyti": "beyti", "bezelye": "pea_stew", "brokoliCorbasi": "broccoli_soup",
           "brokoliYemegi": "broccoli", "bulbulYuvasi": "baklava", "bulgurPilavi": "bulgur_pilaf", "cacik": "cacık",
           "cagKebabi": "cağ_kebabı", "cevizliBaklava": "baklava", "cezerye": None, "cicekDolmasi": "dolma",
           "cigerKavurma": "fried_liver", "Gullac": "gullac", "cigKofte": "cig_kofte", "cobanSalata": "shepherd_salad",
           "danaBonfile": "steak", "hamsiPilav": None, "hamsiTava": "fried_anchovies", "izgaraKofte": "kofta",
           "izmirKofte": "izmir_kofte", "kadinbuduKofte": "kadinbudu_kofte", "katmer": "katmer", "kiymaliPide": "pide",
           "kunefe": "kanafeh"}
BANGLADESHI = {"Beef Kala Bhuna": "beef_curry", "Biryani": "biryani", "Doi": "mishti_doi", "Egg_omlete": "omelette",
               "Haleem": "haleem", "Hilsha_fish": "hilsa", "Kabab": "seekh_kebab", "Kalojam": "gulab_jamun", "Khichuri": "khichdi",
               "Nehari": "nihari", "Phuchka": "pani_puri", "Porota": "paratha", "Rajvog": "rasgulla", "Ravogsai": None,
               "Roshmalai": "rasmalai", "Rosogolla": "rasgulla", "S.P.Chomchom": "cham_cham", "Sada Chomchom": "cham_cham",
               "Kasmiri Chomchom": "cham_cham", "Sajer Pitha": "pitha", "Shamok Pitha": "pitha", "Nokshi Pitha": "pitha",
               "Pakon Pitha": "pitha", "Shemai": "seviyan", "Balosai": None, "Chola_bhuna": "chana_masala",
               "Dim Bhuna": "egg_curry", "Faluda": "falooda", "Golap Jam": "gulab_jamun", "Cream Jam": "gulab_jamun",
               "Hafsi Sondesh": "sandesh", "Kacha Golla": "sandesh", "Jilapi": "jalebi", "Lemon Barfi": None,
               "Maoyaa Laddo": None, "Morog_polao": "pulao", "Payesh": "kheer"}
# Name of the source: repository, the folder above the dishes, and what each folder shows: a key, or None for food without a name.
TRAINED = {
    "indian_20": ("OriolRamosNavarro+Machine-Learning-Indian-food-photo-detection", "Food Classification", {
        "butter_naan": "naan", "chai": "chai", "chapati": "roti", "chole_bhature": "chole_bhature", "dal_makhani": "dal_makhani",
        "dhokla": "dhokla", "idli": "idli", "jalebi": "jalebi", "kaathi_rolls": "kathi_roll", "kadai_paneer": "kadai_paneer",
        "kulfi": "kulfi", "masala_dosa": "dosa", "momos": "momo", "paani_puri": "pani_puri", "pakode": "pakora",
        "pav_bhaji": "pav_bhaji", "samosa": "samosa", "fried_rice": "fried_rice"}),
    "goan": ("TanayaBandodkar+FoodDataset", "Food_Classification_Unannoted-Dataset/*", {
        "Pohaa": "poha", "Upma": "upma", "medu vada": "medu_vada", "Rice bhakri": "bhakri"}),
    "indian_40": ("Swayam1231+indian-food-ml", "dataset/*", {
        "butter_chicken": "butter_chicken", "paneer_butter_masala": "paneer_butter_masala", "shahi_paneer": "paneer_butter_masala",
        "chole": "chana_masala", "paratha": "paratha", "chaat": "chaat", "maggi": "maggi_noodles", "chicken_tikka": "chicken_tikka",
        "egg_curry": "egg_curry", "gulab_jamun": "gulab_jamun", "jeera_rice": "jeera_rice", "kheer": "kheer", "rajma": "rajma",
        "sambar": "sambar", "dal_tadka": "dal_tadka", "veg_pulao": "pulao", "aloo_sabzi": "aloo_sabzi", "chicken_biryani": "biryani",
        "veg_biryani": "biryani", "bread_omelette": "omelette"}),
    "bangladeshi": ("Ishmam97+Bangladeshi-Food-Dataset", "*", BANGLADESHI),
    "vietnamese": ("Harly-1506+4VNfoods-Deep-learning", "datasets/dataset/*", {
        "Banh mi": "banh_mi", "Com tam": "com_tam", "Banh trang nuong": "banh_trang_nuong", "Pho": "pho"}),
    "chinese": ("ColorlessSink+ChineseFoodClassification", "dataset_20cls/*", CHINESE),
    "korean": ("woletee+korean_food_detection", "train", KOREAN),
    "korean_more": ("woletee+korean_food_detection", "train1", KOREAN_MORE),
    "turkish_30": ("cccaaannn+food_images", "30_class/*", TURKISH),
    "turkish_20": ("cccaaannn+food_images", "ingredient_extraction/*", TURKISH),
    "turkish_10": ("kardesprojeler+FoodRecognition", "images", {
        "Imam Bayildi": "imam_bayildi", "Menemen": "menemen", "Iskender": "iskender", "Pilav": "rice_pilaf"}),
    "armenian": ("tbantikyan+armenian-dish-classification", "dataset/*", {
        "basturma": "basturma", "harissa": "keskek", "lahmajo": "lahmacun", "manti": "manti", "spas": "yogurt_soup",
        "tolma": "dolma", "gata": None, "ghapama": None, "kofta": None}),
    "korean_menu": ("Food-4-Instructions+picSource", "", {
        "bibim naengmyeon": "bibim_naengmyeon", "mul naengmyeon": "naengmyeon", "bossam": "bossam", "budaejjigae": "budae_jjigae",
        "dakgalbi": "dakgalbi", "eel": "grilled_eel", "pork cutlet": "tonkatsu", "porridge": "congee", "shabu": "shabu-shabu",
        "sundae": "blood_sausage", "sweet and sour pork": "sweet_and_sour_pork", "webfoot octopus": "octopus",
        "rice": "white_rice", "sausage": "sausage", "shrimp": "shrimp", "curry": "japanese_curry", "chicken": "fried_chicken",
        "spaghetti": None, "cake": None}),
    "street_food": ("Beruga-89+street_food_classifier", "popular_street_foods/dataset", {
        "arepas": "arepa", "crepes": "crepe", "currywurst": "currywurst", "empanadas": "empanada",
        "kebab_(shish_kebab)": "shish_kebab", "shawarma": "shawarma"}),
    "indonesian": ("230712245+indonesian-food-classification", "budaya_nusantara_foods/dataset/*", {
        "gudeg": "gudeg", "pempek": "pempek", "rendang": "rendang", "papeda": None}),
    "indonesian_cakes": ("AndiraGita+indonesian-food-image-classification", "data/*", {
        "kue-lapis": "kue_lapis", "roti-kukus-mekar": None}),
    "yoruba": ("samsonafo+dish-predictor", "data/Yoruba", {
        "amala": "amala", "eba": "eba", "efo": "efo_riro", "ewedu": "ewedu", "fufu": "fufu", "iyan": "pounded_yam"}),
    "food101_six": ("Jacopoo0+ML_food_classifier", "dataset", {
        "apple_pie": "apple_pie", "bruschetta": "bruschetta", "cannoli": "cannoli", "edamame": "edamame", "gnocchi": "gnocchi",
        "sushi": "sushi"}),
}
CHOSEN = {
    "indian_7": ("rishabhGit24+Indian_food_Deeplearning_CNN", "*", {
        "dosa": "dosa", "idly": "idli", "vada": "medu_vada", "biriyani": "biryani", "biryani": "biryani",
        "aloo_paratha": "paratha or aloo paratha", "fried-rice": "fried_rice", "burger": "hamburger"}),
    "turkish_10": ("kardesprojeler+FoodRecognition", "images", {
        "Dolma": "dolma", "Lahmacun": "lahmacun", "Manti": "manti"}),
    "street_food": ("Beruga-89+street_food_classifier", "popular_street_foods/dataset", {
        "pani_puri": "pani_puri", "samosas": "samosa", "poutine": "poutine", "churros": "churros", "falafel": "falafel",
        "fish_and_chips": "fish_and_chips", "tacos": "tacos", "pad_thai": "pad_thai", "hot_dog": "hot_dog",
        "burger": "hamburger", "pretzel": "pretzel", "gelato": "ice_cream"}),
}
KEPT = {
    "goan": ("TanayaBandodkar+FoodDataset", "Food_Classification_Unannoted-Dataset/*", {
        "dosa": "dosa", "idli": "idli", "Dokhala": "dhokla", "roti": "roti", "samosa": "samosa"}),
    "pakistani": ("Shaheer04+Pakistani-Food-Classifier", "data/Fooddataset", {
        "biryani": "biryani", "french_fries": "french_fries"}),
    "indian_40": ("Swayam1231+indian-food-ml", "dataset/*", {
        "rasgulla": "rasgulla", "khichdi": "khichdi", "vada": "medu_vada", "roti": "roti", "naan": "naan", "pakoda": "pakora",
        "chicken_curry": "chicken_curry or butter chicken"}),
    "korean_menu": ("Food-4-Instructions+picSource", "", {
        "jjajang": "jjajangmyeon", "jjambbong": "jjamppong", "kalguksu": "kal-guksu", "kimchi": "kimchi",
        "samgyeobsal": "samgyeopsal", "topokki": "tteokbokki", "fried egg": "fried_egg",
        "buchimgae": "pajeon or kimchi-buchimgae"}),
    "food101_eleven": ("joaopmarques66+FoodDataset", "images", {
        "apple_pie": "apple_pie", "chocolate_cake": "chocolate_cake", "churros": "churros", "guacamole": "guacamole",
        "hamburger": "hamburger", "pancakes": "pancakes", "pizza": "pizza", "risotto": "risotto",
        "spaghetti_bolognese": "spaghetti_bolognese", "tacos": "tacos", "waffles": "waffles"}),
    "indonesian_cakes": ("AndiraGita+indonesian-food-image-classification", "data/*", {"lumpia": "spring_rolls"}),
}


def keys():
    """Returns the keys of all dishes, in the order in which they first appear."""
    found = []
    for _, _, folders in TRAINED.values():
        for key in folders.values() if isinstance(folders, dict) else folders:
            if key and key not in found:
                found.append(key)
    return found


def sources_of(key):
    """Returns the sources whose photos of a dish are trained on."""
    return [source for source, (_, _, folders) in TRAINED.items()
            if key in (folders.values() if isinstance(folders, dict) else folders)]
