//! Word lists, and the parts of a raw name.

use std::collections::HashSet;

/// Parses a word list: one entry per line or several separated by commas; `#` begins a comment.
pub(super) fn words(list: &'static str) -> HashSet<&'static str> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split(',')).map(str::trim).filter(|word| !word.is_empty()).collect()
}

/// Splits text at commas outside brackets into trimmed, non-empty parts.
pub(super) fn segments(text: &str) -> Vec<&str> {
    let mut parts = Vec::with_capacity(6);
    let (mut start, mut depth) = (0, 0_u32);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    if depth > 0 {
        // An unclosed bracket would swallow the rest.
        parts = text.split(',').map(str::trim).collect();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Collapses every run of white space to one space.
pub(super) fn single_spaced(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !tidy.is_empty() {
            tidy.push(' ');
        }
        tidy.push_str(word);
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_do_not_split() {
        assert_eq!(segments("a, b (c, d), e,, "), ["a", "b (c, d)", "e"]);
        assert_eq!(segments("a (b, c"), ["a (b", "c"]);
    }
}
