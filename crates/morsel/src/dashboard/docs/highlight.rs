//! Syntax highlighting: strings, numbers, comments, keywords. This is not a parser: unknown syntax is left as it is.

use std::fmt::Write as _;

use super::html::escape;

/// A language that samples are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Shell,
    Python,
    TypeScript,
    JavaScript,
    Go,
    Rust,
    Php,
    Swift,
    Kotlin,
    Json,
    Plain,
}

const PYTHON_KEYWORDS: &[&str] = &[
    "import", "from", "as", "with", "for", "in", "if", "elif", "else", "not", "continue", "print", "def", "return",
    "True", "False", "None", "try", "except", "async", "await",
];
const SCRIPT_KEYWORDS: &[&str] = &[
    "import", "from", "const", "let", "await", "async", "for", "of", "if", "else", "throw", "new", "continue",
    "return", "true", "false", "null", "try", "catch",
];
const GO_KEYWORDS: &[&str] = &["package", "import", "func", "if", "nil", "defer", "return"];
const RUST_KEYWORDS: &[&str] = &["use", "fn", "let", "mut", "return", "Ok"];
const PHP_KEYWORDS: &[&str] = &["php", "echo", "true", "false", "null"];
const SWIFT_KEYWORDS: &[&str] = &["import", "let", "var", "try", "await", "as", "print"];
const KOTLIN_KEYWORDS: &[&str] = &["import", "fun", "val", "println"];

impl Language {
    /// The languages that a request is shown in, in this order.
    pub const ALL: [Self; 9] = [
        Self::Shell,
        Self::Python,
        Self::TypeScript,
        Self::JavaScript,
        Self::Go,
        Self::Rust,
        Self::Php,
        Self::Swift,
        Self::Kotlin,
    ];

    /// Returns the language of a code block.
    pub fn of(info: &str) -> Self {
        match info {
            "sh" => Self::Shell,
            "python" => Self::Python,
            "js" => Self::JavaScript,
            "json" => Self::Json,
            _ => Self::Plain,
        }
    }

    /// Returns the label of samples in this language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shell => "curl",
            Self::Python => "Python",
            Self::TypeScript => "TypeScript",
            Self::JavaScript => "JavaScript",
            Self::Go => "Go",
            Self::Rust => "Rust",
            Self::Php => "PHP",
            Self::Swift => "Swift",
            Self::Kotlin => "Kotlin",
            Self::Json => "Response",
            Self::Plain => "Text",
        }
    }

    const fn keywords(self) -> &'static [&'static str] {
        match self {
            Self::Shell => &["curl", "export"],
            Self::Python => PYTHON_KEYWORDS,
            Self::TypeScript | Self::JavaScript => SCRIPT_KEYWORDS,
            Self::Go => GO_KEYWORDS,
            Self::Rust => RUST_KEYWORDS,
            Self::Php => PHP_KEYWORDS,
            Self::Swift => SWIFT_KEYWORDS,
            Self::Kotlin => KOTLIN_KEYWORDS,
            Self::Json => &["true", "false", "null"],
            Self::Plain => &[],
        }
    }

    const fn comment(self) -> &'static str {
        match self {
            Self::Shell | Self::Python => "# ",
            Self::TypeScript | Self::JavaScript | Self::Go | Self::Rust | Self::Php | Self::Swift | Self::Kotlin => {
                "// "
            }
            Self::Json | Self::Plain => "\0",
        }
    }

    const fn quotes(self) -> &'static [char] {
        match self {
            Self::Shell | Self::Python | Self::Php => &['"', '\''],
            Self::TypeScript | Self::JavaScript => &['"', '\'', '`'],
            Self::Go => &['"', '`'],
            Self::Rust | Self::Swift | Self::Kotlin | Self::Json => &['"'],
            Self::Plain => &[],
        }
    }
}

/// Renders code as HTML, with a class for each kind of token.
pub(crate) fn highlight(language: Language, code: &str) -> String {
    let mut out = String::with_capacity(code.len() * 2);
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let (length, class) = token(language, rest, first, code.len() == rest.len() || ends_word(code, rest));
        let (text, after) = rest.split_at(length);
        match class {
            Some(class) => {
                out.push_str("<span class=\"");
                out.push_str(class);
                out.push_str("\">");
                out.push_str(&escape(text));
                out.push_str("</span>");
            }
            None => out.push_str(&escape(text)),
        }
        rest = after;
    }
    out
}

/// Whether a new word starts at the rest of the code.
fn ends_word(code: &str, rest: &str) -> bool {
    let before = code[..code.len() - rest.len()].chars().next_back();
    before.is_none_or(|before| !before.is_alphanumeric() && before != '_')
}

/// Returns the length of the first token and its class.
fn token(language: Language, rest: &str, first: char, begins_word: bool) -> (usize, Option<&'static str>) {
    if begins_word && rest.starts_with(language.comment()) {
        return (rest.find('\n').unwrap_or(rest.len()), Some("hl-c"));
    }
    if language.quotes().contains(&first) {
        let length = quoted(rest, first);
        // In JSON, a string before a colon is a key.
        let is_name = language == Language::Json && rest[length..].trim_start().starts_with(':');
        return (length, Some(if is_name { "hl-k" } else { "hl-s" }));
    }
    if begins_word && first.is_ascii_digit() && language != Language::Plain && language != Language::Shell {
        let end = rest.find(|next: char| !next.is_ascii_digit() && next != '.').unwrap_or(rest.len());
        return (end, Some("hl-n"));
    }
    if first.is_alphabetic() || first == '_' {
        let end = rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len());
        return (end, (begins_word && language.keywords().contains(&&rest[..end])).then_some("hl-k"));
    }
    (first.len_utf8(), None)
}

/// Returns the length of a string with its quotes; an unterminated one extends to the end.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, next) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if next == '\\' {
            escaped = true;
        } else if next == quote {
            return at + next.len_utf8();
        }
    }
    rest.len()
}

/// Renders the same program in several languages, of which one is shown. Choosing another works without scripts; `id` tells
/// the groups of a page apart.
pub(super) fn samples(id: &str, programs: &[(Language, String)]) -> String {
    let mut out = String::from(
        "<div class=\"samples\">\n<fieldset class=\"languages\"><legend class=\"visually-hidden\">Language</legend>",
    );
    for (at, (language, _)) in programs.iter().enumerate() {
        let name = language.name();
        let checked = if at == 0 { " checked" } else { "" };
        // Writing to a string does not fail.
        let _ =
            write!(out, "<label><input type=\"radio\" name=\"language-{id}\" value=\"{name}\"{checked}>{name}</label>");
    }
    out.push_str("</fieldset>\n");
    for (language, code) in programs {
        out.push_str(&sample(*language, code));
    }
    out.push_str("</div>\n");
    out
}

/// Renders a code sample with its label.
pub(super) fn sample(language: Language, code: &str) -> String {
    format!(
        "<figure class=\"sample\" data-language=\"{name}\"><figcaption>{name}</figcaption>\
         <pre tabindex=\"0\"><code>{code}</code></pre></figure>\n",
        name = language.name(),
        code = highlight(language, code),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_get_their_classes_and_everything_is_escaped() {
        let python = highlight(Language::Python, "for x in y:  # <all>\n    print(\"a\\\"b\", 12)");
        assert_eq!(
            python,
            "<span class=\"hl-k\">for</span> x <span class=\"hl-k\">in</span> y:  <span class=\"hl-c\"># &lt;all&gt;</span>\n    \
             <span class=\"hl-k\">print</span>(<span class=\"hl-s\">&quot;a\\&quot;b&quot;</span>, <span class=\"hl-n\">12</span>)"
        );
        let json = highlight(Language::Json, r#"{"a": "b"}"#);
        assert!(json.contains("hl-k\">&quot;a&quot;") && json.contains("hl-s\">&quot;b&quot;"), "{json}");
        assert_eq!(highlight(Language::Plain, "a < 1"), "a &lt; 1");
        assert_eq!(highlight(Language::JavaScript, "x1 = `never"), "x1 = <span class=\"hl-s\">`never</span>");
    }
}
