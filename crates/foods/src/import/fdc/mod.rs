//! FoodData Central's own CSV archives, zipped or unpacked: Foundation, SR Legacy, Survey and Branded in any mix.
//!
//! The full archive has 2 million foods and 26 million values in no order. A first pass writes compact records into
//! files by ranges of ids (`spill`); then each file is joined in memory. Memory is bounded by the size of one file,
//! about 32 MB, whatever the size of the archive.
//!
//! Foods are passed on in ascending order of their `fdc_id`, over the whole archive: if several rows are the same product
//! by its barcode, the one that was published last comes last.

mod draft;
mod lookup;
mod nutrient;
mod scatter;
mod spill;

use std::collections::BTreeMap;
use std::path::Path;

use self::draft::{DataType, Draft};
use self::lookup::Lookups;
use self::scatter::Scatter;
use self::spill::{RecordKind, Spill};
use super::input::Input;
use super::report::{ImportError, Report, Sink, Skip};
use super::run::Run;

/// The bytes of text per part; about 32 MB in memory, since most of it is ids, dates and ingredients that are not kept.
const TEXT_PER_PART: u64 = 64 << 20;
/// The most parts; more files would only cost handles.
const MAX_PARTS: u64 = 256;
/// The table of foods: the official name, then the name in samples.
const FOOD_TABLES: [&str; 2] = ["food.csv", "food_other.csv"];
const LARGE_TABLES: [&str; 7] =
    ["food_nutrient.csv", "food_portion.csv", "food_attribute.csv", "branded_food.csv", FOUNDATION, LEGACY, SURVEY];
const FOUNDATION: &str = "foundation_food.csv";
const LEGACY: &str = "sr_legacy_food.csv";
const SURVEY: &str = "survey_fndds_food.csv";

/// Returns the name of the table of foods, if the input has one.
pub(super) fn food_table(input: &Input) -> Option<&'static str> {
    FOOD_TABLES.into_iter().find(|name| input.has(name))
}

/// Reads an archive or its folder. Needs about a quarter of the unpacked tables' size in `work_dir` for a while.
pub fn read(path: &Path, work_dir: &Path, report: &mut Report, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let mut input = Input::open(path)?;
    let Some(foods) = food_table(&input) else {
        return Err(ImportError::format(path, "has no food.csv; give an FDC CSV archive or its unpacked folder"));
    };
    if !input.has("food_nutrient.csv") {
        return Err(ImportError::format(
            path,
            "has no food_nutrient.csv, so its foods have no values; download the full CSV archive",
        ));
    }
    let (food_size, food_text) = input.sizes(foods).unwrap_or_default();
    let others = LARGE_TABLES.iter().filter_map(|name| input.sizes(name));
    let (size, text) = others.fold((0_u64, food_text), |(size, text), (on_disk, unpacked)| {
        (size.saturating_add(on_disk), text.saturating_add(unpacked))
    });
    let parts = text.div_ceil(TEXT_PER_PART).clamp(1, MAX_PARTS);
    // The table of foods is read twice if ranges of ids must be found first.
    let passes = if parts > 1 { 2 } else { 1 };
    let mut run = Run::new(report, sink, input.counter(), size.saturating_add(food_size * passes));

    let lookups = Lookups::read(&mut input, run.report)?;
    let bounds = scatter::bounds(&mut input, foods, parts as usize, &mut run)?;
    let mut spill = Spill::create(work_dir, bounds)?;
    let current_are_listed = scatter_all(&mut input, foods, &mut spill, &lookups, &mut run)?;
    spill.finish()?;
    for part in 0..spill.len() {
        join(&spill, part, &lookups, current_are_listed, &mut run)?;
    }
    run.report_progress();
    Ok(())
}

/// Makes the first pass over all tables; returns whether there is a list of the current Foundation foods.
fn scatter_all(
    input: &mut Input,
    foods: &str,
    spill: &mut Spill,
    lookups: &Lookups,
    run: &mut Run<'_>,
) -> Result<bool, ImportError> {
    let mut scatter = Scatter { input, spill, lookups, run };
    scatter.foods(foods)?;
    let current_are_listed = scatter.codes(FOUNDATION, "NDB_number", ["", ""])?;
    scatter.codes(LEGACY, "NDB_number", ["", ""])?;
    scatter.codes(SURVEY, "food_code", ["wweia_category_code", "wweia_category_number"])?;
    scatter.labels()?;
    scatter.nutrients()?;
    scatter.portions()?;
    scatter.common_names()?;
    Ok(current_are_listed)
}

/// Joins the rows of one range of ids and passes its foods on.
fn join(
    spill: &Spill,
    part: usize,
    lookups: &Lookups,
    current_are_listed: bool,
    run: &mut Run<'_>,
) -> Result<(), ImportError> {
    let mut drafts: BTreeMap<u32, Draft> = BTreeMap::new();
    let mut doubled = Vec::new();
    spill.drain(part, |kind, id, fields| match drafts.get_mut(&id) {
        Some(draft) => {
            if kind == RecordKind::Food {
                doubled.push(id);
            }
            draft.add(kind, fields);
        }
        None if kind == RecordKind::Food => {
            drafts.insert(id, Draft::new(fields));
        }
        None => {}
    })?;
    let place = |id: u32| move || format!("fdc_id {id}");
    for id in doubled {
        run.skip(Skip::Duplicate, place(id));
    }
    for (id, draft) in drafts {
        // Earlier versions of a Foundation food stay in the archive; only the current one is in its list.
        if draft.data_type == DataType::Foundation && current_are_listed && !draft.is_listed() {
            run.skip(Skip::Duplicate, place(id));
            continue;
        }
        run.offer(draft.into_food(id, lookups), place(id))?;
    }
    Ok(())
}
