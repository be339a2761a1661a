//! The layers of a catalog as one.

use std::collections::HashSet;
use std::ops::Range;

use super::error::CatalogError;
use super::layout::id_digest;
use super::reader::Layer;
use crate::food::{Food, Origin};

/// Foods by id and barcode, over all layers.
///
/// ```
/// use foods::catalog::{Catalog, Layer, Manifest, Writer};
/// use foods::{Food, Nutrient, Nutrients, Origin};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut nutrients = Nutrients::default();
/// nutrients.set(Nutrient::Calories, 61.0);
/// let milk = Food::new("fndds_11111000", Origin::Fndds2021, "Whole milk", nutrients);
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("catalog.morsel");
/// let mut writer = Writer::create(&path)?;
/// writer.add(&milk)?;
/// writer.finish(&Manifest::default())?;
///
/// let catalog = Catalog::new(Layer::open(&path)?, None);
/// assert_eq!(catalog.by_id("fndds_11111000"), Some(milk));
/// assert_eq!(catalog.by_id("fndds_1"), None);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Catalog {
    layers: Vec<Layer>,
    /// Digests of the ids in the upper layer that the lower one has as well.
    hidden: HashSet<u64>,
}

impl Catalog {
    /// Creates a catalog of the embedded foods and, over them, imported ones.
    pub fn new(embedded: Layer, imported: Option<Layer>) -> Self {
        let hidden =
            imported.iter().flat_map(Layer::id_digests).filter(|digest| embedded.has_id_digest(*digest)).collect();
        Self { layers: std::iter::once(embedded).chain(imported).collect(), hidden }
    }

    /// Opens the bytes of a catalog file that are part of the program: `Catalog::from_static(embedded::CATALOG)`.
    pub fn from_static(embedded: &'static [u8]) -> Result<Self, CatalogError> {
        Ok(Self::new(Layer::from_static(embedded)?, None))
    }

    /// Returns the number of foods.
    pub fn len(&self) -> usize {
        self.layers.iter().map(|layer| layer.len() as usize).sum::<usize>() - self.hidden.len()
    }

    /// Returns whether there are no foods.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the layers, embedded first.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns the food with this id.
    pub fn by_id(&self, id: &str) -> Option<Food> {
        self.layers.iter().rev().find_map(|layer| layer.food(layer.find_id(id)?))
    }

    /// Returns the food with this barcode (UPC-A, EAN-8, EAN-13 or GTIN-14 as a number).
    pub fn by_gtin(&self, gtin: u64) -> Option<Food> {
        self.layers.iter().rev().find_map(|layer| layer.food(layer.find_gtin(gtin)?))
    }

    /// Returns a range of the foods of wanted origins, in the order of the files. Foods before the range are not decoded.
    pub fn foods_of(&self, is_wanted: impl Fn(Origin) -> bool, range: Range<usize>) -> Vec<Food> {
        let layers = self.layers.iter().enumerate();
        let places = layers.flat_map(|(index, layer)| (0..layer.len()).map(move |food| (index, layer, food)));
        let wanted = places.filter(|(index, layer, food)| {
            layer.origin_of(*food).is_some_and(&is_wanted) && !self.is_hidden(*index, *food)
        });
        wanted.skip(range.start).take(range.len()).filter_map(|(_, layer, food)| layer.food(food)).collect()
    }

    /// Returns whether the digest of an imported food's id is also that of an embedded one.
    pub(super) fn replaces(&self, digest: u64) -> bool {
        self.hidden.contains(&digest)
    }

    /// Returns whether a food of a layer is replaced by one of the layer above.
    pub(crate) fn is_hidden(&self, layer: usize, food: u32) -> bool {
        let id = || self.layers[layer].food(food).map(|food| id_digest(&food.id));
        layer == 0 && !self.hidden.is_empty() && id().is_some_and(|digest| self.hidden.contains(&digest))
    }
}
