//! Other foods beside the first: parts of the photo are looked at by themselves.
//!
//! A part is easily mistaken: it shows a detail without the whole. So what is seen in one counts only when the network
//! is sure of it, and when the whole photo speaks for it too, or another part shows the same. Only where the whole says
//! next to nothing, as it does of several plates, is a part believed that is surer still.

use crate::photo::Photo;
use crate::sighting::Region;
use crate::text::network::Network;

use super::judge::{Opinion, SIDE};
use super::view::View;

/// A photo whose first food is at least this sure is not looked at in parts, unless it is wide.
pub(super) const ALONE: f32 = 0.45;
/// Below this, the whole photo says next to nothing.
pub(super) const UNSURE: f32 = 0.3;

/// How sure a part must be.
const SURE: f32 = 0.6;
/// How sure it must be where nothing else speaks for it.
const SURER: f32 = 0.75;
/// The least chance that the whole photo must give it, where only one part shows it.
const SUPPORTED: f32 = 0.03;
/// The most foods beside the first.
const MOST: usize = 3;
/// A part has this share of the shorter side.
const SHARE: f64 = 0.6;

/// A food that a part shows.
pub(super) struct Found {
    pub food: usize,
    pub chance: f32,
    pub region: Region,
    times: usize,
}

/// Foods of parts with their chances, the surest first. `whole` are the chances of the whole photo. Of a wide photo, the
/// parts are its two ends, which the whole leaves out; of others, the corners.
pub(super) fn others(network: &Network, photo: &Photo, whole: &[f32]) -> Vec<Found> {
    let views = if View::is_wide(photo) {
        vec![View::at(photo, 1.0, 0.0, 0.0), View::at(photo, 1.0, 1.0, 1.0)]
    } else {
        let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
        corners.map(|(across, down)| View::at(photo, SHARE, across, down)).to_vec()
    };
    let opinions = Opinion::all(network, photo, &views, SIDE).unwrap_or_default();
    let mut found: Vec<Found> = Vec::new();
    for (opinion, view) in opinions.iter().zip(views) {
        let Some((food, chance)) = surest(opinion) else {
            continue;
        };
        if let Some(known) = found.iter_mut().find(|known| known.food == food) {
            known.times += 1;
            if chance > known.chance {
                (known.chance, known.region) = (chance, view.region(photo));
            }
        } else {
            found.push(Found { food, chance, region: view.region(photo), times: 1 });
        }
    }
    let is_unsure = whole.iter().all(|chance| *chance < UNSURE);
    found.retain(|found| found.times > 1 || whole[found.food] >= SUPPORTED || is_unsure && found.chance >= SURER);
    found.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    found.truncate(MOST);
    found
}

/// The food that a part surely shows.
fn surest(opinion: &Opinion) -> Option<(usize, f32)> {
    let likeliest = opinion.chances().into_iter().enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    likeliest.filter(|(_, chance)| *chance >= SURE && opinion.is_food(*chance))
}
