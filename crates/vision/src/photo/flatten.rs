//! Converts pixels of every kind to eight bits per channel on white, in place.

use image::ColorType;

/// Opaque pixels, row by row from the top, eight bits per channel.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pixels {
    /// One byte per pixel.
    Gray(Vec<u8>),
    /// Three bytes per pixel.
    Rgb(Vec<u8>),
}

/// Removes alpha and the lower half of 16-bit channels. Returns `None` for kinds that no accepted format decodes to.
///
/// No second copy of the large image is made: a flattened pixel is no longer than the original, so it overwrites pixels
/// that have already been read.
pub(super) fn flatten(kind: ColorType, decoded: Vec<u8>) -> Option<Pixels> {
    Some(match kind {
        ColorType::L8 => Pixels::Gray(decoded),
        ColorType::La8 => Pixels::Gray(rewrite::<2, 1>(decoded, |[gray, alpha]| [on_white(gray, alpha)])),
        ColorType::L16 => Pixels::Gray(rewrite::<2, 1>(decoded, |gray| [high(gray)])),
        ColorType::La16 => {
            Pixels::Gray(rewrite::<4, 1>(decoded, |[g0, g1, a0, a1]| [on_white(high([g0, g1]), high([a0, a1]))]))
        }
        ColorType::Rgb8 => Pixels::Rgb(decoded),
        ColorType::Rgba8 => {
            Pixels::Rgb(rewrite::<4, 3>(decoded, |[r, g, b, alpha]| [r, g, b].map(|c| on_white(c, alpha))))
        }
        ColorType::Rgb16 => Pixels::Rgb(rewrite::<6, 3>(decoded, |[r0, r1, g0, g1, b0, b1]| {
            [high([r0, r1]), high([g0, g1]), high([b0, b1])]
        })),
        ColorType::Rgba16 => Pixels::Rgb(rewrite::<8, 3>(decoded, |[r0, r1, g0, g1, b0, b1, a0, a1]| {
            let alpha = high([a0, a1]);
            [[r0, r1], [g0, g1], [b0, b1]].map(|c| on_white(high(c), alpha))
        })),
        _ => return None,
    })
}

/// Replaces every `FROM` bytes by `TO` bytes, front to back, in place.
fn rewrite<const FROM: usize, const TO: usize>(
    mut bytes: Vec<u8>,
    convert: impl Fn([u8; FROM]) -> [u8; TO],
) -> Vec<u8> {
    const { assert!(TO <= FROM, "writing must not overtake reading") };
    let pixels = bytes.len() / FROM;
    for pixel in 0..pixels {
        let mut from = [0; FROM];
        from.copy_from_slice(&bytes[pixel * FROM..][..FROM]);
        bytes[pixel * TO..][..TO].copy_from_slice(&convert(from));
    }
    bytes.truncate(pixels * TO);
    bytes
}

/// Returns the upper byte of a channel in native byte order.
fn high(channel: [u8; 2]) -> u8 {
    (u16::from_ne_bytes(channel) >> 8) as u8
}

/// Blends a channel with this alpha onto white.
fn on_white(channel: u8, alpha: u8) -> u8 {
    let (channel, alpha) = (u32::from(channel), u32::from(alpha));
    ((channel * alpha + 255 * (255 - alpha) + 127) / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(channels: &[u16]) -> Vec<u8> {
        channels.iter().flat_map(|channel| channel.to_ne_bytes()).collect()
    }

    #[test]
    fn opaque_stays_and_transparent_turns_white() {
        for channel in 0..=255 {
            assert_eq!(on_white(channel, 255), channel);
            assert_eq!(on_white(channel, 0), 255);
        }
        assert_eq!(on_white(0, 128), 127);
    }

    #[test]
    fn every_kind_comes_out_the_same() {
        let rgb = Some(Pixels::Rgb(vec![1, 2, 3, 255, 255, 255]));
        assert_eq!(flatten(ColorType::Rgb8, vec![1, 2, 3, 255, 255, 255]), rgb);
        assert_eq!(flatten(ColorType::Rgba8, vec![1, 2, 3, 255, 9, 9, 9, 0]), rgb);
        assert_eq!(flatten(ColorType::Rgb16, wide(&[0x01FF, 0x0200, 0x0312, 0xFFFF, 0xFF00, 0xFF80])), rgb);
        assert_eq!(flatten(ColorType::Rgba16, wide(&[0x01FF, 0x0200, 0x0312, 0xFFFF, 9, 9, 9, 0])), rgb);
        let gray = Some(Pixels::Gray(vec![7, 255]));
        assert_eq!(flatten(ColorType::L8, vec![7, 255]), gray);
        assert_eq!(flatten(ColorType::La8, vec![7, 255, 3, 0]), gray);
        assert_eq!(flatten(ColorType::L16, wide(&[0x07AA, 0xFFFF])), gray);
        assert_eq!(flatten(ColorType::La16, wide(&[0x07AA, 0xFFFF, 0x1234, 0])), gray);
        assert_eq!(flatten(ColorType::Rgb32F, vec![]), None);
    }
}
