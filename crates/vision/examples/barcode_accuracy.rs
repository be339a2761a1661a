//! Measures how many bar codes are read correctly: drawn ones of all four kinds, rotated, seen at an angle, small, out
//! of focus, grainy, in bad light, compressed. Also measures how many are found where there are none.
//!
//! `cargo run --release -p vision --example barcode_accuracy [NUMBER] [FOLDER]`
//!
//! Draws NUMBER (400) codes. The photos that were misread are written to FOLDER.

#[path = "../tests/drawn/mod.rs"]
mod drawn;
#[path = "measured/mod.rs"]
mod measured;

use drawn::canvas::Typeface;
use drawn::clutter;
use drawn::code::{self, KINDS};
use drawn::random::Random;
use drawn::shot::Shot;
use measured::{Times, memory};
use vision::barcode;
use vision::photo::Photo;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number: usize = arguments.first().and_then(|number| number.parse().ok()).unwrap_or(400);
    let folder = arguments.get(1).map(std::path::PathBuf::from);
    let typeface = Typeface::built_in();
    let mut random = Random::new(2026);
    let mut rows = [(0, 0, 0); 4];
    let mut times = Times::default();
    for at in 0..number {
        let kind = KINDS[at % 4];
        let code = code::random(kind, &mut random);
        let (print, shot) = distorted(&code, &typeface, &mut random);
        let file = shot.take(&print, &mut random);
        let photo = Photo::read(&file).expect("the file was just written");
        let found = times.of(|| barcode::find(&photo));
        let row = &mut rows[at % 4];
        row.0 += 1;
        let right = found.iter().filter(|barcode| barcode.digits == code.expected).count();
        row.1 += usize::from(right == 1);
        row.2 += found.len() - right;
        if (right != 1 || found.len() > 1)
            && let Some(folder) = &folder
        {
            eprintln!("{at}: {kind:?} {} {found:?} {shot:?}", code.expected);
            std::fs::write(folder.join(format!("{at}.jpg")), &file).expect("the folder can be written to");
        }
    }
    eprintln!("{:<10} {:>6} {:>6} {:>8} {:>6}", "kind", "drawn", "right", "share", "wrong");
    let all = rows.iter().fold((0, 0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1, sum.2 + row.2));
    let names = KINDS.map(|kind| format!("{kind:?}")).into_iter().chain(["all".to_owned()]);
    for (name, (drawn, right, wrong)) in names.zip(rows.into_iter().chain([all])) {
        eprintln!("{name:<10} {drawn:>6} {right:>6} {:>7.1}% {wrong:>6}", right as f64 * 100.0 / f64::from(drawn));
    }
    eprintln!("{times}");

    let (mut false_positives, mut times) = (0, Times::default());
    for at in 0..number {
        let photo = clutter::photo(at, (1_024, 768), &typeface, &mut random);
        let found = times.of(|| barcode::find(&photo));
        false_positives += found.len();
        if !found.is_empty() {
            eprintln!("image {at} without a code: {found:?}");
        }
    }
    eprintln!("{number} images without a code: {false_positives} codes found, {times}");
    eprintln!("peak memory: {} MB", memory("VmHWM") / 1_000);
}

/// Draws a code and chooses how it is photographed. A module is at least 1.5 pixels wide, and a blur at most 0.6
/// modules.
fn distorted(code: &code::Code, typeface: &Typeface, random: &mut Random) -> (image::RgbImage, Shot) {
    let dark = random.between(10.0, 60.0) as u8;
    let light = random.between(215.0, 255.0) as u8;
    let print = code::print(
        code,
        typeface,
        [dark, dark, dark.saturating_add(10)],
        [light, light, light],
        random.between(0.35, 0.9),
    );
    let size = *random.pick(&[(800, 600), (1200, 900), (900, 1200), (1600, 1200)]);
    let turn = random.between(0.0, 360.0);
    let mut shot = Shot {
        size,
        fill: 1.0,
        turn,
        tilt: (random.between(-30.0, 30.0), random.between(-30.0, 30.0)),
        bend: random.happens(0.3).then(|| random.between(0.8, 2.0)),
        grain: random.between(0.0, 9.0),
        light: (random.between(0.35, 1.0), random.between(0.0, 40.0)),
        shadow: if random.happens(0.4) { random.between(0.1, 0.5) } else { 0.0 },
        jpeg_quality: random.between(45.0, 95.0) as u8,
        ..Shot::clean(size)
    };
    let modules = print.width() as f32 / 8.0;
    let (sin, cos) = turn.to_radians().sin_cos();
    let bound =
        |a: f32, b: f32| (print.width() as f32 * a.abs() + print.height() as f32 * b.abs()) / print.width() as f32;
    let widest = (size.0 as f32 / bound(cos, sin)).min(size.1 as f32 / bound(sin, cos));
    let module = random.between(1.5, 1.0_f32.max(widest / modules * 0.9).clamp(1.6, 7.0));
    shot.fill = (module * modules / widest).min(0.95);
    shot.blur = module * random.between(0.0, 0.6);
    (print, shot)
}
