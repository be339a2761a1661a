//! A recipe of the caller.

/// A caller's recipe; the numbers are those of one serving.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipe {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// Kilocalories.
    pub calories: f64,
    /// Grams of protein.
    pub protein: f64,
    /// Grams of carbohydrates.
    pub carbs: f64,
    /// Grams of fat.
    pub fat: f64,
    /// What one serving is: "1 slice (350 g)".
    pub serving_description: Option<String>,
    /// When it was last changed; of recipes with the same name the latest is meant.
    pub updated_at: i64,
}
