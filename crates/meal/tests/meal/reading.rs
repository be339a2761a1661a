//! What people really type: lists, shorthand, shares, denials, stories, numbers that count nothing.
//!
//! Most tests compare two ways to say the same, so that they hold whatever the foods of the catalog are called.

use meal::Estimate;

use crate::{assert_same, assert_share, estimate, foods};

#[test]
fn amounts_may_stand_behind_their_foods() {
    assert_same(&[
        ("ham 60g bread 50g butter 10g", "60 g ham, 50 g bread, 10 g butter"),
        ("apple 2 orange 1", "2 apple, 1 orange"),
        ("rice 100g, lentil soup 200g", "100 g rice, 200 g lentil soup"),
        ("ham 150, potato 200", "150 g ham, 200 g potato"),
        ("Eggs: 2, toast: 1 slice", "2 eggs, 1 slice toast"),
        ("pasta 80g uncooked", "80 g uncooked pasta"),
    ]);
}

#[test]
fn a_measure_without_a_number_is_one() {
    assert_same(&[
        ("tbsp peanut butter", "1 tbsp peanut butter"),
        ("slice bread, cup rice", "1 slice bread, 1 cup rice"),
        ("toast with tsp honey", "toast with 1 tsp honey"),
    ]);
}

#[test]
fn a_weight_behind_a_counted_food_weighs_it() {
    assert_same(&[
        ("a bag of crisps 75 g", "75 g crisps"),
        ("1 piece papaya 150 g", "150 g papaya"),
        ("a bowl of lentil soup weighing 250 g and an apple", "250 g lentil soup and an apple"),
    ]);
}

#[test]
fn a_size_may_stand_behind_a_name() {
    assert_same(&[
        ("french fries large", "large french fries"),
        ("coke small and a burger", "small coke and a burger"),
    ]);
}

#[test]
fn a_dish_may_be_counted_by_what_is_in_it() {
    let omelette = estimate("an omelette of 3 eggs and toast");
    assert_eq!(omelette.items.len(), 2, "{:?}", foods(&omelette));
    assert_share("omelette of 2 eggs", "omelette of 4 eggs", 0.5);
    assert_same(&[("kit kat 4 fingers", "4 fingers of kit kat")]);
    assert_eq!(estimate("ramen with 2 eggs").items.len(), 2, "no one counts ramen by eggs");
}

#[test]
fn everyday_names_mean_what_the_list_says() {
    for (text, id) in
        [("a fruit drink", "fndds_92530610"), ("20 g of low fat spread", "fndds_81104010"), ("white fish", "sr_15016")]
    {
        let meal = estimate(text);
        assert_eq!(meal.items.last().map(|item| item.food.id.as_str()), Some(id), "{text}");
    }
}

#[test]
fn lines_and_meals_have_labels() {
    assert_same(&[
        ("1. oatmeal 2. banana 3. coffee", "oatmeal. banana. coffee"),
        ("breakfast: an apple lunch: a burrito", "an apple. a burrito"),
        ("B: an apple L: a burrito D: 100 g rice", "an apple. a burrito. 100 g rice"),
    ]);
}

#[test]
fn in_a_list_of_grams_a_bare_number_is_grams() {
    assert_same(&[("120 g flour, 90 sugar, 60 g butter", "120 g flour, 90 g sugar, 60 g butter")]);
    let eggs = estimate("120 g flour, 2 eggs, 60 g butter");
    assert!(eggs.items[1].weight.grams > 60.0, "{:?}", eggs.items[1].weight);
}

#[test]
fn numbers_of_names_count_nothing() {
    assert_same(&[
        ("9 layer dip", "layer dip"),
        ("2 omega 3 eggs", "2 eggs"),
        ("30 g of type 550 flour", "30 g flour"),
        ("a seven up", "a 7up"),
        ("a 7 up", "a 7up"),
    ]);
    for text in ["16 bean soup", "12 grain bread", "200 ml 3,5 % milk", "five guys hamburger"] {
        let estimate = estimate(text);
        assert_eq!(estimate.items.len(), 1, "{text}");
        assert!(estimate.totals().calories < 1_200.0, "{text}: {}", estimate.totals().calories);
    }
}

#[test]
fn an_absurd_count_is_not_an_amount() {
    assert_share("700 tacos", "a taco", 1.0);
    assert!(estimate("300 coffee").items[0].weight.grams < 500.0);
    let kilos = estimate("3 kg of peanuts");
    assert!((kilos.items[0].weight.grams - 3_000.0).abs() < 1.0, "a mass is what it says");
    assert!(estimate("12 tacos").items[0].quantity > 11.0);
}

#[test]
fn a_dish_told_by_its_ingredients_is_those() {
    assert_same(&[
        ("shake: 1 banana, 1 cup milk, 1 tbsp honey", "1 banana, 1 cup milk, 1 tbsp honey"),
        ("an omelet of 2 eggs and 20 g cheddar", "2 eggs and 20 g cheddar"),
        ("waffles made from 1 cup flour, 2 eggs", "1 cup flour, 2 eggs"),
        ("salad with 100 g lettuce, 1 tomato and 1 tbsp olive oil", "100 g lettuce, 1 tomato and 1 tbsp olive oil"),
        ("banana pancakes (1 banana, 2 eggs)", "1 banana, 2 eggs"),
        ("dinner at the lake: a burrito", "a burrito"),
    ]);
    assert_eq!(estimate("tomato salad with 1 tbsp olive oil").items.len(), 2, "one addition is an addition");
}

#[test]
fn shares_are_of_what_they_speak_of() {
    assert_share("8 oz steak, ate about half", "8 oz steak", 0.5);
    assert_share("a large pizza, ate a quarter of it", "a large pizza", 0.25);
    assert_share("a can of cola, left a third of it", "a can of cola", 2.0 / 3.0);
    assert_share("shared a large pizza with two friends", "a large pizza", 1.0 / 3.0);
    assert_share("large fries, shared with my sister", "large fries", 0.5);
    assert_share("half of the fries", "fries", 0.5);
    assert_same(&[("an apple and 100 g fries, ate half of the fries", "an apple and 50 g fries")]);
    let dessert = estimate("a banana split");
    assert!((dessert.items[0].quantity - 1.0).abs() < 1e-9, "nobody split it");
}

#[test]
fn what_was_not_eaten_is_not_counted() {
    assert_same(&[
        ("ordered soup but didn't eat it, just an apple", "just an apple"),
        ("skipped lunch, then a burrito and an apple", "a burrito and an apple"),
        ("bread no butter just honey", "bread, honey"),
        ("didn't finish my 6 oz steak", "6 oz steak"),
    ]);
}

#[test]
fn dishes_can_be_ordered_without_a_part() {
    for (text, dish) in
        [("cheeseburger without the bun", "cheeseburger"), ("bean burrito, no tortilla", "bean burrito")]
    {
        let (without, whole) = (estimate(text), estimate(dish));
        assert_eq!(without.items.len(), 1, "{text}");
        let share = without.totals().calories / whole.totals().calories;
        assert!((0.3..0.95).contains(&share), "{text} is {share} of {dish}");
        assert!(without.totals().carbs < whole.totals().carbs, "{text}");
        assert!(without.items[0].food.name.contains(", no "), "{}", without.items[0].food.name);
    }
    assert_same(&[("turkey sandwich, no cheese", "turkey sandwich")]);
}

#[test]
fn a_food_told_twice_is_one() {
    for text in [
        "a soda known as a Shirley Temple",
        "a cheeseburger, the well-known Big Mac",
        "a drink called horchata",
        "spanish tortilla (potato omelette)",
        "beef stew with chunks of potato and carrots",
        "ramen with pork and noodles",
    ] {
        let estimate = estimate(text);
        assert_eq!(estimate.items.len(), 1, "{text}: {:?}", foods(&estimate));
    }
    assert_eq!(estimate("tomato soup with bread").items.len(), 2);
}

#[test]
fn short_forms_and_slips_are_written_out() {
    assert_same(&[
        ("lg oj", "large orange juice"),
        ("2 tblspn pb", "2 tbsp peanut butter"),
        ("1T honey", "1 tbsp honey"),
        ("100g chkn", "100 g chicken"),
        ("150g spnach", "150 g spinach"),
    ]);
}

#[test]
fn places_and_occasions_are_no_foods() {
    assert_same(&[
        ("stopped at the gas station for a banana", "a banana"),
        ("the new taco truck, had a burrito", "a burrito"),
        ("airport breakfast, a bagel", "a bagel"),
        ("doctor said eat more fiber so i had an apple", "had an apple"),
    ]);
}

#[test]
fn stated_numbers_win_over_the_table() {
    let bar = estimate("protein bar, 190 kcal");
    assert!((bar.totals().calories - 190.0).abs() < 0.5);
    let cookies = estimate("2 cookies, 80 kcal each");
    assert!((cookies.totals().calories - 160.0).abs() < 0.5);
    let (yogurt, plain) = (estimate("100 g yogurt with 9 g fat"), estimate("100 g yogurt"));
    assert_eq!(yogurt.items.len(), 1);
    assert!((yogurt.totals().fat - 9.0).abs() < 0.05);
    let more = 9.0 * (9.0 - plain.totals().fat);
    assert!((yogurt.totals().calories - plain.totals().calories - more).abs() < 1.5, "{:?}", yogurt.totals());
    let powder = estimate("30 g protein powder");
    assert!((powder.items[0].weight.grams - 30.0).abs() < 0.5, "a food, not 30 g of protein");
}

#[test]
fn a_time_of_day_counts_nothing() {
    assert_same(&[
        ("at 11 I ate a croissant", "a croissant"),
        ("at 8 a banana", "a banana"),
        ("around 3 I had an apple", "an apple"),
        ("at seven we had soup", "we had soup"),
        ("at 8:30 I had an orange", "an orange"),
        ("a bagel at 9, at 1 a burrito", "a bagel, a burrito"),
    ]);
    let kiwis = estimate("about 3 kiwis");
    assert!(kiwis.items[0].weight.grams > 150.0, "{:?}", foods(&kiwis));
}

#[test]
fn a_statement_behind_a_denial_is_not_denied() {
    assert_same(&[
        ("didn't eat breakfast, only coffee", "coffee"),
        ("no lunch today, just a pear", "a pear"),
        ("skipped lunch, dinner was rice and beans", "rice and beans"),
        ("ate nothing all day except a pretzel", "a pretzel"),
        ("i was going to have cake but ended up with an orange", "an orange"),
        ("i usually eat oatmeal but today i had a waffle", "a waffle"),
    ]);
    assert_same(&[("i usually eat oatmeal", "oatmeal"), ("wanted pizza", "pizza")]);
}

#[test]
fn a_meal_before_a_comma_is_a_label() {
    assert_same(&[("breakfast, egg", "egg"), ("dinner, lentil soup", "lentil soup"), ("snack, pear", "pear")]);
}

#[test]
fn every_part_of_a_list_is_a_food() {
    for (text, count) in [
        ("two slices of bread with peanut butter", 2),
        ("2 slices of toast with jam", 2),
        ("oatmeal with honey and walnuts", 3),
        ("rice, chicken, broccoli", 3),
        ("bread, cheese, ham", 3),
        ("cereal, milk, banana", 3),
    ] {
        let meal = estimate(text);
        assert_eq!(meal.items.len(), count, "{text}: {:?}", foods(&meal));
    }
}

#[test]
fn a_vessel_says_nothing_about_the_food() {
    for (text, plain) in
        [("1 bowl of beef", "beef"), ("a bowl of chicken", "chicken"), ("2 pieces of carrot", "carrot")]
    {
        let (meal, plain) = (estimate(text), estimate(plain));
        let id = |meal: &Estimate| meal.items.first().map(|item| item.food.id.clone());
        assert_eq!((id(&meal), meal.items.len()), (id(&plain), 1), "{text}: {:?}", foods(&meal));
    }
}

#[test]
fn a_dish_has_its_ingredients_anyway() {
    assert_same(&[("banitsa with cheese", "banitsa"), ("shakshuka with eggs", "shakshuka")]);
    assert_eq!(estimate("schnitzel with bread").items.len(), 2);
}

#[test]
fn the_milk_of_a_drink_is_in_it() {
    for text in ["latte with oat milk", "iced latte with skim milk", "tea with milk", "cappuccino with almond milk"] {
        let meal = estimate(text);
        assert_eq!(meal.items.len(), 1, "{text}: {:?}", foods(&meal));
        assert!(meal.totals().calories < 160.0, "{text}: {}", meal.totals().calories);
    }
}

#[test]
fn talk_is_no_food() {
    for text in ["hello how are you", "thank you very much", "what should i eat today", "how many calories"] {
        let meal = estimate(text);
        assert!(meal.items.is_empty() && meal.unresolved.is_empty(), "{text}: {meal:?}");
    }
}

#[test]
fn a_named_product_has_a_narrow_range() {
    for text in ["a can of cola", "a can of coke", "a big mac"] {
        let meal = estimate(text);
        let item = &meal.items[0];
        let (low, high) = (item.range.low.calories, item.range.high.calories);
        let calories = item.macros.calories;
        assert!(low > calories * 0.4 && high < calories * 1.6, "{text}: {low}–{high} around {calories}");
    }
}

/// People who keep a diary leave out the commas.
#[test]
fn foods_in_a_row_are_a_list() {
    let foods = |text: &str| estimate(text).items.len();
    assert_eq!(foods("eggs toast coffee"), 3);
    assert_eq!(foods("oatmeal blueberries honey"), 3);
    assert_eq!(foods("chicken rice broccoli"), foods("chicken rice, broccoli"));
    for two in ["steak broccoli", "oatmeal banana", "salmon asparagus", "protein shake banana"] {
        assert_eq!(foods(two), 2, "{two}");
    }
    for (list, same) in [
        ("cereal with milk, steak broccoli", "cereal with milk, steak, broccoli"),
        ("2 eggs bacon toast", "2 eggs, bacon, toast"),
        ("for lunch burger fries cola", "for lunch burger, fries, cola"),
        ("bagel orange juice", "bagel, orange juice"),
        ("biryani smoothie", "biryani, smoothie"),
        ("pizza fanta", "pizza, fanta"),
        ("caesar salad ice cream tea", "caesar salad, ice cream, tea"),
        ("6 nuggets red wine", "6 nuggets, red wine"),
        ("3 eggs coffee", "3 eggs, coffee"),
        ("2 eggs onion rings", "2 eggs, onion rings"),
        ("fish and chips coke", "fish and chips, coke"),
        ("grilled chicken water", "grilled chicken, water"),
        ("steak potatoes asparagus glass of red wine", "steak, potatoes, asparagus, glass of red wine"),
        ("ate burger fries coke today", "burger, fries, coke"),
        ("burger fries coke for lunch", "burger, fries, coke"),
        ("jollof rice banana and latte", "jollof rice, banana and latte"),
    ] {
        assert_same(&[(list, same)]);
    }
    for one in [
        "turkey avocado sandwich",
        "peanut butter banana toast",
        "garlic shrimp",
        "banana bread",
        "pork banh mi",
        "almond milk latte",
        "air fried sweet potato fries",
        "2 fish tacos",
    ] {
        assert_eq!(foods(one), 1, "{one}");
    }
}

/// Where and when somebody eats opens many texts, and is no place of the first food.
#[test]
fn times_and_meals_before_a_list_leave_its_first_food() {
    let list = "pizza, salad and coke";
    for opening in
        ["for dinner we had", "for lunch", "at lunch", "at work,", "in the morning,", "after the gym", "on the train,"]
    {
        let foods = |text: &str| estimate(text).items.into_iter().map(|item| item.food.id).collect::<Vec<_>>();
        let said = foods(&format!("{opening} {list}"));
        assert!(said.len() == 3 && said[1..] == foods(list)[1..], "{opening}: {said:?}");
    }
    assert_same(&[("rice at noon, beer at night", "rice, beer")]);
    assert_eq!(estimate("for my breakfast smoothie, I blended a banana and milk").items.len(), 2);
}

/// Mixed drinks are counted as one.
#[test]
fn a_number_before_a_mixed_drink_counts_it() {
    assert_same(&[("2 rum and coke", "2 rum and cokes"), ("3 eggs jk 2", "2 eggs")]);
    assert_eq!(estimate("2 eggs and bacon").items.len(), 2);
    let foods = estimate("3 meatballs and spaghetti").items;
    assert!(foods.len() == 2 && foods[0].weight.grams < 100.0, "{foods:?}");
    assert_same(&[("3 eggs (breakfast)", "3 eggs")]);
}

/// What people say between foods in stories.
#[test]
fn foods_are_followed_by_others() {
    for (story, list) in [
        ("pizza followed by ice cream", "pizza, ice cream"),
        ("granola as well as crisps", "granola, crisps"),
        ("salmon accompanied by broccoli", "salmon, broccoli"),
        ("steak in addition to salad", "steak, salad"),
        ("pizza and after that yogurt", "pizza, yogurt"),
        ("6 nuggets with onion rings", "6 nuggets and onion rings"),
    ] {
        assert_same(&[(story, list)]);
    }
}

/// Foods joined by "and" stay two, unless there is a dish or drink that is a kind of both.
#[test]
fn foods_joined_by_and_are_not_one_flavored_food() {
    let names = |text: &str| -> Vec<String> { estimate(text).items.into_iter().map(|item| item.food.name).collect() };
    assert_eq!(names("banana and milk"), ["Banana, raw", "Milk"]);
    assert_eq!(names("oatmeal with banana and milk").len(), 3);
    assert_eq!(names("beer and nuts"), ["Beer", "Nuts"]);
    assert_eq!(names("strawberries, milk"), ["Strawberries, raw", "Milk"]);
    assert_eq!(names("strawberries and milk"), ["Strawberries, raw", "Milk"]);
    assert_eq!(names("yogurt with honey"), ["Yogurt, plain", "Honey"]);
    assert_eq!(names("oats 50 g, milk"), ["Oats, raw", "Milk"]);
    assert_eq!(names("pretzels filled with peanut butter").len(), 1);
    for one in ["rum and coke", "ham and cheese sandwich", "beef and broccoli", "mac and cheese"] {
        assert_eq!(names(one).len(), 1, "{one}");
    }
}

#[test]
fn a_time_or_a_place_ends_the_name_of_a_food() {
    assert_same(&[
        ("had an apple after the meeting", "an apple"),
        ("apple after the party", "apple"),
        ("apple before the heatwave", "apple"),
        ("an apple, before the heatwave", "an apple"),
        ("smoothie after my spin class", "smoothie"),
        ("chips until I felt sick", "chips"),
        ("after kettlebells I had an apple", "an apple"),
        ("chicken before cooking 100g", "100 g chicken"),
    ]);
}

#[test]
fn amounts_in_other_words() {
    assert_same(&[
        ("a cup and a half of rice", "1.5 cups of rice"),
        ("rice, a cup and a half", "1.5 cups of rice"),
        ("a cup and half of milk", "1.5 cups of milk"),
        ("50% of a burrito", "half a burrito"),
        ("90 percent of a steak", "0.9 steak"),
        ("two percent milk", "2% milk"),
        ("3 of 8 slices of pizza", "3 slices of pizza"),
        ("3 out of 8 slices of pizza", "3 slices of pizza"),
        ("pizza, 3 cold slices", "3 slices of pizza"),
        ("one of my two burgers", "1 burger"),
        ("2x eggs 3x bacon", "2 eggs, 3 bacon"),
        ("eggs*2", "2 eggs"),
        ("100gchicken", "100 g chicken"),
        ("200grice", "200 g rice"),
        ("Nov 17 eggs", "eggs"),
        ("3 cookies 30 g each", "90 g cookies"),
        ("chicken 100g rice 50g broccoli", "100 g chicken, 50 g rice; broccoli"),
        ("toast 2 eggs 1 banana", "toast, 2 eggs, 1 banana"),
    ]);
    assert_share("an apple and a half", "2 apples", 0.75);
}

#[test]
fn an_amount_for_each_of_several() {
    assert_same(&[
        ("100g each of chicken and rice", "100 g chicken, 100 g rice"),
        ("chicken and rice, 100g each", "100 g chicken, 100 g rice"),
        ("chicken, rice and beans, 100g each", "100 g chicken, 100 g rice, 100 g beans"),
        ("half a cup each of rice and beans", "half a cup rice, half a cup beans"),
        ("2 each of apples and oranges", "2 apples, 2 oranges"),
        ("3 pancakes with 1 tbsp syrup each", "3 pancakes with 3 tbsp syrup"),
        ("2 tacos each with 50g beef", "2 tacos with 100 g beef"),
    ]);
}

#[test]
fn times_and_meals_begin_a_food() {
    assert_same(&[
        ("8am oatmeal 12pm salad", "oatmeal; salad"),
        ("7:30 coffee 12:00 soup", "coffee; soup"),
        ("yogurt 10 am banana 3 pm", "yogurt; banana"),
        ("coffee 7:30 with milk", "coffee with milk"),
        ("breakfast eggs lunch soup dinner steak", "eggs; soup; steak"),
        ("for breakfast oatmeal for lunch salad", "oatmeal; salad"),
        ("cereal for breakfast eggs for lunch", "cereal; eggs"),
    ]);
}

#[test]
fn a_correction_counts_instead_of_what_it_corrects() {
    assert_same(&[
        ("two eggs, actually three", "3 eggs"),
        ("2 eggs, sorry 3 eggs", "3 eggs"),
        ("2 eggs oops 3 eggs", "3 eggs"),
        ("a beer, make that two", "2 beers"),
        ("2 slices of ham, make that 3", "3 slices of ham"),
        ("one cup of rice, no wait, half a cup of rice", "half a cup of rice"),
        ("one cup of rice, scratch that, two cups", "2 cups of rice"),
        ("two eggs, actually also toast", "two eggs, toast"),
        ("made a dozen cupcakes and ate one", "1 cupcake"),
        ("baked 12 muffins, ate 2", "2 muffins"),
        ("ordered a pizza and ate 3 slices", "3 slices of pizza"),
    ]);
}

#[test]
fn what_others_ate_is_not_counted() {
    assert_same(&[
        ("my husband had steak and I had fish", "fish"),
        ("I had fish and my husband had steak", "fish"),
        ("the kids had pizza and I had a salad", "a salad"),
        ("my son and daughter ate pizza, I just had an apple", "an apple"),
        ("my wife and I had fish", "fish"),
        ("me and my wife had fish and I had a beer", "fish and a beer"),
        ("my mom got pizza and I had 2 slices", "pizza, 2 slices"),
        ("my daughter had fish", "fish"),
    ]);
}

#[test]
fn a_weight_behind_what_a_food_is_in_is_that_of_the_food() {
    assert_same(&[
        ("potatoes roasted in oil 200g", "200 g potatoes roasted in oil"),
        ("tuna in oil 100g", "100 g tuna in oil"),
    ]);
}

/// Diaries name a food as tables do: what it is, then of which kind and in which state.
#[test]
fn amounts_behind_kinds_and_states_are_of_the_food() {
    assert_same(&[
        ("rice, cooked, 1 cup", "1 cup cooked rice"),
        ("tuna, raw, 120 g", "120 g raw tuna"),
        ("cheese, cheddar, 30 g", "30 g cheddar cheese"),
        ("milk with turmeric, one cup", "one cup of milk with turmeric"),
        ("tortilla chips 30 g and salsa", "30 g tortilla chips, salsa"),
    ]);
}

#[test]
fn what_is_filled_is_counted() {
    assert_same(&[
        ("6 pork and chive dumplings", "6 pork chive dumplings"),
        ("6 potato and cheese pierogi", "6 potato cheese pierogi"),
    ]);
    assert_eq!(estimate("2 eggs and hash browns").items.len(), 2);
}

#[test]
fn milk_behind_sugar_is_a_splash() {
    let meal = estimate("coffee with 2 sugars and milk");
    assert!(matches!(&meal.items[..], [_, _, milk] if milk.weight.grams < 60.0), "{meal:?}");
    assert_same(&[("8am coffee with 2 sugars and milk", "coffee with 2 sugars and milk")]);
}

/// A word that no food has leaves the plain food, whatever other food it looks like.
#[test]
fn unknown_words_before_a_food_change_nothing() {
    assert_share("vexundrip pizza", "pizza", 1.0);
    assert_share("vexundrip fried rice", "fried rice", 1.0);
}

#[test]
fn emojis_are_foods() {
    assert_same(&[
        ("🍕🍺", "pizza, beer"),
        ("2 🍌", "2 bananas"),
        ("🍺🍺🍺", "3 beers"),
        ("had pizza 🍕 with 🥗", "had pizza with salad"),
    ]);
}

#[test]
fn counts_may_stand_behind_their_foods() {
    assert_same(&[
        ("bud light x2", "2 bud light"),
        ("eggs x2, toast x 1", "2 eggs, 1 toast"),
        ("had a coffee and diet coke x3 with lunch", "had a coffee and 3 diet coke with lunch"),
    ]);
}

#[test]
fn how_a_food_was_cut_leaves_its_name() {
    assert_same(&[
        ("chopped carrots", "carrots"),
        ("1 cup of sliced mushrooms", "1 cup of mushrooms"),
        ("no salt added tuna", "tuna"),
    ]);
}
