//! A hash table from keys to any number of items each, filled once.
//!
//! An account can have fifty thousand names and three pieces of each, so that an entry is small, and items whose note
//! does not fit are skipped before they are read.

use std::num::NonZeroU32;

/// The number of an entry, counted from one.
type EntryNumber = NonZeroU32;

#[derive(Debug)]
struct MultiMapEntry {
    key: u64,
    note: u64,
    item: u32,
    /// The next entry in the same slot.
    next: Option<EntryNumber>,
}

/// A hash table from keys to items with a note on each.
#[derive(Debug, Default)]
pub(super) struct MultiMap {
    /// The first entry in each slot.
    slots: Vec<Option<EntryNumber>>,
    entries: Vec<MultiMapEntry>,
}

impl MultiMap {
    /// Makes room for a number of items.
    pub fn with_capacity(count: usize) -> Self {
        Self { slots: vec![None; count.next_power_of_two().max(16)], entries: Vec::with_capacity(count) }
    }

    fn slot(&self, key: u64) -> usize {
        (key ^ (key >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) as usize >> 20 & (self.slots.len() - 1)
    }

    /// Adds an item to those of a key.
    pub fn insert(&mut self, key: u64, note: u64, item: usize) {
        let slot = self.slot(key);
        self.entries.push(MultiMapEntry { key, note, item: item as u32, next: self.slots[slot] });
        self.slots[slot] = EntryNumber::new(self.entries.len() as u32);
    }

    /// Returns the items of a key with their notes, the latest first.
    pub fn get(&self, key: u64) -> impl Iterator<Item = (u64, usize)> {
        let first = if self.slots.is_empty() { None } else { self.slots[self.slot(key)] };
        let entry = |number: EntryNumber| self.entries.get(number.get() as usize - 1);
        let all = std::iter::successors(first.and_then(entry), move |entry| {
            entry.next.and_then(|number| self.entries.get(number.get() as usize - 1))
        });
        all.filter(move |entry| entry.key == key).map(|entry| (entry.note, entry.item as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_of_a_key_is_found_and_no_other() {
        let mut map = MultiMap::with_capacity(4);
        for item in 0..1_000 {
            map.insert(item as u64 % 7, item as u64 * 2, item);
        }
        for key in 0..7 {
            let mut found: Vec<(u64, usize)> = map.get(key).collect();
            found.reverse();
            let expected: Vec<(u64, usize)> =
                (0..1_000).filter(|item| item % 7 == key as usize).map(|item| (item as u64 * 2, item)).collect();
            assert_eq!(found, expected, "{key}");
        }
        assert_eq!(map.get(7).next(), None);
        assert_eq!(MultiMap::default().get(0).next(), None);
    }
}
