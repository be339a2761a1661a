//! `POST /v1/estimate/batch`: many meals in one request, each with a result or an error of its own.

use std::sync::Arc;
use std::vec;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{ChatMessage, CheckedBody, EstimateBody};
use super::content::MAX_IMAGES;
use super::include::{Extra, Include};
use super::meal_csv::{self, MealColumns};
use super::request::{EstimateRequest, Requester, include_in_query};
use super::rows::EstimateAnswer;
use super::stream::one_more_stream;
use super::sync;
use crate::api::json;
use crate::api::response::{X_ENGINE_VERSION, engine_version};
use crate::app::App;
use crate::budget::Reservation;
use crate::error::{ApiError, ErrorBody};
use crate::guard::{Caller, CountedInputs};
use crate::query::Query;
use crate::request_body::{MAX_WITH_PHOTOS, RequestBody};

/// Inputs of one request.
pub const MAX_INPUTS: usize = 100;
const MAX_ID_CHARS: usize = 200;
/// Largest body that is a table: a hundred of the longest texts, and room for other columns.
const MAX_TABLE: usize = 4 << 20;
const NDJSON: &str = "application/x-ndjson";
const CSV: &str = "text/csv";

/// Many meals.
#[derive(Debug, Deserialize, ToSchema)]
pub struct BatchBody {
    /// 1 to 100 meals. Each counts as a request of its own.
    #[serde(deserialize_with = "json::objects::<_, _, MAX_INPUTS>")]
    #[schema(min_items = 1, max_items = 100)]
    inputs: Vec<BatchInput>,
    /// What to show beyond the usual fields.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Extra>>, required = false)]
    include: Include,
    /// The language of the texts. By default it is detected for each.
    #[serde(default)]
    #[schema(max_length = 35)]
    language: Option<String>,
}

/// One of many meals: a text, or messages as in a request for one estimate.
#[derive(Debug, Deserialize, ToSchema)]
pub struct BatchInput {
    /// Returned with the result; by default the number of the input, counted from 1.
    #[schema(max_length = 200)]
    id: Option<String>,
    /// What was eaten.
    #[schema(max_length = 8_000)]
    text: Option<String>,
    /// Instead of `text`: the messages of a conversation. All inputs together may have 5 images.
    #[serde(default, deserialize_with = "json::optional_objects::<_, _, { meal::MAX_MESSAGES }>")]
    #[schema(value_type = Option<Vec<ChatMessage>>, max_items = 50)]
    messages: Option<Vec<ChatMessage>>,
}

/// The results of a batch.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchAnswer {
    /// One for each input, in their order.
    pub results: Vec<BatchResult>,
}

/// What became of an input.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchResult {
    /// The id of the input.
    pub id: String,
    /// The status that a request for this input alone would get.
    pub status: u16,
    /// The estimate or the error.
    #[serde(flatten)]
    pub outcome: BatchOutcome,
}

/// An estimate, if the status is 200, or else an error.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum BatchOutcome {
    /// The items and totals.
    Estimate(EstimateAnswer),
    /// Why there are none.
    Failure {
        /// What is wrong with the input.
        error: BatchError,
    },
}

/// What is wrong with an input.
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchError {
    /// A sentence that a person can act on.
    pub error: String,
    /// Stable name of the error.
    pub code: &'static str,
    /// The field at fault, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
}

/// Estimate many meals
///
/// Up to 100 texts or conversations; each counts against the rate limit. An input that is invalid, or for which the limit does
/// not suffice, gets an error of its own. With `Accept: application/x-ndjson` every result is a line, sent as soon as it is
/// known. A body of type `text/csv` has a row for each meal, in the column `text` (or the one that the parameter `column`
/// names), optionally with the columns `amount` and `unit`; the response is the same table with the columns of the estimate.
#[utoipa::path(post, path = "/v1/estimate/batch", operation_id = "estimate_batch", tag = "estimates", request_body = BatchBody, params(
    ("include" = Option<String>, Query, description = "What to show beyond the usual fields, separated by commas; the same as `include` in the body"),
    ("column" = Option<String>, Query, description = "With CSV: the column that has the meal"),
    ("language" = Option<String>, Query, description = "With CSV: the language of the texts. By default it is detected for each"),
), responses(
    (status = 200, description = "A result or an error for each input, in their order", body = BatchAnswer),
    (status = 400, description = "The body is invalid", body = ErrorBody),
))]
pub async fn estimate(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    let (head, unread) = request.into_parts();
    let is_table = is(&head.headers, &header::CONTENT_TYPE, CSV);
    let limit = if is_table { MAX_TABLE } else { MAX_WITH_PHOTOS };
    let received = RequestBody::read(&app, Some(&caller.account.id), unread, limit).await?;
    if is_table {
        return table(app, caller, head, received).await;
    }
    let in_query = include_in_query(&head)?;
    let (inputs, include, memory) =
        read_in_turn(&app, &caller, received, |bytes| json::read::<BatchBody>(bytes)?.check()).await?;
    let wants_lines = is(&head.headers, &header::ACCEPT, NDJSON);
    let batch = Batch::new(app, caller, head, inputs, include.and(in_query), memory).await;
    if wants_lines { batch.lines() } else { batch.answer().await }
}

/// Reads a body, a large one where it holds up no async thread. Returns what was read, and the memory that it takes.
async fn read_in_turn<I: Send + 'static>(
    app: &App,
    caller: &Caller,
    received: RequestBody,
    read: impl FnOnce(&[u8]) -> Result<(I, Include), ApiError> + Send + 'static,
) -> Result<(I, Include, Reservation), ApiError> {
    let (is_large, bytes) = (received.is_large(), received.bytes.clone());
    let memory = received.into_memory();
    let read = move || read(&bytes);
    let (inputs, include) = if is_large { app.photos.try_run(&caller.account.id, read).await? } else { read()? };
    Ok((inputs, include, memory))
}

/// Reports whether a header has a media type.
fn is(headers: &HeaderMap, name: &header::HeaderName, kind: &str) -> bool {
    let value = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(',').any(|entry| entry.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(kind))
}

/// An input, checked: a meal, or what is wrong with it.
struct Input {
    id: String,
    meal: Result<CheckedBody, ApiError>,
}

impl BatchInput {
    /// Checks an input by itself, so that a mistake in one does not cost the others.
    fn check(self, at: usize, language: Option<&str>) -> Input {
        let path = format!("inputs[{at}]");
        let Self { id, text, messages } = self;
        let body = match (text, messages) {
            (Some(text), None) => EstimateBody::of_text(text).check(),
            (None, Some(messages)) => EstimateBody::of_messages(messages).check(),
            _ => Err(ApiError::bad_request("invalid_request", "An input must have either “text” or “messages”.")),
        };
        let is_long = id.as_ref().is_some_and(|id| id.chars().count() > MAX_ID_CHARS);
        let problem = format!("“id” may have at most {MAX_ID_CHARS} characters.");
        let body = if is_long { Err(ApiError::bad_field("id", problem)) } else { body };
        let meal = body.map(|body| CheckedBody { language: language.map(str::to_owned), ..body });
        let meal = meal.map_err(|error| {
            let param = error.param.as_ref().map_or_else(|| path.clone(), |param| format!("{path}.{param}"));
            error.of(param)
        });
        let id = id.filter(|_| !is_long).unwrap_or_else(|| (at + 1).to_string());
        Input { id, meal }
    }
}

impl BatchBody {
    /// Checks every input, and that all together are no more work than a request may be: a photo takes a thousand times as
    /// long as a text.
    fn check(self) -> Result<(Vec<Input>, Include), ApiError> {
        let language = self.language.as_deref();
        let inputs = self.inputs.into_iter().enumerate().map(|(at, input)| input.check(at, language));
        let inputs: Vec<Input> = inputs.collect();
        if inputs.is_empty() {
            return Err(ApiError::bad_field("inputs", "“inputs” must have at least one entry."));
        }
        let images: usize = inputs.iter().flat_map(|input| &input.meal).map(CheckedBody::image_count).sum();
        if images > MAX_IMAGES {
            let message = format!("All inputs together may have at most {MAX_IMAGES} images.");
            return Err(ApiError::bad_field("inputs", message));
        }
        Ok((inputs, self.include))
    }
}

/// A batch under way.
struct Batch {
    app: Arc<App>,
    caller: Caller,
    head: Parts,
    include: Include,
    version: HeaderValue,
    inputs: vec::IntoIter<Input>,
    counted: CountedInputs,
    /// Held until the last input is estimated: until then they are in memory.
    _memory: Reservation,
}

impl Batch {
    async fn new(
        app: Arc<App>,
        caller: Caller,
        head: Parts,
        inputs: Vec<Input>,
        include: Include,
        memory: Reservation,
    ) -> Self {
        let version = engine_version(&app.engine.snapshot().version);
        let counted = CountedInputs::take(&app, &caller, inputs.len()).await;
        Self { app, caller, head, include, version, inputs: inputs.into_iter(), counted, _memory: memory }
    }

    /// Estimates the next input.
    async fn next(&mut self) -> Option<BatchResult> {
        let Input { id, meal } = self.inputs.next()?;
        let left_over = self.inputs.len();
        let outcome = match meal {
            Ok(meal) => match self.counted.refusal(left_over, self.app.now()) {
                Some(refusal) => Err(refusal),
                None => self.estimate(meal).await,
            },
            Err(error) => Err(error),
        };
        Some(match outcome {
            Ok(answer) => BatchResult { id, status: 200, outcome: BatchOutcome::Estimate(answer) },
            Err(error) => {
                if let Some(cause) = &error.cause {
                    tracing::error!(code = error.code, cause, "an input of a batch failed");
                }
                let ApiError { status, code, message, param, .. } = error;
                let error = BatchError { error: message, code, param };
                BatchResult { id, status: status.as_u16(), outcome: BatchOutcome::Failure { error } }
            }
        })
    }

    async fn estimate(&self, mut meal: CheckedBody) -> Result<EstimateAnswer, ApiError> {
        meal.include = self.include;
        let requester = Requester::of(&self.app, &self.caller).await?;
        let request = EstimateRequest::from_checked(&self.app, requester, &self.head, meal).await?;
        sync::answer(&self.app, &Arc::new(request)).await
    }

    /// Returns all results in one object.
    async fn answer(mut self) -> Result<Response, ApiError> {
        let mut results = Vec::with_capacity(self.inputs.len());
        while let Some(result) = self.next().await {
            results.push(result);
        }
        let body = serde_json::to_vec(&BatchAnswer { results }).map_err(ApiError::internal)?;
        Ok(self.respond("application/json", body.into()))
    }

    /// Returns a line for each result. The next input is estimated when the client has taken the line before.
    fn lines(self) -> Result<Response, ApiError> {
        let stream = one_more_stream(&self.app, &self.caller.account.id)?;
        let (version, counted) = (self.version.clone(), self.counted.clone());
        let lines = stream::unfold((self, stream), async |(mut batch, stream)| {
            let app = Arc::clone(&batch.app);
            let result = tokio::select! {
                result = batch.next() => result?,
                () = app.cut_off() => return None,
            };
            let mut line = serde_json::to_vec(&result).unwrap_or_default();
            line.push(b'\n');
            Some((line, (batch, stream)))
        });
        let mut response = respond(version, NDJSON, Body::from_stream(lines.map(Ok::<_, std::convert::Infallible>)));
        response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
        response.extensions_mut().insert(counted);
        Ok(response)
    }

    fn respond(self, kind: &'static str, body: Body) -> Response {
        let mut response = respond(self.version, kind, body);
        response.extensions_mut().insert(self.counted);
        response
    }
}

fn respond(version: HeaderValue, kind: &'static str, body: Body) -> Response {
    let mut response = body.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(X_ENGINE_VERSION, version);
    response
}

/// Estimates the rows of a table.
async fn table(app: Arc<App>, caller: Caller, head: Parts, received: RequestBody) -> Result<Response, ApiError> {
    let query = Query::of(&head.uri);
    let column = query.get("column").unwrap_or_else(|| meal_csv::TEXT_COLUMN.to_owned());
    let language = query.get("language");
    let read = move |bytes: &[u8]| MealTable::read(bytes, &column, language.as_deref());
    let (table, include, memory) = read_in_turn(&app, &caller, received, read).await?;
    let MealTable { columns, rows, inputs } = table;
    let mut batch = Batch::new(app, caller, head, inputs, include, memory).await;
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&columns.output_names()).map_err(ApiError::internal)?;
    for row in &rows {
        let Some(result) = batch.next().await else { break };
        let outcome = match &result.outcome {
            BatchOutcome::Estimate(answer) => Ok(answer),
            BatchOutcome::Failure { error } => Err(error.error.as_str()),
        };
        writer.write_record(&meal_csv::output_row(&columns, row, outcome)).map_err(ApiError::internal)?;
    }
    let body = writer.into_inner().map_err(ApiError::internal)?;
    Ok(batch.respond("text/csv; charset=utf-8", body.into()))
}

/// A table with a meal in every row.
struct MealTable {
    columns: MealColumns,
    rows: Vec<csv::StringRecord>,
    inputs: Vec<Input>,
}

impl MealTable {
    /// Reads a table, and returns what its estimates show.
    fn read(bytes: &[u8], column: &str, language: Option<&str>) -> Result<(Self, Include), ApiError> {
        let refused = |problem: String| ApiError::bad_request("invalid_csv", problem);
        let malformed = |error: csv::Error| refused(csv_problem(&error));
        let mut reader = meal_csv::reader(bytes);
        let names = reader.byte_headers().map_err(malformed)?;
        let columns = MealColumns::find(meal_csv::text_row(names), column).map_err(refused)?;
        let (mut rows, mut inputs) = (Vec::new(), Vec::new());
        for row in reader.byte_records() {
            if rows.len() == MAX_INPUTS {
                return Err(refused(format!("The table may have at most {MAX_INPUTS} rows.")));
            }
            let row = meal_csv::text_row(&row.map_err(malformed)?);
            let meal = columns.meal_of(&row).map_err(|problem| ApiError::bad_request("invalid_request", problem));
            let language = language.map(str::to_owned);
            let meal = meal.map(|meal| CheckedBody { language, ..CheckedBody::from_text(meal) });
            inputs.push(Input { id: String::new(), meal });
            rows.push(row);
        }
        Ok((Self { columns, rows, inputs }, Include::of([Extra::Unresolved])))
    }
}

/// Says where a table cannot be read, never what is there.
fn csv_problem(error: &csv::Error) -> String {
    let line = error.position().map_or(0, csv::Position::line);
    format!("The table cannot be read at line {line}.")
}
