//! Numbers for foods, computed from their ids.
//!
//! Protocols of other services identify foods by numbers of a limited length: a barcode, a 32-bit integer. The digests of all ids
//! are sorted in a catalog file. So if they are spread over a number of slots in their order, the foods of a slot are neighbors
//! in the file and found by bisection: no index is needed to get from a number back to its food. Foods that share a slot are
//! told apart by their rank in it. Embedded foods come before imported ones, so that an import does not change their numbers.

use super::layered::Catalog;
use super::layout::id_digest;
use super::reader::Layer;
use crate::food::Food;

/// The place of a food among a number of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IdSlot {
    /// The slot.
    pub slot: u64,
    /// The food's rank among those in the slot, nearly always 0.
    pub rank: u64,
}

impl Catalog {
    /// Returns the place of the food with this id among so many slots; `None` if there is no such food.
    ///
    /// ```
    /// use foods::catalog::{Catalog, Layer, Manifest, Writer};
    /// use foods::{Food, Nutrients, Origin};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("catalog.morsel");
    /// let mut writer = Writer::create(&path)?;
    /// for id in ["sr_01001", "sr_01085"] {
    ///     writer.add(&Food::new(id, Origin::StandardReference, id, Nutrients::default()))?;
    /// }
    /// writer.finish(&Manifest::default())?;
    /// let catalog = Catalog::new(Layer::open(&path)?, None);
    ///
    /// let place = catalog.id_slot("sr_01085", 1_000).expect("a food");
    /// assert!(place.slot < 1_000);
    /// assert_eq!(catalog.by_id_slot(place, 1_000).map(|food| food.id), Some("sr_01085".to_owned()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn id_slot(&self, id: &str, slots: u64) -> Option<IdSlot> {
        let digest = id_digest(id);
        let slot = slot_of(digest, slots);
        let rank = self.digests_in(slot, slots).position(|found| found == digest)?;
        Some(IdSlot { slot, rank: rank as u64 })
    }

    /// Returns the food at a place among so many slots.
    pub fn by_id_slot(&self, place: IdSlot, slots: u64) -> Option<Food> {
        let digest = self.digests_in(place.slot, slots).nth(usize::try_from(place.rank).ok()?)?;
        self.layers().iter().rev().find_map(|layer| layer.food(layer.find_id_digest(digest)?))
    }

    /// Iterates over the digests of ids in a slot, those of the embedded foods first.
    fn digests_in(&self, slot: u64, slots: u64) -> impl Iterator<Item = u64> + '_ {
        let of_layer = move |(index, layer): (usize, &'_ Layer)| {
            let digests: Vec<u64> = layer
                .id_digests_from(|digest| slot_of(digest, slots) < slot)
                .take_while(|digest| slot_of(*digest, slots) == slot)
                // A food that is imported over an embedded one has its number already.
                .filter(|digest| index == 0 || !self.replaces(*digest))
                .collect();
            digests
        };
        self.layers().iter().enumerate().flat_map(of_layer)
    }
}

/// Spreads digests over slots in their order.
fn slot_of(digest: u64, slots: u64) -> u64 {
    ((u128::from(digest) * u128::from(slots)) >> u64::BITS) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Manifest, Writer};
    use crate::{Nutrients, Origin};

    fn layer(folder: &tempfile::TempDir, name: &str, ids: &[String]) -> Layer {
        let path = folder.path().join(name);
        let mut writer = Writer::create(&path).expect("a file");
        for id in ids {
            let food = Food::new(id.as_str(), Origin::StandardReference, format!("{name} {id}"), Nutrients::default());
            writer.add(&food).expect("added");
        }
        writer.finish(&Manifest::default()).expect("written");
        Layer::open(&path).expect("opens")
    }

    #[test]
    fn foods_that_share_a_slot_have_numbers_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let ids: Vec<String> = (0..200).map(|number| format!("sr_{number:05}")).collect();
        let imported: Vec<String> = (150..400).map(|number| format!("sr_{number:05}")).collect();
        let alone = Catalog::new(layer(&folder, "embedded", &ids), None);
        let both = Catalog::new(layer(&folder, "embedded", &ids), Some(layer(&folder, "imported", &imported)));
        let mut places = std::collections::HashSet::new();
        for number in 0..400 {
            let id = format!("sr_{number:05}");
            let place = both.id_slot(&id, 16).expect("a food");
            assert!(place.slot < 16 && places.insert(place), "{id}");
            let food = both.by_id_slot(place, 16).expect("the food");
            assert_eq!(food.id, id);
            assert_eq!(food.name.starts_with("imported"), number >= 150, "an imported food replaces the embedded one");
            if number < 200 {
                assert_eq!(alone.id_slot(&id, 16), Some(place), "an import changes no number");
            }
        }
        assert_eq!(both.id_slot("sr_99999", 16), None);
        assert_eq!(both.by_id_slot(IdSlot { slot: 3, rank: 400 }, 16), None);
        assert_eq!(both.by_id_slot(IdSlot { slot: 99, rank: 0 }, 16), None);
    }
}
