//! Decides which heads of product names are brands, by how the heads and their words are used in all names.

use std::collections::{HashMap, HashSet};

/// The fewest names with a head that count as evidence.
const MIN_HEADS: u32 = 3;

/// How a word is used at the end of parts.
#[derive(Clone, Copy, Default)]
struct Use {
    /// Names in which it ends the first part: "GREEK YOGURT, VANILLA".
    ends_head: u32,
    /// Names in which it ends the last of several parts.
    ends_tail: u32,
    /// Times it occurs anywhere but in a head that something follows.
    elsewhere: u32,
}

/// What follows a head, and how often the head was seen.
#[derive(Default)]
struct Head {
    count: u32,
    /// The numbers of the last words of second parts, at most [`SAMPLE`] of them.
    follows: Vec<u32>,
}

const SAMPLE: usize = 200;

/// Praise and kinds of food that occur alone before a comma, and are not brands.
const NEVER: &[&str] = &[
    "ORGANIC",
    "SPECIALTY",
    "VINTAGE",
    "PREMIUM",
    "ORIGINAL",
    "NATURAL",
    "GOURMET",
    "CLASSIC",
    "PRE",
    "FRESH",
    "FROZEN",
    "ASSORTED",
    "SUGAR FREE",
    "GLUTEN FREE",
    "TROPICAL",
    "RAW",
    "SWEET",
    "HOT",
    "MINI",
];

/// The brands among the heads of product names ("CHOBANI, GREEK YOGURT"). Counts first, then decides.
///
/// A brand recurs as a head, no longer name ends with it ("KETTLE POTATO CHIPS" ends with "POTATO CHIPS"), its own last
/// word rarely ends a name, and what follows it ends like a product and not like a flavor.
#[derive(Default)]
pub struct BrandHeads {
    heads: HashMap<String, Head>,
    word_numbers: HashMap<String, u32>,
    uses: Vec<Use>,
    brands: HashMap<String, u32>,
}

impl BrandHeads {
    /// Creates an empty counter.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one raw name. Every name of a source must be counted before [`Self::finish`].
    pub fn count(&mut self, raw_name: &str) {
        let name = raw_name.to_uppercase();
        if name.contains(',') && !name.contains(", ") {
            // "BACN,SS,GM": a warehouse's code.
            return;
        }
        let mut parts = name.split(',').map(str::trim).filter(|part| !part.is_empty());
        let Some(head) = parts.next() else { return };
        let second = parts.next();
        let last = parts.next_back().or(second);
        if let Some(number) = self.number_of_last_word(head) {
            self.uses[number as usize].ends_head += 1;
        }
        if let Some(number) = last.and_then(|part| self.number_of_last_word(part)) {
            self.uses[number as usize].ends_tail += 1;
        }
        let products = if second.is_some() { name.split_once(',').map_or("", |(_, rest)| rest) } else { head };
        // Many names begin with their brand, so first words are not evidence.
        for word in words_of(products).skip(1) {
            if let Some(number) = self.number(word) {
                self.uses[number as usize].elsewhere += 1;
            }
        }
        let follow = second.and_then(|part| self.number_of_last_word(part));
        let entry = self.heads.entry(head.to_owned()).or_default();
        if let Some(number) = follow {
            entry.count += 1;
            if entry.follows.len() < SAMPLE {
                entry.follows.push(number);
            }
        }
    }

    fn number_of_last_word(&mut self, part: &str) -> Option<u32> {
        self.number(words_of(part).next_back()?)
    }

    fn number(&mut self, word: &str) -> Option<u32> {
        if let Some(&number) = self.word_numbers.get(word) {
            return Some(number);
        }
        let number = u32::try_from(self.uses.len()).ok()?;
        self.word_numbers.insert(word.to_owned(), number);
        self.uses.push(Use::default());
        Some(number)
    }

    /// Decides, and drops what was only needed for that.
    pub fn finish(&mut self) {
        let longer = self.longer_names();
        let mut brands = HashMap::new();
        for (name, head) in &self.heads {
            let longer = longer.get(name.as_str()).copied().unwrap_or(0);
            if self.is_brand(name, head, longer) {
                brands.insert(name.clone(), head.count);
            }
        }
        *self = Self { brands, ..Self::default() };
    }

    /// Counts, for every head, the longer heads that end with it.
    fn longer_names(&self) -> HashMap<&str, u32> {
        let mut longer = HashMap::new();
        for name in self.heads.keys() {
            for (index, _) in name.match_indices(' ') {
                let ending = &name[index + 1..];
                if self.heads.contains_key(ending) {
                    *longer.entry(ending).or_insert(0) += 1;
                }
            }
        }
        longer
    }

    fn is_brand(&self, name: &str, head: &Head, longer: u32) -> bool {
        if head.count > 0 && is_company(name) {
            return true;
        }
        if head.count < MIN_HEADS || NEVER.contains(&name) || !name.chars().any(char::is_alphabetic) {
            return false;
        }
        let longer_share = f64::from(longer) / f64::from(head.count);
        let distinct: HashSet<u32> = head.follows.iter().copied().collect();
        let elsewhere = self.elsewhere_share(name, head);
        let few = head.count < 8;
        let enough_kinds = distinct.len() >= 3 || distinct.len() * 5 > head.follows.len() * 3;
        if longer_share >= 0.2 || elsewhere > 8.0 || !enough_kinds {
            return false;
        }
        let is_name_only = longer_share < 0.02 && elsewhere < 0.15;
        let product_limit = match (is_name_only, few) {
            (true, false) => 0.3,
            (true, true) => 0.45,
            (false, false) => 0.52,
            (false, true) => 0.62,
        };
        let well_known = longer_share < 0.02 && !few && head.count >= 20;
        let own_limit = if few { 1.5 } else { 3.0 };
        self.product_share(head) > product_limit && (well_known || self.own_share(name, head) < own_limit)
    }

    /// Computes how often the rarest word of the head occurs elsewhere, relative to the head itself.
    fn elsewhere_share(&self, name: &str, head: &Head) -> f64 {
        let times = |word: &str| self.word_numbers.get(word).map_or(0, |&number| self.uses[number as usize].elsewhere);
        let rarest = words_of(name).map(times).min().unwrap_or(0);
        f64::from(rarest) / f64::from(head.count)
    }

    /// Computes how much what follows the head ends like products do, from 0 (flavors) to 1.
    fn product_share(&self, head: &Head) -> f64 {
        let sum: f64 = head.follows.iter().map(|&number| self.noun_share(number)).sum();
        sum / head.follows.len().max(1) as f64
    }

    /// Computes the share of a word's endings that are ends of heads.
    fn noun_share(&self, number: u32) -> f64 {
        let Use { ends_head, ends_tail, .. } = self.uses[number as usize];
        f64::from(ends_head) / f64::from((ends_head + ends_tail).max(1))
    }

    /// Computes how often the head's last word ends other heads, relative to the head itself.
    fn own_share(&self, name: &str, head: &Head) -> f64 {
        let last = words_of(name).next_back().unwrap_or(name);
        let ends = self.word_numbers.get(last).map_or(0, |&number| self.uses[number as usize].ends_head);
        f64::from(ends.saturating_sub(head.count)) / f64::from(head.count)
    }

    /// Returns whether this part of a name, in any case, is a brand.
    pub fn is_head(&self, part: &str) -> bool {
        self.brands.contains_key(part.trim().to_uppercase().as_str())
    }

    /// Iterates over the brands with the number of names they head, in no order.
    pub fn brands(&self) -> impl Iterator<Item = (&str, u32)> {
        self.brands.iter().map(|(name, count)| (name.as_str(), *count))
    }
}

/// Returns the words with letters.
fn words_of(part: &str) -> impl DoubleEndedIterator<Item = &str> {
    part.split([' ', ',']).filter(|word| word.chars().any(char::is_alphabetic))
}

/// Returns whether the head calls itself a company: "SWEET CANDY CO".
fn is_company(name: &str) -> bool {
    let last = name.rsplit(' ').next().unwrap_or_default().trim_end_matches('.');
    name.contains(' ') && matches!(last, "CO" | "COMPANY" | "INC" | "LLC" | "BROS" | "BROTHERS")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brand_is_followed_by_products() {
        let mut heads = BrandHeads::new();
        for product in ["GREEK YOGURT", "MILK", "OATS", "YOGURT", "KEFIR"] {
            heads.count(&format!("CHOBANI, {product}"));
            for kind in ["PLAIN", "FRESH", "BEST", "WHOLE"] {
                heads.count(&format!("{kind} {product}"));
                heads.count(&format!("{product}, VANILLA"));
                heads.count(&format!("{product}, STRAWBERRY"));
            }
        }
        heads.finish();
        assert!(heads.is_head("Chobani"));
        assert!(!heads.is_head("YOGURT") && !heads.is_head("GREEK YOGURT"));
        assert_eq!(heads.brands().collect::<Vec<_>>(), [("CHOBANI", 5)]);
    }
}
