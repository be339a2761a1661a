//! An example request and response for every route. A test sends each request and compares; “…” stands for values that
//! differ every time.

/// A request of the API and its response.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The route, as [`crate::routes`] names it.
    pub route: &'static str,
    /// The path and query.
    pub path: &'static str,
    /// The body.
    pub body: Option<&'static str>,
    /// The response.
    pub response: &'static str,
}

const MEAL: &str = r#"{
  "messages": [{ "role": "user", "content": "two eggs and a slice of toast" }],
  "include": ["grams", "tier"]
}"#;

/// The examples, one for each route.
pub const EXAMPLES: &[Example] = &[
    Example {
        route: "POST /v1/estimate/sync",
        path: "/v1/estimate/sync",
        body: Some(MEAL),
        response: r#"{
  "items": [
    {
      "name": "Whole egg, boiled or poached",
      "quantity": 2,
      "unit": "egg",
      "calories": 143,
      "protein": 12.4,
      "carbs": 1,
      "fat": 10,
      "grams": {"grams": 100, "how": "portion", "portion": "1 egg"},
      "tier": "derived"
    },
    {
      "name": "White bread, toasted",
      "quantity": 1,
      "unit": "slice",
      "calories": 73,
      "protein": 2.6,
      "carbs": 13.5,
      "fat": 1,
      "grams": {"grams": 25, "how": "portion", "portion": "1 medium or regular slice"},
      "tier": "derived"
    }
  ],
  "totals": {"calories": 216, "protein": 15, "carbs": 14.5, "fat": 11}
}"#,
    },
    Example {
        route: "POST /v1/estimate/batch",
        path: "/v1/estimate/batch",
        body: Some(
            r#"{
  "inputs": [{ "id": "breakfast", "text": "two eggs" }, { "id": "snack" }]
}"#,
        ),
        response: r#"{
  "results": [
    {
      "id": "breakfast",
      "status": 200,
      "items": [
        {
          "name": "Whole egg, boiled or poached",
          "quantity": 2,
          "unit": "egg",
          "calories": 143,
          "protein": 12.4,
          "carbs": 1,
          "fat": 10
        }
      ],
      "totals": {"calories": 143, "protein": 12.4, "carbs": 1, "fat": 10}
    },
    {
      "id": "snack",
      "status": 400,
      "error": {
        "error": "An input must have either “text” or “messages”.",
        "code": "invalid_request",
        "param": "inputs[1]"
      }
    }
  ]
}"#,
    },
    Example {
        route: "POST /v1/estimate",
        path: "/v1/estimate",
        body: Some(r#"{ "messages": [{ "role": "user", "content": "a banana" }] }"#),
        response: r#"event: start
data: {"type":"start","sequence":0,"id":"est_…","engine_version":"0.…"}

event: item
data: {"type":"item","sequence":1,"index":0,"item":{"name":"Banana, raw","quantity":1,"unit":"banana","calories":122,"protein":0.9,"carbs":28.6,"fat":0.4}}

event: totals
data: {"type":"totals","sequence":2,"totals":{"calories":122,"protein":0.9,"carbs":28.6,"fat":0.4}}

event: done
data: {"type":"done","sequence":3,"items":[{"name":"Banana, raw","quantity":1,"unit":"banana","calories":122,"protein":0.9,"carbs":28.6,"fat":0.4}],"totals":{"calories":122,"protein":0.9,"carbs":28.6,"fat":0.4}}"#,
    },
    Example {
        route: "POST /v1/upload/base64",
        path: "/v1/upload/base64",
        body: Some(r#"{ "image": "data:image/jpeg;base64,…", "include": ["expires_at"] }"#),
        response: r#"{ "url": "http://127.0.0.1:8080/v1/images/img_…", "expires_at": "20…" }"#,
    },
    Example {
        route: "GET /v1/images/{id}",
        path: "/v1/images/img_i946uhP4tcPKhoS6MTkoE5",
        body: None,
        response: "The bytes of a JPEG",
    },
    Example {
        route: "DELETE /v1/images/{id}",
        path: "/v1/images/img_i946uhP4tcPKhoS6MTkoE5",
        body: None,
        response: r#"{ "message": "Image deleted" }"#,
    },
    Example {
        route: "GET /v1/foods",
        path: "/v1/foods?q=greek+yogurt&limit=1",
        body: None,
        response: r#"{
  "foods": [
    {
      "id": "fndds_11400010",
      "source": "usda",
      "name": "Greek yogurt",
      "brand": null,
      "calories": 137,
      "protein": 13.7,
      "carbs": 16.2,
      "fat": 2,
      "fiber": 0.2,
      "serving_description": "1 5.3 oz container",
      "serving_grams": 150
    }
  ],
  "query": "greek yogurt"
}"#,
    },
    Example {
        route: "GET /v1/foods/{id}",
        path: "/v1/foods/fndds_11400010",
        body: None,
        response: r#"{
  "id": "fndds_11400010",
  "source": "usda",
  "name": "Greek yogurt",
  "brand": null,
  "calories": 137,
  "protein": 13.7,
  "carbs": 16.2,
  "fat": 2,
  "fiber": 0.2,
  "serving_description": "1 5.3 oz container",
  "serving_grams": 150,
  "origin": "fndds_2021_2023",
  "description": "Yogurt, Greek, NS as to type of milk or flavor",
  "category": "Yogurt, Greek",
  "gtin": null,
  "portions": [
    {"description": "1 5.3 oz container", "grams": 150},
    {"description": "1 6 oz container", "grams": 170},
    {"description": "1 container, NFS", "grams": 150},
    {"description": "1 cup", "grams": 245},
    {"description": "Quantity not specified", "grams": 150}
  ],
  "nutrients_per_100g": {
    "calories": 91,
    "protein": 9.11,
    "carbs": 10.78,
    "fat": 1.33,
    "fiber": 0.1,
    "sugars": 8.21,
    "saturated_fat": 0.715,
    "sodium_mg": 35,
    "cholesterol_mg": 7,
    "calcium_mg": 100,
    "iron_mg": 0.12,
    "potassium_mg": 133,
    "monounsaturated_fat": 0.329,
    "polyunsaturated_fat": 0.047,
    "magnesium_mg": 10,
    "phosphorus_mg": 122,
    "zinc_mg": 0.47,
    "selenium_mcg": 8.9,
    "vitamin_a_mcg": 9,
    "vitamin_c_mg": 1,
    "vitamin_d_mcg": 0.9,
    "vitamin_e_mg": 0.05,
    "vitamin_k_mcg": 0.1,
    "vitamin_b6_mg": 0.059,
    "vitamin_b12_mcg": 0.62,
    "folate_mcg": 7,
    "choline_mg": 14.6,
    "caffeine_mg": 0,
    "alcohol": 0,
    "water": 78.15
  }
}"#,
    },
    Example {
        route: "GET /v1/foods/barcode/{gtin}",
        path: "/v1/foods/barcode/4006381333931",
        body: None,
        response: r#"{
  "id": "gtin_04006381333931",
  "source": "branded",
  "name": "Oat biscuits",
  "brand": "Grunau",
  "calories": 60,
  "protein": 0.8,
  "carbs": 8.3,
  "fat": 2.5,
  "fiber": 0,
  "serving_description": "1 biscuit (12.5 g)",
  "serving_grams": 12.5,
  "origin": "open_food_facts",
  "description": null,
  "category": null,
  "gtin": "04006381333931",
  "portions": [{"description": "1 biscuit", "grams": 12.5}],
  "nutrients_per_100g": {"calories": 478, "protein": 6.1, "carbs": 66, "fat": 20}
}"#,
    },
    Example {
        route: "GET /v1/recipes",
        path: "/v1/recipes",
        body: None,
        response: r#"{
  "recipes": [
    {
      "id": "rcp_…",
      "name": "Mom's Lasagna",
      "calories": 620,
      "protein": 34,
      "carbs": 48,
      "fat": 31,
      "serving_description": "1 slice (350 g)",
      "aliases": ["the family lasagna"],
      "created_at": "20…",
      "updated_at": "20…"
    }
  ]
}"#,
    },
    Example {
        route: "POST /v1/recipes",
        path: "/v1/recipes",
        body: Some(
            r#"{
  "name": "Mom's Lasagna",
  "calories": 620, "protein": 34, "carbs": 48, "fat": 31,
  "serving_description": "1 slice (350 g)",
  "aliases": ["the family lasagna"]
}"#,
        ),
        response: r#"{ "id": "rcp_…", "name": "Mom's Lasagna", "message": "Recipe created" }"#,
    },
    Example {
        route: "GET /v1/recipes/{id}",
        path: "/v1/recipes/rcp_i946uhP4tcPKhoS6MTkoE5",
        body: None,
        response: r#"{
  "id": "rcp_…",
  "name": "Mom's Lasagna",
  "calories": 620,
  "protein": 34,
  "carbs": 48,
  "fat": 31,
  "serving_description": "1 slice (350 g)",
  "aliases": ["the family lasagna"],
  "created_at": "20…",
  "updated_at": "20…"
}"#,
    },
    Example {
        route: "PUT /v1/recipes/{id}",
        path: "/v1/recipes/rcp_i946uhP4tcPKhoS6MTkoE5",
        body: Some(r#"{ "calories": 640, "aliases": ["lasagna"] }"#),
        response: r#"{ "id": "rcp_…", "message": "Recipe updated" }"#,
    },
    Example {
        route: "DELETE /v1/recipes/{id}",
        path: "/v1/recipes/rcp_i946uhP4tcPKhoS6MTkoE5",
        body: None,
        response: r#"{ "message": "Recipe deleted" }"#,
    },
];

/// Returns the example of a route.
pub fn of(route: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.route == route)
}
