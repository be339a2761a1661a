//! How many of several foods in one photo are found.
//!
//! `cargo run --release -p vision --example plate_accuracy FOLDER [COUNT]`
//!
//! FOLDER holds a folder of photos for each food, called like it, as `dish_accuracy` takes it, and folders called like
//! "apple + banana" with photos of several foods. The latter are looked at as they are. Of the former, COUNT tables are laid
//! with one food, as many with two and with three, each on a round plate: this is easier where plates are apart, and harder where
//! every part is a picture with a background of its own.

#[path = "measured/mod.rs"]
mod measured;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::imageops::{FilterType, crop_imm, resize};
use image::{ImageFormat, Rgb, RgbImage};
use measured::Times;
use vision::dish::Dishes;
use vision::photo::Photo;
use vision::sighting::{Sighting, What};

/// The diameter of a plate in pixels, and what lies between two.
const PLATE: u32 = 420;
const GAP: u32 = 36;

/// Stands between the foods in the name of a folder.
const AND: &str = " + ";

/// What was found on tables of one kind.
#[derive(Default)]
struct Row {
    tables: usize,
    foods: usize,
    found: usize,
    /// Found, counting every guess of every sighting.
    guessed: usize,
    /// Sightings that name, as their first guess, what is not on the table.
    extra: usize,
    all_found: usize,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = words.first() else {
        eprintln!("Say which folder: plate_accuracy FOLDER [COUNT]");
        std::process::exit(2);
    };
    let count: usize = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(100);
    let (photographed, shelf): (Vec<_>, Vec<_>) =
        shelf(Path::new(folder)).into_iter().partition(|(food, _)| food.contains(AND));
    let dishes = Dishes::load(1, true);
    let mut times = Times::default();
    let mut row = Row::default();
    for (foods, files) in &photographed {
        let foods: Vec<&str> = foods.split(AND).collect();
        for photo in files.iter().filter_map(|file| Photo::read(&std::fs::read(file).ok()?).ok()) {
            row.count(&foods, &times.of(|| dishes.see(&photo)));
        }
    }
    if row.tables > 0 {
        eprintln!("photographed: {}", row.line());
    }
    let mut dice = Dice(7);
    let laid = if shelf.len() >= 3 { &[1, 2, 3][..] } else { &[] };
    for &plates in laid {
        let mut row = Row::default();
        while row.tables < count {
            let Some((foods, table)) = lay(&shelf, plates, &mut dice) else { continue };
            let seen = times.of(|| dishes.see(&table));
            row.count(&foods, &seen);
        }
        eprintln!("laid with {plates}: {}", row.line());
    }
    eprintln!("time {times}");
}

impl Row {
    fn count(&mut self, foods: &[&str], seen: &[Sighting]) {
        let guesses: Vec<Vec<&str>> = seen.iter().map(names).collect();
        let found = foods.iter().filter(|food| guesses.iter().any(|guess| guess.first() == Some(*food))).count();
        self.tables += 1;
        self.foods += foods.len();
        self.found += found;
        self.guessed += foods.iter().filter(|food| guesses.iter().any(|guess| guess.contains(*food))).count();
        self.extra += guesses.iter().filter(|guess| !guess.first().is_some_and(|name| foods.contains(name))).count();
        self.all_found += usize::from(found == foods.len());
    }

    fn line(&self) -> String {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        format!(
            "{:.1} % found ({:.1} % counting all guesses), {:.2} others named a table, all found on {:.1} % of {}",
            share(self.found, self.foods),
            share(self.guessed, self.foods),
            self.extra as f64 / self.tables.max(1) as f64,
            share(self.all_found, self.tables),
            self.tables
        )
    }
}

fn names(sighting: &Sighting) -> Vec<&'static str> {
    match &sighting.what {
        What::Dish(guesses) => guesses.iter().map(|guess| guess.name).collect(),
        What::Barcode(_) | What::Label(_) => Vec::new(),
    }
}

/// A table with so many different foods; nothing where a file is no photo.
fn lay<'a>(shelf: &'a [(String, Vec<PathBuf>)], plates: usize, dice: &mut Dice) -> Option<(Vec<&'a str>, Photo)> {
    let mut foods: Vec<&str> = Vec::new();
    let (columns, rows) = if plates == 3 { (2, 2) } else { (plates as u32, 1) };
    let (width, height) = (columns * (PLATE + GAP) + GAP, rows * (PLATE + GAP) + GAP);
    let wood = [120, 150, 180, 205][dice.below(4)];
    let mut table = RgbImage::from_fn(width, height, |x, y| {
        let grain = ((y * 7 + x / 40) % 13) as u8;
        Rgb([wood + grain, wood - 10 + grain, wood - 30 + grain])
    });
    for plate in 0..plates as u32 {
        let (food, files) = &shelf[dice.below(shelf.len())];
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

/// The middle of a photo, in the size of a plate.
fn square(bytes: &[u8]) -> Option<RgbImage> {
    let photo = Photo::read(bytes).ok()?;
    let side = photo.width().min(photo.height());
    let image = RgbImage::from_raw(photo.width(), photo.height(), photo.rgb().to_vec())?;
    let middle = crop_imm(&image, (photo.width() - side) / 2, (photo.height() - side) / 2, side, side).to_image();
    Some(resize(&middle, PLATE, PLATE, FilterType::CatmullRom))
}

/// Foods and the files that show them, in order.
fn shelf(folder: &Path) -> Vec<(String, Vec<PathBuf>)> {
    let mut shelf = Vec::new();
    for class in std::fs::read_dir(folder).expect("the folder can be read").flatten() {
        let food = class.file_name().to_string_lossy().replace('_', " ");
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(class.path()).into_iter().flatten().flatten().map(|file| file.path()).collect();
        files.sort();
        if food != "not food" && !files.is_empty() {
            shelf.push((food, files));
        }
    }
    shelf.sort();
    shelf
}

/// Numbers that look drawn, the same on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}
