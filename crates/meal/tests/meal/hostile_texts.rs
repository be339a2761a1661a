//! Texts made to be slow: of any length, and each of another kind.

use std::fmt::Write as _;

/// A kind of text: its name, and its first characters, as many as are asked for.
pub type Family = (&'static str, fn(usize) -> String);

/// The kinds of text that a reader of meals may take long for.
pub const FAMILIES: &[Family] = &[
    ("articles", |chars| repeated("a ", chars)),
    ("an a of", |chars| repeated("an a of ", chars)),
    ("slashes", |chars| repeated("a/", chars)),
    ("a cup", |chars| repeated("a cup ", chars)),
    ("one long word", |chars| repeated("a", chars)),
    ("single letters", |chars| repeated("b c d e f g h ", chars)),
    ("random words", |chars| random_words(chars, 3..10, " ")),
    ("random words in a list", |chars| random_words(chars, 5..12, ", ")),
    ("long random words", |chars| random_words(chars, 25..39, " ")),
    ("counted random words", |chars| random_words(chars, 9..12, " and 2 ")),
    ("digits", |chars| repeated("1234567890", chars)),
    ("numbers", |chars| repeated("123 ", chars)),
    ("decimal points", |chars| repeated("1.", chars)),
    ("thousands", |chars| repeated("1,000,", chars)),
    ("fractions of fractions", |chars| repeated("1/2/3/", chars)),
    ("fraction signs", |chars| repeated("½", chars)),
    ("half of a half", |chars| repeated("half a half of a quarter of ", chars)),
    ("ranges", |chars| repeated("2 to 3 x ", chars)),
    ("commas", |chars| repeated(", ", chars)),
    ("brackets", |chars| repeated("(", chars)),
    ("nested brackets", |chars| repeated("(egg ", chars)),
    ("sizes in brackets", |chars| repeated("a bottle (1 ", chars)),
    ("and", |chars| repeated("and ", chars)),
    ("with", |chars| repeated("egg with ", chars)),
    ("units", |chars| repeated("cup slice oz g ", chars)),
    ("counted units", |chars| repeated("2 cups 3 oz ", chars)),
    ("sizes", |chars| repeated("large small extra big ", chars)),
    ("adjectives", |chars| repeated("nice cold fresh hot ", chars)),
    ("fillers", |chars| repeated("I had some of the ", chars)),
    ("negations", |chars| repeated("no not without ", chars)),
    ("denied foods", |chars| repeated("no milk not sugar ", chars)),
    ("meals", |chars| repeated("breakfast was lunch and dinner ", chars)),
    ("one food", |chars| repeated("egg,", chars)),
    ("one food without commas", |chars| repeated("egg ", chars)),
    ("one common word", |chars| repeated("cheese ", chars)),
    ("common words", |chars| repeated("chicken cheese beef milk sauce with ", chars)),
    ("common words in pairs", |chars| pairs(chars, " and ")),
    ("common words in a list", |chars| pairs(chars, ", ")),
    ("common words without joints", |chars| pairs(chars, " ")),
    ("additions", |chars| repeated("coffee with milk and sugar, ", chars)),
    ("dishes", |chars| repeated("mac and cheese with ham and eggs on rye ", chars)),
    ("misspelled foods", |chars| repeated("chickn brest and ryce, ", chars)),
    ("many misspelled foods", misspelled),
    ("synonyms", |chars| repeated("aubergine courgette coriander prawns ", chars)),
    ("compounds", |chars| repeated("peanutbutterchickensandwichcheese ", chars)),
    ("chains", |chars| repeated("jack in the box jack in the ", chars)),
    ("lines", |chars| repeated("egg\n", chars)),
    ("meals of everyday foods", everyday),
    ("marks", |chars| repeated("a\u{301}\u{308}", chars)),
    ("every script", |chars| (0..).map_while(|at| char::from_u32(0xA1 + at * 37 % 0x2_0000)).take(chars).collect()),
    ("ideographs", |chars| repeated("牛肉面和鸡蛋", chars)),
    ("ligatures", |chars| repeated("ﷺﬃ", chars)),
    ("emoji", |chars| repeated("🍕🥚", chars)),
];

const WORDS: &[&str] = &[
    "chicken",
    "cheese",
    "beef",
    "milk",
    "sauce",
    "bread",
    "rice",
    "egg",
    "potato",
    "cream",
    "sugar",
    "fat",
    "cooked",
    "fried",
    "butter",
    "chocolate",
    "corn",
    "tomato",
    "bean",
    "pork",
    "fish",
    "salad",
    "soup",
    "juice",
    "apple",
    "wheat",
    "oil",
    "meat",
    "pie",
    "cake",
    "cereal",
    "turkey",
    "sandwich",
    "roll",
    "whole",
    "low",
    "vegetable",
    "baked",
    "canned",
    "dry",
    "raw",
    "frozen",
];

fn repeated(piece: &str, chars: usize) -> String {
    piece.chars().cycle().take(chars).collect()
}

/// The same numbers on every run.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize % below
    }
}

fn random_words(chars: usize, letters: std::ops::Range<usize>, joint: &str) -> String {
    let mut next = numbers();
    let mut out = String::new();
    while out.len() < chars {
        for _ in 0..letters.start + next(letters.len()) {
            out.push(char::from(b"etaoinshrdlucmfwypvbgkjqxz"[next(26).min(next(26))]));
        }
        out.push_str(joint);
    }
    out.chars().take(chars).collect()
}

fn pairs(chars: usize, joint: &str) -> String {
    let mut next = numbers();
    let mut out = String::new();
    while out.len() < chars {
        let _ = write!(out, "{} {}{joint}", WORDS[next(WORDS.len())], WORDS[next(WORDS.len())]);
    }
    out.chars().take(chars).collect()
}

fn misspelled(chars: usize) -> String {
    let mut next = numbers();
    let mut out = String::new();
    while out.len() < chars {
        let mut word: Vec<u8> = WORDS[next(WORDS.len())].bytes().collect();
        for _ in 0..2 {
            let at = next(word.len());
            word.insert(at, b'a' + next(26) as u8);
        }
        out.extend(word.into_iter().map(char::from));
        out.push_str(if next(3) == 0 { ", " } else { " " });
    }
    out.chars().take(chars).collect()
}

fn everyday(chars: usize) -> String {
    let gold = include_str!("../../gold/everyday.jsonl");
    let texts =
        gold.lines().filter_map(|line| line.split("\"text\":").nth(1)?.trim().strip_prefix('"')?.split('"').next());
    texts.flat_map(|text| text.chars().chain(". ".chars())).cycle().take(chars).collect()
}
