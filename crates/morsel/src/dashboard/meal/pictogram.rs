//! Small pictures of foods, chosen by the words of a food's name.

use ::foods::plural::singular;

/// What a food without a picture of its own gets.
const PLATE: &str = "plate";

/// Pictures and the words that they stand for. The first one that fits is taken, so that what a dish is called comes before what
/// it is made of: chicken soup is a soup.
const PICTURES: &[(&str, &[&str])] = &[
    (
        "sauce",
        &[
            "dressing",
            "sauce",
            "ketchup",
            "mustard",
            "gravy",
            "mayonnaise",
            "salsa",
            "syrup",
            "vinegar",
            "pesto",
            "relish",
            "chutney",
        ],
    ),
    ("icecream", &["ice cream", "gelato", "sorbet", "sherbet", "frozen yogurt", "popsicle", "sundae"]),
    ("shake", &["milkshake", "shake", "smoothie", "frappuccino", "frappe"]),
    ("nuts", &["peanut butter", "almond butter", "nut butter", "tahini"]),
    ("chips", &["potato chip", "chip", "crisp", "nacho", "pretzel", "popcorn", "cracker"]),
    ("fries", &["french fry", "fries", "fry", "hash brown", "tater tot", "onion ring"]),
    ("soup", &["soup", "broth", "chowder", "ramen", "pho", "bisque", "minestrone", "miso", "gumbo", "borscht"]),
    ("salad", &["salad", "coleslaw", "slaw", "tabbouleh"]),
    ("pizza", &["pizza", "calzone", "flatbread"]),
    ("burger", &["burger", "cheeseburger", "hamburger", "big mac", "whopper", "mcdouble"]),
    (
        "sausage",
        &["hot dog", "sausage", "frankfurter", "bratwurst", "chorizo", "salami", "pepperoni", "kielbasa", "bologna"],
    ),
    (
        "wrap",
        &[
            "wrap",
            "burrito",
            "shawarma",
            "gyro",
            "kebab",
            "quesadilla",
            "fajita",
            "enchilada",
            "spring roll",
            "egg roll",
        ],
    ),
    ("taco", &["taco", "tostada", "tortilla", "arepa", "empanada", "tamale"]),
    ("sandwich", &["sandwich", "sub", "panini", "hoagie", "blt", "bagel sandwich", "croque", "po boy", "banh mi"]),
    ("sushi", &["sushi", "sashimi", "nigiri", "maki", "california roll", "poke"]),
    (
        "pasta",
        &[
            "pasta",
            "spaghetti",
            "macaroni",
            "lasagna",
            "noodle",
            "ravioli",
            "fettuccine",
            "penne",
            "linguine",
            "pad thai",
            "gnocchi",
            "lo mein",
            "chow mein",
            "couscous",
            "tortellini",
            "alfredo",
        ],
    ),
    ("pie", &["pie", "tart", "quiche", "cobbler", "strudel", "cheesecake"]),
    ("pancake", &["pancake", "waffle", "crepe", "french toast"]),
    (
        "cake",
        &[
            "cake",
            "cupcake",
            "brownie",
            "muffin",
            "doughnut",
            "donut",
            "pastry",
            "croissant",
            "danish",
            "eclair",
            "pudding",
            "custard",
            "tiramisu",
            "flan",
            "cinnamon roll",
            "scone",
        ],
    ),
    ("cookie", &["cookie", "biscuit", "oreo", "macaron", "graham"]),
    ("chocolate", &["chocolate", "cocoa", "snicker", "kitkat", "twix", "nutella", "truffle"]),
    (
        "candy",
        &[
            "candy",
            "gummy",
            "gum",
            "sugar",
            "honey",
            "jam",
            "jelly",
            "marmalade",
            "caramel",
            "marshmallow",
            "lollipop",
            "sweet",
        ],
    ),
    (
        "cereal",
        &[
            "cereal",
            "granola",
            "oatmeal",
            "oat",
            "porridge",
            "muesli",
            "cheerio",
            "cornflake",
            "corn flake",
            "grit",
            "bran",
        ],
    ),
    (
        "rice",
        &[
            "rice",
            "risotto",
            "biryani",
            "pilaf",
            "paella",
            "quinoa",
            "jambalaya",
            "bibimbap",
            "burrito bowl",
            "bulgur",
            "polenta",
        ],
    ),
    (
        "stew",
        &[
            "curry",
            "stew",
            "chili",
            "masala",
            "dal",
            "casserole",
            "goulash",
            "tagine",
            "ragout",
            "stroganoff",
            "stir fry",
            "teriyaki",
        ],
    ),
    ("egg", &["egg", "omelet", "omelette", "frittata", "scrambled"]),
    (
        "coffee",
        &[
            "coffee",
            "latte",
            "espresso",
            "cappuccino",
            "americano",
            "mocha",
            "macchiato",
            "flat white",
            "cortado",
            "cold brew",
        ],
    ),
    ("tea", &["tea", "chai", "matcha", "kombucha"]),
    ("beer", &["beer", "ale", "lager", "stout", "cider", "ipa"]),
    (
        "wine",
        &[
            "wine",
            "champagne",
            "prosecco",
            "cocktail",
            "vodka",
            "whiskey",
            "rum",
            "gin",
            "tequila",
            "margarita",
            "sangria",
            "liqueur",
            "martini",
            "mojito",
        ],
    ),
    (
        "soda",
        &[
            "cola",
            "soda",
            "coke",
            "coca cola",
            "pepsi",
            "sprite",
            "soft drink",
            "energy drink",
            "root beer",
            "ginger ale",
            "fanta",
        ],
    ),
    ("juice", &["juice", "lemonade", "punch", "nectar", "sports drink", "drink"]),
    ("water", &["water", "seltzer"]),
    ("yogurt", &["yogurt", "yoghurt", "kefir", "skyr", "quark", "lassi"]),
    ("bacon", &["bacon", "pancetta", "prosciutto"]),
    ("chicken", &["chicken", "turkey", "duck", "drumstick", "wing", "nugget", "poultry", "goose"]),
    (
        "shrimp",
        &[
            "shrimp",
            "prawn",
            "crab",
            "lobster",
            "scallop",
            "clam",
            "mussel",
            "oyster",
            "squid",
            "calamari",
            "shellfish",
        ],
    ),
    (
        "fish",
        &[
            "fish", "salmon", "tuna", "cod", "tilapia", "trout", "sardine", "halibut", "anchovy", "mackerel",
            "herring", "haddock", "catfish", "bass",
        ],
    ),
    (
        "steak",
        &[
            "beef",
            "steak",
            "pork",
            "lamb",
            "meat",
            "ham",
            "veal",
            "rib",
            "meatball",
            "meatloaf",
            "brisket",
            "venison",
            "schnitzel",
            "liver",
        ],
    ),
    ("tofu", &["tofu", "tempeh", "seitan"]),
    ("avocado", &["avocado", "guacamole"]),
    ("potato", &["potato", "yam", "cassava"]),
    ("beans", &["bean", "lentil", "chickpea", "hummus", "falafel", "edamame", "pea"]),
    (
        "nuts",
        &[
            "nut",
            "almond",
            "walnut",
            "peanut",
            "cashew",
            "pistachio",
            "pecan",
            "hazelnut",
            "seed",
            "trail mix",
            "macadamia",
        ],
    ),
    ("butter", &["butter", "margarine", "ghee", "lard"]),
    ("oil", &["oil"]),
    (
        "cheese",
        &["cheese", "cheddar", "mozzarella", "parmesan", "feta", "brie", "gouda", "paneer", "ricotta", "camembert"],
    ),
    ("milk", &["milk", "cream", "half and half", "creamer", "buttermilk"]),
    (
        "bread",
        &[
            "bread", "toast", "roll", "bun", "bagel", "baguette", "pita", "naan", "brioche", "ciabatta", "roti",
            "chapati", "focaccia", "dumpling",
        ],
    ),
    ("tomato", &["tomato"]),
    ("banana", &["banana", "plantain"]),
    ("citrus", &["orange", "lemon", "lime", "grapefruit", "tangerine", "clementine", "mandarin", "pineapple"]),
    (
        "berries",
        &["berry", "strawberry", "blueberry", "raspberry", "blackberry", "cherry", "grape", "raisin", "cranberry"],
    ),
    (
        "apple",
        &[
            "apple",
            "pear",
            "peach",
            "plum",
            "fruit",
            "mango",
            "melon",
            "watermelon",
            "kiwi",
            "apricot",
            "nectarine",
            "papaya",
            "pomegranate",
            "fig",
            "date",
            "cantaloupe",
            "coconut",
        ],
    ),
    ("carrot", &["carrot", "squash", "pumpkin", "corn", "beet", "radish", "turnip", "sweet potato"]),
    (
        "greens",
        &[
            "broccoli",
            "spinach",
            "lettuce",
            "kale",
            "cabbage",
            "vegetable",
            "cucumber",
            "pepper",
            "zucchini",
            "asparagus",
            "celery",
            "mushroom",
            "onion",
            "cauliflower",
            "olive",
            "pickle",
            "eggplant",
            "arugula",
            "artichoke",
            "leek",
            "sprout",
        ],
    ),
];

/// Returns the id of a food's picture in `pictograms.svg`. What comes before the first comma, bracket or "with" decides, if it
/// says enough.
pub fn pictogram(name: &str) -> &'static str {
    let head = name.split([',', '(']).next().unwrap_or(name);
    let head = head.split(" with ").next().unwrap_or(head);
    find(head).or_else(|| find(name)).unwrap_or(PLATE)
}

fn find(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(|word| singular(word).unwrap_or_else(|| word.to_owned())).collect();
    let text = format!(" {} ", words.join(" "));
    let has = |name: &&str| text.contains(&format!(" {name} "));
    PICTURES.iter().find(|(_, names)| names.iter().any(has)).map(|(picture, _)| *picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dish_is_shown_before_what_is_in_it() {
        for (name, picture) in [
            ("Whole egg, boiled or poached", "egg"),
            ("White bread, toasted", "bread"),
            ("Chicken noodle soup", "soup"),
            ("Pizza, cheese", "pizza"),
            ("Bread with butter", "bread"),
            ("Peanut butter", "nuts"),
            ("French fries", "fries"),
            ("Orange juice", "juice"),
            ("Milk chocolate", "chocolate"),
            ("Greek Yogurt, Vanilla (Chobani)", "yogurt"),
            ("Eggplant, cooked", "greens"),
            ("Strawberries, raw", "berries"),
            ("Cola, diet", "soda"),
            ("Xyzzy", PLATE),
        ] {
            assert_eq!(pictogram(name), picture, "{name}");
        }
    }

    #[test]
    fn every_picture_is_drawn() {
        let drawn = include_str!("../../../assets/pictograms.svg");
        for (picture, _) in PICTURES {
            assert!(drawn.contains(&format!("id=\"{picture}\"")), "{picture}");
        }
        assert!(drawn.len() <= 15_000, "{} bytes", drawn.len());
    }
}
