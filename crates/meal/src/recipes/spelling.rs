//! Typos: how many a name may have, and how to find it in spite of them.

/// A character of a spelling. Names in which typos are allowed have no others, and small ones keep the index small.
pub(super) type Letter = u16;

/// Appends the letters of a folded word. Signs of scripts that write syllables or words are marked, because another sign
/// is another word there, and not a typo.
pub(super) fn spell(word: &str, out: &mut Vec<Letter>) {
    if word.is_ascii() {
        out.extend(word.bytes().map(Letter::from));
    } else {
        let letter = |c: char| Letter::try_from(u32::from(c)).ok().filter(|&c| c < 0x600).unwrap_or(Letter::MAX);
        out.extend(word.chars().map(letter));
    }
}

/// Returns how many typos a name may have: one from six letters on, two from eleven.
pub(super) fn tolerance(letters: u32) -> usize {
    match letters {
        0..=5 => 0,
        6..=10 => 1,
        _ => 2,
    }
}

/// Returns what tells texts apart without comparing them: a bit for each letter and each pair of letters that occurs, and
/// all digits as one number, as "Shake 2" is not a misspelling of "Shake 3".
pub(super) fn signature(text: &[Letter]) -> (u64, u32) {
    let (mut letters, mut pairs, mut digits, mut last) = (0_u32, 0_u32, 0_u32, 0);
    for &letter in text {
        letters |= 1 << (letter % 32);
        pairs |= 1 << ((u32::from(last) * 7 + u32::from(letter)) % 32);
        last = letter;
        if (Letter::from(b'0')..=Letter::from(b'9')).contains(&letter) || letter == Letter::from(b'.') {
            digits = digits.wrapping_mul(31).wrapping_add(u32::from(letter));
        }
    }
    (u64::from(pairs) << 32 | u64::from(letters), digits)
}

/// Checks whether two signatures can be those of texts this many edits apart: an edit changes at most two letters and six
/// pairs.
pub(super) fn is_similar(one: u64, other: u64, edits: usize) -> bool {
    let differing = one ^ other;
    (differing as u32).count_ones() as usize <= 2 * edits && (differing >> 32).count_ones() as usize <= 6 * edits
}

pub(super) fn piece_range(length: usize, edits: usize, piece: usize) -> (usize, usize) {
    (piece * length / (edits + 1), (piece + 1) * length / (edits + 1))
}

pub(super) fn piece_key(
    digits: u32,
    (length, edits, piece): (usize, usize, usize),
    text: impl Iterator<Item = Letter>,
) -> u64 {
    let mix = |key: u64, four: u64| (key.rotate_left(29) ^ four).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut key = mix(0, u64::from(digits) << 32 | (length * 16 + edits * 4 + piece) as u64);
    let (mut four, mut count) = (0_u64, 0);
    for letter in text {
        four = four << 16 | u64::from(letter);
        count += 1;
        if count % 4 == 0 {
            key = mix(key, four);
            four = 0;
        }
    }
    mix(key, four)
}

/// Returns the keys of all pieces that a name of this length would share with a text within this many edits. Two
/// neighboring letters that changed places may be in two pieces, so each piece is also tried with the letter across its
/// border.
pub(super) fn keys(text: &[Letter], digits: u32, length: usize, edits: usize) -> impl Iterator<Item = u64> {
    let most = edits.cast_signed();
    let longer = text.len().cast_signed() - length.cast_signed();
    let shifts = (-most..=most).filter(move |shift| shift.abs() + (longer - shift).abs() <= most);
    let places = shifts.flat_map(move |shift| (0..=edits).map(move |piece| (shift, piece)));
    places
        .filter_map(move |(shift, piece)| {
            let (from, to) = piece_range(length, edits, piece);
            let (from, to) = (from.checked_add_signed(shift)?, to.checked_add_signed(shift)?);
            let inside = text.get(from..to).filter(|inside| !inside.is_empty())?;
            let before = from.checked_sub(1).and_then(|at| text.get(at)).filter(|_| piece > 0);
            let behind = text.get(to).filter(|_| piece < edits);
            let plain = piece_key(digits, (length, edits, piece), inside.iter().copied());
            let first = before.map(|&c| {
                piece_key(digits, (length, edits, piece), std::iter::once(c).chain(inside[1..].iter().copied()))
            });
            let last = behind.map(|&c| {
                piece_key(
                    digits,
                    (length, edits, piece),
                    inside[..inside.len() - 1].iter().copied().chain(std::iter::once(c)),
                )
            });
            Some([Some(plain), first, last])
        })
        .flat_map(|keys| keys.into_iter().flatten())
}

/// Checks whether two texts are equal apart from this many letters that are missing, added, replaced or swapped with their
/// neighbor.
pub(super) fn is_within(one: &[Letter], other: &[Letter], edits: usize) -> bool {
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[same..], &other[same..]);
    if one.is_empty() || other.is_empty() {
        return one.len().max(other.len()) <= edits;
    }
    let Some(left) = edits.checked_sub(1) else { return false };
    let is_swapped = one.len() > 1 && other.len() > 1 && one[0] == other[1] && one[1] == other[0];
    is_within(&one[1..], &other[1..], left)
        || is_within(&one[1..], other, left)
        || is_within(one, &other[1..], left)
        || is_swapped && is_within(&one[2..], &other[2..], left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(text: &str) -> Vec<Letter> {
        let mut letters = Vec::new();
        spell(text, &mut letters);
        letters
    }

    #[test]
    fn edits_are_counted() {
        for (one, other, edits) in [
            ("lasagna", "lasagna", 0),
            ("lasagna", "lasanga", 1),
            ("lasagna", "lasagn", 1),
            ("lasagna", "lasagnaa", 1),
            ("lasagna", "lazagna", 1),
            ("lasagna", "lazagne", 2),
            ("meatball", "meat ball", 1),
            ("lasagna", "alsanga", 2),
        ] {
            assert!(is_within(&chars(one), &chars(other), edits), "{one} {other}");
            assert!(edits == 0 || !is_within(&chars(one), &chars(other), edits - 1), "{one} {other}");
        }
    }
}
