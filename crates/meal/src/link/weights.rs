//! Every tuned number of linking and composing. All were chosen together on the development meals, by coordinate search.

/// The most segments that one food is made of.
pub(crate) const MAX_JOINED: usize = 6;

/// What makes a name of the catalog a good or a bad match for a phrase.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkWeights {
    /// Gain for a word of the phrase, by where the name has it.
    pub zones: PerZone,
    /// Penalty for a word of the phrase that the name lacks.
    pub missing: f32,
    /// Penalty for a word in the main part of the name that the phrase lacks.
    pub extra_main: f32,
    /// Penalty for a word among the details of the name that the phrase lacks.
    pub extra_detail: f32,
    /// Factor on the penalty if the head of a compound name is missing: "spaghetti" is not "spaghetti sauce".
    pub extra_head: f32,
    /// Gain if the head of the name is in the phrase.
    pub head: f32,
    /// Further gain if it is also the head of the phrase.
    pub same_head: f32,
    /// Penalty if the head of the name is not in the phrase.
    pub no_head: f32,
    /// Penalty of a name without the head of the phrase, if the phrase lacks the head of the name too: peeled potatoes are no
    /// peeled cucumber.
    pub no_common_head: f32,
    /// The same, if the phrase has the head of the name, but as what describes its own: garlic chicken is no garlic.
    pub no_phrase_head: f32,
    /// Weight of the prior of a food.
    pub prior: f32,
    /// Penalty for reading a word as another spelling.
    pub respelled: f32,
    /// Gain for a denied word that the name denies too.
    pub denied_by_name: f32,
    /// Penalty for a denied word that the name has.
    pub denied_in_name: f32,
    /// Factor on the gain for an optional word.
    pub optional_gain: f32,
    /// Penalty for reading words as a synonym.
    pub rewritten: f32,
    /// The same penalty if the words come from several segments: "eggs and toast" is not egg bread.
    pub rewritten_joined: f32,
    /// Factor on the penalty for an extra word that is one of several to choose from, as in "chicken or turkey".
    pub alternative: f32,
    /// Penalty for writing two words as one.
    pub closed_up: f32,
    /// Factor on the penalty for an extra word that people may leave out.
    pub optional: f32,
    /// Gain for two words that are neighbors in the phrase and in the name.
    pub adjacent: f32,
    /// Penalty for foods of laboratory tables relative to those of food surveys.
    pub laboratory: f32,
    /// Factor on the penalty for an extra word that only says where a food was made or sold.
    pub provenance: f32,
    /// Factor on the penalty for an extra word that people always say when they mean it.
    pub unusual: f32,
    /// Penalty for a food of a kind that the head of the phrase never means.
    pub other_kind: f32,
    /// Penalty for a raw food where the phrase says that it is cooked, and the other way around.
    pub other_state: f32,
    /// Gain for an everyday name that has all the words of the phrase and no others.
    pub common: f32,
    /// Penalty for an everyday name that lacks a word of the phrase, or has others.
    pub common_part: f32,
}

/// A number for each place that a name can have a word in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerZone {
    pub main: f32,
    pub detail: f32,
    pub brand: f32,
    /// Words of the publisher's name that ours leaves out.
    pub aside: f32,
    /// Words that only the category of the food has.
    pub category: f32,
}

impl Default for LinkWeights {
    fn default() -> Self {
        Self {
            zones: PerZone { main: 1.0, detail: 1.15, brand: 0.8, aside: 0.6, category: 0.0 },
            missing: 0.6,
            extra_main: 0.8,
            extra_detail: 1.4,
            extra_head: 2.0,
            head: 0.0,
            same_head: 0.08,
            no_head: 0.05,
            no_common_head: 1.0,
            no_phrase_head: 0.1,
            prior: 0.25,
            respelled: 0.2,
            denied_by_name: 2.0,
            denied_in_name: 0.6,
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
            other_kind: 0.4,
            other_state: 0.8,
            common: 0.15,
            common_part: 0.6,
        }
    }
}

/// What it costs to read neighboring segments as one food, as several, or as none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JoinCosts {
    /// A further food, so that one dish is preferred to two foods if both explain the words.
    pub item: f32,
    /// The same in a text that only lists foods.
    pub item_terse: f32,
    /// A food without an amount among foods with amounts.
    pub bare_item: f32,
    /// The same if the amounts are exact masses.
    pub bare_among_masses: f32,
    /// Joining two segments, by what is between them.
    pub over: PerJoint,
    /// Joining the further ones of a list behind "with".
    pub listed: f32,
    /// Joining two foods over a comma, on top of the comma.
    pub comma_foods: f32,
    /// Joining foods of which the first was counted, on top of the "and".
    pub and_counted: f32,
    /// Joining a segment that begins with "a".
    pub article: f32,
    /// Leaving words out, by their idf.
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
    /// A food whose words repeat what is right before it.
    pub repeated: f32,
    /// Gain for a food whose portions include the measure in the text.
    pub measure: f32,
    /// How far behind the best food such a food may be.
    pub measure_margin: f32,
    /// Gain for a food from the same place as the rest of the meal.
    pub same_place: f32,
    /// The lowest share of the words that a food without an amount must cover.
    pub min_covered: f32,
}

/// A cost for each way in which two segments are joined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerJoint {
    pub and: f32,
    pub comma: f32,
    pub with: f32,
    pub preposition: f32,
}

impl Default for JoinCosts {
    fn default() -> Self {
        Self {
            item: 0.9,
            item_terse: 0.7,
            bare_item: 0.24,
            bare_among_masses: 0.88,
            over: PerJoint { and: 0.2, comma: 0.27, with: 0.0, preposition: 0.0 },
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
            measure_margin: 0.3,
            same_place: 0.5,
            min_covered: 0.3,
        }
    }
}
