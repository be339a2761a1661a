//! Catalogs that earlier releases wrote stay readable.
//!
//! `stored/catalog-N.morsel` was written by the first release with format N, from foods made up for this purpose. When the
//! format changes, add a file of the new format here; a file is only removed with its entry in
//! [`READABLE_FORMATS`].

use std::path::{Path, PathBuf};

use foods::catalog::live::Live;
use foods::catalog::{Catalog, Layer, READABLE_FORMATS};
use foods::search::Searcher;
use foods::{Nutrient, Origin, Portion, Source};

fn stored(format: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/stored/catalog-{format}.morsel"))
}

fn open(format: u32) -> Catalog {
    Catalog::new(Layer::open(&stored(format)).expect("a stored catalog opens"), None)
}

#[test]
fn every_readable_format_has_a_stored_catalog() {
    for &format in READABLE_FORMATS {
        let bytes = std::fs::read(stored(format)).expect("a stored catalog");
        assert_eq!(bytes[8..12], format.to_le_bytes(), "format {format}");
        assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
        assert_eq!(open(format).len(), 7);
    }
}

#[test]
fn foods_come_back_with_their_values() {
    for catalog in READABLE_FORMATS.iter().map(|format| open(*format)) {
        let soup = catalog.by_id("fndds_28317010").expect("found");
        assert_eq!((soup.name.as_str(), soup.origin), ("Lentil soup", Origin::Fndds2021));
        assert_eq!(soup.description.as_deref(), Some("Soup, lentil, NFS"));
        assert_eq!(soup.synonyms, ["dal", "Linsensuppe"]);
        assert_eq!(soup.portions, [Portion::new("1 cup".to_owned(), 248.0), Portion::new("1 bowl".to_owned(), 372.5)]);
        assert_eq!((soup.serving.description.as_str(), soup.serving.grams), ("1 bowl", 372.5));
        let macros = [Nutrient::Calories, Nutrient::Protein, Nutrient::Carbs, Nutrient::Fat];
        assert_eq!(macros.map(|nutrient| soup.nutrients.get(nutrient)), [66.0, 4.31, 10.2, 1.05].map(Some));
        assert_eq!(soup.nutrients.get(Nutrient::Fiber), None);

        let broth = catalog.by_id("sr_06008").expect("found");
        assert_eq!((soup.density, broth.density), (Some(1.048), Some(1.048)), "the median of the category");
        assert!(broth.portions.is_empty());

        let crispbread = catalog.by_gtin(4_012_345_678_901).expect("found");
        assert_eq!((crispbread.id.as_str(), crispbread.occurrences), ("gtin_04012345678901", 7));
        assert_eq!(crispbread.brand.as_deref(), Some("Acme Bakery"));
        assert_eq!(crispbread.nutrients.get(Nutrient::Sodium), Some(480.0));

        assert_eq!(catalog.by_gtin(17).expect("found").id, "fdc_321358");
        assert_eq!(catalog.by_id("br_abcdefghijkl_2").expect("found").name, "Crème Brûlée");
        assert_eq!(catalog.by_id("dish_lentil_supper").expect("found").origin, Origin::Dish);

        let every = catalog.by_id("fdc_9").expect("found");
        for (at, nutrient) in Nutrient::ALL.iter().enumerate().take(32) {
            assert_eq!(every.nutrients.get(*nutrient), Some(at as f32 + 0.5), "{}", nutrient.name());
        }
        let source = &catalog.layers()[0].manifest().sources[0];
        assert_eq!((source.publisher.as_str(), source.foods, source.files[0].bytes), ("Morsel 0.1.0", 7, 1234));
    }
}

#[test]
fn foods_are_found_by_name_synonym_brand_and_misspelling() {
    for catalog in READABLE_FORMATS.iter().map(|format| open(*format)) {
        let searcher = Searcher::default();
        let first =
            |query: &str, source| searcher.search(&catalog, query, 5, source).into_iter().next().map(|food| food.id);
        assert_eq!(first("lentil soup", None).as_deref(), Some("fndds_28317010"));
        assert_eq!(first("linsensuppe", None).as_deref(), Some("fndds_28317010"));
        assert_eq!(first("lentill soop", None).as_deref(), Some("fndds_28317010"));
        assert_eq!(first("acme oat bar", None).as_deref(), Some("fdc_321358"));
        assert_eq!(first("creme brulee", Some(Source::Branded)).as_deref(), Some("br_abcdefghijkl_2"));
        assert_eq!(first("creme brulee", Some(Source::Usda)), None);
    }
}

#[test]
fn a_data_directory_of_an_earlier_release_is_opened() {
    for &format in READABLE_FORMATS {
        let data = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(data.path().join("catalog")).expect("a folder");
        std::fs::copy(stored(format), data.path().join("catalog/imported.morsel")).expect("copied");
        let embedded: &'static [u8] = Box::leak(std::fs::read(stored(format)).expect("read").into_boxed_slice());
        let catalog = Live::open(embedded, data.path()).expect("opens").current();
        assert_eq!(catalog.len(), 7, "every food hides the one with the same id");
    }
}
