//! Measures how many foods are recognized, on photos in one folder per food.
//!
//! `cargo run --release -p vision --example dish_accuracy FOLDER [LIST] [--aiy] [--each]`
//!
//! The name of a folder is the food as the networks name it ("apple pie", "bell_pepper"), or several names that are all
//! right ("biryani or hyderabadi biryani"). Nothing must be recognized in
//! the photos of a folder `not food`. LIST is a file that names the photos to use by the end of their path
//! ("apple_pie/1005649.jpg" or "1005649"); without it, all are used. `--aiy` uses AIY alone, without the networks
//! trained on research-only images. `--each` prints a line for every photo.

#[path = "measured/mod.rs"]
mod measured;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use measured::{Times, memory};
use vision::dish::{DishRecognizer, RecognizedDish};
use vision::photo::Photo;

const NOT_FOOD: &str = "not food";

#[derive(Default)]
struct FoodRow {
    photos: usize,
    first: usize,
    among_five: usize,
    nothing: usize,
    several: usize,
}

fn main() {
    let (flags, places): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let Some(folder) = places.first() else {
        eprintln!("Usage: dish_accuracy FOLDER [LIST] [--aiy] [--each]");
        std::process::exit(2);
    };
    let list: Option<HashSet<String>> = places.get(1).map(|file| {
        let text = std::fs::read_to_string(file).expect("the list is readable");
        text.lines().map(|line| stem(Path::new(line.trim()))).collect()
    });
    let start = Instant::now();
    let recognizer = DishRecognizer::load(1, !flags.iter().any(|flag| flag == "--aiy"));
    eprintln!("networks loaded in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    let mut rows: BTreeMap<String, FoodRow> = BTreeMap::new();
    let mut mistakes: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut bins = [(0usize, 0.0f64, 0usize); 10];
    let mut times = Times::default();
    for (food, file) in photos(Path::new(folder)) {
        if list.as_ref().is_some_and(|list| !list.contains(&stem(&file))) {
            continue;
        }
        let Some(photo) = std::fs::read(&file).ok().and_then(|bytes| Photo::read(&bytes).ok()) else {
            eprintln!("{}: skipped, not a readable photo", file.display());
            continue;
        };
        let foods = times.of(|| recognizer.recognize(&photo));
        let guesses = names(&foods);
        if flags.iter().any(|flag| flag == "--each") {
            let (name, confidence) = guesses.first().unwrap_or(&("nothing", 0.0));
            eprintln!("{}\t{name}\t{confidence:.2}\t{} foods", file.display(), foods.len());
        }
        let row = rows.entry(food.clone()).or_default();
        row.photos += 1;
        row.nothing += usize::from(foods.is_empty());
        row.several += usize::from(foods.len() > 1);
        row.among_five += usize::from(guesses.iter().take(5).any(|(name, _)| is_named(&food, name)));
        if let Some((name, confidence)) = guesses.first() {
            let right = is_named(&food, name);
            row.first += usize::from(right);
            let bin = &mut bins[((confidence * 10.0) as usize).min(9)];
            *bin = (bin.0 + 1, bin.1 + f64::from(*confidence), bin.2 + usize::from(right));
            if !right {
                *mistakes.entry((food, (*name).to_owned())).or_default() += 1;
            }
        }
    }
    report(&rows, mistakes, &bins);
    eprintln!("time {times}, peak memory {} MB", memory("VmHWM") / 1024);
}

fn report(
    rows: &BTreeMap<String, FoodRow>,
    mistakes: BTreeMap<(String, String), usize>,
    bins: &[(usize, f64, usize); 10],
) {
    let mut all = FoodRow::default();
    eprintln!("{:28} {:>6} {:>7} {:>7} {:>8} {:>8}", "food", "photos", "first", "top 5", "nothing", "several");
    for (food, row) in rows {
        print_row(food, row);
        if food != NOT_FOOD {
            all.photos += row.photos;
            all.first += row.first;
            all.among_five += row.among_five;
            all.nothing += row.nothing;
            all.several += row.several;
        }
    }
    print_row("all food", &all);
    let mut mistakes: Vec<_> = mistakes.into_iter().collect();
    mistakes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    eprintln!("\nmost frequent mistakes:");
    for ((food, name), count) in mistakes.into_iter().take(20) {
        eprintln!("{count:5}  {food} for {name}");
    }
    eprintln!("\nconfidence, and the share that was right:");
    for (count, sum, right) in bins.iter().filter(|bin| bin.0 > 0) {
        eprintln!("{:4.0} %  {:4.0} %  of {count}", 100.0 * sum / *count as f64, 100.0 * *right as f64 / *count as f64);
    }
    let photos: usize = bins.iter().map(|bin| bin.0).sum();
    let gap: f64 = bins.iter().map(|(_, sum, right)| (sum - *right as f64).abs()).sum();
    eprintln!("mean gap: {:.1} points", 100.0 * gap / photos.max(1) as f64);
}

fn print_row(food: &str, row: &FoodRow) {
    let share = |part: usize| format!("{:.1} %", 100.0 * part as f64 / row.photos.max(1) as f64);
    let (first, five, nothing, several) =
        (share(row.first), share(row.among_five), share(row.nothing), share(row.several));
    eprintln!("{food:28} {:>6} {first:>7} {five:>7} {nothing:>8} {several:>8}", row.photos);
}

/// Checks whether a name is one of those of a folder.
fn is_named(folder: &str, name: &str) -> bool {
    folder.split(" or ").any(|right| right == name)
}

/// Returns the guesses for the main food.
fn names(foods: &[RecognizedDish]) -> Vec<(&str, f32)> {
    let guesses = foods.first().into_iter().flat_map(|food| &food.guesses);
    guesses.map(|guess| (guess.words.as_str(), guess.confidence)).collect()
}

/// Returns every photo with the name of its folder, in order.
fn photos(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    for class in std::fs::read_dir(folder).expect("the folder is readable").flatten() {
        let food = class.file_name().to_string_lossy().replace('_', " ");
        let files = std::fs::read_dir(class.path()).into_iter().flatten().flatten();
        all.extend(files.map(|file| (food.clone(), file.path())));
    }
    all.sort();
    all
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
