//! The guide: `docs/API.md` of the repository, rendered as HTML once, at start.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::highlight::{Language, sample};
use super::html::{escape, slug};

/// The guide, with [`DEFAULT_BASE`](super::samples::DEFAULT_BASE) in place of the service's URL.
pub(super) const MARKDOWN: &str = include_str!("../../../../../docs/API.md");

/// A heading, for the table of contents.
#[derive(Debug)]
pub(super) struct Heading {
    pub id: String,
    pub text: String,
    /// Whether it is a subheading.
    pub is_inner: bool,
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
        let mut is_in_group = false;
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
                    let language = language(&kind);
                    let code = code_text(&mut events);
                    let goes_on = language.is_one_of_several() && next_is_sample(events.peek());
                    if goes_on && !is_in_group {
                        out.push(Event::Html("<div class=\"samples\">\n".into()));
                    }
                    out.push(Event::Html(sample(language, code.trim_end()).into()));
                    if is_in_group && !goes_on {
                        out.push(Event::Html("</div>\n".into()));
                    }
                    is_in_group = goes_on;
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
                other => out.push(other),
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
        self.contents.push(Heading { id, text, is_inner: level > HeadingLevel::H2 });
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

/// Whether the next event starts the same sample in another language.
fn next_is_sample(event: Option<&Event<'_>>) -> bool {
    match event {
        Some(Event::Start(Tag::CodeBlock(kind))) => {
            matches!(language(kind), Language::Python | Language::JavaScript)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_follow_each_other_are_one_group() {
        let guide = Guide::new(
            "# T\n\n## A b!\n\n```sh\ncurl x\n```\n\n```python\nx\n```\n\n```json\n{}\n```\n\n### C\n\n```sh\ncurl y\n```\n",
        );
        assert_eq!(guide.title, "T");
        assert_eq!(guide.html.matches("<div class=\"samples\">").count(), 1);
        let (group, rest) = guide.html.split_once("</div>").expect("a group");
        assert!(group.contains("data-language=\"curl\"") && group.contains("data-language=\"Python\""), "{group}");
        assert!(rest.contains("data-language=\"Response\""), "{rest}");
        let contents: Vec<(&str, bool)> =
            guide.contents.iter().map(|heading| (heading.id.as_str(), heading.is_inner)).collect();
        assert_eq!(contents, [("a-b", false), ("c", true)]);
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
