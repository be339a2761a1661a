//! Draws round fruits on a table: shaded balls with a highlight and a shadow, which the networks take for what they look
//! like.

use image::{Rgb, RgbImage};

/// How a fruit looks.
pub struct Fruit {
    color: [f64; 3],
    /// The roughness of its skin.
    bumps: f64,
    /// The strength of the highlight.
    shine: f64,
    stem: Option<[u8; 3]>,
}

pub const ORANGE: Fruit = Fruit { color: [240.0, 140.0, 20.0], bumps: 0.06, shine: 0.4, stem: None };
pub const TOMATO: Fruit = Fruit { color: [215.0, 35.0, 25.0], bumps: 0.0, shine: 0.8, stem: Some([50, 110, 40]) };
/// The networks are not sure what this one is.
pub const UNCLEAR: Fruit = Fruit { color: [120.0, 100.0, 60.0], bumps: 0.0, shine: 0.5, stem: None };

/// Draws an empty table.
pub fn table(width: u32, height: u32) -> RgbImage {
    RgbImage::from_pixel(width, height, Rgb([150, 160, 170]))
}

/// Draws an orange on the left or above, and a tomato on the right or below.
pub fn orange_and_tomato(is_beside: bool) -> RgbImage {
    let (width, height, tomato) = if is_beside { (640, 480, (480.0, 240.0)) } else { (480, 640, (240.0, 480.0)) };
    let orange = if is_beside { (160.0, 240.0) } else { (240.0, 160.0) };
    let mut image = table(width, height);
    draw(&mut image, &ORANGE, orange, 95.0);
    draw(&mut image, &TOMATO, tomato, 95.0);
    image
}

/// Draws a fruit with its center here.
pub fn draw(image: &mut RgbImage, fruit: &Fruit, (center_x, center_y): (f64, f64), radius: f64) {
    for (x, y, pixel) in image.enumerate_pixels_mut() {
        let (x, y) = (f64::from(x), f64::from(y));
        let (across, down) = ((x - center_x) / radius, (y - center_y) / radius);
        let shadow = 1.0 - ((across - 0.15) / 1.15).powi(2) - ((down - 0.75) / 0.5).powi(2);
        let darker = 1.0 - 0.45 * shadow.clamp(0.0, 1.0);
        pixel.0 = pixel.0.map(|value| (f64::from(value) * darker) as u8);
        let away = across * across + down * down;
        if away > 1.0 {
            continue;
        }
        let toward = (1.0 - away).sqrt();
        let light = (0.7 * toward - 0.45 * across - 0.55 * down).clamp(0.0, 1.0);
        let skin = ((x * 1.7 + (y * 0.9).sin() * 2.0).sin()) * ((y * 1.9 + (x * 0.7).sin() * 2.0).sin());
        let shade = (0.35 + 0.65 * light) * (1.0 + fruit.bumps * skin);
        let highlight = 255.0 * fruit.shine * light.powi(40);
        pixel.0 = fruit.color.map(|value| (value * shade + highlight).clamp(0.0, 255.0) as u8);
        if let Some(stem) = fruit.stem.filter(|_| across.hypot(down + 0.55) < 0.13) {
            pixel.0 = stem;
        }
    }
}
