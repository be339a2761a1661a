//! Morsel: a catalog file, mapped or embedded, and its own searcher.

use anyhow::Result;
use foods::catalog::Catalog;
use foods::search::Searcher;

use super::{Engine, RESULTS};
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
    fn search(&mut self, query: &str) -> Result<Vec<u32>> {
        let hits = self.searcher.find(&self.catalog, query, RESULTS, None);
        Ok(hits.into_iter().map(|hit| hit.food).collect())
    }
}
