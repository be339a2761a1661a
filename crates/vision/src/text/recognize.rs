//! What a strip says.

use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use super::crop::{HEIGHT, Strip};
use super::network::Network;

/// What the network tells apart, from 1 on; 0 is nothing new. The last two are both a space.
const LETTERS: &[u8; 96] =
    b"0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~!\"#$%&'()*+,-./  ";

/// A text and how sure its letters are, from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reading {
    pub text: String,
    pub confidence: f32,
}

/// Reads a strip; nothing where the network cannot take it.
pub(super) fn recognize(network: &Network, strip: &Strip) -> Reading {
    read(network, strip).unwrap_or_default()
}

fn read(network: &Network, strip: &Strip) -> Option<Reading> {
    // The network sees steps of eight columns. What is left of the last one is gray, as in training.
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
    (classes == LETTERS.len() + 1).then(|| decode(&output.into_data(), classes))
}

/// At every step the likeliest letter; the same one in a row is one letter, unless nothing new came in between.
fn decode(line: &[f32], classes: usize) -> Reading {
    let mut reading = Reading::default();
    let (mut last, mut sum, mut number) = (0, 0.0, 0.0);
    for step in line.chunks_exact(classes) {
        let (best, &likely) =
            step.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1)).unwrap_or((0, &0.0));
        if best != 0 && best != last {
            reading.text.push(char::from(LETTERS[best - 1]));
            sum += likely;
            number += 1.0;
        }
        last = best;
    }
    reading.text = reading.text.trim().to_owned();
    reading.confidence = if number > 0.0 { sum / number } else { 0.0 };
    reading
}
