//! Where text is: a map with one value a pixel.

use fast_image_resize::FilterType;
use fast_image_resize::pixels::U8x3;
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use super::network::Network;
use crate::photo::Photo;
use crate::photo::resize::resized;

/// The longest side that the network sees.
pub(super) const LONGEST_SIDE: u32 = 960;
/// Sides must be multiples of this.
const STEP: u32 = 32;
/// What the network was trained with: mean and deviation of red, green and blue.
const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
const DEVIATION: [f32; 3] = [0.229, 0.224, 0.225];

/// How likely each pixel of a shrunken photo is part of a line of text.
pub(super) struct Map {
    pub width: usize,
    pub height: usize,
    /// From 0 to 1, in rows from the top.
    pub likely: Vec<f32>,
    /// Pixels of the photo for one of the map, across and down.
    pub scale: (f32, f32),
}

/// Looks at a photo with at most this many pixels a side.
pub(super) fn detect(network: &Network, photo: &Photo, longest: u32) -> Option<Map> {
    let (width, height) = fitting(photo.width(), photo.height(), longest);
    let rgb = resized::<U8x3>((photo.width(), photo.height()), photo.rgb(), (width, height), FilterType::Bilinear)?;
    let mut input = NdTensor::zeros([1, 3, height as usize, width as usize]);
    for (channel, plane) in input.data_mut()?.chunks_exact_mut((width * height) as usize).enumerate() {
        // One multiplication and one addition a pixel.
        let scale = 1.0 / (255.0 * DEVIATION[channel]);
        let shift = -MEAN[channel] / DEVIATION[channel];
        for (value, pixel) in plane.iter_mut().zip(rgb.as_chunks::<3>().0) {
            *value = f32::from(pixel[channel]).mul_add(scale, shift);
        }
    }
    let output: NdTensor<f32, 4> = network.run(input.view())?;
    let [_, _, rows, columns] = output.shape();
    Some(Map {
        width: columns,
        height: rows,
        likely: output.into_data(),
        scale: (photo.width() as f32 / columns as f32, photo.height() as f32 / rows as f32),
    })
}

/// About the same shape, no side longer than this, in steps that the network can take.
fn fitting(width: u32, height: u32, longest: u32) -> (u32, u32) {
    let scale = (longest as f32 / width.max(height) as f32).min(1.0);
    let side = |side: u32| ((side as f32 * scale / STEP as f32).round() as u32).max(1) * STEP;
    (side(width), side(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_steps_within_the_limit() {
        assert_eq!(fitting(2_048, 1_536, 960), (960, 736));
        assert_eq!(fitting(600, 800, 960), (608, 800));
        assert_eq!(fitting(32, 32, 960), (32, 32));
        assert_eq!(fitting(2_048, 1, 960), (960, 32));
    }
}
