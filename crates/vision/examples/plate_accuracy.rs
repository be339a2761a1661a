//! Measures how many of several foods in one photo are found.
//!
//! `cargo run --release -p vision --example plate_accuracy FOLDER [COUNT]`
//!
//! FOLDER has one folder of photos per food, named after it, as `dish_accuracy` expects, and folders with photos of
//! several foods, named like "apple + banana". The latter are used as they are. From the former, COUNT tables are
//! composed with one food, and as many with two and with three, each on a round plate. This is easier than real photos
//! because the plates are apart, and harder because every plate has a background of its own.

#[path = "measured/mod.rs"]
mod measured;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::imageops::{FilterType, crop_imm, resize};
use image::{ImageFormat, Rgb, RgbImage};
use measured::Times;
use nutrition::sighting::Guess;
use vision::dish::DishRecognizer;
use vision::photo::Photo;

/// The diameter of a plate in pixels.
const PLATE: u32 = 420;
/// The distance between two plates.
const GAP: u32 = 36;

/// Separates the foods in the name of a folder.
const AND: &str = " + ";

/// The results for tables of one kind.
#[derive(Default)]
struct TableResults {
    tables: usize,
    foods: usize,
    found: usize,
    /// Found, counting every guess.
    guessed: usize,
    /// Foods whose first guess is not on the table.
    extra: usize,
    all_found: usize,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = words.first() else {
        eprintln!("Usage: plate_accuracy FOLDER [COUNT]");
        std::process::exit(2);
    };
    let count: usize = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(100);
    let (photographed, by_food): (Vec<_>, Vec<_>) =
        foods_in(Path::new(folder)).into_iter().partition(|(food, _)| food.contains(AND));
    let recognizer = DishRecognizer::load(1, true);
    let mut times = Times::default();
    let mut row = TableResults::default();
    for (foods, files) in &photographed {
        let foods: Vec<&str> = foods.split(AND).collect();
        for photo in files.iter().filter_map(|file| Photo::read(&std::fs::read(file).ok()?).ok()) {
            row.count(&foods, &times.of(|| recognizer.recognize(&photo)));
        }
    }
    if row.tables > 0 {
        eprintln!("photographed: {}", row.line());
    }
    let mut dice = Dice(7);
    let composed = if by_food.len() >= 3 { &[1, 2, 3][..] } else { &[] };
    for &plates in composed {
        let mut row = TableResults::default();
        while row.tables < count {
            let Some((foods, table)) = compose(&by_food, plates, &mut dice) else { continue };
            let seen = times.of(|| recognizer.recognize(&table));
            row.count(&foods, &seen);
        }
        eprintln!("composed of {plates}: {}", row.line());
    }
    eprintln!("time {times}");
}

impl TableResults {
    fn count(&mut self, foods: &[&str], found: &[Vec<Guess>]) {
        let names = |guesses: &Vec<Guess>| guesses.iter().map(|guess| guess.words.clone()).collect();
        let guesses: Vec<Vec<String>> = found.iter().map(names).collect();
        let found = foods
            .iter()
            .filter(|food| guesses.iter().any(|guess| guess.first().is_some_and(|name| name == *food)))
            .count();
        self.tables += 1;
        self.foods += foods.len();
        self.found += found;
        self.guessed += foods.iter().filter(|food| guesses.iter().flatten().any(|name| name == *food)).count();
        self.extra +=
            guesses.iter().filter(|guess| !guess.first().is_some_and(|name| foods.contains(&name.as_str()))).count();
        self.all_found += usize::from(found == foods.len());
    }

    fn line(&self) -> String {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        format!(
            "{:.1} % found ({:.1} % counting all guesses), {:.2} wrong foods per table, all found on {:.1} % of {}",
            share(self.found, self.foods),
            share(self.guessed, self.foods),
            self.extra as f64 / self.tables.max(1) as f64,
            share(self.all_found, self.tables),
            self.tables
        )
    }
}

/// Composes a table of this many different foods. Returns `None` if a file is not a photo.
fn compose<'a>(by_food: &'a [(String, Vec<PathBuf>)], plates: usize, dice: &mut Dice) -> Option<(Vec<&'a str>, Photo)> {
    let mut foods: Vec<&str> = Vec::new();
    let (columns, rows) = if plates == 3 { (2, 2) } else { (plates as u32, 1) };
    let (width, height) = (columns * (PLATE + GAP) + GAP, rows * (PLATE + GAP) + GAP);
    let wood = [120, 150, 180, 205][dice.below(4)];
    let mut table = RgbImage::from_fn(width, height, |x, y| {
        let grain = ((y * 7 + x / 40) % 13) as u8;
        Rgb([wood + grain, wood - 10 + grain, wood - 30 + grain])
    });
    for plate in 0..plates as u32 {
        let (food, files) = &by_food[dice.below(by_food.len())];
        if foods.contains(&food.as_str()) {
            return None;
        }
        let picture = square(&std::fs::read(&files[dice.below(files.len())]).ok()?)?;
        let (left, top) = (GAP + plate % columns * (PLATE + GAP), GAP + plate / columns * (PLATE + GAP));
        for (x, y, pixel) in picture.enumerate_pixels() {
            let away = (f64::from(x) - f64::from(PLATE) / 2.0).hypot(f64::from(y) - f64::from(PLATE) / 2.0);
            if away < f64::from(PLATE) / 2.0 {
                table.put_pixel(left + x, top + y, *pixel);
            }
        }
        foods.push(food);
    }
    let mut file = Cursor::new(Vec::new());
    table.write_to(&mut file, ImageFormat::Png).ok()?;
    Some((foods, Photo::read(&file.into_inner()).ok()?))
}

/// Returns the middle of a photo at the size of a plate.
fn square(bytes: &[u8]) -> Option<RgbImage> {
    let photo = Photo::read(bytes).ok()?;
    let side = photo.width().min(photo.height());
    let image = RgbImage::from_raw(photo.width(), photo.height(), photo.rgb().to_vec())?;
    let middle = crop_imm(&image, (photo.width() - side) / 2, (photo.height() - side) / 2, side, side).to_image();
    Some(resize(&middle, PLATE, PLATE, FilterType::CatmullRom))
}

/// Returns the foods and their photos, in order.
fn foods_in(folder: &Path) -> Vec<(String, Vec<PathBuf>)> {
    let mut by_food = Vec::new();
    for class in std::fs::read_dir(folder).expect("the folder is readable").flatten() {
        let food = class.file_name().to_string_lossy().replace('_', " ");
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(class.path()).into_iter().flatten().flatten().map(|file| file.path()).collect();
        files.sort();
        if food != "not food" && !files.is_empty() {
            by_food.push((food, files));
        }
    }
    by_food.sort();
    by_food
}

/// Random numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}
