//! Completions as their clients read them, whole and in pieces.

use std::fmt::Write as _;

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
    /// The model, as the request named it.
    pub model: String,
    /// The version of the engine.
    pub fingerprint: String,
}

/// A whole response.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChatCompletion<'a> {
    id: &'a str,
    object: &'static str,
    created: i64,
    model: &'a str,
    choices: Vec<CompletionChoice<'a>>,
    usage: CompletionUsage,
    system_fingerprint: &'a str,
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

/// Writes the whole response.
pub fn whole(
    head: &CompletionHead,
    answer: &ChatAnswer,
    choices: u32,
    usage: CompletionUsage,
) -> Result<Vec<u8>, ApiError> {
    let message = message(head, answer);
    let choice =
        |index| CompletionChoice { index, message: message.clone(), logprobs: (), finish_reason: finish(answer) };
    let completion = ChatCompletion {
        id: &head.id,
        object: "chat.completion",
        created: head.created,
        model: &head.model,
        choices: (0..choices).map(choice).collect(),
        usage,
        system_fingerprint: &head.fingerprint,
    };
    serde_json::to_vec(&completion).map_err(ApiError::internal)
}

fn message<'a>(head: &CompletionHead, answer: &'a ChatAnswer) -> CompletionMessage<'a> {
    let empty = CompletionMessage { role: "assistant", ..CompletionMessage::default() };
    match answer {
        ChatAnswer::Text(text) => CompletionMessage { content: Some(text), ..empty },
        ChatAnswer::ToolCalls(calls) => {
            let call = |(index, call): (usize, &'a FunctionCall)| CompletionCall {
                index: None,
                id: Some(call_id(head, index)),
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

fn call_id(head: &CompletionHead, index: usize) -> String {
    format!("call_{}_{index}", head.id.rsplit('-').next().unwrap_or(&head.id))
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
    /// Only if it is requested: `null` before the last piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Option<CompletionUsage>>,
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
pub fn pieces(
    head: &CompletionHead,
    answer: &ChatAnswer,
    choices: u32,
    usage: Option<CompletionUsage>,
) -> Result<String, ApiError> {
    let mut stream = String::new();
    let has_usage = usage.is_some();
    let mut send = |choices: Vec<ChunkChoice<'_>>, usage: Option<CompletionUsage>| {
        let chunk = ChatChunk {
            id: &head.id,
            object: "chat.completion.chunk",
            created: head.created,
            model: &head.model,
            system_fingerprint: &head.fingerprint,
            choices,
            usage: has_usage.then_some(usage),
        };
        let data = serde_json::to_string(&chunk).map_err(ApiError::internal)?;
        // Writing to a string does not fail.
        let _ = write!(stream, "data: {data}\n\n");
        Ok::<_, ApiError>(())
    };
    for index in 0..choices {
        for delta in deltas(head, answer) {
            send(vec![ChunkChoice { index, delta, logprobs: (), finish_reason: None }], None)?;
        }
        let last =
            ChunkChoice { index, delta: ChunkDelta::default(), logprobs: (), finish_reason: Some(finish(answer)) };
        send(vec![last], None)?;
    }
    if usage.is_some() {
        send(Vec::new(), usage)?;
    }
    stream.push_str("data: [DONE]\n\n");
    Ok(stream)
}

/// Returns what the pieces add to the message, one after the other.
fn deltas<'a>(head: &CompletionHead, answer: &'a ChatAnswer) -> Vec<ChunkDelta<'a>> {
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
                deltas.push(of_call(Some(call_id(head, index)), Some(call.name.as_str()), ""));
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
