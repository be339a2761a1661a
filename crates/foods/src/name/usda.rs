//! Names from USDA's tables: "Fish, salmon, sockeye, cooked" becomes "Sockeye salmon, cooked".

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use super::case;
use super::lists::{segments, single_spaced, words};
use super::vocabulary::{before_bracket, is_movable, is_mover, is_state, is_variety, stands_alone};

static CLASSES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("classes.txt")));
static ANIMALS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("animals.txt")));
static PARTS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(include_str!("parts.txt")));
/// Heads in the plural, as in the tables' chapters, and the words people use.
const RENAMED: &[(&str, &str)] = &[
    ("syrups", "syrup"),
    ("puddings", "pudding"),
    ("ice creams", "ice cream"),
    ("gelatins", "gelatin"),
    ("frostings", "frosting"),
    ("gums", "gum"),
    ("jellies", "jelly"),
    ("pie fillings", "pie filling"),
    ("babyfood", "baby food"),
    ("fast foods", "fast food"),
    ("sugars", "sugar"),
    ("toppings", "topping"),
    ("salad dressing", "salad dressing"),
    ("infant formula", "infant formula"),
];

/// Colors join the variety before them: "Peppers, sweet, green" are green sweet peppers.
const COLORS: &[&str] = &["green", "red", "yellow", "black", "white", "purple", "orange", "pink", "brown"];

/// Cuisines that SR names after "Restaurant".
const KITCHENS: &[&str] = &["chinese", "latino", "italian", "mexican", "japanese"];

/// A remark about who buys the food, not about the food.
const PROGRAM: &str = " (Includes foods for USDA's Food Distribution Program)";

/// Returns whether the entry is the table's default for its food: "not further specified", or "not specified as to"
/// something. Of several entries with one name, this one is meant unless more is said.
pub fn is_default(description: &str) -> bool {
    description.split([',', '(', ')', ' ', ';']).any(|word| word == "NFS" || word == "NS")
}

/// Converts a table's entry to a name that reads naturally: the variety before its food, no chapter headings, no "NFS".
///
/// Everything that distinguishes the food from its neighbors stays, in the table's order.
pub fn usda(description: &str) -> String {
    let description = single_spaced(&description.replace(PROGRAM, ""));
    let mut parts: Vec<String> = Vec::with_capacity(6);
    let table = segments(&description);
    let mut index = 0;
    while let Some(segment) = table.get(index) {
        index += 1 + unspecified_list(&table[index..]);
        let Some(kept) = without_unspecified(segment) else { continue };
        match parts.last_mut() {
            Some(last) if kept.starts_with('(') => {
                last.push(' ');
                last.push_str(&kept);
            }
            _ => parts.push(kept.into_owned()),
        }
    }
    let name = arrange(parts);
    if name.is_empty() { description } else { capitalized(&name) }
}

fn capitalized(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    case::push_capital(text, &mut result);
    result
}

/// Counts the segments that continue the list begun by "NS as to regular, quick, or instant".
fn unspecified_list(table: &[&str]) -> usize {
    let subject = table[0].split_once("NS as to ").map_or("", |(_, subject)| subject);
    let is_quality = is_state(subject)
        && !["fat", "skin", "meat", "peel", "flavor", "water"].iter().any(|word| subject.starts_with(word));
    if !is_quality || subject.contains(" or ") {
        return 0;
    }
    let rest = table[1..].iter().take(3);
    rest.enumerate()
        .find(|(_, segment)| segment.starts_with("or ") || segment.contains(" or "))
        .map_or(0, |(index, _)| index + 1)
}

/// Strips "NFS" and "NS as to …" from a segment; `None` if nothing else is left.
fn without_unspecified(segment: &str) -> Option<Cow<'_, str>> {
    if !segment.contains("NFS") && !segment.contains("NS ") {
        return Some(Cow::Borrowed(segment));
    }
    let mut text = segment.replace(" or NFS", "").replace("NFS", "");
    while let Some(start) = find_unspecified(&text) {
        let end = text[start..].find(['(', ')', ';']).map_or(text.len(), |offset| start + offset);
        text.replace_range(start..end, "");
    }
    let text = single_spaced(&text).replace("()", "");
    let text = text.trim().trim_end_matches([';', '/', '-']).trim_end_matches(" or").trim_end_matches(" and").trim();
    (!text.is_empty()).then(|| Cow::Owned(text.to_owned()))
}

/// Finds the start of a remark like "NS as to".
fn find_unspecified(text: &str) -> Option<usize> {
    text.match_indices("NS ").map(|(index, _)| index).find(|&index| index == 0 || text[..index].ends_with([' ', '(']))
}

/// Arranges the segments in spoken order.
fn arrange(mut parts: Vec<String>) -> String {
    let mut suffix = None;
    if parts.len() > 1 {
        rename_head(&mut parts);
        let head = parts[0].to_lowercase();
        match head.as_str() {
            "baby food" => return baby_food(parts),
            "restaurant" | "fast food" | "school lunch" => suffix = Some(eating_place(&mut parts, &head)),
            _ => {}
        }
        let open = drop_class(&mut parts);
        join_brand(&mut parts);
        join_part(&mut parts);
        join_variety(&mut parts, open);
    }
    parts.extend(suffix);
    let calm: Vec<String> = parts.iter().map(|part| case::calm(part)).collect();
    calm.join(", ")
}

fn rename_head(parts: &mut [String]) {
    let lower = parts[0].to_lowercase();
    if let Some((_, better)) = RENAMED.iter().find(|(table, _)| *table == lower) {
        (*better).clone_into(&mut parts[0]);
    }
}

/// Names baby food: in "Babyfood, fruit, applesauce" the inner chapter is dropped, the rest is named like any food.
fn baby_food(mut parts: Vec<String>) -> String {
    parts.remove(0);
    let chapter = ["fruit", "vegetables", "vegetable", "meat", "dessert"].contains(&parts[0].to_lowercase().as_str());
    if chapter && parts.len() > 1 && !is_state(&parts[1]) {
        parts.remove(0);
    }
    let behind = ["dinner", "juice", "cereal"].contains(&parts[0].as_str()) && parts.len() > 1 && !is_state(&parts[1]);
    if behind {
        let kind = parts.remove(0);
        let last = parts.iter().take(4).position(|part| part.starts_with("and ")).unwrap_or(0);
        if !parts[last].ends_with(&kind) {
            parts[last] = format!("{} {kind}", parts[last]);
        }
    }
    let rest: Vec<String> = parts.iter().map(|part| case::calm(part)).collect();
    format!("Baby food, {}", rest.join(", "))
}

/// Moves the place where it was eaten from the front to the end: "Egg rolls, assorted, restaurant".
fn eating_place(parts: &mut Vec<String>, place: &str) -> String {
    parts.remove(0);
    let kitchen = parts[0].to_lowercase();
    if parts.len() > 1 && KITCHENS.contains(&kitchen.as_str()) {
        let kitchen = parts.remove(0);
        parts[0] = format!("{kitchen} {}", case::without_capital(&parts[0]));
    } else if parts.len() > 1 && kitchen == "family style" {
        parts.remove(0);
        return format!("family style {place}");
    }
    place.to_owned()
}

/// Drops a chapter heading if the food follows; returns whether the next segment is then that food's variety.
fn drop_class(parts: &mut Vec<String>) -> bool {
    let head = parts[0].to_lowercase();
    if !CLASSES.contains(head.as_str()) {
        return false;
    }
    if head == "cereals ready-to-eat" && !is_state(&parts[1]) {
        parts.remove(0);
        name_cereal(parts);
        return false;
    }
    let is_food = parts[1] == "water" || stands_alone(&parts[1], &head);
    if is_state(&parts[1]) && !is_food
        || COLORS.contains(&parts[1].as_str())
        || parts[1].ends_with("-based")
        || parts[1].ends_with("-coated")
        || parts[1].ends_with(" type")
    {
        if !parts[1].contains([';', '(']) && parts[1].split(' ').count() < 3 && is_adjective(&parts[1]) {
            let adjective = parts.remove(1);
            parts[0] = format!("{adjective} {head}");
        }
        return false;
    }
    parts.remove(0);
    matches!(head.as_str(), "fish" | "crustaceans" | "mollusks" | "nuts" | "seeds" | "spices" | "alcoholic beverage")
}

/// Returns whether a state can precede a chapter heading, which is then the best noun available.
fn is_adjective(segment: &str) -> bool {
    COLORS.contains(&segment)
        || matches!(segment, "carbonated" | "hard" | "formulated" | "mixed" | "tabletop" | "Sugar Free")
        || segment.contains('-')
}

/// Names a cereal: "GENERAL MILLS, CHEERIOS" is "General Mills Cheerios cereal".
fn name_cereal(parts: &mut Vec<String>) {
    if parts.len() > 1 && is_brand(&parts[0]) && names_product(&parts[1]) {
        let product = parts.remove(1);
        parts[0] = format!("{} {product}", parts[0]);
    }
    let last = parts[0].rsplit(' ').next().unwrap_or_default().to_lowercase();
    if !["cereal", "granola", "muesli"].contains(&last.as_str()) {
        parts[0].push_str(" cereal");
    }
}

/// Joins a brand at the head with its product: "McDonald's Big Mac".
fn join_brand(parts: &mut Vec<String>) {
    if parts.len() > 1 && is_brand(&parts[0]) && names_product(&parts[1]) {
        let product = parts.remove(1);
        parts[0] = format!("{} {product}", parts[0]);
    }
}

/// Returns whether what follows a brand is its product: a capitalized name, or anything but a state.
fn names_product(segment: &str) -> bool {
    (segment.starts_with(char::is_uppercase) || !is_state(segment)) && !segment.contains(" or ")
}

/// Returns whether every word of the segment is in capitals, as brands are in SR.
fn is_brand(segment: &str) -> bool {
    let mut any = false;
    for word in segment.split(' ').filter(|word| word.chars().any(char::is_alphabetic)) {
        if !case::shouts(word) && word.chars().filter(|character| character.is_alphabetic()).count() > 1 {
            return false;
        }
        any = true;
    }
    any
}

/// Joins a cut with its animal: "Chicken, broilers or fryers, breast" is "Chicken breast, broilers or fryers".
fn join_part(parts: &mut Vec<String>) {
    let head = parts[0].to_lowercase();
    if !ANIMALS.contains(head.as_str()) {
        return;
    }
    parts.retain(|part| part != "variety meats and by-products");
    let reach = parts.len().min(5);
    let found = (1..reach).find(|&index| PARTS.contains(before_bracket(&parts[index]).to_lowercase().as_str()));
    let Some(index) = found else { return };
    if starts_list(parts, index) {
        return;
    }
    let cut = parts.remove(index);
    let cut = case::without_capital(&cut);
    parts[0] = if cut == "ground" { format!("Ground {head}") } else { format!("{} {cut}", parts[0]) };
}

/// Returns whether the next segment continues with "and" or "or", so that both are members of a list.
fn starts_list(parts: &[String], index: usize) -> bool {
    let next = parts.get(index + 1).map_or("", String::as_str);
    let goes_on = ["and ", "or ", "and/or "].iter().any(|word| next.starts_with(word));
    goes_on || next.contains(" sandwich")
}

/// Moves the variety before its food.
fn join_variety(parts: &mut Vec<String>, open: bool) {
    if parts.len() < 2 {
        return;
    }
    let head = parts[0].to_lowercase();
    if parts[1].eq_ignore_ascii_case("cream of") {
        parts.remove(1);
        parts[0] = format!("Cream of {head}");
        return;
    }
    if head == "egg" && (parts[1].starts_with("white") || parts[1].starts_with("yolk")) {
        let part = parts.remove(1);
        parts[0] = format!("Egg {part}");
        return;
    }
    let known = is_movable(&parts[1], &head);
    let has_varieties = open || is_mover(&head);
    if !(known || has_varieties) || starts_list(parts, 1) {
        return;
    }
    if stands_alone(&parts[1], &head) {
        parts.remove(0);
        return;
    }
    let moves = known || (has_varieties && is_variety(&parts[1], &head));
    if moves {
        let variety = parts.remove(1);
        let color =
            parts.get(1).is_some_and(|part| COLORS.contains(&part.as_str())) && !starts_list(parts, 1) && !known;
        let color = color.then(|| parts.remove(1));
        parts[0] = in_front(&variety, color.as_deref(), &parts[0]);
    }
}

/// Puts a variety before its head: "reduced fat (2%)" and "Milk" are "reduced fat milk (2%)".
fn in_front(variety: &str, color: Option<&str>, head: &str) -> String {
    let base = before_bracket(variety);
    let bracket = variety[base.len()..].trim();
    let head = case::without_capital(head);
    let mut result = String::with_capacity(variety.len() + head.len() + 12);
    if let Some(color) = color {
        result.push_str(color);
        result.push(' ');
    }
    result.push_str(base);
    result.push(' ');
    result.push_str(&head);
    if !bracket.is_empty() {
        result.push(' ');
        result.push_str(bracket);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_naturally() {
        for (entry, wanted) in [
            ("Milk, NFS", "Milk"),
            ("Fish, salmon, sockeye, cooked, dry heat", "Sockeye salmon, cooked, dry heat"),
            ("Salmon, NFS", "Salmon"),
            ("Rice, white, cooked, NS as to fat", "White rice, cooked"),
            ("Chicken, NS as to part and cooking method, NS as to skin eaten", "Chicken"),
            (
                "Chicken breast, baked, broiled, or roasted, skin not eaten, from raw",
                "Chicken breast, baked, broiled, or roasted, skin not eaten, from raw",
            ),
            ("Cheese, Cheddar", "Cheddar cheese"),
            ("Yogurt, Greek, NS as to type of milk, fruit", "Greek yogurt, fruit"),
            ("Milk, reduced fat (2%)", "Reduced fat milk (2%)"),
            ("Beef, ground, 80% lean meat / 20% fat, raw", "Ground beef, 80% lean meat / 20% fat, raw"),
            ("Pie, apple, commercially prepared", "Apple pie, commercially prepared"),
            ("Beverages, coffee, brewed, espresso", "Coffee, brewed, espresso"),
            ("Nuts, almonds, dry roasted", "Almonds, dry roasted"),
            ("Nuts, mixed nuts, oil roasted", "Mixed nuts, oil roasted"),
            ("Oil, olive, salad or cooking", "Olive oil, salad or cooking"),
            ("Potato, french fries, NFS", "French fries"),
            ("Egg, whole, boiled or poached", "Whole egg, boiled or poached"),
            ("Bananas, raw", "Bananas, raw"),
            ("Spices, cinnamon, ground", "Cinnamon, ground"),
            ("Cereals ready-to-eat, GENERAL MILLS, CHEERIOS", "General Mills Cheerios cereal"),
            ("Candies, SNICKERS Bar", "Snickers Bar"),
            ("Babyfood, fruit, applesauce", "Baby food, applesauce"),
            ("McDONALD'S, Big Mac", "McDonald's Big Mac"),
            ("Fish, white, mixed species, fried", "White fish, mixed species, fried"),
            ("Biscuits, plain or buttermilk, baked", "Biscuits, plain or buttermilk, baked"),
            ("Soup, tomato, canned, condensed", "Tomato soup, canned, condensed"),
            ("Lettuce, cos or romaine, raw", "Cos or romaine lettuce, raw"),
            ("Egg, white, raw, fresh", "Egg white, raw, fresh"),
            ("Cream of wheat, NS as to regular, quick, or instant, NS as to fat", "Cream of wheat"),
            ("Chicken, NS as to part, baked, broiled, or roasted", "Chicken, baked, broiled, or roasted"),
            ("Cake, shortcake, biscuit type", "Shortcake, biscuit type"),
            ("Beverages, water, bottled, PERRIER", "Bottled water, Perrier"),
            ("Babyfood, dinner, turkey, rice, and vegetables", "Baby food, turkey, rice, and vegetables dinner"),
            ("Bacon, lettuce, tomato sandwich on white", "Bacon, lettuce, tomato sandwich on white"),
            ("Restaurant, Chinese, egg rolls, assorted", "Chinese egg rolls, assorted, restaurant"),
            ("Peppers, sweet, green, raw", "Green sweet peppers, raw"),
            ("Fish, NS as to type, coated, fried", "Fish, coated, fried"),
            ("Fish, salmon, red, (sockeye), kippered", "Red salmon (sockeye), kippered"),
        ] {
            assert_eq!(usda(entry), wanted);
        }
    }

    #[test]
    fn defaults() {
        assert!(is_default("Milk, NFS"));
        assert!(is_default("Rice, white, cooked, NS as to fat"));
        assert!(!is_default("Milk, whole"));
    }
}
