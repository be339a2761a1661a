//! What the user ate, out of the messages of a conversation: the last one, what it amends, or the words behind a label in a
//! prompt.

use foods::Unit;
use foods::unit::measure;
use meal::MAX_CHARS;

use super::body::{ChatContent, ChatPart, ChatRole, ChatTurn};
use super::schema::SchemaNode;
use super::shape::Shape;
use crate::api::estimate::content::{ImageReference, MAX_IMAGES, UserMessage, UserPart};
use crate::error::ApiError;

/// Most characters of all messages together; the meal itself may have fewer.
const MAX_PROMPT_CHARS: usize = 200_000;
/// Most messages that an answer depends on.
const MAX_AMENDED: usize = 20;
/// A prompt without a label is a meal with an example behind it only if it is short.
const MAX_UNLABELED: usize = 400;
/// First words of texts that say what to do with a photo, and words that such texts have.
const INSTRUCTIONS: [&str; 18] = [
    "analyze",
    "analyse",
    "analysis",
    "identify",
    "list",
    "estimate",
    "describe",
    "what",
    "what's",
    "recognize",
    "detect",
    "look",
    "tell",
    "extract",
    "return",
    "calculate",
    "you",
    "give",
];
const PHOTO_WORDS: [&str; 9] = ["photo", "photos", "image", "images", "picture", "pictures", "foods", "food", "meal"];

/// What a conversation says about a meal.
#[derive(Debug, Default)]
pub struct ChatPrompt {
    /// What the user said about the meal.
    pub messages: Vec<UserMessage>,
    /// The same as one text.
    pub said: String,
    /// What all of it weighs, in grams.
    pub weight: Option<f64>,
    /// The example that the answer must look like.
    pub shape: Option<SchemaNode>,
    /// Whether a tool was called for the meal already.
    pub is_called: bool,
    /// The characters of all messages.
    pub characters: usize,
}

/// What one message of the user says.
#[derive(Debug, Default)]
struct UserTurn {
    message: UserMessage,
    /// The text.
    said: String,
    images: usize,
    weight: Option<f64>,
    shape: Option<SchemaNode>,
    /// Whether the text is a prompt around the words of the user, so that messages before it are examples.
    is_prompt: bool,
}

impl ChatPrompt {
    /// Reads a conversation.
    pub fn read(turns: Vec<ChatTurn>) -> Result<Self, ApiError> {
        let of_messages = |problem: String| ApiError::bad_field("messages", format!("“messages” {problem}."));
        let characters = turns.iter().map(|turn| turn.content.as_ref().map_or(0, ChatContent::characters)).sum();
        if characters > MAX_PROMPT_CHARS {
            return Err(of_messages(format!("may have at most {MAX_PROMPT_CHARS} characters of text")));
        }
        let last = turns.iter().rposition(|turn| turn.role == ChatRole::User);
        let last = last.ok_or_else(|| of_messages("must have at least one message with the role “user”".to_owned()))?;
        let is_result = |turn: &ChatTurn| matches!(turn.role, ChatRole::Tool | ChatRole::Function);
        let is_called = turns[last..].iter().any(is_result);
        let is_call = |turn: &ChatTurn| turn.tool_calls || turn.function_call;
        // What was said before a call is a meal of its own.
        let first = turns[..last].iter().rposition(is_call).unwrap_or(0);
        let mut prompt = Self { is_called, characters, ..Self::default() };
        let mut user_turns = Vec::new();
        for (index, turn) in turns.into_iter().enumerate() {
            let path = format!("messages[{index}].content");
            match (turn.role, turn.content) {
                (ChatRole::User, Some(content)) if (first..=last).contains(&index) => {
                    user_turns.push(UserTurn::read(content, path)?);
                }
                (ChatRole::System | ChatRole::Developer, Some(content)) => {
                    if let Some(shape) = Shape::find(&content.text()) {
                        prompt.shape = Some(shape.schema);
                    }
                }
                _ => {}
            }
        }
        prompt.add_user(user_turns)?;
        Ok(prompt)
    }

    /// Adds what the user said last, and as much of what it amends as a request may have.
    fn add_user(&mut self, mut turns: Vec<UserTurn>) -> Result<(), ApiError> {
        let (mut characters, mut images) = (0, 0);
        let mut kept = Vec::new();
        while let Some(turn) = turns.pop() {
            characters += turn.said.chars().count();
            images += turn.images;
            let is_last = kept.is_empty();
            if characters > MAX_CHARS || images > MAX_IMAGES {
                if is_last {
                    return Err(too_long(&turn, characters));
                }
                break;
            }
            let is_alone = turn.is_prompt;
            if is_last {
                self.weight = turn.weight;
            } else if is_alone {
                break;
            }
            kept.push(turn);
            if is_alone || kept.len() == MAX_AMENDED {
                break;
            }
        }
        for turn in kept.into_iter().rev() {
            if turn.shape.is_some() {
                self.shape = turn.shape;
            }
            self.said = turn.said;
            self.messages.push(turn.message);
        }
        Ok(())
    }
}

fn too_long(turn: &UserTurn, characters: usize) -> ApiError {
    let path = &turn.message.path;
    if characters > MAX_CHARS {
        let message = format!("“{path}” describes a meal in more than {MAX_CHARS} characters.");
        return ApiError::bad_request("context_length_exceeded", message).of(path.clone());
    }
    ApiError::bad_field(path.clone(), format!("“{path}” may have at most {MAX_IMAGES} images."))
}

impl ChatContent {
    fn characters(&self) -> usize {
        let of_part = |part: &ChatPart| part.text.as_ref().map_or(0, |text| text.chars().count());
        match self {
            Self::Text(text) => text.chars().count(),
            Self::Parts(parts) => parts.iter().map(of_part).sum(),
        }
    }

    /// Returns all texts, each on lines of its own.
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Parts(parts) => {
                parts.iter().filter_map(|part| part.text.as_deref()).collect::<Vec<&str>>().join("\n")
            }
        }
    }
}

impl UserTurn {
    /// Reads a message; `path` is where its content is in the body.
    fn read(content: ChatContent, path: String) -> Result<Self, ApiError> {
        let text = content.text();
        let mut images = Vec::new();
        if let ChatContent::Parts(parts) = content {
            for (index, part) in parts.into_iter().enumerate() {
                let path = format!("{path}[{index}]");
                images.extend(image_of(part, &path)?);
            }
        }
        let shape = Shape::find(&text);
        let labeled = after_label(&text, "meal");
        let mut turn =
            Self { images: images.len(), is_prompt: shape.is_some() || labeled.is_some(), ..Self::default() };
        turn.weight = after_label(&text, "weight").and_then(weight_of);
        turn.said = match (labeled, &shape) {
            (Some(words), _) => words.to_owned(),
            (None, Some(_)) if !images.is_empty() => String::new(),
            (None, Some(shape)) => Some(text[..shape.place.start].trim())
                .filter(|before| before.chars().count() <= MAX_UNLABELED)
                .unwrap_or_default()
                .to_owned(),
            (None, None) if !images.is_empty() && is_instruction(&text) => String::new(),
            (None, None) => text,
        };
        turn.shape = shape.map(|shape| shape.schema);
        let mut parts: Vec<UserPart> = images.into_iter().map(UserPart::Image).collect();
        if !turn.said.trim().is_empty() {
            parts.push(UserPart::Text(turn.said.clone()));
        }
        turn.message = UserMessage { path, parts };
        Ok(turn)
    }
}

/// Returns the image that a part is; `None` for a text.
fn image_of(part: ChatPart, path: &str) -> Result<Option<ImageReference>, ApiError> {
    let missing = |field: &str| {
        let param = format!("{path}.{field}");
        ApiError::bad_field(param.clone(), format!("“{param}” is missing."))
    };
    match part.kind.as_str() {
        "text" | "input_text" => part.text.map(|_| None).ok_or_else(|| missing("text")),
        "image_url" | "input_image" => {
            let url = part.image_url.ok_or_else(|| missing("image_url.url"))?.0;
            Ok(Some(ImageReference { url, param: format!("{path}.image_url.url") }))
        }
        _ => {
            let param = format!("{path}.type");
            Err(ApiError::bad_field(param.clone(), format!("“{param}” must be “text” or “image_url”.")))
        }
    }
}

/// Returns the words behind the first label of a kind.
fn after_label<'a>(text: &'a str, kind: &str) -> Option<&'a str> {
    let rows = include_str!("labels.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut labels = rows.filter_map(|line| {
        let mut cells = line.split('\t');
        (cells.next()? == kind).then(|| cells.next()).flatten()
    });
    labels.find_map(|label| {
        let end = find_label(text, label)?;
        Some(words_at(&text[end..]))
    })
}

/// Returns where a label ends that is at the start of a line or behind a blank.
fn find_label(text: &str, label: &str) -> Option<usize> {
    let is_there = |start: usize| {
        let found = text.get(start..start + label.len());
        let before = text[..start].chars().next_back();
        // Short labels are common words, which a sentence may have too.
        let starts = |before: char| before == '\n' || label.contains(' ') && before.is_whitespace();
        found.is_some_and(|found| found.eq_ignore_ascii_case(label)) && before.is_none_or(starts)
    };
    let first = label.chars().next()?;
    let starts = text.char_indices().filter(|(_, letter)| letter.eq_ignore_ascii_case(&first)).map(|(start, _)| start);
    starts.into_iter().find(|start| is_there(*start)).map(|start| start + label.len())
}

/// Returns the words in quotes, or up to the end of the line.
fn words_at(text: &str) -> &str {
    let text = text.trim_start_matches([' ', '\t']);
    let closing = match text.chars().next() {
        Some('"') => '"',
        Some('“') => '”',
        _ => return text.lines().next().unwrap_or_default().trim(),
    };
    let inside = text[text.chars().next().map_or(0, char::len_utf8)..].trim_start_matches('\n');
    let ends = |end: usize| {
        let behind = inside[end + closing.len_utf8()..].chars().next();
        behind.is_none_or(|letter| letter.is_whitespace() || ".,;)".contains(letter))
    };
    let end = inside.match_indices(closing).map(|(end, _)| end).find(|end| ends(*end));
    end.map_or(inside, |end| &inside[..end]).trim()
}

/// Returns the grams of a weight in words: "450 g", "16 oz (approximately 454 g)".
fn weight_of(words: &str) -> Option<f64> {
    let measure = measure(words);
    let unit = Unit::parse(&measure.unit).or_else(|| Unit::parse(measure.unit.split(' ').next()?))?;
    Some(f64::from(measure.amount) * unit.grams()?).filter(|grams| *grams > 0.0 && *grams < 1e6)
}

/// Returns whether a text beside a photo only says what to do with it.
fn is_instruction(text: &str) -> bool {
    let mut words =
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').filter(|word| !word.is_empty());
    let is_start = words.next().is_some_and(|first| INSTRUCTIONS.contains(&first.to_lowercase().as_str()));
    is_start && words.any(|word| PHOTO_WORDS.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> UserTurn {
        UserTurn::read(ChatContent::Text(text.to_owned()), "messages[0].content".to_owned()).expect("readable")
    }

    #[test]
    fn every_label_is_found_in_quotes_and_without() {
        let rows = include_str!("labels.tsv").lines().filter(|line| !line.starts_with('#'));
        for row in rows {
            let cells: Vec<&str> = row.split('\t').collect();
            let [kind, label, _] = cells.as_slice() else { panic!("three cells: {row}") };
            for (words, found) in [("\"2 eggs, toast\".", "2 eggs, toast"), ("2 eggs", "2 eggs"), ("\"\"", "")] {
                let prompt = format!("You are a dietitian.\n{label} {words}\nAnswer in JSON.");
                assert_eq!(after_label(&prompt, kind), Some(found), "{prompt}");
            }
        }
        assert_eq!(after_label("seafood: 2 shrimps, my meal: eggs", "meal"), None);
    }

    #[test]
    fn a_prompt_without_a_label_is_a_meal_only_if_it_is_short() {
        let short = read("two eggs and toast, answer as {\"calories\": 0, \"protein\": 0}");
        assert_eq!((short.said.as_str(), short.is_prompt), ("two eggs and toast, answer as", true));
        let long = read(&format!("{} {{\"calories\": 0}}", "Break burritos into rice and beans. ".repeat(20)));
        assert_eq!((long.said.as_str(), long.shape.is_some()), ("", true));
    }

    #[test]
    fn what_to_do_with_a_photo_is_not_a_meal() {
        for text in ["List the foods in this photo.", "What's in this picture?", "Analyze this image of a meal"] {
            assert!(is_instruction(text), "{text}");
        }
        for text in ["two eggs", "half of this", "what a day: eggs and toast", ""] {
            assert!(!is_instruction(text), "{text}");
        }
    }

    #[test]
    fn weights_are_read() {
        for (words, grams) in [("450 g", Some(450.0)), ("1.5 kg", Some(1_500.0)), ("", None), ("2 plates", None)] {
            assert_eq!(weight_of(words), grams, "{words}");
        }
        assert!(weight_of("16 oz (approximately 454 g)").is_some_and(|grams| (grams - 453.6).abs() < 0.1));
    }
}
