//! Schemas by example, as prompts have them: `{"name": "…", "calories": 0, "confidence": "high|low"}`.
//!
//! What prompts show to models is rarely strict JSON: types in place of values, placeholders, alternatives, comments, dots. All
//! of that is read; the best of several examples is the one that asks for most of what is known.

use std::ops::Range;

use serde_json::Value;

use super::fill::Asked;
use super::schema::{SchemaNode, SchemaProperty, ValueType};

/// Longest example, and most brackets that are tried as the start of one, so that reading a prompt takes time in
/// proportion to its length.
const MAX_EXAMPLE: usize = 12_000;
const MAX_STARTS: usize = 100;
/// Deepest nesting of an example.
const MAX_DEPTH: usize = 12;
/// Most properties of an object, elements of an array, or alternatives.
const MAX_PARTS: usize = 200;
/// Longest alternative within a text: “high|medium|low”.
const MAX_ALTERNATIVE: usize = 24;

/// An example in a prompt.
#[derive(Debug)]
pub struct Shape {
    /// The schema that it is an example of.
    pub schema: SchemaNode,
    /// Where in the prompt it is.
    pub place: Range<usize>,
}

impl Shape {
    /// Finds the example in a prompt that asks for most of what is known about a meal.
    pub fn find(prompt: &str) -> Option<Self> {
        let mut best: Option<(usize, Self)> = None;
        let mut at = 0;
        for _ in 0..MAX_STARTS {
            let Some(start) = prompt[at..].find(['{', '[']).map(|found| at + found) else { break };
            let end = prompt.floor_char_boundary(start + MAX_EXAMPLE);
            let mut reader = Reader { text: &prompt[..end], at: start };
            let Some(schema) = reader.value(0) else {
                at = start + 1;
                continue;
            };
            at = reader.at;
            let schema = without_samples(schema);
            let asked = Asked::of(&schema);
            if asked.is_about_food() && best.as_ref().is_none_or(|(most, _)| asked.facts > *most) {
                best = Some((asked.facts, Self { schema, place: start..at }));
            }
        }
        best.map(|(_, shape)| shape)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads a value with its alternatives, and the brackets behind it that make it an array.
    fn value(&mut self, depth: usize) -> Option<SchemaNode> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut node = self.one(depth)?;
        loop {
            self.skip_blanks();
            if self.take("[]") {
                node = SchemaNode { items: Some(Box::new(node)), ..SchemaNode::of_type(ValueType::Array) };
            } else if self.take("|") {
                self.skip_blanks();
                let other = self.one(depth)?;
                node = either(node, other)?;
            } else {
                return Some(node);
            }
        }
    }

    fn one(&mut self, depth: usize) -> Option<SchemaNode> {
        match self.rest().chars().next()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            '"' => Some(of_text(self.quoted()?)),
            '<' => {
                let end = self.rest().find('>')?;
                let words = &self.rest()[1..end];
                self.at += end + 1;
                Some(of_words(words))
            }
            '-' | '0'..='9' => {
                let number = self.run(|letter| letter.is_ascii_digit() || "-+.eE".contains(letter));
                let kind = if number.contains('.') { ValueType::Number } else { ValueType::Integer };
                Some(SchemaNode::of_type(kind))
            }
            letter if letter.is_alphabetic() => {
                let word = self.run(|letter| letter.is_alphanumeric() || letter == '_');
                of_bare_word(word)
            }
            _ => None,
        }
    }

    fn object(&mut self, depth: usize) -> Option<SchemaNode> {
        self.at += 1;
        let mut node = SchemaNode::of_type(ValueType::Object);
        loop {
            self.skip_filler();
            if self.take("}") {
                return Some(node);
            }
            let name = if self.rest().starts_with('"') {
                self.quoted()?
            } else {
                self.run(|letter| letter.is_alphanumeric() || letter == '_')
            };
            let is_required = !self.take("?");
            self.skip_blanks();
            if name.is_empty() || !self.take(":") || node.properties.len() == MAX_PARTS {
                return None;
            }
            self.skip_blanks();
            let value = self.value(depth + 1)?;
            node.properties.push(SchemaProperty { is_required, ..SchemaProperty::required(name.to_owned(), value) });
        }
    }

    /// Reads an array; its first element stands for all.
    fn array(&mut self, depth: usize) -> Option<SchemaNode> {
        self.at += 1;
        let mut node = SchemaNode::of_type(ValueType::Array);
        for _ in 0..MAX_PARTS {
            self.skip_filler();
            if self.take("]") {
                return Some(node);
            }
            let element = self.value(depth + 1)?;
            node.items.get_or_insert(Box::new(element));
        }
        None
    }

    fn quoted(&mut self) -> Option<&'a str> {
        let rest = &self.rest()[1..];
        let mut is_escaped = false;
        let end = rest.char_indices().find(|(_, letter)| {
            let is_end = *letter == '"' && !is_escaped;
            is_escaped = *letter == '\\' && !is_escaped;
            is_end
        })?;
        self.at += end.0 + 2;
        Some(&rest[..end.0])
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn run(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn take(&mut self, token: &str) -> bool {
        let is_there = self.rest().starts_with(token);
        if is_there {
            self.at += token.len();
        }
        is_there
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            self.run(char::is_whitespace);
            if !self.rest().starts_with("//") {
                return;
            }
            self.run(|letter| letter != '\n');
        }
    }

    /// Skips what is between properties and elements, and the dots for more of them.
    fn skip_filler(&mut self) {
        loop {
            self.skip_blanks();
            if self.run(|letter| matches!(letter, ',' | ';' | '.' | '…')).is_empty() {
                return;
            }
        }
    }
}

/// Returns the schema of a text in quotes: alternatives, the name of a type, or any text.
fn of_text(text: &str) -> SchemaNode {
    let parts: Vec<&str> = text.split(['|', '/']).map(str::trim).collect();
    let is_word = |part: &&str| !part.is_empty() && part.len() <= MAX_ALTERNATIVE && !part.contains(['<', '{']);
    if parts.len() > 1 && parts.iter().all(is_word) && parts.iter().all(|part| !part.contains(' ')) {
        let values = parts.into_iter().map(Value::from).collect();
        return SchemaNode { values, ..SchemaNode::of_type(ValueType::String) };
    }
    let first = text.split(|letter: char| !letter.is_alphanumeric()).find(|word| !word.is_empty());
    let of_type = first.and_then(type_of_word).filter(|kind| *kind != ValueType::String);
    // Kept, so that further alternatives can join it.
    let values = if of_type.is_none() && is_word(&text) { vec![Value::from(text)] } else { Vec::new() };
    SchemaNode { values, ..SchemaNode::of_type(of_type.unwrap_or(ValueType::String)) }
}

/// Returns the schema of a placeholder such as `<number>`.
fn of_words(words: &str) -> SchemaNode {
    let known = words.split(|letter: char| !letter.is_alphanumeric()).find_map(type_of_word);
    SchemaNode::of_type(known.unwrap_or(ValueType::String))
}

fn of_bare_word(word: &str) -> Option<SchemaNode> {
    let lower = word.to_ascii_lowercase();
    if lower == "null" {
        return Some(SchemaNode::of_type(ValueType::Null));
    }
    type_of_word(&lower).map(SchemaNode::of_type)
}

fn type_of_word(word: &str) -> Option<ValueType> {
    Some(match word.to_ascii_lowercase().as_str() {
        "number" | "float" | "double" | "decimal" => ValueType::Number,
        "integer" | "int" => ValueType::Integer,
        "boolean" | "bool" | "true" | "false" => ValueType::Boolean,
        "string" | "str" => ValueType::String,
        _ => return None,
    })
}

/// Joins two alternatives.
fn either(mut one: SchemaNode, other: SchemaNode) -> Option<SchemaNode> {
    if other.types == [ValueType::Null] || one.types == [ValueType::Null] {
        one.types.extend(other.types);
        one.values.extend(other.values);
        return Some(one);
    }
    let are_texts = !one.values.is_empty() && !other.values.is_empty();
    if are_texts && one.values.len() < MAX_PARTS {
        one.values.extend(other.values);
        return Some(one);
    }
    (one.types == other.types).then_some(one)
}

/// Forgets texts that only are examples: a single one is not a list.
fn without_samples(mut node: SchemaNode) -> SchemaNode {
    if node.values.len() == 1 {
        node.values.clear();
    }
    for property in &mut node.properties {
        property.node = without_samples(std::mem::take(&mut property.node));
    }
    node.items = node.items.map(|element| Box::new(without_samples(*element)));
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema(prompt: &str) -> SchemaNode {
        Shape::find(prompt).unwrap_or_else(|| panic!("nothing found in {prompt}")).schema
    }

    fn property<'a>(node: &'a SchemaNode, name: &str) -> &'a SchemaNode {
        &node.properties.iter().find(|property| property.name == name).expect(name).node
    }

    #[test]
    fn examples_are_read_as_prompts_write_them() {
        let node = schema(
            "Respond ONLY with JSON:\n{\"name\":\"...\",\"calories\":0,\"fat\":0.0,\"unit_options\":[],}\nCalories are integers.",
        );
        assert_eq!(property(&node, "name"), &SchemaNode::of_type(ValueType::String));
        assert_eq!(property(&node, "calories").types, [ValueType::Integer]);
        assert_eq!(property(&node, "fat").types, [ValueType::Number]);
        assert_eq!(property(&node, "unit_options").types, [ValueType::Array]);
        let node = schema(
            r#"{"items": [{"name": string, "confidence": "normal" | "low", "kcal": <integer>, "brand": string | null}, ...]}"#,
        );
        let row = property(&node, "items").items.as_deref().expect("elements");
        assert_eq!(property(row, "confidence").values, ["normal", "low"]);
        assert_eq!(property(row, "kcal").types, [ValueType::Integer]);
        assert!(property(row, "brand").is_nullable());
        let node = schema(
            "{\"food\": \"name\", // what it is\n \"calories\": \"number\", \"confidence\": \"high|medium|low\"}",
        );
        assert_eq!(property(&node, "calories").types, [ValueType::Number]);
        assert_eq!(property(&node, "confidence").values, [json!("high"), json!("medium"), json!("low")]);
        let node = schema("{ foods: { name: string; grams?: number }[] }");
        let row = property(&node, "foods").items.as_deref().expect("elements");
        assert!(row.properties[0].is_required && !row.properties[1].is_required);
        let node = schema(r#"[{"name":"food name (portion)","kcal":123,"p":12}]. If none, respond with []."#);
        assert_eq!(node.types, [ValueType::Array]);
    }

    #[test]
    fn the_example_that_asks_for_most_wins() {
        let prompt =
            r#"{"title": "x"} or {"error": "no food"} or {"food": "x", "calories": 1, "grams": 2} or {"calories": 1}"#;
        assert_eq!(schema(prompt).properties.len(), 3);
    }

    #[test]
    fn reading_a_prompt_takes_no_longer_than_its_length() {
        let example = r#"{"food": "x", "calories": 1}"#;
        assert!(Shape::find(&format!("{}{example}", "[//\n".repeat(50))).is_some());
        // Each of these would be read to the end of the prompt.
        assert!(Shape::find(&format!("{}{example}", "[// ".repeat(1_000))).is_none());
        assert!(Shape::find(&format!("{{\"a\": \"{}\"}} {example}", "x".repeat(20_000))).is_some());
    }

    #[test]
    fn what_is_not_about_food_is_no_example() {
        for prompt in
            ["", "{", "[[[[", "{\"title\": \"a concise title\"}", "{{user}}", "[1, 2]", "{a}", "{\"a\":", "“{”"]
        {
            assert!(Shape::find(prompt).is_none(), "{prompt}");
        }
        assert!(Shape::find(&"[".repeat(100_000)).is_none());
        assert!(Shape::find(&"{\"a\":1,".repeat(20_000)).is_none());
    }
}
