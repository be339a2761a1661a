//! The work for a text grows linearly with its length and is bounded, whatever is in it. Work is counted in steps, not in time,
//! so that these tests say the same on any machine: `cargo run --release -p meal --example worst_case` shows the times.

use foods::search::Searcher;
use meal::{MAX_CHARS, Message, RecipeBook};

use crate::{CATALOG, ENGINE, hostile_texts};

/// The steps that any text may take, and those for each of its characters beside them.
const STEPS: usize = 2_500_000;
const STEPS_OF_CHARACTER: usize = 500;
/// The steps that any query may take.
const STEPS_OF_SEARCH: usize = 6_000_000;

fn steps(messages: &[String]) -> usize {
    let messages: Vec<Message> = messages.iter().map(|text| text.as_str().into()).collect();
    let book = RecipeBook::default();
    let mut parts = meal::estimate(&ENGINE, &messages, &book);
    parts.by_ref().for_each(drop);
    parts.steps()
}

#[test]
fn the_work_for_a_text_grows_linearly_and_is_bounded() {
    let mut failed = Vec::new();
    for (name, messages) in hostile_texts::all() {
        let lengths = [8, 4, 2, 1].map(|part| MAX_CHARS / part);
        let taken = lengths.map(|chars| steps(&messages(chars)));
        if lengths.iter().zip(taken).any(|(chars, steps)| steps > STEPS + chars * STEPS_OF_CHARACTER) {
            failed.push(format!("{name}: {taken:?} steps"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn steps_do_not_depend_on_what_was_read_before() {
    let text = ["coffee with milk and sugar, chickn brest, 2 doritos and mac and cheese".to_owned()];
    let first = steps(&text);
    assert_eq!(steps(&text), first);
    assert!((10_000..STEPS / 6).contains(&first), "{first}");
}

#[test]
fn the_work_for_a_search_is_bounded() {
    let searcher = Searcher::default();
    let mut failed = Vec::new();
    let queries = hostile_texts::queries().chain(hostile_texts::all().flat_map(|(_, messages)| messages(400)));
    for query in queries {
        let (_, steps) = searcher.find_counted(&CATALOG, &query, 100, None);
        if steps > STEPS_OF_SEARCH {
            failed.push(format!("{query}: {steps} steps"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    let (hits, steps) = searcher.find_counted(&CATALOG, "brocolli chedder cassarole", 10, None);
    assert!(!hits.is_empty() && steps < STEPS_OF_SEARCH / 3, "{steps}");
}

#[test]
fn a_search_for_a_product_takes_a_small_part_of_the_steps() {
    // No food has these words, so that products are searched for, with all their misspellings.
    let text = ["zzlow zzcanned chezze mlik buttr beff sanwich baen suger wheet rol".to_owned()];
    let taken = steps(&text);
    assert!(taken < STEPS / 2, "{taken}");
}
