//! A PNG writer for the kinds that encoders do not write: palettes, few bits, interlacing, animation.

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};
use image::RgbImage;

/// The kind of PNG, as in its header.
#[derive(Clone, Copy)]
pub struct Kind {
    pub color: u8,
    pub bits: u8,
    pub interlaced: bool,
}

pub const GRAY: u8 = 0;
pub const RGB: u8 = 2;
pub const PALETTE: u8 = 3;
pub const GRAY_ALPHA: u8 = 4;
pub const RGBA: u8 = 6;

/// Writes a chunk with its length and checksum.
pub fn chunk(name: [u8; 4], data: &[u8]) -> Vec<u8> {
    let checked = [&name, data].concat();
    [&(data.len() as u32).to_be_bytes()[..], &checked, &crc32fast::hash(&checked).to_be_bytes()].concat()
}

/// Writes a file around the given chunks.
pub fn file(width: u32, height: u32, kind: Kind, chunks: &[Vec<u8>]) -> Vec<u8> {
    let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
    let header = [&size[..], &[kind.bits, kind.color, 0, 0, u8::from(kind.interlaced)]].concat();
    [b"\x89PNG\r\n\x1A\n".to_vec(), chunk(*b"IHDR", &header), chunks.concat(), chunk(*b"IEND", &[])].concat()
}

/// Draws an image of this kind. `pixel` returns the bits of a pixel in the low end of the number.
pub fn draw(width: u32, height: u32, kind: Kind, pixel: impl Fn(u32, u32) -> u64) -> Vec<u8> {
    let mut chunks = Vec::new();
    if kind.color == PALETTE {
        chunks.push(chunk(*b"PLTE", &crate::draw::CORNERS.concat()));
    }
    chunks.push(chunk(*b"IDAT", &data(width, height, kind, pixel)));
    file(width, height, kind, &chunks)
}

/// Compresses the pixels.
pub fn data(width: u32, height: u32, kind: Kind, pixel: impl Fn(u32, u32) -> u64) -> Vec<u8> {
    /// First column, first row, columns apart, rows apart.
    const ADAM7: [[u32; 4]; 7] =
        [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];
    let passes = if kind.interlaced { &ADAM7[..] } else { &[[0, 0, 1, 1]] };
    let mut compressed = ZlibEncoder::new(Vec::new(), Compression::fast());
    for &[left, top, across, down] in passes {
        for y in (top..height).step_by(down as usize) {
            let row = (left..width).step_by(across as usize).map(|x| pixel(x, y));
            compressed.write_all(&[0]).unwrap();
            compressed.write_all(&pack(row, bits_per_pixel(kind))).unwrap();
        }
    }
    compressed.finish().unwrap()
}

fn bits_per_pixel(kind: Kind) -> u32 {
    let channels = match kind.color {
        GRAY | PALETTE => 1,
        GRAY_ALPHA => 2,
        RGB => 3,
        _ => 4,
    };
    channels * u32::from(kind.bits)
}

fn pack(pixels: impl Iterator<Item = u64>, bits: u32) -> Vec<u8> {
    let mut row = Vec::new();
    let (mut held, mut count) = (0_u8, 0);
    for pixel in pixels {
        for bit in (0..bits).rev() {
            held = held << 1 | (pixel >> bit & 1) as u8;
            count += 1;
            if count == 8 {
                row.push(held);
                (held, count) = (0, 0);
            }
        }
    }
    if count > 0 {
        row.push(held << (8 - count));
    }
    row
}

/// Writes an image as plain RGB.
pub fn rgb(image: &RgbImage) -> Vec<u8> {
    draw(image.width(), image.height(), Kind { color: RGB, bits: 8, interlaced: false }, |x, y| {
        let [r, g, b] = image.get_pixel(x, y).0;
        u64::from(u32::from_be_bytes([0, r, g, b]))
    })
}
