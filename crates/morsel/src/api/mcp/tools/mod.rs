//! The tools: what each is called, needs and returns. What they do is in the modules below, in terms of the API's own
//! endpoints; their names, descriptions and input schemas are in `tools.json`.

mod estimate;
mod foods;
mod recipes;
mod answer;

use std::sync::LazyLock;

use bytes::Bytes;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use store::{Scope, Scopes};

use self::estimate::EstimateArguments;
use self::foods::{BarcodeArguments, CompareArguments, GetArguments, SearchArguments};
use self::recipes::{DeleteArguments, SaveArguments, SavedRecipe};
use super::backend::{McpBackend, McpClient};
use super::schemas::schema_of;
use crate::api::estimate::rows::EstimateAnswer;
use crate::api::foods::rows::FoodsAnswer;
use crate::api::json;
use crate::api::recipes::rows::RecipesAnswer;
use crate::api::response::Deleted;
use crate::error::ApiError;

pub use self::answer::ToolAnswer;
pub use self::foods::{ComparedFoods, FoodWithAmount};

static TOOLS: &str = include_str!("tools.json");

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McpTool {
    /// `estimate_meal`
    EstimateMeal,
    /// `search_foods`
    SearchFoods,
    /// `get_food`
    GetFood,
    /// `lookup_barcode`
    LookupBarcode,
    /// `compare_foods`
    CompareFoods,
    /// `list_recipes`
    ListRecipes,
    /// `save_recipe`
    SaveRecipe,
    /// `delete_recipe`
    DeleteRecipe,
}

/// A tool with its arguments.
#[derive(Debug)]
enum ToolCall {
    EstimateMeal(EstimateArguments),
    SearchFoods(SearchArguments),
    GetFood(GetArguments),
    LookupBarcode(BarcodeArguments),
    CompareFoods(CompareArguments),
    ListRecipes,
    SaveRecipe(SaveArguments),
    DeleteRecipe(DeleteArguments),
}

/// Every tool as `tools/list` shows it.
static DEFINITIONS: LazyLock<Vec<(McpTool, Box<RawValue>)>> = LazyLock::new(|| {
    let definitions: Vec<Value> = serde_json::from_str(TOOLS).expect("tools.json is a JSON array");
    let definition = |mut definition: Value| {
        let name = definition["name"].as_str().unwrap_or_default();
        let tool = McpTool::find(name).expect("tools.json has the tools of this list");
        definition["outputSchema"] = tool.output_schema();
        (tool, to_raw_value(&definition).expect("JSON can be written"))
    };
    definitions.into_iter().map(definition).collect()
});

impl McpTool {
    /// Every tool.
    pub const ALL: [Self; 8] = [
        Self::EstimateMeal,
        Self::SearchFoods,
        Self::GetFood,
        Self::LookupBarcode,
        Self::CompareFoods,
        Self::ListRecipes,
        Self::SaveRecipe,
        Self::DeleteRecipe,
    ];

    /// Returns the name by which it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::EstimateMeal => "estimate_meal",
            Self::SearchFoods => "search_foods",
            Self::GetFood => "get_food",
            Self::LookupBarcode => "lookup_barcode",
            Self::CompareFoods => "compare_foods",
            Self::ListRecipes => "list_recipes",
            Self::SaveRecipe => "save_recipe",
            Self::DeleteRecipe => "delete_recipe",
        }
    }

    /// Returns the scope that a client must have.
    pub fn scope(self) -> Scope {
        match self {
            Self::EstimateMeal => Scope::Estimate,
            Self::SearchFoods | Self::GetFood | Self::LookupBarcode | Self::CompareFoods => Scope::FoodsRead,
            Self::ListRecipes => Scope::RecipesRead,
            Self::SaveRecipe | Self::DeleteRecipe => Scope::RecipesWrite,
        }
    }

    /// Returns the tool with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    fn output_schema(self) -> Value {
        match self {
            Self::EstimateMeal => schema_of::<EstimateAnswer>(),
            Self::SearchFoods => schema_of::<FoodsAnswer>(),
            Self::GetFood | Self::LookupBarcode => schema_of::<FoodWithAmount>(),
            Self::CompareFoods => schema_of::<ComparedFoods>(),
            Self::ListRecipes => schema_of::<RecipesAnswer>(),
            Self::SaveRecipe => schema_of::<SavedRecipe>(),
            Self::DeleteRecipe => schema_of::<Deleted>(),
        }
    }

    /// Calls the tool. The client must have its scope.
    pub async fn call(self, client: &McpClient, arguments: Option<Bytes>) -> Result<ToolAnswer, ApiError> {
        client.check(self.scope())?;
        let backend = &client.backend;
        match self.read(backend, arguments.unwrap_or_else(|| Bytes::from_static(b"{}"))).await? {
            ToolCall::EstimateMeal(arguments) => estimate::estimate_meal(backend, arguments).await,
            ToolCall::SearchFoods(arguments) => foods::search_foods(backend, arguments).await,
            ToolCall::GetFood(arguments) => foods::get_food(backend, arguments).await,
            ToolCall::LookupBarcode(arguments) => foods::lookup_barcode(backend, arguments).await,
            ToolCall::CompareFoods(arguments) => foods::compare_foods(backend, arguments),
            ToolCall::ListRecipes => recipes::list_recipes(backend.service()?).await,
            ToolCall::SaveRecipe(arguments) => recipes::save_recipe(backend.service()?, arguments).await,
            ToolCall::DeleteRecipe(arguments) => recipes::delete_recipe(backend.service()?, arguments).await,
        }
    }

    /// Reads arguments, large ones off the async threads.
    async fn read(self, backend: &McpBackend, arguments: Bytes) -> Result<ToolCall, ApiError> {
        let length = arguments.len();
        let read = move || match self {
            Self::EstimateMeal => json::read(&arguments).map(ToolCall::EstimateMeal),
            Self::SearchFoods => json::read(&arguments).map(ToolCall::SearchFoods),
            Self::GetFood => json::read(&arguments).map(ToolCall::GetFood),
            Self::LookupBarcode => json::read(&arguments).map(ToolCall::LookupBarcode),
            Self::CompareFoods => json::read(&arguments).map(ToolCall::CompareFoods),
            Self::ListRecipes => Ok(ToolCall::ListRecipes),
            Self::SaveRecipe => SaveArguments::read(&arguments).map(ToolCall::SaveRecipe),
            Self::DeleteRecipe => json::read(&arguments).map(ToolCall::DeleteRecipe),
        };
        backend.read(length, read).await
    }
}

/// Returns the tools that a client with these scopes may call, as `tools/list` shows them.
pub fn permitted(scopes: Scopes) -> Vec<&'static RawValue> {
    let permitted = DEFINITIONS.iter().filter(|(tool, _)| scopes.contains(tool.scope()));
    permitted.map(|(_, definition)| &**definition).collect()
}
