//! Morsel: a catalog file, mapped or embedded, and its own searcher.

use anyhow::Result;
use foods::catalog::Catalog;
use foods::search::Searcher;

use super::{Engine, Found, RESULTS};
use crate::docs::Foods;

pub struct Morsel {
    catalog: Catalog,
    searcher: Searcher,
}

impl Morsel {
    pub fn open(foods: &Foods) -> Result<Self> {
        Ok(Self { catalog: Catalog::new(foods.layer()?, None), searcher: Searcher::default() })
    }
}

impl Engine for Morsel {
    /// The time includes reading the ten foods with all their nutrients, which the peers do not do.
    fn search(&mut self, query: &str) -> Result<Found> {
        let foods = self.searcher.search(&self.catalog, query, RESULTS, None);
        Ok(Found::Ids(foods.into_iter().map(|food| food.id).collect()))
    }
}
