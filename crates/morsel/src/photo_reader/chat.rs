//! The request to a vision model and its response, in the form of OpenAI's chat completions, which Ollama, vLLM, llama.cpp
//! and the hosted services all understand. The model is asked for foods and amounts only; every nutrient comes from the
//! catalog.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use nutrition::sighting::{Guess, SeenBy, Sighting};
use serde::Deserialize;
use serde_json::{Value, json};

use super::model_error::ModelError;

/// Foods taken from one response.
const MAX_FOODS: usize = 20;
/// Characters of a name.
const MAX_NAME_CHARS: usize = 80;
/// Bytes of a unit.
const MAX_UNIT_BYTES: usize = 20;
/// Larger amounts are ignored.
const MAX_AMOUNT: f64 = 5_000.0;

const TASK: &str = "List every food and drink in the photo with the amount that is visible. Use plain English names \
    as a person would say them, one entry for each food. Give amounts in pieces, slices, cups, milliliters or grams. \
    If the photo shows nothing to eat or drink, answer with an empty list. Do not estimate calories or nutrients.";

/// A food that a model sees in a photo.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct ModelFood {
    /// Its name in plain words.
    pub name: String,
    /// The number of units.
    #[serde(default)]
    pub amount: Option<f64>,
    /// "slice", "g", "cup"; `None` for pieces.
    #[serde(default)]
    pub unit: Option<String>,
    /// How sure the model is, from 0 to 1.
    #[serde(default)]
    pub confidence: Option<f32>,
}

#[derive(Deserialize)]
struct Foods {
    foods: Vec<ModelFood>,
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Reply,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Reply {
    content: Option<String>,
    refusal: Option<String>,
}

/// Returns the body of a request about a photo.
pub(super) fn request_body(model: &str, jpeg: &[u8]) -> Value {
    let url = format!("data:image/jpeg;base64,{}", BASE64_STANDARD.encode(jpeg));
    let food = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "amount": {"type": ["number", "null"]},
            "unit": {"type": ["string", "null"]},
            "confidence": {"type": ["number", "null"]},
        },
        "required": ["name", "amount", "unit", "confidence"],
        "additionalProperties": false,
    });
    let schema = json!({
        "type": "object",
        "properties": {"foods": {"type": "array", "items": food}},
        "required": ["foods"],
        "additionalProperties": false,
    });
    json!({
        "model": model,
        "temperature": 0,
        "max_tokens": 1_000,
        "messages": [
            {"role": "system", "content": TASK},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "foods", "strict": true, "schema": schema},
        },
    })
}

/// Parses the foods from the body of a response.
pub(super) fn foods(body: &[u8]) -> Result<Vec<ModelFood>, ModelError> {
    let completion: Completion = serde_json::from_slice(body).map_err(|_| ModelError::Unreadable)?;
    let choice = completion.choices.into_iter().next().ok_or(ModelError::Unreadable)?;
    let is_filtered = choice.finish_reason.as_deref() == Some("content_filter");
    if is_filtered || choice.message.refusal.is_some_and(|refusal| !refusal.is_empty()) {
        return Err(ModelError::Refused);
    }
    let content = choice.message.content.ok_or(ModelError::Unreadable)?;
    let Foods { foods } = serde_json::from_str(object_in(&content)).map_err(|_| ModelError::Unreadable)?;
    Ok(foods.into_iter().filter(ModelFood::is_plausible).take(MAX_FOODS).collect())
}

/// Returns the JSON object within an answer that may have words or a code fence around it.
fn object_in(content: &str) -> &str {
    match (content.find('{'), content.rfind('}')) {
        (Some(start), Some(end)) if start < end => &content[start..=end],
        _ => content,
    }
}

impl ModelFood {
    fn is_plausible(&self) -> bool {
        let letters = self.name.chars().filter(|letter| letter.is_alphabetic()).count();
        letters >= 2 && self.name.chars().count() <= MAX_NAME_CHARS
    }

    /// Returns the food as a sighting, in the words that a person would use: "2 slices toast".
    pub fn sighting(self) -> Sighting {
        let amount = self.amount.filter(|amount| *amount > 0.0 && *amount <= MAX_AMOUNT);
        let is_unit = |unit: &String| {
            let unit = unit.trim();
            !unit.is_empty()
                && unit.len() <= MAX_UNIT_BYTES
                && !matches!(unit, "piece" | "pieces" | "whole" | "unit" | "units")
        };
        let unit = self.unit.filter(is_unit);
        let name = self.name.trim();
        let words = match (amount, unit) {
            (Some(amount), Some(unit)) => format!("{amount} {} {name}", unit.trim()),
            (Some(amount), None) => format!("{amount} {name}"),
            (None, _) => name.to_owned(),
        };
        let confidence = self.confidence.filter(|confidence| (0.0..=1.0).contains(confidence)).unwrap_or(0.7);
        Sighting::Dish { guesses: vec![Guess { words, confidence }], by: SeenBy::Model, note: None, region: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(content: &str) -> Vec<u8> {
        json!({"choices": [{"message": {"role": "assistant", "content": content}}]}).to_string().into_bytes()
    }

    fn words(food: Value) -> String {
        let food: ModelFood = serde_json::from_value(food).expect("a food");
        match food.sighting() {
            Sighting::Dish { guesses, .. } => guesses[0].words.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn foods_become_words() {
        assert_eq!(words(json!({"name": "toast", "amount": 2, "unit": "slices", "confidence": 0.9})), "2 slices toast");
        assert_eq!(words(json!({"name": "egg", "amount": 3, "unit": "pieces"})), "3 egg");
        assert_eq!(words(json!({"name": "rice", "amount": -1, "unit": "cup"})), "rice");
        assert_eq!(words(json!({"name": " milk ", "amount": 1e9})), "milk");
    }

    #[test]
    fn malformed_answers_are_rejected() {
        let foods_of = |content: &str| foods(&answer(content)).map(|foods| foods.len());
        assert_eq!(foods_of(r#"{"foods": [{"name": "egg"}]}"#), Ok(1));
        assert_eq!(foods_of("Here you are:\n```json\n{\"foods\": [{\"name\": \"egg\"}]}\n```"), Ok(1));
        assert_eq!(foods_of(r#"{"foods": []}"#), Ok(0));
        assert_eq!(foods_of(r#"{"foods": [{"name": ""}, {"name": "7"}]}"#), Ok(0));
        assert_eq!(foods_of("I see two eggs."), Err(ModelError::Unreadable));
        assert_eq!(foods_of(r#"{"foods": "eggs"}"#), Err(ModelError::Unreadable));
        assert_eq!(foods(b"<html>").map(|foods| foods.len()), Err(ModelError::Unreadable));
        let many: Vec<Value> = (0..500).map(|_| json!({"name": "egg"})).collect();
        assert_eq!(foods_of(&json!({"foods": many}).to_string()), Ok(MAX_FOODS));
        let refusal = json!({"choices": [{"message": {"content": null, "refusal": "I cannot help."}}]});
        assert_eq!(foods(refusal.to_string().as_bytes()), Err(ModelError::Refused));
        let filtered = json!({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]});
        assert_eq!(foods(filtered.to_string().as_bytes()), Err(ModelError::Refused));
    }

    #[test]
    fn no_nutrients_are_asked_for() {
        let schema = request_body("m", b"x")["response_format"].to_string();
        for word in ["calor", "protein", "carb", "fat", "nutri"] {
            assert!(!schema.contains(word), "{word}");
        }
    }
}
