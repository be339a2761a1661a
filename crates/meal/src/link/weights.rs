//! Every tuned number of the linker and of composing, in one place.

/// Most segments that one food is made of.
pub(crate) const MAX_JOINED: usize = 6;

/// How much each part counts. Chosen on the development meals as a whole, by coordinate search.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// A word found in the main part, among the details, in the brand, in the words our names leave out, in the category.
    pub zones: [f32; 5],
    /// A word of the phrase that the name lacks.
    pub missing: f32,
    /// A word of the name that the phrase lacks: main part, detail.
    pub unsaid: [f32; 2],
    /// What it costs more that the last word of a compound is not said: spaghetti is no spaghetti sauce.
    pub unsaid_head: f32,
    /// The head of the name is said; it is the head of the phrase.
    pub head: [f32; 2],
    /// The head of the name is not said at all.
    pub no_head: f32,
    /// How much the prior of a food counts.
    pub prior: f32,
    /// What a corrected spelling costs.
    pub respelled: f32,
    /// A denied word in a name that denies, and in one that does not.
    pub denied: [f32; 2],
    /// The share of its worth that an optional word is given.
    pub optional_gain: f32,
    /// What another word for the same food costs.
    pub rewritten: f32,
    /// The same where the words come from several segments: "eggs and toast" is no egg bread.
    pub rewritten_joined: f32,
    /// What a word costs that nobody said and that is one of several to choose from, of what another would.
    pub alternative: f32,
    /// What it costs to write two words as one.
    pub closed_up: f32,
    /// What an optional word that nobody said costs, of what another would.
    pub optional: f32,
    /// Two words that stand side by side in the phrase and in the name.
    pub adjacent: f32,
    /// What a laboratory table is preferred less than what people say they eat.
    pub laboratory: f32,
    /// What a word costs that nobody said and that only tells where a food was made or sold, of what another would.
    pub provenance: f32,
    /// The same for a word that nobody leaves out who means it.
    pub unusual: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            zones: [1.0, 1.15, 0.8, 0.6, 0.0],
            missing: 0.6,
            unsaid: [0.8, 1.4],
            unsaid_head: 2.0,
            head: [0.0, 0.08],
            no_head: 0.05,
            prior: 0.25,
            respelled: 0.2,
            denied: [2.0, 0.6],
            optional_gain: 1.2,
            rewritten: 0.25,
            rewritten_joined: 0.8,
            closed_up: 0.1,
            alternative: 0.5,
            optional: 0.65,
            adjacent: 0.06,
            laboratory: 0.33,
            provenance: 0.5,
            unusual: 2.0,
        }
    }
}

/// What the ways to join segments cost. Chosen on the development meals as a whole, by coordinate search.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// A food of its own, so that one dish is preferred to two foods where both explain the words.
    pub item: f32,
    /// The same in a text that only lists foods.
    pub item_terse: f32,
    /// A food without an amount among foods with amounts.
    pub unsaid_item: f32,
    /// The same where the amounts are exact masses.
    pub unsaid_among_masses: f32,
    /// Joining over "and", a comma, "with", a preposition.
    pub over: [f32; 4],
    /// Joining the further ones of a list behind "with".
    pub listed: f32,
    /// Joining two foods over a comma, beyond what the comma costs.
    pub comma_foods: f32,
    /// Joining foods of which the first was counted, beyond what "and" costs.
    pub and_counted: f32,
    /// Joining a segment that begins with "a".
    pub article: f32,
    /// Leaving a word out, by how much it tells.
    pub left_out: f32,
    /// Leaving out what can be a food and begins with "a".
    pub dropped: f32,
    /// Leaving out what can be a food and begins with nothing.
    pub dropped_bare: f32,
    /// Leaving out what can be a food in a text that only lists foods.
    pub dropped_terse: f32,
    /// Joining a food that the joined name does not mention.
    pub lost: f32,
    /// The same in a text that only lists foods.
    pub lost_terse: f32,
    /// A food that says again what stands right before it.
    pub repeated: f32,
    /// What it is worth that a food comes in the measure that was said, and how far behind it may be.
    pub measure: f32,
    /// See `measure`.
    pub measure_margin: f32,
    /// A food as fast food places have it, where the rest of the meal is from one.
    pub same_place: f32,
    /// A food of which less than this share of the words is known is not believed unless an amount was said.
    pub min_covered: f32,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            item: 0.9,
            item_terse: 0.7,
            unsaid_item: 0.24,
            unsaid_among_masses: 0.88,
            over: [0.2, 0.27, 0.0, 0.0],
            listed: 0.05,
            comma_foods: 0.21,
            and_counted: 0.5,
            article: 0.1,
            left_out: 0.5,
            dropped: 0.4,
            dropped_bare: 0.35,
            dropped_terse: 2.0,
            lost: 0.8,
            lost_terse: 2.0,
            repeated: 0.8,
            measure: 0.5,
            measure_margin: 0.5,
            same_place: 0.5,
            min_covered: 0.3,
        }
    }
}
