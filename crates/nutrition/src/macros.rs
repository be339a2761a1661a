//! Calories and the three macronutrients.

use std::iter::Sum;
use std::ops::Add;

use serde::{Deserialize, Serialize};

/// Calories, protein, carbs and fat of an amount of food.
///
/// The type parameter is what is known of each: a number, or `Macros<Option<f64>>` where some may be missing, or the
/// two ends of a range. In a struct that is serialized, `#[serde(flatten)]` puts the four fields beside the others.
///
/// Arithmetic is exact; [`shown`](Self::shown) rounds at the end.
///
/// ```
/// use nutrition::Macros;
///
/// let egg = Macros { calories: 71.5, protein: 6.28, carbs: 0.36, fat: 4.76 };
/// let toast = Macros { calories: 79.0, protein: 2.7, carbs: 14.3, fat: 1.0 };
///
/// let breakfast: Macros = [egg.times(2.0), toast].iter().sum();
/// assert_eq!(breakfast.shown(), Macros { calories: 222.0, protein: 15.3, carbs: 15.0, fat: 10.5 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Macros<T = f64> {
    /// Kilocalories.
    pub calories: T,
    /// Grams.
    pub protein: T,
    /// Grams, as the source defines carbohydrates.
    pub carbs: T,
    /// Grams.
    pub fat: T,
}

impl<T> Macros<T> {
    /// Applies a function to each of the four.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> Macros<U> {
        Macros {
            calories: change(self.calories),
            protein: change(self.protein),
            carbs: change(self.carbs),
            fat: change(self.fat),
        }
    }

    /// Combines each of the four with its counterpart.
    pub fn zip_with<U, V>(self, other: Macros<U>, mut combine: impl FnMut(T, U) -> V) -> Macros<V> {
        Macros {
            calories: combine(self.calories, other.calories),
            protein: combine(self.protein, other.protein),
            carbs: combine(self.carbs, other.carbs),
            fat: combine(self.fat, other.fat),
        }
    }
}

impl<T> Macros<Option<T>> {
    /// Returns all four, or `None` if one is missing.
    pub fn complete(self) -> Option<Macros<T>> {
        Some(Macros { calories: self.calories?, protein: self.protein?, carbs: self.carbs?, fat: self.fat? })
    }

    /// Fills in what is missing.
    pub fn unwrap_or(self, other: Macros<T>) -> Macros<T> {
        self.zip_with(other, Option::unwrap_or)
    }
}

impl Macros {
    /// Multiplies each by a factor, without rounding.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        self.map(|value| value * factor)
    }

    /// Rounds as answers show the numbers: calories whole, grams to one decimal.
    #[must_use]
    pub fn shown(self) -> Self {
        let tenth = |value: f64| (value * 10.0).round() / 10.0;
        Self {
            calories: self.calories.round(),
            protein: tenth(self.protein),
            carbs: tenth(self.carbs),
            fat: tenth(self.fat),
        }
    }

    /// Returns the lower number of each pair.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        self.zip_with(other, f64::min)
    }

    /// Returns the higher number of each pair.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        self.zip_with(other, f64::max)
    }
}

impl Add for Macros {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zip_with(other, Add::add)
    }
}

impl Sum for Macros {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

impl<'a> Sum<&'a Macros> for Macros {
    fn sum<I: Iterator<Item = &'a Macros>>(all: I) -> Self {
        all.copied().sum()
    }
}

/// Written out, because the derived schema of a generic type refers to one called `f64`, which no document has.
#[cfg(feature = "openapi")]
impl<T: utoipa::ToSchema> utoipa::PartialSchema for Macros<T> {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        let description = "Calories in kcal; protein, carbs and fat in grams.";
        let object = utoipa::openapi::ObjectBuilder::new().description(Some(description));
        let fields = ["calories", "protein", "carbs", "fat"].into_iter();
        fields.fold(object, |object, name| object.property(name, T::schema()).required(name)).into()
    }
}

#[cfg(feature = "openapi")]
impl<T: utoipa::ToSchema> utoipa::ToSchema for Macros<T> {
    fn name() -> std::borrow::Cow<'static, str> {
        "Macros".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUP: Macros = Macros { calories: 120.4, protein: 3.25, carbs: 18.04, fat: 3.95 };

    #[test]
    fn sums_do_not_show_the_noise_of_binary_fractions() {
        let tenths = Macros { calories: 1.0, protein: 0.1, carbs: 0.1, fat: 0.1 };
        let sum: Macros = [tenths; 3].into_iter().sum();
        assert_ne!(sum.protein.to_bits(), 0.3_f64.to_bits());
        assert_eq!(sum.shown(), Macros { calories: 3.0, protein: 0.3, carbs: 0.3, fat: 0.3 });
    }

    #[test]
    fn pairs_are_compared_one_by_one() {
        let other = Macros { calories: 90.0, protein: 9.0, carbs: 9.0, fat: 9.0 };
        assert_eq!(SOUP.min(other), Macros { calories: 90.0, protein: 3.25, carbs: 9.0, fat: 3.95 });
        assert_eq!(SOUP.max(other), Macros { calories: 120.4, protein: 9.0, carbs: 18.04, fat: 9.0 });
    }

    #[test]
    fn missing_numbers_are_read_as_none() {
        let partial: Macros<Option<f64>> = serde_json::from_str(r#"{"calories": 100, "fat": 2.5}"#).expect("reads");
        assert_eq!(partial, Macros { calories: Some(100.0), fat: Some(2.5), ..Macros::default() });
        assert_eq!(partial.complete(), None);
        assert_eq!(partial.unwrap_or(SOUP), Macros { calories: 100.0, fat: 2.5, ..SOUP });
        assert_eq!(SOUP.map(Some).complete(), Some(SOUP));
    }

    #[test]
    fn flattening_puts_the_four_beside_other_fields() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Row {
            name: String,
            #[serde(flatten)]
            macros: Macros,
        }
        let row = Row { name: "soup".to_owned(), macros: SOUP };
        let text = serde_json::to_string(&row).expect("writes");
        assert_eq!(text, r#"{"name":"soup","calories":120.4,"protein":3.25,"carbs":18.04,"fat":3.95}"#);
        assert_eq!(serde_json::from_str::<Row>(&text).expect("reads"), row);
    }

    #[cfg(feature = "openapi")]
    #[test]
    fn the_schema_is_complete_in_itself() {
        use utoipa::PartialSchema as _;
        let schema = serde_json::to_value(Macros::<f64>::schema()).expect("JSON");
        assert!(!schema.to_string().contains("$ref"), "{schema}");
        assert_eq!(schema["properties"]["calories"]["type"], "number", "{schema}");
        assert_eq!(schema["required"].as_array().map(Vec::len), Some(4), "{schema}");
    }
}
