//! Encodings that the catalog file and the committed pack share: varints, decimals, strings.

/// Reads a little-endian number at a byte offset.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}

/// Reads a little-endian number at a byte offset.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes)
}

/// Appends an unsigned number in seven-bit groups, low group first.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a string behind its length.
pub(crate) fn put_str(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Appends a non-negative number with up to three decimals: the digits shifted by two bits, and in those the number of
/// decimals. Values of food tables take one or two bytes this way.
pub(crate) fn put_decimal(out: &mut Vec<u8>, value: f32) {
    let mut digits = (f64::from(value.max(0.0)) * 1000.0).round() as u64;
    let mut decimals = 3;
    while decimals > 0 && digits.is_multiple_of(10) {
        digits /= 10;
        decimals -= 1;
    }
    put_varint(out, digits << 2 | decimals);
}

/// Reads what the functions above wrote. Every method returns `None` if the bytes end or are invalid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a>(pub &'a [u8]);

impl<'a> Cursor<'a> {
    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes)
    }

    pub fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    pub fn len(&mut self) -> Option<usize> {
        usize::try_from(self.varint()?).ok()
    }

    pub fn str(&mut self) -> Option<&'a str> {
        let len = self.len()?;
        std::str::from_utf8(self.bytes(len)?).ok()
    }

    pub fn decimal(&mut self) -> Option<f32> {
        const SCALE: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];
        let coded = self.varint()?;
        Some(((coded >> 2) as f64 / SCALE[(coded & 3) as usize]) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for value in [0u64, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            assert_eq!(Cursor(&out).varint(), Some(value));
        }
        for value in [0.0f32, 52.0, 1.249, 717.0, 0.001, 81.11, 100_000.5] {
            let mut out = Vec::new();
            put_decimal(&mut out, value);
            assert_eq!(Cursor(&out).decimal(), Some(value));
        }
    }

    #[test]
    fn endless_or_cut_bytes_are_none() {
        assert_eq!(Cursor(&[0x80; 20]).varint(), None);
        assert_eq!(Cursor(&[]).byte(), None);
        assert_eq!(Cursor(&[5, b'a']).str(), None);
        assert_eq!(Cursor(&[1, 0xff]).str(), None);
    }
}
