//! Catalog files: written, opened, damaged, replaced while in use.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use foods::catalog::live::{Live, Update};
use foods::catalog::{Catalog, CatalogError, Layer, Manifest, Writer};
use foods::search::Searcher;
use foods::{Food, FoodTable, LocalName, Nutrient, Nutrients, Origin, Portion, Serving, Source, pack};

fn food(id: &str, name: &str) -> Food {
    let mut nutrients = Nutrients::default();
    for (nutrient, value) in
        [(Nutrient::Calories, 52.0), (Nutrient::Protein, 3.33), (Nutrient::Carbs, 4.83), (Nutrient::Fat, 2.14)]
    {
        nutrients.set(nutrient, value);
    }
    Food {
        category: Some("Milk".to_owned()),
        portions: vec![Portion::new("1 cup".to_owned(), 244.0)],
        serving: Serving { description: "1 cup".to_owned(), grams: 244.0 },
        ..Food::new(id, Origin::Fndds2021, name, nutrients)
    }
}

fn product(id: &str, brand: &str, name: &str, gtin: u64) -> Food {
    Food {
        origin: Origin::FdcBranded,
        brand: Some(brand.to_owned()),
        gtin: Some(gtin),
        portions: Vec::new(),
        ..food(id, name)
    }
}

fn write(path: &Path, foods: &[Food]) {
    let mut writer = Writer::create(path).expect("creates");
    for food in foods {
        writer.add(food).expect("adds");
    }
    writer.finish(&Manifest::default()).expect("finishes");
}

/// A catalog that lives as long as the test program, as the embedded one does.
fn embedded(foods: &[Food]) -> &'static [u8] {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("catalog.morsel");
    write(&path, foods);
    Box::leak(fs::read(path).expect("reads").into_boxed_slice())
}

fn names(catalog: &Catalog, query: &str) -> Vec<String> {
    Searcher::default().search(catalog, query, 10, None).into_iter().map(|food| food.name).collect()
}

#[test]
fn a_food_comes_back_as_it_was_written() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("catalog.morsel");
    let mut rich = product("gtin_00894700010045", "Chobani", "Greek Yogurt, Vanilla", 894_700_010_045);
    rich.description = Some("CHOBANI, GREEK YOGURT, VANILLA".to_owned());
    rich.synonyms = vec!["strained yogurt".to_owned()];
    rich.nutrients.set(Nutrient::Iron, 0.123);
    rich.occurrences = 7;
    rich.portions = vec![Portion::new("1 container".to_owned(), 150.0)];
    rich.density = Some(1.042);
    let plain = Food { density: Some(1.031), ..food("fndds_11100000", "Milk") };
    write(&path, &[plain.clone(), rich.clone()]);
    let layer = Layer::open(&path).expect("opens");
    assert_eq!(layer.len(), 2);
    let catalog = Catalog::new(layer, None);
    let milk = catalog.by_id("fndds_11100000").expect("found");
    assert_eq!(milk.nutrients.get(Nutrient::Fiber), None, "missing is not zero");
    assert_eq!(milk, plain);
    let yogurt = catalog.by_gtin(894_700_010_045).expect("found");
    assert_eq!(yogurt, rich);
    assert_eq!(catalog.by_id("fndds_1"), None);
    assert_eq!(catalog.by_gtin(1), None);
}

#[test]
fn density_falls_back_to_the_median_of_the_category() {
    let milk = |id: &str, density| Food { density, ..food(id, "Milk") };
    let foods = [
        milk("fndds_00000001", Some(1.0)),
        milk("fndds_00000002", Some(1.03)),
        milk("fndds_00000003", Some(1.5)),
        milk("fndds_00000004", None),
        Food { category: Some("Bread".to_owned()), ..milk("fndds_00000005", None) },
    ];
    let catalog = Catalog::new(Layer::from_static(embedded(&foods)).expect("opens"), None);
    let density = |id| catalog.by_id(id).expect("found").density;
    assert_eq!(density("fndds_00000003"), Some(1.5), "its own");
    assert_eq!(density("fndds_00000004"), Some(1.03), "the median of milk");
    assert_eq!(density("fndds_00000005"), None, "no bread has one");
}

#[test]
fn the_later_of_two_foods_with_one_id_is_kept() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("catalog.morsel");
    write(&path, &[food("sr_01001", "Old butter"), food("sr_01002", "Cream"), food("sr_01001", "New butter")]);
    let catalog = Catalog::new(Layer::open(&path).expect("opens"), None);
    assert_eq!(catalog.len(), 2);
    assert_eq!(catalog.by_id("sr_01001").expect("found").name, "New butter");
    assert_eq!(names(&catalog, "butter"), ["New butter"]);
    assert_eq!(names(&catalog, "cream"), ["Cream"]);
}

#[test]
fn every_flipped_byte_and_every_cut_is_noticed() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("catalog.morsel");
    write(&path, &[food("sr_01001", "Butter"), product("gtin_1", "Brand", "Cream", 1)]);
    let good = fs::read(&path).expect("reads");
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x40;
        fs::write(&path, &bad).expect("writes");
        let error = Layer::open(&path).expect_err("a flipped byte must not go unnoticed");
        assert!(matches!(error, CatalogError::Corrupt { .. } | CatalogError::OtherFormat { .. }), "byte {at}: {error}");
    }
    for len in 0..good.len() {
        fs::write(&path, &good[..len]).expect("writes");
        assert!(matches!(Layer::open(&path), Err(CatalogError::Corrupt { .. })), "cut to {len}");
    }
}

#[test]
fn a_catalog_of_another_version_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("catalog.morsel");
    write(&path, &[food("sr_01001", "Butter")]);
    let mut bytes = fs::read(&path).expect("reads");
    bytes[8] = 99;
    fs::write(&path, &bytes).expect("writes");
    let message = Layer::open(&path).expect_err("refused").to_string();
    assert!(message.contains("format 99") && message.contains("morsel import"), "{message}");
    assert_eq!(fs::read(&path).expect("still there"), bytes, "nothing is lost");
}

#[test]
fn an_import_adds_to_what_is_there_and_hides_what_it_replaces() {
    let data = tempfile::tempdir().expect("folder");
    let base = embedded(&[food("fndds_11100000", "Milk"), food("fndds_63107010", "Banana")]);
    let live = Live::open(base, data.path()).expect("opens");
    assert_eq!(live.current().len(), 2);
    assert!(!live.refresh().expect("nothing new"));

    let mut update = Update::begin(data.path()).expect("begins");
    update.add(&Food { name: "Fresh milk".to_owned(), ..food("fndds_11100000", "") }).expect("adds");
    update.add(&product("gtin_00000000000017", "Acme", "Oat bar", 17)).expect("adds");
    let before = live.current();
    assert_eq!(update.finish(Vec::new()).expect("finishes"), 2);
    assert!(live.refresh().expect("switches"));
    let after = live.current();
    assert_eq!((before.len(), after.len()), (2, 3));
    assert_eq!(names(&before, "milk"), ["Milk"], "who holds the old catalog keeps it");
    assert_eq!(names(&after, "milk"), ["Fresh milk"], "the imported food hides the embedded one");
    assert_eq!(names(&after, "acme oat bar"), ["Oat bar"]);

    let mut update = Update::begin(data.path()).expect("begins");
    update.add(&product("gtin_00000000000024", "Acme", "Rye bar", 24)).expect("adds");
    assert_eq!(update.finish(Vec::new()).expect("finishes"), 3, "earlier imports stay");
    let reopened = Live::open(base, data.path()).expect("a restart").current();
    assert_eq!(reopened.len(), 4);
    assert!(reopened.by_gtin(17).is_some() && reopened.by_gtin(24).is_some());
}

#[test]
fn a_whole_match_in_one_layer_beats_a_half_match_in_another() {
    let data = tempfile::tempdir().expect("folder");
    let base = embedded(&[food("fndds_00000001", "Oat bar"), food("fndds_00000002", "Granola bar")]);
    let mut update = Update::begin(data.path()).expect("begins");
    update.add(&product("gtin_00000000000017", "Zwirbel", "Oat bar", 17)).expect("adds");
    update.finish(Vec::new()).expect("finishes");
    let catalog = Live::open(base, data.path()).expect("opens").current();
    let found = Searcher::default().search(&catalog, "zwirbel oat bar", 10, None);
    assert_eq!(found.iter().map(|food| food.id.as_str()).collect::<Vec<_>>(), ["gtin_00000000000017"]);
    assert_eq!(names(&catalog, "granola bar zwirbel")[0], "Granola bar", "half of the words, where nothing has all");
}

#[test]
fn an_import_that_dies_changes_nothing() {
    let data = tempfile::tempdir().expect("folder");
    let base = embedded(&[food("fndds_11100000", "Milk")]);
    let mut first = Update::begin(data.path()).expect("begins");
    first.add(&food("sr_01001", "Butter")).expect("adds");
    first.finish(Vec::new()).expect("finishes");
    let file = data.path().join("catalog/imported.morsel");
    let before = fs::read(&file).expect("reads");

    let mut dying = Update::begin(data.path()).expect("begins");
    dying.add(&food("sr_01002", "Cream")).expect("adds");
    assert!(matches!(Update::begin(data.path()), Err(CatalogError::Busy(_))), "one import at a time");
    drop(dying);
    // What a killed process leaves behind.
    fs::write(data.path().join("catalog/imported.123.spool.tmp"), "half").expect("writes");
    assert_eq!(fs::read(&file).expect("reads"), before);
    assert_eq!(Live::open(base, data.path()).expect("opens").current().len(), 2);

    let mut next = Update::begin(data.path()).expect("begins again");
    next.add(&food("sr_01003", "Ghee")).expect("adds");
    next.finish(Vec::new()).expect("finishes");
    let left: Vec<_> =
        fs::read_dir(data.path().join("catalog")).expect("lists").flatten().map(|e| e.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".tmp")), "{left:?}");
}

#[test]
fn searches_go_on_while_catalogs_are_replaced() {
    let data = tempfile::tempdir().expect("folder");
    let base = embedded(&[food("fndds_11100000", "Milk"), food("fndds_63107010", "Banana")]);
    let live = Live::open(base, data.path()).expect("opens");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let searching: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let searcher = Searcher::default();
                    let mut answered = 0;
                    while !done.load(Ordering::Relaxed) {
                        let hits = searcher.search(&live.current(), "banana", 5, None);
                        assert_eq!(hits.first().map(|food| food.name.as_str()), Some("Banana"));
                        answered += 1;
                    }
                    answered
                })
            })
            .collect();
        for round in 0..10u64 {
            let mut update = Update::begin(data.path()).expect("begins");
            update.add(&product(&format!("gtin_{round:014}"), "Acme", "Bar", round + 1)).expect("adds");
            update.finish(Vec::new()).expect("finishes");
            assert!(live.refresh().expect("switches"));
        }
        done.store(true, Ordering::Relaxed);
        for thread in searching {
            assert!(thread.join().expect("no panic") > 0);
        }
    });
    assert_eq!(live.current().len(), 12);
}

#[test]
fn the_source_filter_and_the_limit_hold() {
    let bytes = embedded(&[
        food("fndds_00000001", "Oat milk"),
        product("gtin_00000000000017", "Acme", "Oat milk", 17),
        product("gtin_00000000000024", "Bolt", "Oat milk", 24),
    ]);
    let catalog = Catalog::new(Layer::from_static(bytes).expect("opens"), None);
    let searcher = Searcher::default();
    let ids = |source, limit| -> Vec<String> {
        searcher.search(&catalog, "oat milk", limit, source).into_iter().map(|food| food.id).collect()
    };
    assert_eq!(ids(None, 10)[0], "fndds_00000001", "plain foods before brands");
    assert_eq!(ids(None, 10).len(), 3);
    assert_eq!(ids(Some(Source::Usda), 10), ["fndds_00000001"]);
    assert_eq!(ids(Some(Source::Branded), 10).len(), 2);
    assert_eq!(ids(None, 1).len(), 1);
    assert_eq!(ids(None, 0).len(), 0);
    let named = searcher.search(&catalog, "bolt oat milk", 10, None);
    assert_eq!(named[0].brand.as_deref(), Some("Bolt"), "a named brand comes first");
}

/// A food of a national table, with names in other languages.
fn of_table(table: FoodTable, id: &str, name: &str, local: &[(&str, &str)]) -> Food {
    let local_name =
        |(language, name): &(&str, &str)| LocalName { language: (*language).to_owned(), name: (*name).to_owned() };
    let local_names = local.iter().map(local_name).collect();
    let mut food = Food { origin: Origin::Table(table), local_names, ..food(id, name) };
    food.nutrients.set(Nutrient::AvailableCarbs, 4.5);
    food
}

#[test]
fn foods_of_other_tables_keep_their_names_and_stay_behind_ours() {
    let foods = [
        of_table(FoodTable::Bls, "bls_B511000", "Wheat roll", &[("de", "Weizenbrötchen"), ("de", "Semmel")]),
        of_table(FoodTable::Swiss, "swiss_1", "Rye roll", &[("fr", "petit pain")]),
        food("fndds_51150000", "Wheat roll"),
        product("gtin_00000000000017", "Acme", "Wheat roll", 17),
    ];
    let packed: Vec<Food> = pack::read(&pack::write(&foods).expect("packs")).expect("opens").flatten().collect();
    let kept = |food: &Food| (food.id.clone(), food.origin, food.nutrients, food.local_names.clone());
    assert_eq!(packed.iter().map(kept).collect::<Vec<_>>(), foods.iter().map(kept).collect::<Vec<_>>());
    let catalog = Catalog::new(Layer::from_static(embedded(&packed)).expect("opens"), None);
    let layer = &catalog.layers()[0];
    assert_eq!(catalog.by_id("bls_B511000").as_ref().map(kept), foods.first().map(kept));
    assert_eq!(layer.languages().collect::<Vec<_>>(), ["de", "fr"]);
    assert_eq!(layer.names_in("de").collect::<Vec<_>>(), [("Weizenbrötchen", 0), ("Semmel", 0)]);
    assert_eq!((layer.name_in(1, "fr"), layer.name_in(1, "de")), (Some("petit pain"), None));
    let ids = |query: &str, source| -> Vec<String> {
        Searcher::default().search(&catalog, query, 10, source).into_iter().map(|food| food.id).collect()
    };
    assert_eq!(ids("wheat roll", None)[0], "fndds_51150000");
    assert_eq!(ids("roll", Some(Source::Table(FoodTable::Bls))), ["bls_B511000"]);
    assert!(ids("semmel", None).is_empty(), "the index is English");
    let fill_ins: Vec<u32> = layer.fill_ins().map(|name| name.food).collect();
    assert_eq!(fill_ins, [1], "only \"rye\" is a word that ours lack");
}

#[test]
fn an_import_keeps_the_names_of_earlier_ones() {
    let data = tempfile::tempdir().expect("folder");
    for (id, local) in [("canteen_1", "Suppe"), ("canteen_2", "Eintopf")] {
        let mut update = Update::begin(data.path()).expect("begins");
        update.add(&of_table(FoodTable::Imported, id, "Zorblax", &[("de", local)])).expect("adds");
        update.finish(Vec::new()).expect("finishes");
    }
    let catalog = Live::open(embedded(&[food("fndds_1", "Milk")]), data.path()).expect("opens").current();
    let names: Vec<&str> = catalog.layers()[1].names_in("de").map(|(name, _)| name).collect();
    assert_eq!(names, ["Eintopf", "Suppe"]);
}
