//! Draws boxes and text.

use ab_glyph::{Font, FontArc, Glyph, PxScale, ScaleFont, point};
use image::{Rgb, RgbImage};

pub fn filled(width: u32, height: u32, color: [u8; 3]) -> RgbImage {
    RgbImage::from_pixel(width, height, Rgb(color))
}

pub fn fill(picture: &mut RgbImage, (left, top): (u32, u32), (width, height): (u32, u32), color: [u8; 3]) {
    for y in top..(top + height).min(picture.height()) {
        for x in left..(left + width).min(picture.width()) {
            picture.put_pixel(x, y, Rgb(color));
        }
    }
}

/// The regular and the bold face of a typeface.
#[derive(Clone)]
pub struct Typeface {
    pub regular: FontArc,
    pub bold: FontArc,
}

impl Typeface {
    /// Returns the typeface that comes with the tests.
    pub fn built_in() -> Self {
        let face = |bytes: &'static [u8]| FontArc::try_from_slice(bytes).expect("the typeface is valid");
        Self { regular: face(dejavu::sans::regular()), bold: face(dejavu::sans::bold()) }
    }

    pub fn from_files(regular: &std::path::Path, bold: &std::path::Path) -> Option<Self> {
        let face = |path: &std::path::Path| FontArc::try_from_vec(std::fs::read(path).ok()?).ok();
        Some(Self { regular: face(regular)?, bold: face(bold)? })
    }
}

/// Returns the width of a text at this line height.
pub fn width(font: &FontArc, size: f32, text: &str) -> f32 {
    let font = font.as_scaled(PxScale::from(size));
    let mut last = None;
    text.chars()
        .map(|letter| {
            let glyph = font.glyph_id(letter);
            let kern = last.map_or(0.0, |last| font.kern(last, glyph));
            last = Some(glyph);
            kern + font.h_advance(glyph)
        })
        .sum()
}

/// Writes a text with its upper left corner here. Returns where it ends.
pub fn write(
    picture: &mut RgbImage,
    (left, top): (f32, f32),
    font: &FontArc,
    size: f32,
    color: [u8; 3],
    text: &str,
) -> f32 {
    let scaled = font.as_scaled(PxScale::from(size));
    let baseline = top + scaled.ascent();
    let mut x = left;
    let mut last = None;
    for letter in text.chars() {
        let id = scaled.glyph_id(letter);
        x += last.map_or(0.0, |last| scaled.kern(last, id));
        last = Some(id);
        let glyph: Glyph = id.with_scale_and_position(PxScale::from(size), point(x, baseline));
        x += scaled.h_advance(id);
        let Some(outline) = font.outline_glyph(glyph) else { continue };
        let bounds = outline.px_bounds();
        outline.draw(|dx, dy, cover| {
            let (at_x, at_y) = (bounds.min.x as i64 + i64::from(dx), bounds.min.y as i64 + i64::from(dy));
            if at_x < 0 || at_y < 0 || at_x >= i64::from(picture.width()) || at_y >= i64::from(picture.height()) {
                return;
            }
            let pixel = picture.get_pixel_mut(at_x as u32, at_y as u32);
            for (channel, ink) in pixel.0.iter_mut().zip(color) {
                let cover = cover.clamp(0.0, 1.0);
                *channel = (f32::from(*channel) * (1.0 - cover) + f32::from(ink) * cover) as u8;
            }
        });
    }
    x
}
