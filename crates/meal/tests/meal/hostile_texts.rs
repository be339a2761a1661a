//! Texts made to be slow: of any length, and each of another kind.

use std::fmt::Write as _;

/// A kind of text: its name, and its first characters, as many as are asked for.
type Family = (&'static str, fn(usize) -> String);

/// The kinds of text that a reader of meals may take long for.
const FAMILIES: &[Family] = &[
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
    ("products", |chars| repeated("2 doritos, a snickers, 3 oreos, a twix, 1 gatorade powerade, ", chars)),
    ("words of products", |chars| repeated("a kirkland gv tgt frito starburst jif, ", chars)),
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

/// A kind of conversation: its name, and its messages of so many characters in all.
type Conversation = (&'static str, fn(usize) -> Vec<String>);

/// The kinds of conversation that a reader of meals may take long for.
const CONVERSATIONS: &[Conversation] = &[
    ("other amounts", |chars| conversation(chars, "2 eggs, toast with butter and coffee with milk", "make it 3 eggs")),
    ("other foods", |chars| {
        conversation(chars, "chicken, rice and salad", "the chicken was beef and the rice was pasta")
    }),
    ("denied foods", |chars| {
        conversation(chars, "chicken sandwich with cheese", "no cheese, no bread, no sauce, no ham")
    }),
    ("added foods", |chars| conversation(chars, "coffee", "add milk, sugar and cream to the coffee")),
    ("more", |chars| conversation(chars, "an egg", "one more, two more, another one, half of it")),
    ("many clauses", |chars| conversation(chars, "an egg", "make it 2, make it 3, make it 4, make it 5, make it 6")),
    ("undone", |chars| conversation(chars, "an egg", "scratch that. a banana. undo that")),
    ("a long list first", |chars| after_list(chars, "the egg was fried")),
    ("a long list of distinct foods first", |chars| after_pairs(chars, "the cheese was fried")),
    ("articles later", |chars| conversation(chars, "an egg", &"a ".repeat(chars / 51))),
    ("negations later", |chars| conversation(chars, "an egg", &"no not ".repeat(chars / 180))),
    ("copulas later", |chars| conversation(chars, "an egg", &"it was ".repeat(chars / 180))),
    ("commas later", |chars| conversation(chars, "an egg", &", ".repeat(chars / 51))),
    ("instead of", |chars| conversation(chars, "an egg", &"ham instead of ".repeat(chars / 400))),
    ("random words later", |chars| cut(&random_words(chars, 5..12, " "), chars)),
    ("everyday texts", |chars| cut(&everyday(chars), chars)),
];

/// Returns the messages of a kind with so many characters in all.
pub type Messages = Box<dyn Fn(usize) -> Vec<String>>;

/// Returns every kind of text alone and as the second message, where it is read clause by clause, and every kind of
/// conversation.
pub fn all() -> impl Iterator<Item = (String, Messages)> {
    let alone = |text: fn(usize) -> String| Box::new(move |chars| vec![text(chars)]) as Messages;
    let later = |text: fn(usize) -> String| {
        Box::new(move |chars: usize| vec!["an egg".to_owned(), text(chars.saturating_sub(6))]) as Messages
    };
    let texts = FAMILIES.iter().map(move |(name, text)| ((*name).to_owned(), alone(*text)));
    let later = FAMILIES.iter().map(move |(name, text)| (format!("{name}, later"), later(*text)));
    let conversations =
        CONVERSATIONS.iter().map(|(name, messages)| ((*name).to_owned(), Box::new(messages) as Messages));
    texts.chain(later).chain(conversations)
}

/// Returns queries that a search may take long for.
pub fn queries() -> impl Iterator<Item = String> {
    let words = (0..40).map(|at| pairs(at * 9, " "));
    let misspelled = (0..40).map(|at| misspelled(at * 11));
    let prefixes =
        ('a'..='z').flat_map(|letter| [letter.to_string(), format!("{letter}a"), format!("cheese {letter}")]);
    let random = (0..20).map(|at| random_words(400, 4 + at..6 + at, " "));
    words.chain(misspelled).chain(prefixes).chain(random)
}

/// The most messages of a conversation.
const MESSAGES: usize = 50;

/// One message, and then another one again and again.
fn conversation(chars: usize, first: &str, later: &str) -> Vec<String> {
    let mut messages = vec![first.to_owned()];
    let mut left = chars.saturating_sub(first.len());
    while messages.len() < MESSAGES && left > 0 {
        messages.push(later.chars().take(left).collect());
        left = left.saturating_sub(later.len());
    }
    messages
}

fn after_list(chars: usize, later: &str) -> Vec<String> {
    let rest = (MESSAGES - 1) * later.len();
    conversation(chars, &repeated("egg\n", chars.saturating_sub(rest)), later)
}

fn after_pairs(chars: usize, later: &str) -> Vec<String> {
    let rest = (MESSAGES - 1) * later.len();
    conversation(chars, &pairs(chars.saturating_sub(rest), ". "), later)
}

/// Cuts a text into messages.
fn cut(text: &str, chars: usize) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(chars.div_ceil(MESSAGES).max(1)).map(|chunk| chunk.iter().collect()).collect()
}

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
