//! How many foods a photo shows, and which: the fewest that explain what all views of it show.
//!
//! A view is the whole photo or a part of it, each with the chances of all foods. A part is easily mistaken: it shows a
//! detail without the whole. So one more food is believed only when the views are so much better explained with it
//! that this makes up for being one more. A view of a table, or one that could be anything, asks for no food of its own.

use super::judge::softmax;
use super::view::View;

/// What a food beside others must gain: about so many times likelier, as a logarithm, are all views together with it.
const ONE_MORE: f32 = 3.6;
/// A view is never more astonishing than this, as a logarithm.
const MOST: f32 = 5.0;
/// How much all parts together count beside the whole when it is about how many foods there are.
const PARTS: f32 = 4.0;
/// The most foods.
const MOST_FOODS: usize = 4;

/// A view of a photo.
pub(super) struct Evidence {
    pub view: View,
    /// The chances of all foods in it.
    pub chances: Vec<f32>,
}

/// A food that explains views.
pub(super) struct Explained {
    /// The chances of all foods, from the views that it explains best.
    pub chances: Vec<f32>,
    /// What these views show together.
    pub view: View,
}

/// The foods that explain the whole and its parts, the one that explains most first.
pub(super) fn explain(whole: &Evidence, parts: &[Evidence]) -> Vec<Explained> {
    let share = 1.0 / parts.len().max(1) as f32;
    let views: Vec<(&Evidence, f32)> =
        std::iter::once((whole, 1.0)).chain(parts.iter().map(|part| (part, share))).collect();
    let foods = fewest(whole, parts);
    let explained = foods.iter().filter_map(|food| {
        let is_best = |view: &Evidence| foods.iter().all(|other| view.chances[*food] >= view.chances[*other]);
        let own: Vec<_> = views.iter().copied().filter(|(view, _)| is_best(view)).collect();
        // The whole shows all foods: it helps to say what they are, but not where.
        let places = own.iter().filter(|(view, _)| foods.len() == 1 || !std::ptr::eq(*view, whole));
        let view = places.map(|(view, _)| view.view).reduce(View::with)?;
        Some(Explained { chances: together(&own), view })
    });
    explained.collect()
}

/// What views say together: the average of the logarithms of their chances. All parts together count as much as the whole
/// here, which shows how large things are.
fn together(views: &[(&Evidence, f32)]) -> Vec<f32> {
    let number = views.first().map_or(0, |(view, _)| view.chances.len());
    let total: f32 = views.iter().map(|(_, share)| share).sum();
    let average = |food: usize| {
        views.iter().map(|(view, share)| view.chances[food].max(f32::MIN_POSITIVE).ln() * share).sum::<f32>() / total
    };
    softmax((0..number).map(average).collect())
}

/// Takes the food that explains most, and others as long as each explains enough of what is left.
fn fewest(whole: &Evidence, parts: &[Evidence]) -> Vec<usize> {
    let share = PARTS / parts.len().max(1) as f32;
    let astonishing = |view: &Evidence| view.chances.iter().map(|chance| (-chance.ln()).min(MOST)).collect();
    let views: Vec<(Vec<f32>, f32)> =
        std::iter::once((astonishing(whole), 1.0)).chain(parts.iter().map(|part| (astonishing(part), share))).collect();
    let mut left = vec![MOST; views.len()];
    let mut foods = Vec::new();
    while foods.len() < MOST_FOODS {
        let gain = |food: usize| -> f32 {
            views.iter().zip(&left).map(|((view, weight), left)| (left - view[food]).max(0.0) * weight).sum()
        };
        let gains = (0..whole.chances.len()).map(|food| (food, gain(food)));
        let Some((food, gain)) = gains.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        if !foods.is_empty() && gain < ONE_MORE {
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
    use image::{ImageFormat, RgbImage};

    use super::*;
    use crate::photo::Photo;

    /// A view of the left, right or whole of a photo, with the chances of three foods.
    fn view(across: [f64; 2], chances: [f32; 3]) -> Evidence {
        let mut file = std::io::Cursor::new(Vec::new());
        RgbImage::new(200, 100).write_to(&mut file, ImageFormat::Png).expect("memory takes it");
        let photo = Photo::read(&file.into_inner()).expect("it was just written");
        Evidence { view: View::whole(&photo).part(across, [0.0, 1.0]), chances: chances.to_vec() }
    }

    const ALL: [f64; 2] = [0.0, 1.0];
    const LEFT: [f64; 2] = [0.0, 0.5];
    const RIGHT: [f64; 2] = [0.5, 0.5];

    #[test]
    fn views_that_agree_show_one_food() {
        let found = explain(&view(ALL, [0.7, 0.2, 0.1]), &[view(LEFT, [0.5, 0.4, 0.1]), view(RIGHT, [0.3, 0.5, 0.2])]);
        let [food] = &found[..] else { panic!("{} foods", found.len()) };
        assert_eq!(food.view, view(ALL, [0.0; 3]).view);
        assert!((food.chances.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn parts_that_surely_differ_show_several() {
        let found =
            explain(&view(ALL, [0.5, 0.4, 0.1]), &[view(LEFT, [0.98, 0.01, 0.01]), view(RIGHT, [0.01, 0.98, 0.01])]);
        let [first, second] = &found[..] else { panic!("{} foods", found.len()) };
        assert!(first.chances[0] > 0.7 && second.chances[1] > 0.9);
        assert_eq!((first.view, second.view), (view(LEFT, [0.0; 3]).view, view(RIGHT, [0.0; 3]).view));
    }

    #[test]
    fn a_photo_without_parts_is_what_it_is_as_a_whole() {
        let found = explain(&view(ALL, [0.2, 0.5, 0.3]), &[]);
        let near = |(one, other): (&f32, &f32)| (one - other).abs() < 1e-5;
        assert!(found.len() == 1 && found[0].chances.iter().zip(&[0.2, 0.5, 0.3]).all(near));
    }
}
