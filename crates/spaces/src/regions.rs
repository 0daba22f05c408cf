//! Where in a space something happens: boxes of values, as few and as large as can be found within a budget.

use crate::choice::Choice;
use crate::space::Space;
use crate::sweep::{Census, Sweep, is_mentioned};
use engines::sweep::Cause;

/// For each hyper-parameter the places of some of its values; `None` for all.
type Among = Vec<Option<Vec<usize>>>;

/// Where vectors break the same requirement at the same place.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// Every vector of each of them is invalid, most of them for this.
    pub boxes: Vec<Among>,
    /// How many vectors that break it lie in none of them.
    pub rest: u128,
}

/// More boxes than this are no description.
const MOST_BOXES: usize = 4;
/// Values that are tried one by one; of longer ranges only halves are.
const MOST_VALUES: usize = 64;
/// Edges that may be visited for one requirement.
const WORK: usize = 100_000_000;

struct Search<'s> {
    sweep: &'s Sweep,
    is_it: &'s dyn Fn(&Cause) -> bool,
    /// Counts that may still be taken.
    left: usize,
}

impl Sweep {
    /// Describes where some causes strike, of which one vector is given.
    pub fn regions(&self, is_it: &dyn Fn(&Cause) -> bool, example: &[usize]) -> Regions {
        let (parts, edges) = self.size();
        let mut search = Search { sweep: self, is_it, left: WORK / (parts * 20 + edges).max(1) };
        search.regions(example)
    }
}

impl Search<'_> {
    fn census(&mut self, among: &Among) -> Option<Census> {
        self.left = self.left.checked_sub(1)?;
        Some(self.sweep.census_where(among))
    }
    fn count(&self, census: &Census) -> u128 {
        census.invalid.iter().filter(|tally| (self.is_it)(&tally.cause)).map(|tally| tally.count).sum()
    }

    fn regions(&mut self, example: &[usize]) -> Regions {
        let mut found = Regions::default();
        // What is not described yet.
        let mut open: Vec<Among> = vec![vec![None; example.len()]];
        let mut example = Some(example.to_vec());
        while let Some(vector) = example.take() {
            let Some(region) = self.around(&vector) else { break };
            open = open.iter().flat_map(|held| without(held, &region, &self.sweep.space)).collect();
            found.boxes.push(region);
            found.rest = 0;
            for held in &open {
                let Some(census) = self.census(held) else { break };
                found.rest += self.count(&census);
                let tally = census.invalid.iter().find(|tally| (self.is_it)(&tally.cause));
                example = example.or_else(|| tally.map(|tally| tally.example.clone()));
            }
            if found.boxes.len() == MOST_BOXES || self.left == 0 {
                break;
            }
        }
        found
    }

    /// A box around a vector in which no vector is valid: what is not to blame is left open, and the rest is as wide as
    /// it can be.
    fn around(&mut self, vector: &[usize]) -> Option<Among> {
        let mut among: Among = vector.iter().map(|&place| Some(vec![place])).collect();
        let first = self.census(&among)?;
        let condition = first.invalid.first().map(|tally| tally.cause.condition.clone()).unwrap_or_default();
        let mut order: Vec<usize> = (0..vector.len()).collect();
        order.sort_by_key(|&place| is_mentioned(&condition, &self.sweep.space.parameters[place].name));
        for is_alone in [true, false] {
            for &place in &order {
                let Some(held) = among[place].take() else { continue };
                let census = self.census(&among)?;
                let is_free = is_hopeless(&census)
                    && match is_alone {
                        true => self.count(&census) == census.invalid(),
                        false => self.has_no_say(&among, place)?,
                    };
                if !is_free {
                    among[place] = Some(held);
                }
            }
        }
        for &place in &order {
            if among[place].is_some() {
                self.widen(&mut among, place, vector[place])?;
            }
        }
        Some(among)
    }
    /// Whether every value of a hyper-parameter breaks the same in a box, or could not be chosen anywhere.
    fn has_no_say(&mut self, among: &Among, parameter: usize) -> Option<bool> {
        let values = self.sweep.space.parameters[parameter].values.len();
        if values > MOST_VALUES {
            return Some(true);
        }
        for place in 0..values {
            let mut one = among.clone();
            one[parameter] = Some(vec![place]);
            let census = self.census(&one)?;
            if self.count(&census) > 0 {
                continue;
            }
            let mut alone: Among = vec![None; among.len()];
            alone[parameter] = Some(vec![place]);
            if !is_hopeless(&self.census(&alone)?) {
                return Some(false);
            }
        }
        Some(true)
    }
    /// Adds values of a hyper-parameter that break the same.
    fn widen(&mut self, among: &mut Among, parameter: usize, own: usize) -> Option<()> {
        let values = self.sweep.space.parameters[parameter].values.len();
        if values <= MOST_VALUES {
            let mut kept = Vec::new();
            for place in 0..values {
                let breaks = place == own || self.breaks(among, parameter, place..place + 1)?;
                kept.extend(breaks.then_some(place));
            }
            among[parameter] = Some(kept);
            return Some(());
        }
        let (mut low, mut high) = (own, own);
        for is_down in [true, false] {
            let mut step = if is_down { own } else { values - 1 - own };
            while step > 0 {
                let more = if is_down {
                    low.saturating_sub(step)..low
                } else {
                    high + 1..(high + 1 + step).min(values)
                };
                if !more.is_empty() && self.breaks(among, parameter, more.clone())? {
                    if is_down { low = more.start } else { high = more.end - 1 }
                } else {
                    step /= 2;
                }
            }
        }
        among[parameter] = Some((low..=high).collect());
        Some(())
    }
    /// Whether values of a hyper-parameter break the same, and no vector with them is valid.
    fn breaks(
        &mut self,
        among: &mut Among,
        parameter: usize,
        places: std::ops::Range<usize>,
    ) -> Option<bool> {
        let held = among[parameter].replace(places.collect());
        let census = self.census(among);
        among[parameter] = held;
        census.map(|census| is_hopeless(&census) && self.count(&census) > 0)
    }
}

fn is_hopeless(census: &Census) -> bool {
    census.valid == 0 && census.unknown == 0
}

/// What a box has outside another one, in boxes.
fn without(held: &Among, region: &Among, space: &Space) -> Vec<Among> {
    let (mut found, mut inside) = (Vec::new(), held.clone());
    for (place, taken) in region.iter().enumerate() {
        let Some(taken) = taken else { continue };
        let all = || (0..space.parameters[place].values.len()).collect();
        let (kept, rest): (Vec<usize>, Vec<usize>) =
            held[place].clone().unwrap_or_else(all).into_iter().partition(|value| taken.contains(value));
        if !rest.is_empty() {
            let mut outside = inside.clone();
            outside[place] = Some(rest);
            found.push(outside);
        }
        if kept.is_empty() {
            return vec![held.clone()];
        }
        inside[place] = Some(kept);
    }
    found
}

/// A box in words: `kernel >= 5, norm = layer`.
pub fn words(space: &Space, region: &Among, example: &[usize]) -> String {
    let told = |(number, among): (usize, &Option<Vec<usize>>)| {
        let places = among.as_ref()?;
        let parameter = &space.parameters[number];
        let is_all = places.len() == parameter.values.len();
        (!is_all && space.is_active(number, example))
            .then(|| format!("{} {}", parameter.name, chosen(&parameter.values, places)))
    };
    let told: Vec<String> = region.iter().enumerate().filter_map(told).collect();
    if told.is_empty() { "whatever is chosen".into() } else { told.join(", ") }
}

/// Some of the values of a hyper-parameter: `= 3`, `>= 5`, `= relu or gelu`.
fn chosen(values: &[Choice], places: &[usize]) -> String {
    let (first, last) = (places[0], places[places.len() - 1]);
    let is_number = |value: &Choice| matches!(value, Choice::Int(_) | Choice::Float(_));
    let is_ordered = values.windows(2).all(|pair| match (&pair[0], &pair[1]) {
        (Choice::Int(a), Choice::Int(b)) => a < b,
        (Choice::Float(a), Choice::Float(b)) => a < b,
        _ => false,
    });
    if places.len() > 1 && is_ordered && is_number(&values[first]) && last - first + 1 == places.len() {
        return match (first, last + 1 == values.len()) {
            (0, _) => format!("<= {}", values[last]),
            (_, true) => format!(">= {}", values[first]),
            _ => format!("= {} to {}", values[first], values[last]),
        };
    }
    if places.len() > 2 && places.len() + 1 == values.len() {
        let left = (0..values.len()).find(|place| !places.contains(place)).unwrap_or(0);
        return format!("!= {}", values[left]);
    }
    let told: Vec<String> = places.iter().map(|&place| values[place].to_string()).collect();
    match told.split_last() {
        Some((last, others)) if !others.is_empty() => format!("= {} or {last}", others.join(", ")),
        _ => format!("= {}", told.join("")),
    }
}
