//! Nutrient values in a pack.
//!
//! Values of products were printed on a label per serving, as small whole numbers, and published per 100 g with two
//! decimals. The label's number is much shorter, so it is stored wherever the published value can be computed from it
//! exactly; otherwise the published value is.

use crate::nutrients::Nutrient;

/// The value is stored as published, in thousandths.
const AS_PUBLISHED: u64 = 3;

/// Returns the number of decimals with which a nutrient is published per 100 g.
fn published_decimals(nutrient: Nutrient) -> i32 {
    match nutrient {
        Nutrient::Calories | Nutrient::Sodium | Nutrient::Cholesterol | Nutrient::Calcium | Nutrient::Potassium => 0,
        Nutrient::VitaminC => 1,
        _ => 2,
    }
}

/// Encodes a value as briefly as possible, given the grams of a serving.
pub(super) fn encode(nutrient: Nutrient, value: f32, serving_grams: f32) -> u64 {
    for decimals in 0..AS_PUBLISHED {
        let scale = 10f64.powi(decimals as i32);
        let label = (f64::from(value) * f64::from(serving_grams) / 100.0 * scale).round();
        if (0.0..1e9).contains(&label) {
            let code = (label as u64) << 2 | decimals;
            // To the last bit: what is decoded must be what was published.
            if decode(nutrient, code, serving_grams).to_bits() == value.to_bits() {
                return code;
            }
        }
    }
    ((f64::from(value) * 1000.0).round() as u64) << 2 | AS_PUBLISHED
}

/// Decodes a value.
pub(super) fn decode(nutrient: Nutrient, code: u64, serving_grams: f32) -> f32 {
    let (digits, decimals) = ((code >> 2) as f64, code & 3);
    if decimals == AS_PUBLISHED {
        return (digits / 1000.0) as f32;
    }
    let label = digits / 10f64.powi(decimals as i32);
    let scale = 10f64.powi(published_decimals(nutrient));
    ((label * 100.0 / f64::from(serving_grams) * scale).round() / scale) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_values_are_short_and_exact() {
        // 1 g in a serving of 56 g is published as 1.79 g per 100 g.
        let code = encode(Nutrient::Protein, 1.79, 56.0);
        assert_eq!(code, 1 << 2);
        assert_eq!(decode(Nutrient::Protein, code, 56.0).to_bits(), 1.79f32.to_bits());
    }

    #[test]
    fn any_value_comes_back() {
        for value in [0.0f32, 0.001, 1.249, 52.0, 333.0, 12.345, 99.999] {
            for grams in [0.0f32, 0.8, 28.0, 56.7, 100.0, 244.0] {
                let back = decode(Nutrient::Fat, encode(Nutrient::Fat, value, grams), grams);
                assert_eq!(back.to_bits(), value.to_bits(), "{value} {grams}");
            }
        }
    }
}
