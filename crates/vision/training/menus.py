"""Photos on the pages of restaurants, canteens, caterers and recipes: each is named by its file ("masala-dosa.jpg").

Every repository is a source of its own, with a few photos of each dish. So whole repositories are kept for testing, and others for
choices. Of photos for testing that look the same, one is kept; photos that look like one of these must not be trained on, wherever they
are from, nor photos that look like an image kept for other tests be used at all.
"""

import os
import re

import sources
from pack_world import CHOSEN, KEPT, TRAIN, Photos

# The folders of the repositories below the folder of pictures.
REPOSITORIES = """
0xMoni+Pergola-restaurant 0xkev21+FoodFusion 25akanksha25+Food-Ordering-Website 28h37h+Restro-In-Park
AbhijitNambiar+abhijit_restro_project Adarshsanthosh238+canteenm AdnanQuazi+Noxsh-Dine AkashParamanik+Food-matching
Akhil-Gunnala+telugu-vantakalu Akilank678+village_food AkshataVaria+Veg-O-Rama AkshayChandra09+indian-restaurant-khana
AlMarwaWagdy97+Resturant AmaduKamara+tailwindcss-restaurant-landing-page AmanS09+Swiggato Ankitkumar9955+FOOD-ORDERING-SYSTEM-JAVA-JSWING-
Anonymous-6409+Food-Ordering-Site Ar2306+restaurant_management Aroma-N-Oven+AromaNOvenFoodOrdering Aryn2001+GreenBites-Resto
AtharavaK+shreee-ganapati-sweets Atharva-Kinhikar+food-system Ayub-Adil+Restaurant-website AyushxOD+spiceswift_delivery B-Ranjitha+FoodMan
Baraththebilli+krishnagiri-street-food Benedict-Fels+Tutto-Bene BhavyaShah99+kascooking BintangKA+Nonoi-Bake
Byteloop-AI-Limited+elai-menu-images Chethankaranam96+RestaurantProject Co-okiee+Cook.in-Canteen-Management-Website
CodeWithVedang+TiffinHub DamnItAzriel+Grab-A-Bite DavinderSingh9244+spice_hut_redesign Deepakkundu4908+Kundu_cafe
Devanshu05ponia+Royal-Spoon-CICD DevelpersWork+Listing_page_zomato DhanushyaS01+SWIGGY Dileepreddy11+Tiffin_Service Dipayan23+Kadhai...
DiwiMalik+REACT EZOPINC+Swad FB04+World-Restaurant Faiz743+Food-Cloud GopendraSoni01+Famous-Food-Of-India Gurudath-tulupule+arfoodmenu
Haffshah+Assignment_12_Model_Example Hamadn+HungryHub Hara0706+FoodMania-Blog Harrith2001+south-asian-street-food-kg
HarshSheta+Food-Photo-Gallery Harshadhote+THE-TASTE-OF-INDIA-FOOD-BLOG-WEBSITE Harshini2411+Food-Website HassaanBhae+Foodistan
Hell4U+Food-Ordering-System Hemanadhan2104+Yummart HemanthTK+Food-Hub IGxHUNTER+Online-Order-Project Immu581+Foody
Ishmal-Maqsood123+restaurant-website IvanDellaVecchia+mhw3 JainRecipes+JainRecipes.github.io Jayshikha+Delicious_Food_Resto
Jhansi-kasa+restaurant_website Jhessiny+rest-menu Jordo3346+india-gate Junaid20001+foodApplication KOTHA-SRIVIBHU+eatfull
KaleruSaiShankar+Restaurant_1 KanadeAt25+cherry KavyaSahithi+Malini-s-Kitchen KumarAmbuj+fooding_website KunSin01+restaurantmenu
Kushal20012000vajravelu+Healthy_treats LOHITHAKOTA+flavour-fusion LasyaGanesuni+website LostBoy143+Food-Mania LubnaMBsharat+Zafaran
MElsayed3+Restaurant_Menu MONIKA-4268+ENDLESS_CRAVE Maharashtrian-Thali+Maharashtrian-Thali Mamalaivasan99+react-food-cart
ManjuKB182+TaayiKaiRuchi MayankS0786+Food_Service Mehdi-Zafar+Restaurant-menu MohammedRazi93+restaurant-project
Mounika-2325+spicy-garden-restaurant MuhammedRiyasKT+tastyfood Mujahid-Alam+ColdChill Muzzamil767+Restaurent_demo
Navaneethan9025+canteen-manage NewSwavir+KitchenWebsite NikitaMahindrakar+Canteen-Management-System Nishu2201+Foody_hub
Nooree0413+RecipeHouse OmkarYD7666+vln-catering-website Poovarasan-11+FoodApplicationFrontend PratikshaShinde21+rasoi-rani
Praveen-SPK+Add_To_Cart- PraveenDubbaka+bawarchi-toronto-website PurnitaSharma+Restaurant_app PuruPanda1+foodcanteen Purvesh06+PuruFoods
Rahul-Kumar-Parida+MINI-RESTAURANT-WEBSITE Ravishekhar7870+indian-flavours ReddyYeshwanth+RecipeSite1 Refnas+food-india
Rohit62023+Online_Food_Ordering_System RutPac123+vitcanteens.github.io SANJAY-ACC+Food-Frenzy Saahil97+Online-Canteen-Ordering
Sahil0705+Filter_Food_Menu_Gallery-ReactApp SahillKhatri+mydietitiancode ShafiMohammad09+College-Canteen ShreyaTapkir+KhanaKhazana
Shreyamu37+Food-ordering-system Sravani9014+RuchiZoneFrontEnd Srushti57+foodorder Sudhanva07+Static-catering-website
Sumitkumbhar15+assignment_18 SwarnakaS+online-food-delivery Syed-shan46+Swiggy-clone Utsav3108+Order-Your-Snacks
Utsavkarkar+HotelMenuWithJs Varshitha269+Hotpot-Forntend Vipulbelekar+Essence-of-India Yashwant125+Restaurant-Web-App YogeshK05+Go4Food
aadarshchandel+foodii-app adhityarangaraj+campus-snack adityasahu-l+recipe-website akhila-248+websweetnspicy akkds1022+recipe-app-WEBX
akshay898+Freya-s-Cookbook akshaykumarbedre+restrent_web akshithavelugu+smart-kitchen ananayagoyal+FoodOrderingWebsite
anandhuchandrabose+tastyfood ankurkohli007+Restaurant-Website-HTML-CSS anshikasharma2401+Yummy-Yatra-Web anshpokar+food-website
anumohan10+Online-Food-Ordering-System asaraf123+masala ayushio18+Food-App-Backend azfaryasin+campus-bites-hackathon-project
baptisteaubert+bazil-website baymax31-tadashi+dasheats-tempo bejaouiAhmed20+menu bharathwinsirimalla+BeyondTaste bhuvi194+Food-Jungle
carlsoncookbook+carlsoncookbook.github.io chaitanyapeddada+breakfast-react-app cheshta23+desi_zayka cnguyen-13+Indian-Restaurant
dhivya141101+Yummify-Book divya7gupta+recipes drgjena+bvchitechcanteen everestcuisinenorthbay+northbay-website fahim5120+Malabar-ruchi
giblimdev+recettesHacienda gopika30-b+CREATIVE-CookingWebsite hema-achuta+VIIT_Canteen hotelsainamaskaram+HotelSaiNamaskaram hrs+recipes
hvrindavanam+kitchen imadhavsharma+Canteen-Preorder ishant5556+DelishBite k-amith1610+foody-zone-api kesava-kumar-kavuru+DostiTiffinsWeb
kevenpanchal+Restaurant-Menu khariharan36-btech+SScatering-website koinkaro+cofee krithikravi+IndianFoodClassifier ksdhir+restaurant-app
kupendrav+my_web_page_miniproject lisahughlett+chowdown maheshbabu898+ANDHRA-TIFFINS mandybess+mandybess.github.io
manideepak12+Kitchen-Canvas maryam274+nuxt-recipe-app meenal315+jodhpur mohammadrakib29+INDIAN_FOOD mohiteakanksha+food-delivery
muskanlikhar+tabletrove neildsouza32+Canteen nikki-nikitha17+hotel-website noddy0203+resto-menu nutanrestaurant+nutan
pdhiran+goko-hostel-menu prashanth0926+spicecastle-server priyagupta9+FreshmealsRestro-PriyaHC rajugaribiryani+raju_gari_biryani
rameez-sidd+Restaurant-Site ravk24+Food-Display restro+asrwebsite rohansripad+food-images rpfood+rpfood.github.io s-a-c-h-i-n+BOX4U
saikiran54-arch+instantIndian sanjanakashimkar+Madhuprem_cateres sasikala-07+Mamta-Bhojnalaya saumy-sh+Indian-Food-Classifier
shrishti9456+foodie soumen7saha+IndFood-Image-Classification sree244+spot_the_dish sumit91188+RenukaCaterers
swati-mahamuni+mini-resto-menu techbantu+GharSe theaashiq+hotelmenucard theavsingh+The-Desi-Kitchen-WebDesign-Project
theroyalkitchen+theroyalkitchen.github.io vanaja1678+nalapaka-express varshu-git+restaurant-app vedantasija2012+food_ordering_website
visheshtachauhan+aharic yuniel2001cu+food_indi_005
""".split()
# What the words of a file name show: the first that matches. None is food without a class of ours; SKIP is several dishes, or none.
SKIP = "skip"
DISHES = [
    (r"idli.*(vada|dosa)|dosa.*(vada|idli)|(dosakaya|pachadi|corn vada|masala vada|dal vada|batata vada|combo|thali|meals?\b|platter"
     r"|menu|banner|hero|logo|icon|bg|background|slide|button|chutney|\bmix\b|kit|house|restaurant|category|batter|powder|home|page"
     r"|category)", SKIP),
    (r"dosa.*sandwich|samosa.*(chaat|chat|ragda)|idli.*(fry|manchurian|chilli|65)|chilli idli|pizza.*dosa|(puff|wrap|roll"
     r"|frankie).*pizza", SKIP),
    (r"\brava idli|\bidli|\bidly|\bidlys|\bidlis|idlyfood", "idli"), (r"dosa|dosas|dosai|uttapam paper", "dosa"),
    (r"biriyani|biryani|briyani|biriani|biryan\b", "biryani"),
    (r"paneer (butter|makhani)|panner butter|butter pan?neer|shahi pan?neer|paneerbutter|pannerbutter|butter ?paneer|shahipaneer"
     r"|paneer makhan", "paneer_butter_masala"),
    (r"butter ?chicken|chicken makhani|murgh makhani|chicken butter masala", "butter_chicken"),
    (r"kadh?ai pan?neer|karahi paneer|kadaipan", "kadai_paneer"), (r"paneer tikka pizza|\bpizza", "pizza"), (r"samosa", "samosa"),
    (r"vada ?pav|vadapaav|varapaw|dahi ?vada|sabudana|curd vada", None),
    (r"med[uh]+ ?vada|\bvada$|\bvadai|medhu|ulundu|sambar vada|\bvade\b", "medu_vada"), (r"burger", "hamburger"),
    (r"pav ?bhaji|paav ?bhaji|pavbaji|pawbhaji|pav bhajji", "pav_bhaji"),
    (r"pan[iy] ?p(u|oo)ri|golgapp|puchka|phuchka|paanipoori|gol gapp", "pani_puri"),
    (r"chole? ?bhat|cholebhat|chhole bhat", "chole_bhature"), (r"dal ?makhani|daal makhani", "dal_makhani"),
    (r"dal ?tadka|tadka dal|daal tadka|dal fry", "dal_tadka"), (r"gulab|jamun\b|gulaab", "gulab_jamun"),
    (r"jalebi|jilebi|jilapi", "jalebi"), (r"rasmalai|ras malai|rasmalia|rasmali\b", "rasmalai"),
    (r"rasgul|rasagul|rosogul|rosgul|rasgool", "rasgulla"), (r"kheer|payasam|payesh", "kheer"), (r"kulfi", "kulfi"),
    (r"falooda|faluda", "falooda"), (r"poha\b|kandapoha|poha$", "poha"), (r"upma|uppit", "upma"),
    (r"dhokla|dohkla|dhakoli|khaman", "dhokla"), (r"pakora|pakoda|pakode|bhaji(a|ya)\b|onion bhaji|pakodi", "pakora"), (r"momo", "momo"),
    (r"naan\b|\bnaan|butternaan", "naan"), (r"roti\b|chapa(t|th)i|phulka", "roti"),
    (r"paratha|parotha|parantha|parata\b|parotta|porotta|porota", "paratha"), (r"chicken tikka masala|tikka masala", None),
    (r"chicken ?tikka", "chicken_tikka"), (r"tandoori ?chicken|chicken tandoori", None),
    (r"(chana|channa) ?masala|\bchole\b|chola bhuna|chickpea curry", "chana_masala"), (r"rajma", "rajma"), (r"sambh?ar\b", "sambar"),
    (r"jeera ?rice", "jeera_rice"), (r"pulao|pulav|pulaw|pilau", "pulao"), (r"khichdi|khichadi|khichuri|kichdi", "khichdi"),
    (r"haleem", "haleem"), (r"nihari|nehari", "nihari"), (r"egg curry|egg masala|eggcurr", "egg_curry"),
    (r"palak ?pan?neer|malai ?kofta|matar paneer|paneer tikka|aloo gobi|rogan ?josh|vindaloo|korma|\bmutton|\blamb|palak|kofta", None),
    (r"chicken curry|chicken masala|curry chicken|chickencurry", "chicken_curry"), (r"seekh ?kebab|seekh kabab|sheekh", "seekh_kebab"),
    (r"kathi ?roll|kaathi", "kathi_roll"), (r"\bchaat\b", "chaat"), (r"\bchai\b|masala ?tea|masalachai", "chai"), (r"lassi", None),
    (r"maggi", "maggi_noodles"), (r"fried ?rice|friedrice|chahan", "fried_rice"),
    (r"(white|plain|steamed|basmati|boiled) ?rice|^rice$", "white_rice"),
    (r"lemon rice|curd rice|tomato rice|coconut rice|rice bowl", None), (r"spagh?etti.*(bolog|meat)|bologn", "spaghetti_bolognese"),
    (r"carbonara", "spaghetti_carbonara"), (r"^spagh?etti$", "spaghetti_bolognese"),
    (r"mac(aroni)?( and| n|n)? ?cheese|macncheese", "macaroni_and_cheese"), (r"lasagn", "lasagna"), (r"ravioli", "ravioli"),
    (r"gnocchi", "gnocchi"), (r"pasta|penne|alfredo|fettuc|linguine|noodles?\b|chowmein|chow mein|hakka", None), (r"risotto", "risotto"),
    (r"paella", "paella"), (r"french ?fries|^fries$|frenchfries|finger chips", "french_fries"), (r"hot ?dog", "hot_dog"),
    (r"onion ?rings", "onion_rings"), (r"nachos", "nachos"), (r"tacos?\b", "tacos"), (r"quesadilla", "chicken_quesadilla"),
    (r"guacamole", "guacamole"), (r"churros", "churros"), (r"caesar ?salad|cesar salad|ceasar", "caesar_salad"),
    (r"greek ?salad", "greek_salad"), (r"caprese", "caprese_salad"), (r"tiramisu", "tiramisu"), (r"(cheese ?cake)", "cheesecake"),
    (r"red ?velvet", "red_velvet_cake"), (r"carrot ?cake", "carrot_cake"), (r"(choco|chocolate).*(lava|truffle)", None),
    (r"choco(late)? ?cake|chocolatecake|black forest", "chocolate_cake"), (r"chocolate mousse|choco mousse", "chocolate_mousse"),
    (r"cup ?cake", "cup_cakes"), (r"panna ?cot", "panna_cotta"), (r"creme ?brul", "creme_brulee"), (r"mac(a)?rons?\b", "macarons"),
    (r"apple ?pie", "apple_pie"), (r"baklava", "baklava"), (r"cannoli", "cannoli"), (r"donut|doughnut", "donuts"),
    (r"pan ?cakes?\b", "pancakes"), (r"waffle", "waffles"), (r"ice ?cream|icecreame|gelato", "ice_cream"),
    (r"french ?toast", "french_toast"), (r"brownie|pastry|cake\b|cookie", None), (r"spring ?roll", "spring_rolls"), (r"sushi", "sushi"),
    (r"ramen", "ramen"), (r"pad ?thai", "pad_thai"), (r"\bpho\b", "pho"), (r"gyoza", "gyoza"), (r"dumpling", "dumplings"),
    (r"miso soup", "miso_soup"), (r"hot (and|n|&) sour", "hot_and_sour_soup"), (r"peking duck", "peking_duck"), (r"bibimbap", "bibimbap"),
    (r"takoyaki", "takoyaki"), (r"sashimi", "sashimi"), (r"falafel", "falafel"), (r"hummus", "hummus"), (r"shawarma|shawerma", "shawarma"),
    (r"bruschetta", "bruschetta"), (r"garlic ?bread", "garlic_bread"), (r"omelet|omlet", "omelette"),
    (r"fish (and|n) chips", "fish_and_chips"), (r"club ?sandwich", "club_sandwich"), (r"grilled cheese", "grilled_cheese_sandwich"),
    (r"chicken ?wings|hot wings|buffalo wings", "chicken_wings"), (r"\bsteak", "steak"), (r"grilled ?salmon|^salmon$", "grilled_salmon"),
    (r"fried ?chicken|friedchicken", "fried_chicken"), (r"calamari", "fried_calamari"), (r"lentil soup", "lentil_soup"),
    (r"dolma", "dolma"), (r"lahmacun", "lahmacun"), (r"menemen", "menemen"), (r"imam bayildi", "imam_bayildi"),
    (r"sandwich|soup|salad|wrap|roll", None),
]
DISHES = [(re.compile(words), dish) for words, dish in DISHES]


def split_of(repository):
    """Returns what the photos of a repository are for."""
    share = sources.share("menu" + repository)
    return KEPT if share < 0.3 else CHOSEN if share < 0.42 else TRAIN


def words_of(path):
    """Returns the words of a file name, without numbers."""
    name = re.sub(r"([a-z])([A-Z])", r"\1 \2", os.path.basename(path).rsplit(".", 1)[0]).lower()
    return " ".join(re.sub(r"[^a-z ]", " ", name.replace("%20", " ")).split())


def dish_of(path):
    """Returns the key of the dish that a file shows, None for another food, or SKIP."""
    words = words_of(path)
    if not 3 <= len(words) <= 45:
        return SKIP
    return next((dish for pattern, dish in DISHES if pattern.search(words)), SKIP)


def listed(pictures):
    """Returns (path, function that reads it, key or None, split) of every photo that is used."""
    for repository in REPOSITORIES:
        photos, split = Photos(os.path.join(pictures, repository)), split_of(repository)
        for path, blob in sorted(photos.paths().items()):
            is_picture = path.lower().endswith((".jpg", ".jpeg", ".png", ".webp", ".jfif"))
            dish = dish_of(path) if is_picture else SKIP
            if dish != SKIP and (dish or split == TRAIN):
                yield f"{repository}/{path}", lambda photos=photos, blob=blob: photos.read(blob), dish, split
