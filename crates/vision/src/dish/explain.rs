//! Decides how many foods a photo shows, and which: the fewest that explain all views of it.
//!
//! A view is the whole photo or a part of it, given as the probability of each food. A part is easily mistaken, because
//! it shows a detail without its surroundings. So a further food is only accepted if it explains the views so much
//! better that this outweighs the cost of one more food. A view of a table, or one that could be anything, calls for no
//! food of its own.

use super::scores::softmax;

/// What a further food must gain: the log-likelihood ratio of all views together with and without it.
const MIN_GAIN: f32 = 3.6;
/// The surprise of a view is capped at this, in nats.
const MAX_SURPRISE: f32 = 5.0;
/// The weight of all parts together, compared with the whole, when foods are counted.
const PARTS_WEIGHT: f32 = 4.0;
/// Foods in one photo.
const MAX_FOODS: usize = 4;

/// Returns the foods that explain the whole photo and its parts, the one that explains most first. Each is returned as
/// the probabilities of all foods, from the views that it explains best.
pub(super) fn explain(whole: &[f32], parts: &[Vec<f32>]) -> Vec<Vec<f32>> {
    let share = 1.0 / parts.len().max(1) as f32;
    let foods = fewest(whole, parts);
    let explained = foods.iter().filter_map(|food| {
        let is_best = |view: &[f32]| foods.iter().all(|other| view[*food] >= view[*other]);
        let parts = parts.iter().map(Vec::as_slice).filter(|part| is_best(part)).map(|part| (part, share));
        let views: Vec<(&[f32], f32)> =
            Some((whole, 1.0)).filter(|_| is_best(whole)).into_iter().chain(parts).collect();
        // The whole shows all foods. If there are several, each must be the best in a part.
        let has_part = views.iter().any(|(view, _)| !std::ptr::eq(*view, whole));
        (has_part || foods.len() == 1 && !views.is_empty()).then(|| average(&views))
    });
    explained.collect()
}

/// Combines views: the mean of the logarithms of their probabilities. Here all parts together count as much as the
/// whole, which shows the size of things.
fn average(views: &[(&[f32], f32)]) -> Vec<f32> {
    let classes = views.first().map_or(0, |(view, _)| view.len());
    let total: f32 = views.iter().map(|(_, share)| share).sum();
    let mean = |food: usize| {
        views.iter().map(|(view, share)| view[food].max(f32::MIN_POSITIVE).ln() * share).sum::<f32>() / total
    };
    softmax((0..classes).map(mean).collect())
}

/// Takes the food that explains most, then others as long as each explains enough of what is left.
fn fewest(whole: &[f32], parts: &[Vec<f32>]) -> Vec<usize> {
    let share = PARTS_WEIGHT / parts.len().max(1) as f32;
    let surprise = |view: &[f32]| view.iter().map(|probability| (-probability.ln()).min(MAX_SURPRISE)).collect();
    let views: Vec<(Vec<f32>, f32)> =
        std::iter::once((surprise(whole), 1.0)).chain(parts.iter().map(|part| (surprise(part), share))).collect();
    let mut left = vec![MAX_SURPRISE; views.len()];
    let mut foods = Vec::new();
    while foods.len() < MAX_FOODS {
        let gain = |food: usize| -> f32 {
            views.iter().zip(&left).map(|((view, weight), left)| (left - view[food]).max(0.0) * weight).sum()
        };
        let gains = (0..whole.len()).map(|food| (food, gain(food)));
        let Some((food, gain)) = gains.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        if !foods.is_empty() && gain < MIN_GAIN {
            break;
        }
        for (left, (view, _)) in left.iter_mut().zip(&views) {
            *left = left.min(view[food]);
        }
        foods.push(food);
    }
    foods
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_that_agree_show_one_food() {
        let found = explain(&[0.7, 0.2, 0.1], &[vec![0.5, 0.4, 0.1], vec![0.3, 0.5, 0.2]]);
        let [food] = &found[..] else { panic!("{} foods", found.len()) };
        assert!((food.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn parts_that_clearly_differ_show_several_foods() {
        let found = explain(&[0.5, 0.4, 0.1], &[vec![0.98, 0.01, 0.01], vec![0.01, 0.98, 0.01]]);
        let [first, second] = &found[..] else { panic!("{} foods", found.len()) };
        assert!(first[0] > 0.7 && second[1] > 0.9);
    }

    #[test]
    fn a_photo_without_parts_is_what_it_is_as_a_whole() {
        let found = explain(&[0.2, 0.5, 0.3], &[]);
        let [food] = &found[..] else { panic!("{} foods", found.len()) };
        assert_eq!(food.len(), 3);
        assert!(food.iter().zip([0.2, 0.5, 0.3]).all(|(one, other)| (one - other).abs() < 1e-5));
    }
}
