//! Units with a fixed mass or volume.

/// A unit of fixed mass or volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Unit {
    Gram,
    Kilogram,
    Milligram,
    Ounce,
    Pound,
    Milliliter,
    Liter,
    FluidOunce,
    Teaspoon,
    Tablespoon,
    Cup,
    Pint,
    Quart,
    Gallon,
    CubicInch,
}

impl Unit {
    /// Parses a word or abbreviation, as people and labels write it, in any case.
    pub fn parse(text: &str) -> Option<Unit> {
        let text = text.trim().trim_end_matches('.');
        let mut buffer = [0_u8; 16];
        let lower = buffer.get_mut(..text.len())?;
        lower.copy_from_slice(text.as_bytes());
        lower.make_ascii_lowercase();
        Some(match std::str::from_utf8(lower).ok()? {
            "g" | "gm" | "gms" | "gr" | "grm" | "gram" | "grams" | "gramme" | "grammes" => Unit::Gram,
            "kg" | "kgm" | "kgs" | "kilo" | "kilos" | "kilogram" | "kilograms" => Unit::Kilogram,
            "mg" | "mgm" | "milligram" | "milligrams" => Unit::Milligram,
            "oz" | "ozs" | "onz" | "ounce" | "ounces" => Unit::Ounce,
            "lb" | "lbs" | "lbr" | "pound" | "pounds" => Unit::Pound,
            "ml" | "mls" | "mlt" | "cc" | "milliliter" | "milliliters" | "millilitre" | "millilitres" => {
                Unit::Milliliter
            }
            "l" | "lt" | "ltr" | "liter" | "liters" | "litre" | "litres" => Unit::Liter,
            "fl oz" | "fl. oz" | "fl.oz" | "floz" | "oza" | "fluid oz" | "fluid ounce" | "fluid ounces"
            | "fl ounce" | "fl ounces" => Unit::FluidOunce,
            "tsp" | "tsps" | "teaspoon" | "teaspoons" => Unit::Teaspoon,
            "tbsp" | "tbsps" | "tbs" | "tbl" | "tblsp" | "tablespoon" | "tablespoons" => Unit::Tablespoon,
            "cup" | "cups" => Unit::Cup,
            "pint" | "pints" | "pt" => Unit::Pint,
            "quart" | "quarts" | "qt" => Unit::Quart,
            "gallon" | "gallons" | "gal" => Unit::Gallon,
            "cubic inch" | "cubic inches" | "cu in" | "cu. in" => Unit::CubicInch,
            _ => return None,
        })
    }

    /// Returns the mass of one unit in grams; `None` for volumes, whose mass depends on the food.
    pub const fn grams(self) -> Option<f64> {
        match self {
            Unit::Gram => Some(1.0),
            Unit::Kilogram => Some(1000.0),
            Unit::Milligram => Some(0.001),
            Unit::Ounce => Some(28.349_523_125),
            Unit::Pound => Some(453.592_37),
            _ => None,
        }
    }

    /// Returns the volume of one unit in milliliters (US measures); `None` for masses.
    pub const fn milliliters(self) -> Option<f64> {
        match self {
            Unit::Milliliter => Some(1.0),
            Unit::Liter => Some(1000.0),
            Unit::FluidOunce => Some(29.5735),
            Unit::Teaspoon => Some(4.92892),
            Unit::Tablespoon => Some(14.7868),
            Unit::Cup => Some(236.588),
            Unit::Pint => Some(473.176),
            Unit::Quart => Some(946.353),
            Unit::Gallon => Some(3785.41),
            Unit::CubicInch => Some(16.3871),
            _ => None,
        }
    }

    /// Returns the unit as responses write it.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Gram => "g",
            Unit::Kilogram => "kg",
            Unit::Milligram => "mg",
            Unit::Ounce => "oz",
            Unit::Pound => "lb",
            Unit::Milliliter => "ml",
            Unit::Liter => "l",
            Unit::FluidOunce => "fl oz",
            Unit::Teaspoon => "tsp",
            Unit::Tablespoon => "tbsp",
            Unit::Cup => "cup",
            Unit::Pint => "pint",
            Unit::Quart => "quart",
            Unit::Gallon => "gallon",
            Unit::CubicInch => "cubic inch",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        for (text, unit) in [
            ("GRM", Unit::Gram),
            ("ONZ", Unit::Ounce),
            ("OZA", Unit::FluidOunce),
            ("Tbsp.", Unit::Tablespoon),
            ("MLT", Unit::Milliliter),
        ] {
            assert_eq!(Unit::parse(text), Some(unit));
            assert_eq!(Unit::parse(unit.name()), Some(unit));
            assert!(unit.grams().is_some() != unit.milliliters().is_some());
        }
        assert_eq!(Unit::parse("slice"), None);
        assert_eq!(Unit::parse("a very long text that is no unit"), None);
    }
}
