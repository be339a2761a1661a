//! The names of a row: `en=Rye bread;black bread|de=Roggenbrot`.

use crate::food::LocalName;
use crate::import::check;
use crate::import::report::Skip;

/// The most names of one food.
const MAX_NAMES: usize = 64;
/// What tables write in place of a name they do not have.
const ABSENT: &[&str] = &["NA", "N/A", "-"];
/// Marks around the groups that Japanese names begin with.
const GROUP_MARKS: &[(char, char)] = &[('＜', '＞'), ('［', '］'), ('（', '）')];

/// The names of a food.
#[derive(Debug, Default, PartialEq)]
pub(super) struct RowNames {
    /// The English name, as published.
    pub english: Option<String>,
    /// Further English names.
    pub synonyms: Vec<String>,
    /// Names in other languages.
    pub local: Vec<LocalName>,
}

/// Reads the names of a row. A name whose letters were lost is left out; without any other the row is skipped.
pub(super) fn read(text: &str) -> Result<RowNames, Skip> {
    let mut names = RowNames::default();
    let mut has_lost_letters = false;
    for part in text.split('|').take(MAX_NAMES) {
        let Some((language, list)) = part.split_once('=') else { continue };
        let language = language.trim();
        if !is_language(language) {
            continue;
        }
        for name in list.split(';').map(tidy).filter(|name| is_name(name)).take(MAX_NAMES) {
            if name.contains('\u{fffd}') {
                has_lost_letters = true;
            } else if language != "en" {
                if is_cut_wrongly(&name) {
                    return Err(Skip::Malformed);
                }
                names.local.push(LocalName { language: language.to_owned(), name });
            } else if names.english.is_none() {
                let (own, synonyms) = split_synonyms(&name);
                names.english = Some(own);
                names.synonyms.extend(synonyms);
            } else {
                names.synonyms.push(name);
            }
        }
    }
    match (names.english.is_some() || !names.local.is_empty(), has_lost_letters) {
        (true, _) => Ok(names),
        (false, true) => Err(Skip::NotText),
        (false, false) => Err(Skip::NoName),
    }
}

fn is_language(code: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphabetic() || letter == '-';
    (2..=LocalName::MAX_LANGUAGE).contains(&code.len()) && code.chars().all(is_plain)
}

fn is_name(name: &str) -> bool {
    name.chars().any(char::is_alphanumeric) && !ABSENT.contains(&name)
}

/// Collapses spaces and drops the marks of groups: "＜魚類＞　まあじ　生" is "まあじ 生".
fn tidy(name: &str) -> String {
    let mut rest = name.trim();
    while let Some(&(_, close)) = GROUP_MARKS.iter().find(|(open, _)| rest.starts_with(*open)) {
        let Some((_, after)) = rest.split_once(close).filter(|(_, after)| !after.trim().is_empty()) else { break };
        rest = after.trim();
    }
    check::name(rest)
}

/// Returns whether a name begins inside of a bracket: another name was cut in two, and neither half is a name.
fn is_cut_wrongly(name: &str) -> bool {
    name.find(')').is_some_and(|close| !name[..close].contains('('))
}

/// Splits off synonyms in brackets: "Black scraper, dried [Syn. filefish, leatherjacket]".
fn split_synonyms(name: &str) -> (String, Vec<String>) {
    let Some((before, rest)) = name.split_once("[Syn.") else { return (name.to_owned(), Vec::new()) };
    let (listed, after) = rest.split_once(']').unwrap_or((rest, ""));
    let synonyms = listed.split([',', '/']).map(check::name).filter(|synonym| is_name(synonym)).collect();
    let own = check::name(&format!("{before} {after}"));
    if is_name(&own) { (own, synonyms) } else { (name.to_owned(), Vec::new()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(language: &str, name: &str) -> LocalName {
        LocalName { language: language.to_owned(), name: name.to_owned() }
    }

    #[test]
    fn names_by_language_with_synonyms() {
        let names = read("de=Zwetschgenkuchen;Zwetschgenwähe|en=Plum pie;plum tart|fr=Tarte").expect("names");
        assert_eq!(names.english.as_deref(), Some("Plum pie"));
        assert_eq!(names.synonyms, ["plum tart"]);
        let expected = [("de", "Zwetschgenkuchen"), ("de", "Zwetschgenwähe"), ("fr", "Tarte")];
        assert_eq!(names.local, expected.map(|(language, name)| local(language, name)));
    }

    #[test]
    fn groups_and_synonyms_in_brackets() {
        let names =
            read("en=Fish, black scraper, dried  [Syn. filefish]|ja=＜魚類＞　（かわはぎ類）　うまづらはぎ　味付け")
                .expect("names");
        assert_eq!(names.english.as_deref(), Some("Fish, black scraper, dried"));
        assert_eq!(
            (names.synonyms, names.local),
            (vec!["filefish".to_owned()], vec![local("ja", "うまづらはぎ 味付け")])
        );
        assert_eq!(read("ja=（魚）").expect("a name").local, [local("ja", "（魚）")]);
    }

    #[test]
    fn names_that_are_none() {
        assert_eq!(read(""), Err(Skip::NoName));
        assert_eq!(read("en=NA"), Err(Skip::NoName));
        assert_eq!(read("Bread|=Bread|e=Bread|english_name=Bread"), Err(Skip::NoName));
        assert_eq!(read("pt=P\u{fffd}o"), Err(Skip::NotText));
        assert_eq!(read("en=Bread|pt=P\u{fffd}o").expect("English").local, []);
        assert_eq!(read("en=Rice, white|pt=type 1), boiled (Arroz"), Err(Skip::Malformed));
    }
}
