//! Reads a strip of text.

use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use super::crop::{HEIGHT, Strip};
use crate::network::Network;

/// The classes of the network, from 1 on; class 0 is the blank. The last two are both a space.
const CHARACTERS: &[u8; 96] =
    b"0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~!\"#$%&'()*+,-./  ";

/// A text and the mean confidence of its characters, from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RecognizedText {
    pub text: String,
    pub confidence: f32,
}

/// Reads a strip. The text is empty if the network does not accept the shape.
pub(super) fn recognize(network: &Network, strip: &Strip) -> RecognizedText {
    run(network, strip).unwrap_or_default()
}

fn run(network: &Network, strip: &Strip) -> Option<RecognizedText> {
    // The network works in steps of eight columns. The rest of the last step is gray, as in training.
    let width = strip.width.next_multiple_of(8);
    let mut input = NdTensor::zeros([1, 3, HEIGHT, width]);
    let data: &mut [f32] = input.data_mut()?;
    for (channel, plane) in data.chunks_exact_mut(HEIGHT * width).enumerate() {
        for (row, pixels) in plane.chunks_exact_mut(width).zip(strip.rgb.chunks_exact(strip.width * 3)) {
            for (value, pixel) in row.iter_mut().zip(pixels.as_chunks::<3>().0) {
                *value = f32::from(pixel[channel]) / 127.5 - 1.0;
            }
        }
    }
    let output: NdTensor<f32, 3> = network.run(input.view())?;
    let [_, _, classes] = output.shape();
    (classes == CHARACTERS.len() + 1).then(|| decode(&output.into_data(), classes))
}

/// Decodes greedily (CTC): the most likely class of each step, where repetitions count once unless a blank is between
/// them.
fn decode(line: &[f32], classes: usize) -> RecognizedText {
    let mut result = RecognizedText::default();
    let (mut last, mut sum, mut number) = (0, 0.0, 0.0);
    for step in line.chunks_exact(classes) {
        let (best, &probability) =
            step.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1)).unwrap_or((0, &0.0));
        if best != 0 && best != last {
            result.text.push(char::from(CHARACTERS[best - 1]));
            sum += probability;
            number += 1.0;
        }
        last = best;
    }
    result.text = result.text.trim().to_owned();
    result.confidence = if number > 0.0 { sum / number } else { 0.0 };
    result
}
