//! The text of a photo.

use super::outline::TextBox;

/// The lines of text in a photo.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// In no particular order.
    pub lines: Vec<TextLine>,
    /// The direction of most lines: 0 is to the right, a quarter turn (π/2) is downwards.
    pub angle: f32,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextLine {
    /// The characters: ASCII letters, digits and punctuation. Accents are lost.
    pub text: String,
    /// The mean confidence of the characters, from 0 to 1.
    pub confidence: f32,
    /// Where the line is, in pixels of the photo.
    pub place: TextBox,
}
