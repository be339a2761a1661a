//! Other foods beside the first: parts of the photo are looked at by themselves.
//!
//! A part is easily mistaken: it shows a detail without the whole. So what is seen in one counts only when the network
//! is sure of it, and when the whole photo speaks for it too, or another part shows the same.

use crate::photo::Photo;
use crate::sighting::Region;
use crate::text::network::Network;

use super::judge::Opinion;
use super::view::View;

/// A photo whose first food is at least this sure is not looked at in parts.
pub(super) const ALONE: f32 = 0.45;

/// How sure a part must be.
const SURE: f32 = 0.6;
/// The least chance that the whole photo must give it, where only one part shows it.
const SUPPORTED: f32 = 0.03;
/// The most foods beside the first.
const MOST: usize = 3;
/// A part has this share of the shorter side.
const SHARE: f64 = 0.6;

/// Foods of parts with their chances, the surest first. `whole` are the chances of the whole photo.
pub(super) fn others(network: &Network, photo: &Photo, whole: &[f32]) -> Vec<(usize, f32, Region)> {
    let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
    let views = corners.map(|(across, down)| (View::at(photo, SHARE, across, down), false));
    let opinions = Opinion::all(network, photo, &views).unwrap_or_default();
    let mut found: Vec<(usize, f32, Region, usize)> = Vec::new();
    for (opinion, (view, _)) in opinions.iter().zip(views) {
        let Some((food, chance)) = surest(opinion) else {
            continue;
        };
        if let Some(known) = found.iter_mut().find(|known| known.0 == food) {
            known.3 += 1;
            if chance > known.1 {
                (known.1, known.2) = (chance, view.region(photo));
            }
        } else {
            found.push((food, chance, view.region(photo), 1));
        }
    }
    found.retain(|(food, _, _, times)| *times > 1 || whole[*food] >= SUPPORTED);
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.into_iter().take(MOST).map(|(food, chance, region, _)| (food, chance, region)).collect()
}

/// The food that a part surely shows.
fn surest(opinion: &Opinion) -> Option<(usize, f32)> {
    let chances = opinion.is_food().then(|| opinion.chances())?;
    chances.into_iter().enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, chance)| *chance >= SURE)
}
