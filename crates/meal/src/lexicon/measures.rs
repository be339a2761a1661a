//! Units and household measures, by the names that answers give them. They are the same in all languages; which words name
//! them is a table of each language.

use std::sync::LazyLock;

use foldhash::HashMap;
use foods::unit::Unit;

use super::language::rows;

/// What a unit measures.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// A mass: grams each.
    Mass(f64),
    /// A volume: milliliters each.
    Volume(f64),
    /// A household measure, which each food weighs for itself, and its usual volume where it has one.
    Household(Option<f64>),
}

/// Something that can be said of a measure. `lexicon/README.md` explains each with examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureTrait {
    Container,
    Vessel,
    Piece,
    Slice,
    Serving,
    Vague,
    Plain,
    Fine,
    Varies,
    Pack,
    Several,
    Called,
}

const TRAITS: &[(&str, MeasureTrait)] = &[
    ("container", MeasureTrait::Container),
    ("vessel", MeasureTrait::Vessel),
    ("piece", MeasureTrait::Piece),
    ("slice", MeasureTrait::Slice),
    ("serving", MeasureTrait::Serving),
    ("vague", MeasureTrait::Vague),
    ("plain", MeasureTrait::Plain),
    ("fine", MeasureTrait::Fine),
    ("varies", MeasureTrait::Varies),
    ("pack", MeasureTrait::Pack),
    ("several", MeasureTrait::Several),
    ("called", MeasureTrait::Called),
];

/// A row of the table of measures.
#[derive(Debug)]
struct Row {
    measure: Measure,
    traits: Vec<MeasureTrait>,
    /// How the catalog calls what comes in it.
    packed: Option<&'static str>,
}

static MEASURES: LazyLock<HashMap<&'static str, Row>> =
    LazyLock::new(|| parse(include_str!("../../lexicon/measures.tsv")).expect("a test reads the table of measures"));

/// Returns what a unit measures.
pub fn measure(name: &str) -> Option<&'static Measure> {
    MEASURES.get(name).map(|row| &row.measure)
}

/// Checks whether something can be said of the measure with this name.
pub fn measure_is(name: &str, what: MeasureTrait) -> bool {
    MEASURES.get(name).is_some_and(|row| row.traits.contains(&what))
}

/// Returns what the catalog calls a food that comes in a measure: what comes in a bottle is bottled.
pub fn packed_in(name: &str) -> Option<&'static str> {
    MEASURES.get(name)?.packed
}

/// Reads the table: name, size, traits, and what the catalog calls a food that comes in it.
fn parse(table: &'static str) -> Result<HashMap<&'static str, Row>, String> {
    let mut measures = HashMap::default();
    for row in rows(table) {
        let mut columns = row.split('\t');
        let (Some(name), Some(size)) = (columns.next(), columns.next()) else {
            return Err(format!("measures.tsv: expected a name, a tab and a size in {row:?}"));
        };
        let measure = size_of(name, size).ok_or_else(|| format!("measures.tsv: the size in {row:?} is not known"))?;
        let mut traits = Vec::new();
        for word in columns.next().unwrap_or_default().split_whitespace() {
            let known = TRAITS.iter().find(|(known, _)| *known == word);
            traits.push(known.ok_or_else(|| format!("measures.tsv: unknown trait {word:?} in {row:?}"))?.1);
        }
        let packed = columns.next();
        if measures.insert(name, Row { measure, traits, packed }).is_some() {
            return Err(format!("measures.tsv: {name:?} is there twice"));
        }
    }
    Ok(measures)
}

/// Reads a size: "unit" (of the food tables), "100 ml", "about 240 ml", or "-" for a measure without a volume.
fn size_of(name: &str, size: &str) -> Option<Measure> {
    let volume = |text: &str| text.strip_suffix(" ml")?.parse::<f64>().ok().filter(|volume| *volume > 0.0);
    match size {
        "unit" => {
            let unit = Unit::parse(name)?;
            unit.grams().map(Measure::Mass).or(unit.milliliters().map(Measure::Volume))
        }
        "-" => Some(Measure::Household(None)),
        _ => match size.strip_prefix("about ") {
            Some(usual) => volume(usual).map(|volume| Measure::Household(Some(volume))),
            None => volume(size).map(Measure::Volume),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::language::ENGLISH;

    #[test]
    fn measures_of_all_kinds() {
        assert_eq!(measure("kg"), Some(&Measure::Mass(1000.0)));
        assert_eq!(measure("dl"), Some(&Measure::Volume(100.0)));
        assert_eq!(measure("mug"), Some(&Measure::Household(Some(240.0))));
        assert_eq!(measure("slice"), Some(&Measure::Household(None)));
        assert_eq!(measure("banana"), None);
        assert!(measure_is("carton", MeasureTrait::Vessel) && !measure_is("box", MeasureTrait::Vessel));
        assert_eq!((packed_in("tin"), packed_in("slice")), (Some("canned"), None));
    }

    #[test]
    fn mistakes_are_refused() {
        let refused = |table: &'static str| parse(table).expect_err(table);
        assert!(refused("cup\n").contains("expected a name"));
        assert!(refused("cup\tlarge\n").contains("the size"));
        assert!(refused("banana\tunit\n").contains("the size"));
        assert!(refused("cup\tunit\tround\n").contains("unknown trait \"round\""));
        assert!(refused("cup\tunit\ncup\tunit\n").contains("there twice"));
    }

    #[test]
    fn every_word_for_a_unit_names_a_measure() {
        let words: Vec<(&str, &str)> =
            rows(ENGLISH.units).map(|row| row.split_once('\t').expect("a word, a tab, a measure")).collect();
        for (word, name) in &words {
            assert!(measure(name).is_some(), "{word:?} names {name:?}, which is not in measures.tsv");
        }
        for two in words.windows(2) {
            assert!(two[0].0 < two[1].0, "{:?} is out of order behind {:?}", two[1].0, two[0].0);
        }
    }

    #[test]
    fn every_trait_is_explained_and_used() {
        let readme = include_str!("../../lexicon/README.md");
        for (name, what) in TRAITS {
            assert!(readme.contains(&format!("`{name}`")), "lexicon/README.md does not explain {name}");
            assert!(MEASURES.values().any(|row| row.traits.contains(what)), "no measure is {name}");
        }
    }
}
