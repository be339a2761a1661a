//! What the tests of the importers share: a sink that collects, and small archives written to disk.

use std::io::Write;
use std::path::{Path, PathBuf};

use foods::import::{self, ImportError, ImportKind, Progress, Report, Sink, Skip};
use foods::{Food, Nutrient};

/// Keeps what it is handed; a later food of an id replaces the earlier one, as in the catalog.
#[derive(Default)]
pub struct Collected {
    pub foods: Vec<Food>,
    pub progress: Vec<Progress>,
}

impl Sink for Collected {
    fn food(&mut self, food: Food) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        self.foods.push(food);
        Ok(())
    }

    fn progress(&mut self, progress: Progress) {
        self.progress.push(progress);
    }
}

impl Collected {
    pub fn get(&self, id: &str) -> &Food {
        self.foods.iter().rfind(|food| food.id == id).unwrap_or_else(|| panic!("no {id} in {:?}", self.ids()))
    }

    pub fn ids(&self) -> Vec<&str> {
        self.foods.iter().map(|food| food.id.as_str()).collect()
    }
}

/// Imports and says how it went.
pub fn import(kind: ImportKind, path: &Path) -> (Result<(), ImportError>, Report, Collected) {
    let work = tempfile::tempdir().expect("a folder");
    let (mut report, mut sink) = (Report::default(), Collected::default());
    let result = import::import_path(kind, path, work.path(), &mut report, &mut sink);
    let left = std::fs::read_dir(work.path()).expect("the work folder is still there").count();
    assert_eq!(left, 0, "temporary files are left behind");
    (result, report, sink)
}

/// Imports what must work.
pub fn import_well(kind: ImportKind, path: &Path) -> (Report, Collected) {
    let (result, report, sink) = import(kind, path);
    result.expect("imports");
    assert_eq!(report.foods, sink.foods.len() as u64);
    (report, sink)
}

/// Imports what cannot work and gives the sentence.
pub fn import_badly(kind: ImportKind, path: &Path) -> String {
    import(kind, path).0.expect_err("must fail").to_string()
}

pub fn skipped(report: &Report, reason: Skip) -> u64 {
    report.skipped.get(&reason).map_or(0, |skipped| skipped.count)
}

pub fn value(food: &Food, nutrient: Nutrient) -> f32 {
    food.nutrients.get(nutrient).expect("a value")
}

pub fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("writes");
    path
}

/// A zip with one folder in it, as FoodData Central packs its archives.
pub fn zip_folder(folder: &Path, into: &Path) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut entries: Vec<_> = std::fs::read_dir(folder).expect("lists").flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("FoodData_Central_csv_2024-10-31/{}", entry.file_name().display());
        archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("starts");
        archive.write_all(&std::fs::read(entry.path()).expect("reads")).expect("writes");
    }
    let bytes = archive.finish().expect("finishes").into_inner();
    std::fs::write(into, &bytes).expect("writes");
    bytes
}

pub fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).expect("writes");
    encoder.finish().expect("finishes")
}

/// Rows of `food_nutrient.csv` for a food: calories, protein, carbs, fat.
pub fn macros(id: u32, values: [&str; 4]) -> String {
    let ids = ["1008", "1003", "1005", "1004"];
    ids.iter().zip(values).map(|(nutrient, value)| format!("1,{id},{nutrient},{value}\n")).collect()
}

pub const FOOD_HEADER: &str = "fdc_id,data_type,description,food_category_id,publication_date\n";
pub const NUTRIENT_HEADER: &str = "id,fdc_id,nutrient_id,amount\n";

/// A folder with one food of each kind, and a laboratory sample.
pub fn mixed_archive(folder: &Path) {
    let foods = "\"1\",\"foundation_food\",\"Hummus, commercial\",\"16\",\"\"\n\
        2,foundation_food,\"Hummus, old\",16,\n\
        3,sr_legacy_food,\"Butter, salted\",1,\n\
        4,survey_fndds_food,\"Milk, NFS\",1004,\n\
        5,branded_food,VANILLA YOGURT,,\n\
        6,sub_sample_food,Hummus,16,\n\
        7,branded_food,VANILLA YOGURT NEW,,\n\
        8,branded_food,NO BARCODE,,\n";
    write(folder, "food.csv", format!("{FOOD_HEADER}{foods}"));
    let mut values = NUTRIENT_HEADER.to_owned();
    // Foundation foods give energy, carbs and fat under other ids; kilojoules only count where nothing else does.
    values += "1,1,2047,229\n1,1,2048,237\n1,1,1062,9999\n1,1,1003,7.35\n1,1,1050,14.9\n1,1,1085,17.1\n1,1,2033,5.4\n";
    values += "1,6,1008,100\n1,3,1062,3000\n1,3,1003,0.85\n1,3,1005,0.06\n1,3,1004,81.11\n";
    // The survey's archive names nutrients by their old numbers.
    values += "1,4,208,52\n1,4,203,3.33\n1,4,205,4.83\n1,4,204,2.14\n1,4,307,39\n";
    values += &macros(5, ["80", "3", "12", "2"]);
    values += &macros(7, ["90", "4", "13", "2"]);
    values += &macros(8, ["10", "1", "1", "0"]);
    write(folder, "food_nutrient.csv", values);
    let portions = "id,fdc_id,seq_num,amount,measure_unit_id,portion_description,modifier,gram_weight\n\
        1,1,1,2.0,1001,,,33.9\n1,3,2,1,9999,,tbsp,14.2\n1,3,1,1,9999,,\"pat (1\"\" sq)\",5\n\
        1,4,2,,9999,Quantity not specified,90000,244\n1,4,1,,9999,1 cup,10205,244\n1,4,3,,9999,1 bucket,1,0\n";
    write(folder, "food_portion.csv", portions);
    write(folder, "food_category.csv", "id,code,description\n1,0100,Dairy and Egg Products\n16,1600,Legumes\n");
    write(
        folder,
        "wweia_food_category.csv",
        "wweia_food_category,wweia_food_category_description\n1004,\"Milk, reduced fat\"\n",
    );
    write(folder, "measure_unit.csv", "id,name\n1001,tablespoon\n9999,undetermined\n");
    write(folder, "nutrient.csv", "id,name,unit_name,nutrient_nbr,rank\n1008,Energy,KCAL,208,300\n");
    write(
        folder,
        "food_attribute.csv",
        "id,fdc_id,seq_num,food_attribute_type_id,name,value\n1,3,0,1000,,beurre\n1,3,0,999,,x\n",
    );
    write(folder, "foundation_food.csv", "fdc_id,NDB_number,footnote\n1,16158,\n");
    write(folder, "sr_legacy_food.csv", "fdc_id,NDB_number\n3,1001\n");
    write(
        folder,
        "survey_fndds_food.csv",
        "fdc_id,food_code,wweia_category_code,start_date,end_date\n4,11100000,1004,,\n",
    );
    let labels = "fdc_id,brand_owner,brand_name,gtin_upc,serving_size,serving_size_unit,household_serving_fulltext,branded_food_category\n\
        7,ACME INC.,Acme,894700010045,150,GRM,1 cup,Yogurt\n5,ACME INC.,Acme,00894700010045,150,g,1 cup,Yogurt\n\
        8,ACME INC.,,000,240,ml,,Water\n";
    write(folder, "branded_food.csv", labels);
}
