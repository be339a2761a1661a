//! A recipe of the caller.

use nutrition::Macros;

/// A caller's recipe.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipe {
    /// The identifier that items show.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// The numbers of one serving.
    pub macros: Macros,
    /// One serving in words: "1 slice (350 g)".
    pub serving_description: Option<String>,
    /// When it was last changed: of recipes with the same name, the latest counts.
    pub updated_at: i64,
}
