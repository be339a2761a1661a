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

/// Reads strips, all at once, at the width of the widest.
pub(super) fn recognize(network: &Network, strips: &[Strip]) -> Vec<Reading> {
    let width = strips.iter().map(|strip| strip.width).max().unwrap_or(0).next_multiple_of(8);
    read(network, strips, width).unwrap_or_else(|| vec![Reading::default(); strips.len()])
}

fn read(network: &Network, strips: &[Strip], width: usize) -> Option<Vec<Reading>> {
    if strips.is_empty() {
        return None;
    }
    // What a shorter strip leaves is gray, as in training.
    let mut input = NdTensor::zeros([strips.len(), 3, HEIGHT, width]);
    let data: &mut [f32] = input.data_mut()?;
    for (strip, planes) in strips.iter().zip(data.chunks_exact_mut(3 * HEIGHT * width)) {
        for (channel, plane) in planes.chunks_exact_mut(HEIGHT * width).enumerate() {
            for (row, pixels) in plane.chunks_exact_mut(width).zip(strip.rgb.chunks_exact(strip.width * 3)) {
                for (value, pixel) in row.iter_mut().zip(pixels.as_chunks::<3>().0) {
                    *value = f32::from(pixel[channel]) / 127.5 - 1.0;
                }
            }
        }
    }
    let output: NdTensor<f32, 3> = network.run(input.view())?;
    let [_, steps, classes] = output.shape();
    (classes == LETTERS.len() + 1).then_some(())?;
    let likely = output.into_data();
    Some(likely.chunks_exact(steps * classes).map(|line| decode(line, classes)).collect())
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
