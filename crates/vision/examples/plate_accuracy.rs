//! Measures how many of several foods in one photo are found, and whether they are found where they are.
//!
//! `cargo run --release -p vision --example plate_accuracy FOLDER [COUNT]`
//!
//! FOLDER has one folder of photos per food, named after it, as `dish_accuracy` expects, and folders with photos of
//! several foods, named like "apple + banana". The latter are used as they are. From the former, COUNT tables are
//! composed with one food, and as many with two and with three, each on a round plate. This is easier than real photos
//! because the plates are apart, and harder because every plate has a background of its own. In COUNT more, two photos
//! are beside each other, and in COUNT one is above the other. A food that is found is at the right place if the middle
//! of its region is on its own plate or photo.

#[path = "measured/mod.rs"]
mod measured;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::imageops::{FilterType, crop_imm, resize};
use image::{ImageFormat, Rgb, RgbImage};
use measured::Times;
use nutrition::sighting::Region;
use vision::dish::{DishRecognizer, RecognizedDish};
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
    /// Found, and where they are is known.
    placed: usize,
    /// At the right place.
    well_placed: usize,
}

/// How the foods of a composed table are arranged.
#[derive(Clone, Copy)]
enum Layout {
    /// So many round plates.
    Plates(usize),
    /// Two photos side by side.
    Beside,
    /// One photo above another.
    Above,
}

/// A food on a table, and where it is, if that is known.
type PlacedFood<'a> = (&'a str, Option<Region>);

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
        let foods: Vec<PlacedFood<'_>> = foods.split(AND).map(|food| (food, None)).collect();
        for photo in files.iter().filter_map(|file| Photo::read(&std::fs::read(file).ok()?).ok()) {
            row.count(&foods, &times.of(|| recognizer.recognize(&photo)));
        }
    }
    if row.tables > 0 {
        eprintln!("photographed: {}", row.line());
    }
    let mut dice = Dice(7);
    let layouts = [Layout::Plates(1), Layout::Plates(2), Layout::Plates(3), Layout::Beside, Layout::Above];
    let composed = if by_food.len() >= 3 { &layouts[..] } else { &[] };
    for layout in composed {
        let mut row = TableResults::default();
        while row.tables < count {
            let Some((foods, table)) = compose(&by_food, *layout, &mut dice) else { continue };
            let seen = times.of(|| recognizer.recognize(&table));
            row.count(&foods, &seen);
        }
        eprintln!("{}: {}", layout.name(), row.line());
    }
    eprintln!("time {times}");
}

impl TableResults {
    fn count(&mut self, foods: &[PlacedFood<'_>], dishes: &[RecognizedDish]) {
        let first =
            |food: &str| dishes.iter().find(|dish| dish.guesses.first().is_some_and(|guess| guess.words == food));
        let any = |food: &str| dishes.iter().flat_map(|dish| &dish.guesses).any(|guess| guess.words == food);
        let found = foods.iter().filter(|(food, _)| first(food).is_some()).count();
        self.tables += 1;
        self.foods += foods.len();
        self.found += found;
        self.guessed += foods.iter().filter(|(food, _)| any(food)).count();
        self.extra += dishes.iter().filter(|dish| foods.iter().all(|(food, _)| *food != dish.guesses[0].words)).count();
        self.all_found += usize::from(found == foods.len());
        for (food, place) in foods {
            let seen = first(food).and_then(|dish| dish.region);
            if let (Some(place), Some(seen)) = (place, seen) {
                let (x, y) = seen.center();
                let is_across = (place.left..place.left + place.width).contains(&x);
                self.placed += 1;
                self.well_placed += usize::from(is_across && (place.top..place.top + place.height).contains(&y));
            }
        }
    }

    fn line(&self) -> String {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        format!(
            "{:.1} % found ({:.1} % counting all guesses), {:.2} wrong foods per table, all found on {:.1} % of {}; \
             {:.1} % of {} at the right place",
            share(self.found, self.foods),
            share(self.guessed, self.foods),
            self.extra as f64 / self.tables.max(1) as f64,
            share(self.all_found, self.tables),
            self.tables,
            share(self.well_placed, self.placed),
            self.placed,
        )
    }
}

impl Layout {
    fn name(self) -> String {
        match self {
            Self::Plates(plates) => format!("composed of {plates}"),
            Self::Beside => "side by side".to_owned(),
            Self::Above => "above each other".to_owned(),
        }
    }

    /// Returns the number of foods, how many are in a row and in a column, the distance between them, and whether they
    /// are on round plates.
    fn grid(self) -> (u32, (u32, u32), u32, bool) {
        match self {
            Self::Plates(3) => (3, (2, 2), GAP, true),
            Self::Plates(plates) => (plates as u32, (plates as u32, 1), GAP, true),
            Self::Beside => (2, (2, 1), 0, false),
            Self::Above => (2, (1, 2), 0, false),
        }
    }
}

/// Composes a table of different foods. Returns `None` if a file is not a photo.
fn compose<'a>(
    by_food: &'a [(String, Vec<PathBuf>)],
    layout: Layout,
    dice: &mut Dice,
) -> Option<(Vec<PlacedFood<'a>>, Photo)> {
    let mut foods: Vec<PlacedFood<'_>> = Vec::new();
    let (number, (columns, rows), gap, is_round) = layout.grid();
    let (width, height) = (columns * (PLATE + gap) + gap, rows * (PLATE + gap) + gap);
    let wood = [120, 150, 180, 205][dice.below(4)];
    let mut table = RgbImage::from_fn(width, height, |x, y| {
        let grain = ((y * 7 + x / 40) % 13) as u8;
        Rgb([wood + grain, wood - 10 + grain, wood - 30 + grain])
    });
    for plate in 0..number {
        let (food, files) = &by_food[dice.below(by_food.len())];
        if foods.iter().any(|(other, _)| other == food) {
            return None;
        }
        let picture = square(&std::fs::read(&files[dice.below(files.len())]).ok()?)?;
        let (left, top) = (gap + plate % columns * (PLATE + gap), gap + plate / columns * (PLATE + gap));
        for (x, y, pixel) in picture.enumerate_pixels() {
            let away = (f64::from(x) - f64::from(PLATE) / 2.0).hypot(f64::from(y) - f64::from(PLATE) / 2.0);
            if !is_round || away < f64::from(PLATE) / 2.0 {
                table.put_pixel(left + x, top + y, *pixel);
            }
        }
        let corner = |x: u32, y: u32| (x as f32 / width as f32, y as f32 / height as f32);
        foods.push((food, Region::between(corner(left, top), corner(left + PLATE, top + PLATE))));
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
