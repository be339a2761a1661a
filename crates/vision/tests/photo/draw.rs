//! Test images, drawn by code: one scene in every format.

use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, Rgb, RgbImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use vision::photo::Photo;

/// The corners of [`scene`]: top left, top right, bottom left, bottom right.
pub const CORNERS: [[u8; 3]; 4] = [[220, 30, 30], [30, 200, 40], [30, 40, 210], [230, 220, 40]];

/// Draws four colors in four quarters. No two of the eight orientations look the same.
pub fn scene(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(
        width,
        height,
        |x, y| Rgb(CORNERS[usize::from(x >= width / 2) + 2 * usize::from(y >= height / 2)]),
    )
}

/// Draws a scene with texture, so that its compressed data are long enough to be cut off anywhere.
pub fn textured(width: u32, height: u32) -> RgbImage {
    let mut image = scene(width, height);
    for (x, y, pixel) in image.enumerate_pixels_mut() {
        let grain = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(2_246_822_519)) >> 27;
        pixel.0 = pixel.0.map(|channel| channel.saturating_add(grain as u8));
    }
    image
}

/// Compares the middle of each quarter, with the tolerance that JPEG needs.
#[track_caller]
pub fn assert_corners(photo: &Photo, expected: [[u8; 3]; 4]) {
    let (width, height) = (photo.width(), photo.height());
    for (corner, expected) in expected.into_iter().enumerate() {
        let x = if corner % 2 == 0 { width / 4 } else { width * 3 / 4 };
        let y = if corner / 2 == 0 { height / 4 } else { height * 3 / 4 };
        let found = &photo.rgb()[(y * width + x) as usize * 3..][..3];
        let near = found.iter().zip(expected).all(|(&found, expected)| found.abs_diff(expected) <= 12);
        assert!(near, "corner {corner} of {photo:?}: {found:?} instead of {expected:?}");
    }
}

pub fn jpeg(image: &RgbImage) -> Vec<u8> {
    jpeg_with(image, |_| {})
}

pub fn jpeg_with(image: &RgbImage, configure: impl FnOnce(&mut Encoder<&mut Vec<u8>>)) -> Vec<u8> {
    jpeg_of(image.as_raw(), image.width(), image.height(), ColorType::Rgb, configure)
}

pub fn jpeg_of(
    pixels: &[u8],
    width: u32,
    height: u32,
    kind: ColorType,
    configure: impl FnOnce(&mut Encoder<&mut Vec<u8>>),
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 92);
    configure(&mut encoder);
    encoder.encode(pixels, width as u16, height as u16, kind).unwrap();
    file
}

pub fn progressive_jpeg(image: &RgbImage) -> Vec<u8> {
    jpeg_with(image, |encoder| {
        encoder.set_progressive(true);
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
    })
}

/// Encodes a lossless WebP, which is all that the encoder can do.
pub fn webp(image: &RgbImage) -> Vec<u8> {
    let mut file = Vec::new();
    WebPEncoder::new_lossless(&mut file)
        .encode(image.as_raw(), image.width(), image.height(), ExtendedColorType::Rgb8)
        .unwrap();
    file
}

/// A lossy WebP of 64 × 48 pixels, red at the top and blue at the bottom, since there is no encoder for it in Rust.
pub const LOSSY_WEBP: &[u8] = b"\
    RIFF\x82\0\0\0WEBPVP8 \x76\0\0\0\xf0\x04\0\x9d\x01\x2a\x40\0\x30\0\x3e\xb5\x4c\xa1\x4c\x27\x23\xa3\x22\x28\
    \x15\x5d\x50\xe0\x16\x89\x66\0\xc8\x4e\xae\xd3\x01\xff\xf8\x02\x6c\xf4\x34\x9f\x17\xf8\xf8\x76\xa1\x64\xb1\0\
    \0\xfe\xee\x13\xd0\xb3\x4c\x7f\xa5\x50\x16\x87\xa7\xff\xa7\xfb\xff\xc7\xfb\xfc\x6c\x73\x79\xa1\xd5\xbd\xe3\x52\
    \x8f\x69\x95\x6b\xf5\x73\x8f\xd0\x06\x84\xd7\x46\x43\x84\xed\xb1\xa1\x80\x28\x5a\xac\xbf\xc9\xd2\x93\xc7\x34\
    \xc8\x98\x25\x4d\x8c\xc4\x13\xf4\xe2\xb7\x4d\x46\0\0\0";

/// Writes a WebP container around chunks of any kind.
pub fn webp_container(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    for (name, data) in chunks {
        body.extend_from_slice(*name);
        body.extend_from_slice(&(data.len() as u32).to_le_bytes());
        body.extend_from_slice(data);
        body.resize(body.len().next_multiple_of(2), 0);
    }
    [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
}

/// Returns the pixels of a lossless WebP that has no other chunk.
pub fn webp_pixels(file: &[u8]) -> &[u8] {
    assert_eq!(&file[12..16], b"VP8L");
    let length = u32::from_le_bytes(file[16..20].try_into().unwrap()) as usize;
    &file[20..20 + length]
}

/// Writes the header of an extended WebP: `flags` are 2 for animation, 8 for EXIF.
pub fn webp_canvas(flags: u8, width: u32, height: u32) -> Vec<u8> {
    [&[flags, 0, 0, 0], &(width - 1).to_le_bytes()[..3], &(height - 1).to_le_bytes()[..3]].concat()
}

/// Writes a frame that covers the canvas of an animated WebP.
pub fn webp_frame(image: &RgbImage) -> Vec<u8> {
    let file = webp(image);
    let pixels = webp_pixels(&file);
    let mut frame = vec![0; 6];
    frame.extend_from_slice(&(image.width() - 1).to_le_bytes()[..3]);
    frame.extend_from_slice(&(image.height() - 1).to_le_bytes()[..3]);
    frame.extend_from_slice(&[40, 0, 0, 0]);
    frame.extend_from_slice(b"VP8L");
    frame.extend_from_slice(&(pixels.len() as u32).to_le_bytes());
    frame.extend_from_slice(pixels);
    frame.resize(frame.len().next_multiple_of(2), 0);
    frame
}
