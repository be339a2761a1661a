//! What a request is answered with: calls of functions, JSON, or text.

use super::body::{ChatBody, ChatFunction, FormatKind, ToolChoice};
use super::facts::{MealFacts, Subject};
use super::fill::{Asked, fill, fill_about};
use super::filled::Filled;
use super::prompt::ChatPrompt;
use super::schema::{SchemaNode, SchemaProperty, ValueType};
use super::text;
use crate::error::ApiError;

/// Words in the names of functions that are about one food, and about meals.
const FOOD_WORDS: [&str; 4] = ["food", "item", "ingredient", "product"];
const MEAL_WORDS: [&str; 8] = ["meal", "nutrition", "calorie", "macro", "diet", "snack", "eat", "diary"];

/// The content of a response.
#[derive(Debug, PartialEq)]
pub enum ChatAnswer {
    /// A text, which may be JSON.
    Text(String),
    /// Calls of tools.
    ToolCalls(Vec<FunctionCall>),
    /// The older form of a call.
    FunctionCall(FunctionCall),
}

/// A call of a function.
#[derive(Debug, PartialEq, Eq)]
pub struct FunctionCall {
    /// The function's name.
    pub name: String,
    /// Its arguments, as JSON.
    pub arguments: String,
}

/// The functions and schemas of a request, checked.
#[derive(Debug)]
pub struct Wanted {
    functions: Vec<ChatFunction>,
    /// Where the functions are in the body.
    place: &'static str,
    choice: ToolChoice,
    is_parallel: bool,
    format: FormatKind,
    schema: Option<SchemaNode>,
}

impl Wanted {
    /// Checks what a body asks for.
    pub fn new(body: &mut ChatBody) -> Result<Self, ApiError> {
        let is_older = body.tools.is_empty() && !body.functions.is_empty();
        let (functions, choice) = if is_older {
            (std::mem::take(&mut body.functions), body.function_call.take())
        } else {
            let tools = std::mem::take(&mut body.tools);
            (tools.into_iter().filter_map(|tool| tool.function).collect(), body.tool_choice.take())
        };
        let place = if is_older { "functions" } else { "tools" };
        for (index, function) in functions.iter().enumerate() {
            if let Some(parameters) = &function.parameters {
                parameters.check(&parameters_at(place, index))?;
            }
        }
        let choice = choice.unwrap_or(ToolChoice::Auto);
        check_choice(&choice, &functions, if is_older { "function_call" } else { "tool_choice" })?;
        let (format, named) =
            body.response_format.take().map_or((FormatKind::Text, None), |format| (format.kind, format.json_schema));
        let schema = named.and_then(|named| named.schema);
        if format == FormatKind::JsonSchema {
            let param = "response_format.json_schema.schema";
            let missing = || ApiError::bad_field(param, format!("“{param}” is missing."));
            schema.as_ref().ok_or_else(missing)?.check(param)?;
        }
        Ok(Self { functions, place, choice, is_parallel: body.parallel_tool_calls.unwrap_or(true), format, schema })
    }

    /// Answers with what is known about a meal.
    pub fn answer(&self, prompt: &ChatPrompt, meal: &MealFacts<'_>) -> Result<ChatAnswer, ApiError> {
        let reply = text::reply(meal);
        if let Some(index) = self.function_to_call(prompt, meal) {
            let mut calls = self.calls(index, meal, &reply)?;
            return Ok(match self.place {
                "functions" => ChatAnswer::FunctionCall(calls.swap_remove(0)),
                _ => ChatAnswer::ToolCalls(calls),
            });
        }
        let own = own_schema();
        let schema = match self.format {
            FormatKind::JsonSchema => self.schema.as_ref(),
            FormatKind::JsonObject => Some(prompt.shape.as_ref().unwrap_or(&own)),
            FormatKind::Text => prompt.shape.as_ref(),
        };
        Ok(ChatAnswer::Text(match schema {
            Some(schema) => written(&fill(schema, meal, &reply, "response_format")?)?,
            None => reply,
        }))
    }

    /// Returns the position of the function that is called, if one is.
    fn function_to_call(&self, prompt: &ChatPrompt, meal: &MealFacts<'_>) -> Option<usize> {
        let best = || (0..self.functions.len()).rev().max_by_key(|index| fitness(&self.functions[*index]));
        match &self.choice {
            ToolChoice::None => None,
            ToolChoice::Named(name) => self.functions.iter().position(|function| function.name == *name),
            ToolChoice::Required => best(),
            ToolChoice::Auto if meal.items.is_empty() || prompt.is_called => None,
            ToolChoice::Auto => best().filter(|index| fitness(&self.functions[*index]).0),
        }
    }

    /// Returns the calls of a function: one for the meal, or one for each food if the function is about one.
    fn calls(&self, index: usize, meal: &MealFacts<'_>, reply: &str) -> Result<Vec<FunctionCall>, ApiError> {
        let function = &self.functions[index];
        let nothing = SchemaNode::of_type(ValueType::Object);
        let schema = function.parameters.as_ref().unwrap_or(&nothing);
        let param = parameters_at(self.place, index);
        let call =
            |arguments: Filled| Ok(FunctionCall { name: function.name.clone(), arguments: written(&arguments)? });
        let is_of_one = !Asked::of(schema).has_items && has_word(&function.name, &FOOD_WORDS);
        if is_of_one && self.is_parallel && self.place == "tools" && meal.items.len() > 1 {
            let items = meal.items.iter().map(|item| fill_about(schema, Subject::Item(item), reply, &param));
            return items.map(|arguments| call(arguments?)).collect();
        }
        Ok(vec![call(fill(schema, meal, reply, &param)?)?])
    }
}

/// Returns whether a function is about food, and how much it asks for of what is known.
fn fitness(function: &ChatFunction) -> (bool, usize) {
    let asked = function.parameters.as_ref().map(Asked::of).unwrap_or_default();
    let is_named = has_word(&function.name, &FOOD_WORDS) || has_word(&function.name, &MEAL_WORDS);
    (asked.is_about_food() || asked.names > 0 && is_named, asked.facts)
}

fn has_word(name: &str, words: &[&str]) -> bool {
    let name = name.to_lowercase();
    words.iter().any(|word| name.contains(word))
}

fn check_choice(choice: &ToolChoice, functions: &[ChatFunction], param: &str) -> Result<(), ApiError> {
    let problem = match choice {
        ToolChoice::Named(name) if !functions.iter().any(|function| function.name == *name) => "names no function",
        ToolChoice::Required if functions.is_empty() => "is “required”, but there are no functions",
        _ => return Ok(()),
    };
    Err(ApiError::bad_field(param, format!("“{param}” {problem}.")))
}

fn parameters_at(place: &str, index: usize) -> String {
    let between = if place == "tools" { ".function" } else { "" };
    format!("{place}[{index}]{between}.parameters")
}

/// The schema of JSON for which nothing else is said.
fn own_schema() -> SchemaNode {
    let object = |properties: &[(&str, ValueType)]| {
        let property = |(name, kind): &(&str, ValueType)| {
            let is_required = *name != "grams";
            SchemaProperty { is_required, ..SchemaProperty::required((*name).to_owned(), SchemaNode::of_type(*kind)) }
        };
        SchemaNode { properties: properties.iter().map(property).collect(), ..SchemaNode::of_type(ValueType::Object) }
    };
    let macros = [
        ("calories", ValueType::Number),
        ("protein", ValueType::Number),
        ("carbs", ValueType::Number),
        ("fat", ValueType::Number),
    ];
    let amount = [
        ("name", ValueType::String),
        ("quantity", ValueType::Number),
        ("unit", ValueType::String),
        ("grams", ValueType::Number),
    ];
    let item = object(&[amount, macros].concat());
    let items = SchemaNode { items: Some(Box::new(item)), ..SchemaNode::of_type(ValueType::Array) };
    let properties = [("items", items), ("totals", object(&macros))];
    let properties = properties.map(|(name, node)| SchemaProperty::required(name.to_owned(), node));
    SchemaNode { properties: properties.into(), ..SchemaNode::of_type(ValueType::Object) }
}

fn written(value: &Filled) -> Result<String, ApiError> {
    serde_json::to_string(value).map_err(ApiError::internal)
}
