//! The index of recipe names: which runs of words are one, exactly or apart from typos.

use super::multi_map::MultiMap;
use super::normal::{NameWords, Vocabulary};
use super::recipe::Recipe;
use super::spelling::{self, Letter, is_similar, is_within, keys, piece_key, piece_range, signature, tolerance};

/// Names with more words are not looked for.
const MAX_WORDS: usize = 128;

/// Longer names must be spelled correctly.
const MAX_SPELLED_CHARS: usize = 250;

/// The most look-ups for a text; a usual one takes a few hundred. Beyond it only exact names are found, so that no text
/// takes long, whatever the recipes.
pub(super) const MAX_LOOK_UPS: u32 = 25_000;

/// A name or alias.
#[derive(Debug)]
pub(super) struct RecipeName {
    words: (u32, u32),
    spelling: (u32, u32),
    /// The position of its recipe.
    pub recipe: u32,
    pub is_alias: bool,
    /// Several recipes have it, so that a misspelling does not say which one is meant.
    is_shared: bool,
    /// A bit for each word that may have a mark before it.
    pub gaps: u64,
    /// The number of letters before plurals were folded: it decides how many typos are allowed.
    letters: u32,
}

/// What the names that begin with a word have in common.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NameStarts {
    /// A bit for each number of words; the last one is for all larger numbers.
    lengths: u64,
    /// Whether any of them has punctuation in it.
    pub has_gaps: bool,
}

impl NameStarts {
    /// Checks whether a name has this number of words.
    pub fn has(self, words: usize) -> bool {
        self.lengths & length_bit(words) != 0
    }

    /// Checks whether a name has more words.
    pub fn has_more(self, words: usize) -> bool {
        words < MAX_WORDS && self.lengths >> (words + 1).min(63) != 0
    }
}

/// The names of all recipes of an account.
#[derive(Debug, Default)]
pub(super) struct RecipeNames {
    pub vocabulary: Vocabulary,
    all: Vec<RecipeName>,
    words: Vec<u32>,
    spellings: Vec<Letter>,
    starts: Vec<NameStarts>,
    runs: MultiMap,
    pieces: MultiMap,
    /// For each length, a bit for each number of typos that names of this length may have.
    tolerances: Vec<u8>,
    /// The most punctuation marks in a name.
    max_gaps: u32,
}

impl RecipeNames {
    /// Indexes the names and aliases of recipes.
    pub fn new(recipes: &[Recipe]) -> Self {
        let count = recipes.iter().map(|recipe| 1 + recipe.aliases.len()).sum();
        let mut names = RecipeNames {
            runs: MultiMap::with_capacity(count),
            all: Vec::with_capacity(count),
            words: Vec::with_capacity(count * 3),
            spellings: Vec::with_capacity(count * 20),
            ..RecipeNames::default()
        };
        let mut buffer = NameWords::default();
        for (index, recipe) in recipes.iter().enumerate() {
            names.add(&recipe.name, index as u32, false, recipes, &mut buffer);
            for alias in &recipe.aliases {
                names.add(alias, index as u32, true, recipes, &mut buffer);
            }
        }
        names.index_starts();
        names.index_pieces();
        names
    }

    fn add(&mut self, text: &str, recipe: u32, is_alias: bool, recipes: &[Recipe], buffer: &mut NameWords) {
        buffer.read(text);
        let first = self.words.len();
        self.words.extend(buffer.iter().map(|word| self.vocabulary.add(word)));
        let run = &self.words[first..];
        if run.is_empty() || run.len() > MAX_WORDS {
            self.words.truncate(first);
            return;
        }
        let letters = buffer.letters;
        let key = run.iter().fold(0, |key, word| extend(key, *word));
        let Some((_, known)) = self.runs.get(key).find(|&(_, known)| self.run(known) == run) else {
            let words = (first as u32, run.len() as u32);
            self.runs.insert(key, 0, self.all.len());
            let spelling = self.spell(first);
            self.all.push(RecipeName {
                words,
                spelling,
                recipe,
                is_alias,
                is_shared: false,
                gaps: buffer.gaps,
                letters,
            });
            return;
        };
        self.words.truncate(first);
        let name = &mut self.all[known];
        name.gaps |= buffer.gaps;
        name.letters = name.letters.max(letters);
        if name.recipe != recipe {
            name.is_shared = true;
            let updated = |index: u32| recipes.get(index as usize).map_or(i64::MIN, |recipe| recipe.updated_at);
            if (!is_alias, updated(recipe)) > (!name.is_alias, updated(name.recipe)) {
                (name.recipe, name.is_alias) = (recipe, is_alias);
            }
        }
    }

    fn index_starts(&mut self) {
        self.starts = vec![NameStarts::default(); self.vocabulary.len()];
        for name in &self.all {
            let start = &mut self.starts[self.words[name.words.0 as usize] as usize];
            start.lengths |= length_bit(name.words.1 as usize);
            start.has_gaps |= name.gaps != 0;
            self.max_gaps = self.max_gaps.max(name.gaps.count_ones());
        }
    }

    /// Indexes the pieces of names: a name with one typo has one of its two halves intact, one with two typos one of its
    /// three thirds, so that a run of words is compared only with the few names that share a piece.
    fn index_pieces(&mut self) {
        self.pieces = MultiMap::with_capacity(self.all.len() * 3);
        self.tolerances = vec![0; MAX_SPELLED_CHARS + 1];
        for index in 0..self.all.len() {
            let name = &mut self.all[index];
            let text = &self.spellings[name.spelling.0 as usize..(name.spelling.0 + name.spelling.1) as usize];
            let edits = tolerance(name.letters);
            if edits == 0 || text.is_empty() {
                continue;
            }
            let (signature, digits) = signature(text);
            self.tolerances[text.len()] |= 1 << edits;
            for piece in 0..=edits {
                let (from, to) = piece_range(text.len(), edits, piece);
                let key = piece_key(digits, (text.len(), edits, piece), text[from..to].iter().copied());
                self.pieces.insert(key, signature, index);
            }
        }
        let longest = self.tolerances.iter().rposition(|tolerances| *tolerances != 0);
        self.tolerances.truncate(longest.map_or(0, |longest| longest + 1));
    }

    /// Returns a name by its position.
    pub fn get(&self, index: usize) -> Option<&RecipeName> {
        self.all.get(index)
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the length of the longest name that may be misspelled.
    pub fn max_chars(&self) -> usize {
        self.tolerances.len().saturating_sub(1)
    }

    /// Returns the most punctuation marks in a name.
    pub fn max_gaps(&self) -> u32 {
        self.max_gaps
    }

    /// Returns what the names that begin with a word have in common.
    pub fn start(&self, first: u32) -> NameStarts {
        self.starts.get(first as usize).copied().unwrap_or_default()
    }

    /// Returns the name that is exactly this run of words, with punctuation before these of them.
    pub fn exact(&self, key: u64, run: &[u32], marks: u64) -> Option<usize> {
        let mut names = self.runs.get(key).map(|(_, name)| name);
        names.find(|&name| self.run(name) == run && marks & !self.all[name].gaps == 0)
    }

    /// Returns the words of a name.
    pub fn run(&self, name: usize) -> &[u32] {
        let (first, count) = self.all[name].words;
        &self.words[first as usize..(first + count) as usize]
    }

    /// Appends the spelling of the last name; the range is empty if typos are not allowed.
    fn spell(&mut self, first_word: usize) -> (u32, u32) {
        let first = self.spellings.len();
        for &word in &self.words[first_word..] {
            if self.spellings.len() > first {
                self.spellings.push(Letter::from(b' '));
            }
            spelling::spell(self.vocabulary.word(word), &mut self.spellings);
        }
        let text = &self.spellings[first..];
        if text.len() > MAX_SPELLED_CHARS || text.contains(&Letter::MAX) {
            self.spellings.truncate(first);
        }
        (first as u32, (self.spellings.len() - first) as u32)
    }

    fn spelling(&self, name: &RecipeName) -> &[Letter] {
        let (first, count) = name.spelling;
        &self.spellings[first as usize..(first + count) as usize]
    }

    /// Returns the name that a run of characters misspells, if it can only be one recipe's.
    pub fn misspelled(&self, text: &[Letter], marks: u32, budget: &mut u32) -> Option<usize> {
        let (signature, digits) = signature(text);
        let mut found: Option<usize> = None;
        let fits = |name: usize, edits: usize| {
            let known = &self.all[name];
            known.gaps.count_ones() >= marks && is_within(text, self.spelling(known), edits)
        };
        for length in text.len().saturating_sub(2)..=text.len() + 2 {
            let known = self.tolerances.get(length).copied().unwrap_or(0);
            for edits in (1..=2).filter(|edits| known & (1 << edits) != 0) {
                for key in keys(text, digits, length, edits) {
                    *budget = budget.saturating_sub(1);
                    for (known, name) in self.pieces.get(key) {
                        if *budget == 0 {
                            return None;
                        }
                        *budget -= 1;
                        if !is_similar(signature, known, edits) || found == Some(name) {
                            continue;
                        }
                        *budget = budget.saturating_sub(text.len() as u32 / 4);
                        if !fits(name, edits) {
                            continue;
                        }
                        let is_other = found.is_some_and(|found| self.all[found].recipe != self.all[name].recipe);
                        if is_other || self.all[name].is_shared {
                            return None;
                        }
                        found = Some(name);
                    }
                }
            }
        }
        found
    }
}

/// Adds a word to the hash of a run of words.
pub(super) fn extend(key: u64, word: u32) -> u64 {
    (key.rotate_left(5) ^ (u64::from(word) + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn length_bit(words: usize) -> u64 {
    1 << words.min(63)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(text: &str) -> Vec<Letter> {
        let mut letters = Vec::new();
        spelling::spell(text, &mut letters);
        letters
    }

    /// Every text within the tolerance of a name shares a piece with it: the index loses nothing.
    #[test]
    fn no_typo_escapes_the_index() {
        let recipe = Recipe { name: "Grandma Stew Pot".to_owned(), ..Recipe::default() };
        let names = RecipeNames::new(std::slice::from_ref(&recipe));
        let exact = chars("grandma stew pot");
        for first in one_edit(&exact) {
            for second in one_edit(&first).into_iter().step_by(7).chain([first.clone()]) {
                let expected = is_within(&second, &exact, 2).then_some(0);
                let mut budget = MAX_LOOK_UPS;
                assert_eq!(
                    names.misspelled(&second, 0, &mut budget),
                    expected,
                    "{}",
                    String::from_utf16_lossy(&second)
                );
            }
        }
    }

    fn one_edit(text: &[Letter]) -> Vec<Vec<Letter>> {
        let mut all = Vec::new();
        for at in 0..=text.len() {
            let mut added = text.to_vec();
            added.insert(at, Letter::from(b'z'));
            all.push(added);
            if at < text.len() {
                let mut removed = text.to_vec();
                removed.remove(at);
                all.push(removed);
                let mut replaced = text.to_vec();
                replaced[at] = Letter::from(b'q');
                all.push(replaced);
            }
            if at + 1 < text.len() {
                let mut swapped = text.to_vec();
                swapped.swap(at, at + 1);
                all.push(swapped);
            }
        }
        all
    }
}
