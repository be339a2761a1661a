//! Photographs a flat print: rotated, seen at an angle, bent around a package, out of focus, grainy, in bad light,
//! compressed.

use image::{Rgb, RgbImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use vision::photo::Photo;

use super::random::Random;

/// Samples per pixel of the photo, along each side.
const SAMPLES: u32 = 3;

/// What happens to a print on its way into a photo.
#[derive(Clone, Debug)]
pub struct Shot {
    /// The size of the photo.
    pub size: (u32, u32),
    /// The share of the photo's width, or height, that the print fills.
    pub fill: f32,
    /// Degrees by which it is rotated in the plane.
    pub turn: f32,
    /// Degrees by which it is tilted away, left to right and top to bottom.
    pub tilt: (f32, f32),
    /// The radius of the cylinder around which it is bent, in widths of the print; `None` if it is flat.
    pub bend: Option<f32>,
    /// The standard deviation of the blur, in pixels of the photo.
    pub blur: f32,
    /// The standard deviation of the grain, in gray levels.
    pub grain: f32,
    /// The factor of the contrast, and what is added to the brightness.
    pub light: (f32, f32),
    /// How much darker it is on one side.
    pub shadow: f32,
    pub jpeg_quality: u8,
}

impl Shot {
    /// A photo straight from above in good light.
    pub fn clean(size: (u32, u32)) -> Self {
        Self {
            size,
            fill: 0.9,
            turn: 0.0,
            tilt: (0.0, 0.0),
            bend: None,
            blur: 0.4,
            grain: 1.0,
            light: (1.0, 0.0),
            shadow: 0.0,
            jpeg_quality: 90,
        }
    }

    /// Takes the photo and returns it as a file.
    pub fn take(&self, print: &RgbImage, random: &mut Random) -> Vec<u8> {
        let background = backdrop(self.size, random);
        let mut picture = self.project(print, background);
        blur(&mut picture, self.blur);
        let shadow_turn = random.between(0.0, std::f32::consts::TAU);
        let (width, height) = (picture.width() as f32, picture.height() as f32);
        for (x, y, pixel) in picture.enumerate_pixels_mut() {
            let (dx, dy) = (x as f32 / width - 0.5, y as f32 / height - 0.5);
            let way = dx * shadow_turn.cos() + dy * shadow_turn.sin() + 0.5;
            let shade = 1.0 - self.shadow * smooth_step((way - 0.35) / 0.3);
            let grain = if self.grain > 0.0 { self.grain * random.normal() } else { 0.0 };
            for channel in &mut pixel.0 {
                let lit = (f32::from(*channel) * self.light.0 + self.light.1) * shade + grain;
                *channel = lit.clamp(0.0, 255.0) as u8;
            }
        }
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.jpeg_quality);
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder
            .encode(picture.as_raw(), self.size.0 as u16, self.size.1 as u16, ColorType::Rgb)
            .expect("the image has a valid size");
        file
    }

    /// Takes the photo and reads it.
    pub fn photo(&self, print: &RgbImage, random: &mut Random) -> Photo {
        Photo::read(&self.take(print, random)).expect("the file was just written")
    }

    /// Projects each pixel of the photo back onto the print.
    fn project(&self, print: &RgbImage, mut photo: RgbImage) -> RgbImage {
        let (print_width, print_height) = (print.width() as f32, print.height() as f32);
        let (turn, yaw, pitch) = (self.turn.to_radians(), self.tilt.0.to_radians(), self.tilt.1.to_radians());
        // Columns of the rotation: pitch after yaw after turn.
        let (st, ct) = turn.sin_cos();
        let (sy, cy) = yaw.sin_cos();
        let (sp, cp) = pitch.sin_cos();
        let rotate = |x: f32, y: f32| {
            let (x, y) = (x * ct - y * st, x * st + y * ct);
            let (x, z) = (x * cy, x * sy);
            let (y, z) = (y * cp - z * sp, y * sp + z * cp);
            [x, y, z]
        };
        // Print units: the longer side of what must fit is 1.
        let (bound_x, bound_y) =
            (print_width * ct.abs() + print_height * st.abs(), print_width * st.abs() + print_height * ct.abs());
        let pixels = (self.size.0 as f32 / bound_x).min(self.size.1 as f32 / bound_y) * self.fill;
        let distance = 1.6 * print_width.max(print_height);
        let (one, other) = (rotate(1.0, 0.0), rotate(0.0, 1.0));
        // A point (u, v) of the print is seen at ((one.x·u + other.x·v)·f / (distance + one.z·u + other.z·v), …).
        let focus = distance * pixels;
        let matrix = [
            [one[0] * focus, other[0] * focus, 0.0],
            [one[1] * focus, other[1] * focus, 0.0],
            [one[2], other[2], distance],
        ];
        let inverse = inverted(matrix);
        let back = |x: f32, y: f32| {
            let row = |row: [f32; 3]| row[0] * x + row[1] * y + row[2];
            let depth = row(inverse[2]);
            (row(inverse[0]) / depth, row(inverse[1]) / depth)
        };
        let (middle_x, middle_y) = (self.size.0 as f32 / 2.0, self.size.1 as f32 / 2.0);
        for (x, y, pixel) in photo.enumerate_pixels_mut() {
            let mut sum = [0.0; 3];
            let mut hits = 0.0;
            for part in 0..SAMPLES * SAMPLES {
                let share = |part: u32| (part as f32 + 0.5) / SAMPLES as f32;
                let (u, v) =
                    back(x as f32 + share(part % SAMPLES) - middle_x, y as f32 + share(part / SAMPLES) - middle_y);
                let u = match self.bend {
                    Some(radius) => radius * print_width * (u / (radius * print_width)).clamp(-1.0, 1.0).asin(),
                    None => u,
                };
                let (u, v) = (u + print_width / 2.0, v + print_height / 2.0);
                if u >= 0.0 && v >= 0.0 && u < print_width && v < print_height {
                    let ink = print.get_pixel(u as u32, v as u32).0;
                    for (sum, ink) in sum.iter_mut().zip(ink) {
                        *sum += f32::from(ink);
                    }
                    hits += 1.0;
                }
            }
            if hits > 0.0 {
                let all = (SAMPLES * SAMPLES) as f32;
                let behind = pixel.0;
                *pixel = Rgb(std::array::from_fn(|at| ((sum[at] + f32::from(behind[at]) * (all - hits)) / all) as u8));
            }
        }
        photo
    }
}

/// Draws soft blots of color, like a table that is out of focus.
fn backdrop((width, height): (u32, u32), random: &mut Random) -> RgbImage {
    let waves: Vec<(f32, f32, f32)> =
        (0..3).map(|_| (random.between(0.004, 0.02), random.between(0.004, 0.02), random.between(0.0, 6.0))).collect();
    let base: [f32; 3] = std::array::from_fn(|_| random.between(60.0, 190.0));
    RgbImage::from_fn(width, height, |x, y| {
        let wave: f32 = waves.iter().map(|(fx, fy, start)| (x as f32 * fx + y as f32 * fy + start).sin()).sum();
        Rgb(base.map(|channel| (channel + 14.0 * wave).clamp(0.0, 255.0) as u8))
    })
}

fn smooth_step(way: f32) -> f32 {
    let way = way.clamp(0.0, 1.0);
    way * way * (3.0 - 2.0 * way)
}

/// Applies a Gaussian blur.
fn blur(picture: &mut RgbImage, deviation: f32) {
    if deviation < 0.2 {
        return;
    }
    let reach = (deviation * 3.0).ceil() as i64;
    let weights: Vec<f32> =
        (-reach..=reach).map(|at| (-(at * at) as f32 / (2.0 * deviation * deviation)).exp()).collect();
    let total: f32 = weights.iter().sum();
    for across in [true, false] {
        let source = picture.clone();
        let (width, height) = (i64::from(source.width()), i64::from(source.height()));
        for (x, y, pixel) in picture.enumerate_pixels_mut() {
            let mut sum = [0.0; 3];
            for (at, weight) in (-reach..=reach).zip(&weights) {
                let (dx, dy) = if across { (at, 0) } else { (0, at) };
                let near = source.get_pixel(
                    (i64::from(x) + dx).clamp(0, width - 1) as u32,
                    (i64::from(y) + dy).clamp(0, height - 1) as u32,
                );
                for (sum, channel) in sum.iter_mut().zip(near.0) {
                    *sum += f32::from(channel) * weight;
                }
            }
            pixel.0 = sum.map(|sum| (sum / total + 0.5) as u8);
        }
    }
}

fn inverted(m: [[f32; 3]; 3]) -> [[f32; 3]; 3] {
    let minor = |row: usize, column: usize| {
        let (r0, r1, c0, c1) = ((row + 1) % 3, (row + 2) % 3, (column + 1) % 3, (column + 2) % 3);
        m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0]
    };
    let determinant: f32 = (0..3).map(|column| m[0][column] * minor(0, column)).sum();
    std::array::from_fn(|row| std::array::from_fn(|column| minor(column, row) / determinant))
}
