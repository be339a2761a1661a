//! Measures the cost of reading and writing photos: CPU milliseconds and peak memory (Linux).
//!
//! `cargo run --release -p vision --example photo_cost`

use std::time::{Duration, Instant};

use image::codecs::{png, webp};
use image::{ExtendedColorType, ImageEncoder, RgbImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use vision::photo::Photo;

fn main() {
    eprintln!("{:<34} {:>8} {:>9} {:>10} {:>12}", "file", "MB", "read ms", "encode ms", "memory MB");
    for (width, height) in [(4_000, 3_000), (8_600, 5_800)] {
        let image = photograph(width, height);
        for (name, progressive, sampling) in
            [("JPEG 4:2:0", false, SamplingFactor::F_2_2), ("JPEG 4:4:4 progressive", true, SamplingFactor::F_1_1)]
        {
            let mut file = Vec::new();
            let mut encoder = Encoder::new(&mut file, 80);
            encoder.set_progressive(progressive);
            encoder.set_sampling_factor(sampling);
            let written = encoder.encode(image.as_raw(), width as u16, height as u16, ColorType::Rgb);
            written.expect("the image has a valid size");
            measure(name, width, height, &file);
        }
    }
    // In a lossless format, a real photo of this size exceeds the limit on bytes; a drawing does not.
    for (width, height) in [(4_000, 3_000), (8_600, 5_800)] {
        let mut file = Vec::new();
        let wide: Vec<u8> = (0..width * height).flat_map(|at| [(at / width / 40) as u8; 8]).collect();
        png::PngEncoder::new(&mut file)
            .write_image(&wide, width, height, ExtendedColorType::Rgba16)
            .expect("the image has a valid size");
        drop(wide);
        measure("PNG, 16 bits, alpha", width, height, &file);
        let mut file = Vec::new();
        let plain: Vec<u8> = (0..width * height).flat_map(|at| [(at / width / 40) as u8; 3]).collect();
        webp::WebPEncoder::new_lossless(&mut file)
            .encode(&plain, width, height, ExtendedColorType::Rgb8)
            .expect("the image has a valid size");
        drop(plain);
        measure("WebP, lossless", width, height, &file);
    }
}

/// Draws soft shapes with grain, which compress about as well as photos.
fn photograph(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let grain = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(2_246_822_519)) >> 28;
        let wave = |scale: f32| ((x as f32 / scale).sin() + (y as f32 / (scale * 0.7)).cos()) * 50.0 + 120.0;
        image::Rgb([wave(130.0), wave(70.0), wave(210.0)].map(|channel| channel as u8 + grain as u8 / 2))
    })
}

fn measure(name: &str, width: u32, height: u32, file: &[u8]) {
    let name = format!("{name}, {:.0} megapixels", f64::from(width) * f64::from(height) / 1e6);
    let size = file.len() as f64 / 1e6;
    // Resets the peak to the current memory.
    let reset = std::fs::write("/proc/self/clear_refs", "5");
    let before = memory("VmRSS");
    let Ok(photo) = Photo::read(file) else {
        eprintln!("{name:<34} {size:>8.1} rejected");
        return;
    };
    let peak = if reset.is_ok() { memory("VmHWM").saturating_sub(before) } else { 0 };
    let read = median(|| drop(Photo::read(file)));
    let encode = median(|| drop(photo.encode()));
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    eprintln!("{name:<34} {size:>8.1} {:>9.0} {:>10.0} {:>12}", milliseconds(read), milliseconds(encode), peak / 1_000);
}

/// Returns the median of seven times.
fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..7)
        .map(|_| {
            let (start, start_cpu) = (Instant::now(), cpu_time());
            work();
            cpu_time().zip(start_cpu).map_or_else(|| start.elapsed(), |(end, start)| end.saturating_sub(start))
        })
        .collect();
    times.sort_unstable();
    times[3]
}

/// Returns the CPU time of this thread, which depends little on other programs.
fn cpu_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(statistics.split_whitespace().next()?.parse().ok()?))
}

/// Returns a number of kilobytes from the status of this process, or 0 if the system has none.
fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
