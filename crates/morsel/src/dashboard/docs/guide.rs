//! The guide: `docs/API.md` of the repository, rendered as HTML once, at start.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::highlight::{Language, sample, samples};
use super::html::{escape, slug};
use super::samples::Sample;

/// The guide, with [`DEFAULT_BASE`](super::samples::DEFAULT_BASE) in place of the service's URL.
pub(super) const MARKDOWN: &str = include_str!("../../../../../docs/API.md");

/// A heading, for the table of contents.
#[derive(Debug)]
pub(super) struct Heading {
    pub id: String,
    pub text: String,
    /// Whether it is a subheading.
    pub is_inner: bool,
    /// The text up to the next heading, for the search.
    pub about: String,
}

/// The rendered guide.
#[derive(Debug)]
pub(super) struct Guide {
    pub title: String,
    pub html: String,
    pub contents: Vec<Heading>,
}

impl Guide {
    /// Renders Markdown as HTML: with links to headings and syntax highlighting, a sample in several languages as one
    /// group, and tables that scroll.
    pub fn new(markdown: &str) -> Self {
        let mut events = Parser::new_ext(markdown, Options::ENABLE_TABLES).peekable();
        let mut guide = Self { title: String::new(), html: String::new(), contents: Vec::new() };
        let mut out: Vec<Event<'_>> = Vec::new();
        let mut groups = 0;
        while let Some(event) = events.next() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let text = heading_text(&mut events);
                    if level == HeadingLevel::H1 {
                        guide.title = text;
                        continue;
                    }
                    out.push(Event::Html(guide.heading(level, text).into()));
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let mut programs = vec![(language(&kind), code_text(&mut events))];
                    while is_program(programs[0].0)
                        && let Some(kind) = events.next_if(is_translation)
                    {
                        let language = language_of(&kind);
                        programs.push((language, code_text(&mut events)));
                    }
                    groups += 1;
                    out.push(Event::Html(group(groups, programs).into()));
                }
                Event::Start(Tag::Table(columns)) => {
                    let about = guide.contents.last().map_or("the guide", |heading| heading.text.as_str());
                    let open = format!(
                        "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"Table: {}\">",
                        escape(about)
                    );
                    out.push(Event::Html(open.into()));
                    out.push(Event::Start(Tag::Table(columns)));
                }
                Event::End(TagEnd::Table) => {
                    out.push(Event::End(TagEnd::Table));
                    out.push(Event::Html("</div>\n".into()));
                }
                other => {
                    if let (Event::Text(text) | Event::Code(text), Some(heading)) = (&other, guide.contents.last_mut())
                    {
                        heading.about.push_str(text);
                    }
                    if matches!(other, Event::End(_) | Event::SoftBreak)
                        && let Some(heading) = guide.contents.last_mut()
                    {
                        heading.about.push(' ');
                    }
                    out.push(other);
                }
            }
        }
        html::push_html(&mut guide.html, out.into_iter());
        guide
    }

    fn heading(&mut self, level: HeadingLevel, text: String) -> String {
        let id = slug(&text);
        let shown = escape(&text);
        let html = format!(
            "<{level} id=\"{id}\">{shown} <a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to “{shown}”\">#</a></{level}>\n"
        );
        self.contents.push(Heading { id, text, is_inner: level > HeadingLevel::H2, about: String::new() });
        html
    }
}

fn heading_text<'a>(events: &mut impl Iterator<Item = Event<'a>>) -> String {
    let mut text = String::new();
    for event in events {
        match event {
            Event::End(TagEnd::Heading(_)) => break,
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            _ => {}
        }
    }
    text
}

fn code_text<'a>(events: &mut impl Iterator<Item = Event<'a>>) -> String {
    let mut code = String::new();
    for event in events {
        match event {
            Event::End(TagEnd::CodeBlock) => break,
            Event::Text(part) => code.push_str(&part),
            _ => {}
        }
    }
    code
}

fn language(kind: &CodeBlockKind<'_>) -> Language {
    match kind {
        CodeBlockKind::Fenced(info) => Language::of(info),
        CodeBlockKind::Indented => Language::Plain,
    }
}

fn language_of(event: &Event<'_>) -> Language {
    match event {
        Event::Start(Tag::CodeBlock(kind)) => language(kind),
        _ => Language::Plain,
    }
}

/// Whether code in this language may be followed by the same in another one.
fn is_program(language: Language) -> bool {
    matches!(language, Language::Shell | Language::Python | Language::JavaScript)
}

/// Whether an event starts the same sample in another language.
fn is_translation(event: &Event<'_>) -> bool {
    matches!(language_of(event), Language::Python | Language::JavaScript)
}

/// Renders a sample that is written in some languages. A request with curl is shown in all of them.
fn group(id: usize, written: Vec<(Language, String)>) -> String {
    let written: Vec<(Language, String)> =
        written.into_iter().map(|(language, code)| (language, code.trim_end().to_owned())).collect();
    let (first, code) = &written[0];
    let request = Sample::from_curl(code).filter(|_| *first == Language::Shell);
    let Some(request) = request else {
        return if written.len() > 1 { samples(&id.to_string(), &written) } else { sample(*first, code) };
    };
    let program = |language: Language| {
        let same = if language == Language::TypeScript { Language::JavaScript } else { language };
        let own = written.iter().find(|(written, _)| *written == same).map(|(_, code)| code.clone());
        (language, own.unwrap_or_else(|| request.in_language(language)))
    };
    samples(&id.to_string(), &Language::ALL.map(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_follow_each_other_are_one_group() {
        let guide = Guide::new(
            "# T\n\n## A b!\n\n```sh\ncurl x\n```\n\n```python\nx\n```\n\n```json\n{}\n```\n\n### C\n\nSome `code`\n\n```sh\n\
             curl http://127.0.0.1:8080/v1/foods -H \"Authorization: Bearer $KEY\"\n```\n",
        );
        assert_eq!(guide.title, "T");
        assert_eq!(guide.html.matches("<div class=\"samples\">").count(), 2);
        let (group, rest) = guide.html.split_once("</div>").expect("a group");
        assert!(group.contains("data-language=\"curl\"") && group.contains("data-language=\"Python\""), "{group}");
        assert!(rest.contains("data-language=\"Response\""), "{rest}");
        let contents: Vec<(&str, bool)> =
            guide.contents.iter().map(|heading| (heading.id.as_str(), heading.is_inner)).collect();
        assert_eq!(contents, [("a-b", false), ("c", true)]);
        assert_eq!(guide.contents[1].about.trim(), "Some code");
        for language in Language::ALL {
            assert!(
                rest.contains(&format!("data-language=\"{}\"", language.name())),
                "a request has all languages: {rest}"
            );
        }
    }

    #[test]
    fn the_guide_itself_is_rendered() {
        let guide = Guide::new(MARKDOWN);
        assert!(guide.contents.len() > 15);
        let ids: std::collections::BTreeSet<&str> = guide.contents.iter().map(|heading| heading.id.as_str()).collect();
        assert_eq!(ids.len(), guide.contents.len(), "headings are told apart by their ids");
        assert_eq!(guide.html.matches("<div").count(), guide.html.matches("</div>").count());
        assert!(!guide.html.contains("<script"), "no raw HTML");
    }
}
