//! What was tried and how often it worked: choices are drawn by that, so that drawing learns from the definitions.

use crate::draw::Draw;

/// How often a choice was made, and how often what it was part of was valid.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Odds {
    tried: u32,
    worked: u32,
}

impl Odds {
    /// For a choice that is likely to work, before anything is known.
    pub const LIKELY: Odds = Odds { tried: 2, worked: 2 };
    /// For one that is not.
    pub const UNLIKELY: Odds = Odds { tried: 1, worked: 0 };

    pub fn note(&mut self, worked: bool) {
        self.tried += 1;
        self.worked += u32::from(worked);
    }
    pub fn worked(self) -> bool {
        self.worked > 0
    }
    /// Whether it was tried so often without success that it is hardly worth another try.
    pub fn is_hopeless(self) -> bool {
        self.worked == 0 && self.tried >= 12
    }
    /// The share that worked, as if one more try had and one had not; what never worked is all but given up.
    pub fn weight(self) -> f64 {
        let share = (f64::from(self.worked) + 1.0) / (f64::from(self.tried) + 2.0);
        if self.worked == 0 { share * share } else { share }
    }
}

/// A position in a list, drawn by weight.
pub(super) fn weighted(weights: impl Iterator<Item = f64> + Clone, draw: &mut Draw) -> usize {
    let total: f64 = weights.clone().sum();
    let mut left = draw.unit() * total;
    let mut last = 0;
    for (at, weight) in weights.enumerate() {
        if weight <= 0.0 {
            continue;
        }
        last = at;
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    last
}

/// A choice, drawn by its odds, rather one that was seldom part of something valid; now and then any, so that none is
/// given up.
pub(super) fn pick(odds: &[Odds], draw: &mut Draw) -> usize {
    drawn(odds, draw, |odds, often| odds.weight() / often)
}

/// What worked at all counts as if at least such a share of it did: the longer it takes, the more it is worth.
const RARE: f64 = 0.3;

/// As [`pick`], where what seldom works is to occur as often as what always does.
pub(super) fn pick_evenly(odds: &[Odds], draw: &mut Draw) -> usize {
    drawn(odds, draw, |odds, often| match odds.worked() {
        true => odds.weight().max(RARE) / often.powi(2),
        false => odds.weight(),
    })
}

/// `weight` is of a choice that worked so often, in means of all of them and one more.
fn drawn(odds: &[Odds], draw: &mut Draw, weight: impl Fn(Odds, f64) -> f64) -> usize {
    if draw.chance(8) {
        return draw.below(odds.len());
    }
    let mean = odds.iter().map(|odds| f64::from(odds.worked)).sum::<f64>() / odds.len() as f64 + 1.0;
    let often = |odds: &Odds| 1.0 + f64::from(odds.worked) / mean;
    weighted(odds.iter().map(|odds| weight(*odds, often(odds))), draw)
}
