//! Finds text: a map with one value per pixel.

use fast_image_resize::FilterType;
use fast_image_resize::pixels::U8x3;
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use crate::network::Network;
use crate::photo::Photo;
use crate::photo::resize::resized;

/// The longer side of the image that the network sees, at most.
pub(super) const MAX_SIDE: u32 = 960;
/// Sides are multiples of this.
const STEP: u32 = 32;
/// The mean and standard deviation of red, green and blue in the training data.
const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
const DEVIATION: [f32; 3] = [0.229, 0.224, 0.225];

/// How likely each pixel of a scaled-down photo is part of a line of text.
pub(super) struct TextMap {
    pub width: usize,
    pub height: usize,
    /// From 0 to 1, row by row from the top.
    pub probabilities: Vec<f32>,
    /// Pixels of the photo per pixel of the map, across and down.
    pub scale: (f32, f32),
}

/// Detects text in a photo that is scaled down to at most `max_side` pixels a side.
pub(super) fn detect(network: &Network, photo: &Photo, max_side: u32) -> Option<TextMap> {
    let (width, height) = fitting_size(photo.width(), photo.height(), max_side);
    let rgb =
        resized::<U8x3>((photo.width(), photo.height()), photo.rgb(), (width, height), FilterType::Bilinear, None)?;
    let mut input = NdTensor::zeros([1, 3, height as usize, width as usize]);
    for (channel, plane) in input.data_mut()?.chunks_exact_mut((width * height) as usize).enumerate() {
        // One multiplication and one addition per pixel.
        let scale = 1.0 / (255.0 * DEVIATION[channel]);
        let shift = -MEAN[channel] / DEVIATION[channel];
        for (value, pixel) in plane.iter_mut().zip(rgb.as_chunks::<3>().0) {
            *value = f32::from(pixel[channel]).mul_add(scale, shift);
        }
    }
    let output: NdTensor<f32, 4> = network.run(input.view())?;
    let [_, _, rows, columns] = output.shape();
    Some(TextMap {
        width: columns,
        height: rows,
        probabilities: output.into_data(),
        scale: (photo.width() as f32 / columns as f32, photo.height() as f32 / rows as f32),
    })
}

/// Returns about the same shape with no side longer than `max_side`, in the steps that the network accepts.
fn fitting_size(width: u32, height: u32, max_side: u32) -> (u32, u32) {
    let scale = (max_side as f32 / width.max(height) as f32).min(1.0);
    let side = |side: u32| ((side as f32 * scale / STEP as f32).round() as u32).max(1) * STEP;
    (side(width), side(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_steps_within_the_limit() {
        assert_eq!(fitting_size(2_048, 1_536, 960), (960, 736));
        assert_eq!(fitting_size(600, 800, 960), (608, 800));
        assert_eq!(fitting_size(32, 32, 960), (32, 32));
        assert_eq!(fitting_size(2_048, 1, 960), (960, 32));
    }
}
