//! What a layer reads besides its first value: how many tensors, of which rank and from where, drawn by what the
//! definition accepted before.

use super::odds::{Odds, pick};
use super::sketch::{Operand, Sketch};
use super::{HIGHEST_RANK, Options};
use crate::draw::Draw;
use layers::layer::Layer;
use semantics::dtype::Kind;
use semantics::operator::{Arity, Input};
use smallvec::SmallVec;

/// How many tensors at most are drawn for one input of a signature.
const MOST: usize = 3;
/// Ranks that are drawn, compared with that of the first value.
const LOWEST: i64 = -3;
const RANKS: usize = 6;
/// Of a hundred calls, so many get at most one kind of tensor that can be left out.
const ALONE: u64 = 60;
/// Of a hundred tensors of one list, so many have the rank of the first of them.
const ALIKE: u64 = 85;
/// Of a hundred new inputs, so many have the sizes after the batch the other way round.
const REVERSED: u64 = 15;

/// What goes with the first value of one layer.
pub(super) struct Company {
    places: Vec<Place>,
}

struct Place {
    slot: usize,
    input: &'static Input,
    /// Its name as labels have it.
    quoted: String,
    /// How many there are at least, and the odds from there on.
    least: usize,
    counts: SmallVec<[Odds; 4]>,
    ranks: [Odds; RANKS],
}

/// Per place, how many were drawn and of which ranks.
pub(super) type Picked = SmallVec<[(usize, SmallVec<[usize; 4]>); 2]>;

impl Company {
    pub fn new(layer: &'static Layer) -> Company {
        let inputs = layer.operator.inputs.iter().enumerate();
        // Masks come with the values, and may be given besides.
        let inputs = inputs.filter(|(_, input)| layer.is_given(input.name));
        let places = inputs.filter_map(|(slot, input)| {
            let (least, most) = match (slot, input.arity) {
                (0, Arity::Variadic) => (0, MOST),
                (0, _) => return None,
                (_, Arity::One) => (1, 1),
                (_, Arity::Optional) => (0, 1),
                (_, Arity::Any) => (0, MOST),
                (_, Arity::Variadic) => (1, MOST),
            };
            let counts = (least..=most).map(|_| Odds::default()).collect();
            // Tensors that go together mostly have one rank; a mask says something of whole rows.
            let mut ranks = [Odds::UNLIKELY; RANKS];
            ranks[(if input.name.ends_with("mask") { -1 } else { 0 } - LOWEST) as usize] = Odds::LIKELY;
            let quoted = format!("`{}`", input.name);
            Some(Place { slot, input, quoted, least, counts, ranks })
        });
        Company { places: places.collect() }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether no call goes without any.
    pub fn is_needed(&self) -> bool {
        self.places.iter().any(|place| place.least > 0 || place.slot == 0)
    }

    /// Adds what goes with the first operand.
    pub fn draw(
        &self,
        operands: &mut Vec<(usize, SmallVec<[Operand; 2]>)>,
        sketch: &Sketch,
        options: &Options,
        draw: &mut Draw,
    ) -> Picked {
        operands.truncate(1);
        operands[0].1.truncate(1);
        let (kind, sizes) = (sketch.kind_of(&operands[0].1[0]), sketch.sizes(&operands[0].1[0]));
        let mut picked = Picked::new();
        // Of what can be left out often only one thing is given, so that each is known by its own merits.
        let alone = draw.chance(ALONE).then(|| draw.below(self.places.len()));
        for (number, place) in self.places.iter().enumerate() {
            let is_left_out =
                place.least == 0 && place.slot > 0 && alone.is_some_and(|alone| alone != number);
            let choice = if is_left_out { 0 } else { pick(&place.counts, draw) };
            let mut ranks: SmallVec<[usize; 4]> = SmallVec::new();
            for _ in 0..place.least + choice {
                let alike = ranks.first().copied().filter(|_| draw.chance(ALIKE));
                let rank = alike.unwrap_or_else(|| pick(&place.ranks, draw));
                ranks.push(rank);
                let kinds = [kind, sketch.kind, options.integers, Kind::Bool];
                let kind = kinds.into_iter().find(|kind| place.takes(*kind)).unwrap_or(kind);
                let rank = (sizes.len() as i64 + LOWEST + rank as i64).clamp(1, HIGHEST_RANK as i64) as usize;
                let other = other(kind, rank, &sizes, sketch, options.largest_size, draw);
                match operands.iter_mut().find(|(slot, _)| *slot == place.slot) {
                    Some((_, operands)) => operands.push(other),
                    None => operands.push((place.slot, smallvec::smallvec![other])),
                }
            }
            picked.push((choice, ranks));
        }
        picked
    }

    /// Takes note that it was part of a valid call.
    pub fn worked(&mut self, picked: &Picked) {
        for (place, picked) in self.places.iter_mut().zip(picked) {
            place.note(picked, true);
        }
    }
    /// Takes note that it was not: of what the broken requirement names, or of all if it names nothing.
    pub fn failed(&mut self, picked: &Picked, label: Option<&str>) {
        let named = |place: &Place| label.is_some_and(|label| place.is_named(label));
        let any = self.places.iter().any(named);
        for (place, picked) in self.places.iter_mut().zip(picked) {
            if !any || named(place) {
                place.note(picked, false);
            }
        }
    }
}

impl Place {
    fn takes(&self, kind: Kind) -> bool {
        self.input.types.kinds.contains(&kind)
    }
    fn is_mask(&self) -> bool {
        self.input.name.ends_with("mask")
    }
    fn is_named(&self, label: &str) -> bool {
        self.is_mask() && label.contains("mask") || label.contains(&self.quoted)
    }
    fn note(&mut self, (choice, ranks): &(usize, SmallVec<[usize; 4]>), worked: bool) {
        self.counts[*choice].note(worked);
        ranks.iter().for_each(|&rank| self.ranks[rank].note(worked));
    }
}

/// A value of that rank to go with one of these sizes: one that is there, or a new input that looks like it.
fn other(
    kind: Kind,
    rank: usize,
    sizes: &[i64],
    sketch: &Sketch,
    largest_size: i64,
    draw: &mut Draw,
) -> Operand {
    if draw.chance(60) {
        let same = draw.chance(70);
        let fits = |held: &super::sketch::Held| {
            held.kind == kind && held.sizes.len() == rank && (!same || held.sizes == sizes)
        };
        let found: SmallVec<[usize; 16]> =
            (0..sketch.held.len()).filter(|&at| fits(&sketch.held[at])).collect();
        if let Some(&at) = draw.pick(&found) {
            return Operand::Held(at);
        }
    }
    let mut shape: SmallVec<[usize; 6]> = sizes.iter().map(|&size| size as usize).collect();
    // Where axes of two tensors meet crosswise, one looks like the other from behind.
    if draw.chance(REVERSED) {
        shape
            .iter_mut()
            .skip(1)
            .zip(sizes.iter().skip(1).rev())
            .for_each(|(own, size)| *own = *size as usize);
    }
    // What has fewer axes mostly goes with the first ones.
    if draw.chance(50) {
        shape.truncate(rank);
    }
    while shape.len() > rank {
        shape.remove(draw.below(shape.len() - 1) + 1);
    }
    while shape.len() < rank {
        shape.push(draw.between(1, largest_size) as usize);
    }
    if draw.chance(25) {
        shape.iter_mut().skip(1).for_each(|size| *size = if draw.chance(50) { 1 } else { *size });
    }
    Operand::Fresh(draw.array(kind, &shape))
}
