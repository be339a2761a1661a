//! Dishes without one of their parts: "a cheeseburger, no bun" is what is between the halves of the bun.

use foods::text;
use nutrition::Macros;

use super::item::Item;
use crate::lexicon::DishPart;
use crate::link::mention::Mention;
use crate::read::segment::SegmentWord;
use crate::run::EngineRun;

/// Takes the parts that the eater left out off an item, unless its food lacks them already.
pub(crate) fn without_parts(engine: &EngineRun<'_>, mention: &Mention, mut item: Item) -> Item {
    let name = text::words(&item.food.name);
    let denied = mention.words.iter().filter(|word| word.negated).map(|word| &word.word).chain(&mention.without);
    let mut left_out: Vec<&DishPart> = Vec::new();
    for word in denied {
        let is_of_dish = |part: &&DishPart| part.name == word && part.is_of(&name);
        let Some(part) = engine.lexicon().parts().iter().find(is_of_dish) else { continue };
        if !lacks(&item.food.name, part.name) && !left_out.iter().any(|known| known.name == part.name) {
            left_out.push(part);
        }
    }
    let grams = item.weight.grams;
    for part in left_out {
        let words: Vec<SegmentWord> = text::words(part.food).into_iter().map(SegmentWord::required).collect();
        let heads = vec![words.len().saturating_sub(1)];
        let Some(link) = engine.links(&words, heads).into_iter().next() else { continue };
        let Some(food) = engine.layer().food(link.food) else { continue };
        let taken = food.macros(grams * part.share);
        item.weight.grams -= grams * part.share;
        item.macros = less(item.macros, taken);
        item.range.low = less(item.range.low, taken);
        item.range.high = less(item.range.high, taken);
        item.food.name = format!("{}, no {}", item.food.name, part.name);
        item.local_name = None;
    }
    item
}

/// Checks whether the name of a food says that it has no such part.
fn lacks(name: &str, part: &str) -> bool {
    let name = name.to_lowercase();
    ["no", "without"].iter().any(|denial| name.contains(&format!("{denial} {part}")))
        || name.contains(&format!("{part} not eaten"))
}

fn less(numbers: Macros, taken: Macros) -> Macros {
    numbers.zip_with(taken, |number, taken| (number - taken).max(0.0)).shown()
}
