//! Words that differ from a misspelled one by an edit or two.
//!
//! Only words with the same first letter and nearly the same length can be meant, and of those most have other letters. What is
//! left is few enough to compare letter by letter, so that a text of nothing but unknown words takes no longer than another.

/// The most letters of a word that is compared; no word of a name is longer.
const MAX_LETTERS: usize = 40;

/// Words that a misspelled one may stand for.
#[derive(Debug, Default)]
pub(crate) struct Spellings {
    /// By their first letter and their length.
    words: Vec<Spelling>,
    /// All of them, one behind the other.
    text: String,
}

/// A word of the list.
#[derive(Clone, Copy, Debug)]
struct Spelling {
    /// Its first byte and how many letters it has.
    group: (u8, u8),
    /// Its number in the catalog.
    number: u32,
    /// Which letters it has.
    letters: Letters,
    /// Where it is in the text.
    start: u32,
    end: u32,
}

impl Spellings {
    /// Adds a word with its number.
    pub fn add(&mut self, number: u32, word: &str) {
        let (Some(&first), letters) = (word.as_bytes().first(), word.chars().count()) else { return };
        if letters <= MAX_LETTERS {
            let start = self.text.len() as u32;
            self.text.push_str(word);
            let (group, end) = ((first, letters as u8), self.text.len() as u32);
            self.words.push(Spelling { group, number, letters: Letters::of(word), start, end });
        }
    }

    /// Returns the list, ready to be searched.
    pub fn sorted(mut self) -> Self {
        self.words.sort_by_key(|word| (word.group, word.number));
        self
    }

    /// Returns the numbers of the words within so many edits of a word (a letter added, left out, replaced, or swapped with the
    /// next), nearest first.
    pub fn near(&self, word: &str, max_edits: usize) -> Vec<u32> {
        let typed: Vec<char> = word.chars().take(MAX_LETTERS + max_edits + 1).collect();
        let (Some(&first), letters) = (word.as_bytes().first(), Letters::of(word)) else { return Vec::new() };
        let shortest = typed.len().saturating_sub(max_edits).max(1) as u8;
        let from = self.words.partition_point(|known| known.group < (first, shortest));
        let longest = (first, (typed.len() + max_edits) as u8);
        let mut found: Vec<(usize, u32)> = Vec::new();
        for known in self.words[from..].iter().take_while(|known| known.group <= longest) {
            // An edit replaces one letter by another at most.
            if known.letters.differences(letters) > 2 * max_edits as u32 {
                continue;
            }
            let text = &self.text[known.start as usize..known.end as usize];
            found.extend(edits(&typed, text, max_edits).map(|edits| (edits, known.number)));
        }
        found.sort_unstable();
        found.into_iter().map(|(_, number)| number).collect()
    }
}

/// A set of letters. Those beyond the alphabet share bits with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Letters(u32);

impl Letters {
    fn of(word: &str) -> Self {
        Self(word.chars().fold(0, |bits, letter| bits | 1u32.rotate_left(letter as u32)))
    }

    /// Counts the letters that only one of two words has.
    fn differences(self, other: Self) -> u32 {
        (self.0 ^ other.0).count_ones()
    }
}

/// Counts the edits between two words; returns `None` if there are more than so many.
fn edits(typed: &[char], known: &str, max: usize) -> Option<usize> {
    const WIDTH: usize = MAX_LETTERS + 4;
    let columns = typed.len() + 1;
    // The rows of the last two letters and of this one.
    let mut rows = [[0usize; WIDTH]; 3];
    for (at, cell) in rows[0][..columns].iter_mut().enumerate() {
        *cell = at;
    }
    let (mut before, mut row) = (None, 0);
    for letter in known.chars() {
        row += 1;
        let [older, last, this] = rows_at(&mut rows, row);
        // Cells further off the diagonal have more edits than allowed.
        let (low, high) = (row.saturating_sub(max).max(1), (row + max).min(columns - 1));
        this[low - 1] = if low == 1 { row } else { max + 1 };
        let mut fewest = this[low - 1];
        for at in low..=high {
            let replaced = last[at - 1] + usize::from(typed[at - 1] != letter);
            let above = if at < row + max { last[at] + 1 } else { max + 1 };
            let mut cell = replaced.min(this[at - 1] + 1).min(above);
            if at > 1 && before == Some(typed[at - 1]) && typed[at - 2] == letter {
                cell = cell.min(older[at - 2] + 1);
            }
            this[at] = cell;
            fewest = fewest.min(cell);
        }
        if fewest > max {
            return None;
        }
        before = Some(letter);
    }
    let found = rows[row % 3][columns - 1];
    (columns - 1 <= row + max && found <= max).then_some(found)
}

/// Returns the rows of two letters ago, of the last letter and of this one.
fn rows_at<const N: usize>(rows: &mut [[usize; N]; 3], row: usize) -> [&mut [usize; N]; 3] {
    let [zero, one, two] = rows;
    match row % 3 {
        0 => [one, two, zero],
        1 => [two, zero, one],
        _ => [zero, one, two],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 7] = ["cheese", "chive", "chili", "cherry", "broccoli", "jalapeno", "crème"];

    fn near(word: &str, max_edits: usize) -> Vec<&'static str> {
        let mut all = Spellings::default();
        for (number, word) in (0..).zip(WORDS) {
            all.add(number, word);
        }
        all.sorted().near(word, max_edits).into_iter().map(|number| WORDS[number as usize]).collect()
    }

    #[test]
    fn words_an_edit_away_are_found() {
        assert_eq!(near("chese", 1), ["cheese"]);
        assert_eq!(near("cheeese", 1), ["cheese"]);
        assert_eq!(near("chehse", 1), ["cheese"], "replaced");
        assert_eq!(near("hceese", 1), [""; 0], "the first letter is another");
        assert_eq!(near("chesee", 1), ["cheese"], "swapped");
        assert_eq!(near("crèem", 1), ["crème"]);
        assert_eq!(near("brocoli", 1), ["broccoli"]);
        assert_eq!(near("brocolli", 1), [""; 0]);
        assert_eq!(near("brocolli", 2), ["broccoli"]);
        assert_eq!(near("chivi", 2), ["chive", "chili"], "the nearest first");
    }

    #[test]
    fn strange_words_are_near_nothing() {
        for word in ["", "c", "🍕", &"c".repeat(500), &"é".repeat(200)] {
            assert_eq!(near(word, 2), [""; 0], "{word}");
        }
    }

    /// Counts edits by the textbook, with a whole table.
    fn edits_by_table(one: &[char], other: &[char]) -> usize {
        let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
        for row in 0..=one.len() {
            for column in 0..=other.len() {
                table[row][column] = if row == 0 || column == 0 {
                    row + column
                } else {
                    let same = one[row - 1] == other[column - 1];
                    let mut least = (table[row - 1][column - 1] + usize::from(!same))
                        .min(table[row - 1][column] + 1)
                        .min(table[row][column - 1] + 1);
                    if row > 1 && column > 1 && one[row - 1] == other[column - 2] && one[row - 2] == other[column - 1] {
                        least = least.min(table[row - 2][column - 2] + 1);
                    }
                    least
                };
            }
        }
        table[one.len()][other.len()]
    }

    proptest::proptest! {
        #[test]
        fn edits_are_those_of_the_whole_table(one in "[abcé]{0,9}", other in "[abcé]{0,9}", max in 0usize..4) {
            let typed: Vec<char> = one.chars().collect();
            let expected = edits_by_table(&typed, &other.chars().collect::<Vec<_>>());
            proptest::prop_assert_eq!(edits(&typed, &other, max), Some(expected).filter(|edits| *edits <= max));
        }
    }
}
