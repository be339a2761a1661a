//! A conversation in the order in which it is read: neighboring texts and photos together, everything else alone.

use nutrition::sighting::PhotoSightings;

use super::message::{CorrectionPart, FoodPart, Message, MessagePart};
use super::parts::MAX_CHARS;

/// Most messages of a conversation that are read.
pub const MAX_MESSAGES: usize = 50;
/// Most foods and corrections by id that are read, in all messages together.
pub const MAX_FOOD_PARTS: usize = 100;

/// Something that is read at once.
#[derive(Debug)]
pub(super) enum Passage<'m> {
    /// Texts, a line each, and the photos beside them.
    Words { text: String, photos: Vec<&'m PhotoSightings> },
    /// A food, and the index of its part.
    Food(usize, &'m FoodPart),
    /// A correction, and the index of its part.
    Correction(usize, &'m CorrectionPart),
}

impl Passage<'_> {
    fn is_blank(&self) -> bool {
        matches!(self, Passage::Words { text, photos } if photos.is_empty() && text.trim().is_empty())
    }
}

/// How much of a conversation may still be read.
struct Limits {
    chars: usize,
    food_parts: usize,
}

/// Returns the passages of each message that has any, with the index of the message. What exceeds the limits is left out.
pub(super) fn passages(messages: &[Message]) -> Vec<(usize, Vec<Passage<'_>>)> {
    let mut left = Limits { chars: MAX_CHARS, food_parts: MAX_FOOD_PARTS };
    let read = messages.iter().take(MAX_MESSAGES).enumerate();
    read.map(|(index, message)| (index, of_message(message, &mut left)))
        .filter(|(_, passages)| !passages.is_empty())
        .collect()
}

fn of_message<'m>(message: &'m Message, left: &mut Limits) -> Vec<Passage<'m>> {
    let mut passages: Vec<Passage<'m>> = Vec::new();
    for (index, part) in message.parts.iter().enumerate() {
        if let MessagePart::Food(_) | MessagePart::Correction(_) = part {
            let Some(rest) = left.food_parts.checked_sub(1) else { continue };
            left.food_parts = rest;
        }
        match part {
            MessagePart::Food(food) => passages.push(Passage::Food(index, food)),
            MessagePart::Correction(correction) => passages.push(Passage::Correction(index, correction)),
            MessagePart::Text(line) => {
                let (text, _) = words(&mut passages);
                if !text.is_empty() {
                    text.push('\n');
                }
                let start = text.len();
                text.extend(line.chars().take(left.chars));
                left.chars -= text[start..].chars().count();
            }
            MessagePart::Photo(photo) => words(&mut passages).1.push(photo),
        }
    }
    passages.retain(|passage| !passage.is_blank());
    passages
}

/// Returns the words at the end of the passages, which are new behind a food or a correction.
fn words<'p, 'm>(passages: &'p mut Vec<Passage<'m>>) -> (&'p mut String, &'p mut Vec<&'m PhotoSightings>) {
    if !matches!(passages.last(), Some(Passage::Words { .. })) {
        passages.push(Passage::Words { text: String::new(), photos: Vec::new() });
    }
    match passages.last_mut() {
        Some(Passage::Words { text, photos }) => (text, photos),
        _ => unreachable!("words were just pushed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(parts: Vec<MessagePart>) -> Vec<String> {
        let show = |passage: &Passage<'_>| match passage {
            Passage::Words { text, photos } => format!("{text} + {}", photos.len()),
            Passage::Food(index, food) => format!("{index}: {}", food.food_id),
            Passage::Correction(index, correction) => format!("{index}: item {}", correction.item),
        };
        passages(&[Message { parts }]).iter().flat_map(|(_, passages)| passages.iter().map(show)).collect()
    }

    fn text(text: &str) -> MessagePart {
        MessagePart::Text(text.to_owned())
    }

    fn food(id: &str) -> MessagePart {
        MessagePart::Food(FoodPart { food_id: id.to_owned(), ..FoodPart::default() })
    }

    #[test]
    fn neighboring_texts_and_photos_are_read_together() {
        let photo = || MessagePart::Photo(Vec::new());
        assert_eq!(shown(vec![photo(), text("half"), text("of this")]), ["half\nof this + 1"]);
        let correction = MessagePart::Correction(CorrectionPart { item: 2, ..CorrectionPart::default() });
        let mixed = vec![text("eggs"), food("a"), text("  "), correction, text("milk"), photo()];
        assert_eq!(shown(mixed), ["eggs + 0", "1: a", "3: item 2", "milk + 1"]);
        assert!(shown(vec![text(" "), text("")]).is_empty());
    }

    #[test]
    fn what_exceeds_the_limits_is_left_out() {
        assert_eq!(shown((0..MAX_FOOD_PARTS + 5).map(|_| food("a")).collect()).len(), MAX_FOOD_PARTS);
        let long = shown(vec![text(&"é".repeat(MAX_CHARS)), food("a"), text("more")]);
        assert_eq!(long.len(), 2, "the second text is beyond the limit");
    }
}
