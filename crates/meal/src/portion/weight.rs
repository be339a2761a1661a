//! What an amount weighs.

/// How an amount became grams.
#[derive(Clone, Debug, PartialEq)]
pub enum WeightSource {
    /// The amount was a mass.
    Mass,
    /// A row of the food's portions, in its words.
    Portion(String),
    /// A volume through the food's density.
    Density,
    /// The usual serving, without an amount.
    Usual,
}

/// What an amount weighs.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// Grams in all.
    pub grams: f64,
    /// How the amount became grams.
    pub source: WeightSource,
}
