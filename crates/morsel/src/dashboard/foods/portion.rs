//! Portions in plain words: food tables write them for machines.

/// Units that come before a container: "1 5.3 oz container".
const UNITS: [&str; 5] = ["oz", "fl oz", "g", "ml", "lb"];

/// Returns a portion with its weight: "1 tray · 255 g", "100 g".
pub(super) fn label(text: &str, grams: &str) -> String {
    let name = name(text);
    if name.ends_with(" g") { name } else { format!("{name} · {grams} g") }
}

/// Returns the name of a portion without what the tables add: "1 tray (255g)" is a tray.
pub(super) fn name(text: &str) -> String {
    if text.eq_ignore_ascii_case("quantity not specified") {
        return "Usual amount".to_owned();
    }
    let mut name = text.trim();
    while let Some((before, weight)) = name.rsplit_once(" (") {
        let weight = weight.strip_suffix(')').and_then(|weight| weight.strip_suffix('g'));
        if weight.is_none_or(|weight| weight.trim().parse::<f64>().is_err()) {
            break;
        }
        name = before.trim_end();
    }
    let name = name.replace(", NFS", "");
    with_size_behind(&name).unwrap_or(name)
}

/// Puts the size of a container behind it: "1 5.3 oz container" is "1 container (5.3 oz)".
fn with_size_behind(name: &str) -> Option<String> {
    let (count, rest) = name.split_once(' ')?;
    let (size, rest) = rest.split_once(' ')?;
    let _: (f64, f64) = (count.parse().ok()?, size.parse().ok()?);
    let unit = UNITS.iter().find(|unit| rest.strip_prefix(**unit).is_some_and(|rest| rest.starts_with(' ')))?;
    let container = rest[unit.len()..].trim_start();
    Some(format!("{count} {container} ({size} {unit})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_are_said_once_and_in_plain_words() {
        for (text, grams, expected) in [
            ("1 tray (255g)", "255", "1 tray · 255 g"),
            ("1 tray (255g) (255 g)", "255", "1 tray · 255 g"),
            ("12 fl oz (360 ml) (360 g)", "360", "12 fl oz (360 ml) · 360 g"),
            ("100 g", "100", "100 g"),
            ("1 5.3 oz container", "150", "1 container (5.3 oz) · 150 g"),
            ("1 8 fl oz bottle", "240", "1 bottle (8 fl oz) · 240 g"),
            ("1 cup, NFS", "140", "1 cup · 140 g"),
            ("1 meal (11 oz)", "312", "1 meal (11 oz) · 312 g"),
            ("Quantity not specified", "90", "Usual amount · 90 g"),
            ("2 slices", "56", "2 slices · 56 g"),
        ] {
            assert_eq!(label(text, grams), expected);
        }
    }
}
