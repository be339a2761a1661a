//! Completions as their clients read them, whole and in pieces.

use std::fmt::Write as _;

use bytes::Bytes;
use foods::hash::fnv1a;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::{ChatAnswer, FunctionCall};
use crate::error::ApiError;

/// Characters that count as a token: there is no tokenizer, and clients only show the numbers.
const CHARACTERS_PER_TOKEN: usize = 4;
/// Characters of a piece of a stream.
const PIECE: usize = 160;

/// What the response and its pieces have in common.
#[derive(Debug)]
pub struct CompletionHead {
    /// The id of the response.
    pub id: String,
    /// When it was made, in seconds.
    pub created: i64,
}

/// What the same request always gets.
#[derive(Debug, Serialize)]
struct CompletionRest<'a> {
    model: &'a str,
    choices: Vec<CompletionChoice<'a>>,
    usage: CompletionUsage,
    system_fingerprint: &'a str,
}

/// What a response says.
#[derive(Clone, Copy, Debug)]
pub struct CompletionContent<'a> {
    /// The model, as the request named it.
    pub model: &'a str,
    /// The version of the engine.
    pub fingerprint: &'a str,
    /// The answer.
    pub answer: &'a ChatAnswer,
    /// How many times it is given.
    pub choices: u32,
    /// How long request and response are.
    pub usage: CompletionUsage,
}

/// A whole response, as it is documented; it is written in two parts, the second of which is cached.
#[derive(Debug, ToSchema)]
#[expect(missing_docs, reason = "the names are those of the protocol")]
pub struct ChatCompletion<'a> {
    pub id: &'a str,
    pub object: &'a str,
    pub created: i64,
    pub model: &'a str,
    pub choices: Vec<CompletionChoice<'a>>,
    pub usage: CompletionUsage,
    pub system_fingerprint: &'a str,
}

/// One of the answers of a response; all are the same.
#[derive(Debug, Serialize, ToSchema)]
pub struct CompletionChoice<'a> {
    index: u32,
    message: CompletionMessage<'a>,
    #[schema(value_type = Option<Object>)]
    logprobs: (),
    finish_reason: &'static str,
}

/// The message of an answer.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct CompletionMessage<'a> {
    role: &'static str,
    content: Option<&'a str>,
    #[schema(value_type = Option<String>)]
    refusal: (),
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<Vec<CompletionCall<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_call: Option<CalledFunction<'a>>,
}

/// A call of a tool.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CompletionCall<'a> {
    /// Only in pieces: the position of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    function: CalledFunction<'a>,
}

/// The function that is called.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CalledFunction<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    /// JSON, as a text.
    arguments: &'a str,
}

/// How long request and response are, in tokens of four characters.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names are those of the protocol")]
pub struct CompletionUsage {
    prompt_tokens: usize,
    completion_tokens: usize,
    total_tokens: usize,
}

impl CompletionUsage {
    /// Counts the characters of the messages and of the answers.
    pub fn new(prompt_characters: usize, answer: &ChatAnswer, choices: u32) -> Self {
        let characters = match answer {
            ChatAnswer::Text(text) => text.chars().count(),
            ChatAnswer::ToolCalls(calls) => calls.iter().map(|call| call.arguments.chars().count()).sum(),
            ChatAnswer::FunctionCall(call) => call.arguments.chars().count(),
        };
        let prompt_tokens = prompt_characters.div_ceil(CHARACTERS_PER_TOKEN);
        let completion_tokens = characters.div_ceil(CHARACTERS_PER_TOKEN) * choices as usize;
        Self { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
    }
}

/// Writes what the same request always gets; [`whole`] puts the rest before it.
pub fn rest(content: &CompletionContent<'_>) -> Result<Bytes, ApiError> {
    let CompletionContent { model, fingerprint, answer, choices, usage } = *content;
    let message = message(answer);
    let choice =
        |index| CompletionChoice { index, message: message.clone(), logprobs: (), finish_reason: finish(answer) };
    let choices = (0..choices).map(choice).collect();
    let rest = CompletionRest { model, choices, usage, system_fingerprint: fingerprint };
    serde_json::to_vec(&rest).map(Bytes::from).map_err(ApiError::internal)
}

/// Writes the whole response.
pub fn whole(head: &CompletionHead, rest: &[u8]) -> Bytes {
    let CompletionHead { id, created } = head;
    let start = format!(r#"{{"id":"{id}","object":"chat.completion","created":{created},"#);
    // Of the object, all but its opening brace.
    [start.as_bytes(), &rest[1..]].concat().into()
}

fn message<'a>(answer: &'a ChatAnswer) -> CompletionMessage<'a> {
    let empty = CompletionMessage { role: "assistant", ..CompletionMessage::default() };
    match answer {
        ChatAnswer::Text(text) => CompletionMessage { content: Some(text), ..empty },
        ChatAnswer::ToolCalls(calls) => {
            let call = |(index, call): (usize, &'a FunctionCall)| CompletionCall {
                index: None,
                id: Some(call_id(call, index)),
                kind: Some("function"),
                function: called(call),
            };
            CompletionMessage { tool_calls: Some(calls.iter().enumerate().map(call).collect()), ..empty }
        }
        ChatAnswer::FunctionCall(call) => CompletionMessage { function_call: Some(called(call)), ..empty },
    }
}

fn called(call: &FunctionCall) -> CalledFunction<'_> {
    CalledFunction { name: Some(&call.name), arguments: &call.arguments }
}

/// Returns an id that the same call always has.
fn call_id(call: &FunctionCall, index: usize) -> String {
    format!("call_{:016x}{index:04x}", fnv1a(call.arguments.as_bytes()))
}

fn finish(answer: &ChatAnswer) -> &'static str {
    match answer {
        ChatAnswer::Text(_) => "stop",
        ChatAnswer::ToolCalls(_) => "tool_calls",
        ChatAnswer::FunctionCall(_) => "function_call",
    }
}

/// A piece of a response.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChatChunk<'a> {
    id: &'a str,
    object: &'static str,
    created: i64,
    model: &'a str,
    system_fingerprint: &'a str,
    choices: Vec<ChunkChoice<'a>>,
    #[serde(skip_serializing_if = "ChunkUsage::is_unwanted")]
    usage: ChunkUsage,
}

/// The usage in a piece: absent unless it is requested, and `null` before the last piece.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ChunkUsage {
    /// It is not requested.
    Unwanted,
    /// It follows.
    Pending,
    /// The usage.
    Known(CompletionUsage),
}

impl ChunkUsage {
    fn is_unwanted(&self) -> bool {
        matches!(self, Self::Unwanted)
    }
}

/// What a piece adds to an answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChunkChoice<'a> {
    index: u32,
    delta: ChunkDelta<'a>,
    #[schema(value_type = Option<Object>)]
    logprobs: (),
    finish_reason: Option<&'static str>,
}

/// What a piece adds to the message.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct ChunkDelta<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<Vec<CompletionCall<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_call: Option<CalledFunction<'a>>,
}

/// Writes the response as a stream of events. It is complete: a meal is estimated faster than the first piece is sent.
pub fn pieces(head: &CompletionHead, content: &CompletionContent<'_>, has_usage: bool) -> Result<String, ApiError> {
    let CompletionContent { model, fingerprint, answer, choices, usage } = *content;
    let mut stream = String::new();
    let pending = if has_usage { ChunkUsage::Pending } else { ChunkUsage::Unwanted };
    let mut send = |choices: Vec<ChunkChoice<'_>>, usage: ChunkUsage| {
        let chunk = ChatChunk {
            id: &head.id,
            object: "chat.completion.chunk",
            created: head.created,
            model,
            system_fingerprint: fingerprint,
            choices,
            usage,
        };
        let data = serde_json::to_string(&chunk).map_err(ApiError::internal)?;
        // Writing to a string does not fail.
        let _ = write!(stream, "data: {data}\n\n");
        Ok::<_, ApiError>(())
    };
    for index in 0..choices {
        for delta in deltas(answer) {
            send(vec![ChunkChoice { index, delta, logprobs: (), finish_reason: None }], pending)?;
        }
        let last =
            ChunkChoice { index, delta: ChunkDelta::default(), logprobs: (), finish_reason: Some(finish(answer)) };
        send(vec![last], pending)?;
    }
    if has_usage {
        send(Vec::new(), ChunkUsage::Known(usage))?;
    }
    stream.push_str("data: [DONE]\n\n");
    Ok(stream)
}

/// Returns what the pieces add to the message, one after the other.
fn deltas(answer: &ChatAnswer) -> Vec<ChunkDelta<'_>> {
    let mut deltas = vec![ChunkDelta { role: Some("assistant"), ..ChunkDelta::default() }];
    match answer {
        ChatAnswer::Text(text) => {
            deltas[0].content = Some("");
            let content = |piece| ChunkDelta { content: Some(piece), ..ChunkDelta::default() };
            deltas.extend(cut(text).into_iter().map(content));
        }
        ChatAnswer::FunctionCall(call) => {
            let function = |name, arguments| {
                let function_call = Some(CalledFunction { name, arguments });
                ChunkDelta { function_call, ..ChunkDelta::default() }
            };
            deltas.push(function(Some(call.name.as_str()), ""));
            deltas.extend(cut(&call.arguments).into_iter().map(|piece| function(None, piece)));
        }
        ChatAnswer::ToolCalls(calls) => {
            for (index, call) in calls.iter().enumerate() {
                let of_call = |id: Option<String>, name, arguments| {
                    let kind = id.is_some().then_some("function");
                    let call =
                        CompletionCall { index: Some(index), id, kind, function: CalledFunction { name, arguments } };
                    ChunkDelta { tool_calls: Some(vec![call]), ..ChunkDelta::default() }
                };
                deltas.push(of_call(Some(call_id(call, index)), Some(call.name.as_str()), ""));
                deltas.extend(cut(&call.arguments).into_iter().map(|piece| of_call(None, None, piece)));
            }
        }
    }
    deltas
}

/// Cuts a text into pieces of about the same length.
fn cut(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.char_indices().nth(PIECE).map_or(rest.len(), |(end, _)| end);
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}
