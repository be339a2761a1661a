//! Decodes the widths of bars and gaps.
//!
//! A digit is two bars and two gaps that are seven modules wide together. Because ink spreads and photos are blurred,
//! bars come out wider than gaps or the other way round. How much is measured at the guards at both ends and in the
//! middle, whose bars and gaps are one module wide.

/// The widths of the bars and gaps of the digits 0 to 9 in the left half of an EAN-8.
const DIGITS: [[f32; 4]; 10] = [
    [3.0, 2.0, 1.0, 1.0],
    [2.0, 2.0, 2.0, 1.0],
    [2.0, 1.0, 2.0, 2.0],
    [1.0, 4.0, 1.0, 1.0],
    [1.0, 1.0, 3.0, 2.0],
    [1.0, 2.0, 3.0, 1.0],
    [1.0, 1.0, 1.0, 4.0],
    [1.0, 3.0, 1.0, 2.0],
    [1.0, 2.0, 1.0, 3.0],
    [3.0, 1.0, 1.0, 2.0],
];
/// Which of the first six digits of an EAN-13 are mirrored, by the digit in front of them.
const EAN_13_MIRRORED: [u8; 10] = [0x00, 0x0B, 0x0D, 0x0E, 0x13, 0x19, 0x1C, 0x15, 0x16, 0x1A];
/// Which of the six digits of a UPC-E are mirrored, by the check digit, in number system 0. System 1 mirrors the
/// others; no food has it, and accepting it would double the chance of a misreading.
const UPC_E_MIRRORED: [u8; 10] = [0x38, 0x34, 0x32, 0x31, 0x2C, 0x26, 0x23, 0x2A, 0x29, 0x25];
/// The quiet zone before and behind a code, in modules. The standard requires seven or more; prints and crops have
/// less.
const MIN_QUIET: f32 = 3.5;
/// How much four widths may differ from those of their digit: the sum of squares, in modules.
const MAX_DIFFERENCE: f32 = 0.9;
/// How much the digits of a long code may differ on average.
const MAX_MEAN_DIFFERENCE: f32 = 0.35;
/// How much the digits of a short code may differ on average.
const MAX_MEAN_DIFFERENCE_SHORT: f32 = 0.25;

/// The number of a code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BarcodeNumber {
    /// 8, 12 or 13 digits; a UPC-E is expanded.
    pub digits: String,
    /// Whether the code is so short that it can be found by chance.
    pub is_short: bool,
}

/// The layout of a kind of code.
#[derive(Clone, Copy)]
struct SymbolLayout {
    left_digits: usize,
    right_digits: usize,
    /// Bars and gaps in the middle.
    middle: usize,
    /// Bars and gaps at the end.
    end: usize,
}

const EAN_13: SymbolLayout = SymbolLayout { left_digits: 6, right_digits: 6, middle: 5, end: 3 };
const EAN_8: SymbolLayout = SymbolLayout { left_digits: 4, right_digits: 4, middle: 5, end: 3 };
const UPC_E: SymbolLayout = SymbolLayout { left_digits: 6, right_digits: 0, middle: 0, end: 6 };

impl SymbolLayout {
    /// Returns the number of bars and gaps.
    fn elements(self) -> usize {
        3 + 4 * (self.left_digits + self.right_digits) + self.middle + self.end
    }

    fn modules(self) -> f32 {
        (3 + 7 * (self.left_digits + self.right_digits) + self.middle + self.end) as f32
    }
}

/// Decodes the first code in a row of widths that begins and ends with a gap. Returns it and the mean difference of its
/// digits from their patterns.
pub(super) fn read(widths: &[f32]) -> Option<(BarcodeNumber, f32)> {
    // Bars are at odd positions.
    (1..widths.len())
        .step_by(2)
        .find_map(|start| [EAN_13, EAN_8, UPC_E].into_iter().find_map(|layout| read_as(layout, widths, start)))
}

fn read_as(layout: SymbolLayout, widths: &[f32], start: usize) -> Option<(BarcodeNumber, f32)> {
    let code = widths.get(start..start + layout.elements())?;
    let before = widths[start - 1];
    let behind = *widths.get(start + layout.elements())?;
    let module = code.iter().sum::<f32>() / layout.modules();
    // Seen at an angle, one end of a code is larger than the other.
    let is_guard = |guard: &[f32]| {
        let mean = guard.iter().sum::<f32>() / guard.len() as f32;
        mean > 0.6 * module && mean < 1.6 * module && guard.iter().all(|width| (width / mean - 1.0).abs() < 0.75)
    };
    let middle = 3 + 4 * layout.left_digits;
    let end = layout.elements() - layout.end;
    let guards = [&code[..3], &code[middle..middle + layout.middle], &code[end..]];
    if before < MIN_QUIET * module
        || behind < MIN_QUIET * module
        || !guards.iter().all(|guard| guard.is_empty() || is_guard(guard))
    {
        return None;
    }
    let spread = spread(&guards, layout);
    let mut read = Vec::with_capacity(12);
    let mut mirrored = 0;
    let mut differences = 0.0;
    for place in 0..layout.left_digits + layout.right_digits {
        let at = 3 + 4 * place + if place < layout.left_digits { 0 } else { layout.middle };
        // On the left a digit begins with a gap, on the right with a bar.
        let spread = if place < layout.left_digits { -spread } else { spread };
        let may_be_mirrored = place < layout.left_digits && layout.left_digits == 6;
        let (digit, is_mirrored, difference) = digit(&code[at..at + 4], spread, may_be_mirrored)?;
        read.push(digit);
        mirrored = mirrored << 1 | u8::from(is_mirrored);
        differences += difference;
        if place + 1 == layout.left_digits && layout.right_digits > 0 && layout.left_digits == 6 {
            let first = EAN_13_MIRRORED.iter().position(|&pattern| pattern == mirrored)?;
            read.insert(0, first as u8);
        }
    }
    let is_short = layout.right_digits < 6;
    let difference = differences / (layout.left_digits + layout.right_digits) as f32;
    if difference > if is_short { MAX_MEAN_DIFFERENCE_SHORT } else { MAX_MEAN_DIFFERENCE } {
        return None;
    }
    if layout.right_digits == 0 {
        read = expanded(&read, mirrored)?;
    }
    Some((number(&read, is_short)?, difference))
}

/// Returns how much wider bars are than they should be, in modules, as measured at the guards.
fn spread(guards: &[&[f32]; 3], layout: SymbolLayout) -> f32 {
    let (mut bars, mut gaps) = ((0.0, 0.0), (0.0, 0.0));
    // The first guard begins with a bar, the middle one with a gap, the last one with a bar or, in a UPC-E, with a gap.
    for (guard, begins_with_bar) in guards.iter().zip([true, false, layout.right_digits > 0]) {
        for (at, width) in guard.iter().enumerate() {
            let sum = if (at % 2 == 0) == begins_with_bar { &mut bars } else { &mut gaps };
            *sum = (sum.0 + width, sum.1 + 1.0);
        }
    }
    let (bar, gap) = (bars.0 / bars.1, gaps.0 / gaps.1);
    (bar - gap) / (bar + gap)
}

/// Returns the digit whose widths differ least, whether it is mirrored, and the difference.
fn digit(widths: &[f32], spread: f32, may_be_mirrored: bool) -> Option<(u8, bool, f32)> {
    let module = widths.iter().sum::<f32>() / 7.0;
    let mut corrected = [0.0; 4];
    for (at, (corrected, width)) in corrected.iter_mut().zip(widths).enumerate() {
        *corrected = width / module - if at % 2 == 0 { spread } else { -spread };
    }
    let mut best = (0, false, MAX_DIFFERENCE);
    for (digit, pattern) in (0..).zip(&DIGITS) {
        let difference = |pattern: [f32; 4]| -> f32 {
            pattern.iter().zip(&corrected).map(|(expected, width)| (expected - width).powi(2)).sum()
        };
        let [a, b, c, d] = *pattern;
        for (is_mirrored, pattern) in [(false, [a, b, c, d]), (true, [d, c, b, a])] {
            if (may_be_mirrored || !is_mirrored) && difference(pattern) < best.2 {
                best = (digit, is_mirrored, difference(pattern));
            }
        }
    }
    (best.2 < MAX_DIFFERENCE).then_some(best)
}

/// Expands the six digits of a UPC-E to a UPC-A.
fn expanded(six: &[u8], mirrored: u8) -> Option<Vec<u8>> {
    let check = UPC_E_MIRRORED.iter().position(|&pattern| pattern == mirrored)?;
    let six: &[u8; 6] = six.try_into().ok()?;
    let digits = match six[5] {
        last @ 0..=2 => [six[0], six[1], last, 0, 0, 0, 0, six[2], six[3], six[4]],
        3 => [six[0], six[1], six[2], 0, 0, 0, 0, 0, six[3], six[4]],
        4 => [six[0], six[1], six[2], six[3], 0, 0, 0, 0, 0, six[4]],
        last => [six[0], six[1], six[2], six[3], six[4], 0, 0, 0, 0, last],
    };
    Some([&[0], &digits[..], &[check as u8]].concat())
}

/// Returns the digits as text if the check digit is right.
fn number(digits: &[u8], is_short: bool) -> Option<BarcodeNumber> {
    // From the right, every second digit counts three times.
    let sum: u32 =
        digits.iter().rev().zip([1, 3].into_iter().cycle()).map(|(&digit, times)| u32::from(digit) * times).sum();
    // Stripes look like a row of equal digits.
    if !sum.is_multiple_of(10) || digits.iter().all(|&digit| digit == digits[0]) {
        return None;
    }
    let digits = if digits.len() == 13 && digits[0] == 0 { &digits[1..] } else { digits };
    Some(BarcodeNumber { digits: digits.iter().map(|&digit| char::from(b'0' + digit)).collect(), is_short })
}
