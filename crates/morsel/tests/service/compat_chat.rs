//! Chat completions: requests as their clients send them, and the fields that those read.

use serde_json::{Value, json};

use crate::harness::{Reply, Service};
use crate::images::png;
use crate::model::{self, Manner};
use test_support::on_sqlite;

pub const PATH: &str = "/v1/chat/completions";

/// Asks, and returns the message of the answer.
async fn message(service: &Service, body: Value) -> Value {
    let answer = service.post(PATH, body).send().await.ok();
    assert_eq!(answer["object"], "chat.completion", "{answer}");
    answer["choices"][0]["message"].clone()
}

/// The arguments of the only call.
#[track_caller]
fn arguments(message: &Value) -> Value {
    let calls = message["tool_calls"].as_array().unwrap_or_else(|| panic!("no call: {message}"));
    assert_eq!((calls.len(), &calls[0]["type"]), (1, &json!("function")), "{message}");
    assert!(message["content"].is_null());
    parsed(&calls[0]["function"]["arguments"])
}

#[track_caller]
fn parsed(text: &Value) -> Value {
    let text = text.as_str().unwrap_or_else(|| panic!("not a text: {text}"));
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What OpenNutriTracker sends to "a server you run".
#[allow(clippy::needless_pass_by_value, reason = "so that a call reads well")]
fn open_nutri_tracker(content: Value, tool_choice: Value) -> Value {
    let item = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Food name only, no amount, in the user's language."},
            "quantity": {"type": "number", "description": "Only if the user stated an amount."},
            "unit": {"type": "string", "enum": ["g", "kg", "lb", "ml", "l", "g/ml", "oz", "fl.oz", "serving"]},
            "portion": {"type": "string"},
        },
        "required": ["query"],
        "additionalProperties": false,
    });
    let parameters = json!({"type": "object", "properties": {"items": {"type": "array", "items": item}},
        "required": ["items"], "additionalProperties": false});
    json!({
        "model": "morsel", "max_tokens": 1024, "tool_choice": tool_choice,
        "messages": [
            {"role": "system", "content": "You extract food items from a meal description so they can be looked up in a food database."},
            {"role": "user", "content": content},
        ],
        "tools": [{"type": "function", "function": {"name": "log_meal_items",
            "description": "Record the food items found.", "parameters": parameters}}],
    })
}

#[tokio::test]
async fn open_nutri_tracker_gets_foods_with_amounts_in_its_units() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let named = json!({"type": "function", "function": {"name": "log_meal_items"}});
        for choice in [named, json!("required"), json!("auto"), Value::Null] {
            let body = open_nutri_tracker(json!("2 eggs, 100g toast, black coffee"), choice);
            let message = message(&service, body).await;
            assert_eq!(message["tool_calls"][0]["function"]["name"], "log_meal_items");
            let items = arguments(&message)["items"].as_array().cloned().expect("items");
            assert_eq!(items.len(), 3, "{items:?}");
            assert_eq!(items[0]["query"], "Whole egg", "a name that can be searched");
            assert_eq!((&items[0]["quantity"], &items[0]["unit"]), (&json!(100), &json!("g")), "2 eggs are not 2 g");
            assert_eq!((&items[1]["quantity"], &items[1]["unit"]), (&json!(100), &json!("g")));
            assert_eq!(items[0].get("portion"), None, "the unit says it");
        }
        let body =
            open_nutri_tracker(json!("half a liter of milk, 2 kg potatoes, 8 fl oz orange juice"), json!("auto"));
        let items = arguments(&message(&service, body).await)["items"].clone();
        let amounts: Vec<(f64, &str)> = items.as_array().expect("items").iter().map(amount).collect();
        assert_eq!(amounts, [(0.5, "l"), (2.0, "kg"), (8.0, "fl.oz")], "{items}");
    })
    .await;
}

fn amount(item: &Value) -> (f64, &str) {
    (item["quantity"].as_f64().expect("a number"), item["unit"].as_str().expect("a unit"))
}

#[tokio::test]
async fn open_nutri_tracker_gets_the_foods_of_a_photo() {
    on_sqlite(async |database| {
        let (address, _model) = model::start(Manner::Right).await;
        let service = Service::with(database, model::settings(address)).await;
        let image = json!({"type": "image_url", "image_url": {"url": png(200, 150), "detail": "auto"}});
        let content = json!([{"type": "text", "text": "List the foods in this photo."}, image]);
        let items =
            arguments(&message(&service, open_nutri_tracker(content, json!("required"))).await)["items"].clone();
        assert_eq!(items.as_array().map(Vec::len), Some(2), "{items}");
        assert_eq!((&items[0]["quantity"], &items[0]["unit"]), (&json!(100), &json!("g")), "{items}");
    })
    .await;
}

/// The row of a food as SparkyFitness asks for it, shortened.
fn sparky_schema() -> Value {
    let numbers = ["calories_kcal", "protein_g", "carbs_g", "fat_g", "fiber_g", "sugar_g"];
    let more = ["estimated_grams", "saturated_fat_g", "sodium_mg", "vitamin_c_mg"];
    let level = json!({"type": "string", "enum": ["high", "medium", "low"]});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let mut row = json!({"name": {"type": "string"}, "canonical_name": {"type": "string"},
        "portion_description": {"type": "string"}, "preparation": {"type": "string"}, "item_confidence": level, "assumptions": texts});
    let mut totals = json!({"total_grams": {"type": "number"}});
    for name in numbers {
        row[name] = json!({"type": "number"});
        totals[name] = json!({"type": "number"});
    }
    for name in more {
        row[name] = json!({"type": "number"});
    }
    let object = |properties: Value| {
        let required: Vec<String> = properties.as_object().expect("properties").keys().cloned().collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    object(
        json!({"meal_summary": {"type": "string"}, "overall_confidence": level, "confidence_reason": {"type": "string"},
        "items": {"type": "array", "items": object(row)}, "totals": object(totals),
        "user_weight_reconciliation": {"type": "string"}, "clarifying_questions": texts}),
    )
}

fn sparky_fitness(description: &str, weight: &str) -> Value {
    let prompt = format!(
        "You are a nutrition estimation assistant. Analyze the meal photo and return\nstructured nutrition data.\n\n\
         User description (optional): \"{description}\"\n\nUser-provided total weight (optional): \"{weight}\"\n\nRules:\n\n  \
         - Break mixed dishes into component ingredients when reasonable (e.g. a\n    burrito → tortilla, rice, beans)."
    );
    let content = json!([{"type": "text", "text": prompt}, {"type": "image_url", "image_url": {"url": png(64, 64)}}]);
    json!({"model": "gpt-4o", "messages": [{"role": "user", "content": content}], "temperature": 0.2,
        "response_format": {"type": "json_schema",
            "json_schema": {"name": "food_photo_estimate", "strict": true, "schema": sparky_schema()}}})
}

#[tokio::test]
async fn sparky_fitness_gets_every_field_of_its_schema() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let reply = message(&service, sparky_fitness("two eggs and a banana", "")).await;
        let estimate = parsed(&reply["content"]);
        let own = service.estimate("two eggs and a banana").await;
        let items = estimate["items"].as_array().expect("items");
        assert_eq!(items.len(), 2, "burritos are only in the prompt: {estimate}");
        for (item, own) in items.iter().zip(own["items"].as_array().expect("items")) {
            assert_eq!((&item["name"], &item["protein_g"]), (&own["name"], &own["protein"]));
            assert_eq!(item["calories_kcal"].as_f64(), own["calories"].as_f64());
            assert!(item["estimated_grams"].as_f64() > Some(30.0) && item["sodium_mg"].as_f64().is_some(), "{item}");
            assert_eq!((&item["preparation"], &item["assumptions"]), (&json!(""), &json!([])));
            assert_eq!(item.as_object().map(serde_json::Map::len), Some(16), "{item}");
        }
        assert_eq!(
            (&items[0]["canonical_name"], &items[0]["portion_description"]),
            (&json!("Whole egg"), &json!("2 eggs"))
        );
        assert_eq!(estimate["totals"]["calories_kcal"].as_f64(), own["totals"]["calories"].as_f64());
        assert_eq!(estimate["overall_confidence"], "medium");
        assert_eq!(estimate["clarifying_questions"], json!([]));
        let weighed = parsed(
            &message(&service, sparky_fitness("two eggs and a banana", "16 oz (approximately 454 g)")).await["content"],
        );
        let ratio = 453.6 / estimate["totals"]["total_grams"].as_f64().expect("grams");
        assert!((weighed["totals"]["total_grams"].as_f64().expect("grams") - 453.6).abs() < 0.2, "{weighed}");
        let (calories, before) = (&weighed["totals"]["calories_kcal"], &estimate["totals"]["calories_kcal"]);
        assert!((calories.as_f64().expect("kcal") / before.as_f64().expect("kcal") - ratio).abs() < 0.02, "{weighed}");
        let nothing = parsed(&message(&service, sparky_fitness("", "")).await["content"]);
        assert_eq!((&nothing["items"], &nothing["totals"]["calories_kcal"]), (&json!([]), &json!(0)), "{nothing}");
        assert_eq!(nothing["overall_confidence"], "low");
    })
    .await;
}

#[tokio::test]
async fn prompts_with_an_example_are_answered_like_it() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let own = service.estimate("two eggs and a slice of toast").await;
        let calories = own["totals"]["calories"].as_f64();
        // fud-ai.
        let prompt = "Estimate the nutritional content for: two eggs and a slice of toast\n\
            Parse any quantities, brands, and multiple items from the text.\nRespond ONLY with JSON:\n\
            {\"name\":\"...\",\"calories\":0,\"protein\":0,\"carbs\":0,\"fat\":0,\"serving_size_grams\":0.0,\"emoji\":\"<single specific food emoji>\",\"sugar\":0.0,\"unit_options\":[]}\n\
            Calories/protein/carbs/fat are integers.";
        let flat = parsed(&message(&service, json!({"messages": [{"role": "user", "content": prompt}]})).await["content"]);
        assert_eq!(flat["calories"].as_f64(), calories, "{flat}");
        assert_eq!(flat["protein"].as_f64(), own["totals"]["protein"].as_f64().map(f64::round), "an integer, as in the example");
        assert!(flat["serving_size_grams"].as_f64() > Some(100.0) && flat["sugar"].as_f64().is_some());
        assert_eq!((&flat["emoji"], &flat["unit_options"]), (&json!(""), &json!([])), "nothing is invented");
        // Schautrack: the prompt is about a photo, the user only adds context.
        let prompt = |context: &str| {
            let text = format!("Analyze this food image. User provided context: \"{context}\".\nRespond with JSON only:\n\
                {{\"calories\": number, \"food\": \"name\", \"confidence\": \"high|medium|low\", \"macros\": {{\"protein\": number, \"carbs\": number, \"fat\": number}}}}\n\
                If there is no food, respond with {{\"calories\": 0, \"food\": \"No food detected\"}}");
            let image = json!({"type": "image_url", "image_url": {"url": png(64, 64)}});
            json!({"messages": [{"role": "user", "content": [{"type": "text", "text": text}, image]}], "response_format": {"type": "json_object"}})
        };
        let schau = parsed(&message(&service, prompt("two eggs and a slice of toast")).await["content"]);
        assert_eq!((schau["calories"].as_f64(), schau["macros"]["fat"].as_f64()), (calories, own["totals"]["fat"].as_f64()));
        let nothing = parsed(&message(&service, prompt("")).await["content"]);
        assert_eq!((&nothing["food"], &nothing["calories"]), (&json!("No food detected"), &json!(0)), "{nothing}");
        // The example is in the system's message, and the meal is the user's.
        let system = "Return ONLY a JSON array: [{\"name\": \"food name\", \"estimated_grams\": 150}]. If there is none: []";
        let list = json!([{"role": "system", "content": system}, {"role": "user", "content": "two eggs and a slice of toast"}]);
        let list = parsed(&message(&service, json!({"messages": list})).await["content"]);
        assert_eq!((list.as_array().map(Vec::len), &list[0]["estimated_grams"]), (Some(2), &json!(100)), "{list}");
    })
    .await;
}

#[tokio::test]
async fn home_assistant_gets_its_structure() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        // As pydantic and Home Assistant write schemas: definitions, alternatives, nulls.
        let food = json!({"type": "object", "additionalProperties": false, "title": "Food",
            "required": ["name", "calories", "protein", "brand", "meal_type", "unit", "amount"],
            "properties": {"name": {"title": "Name", "type": "string"}, "calories": {"type": "integer"},
                "protein": {"anyOf": [{"type": "number"}, {"type": "null"}]}, "brand": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "meal_type": {"type": "string", "enum": ["breakfast", "lunch", "other"]},
                "unit": {"$ref": "#/$defs/Unit"}, "amount": {"type": "number"}, "notes": {"type": "string"}}});
        let schema = json!({"type": "object", "required": ["food_items", "meal_type"], "additionalProperties": false,
            "properties": {"food_items": {"type": "array", "items": {"$ref": "#/$defs/Food"}},
                "meal_type": {"type": "string", "enum": ["breakfast", "lunch", "other"]}},
            "$defs": {"Food": food, "Unit": {"enum": ["cups", "pieces", "grams"], "type": "string"}}});
        let ask = |text: &str| json!({"messages": [{"role": "user", "content": text}], "response_format":
            {"type": "json_schema", "json_schema": {"name": "calories", "strict": true, "schema": schema}}});
        let answer = parsed(&message(&service, ask("two eggs and 1 cup of rice for breakfast")).await["content"]);
        let items = answer["food_items"].as_array().expect("items");
        assert_eq!(items.len(), 2, "{answer}");
        assert_eq!((&items[0]["calories"], &items[0]["protein"]), (&json!(143), &json!(12.4)));
        assert_eq!((&items[0]["amount"], &items[0]["unit"]), (&json!(100), &json!("grams")));
        assert_eq!((&items[1]["amount"], &items[1]["unit"]), (&json!(1), &json!("cups")));
        assert_eq!((&items[0]["brand"], items[0].get("notes")), (&Value::Null, None), "unknown: null or left out");
        assert_eq!(items[0]["meal_type"], "other", "unknown, and must be one of them");
        assert_eq!(answer["meal_type"], "breakfast", "the user said so");
    })
    .await;
}

#[tokio::test]
async fn without_a_schema_the_answer_is_text() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let ask = |text: &str| json!({"model": "gpt-4o-mini", "messages": [{"role": "user", "content": text}]});
        let whole = service.post(PATH, ask("two eggs and 100 g toast")).send().await.ok();
        assert_eq!((&whole["model"], &whole["choices"][0]["finish_reason"]), (&json!("gpt-4o-mini"), &json!("stop")));
        assert!(whole["id"].as_str().is_some_and(|id| id.starts_with("chatcmpl-")) && whole["created"].is_u64());
        let lines: Vec<&str> = whole["choices"][0]["message"]["content"].as_str().expect("text").lines().collect();
        assert_eq!(
            lines[0],
            "Whole egg, boiled or poached, 2 eggs (100 g): 143 kcal, 12.4 g protein, 1 g carbs, 10 g fat"
        );
        assert!(lines[1].contains(", 100 g: ") && lines[2].starts_with("Total: "), "{lines:?}");
        let usage = &whole["usage"];
        assert_eq!(
            usage["total_tokens"],
            usage["prompt_tokens"].as_u64().expect("a count") + usage["completion_tokens"].as_u64().expect("a count")
        );
        for text in ["What is the capital of France?", "thank you", "", "Write a poem about the sea."] {
            let content = message(&service, ask(text)).await["content"].clone();
            assert!(content.as_str().is_some_and(|said| said.starts_with("I found no food")), "{text}: {content}");
        }
        let json_object =
            json!({"messages": [{"role": "user", "content": "two eggs"}], "response_format": {"type": "json_object"}});
        let object = parsed(&message(&service, json_object).await["content"]);
        assert_eq!(
            (&object["items"][0]["grams"], &object["totals"]["calories"]),
            (&json!(100), &json!(143)),
            "{object}"
        );
    })
    .await;
}

#[tokio::test]
async fn what_is_not_food_calls_no_tool_unless_it_must() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        for choice in [json!("auto"), Value::Null, json!("none")] {
            let reply = message(&service, open_nutri_tracker(json!("How are you?"), choice)).await;
            assert!(reply.get("tool_calls").is_none() && reply["content"].is_string(), "{reply}");
        }
        let forced = message(&service, open_nutri_tracker(json!("How are you?"), json!("required"))).await;
        assert_eq!(arguments(&forced), json!({"items": []}));
    })
    .await;
}

#[tokio::test]
async fn the_tool_about_food_is_called_once_or_for_each_food() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let tool = |name: &str, properties: Value| {
            json!({"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": properties}}})
        };
        let number = json!({"type": "number"});
        let tools = json!([
            tool("log_weight", json!({"weight_kg": number, "date": {"type": "string"}})),
            tool("log_food", json!({"food_name": {"type": "string"}, "calories": number, "protein_g": number})),
        ]);
        let ask = |more: Value| {
            let mut body = json!({"messages": [{"role": "user", "content": "two eggs and a banana"}], "tools": tools});
            body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            body
        };
        let each = message(&service, ask(json!({}))).await;
        let calls = each["tool_calls"].as_array().expect("calls");
        assert_eq!(calls.len(), 2, "{each}");
        assert!(calls.iter().all(|call| call["function"]["name"] == "log_food") && calls[0]["id"] != calls[1]["id"]);
        let one = arguments(&message(&service, ask(json!({"parallel_tool_calls": false}))).await);
        let sum: f64 = calls.iter().map(|call| parsed(&call["function"]["arguments"])["calories"].as_f64().expect("kcal")).sum();
        assert_eq!(one["calories"].as_f64(), Some(sum), "{one}");
        let only_weight = message(&service, ask(json!({"tools": [tools[0]]}))).await;
        assert!(only_weight["content"].is_string(), "body weight is not a meal: {only_weight}");
        let older = json!({"messages": [{"role": "user", "content": "two eggs"}], "functions": [tools[1]["function"]], "function_call": {"name": "log_food"}});
        let whole = service.post(PATH, older).send().await.ok();
        let choice = &whole["choices"][0];
        assert_eq!(choice["finish_reason"], "function_call");
        assert_eq!(parsed(&choice["message"]["function_call"]["arguments"])["calories"], 143);
    })
    .await;
}

#[tokio::test]
async fn later_messages_amend_the_meal_until_a_tool_is_called() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let user = |text: &str| json!({"role": "user", "content": text});
        let amended = json!({"messages": [user("a boiled egg"), {"role": "assistant", "content": "1 egg"}, user("make it two eggs")], "response_format": {"type": "json_object"}});
        let amended = parsed(&message(&service, amended).await["content"]);
        assert_eq!((amended["items"].as_array().map(Vec::len), &amended["items"][0]["quantity"]), (Some(1), &json!(2)));
        let call = json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "log_meal_items", "arguments": "{}"}}]});
        let result = json!({"role": "tool", "tool_call_id": "c1", "content": "logged"});
        let mut next = open_nutri_tracker(json!("a boiled egg"), json!("auto"));
        let messages = next["messages"].as_array_mut().expect("messages");
        messages.extend([call.clone(), result.clone(), user("a banana")]);
        let items = arguments(&message(&service, next.clone()).await)["items"].clone();
        assert_eq!(items.as_array().map(Vec::len), Some(1), "the egg is logged already: {items}");
        next["messages"].as_array_mut().expect("messages").extend([call, result]);
        let done = message(&service, next).await;
        assert!(done["content"].as_str().is_some_and(|text| text.starts_with("Banana")), "the tool was called: {done}");
    })
    .await;
}

/// The data of a stream's events.
fn chunks(reply: &Reply) -> Vec<Value> {
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/event-stream")), "{}", reply.text());
    let text = reply.text();
    let mut data: Vec<&str> = text.split("\n\n").filter_map(|block| block.strip_prefix("data: ")).collect();
    assert_eq!(data.pop(), Some("[DONE]"));
    data.into_iter().map(|data| serde_json::from_str(data).expect("JSON")).collect()
}

#[tokio::test]
async fn a_stream_has_the_same_answer_in_pieces() {
    on_sqlite(async |database| {
        let service = Service::on(database).await;
        let mut body =
            json!({"messages": [{"role": "user", "content": "two eggs, toast with butter, a latte and a banana"}]});
        let whole = message(&service, body.clone()).await;
        body["stream"] = json!(true);
        body["stream_options"] = json!({"include_usage": true});
        let pieces = chunks(&service.post(PATH, &body).send().await);
        assert!(pieces.len() > 4 && pieces.iter().all(|piece| piece["object"] == "chat.completion.chunk"));
        assert_eq!(pieces[0]["choices"][0]["delta"]["role"], "assistant");
        let text: String = pieces.iter().filter_map(|piece| piece["choices"][0]["delta"]["content"].as_str()).collect();
        assert_eq!(json!(text), whole["content"]);
        let [.., end, usage] = pieces.as_slice() else { panic!("{pieces:?}") };
        assert_eq!((&end["choices"][0]["finish_reason"], &end["usage"]), (&json!("stop"), &Value::Null));
        assert_eq!((&usage["choices"], usage["usage"]["total_tokens"].is_u64()), (&json!([]), true));
        let mut body =
            open_nutri_tracker(json!("two eggs, toast with butter, a latte and a banana"), json!("required"));
        let whole = arguments(&message(&service, body.clone()).await);
        body["stream"] = json!(true);
        let pieces = chunks(&service.post(PATH, &body).send().await);
        let calls: Vec<&Value> = pieces
            .iter()
            .map(|piece| &piece["choices"][0]["delta"]["tool_calls"][0])
            .filter(|call| call.is_object())
            .collect();
        assert_eq!((&calls[0]["function"]["name"], &calls[0]["index"]), (&json!("log_meal_items"), &json!(0)));
        assert!(calls[0]["id"].is_string() && calls[1].get("id").is_none());
        let text: String = calls.iter().filter_map(|call| call["function"]["arguments"].as_str()).collect();
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), whole);
        let last = pieces.last().expect("pieces");
        assert_eq!((&last["choices"][0]["finish_reason"], last.get("usage")), (&json!("tool_calls"), None));
    })
    .await;
}
