//! DepthwiseConvolution convolutions: each channel has a kernel of its own.
//!
//! The inference library computes them one value at a time, which would be two thirds of the time that reading text
//! takes. Here they use the vector instructions of the processor, whichever it has.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, NdTensorView};

/// A depthwise convolution with square kernels of odd size, padded with zeros so that the shape is kept.
#[derive(Debug)]
pub(super) struct DepthwiseConvolution {
    /// One kernel per channel, row by row.
    kernels: Vec<f32>,
    /// One bias per channel.
    bias: Vec<f32>,
    /// The side of a kernel in pixels.
    size: usize,
    /// Strides down and across.
    strides: [usize; 2],
}

impl DepthwiseConvolution {
    /// Takes kernels of shape channel, 1, row, column. Returns `None` if they are not of the supported kind.
    pub fn new(kernels: &NdTensorView<'_, f32, 4>, bias: Vec<f32>, strides: [usize; 2]) -> Option<Self> {
        let [channels, one, rows, columns] = kernels.shape();
        let is_supported =
            one == 1 && rows == columns && rows % 2 == 1 && bias.len() == channels && !strides.contains(&0);
        is_supported.then(|| Self { kernels: kernels.to_vec(), bias, size: rows, strides })
    }

    /// Convolves a batch of shape image, channel, row, column. Returns `None` if the channels do not match the kernels.
    pub fn apply(&self, images: &NdTensorView<'_, f32, 4>) -> Option<NdTensor<f32, 4>> {
        let [number, channels, rows, columns] = images.shape();
        if channels != self.bias.len() || rows == 0 || columns == 0 {
            return None;
        }
        let [down, across] = self.strides;
        let (new_rows, new_columns) = ((rows - 1) / down + 1, (columns - 1) / across + 1);
        let mut output = NdTensor::zeros([number, channels, new_rows, new_columns]);
        let input = images.to_contiguous();
        ConvolutionPass {
            convolution: self,
            input: input.data(),
            shape: [rows, columns],
            output: output.data_mut()?,
            new_shape: [new_rows, new_columns],
        }
        .dispatch();
        Some(output)
    }
}

/// One pass over all channels of all images.
struct ConvolutionPass<'a> {
    convolution: &'a DepthwiseConvolution,
    input: &'a [f32],
    shape: [usize; 2],
    output: &'a mut [f32],
    new_shape: [usize; 2],
}

/// A channel with its padding. With a horizontal stride of two, the even columns of a row come first and then the odd
/// ones, so that the values that are convolved together are adjacent.
struct PaddedChannel {
    values: Vec<f32>,
    /// Columns of each part of a row.
    stride: usize,
    /// Parts of a row: as many as the horizontal stride.
    parts: usize,
    padding: usize,
}

impl PaddedChannel {
    fn fill(&mut self, channel: &[f32], columns: usize) {
        for (row, values) in channel.chunks_exact(columns).enumerate() {
            let start = (row + self.padding) * self.parts * self.stride;
            let Some(padded) = self.values.get_mut(start..start + self.parts * self.stride) else { break };
            if self.parts == 1 {
                padded[self.padding..self.padding + columns].copy_from_slice(values);
            } else {
                for (column, value) in values.iter().enumerate() {
                    let at = column + self.padding;
                    padded[at % self.parts * self.stride + at / self.parts] = *value;
                }
            }
        }
    }
}

impl SimdOp for ConvolutionPass<'_> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "vector instructions are only used in functions compiled for the processor"
    )]
    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let lanes = isa.f32().len();
        let DepthwiseConvolution { kernels, bias, size, strides: [down, across] } = self.convolution;
        let ([rows, columns], [new_rows, new_columns]) = (self.shape, self.new_shape);
        let stride = new_columns.next_multiple_of(lanes) + size;
        let padded_rows = (rows + 2 * (size / 2)).max((new_rows - 1) * down + size);
        let mut padded = PaddedChannel {
            values: vec![0.0; padded_rows * across * stride],
            stride,
            parts: *across,
            padding: size / 2,
        };
        let mut line = vec![0.0; new_columns.next_multiple_of(lanes)];
        let channels =
            self.input.chunks_exact(rows * columns).zip(self.output.chunks_exact_mut(new_rows * new_columns));
        for (at, (channel, output)) in channels.enumerate() {
            padded.fill(channel, columns);
            let at = at % bias.len();
            let kernel = &kernels[at * size * size..][..size * size];
            for (row, output) in output.chunks_exact_mut(new_columns).enumerate() {
                let from = &padded.values[row * down * across * stride..];
                let mut start = 0;
                while start < new_columns {
                    // Several sums at once, because each addition depends on the one before it.
                    start += match (new_columns - start).div_ceil(lanes) {
                        4.. => sums::<I, 4>(isa, &padded, &from[start..], kernel, bias[at], &mut line[start..]),
                        2.. => sums::<I, 2>(isa, &padded, &from[start..], kernel, bias[at], &mut line[start..]),
                        _ => sums::<I, 1>(isa, &padded, &from[start..], kernel, bias[at], &mut line[start..]),
                    };
                }
                output.copy_from_slice(&line[..new_columns]);
            }
        }
    }
}

/// Computes as many values of a row as `N` registers hold, and returns how many those are.
#[expect(clippy::inline_always, reason = "vector instructions are only used in functions compiled for the processor")]
#[inline(always)]
fn sums<I: Isa, const N: usize>(
    isa: I,
    padded: &PaddedChannel,
    from: &[f32],
    kernel: &[f32],
    bias: f32,
    line: &mut [f32],
) -> usize {
    let ops = isa.f32();
    let size = 2 * padded.padding + 1;
    let mut sums = [ops.splat(bias); N];
    for (row, weights) in kernel.chunks_exact(size).enumerate() {
        for (column, weight) in weights.iter().enumerate() {
            let place = (row * padded.parts + column % padded.parts) * padded.stride + column / padded.parts;
            let values = ops.load_many::<N>(&from[place..]);
            let weight = ops.splat(*weight);
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum = ops.mul_add(value, weight, *sum);
            }
        }
    }
    for (sum, line) in sums.into_iter().zip(line.chunks_exact_mut(ops.len())) {
        ops.store(sum, line);
    }
    N * ops.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same convolution, one value at a time.
    fn reference(images: &NdTensor<f32, 4>, kernels: &NdTensor<f32, 4>, bias: &[f32], strides: [usize; 2]) -> Vec<f32> {
        let [number, channels, rows, columns] = images.shape();
        let [_, _, size, _] = kernels.shape();
        let mut values = Vec::new();
        for (image, channel) in (0..number).flat_map(|image| (0..channels).map(move |channel| (image, channel))) {
            for (row, column) in (0..rows)
                .step_by(strides[0])
                .flat_map(|row| (0..columns).step_by(strides[1]).map(move |column| (row, column)))
            {
                let mut sum = bias[channel];
                for (y, x) in (0..size).flat_map(|y| (0..size).map(move |x| (y, x))) {
                    let (from_y, from_x) = ((row + y).checked_sub(size / 2), (column + x).checked_sub(size / 2));
                    if let (Some(from_y), Some(from_x)) = (from_y, from_x)
                        && from_y < rows
                        && from_x < columns
                    {
                        sum += images[[image, channel, from_y, from_x]] * kernels[[channel, 0, y, x]];
                    }
                }
                values.push(sum);
            }
        }
        values
    }

    #[test]
    fn every_size_and_stride_matches_the_reference() {
        let mut state = 1_u32;
        let mut number = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        for (rows, columns) in [(1, 1), (3, 7), (12, 92), (5, 64), (30, 17), (6, 129)] {
            for (size, strides) in [(3, [1, 1]), (5, [1, 1]), (3, [2, 1]), (5, [2, 2]), (3, [1, 2]), (5, [2, 1])] {
                let images = NdTensor::from_fn([2, 3, rows, columns], |_| number());
                let kernels = NdTensor::from_fn([3, 1, size, size], |_| number());
                let bias: Vec<f32> = (0..3).map(|_| number()).collect();
                let convolution = DepthwiseConvolution::new(&kernels.view(), bias.clone(), strides).expect("supported");
                let found = convolution.apply(&images.view()).expect("matching channels").into_data();
                let expected = reference(&images, &kernels, &bias, strides);
                assert_eq!(found.len(), expected.len(), "{rows} {columns} {size} {strides:?}");
                let off = found.iter().zip(&expected).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
                assert!(off < 1e-4, "{rows} {columns} {size} {strides:?}: {off}");
            }
        }
    }

    #[test]
    fn unsupported_shapes_are_rejected() {
        let kernels = NdTensor::<f32, 4>::zeros([3, 1, 3, 3]);
        let convolution = DepthwiseConvolution::new(&kernels.view(), vec![0.0; 3], [1, 1]).expect("supported");
        assert!(convolution.apply(&NdTensor::zeros([1, 4, 5, 5]).view()).is_none());
        assert!(convolution.apply(&NdTensor::zeros([1, 3, 0, 5]).view()).is_none());
        assert!(DepthwiseConvolution::new(&NdTensor::zeros([3, 1, 2, 2]).view(), vec![0.0; 3], [1, 1]).is_none());
    }
}
