//! What a layer reads besides its first value: how many tensors, of which rank and from where, drawn by what the
//! definition accepted before.

use super::odds::{Odds, pick_evenly, weighted};
use super::sketch::{Operand, Sketch};
use super::{HIGHEST_RANK, Options};
use crate::draw::Draw;
use layers::layer::Layer;
use semantics::dtype::Kind;
use semantics::operator::{Arity, Input};
use smallvec::SmallVec;

/// How many tensors at most are drawn for one input of a signature.
const MOST: usize = 3;
/// Ranks that are drawn: from one to the highest.
const RANKS: usize = HIGHEST_RANK;
/// Of a hundred calls, so many get at most one kind of tensor that can be left out.
const ALONE: u64 = 60;
/// Of a hundred draws of how many tensors there are, so many do not look at what worked.
const ANY_COUNT: u64 = 30;
/// Of a hundred ranks, so many do not look at what worked.
const ANY_RANK: u64 = 5;
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
    /// By rank, and by rank less that of the first value: some have always the same, some go with the first.
    ranks: [Odds; RANKS],
    relative: [Odds; 2 * RANKS + 1],
}

/// What was drawn.
pub(super) struct Picked {
    /// The rank of the first value.
    rank: usize,
    /// Per place, which of its counts and which ranks.
    places: SmallVec<[(usize, SmallVec<[usize; 4]>); 2]>,
}

/// Where tensors come from.
pub(super) struct Around<'a> {
    pub sketch: &'a Sketch,
    pub options: &'a Options,
}

/// The tensors of a call, by input.
type Operands = Vec<(usize, SmallVec<[Operand; 2]>)>;

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
            let mut relative = [Odds::UNLIKELY; 2 * RANKS + 1];
            relative[RANKS - usize::from(input.name.ends_with("mask"))] = Odds::LIKELY;
            let ranks = [Odds::default(); RANKS];
            let quoted = format!("`{}`", input.name);
            Some(Place { slot, input, quoted, least, counts, ranks, relative })
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

    /// Whether a label names any of them.
    pub fn is_named(&self, label: &str) -> bool {
        self.places.iter().any(|place| place.is_named(label))
    }

    /// Adds tensors to the first operand.
    pub fn draw(&self, operands: &mut Operands, around: &Around, draw: &mut Draw) -> Picked {
        // Of what can be left out often only one thing is given, so that each is known by its own merits.
        let alone = draw.chance(ALONE).then(|| draw.below(self.places.len()));
        let mut picked =
            Picked { rank: around.sketch.sizes(&operands[0].1[0]).len(), places: SmallVec::new() };
        for (number, place) in self.places.iter().enumerate() {
            let is_left_out =
                place.least == 0 && place.slot > 0 && alone.is_some_and(|alone| alone != number);
            let choice = match is_left_out {
                true => 0,
                // What seldom fits is not given up: it may be the sizes that have to be right.
                false if draw.chance(ANY_COUNT) => draw.below(place.counts.len()),
                false => pick_evenly(&place.counts, draw),
            };
            picked.places.push((choice, place.fill(choice, operands, around, draw)));
        }
        picked
    }

    /// Draws others, as many as before, in the places that a broken requirement names, or in all if it names none;
    /// takes note that these did not fit.
    pub fn redraw(
        &mut self,
        picked: &mut Picked,
        label: Option<&str>,
        operands: &mut Operands,
        around: &Around,
        draw: &mut Draw,
    ) {
        let named = |place: &Place| label.is_some_and(|label| place.is_named(label));
        let any = label.is_some_and(|label| self.is_named(label));
        for (place, own) in self.places.iter_mut().zip(&mut picked.places) {
            if !any || named(place) {
                place.note(picked.rank, own, false);
                own.1 = place.fill(own.0, operands, around, draw);
            }
        }
    }

    /// Takes note that it was part of a valid call.
    pub fn worked(&mut self, picked: &Picked) {
        for (place, own) in self.places.iter_mut().zip(&picked.places) {
            place.note(picked.rank, own, true);
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
    fn note(&mut self, first: usize, (choice, ranks): &(usize, SmallVec<[usize; 4]>), worked: bool) {
        self.counts[*choice].note(worked);
        for &rank in ranks {
            self.ranks[rank - 1].note(worked);
            self.relative[RANKS + rank - first.min(RANKS)].note(worked);
        }
    }

    /// A rank to go with a first value of that rank.
    fn rank(&self, first: usize, draw: &mut Draw) -> usize {
        // Until one has worked, failures may be those of sizes.
        let is_known = self.ranks.iter().any(|odds| odds.worked());
        if draw.chance(if is_known { ANY_RANK } else { 50 }) {
            return 1 + draw.below(RANKS);
        }
        let weight = |rank: usize| {
            self.ranks[rank - 1].weight() * self.relative[RANKS + rank - first.min(RANKS)].weight()
        };
        1 + weighted((1..=RANKS).map(weight), draw)
    }

    /// Puts so many tensors there, instead of those that are; gives their ranks.
    fn fill(
        &self,
        choice: usize,
        operands: &mut Operands,
        around: &Around,
        draw: &mut Draw,
    ) -> SmallVec<[usize; 4]> {
        let Around { sketch, options } = around;
        match self.slot {
            0 => operands[0].1.truncate(1),
            slot => operands.retain(|(other, _)| *other != slot),
        }
        let first = &operands[0].1[0];
        let (kind, sizes) = (sketch.kind_of(first), sketch.sizes(first));
        let kinds = [kind, sketch.kind, options.integers, Kind::Bool];
        let kind = kinds.into_iter().find(|kind| self.takes(*kind)).unwrap_or(kind);
        let mut ranks: SmallVec<[usize; 4]> = SmallVec::new();
        for _ in 0..self.least + choice {
            let alike = ranks.first().copied().filter(|_| draw.chance(ALIKE));
            let rank = alike.unwrap_or_else(|| self.rank(sizes.len(), draw));
            ranks.push(rank);
            let other = other(kind, rank, &sizes, around, draw);
            match operands.iter_mut().find(|(slot, _)| *slot == self.slot) {
                Some((_, operands)) => operands.push(other),
                None => operands.push((self.slot, smallvec::smallvec![other])),
            }
        }
        ranks
    }
}

/// A value of that rank to go with one of these sizes: one that is there, or a new input that looks like it.
fn other(
    kind: Kind,
    rank: usize,
    sizes: &[i64],
    Around { sketch, options }: &Around,
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
        shape.push(draw.between(1, options.largest_size) as usize);
    }
    if draw.chance(25) {
        shape.iter_mut().skip(1).for_each(|size| *size = if draw.chance(50) { 1 } else { *size });
    }
    // What is empty along one axis may be long along others, and such sizes make a huge tensor if nothing is empty.
    let is_large = |shape: &[usize]| {
        shape.iter().fold(1usize, |count, size| count.saturating_mul(*size)) as i64 > options.most_elements
    };
    while is_large(&shape)
        && let Some(longest) = shape.iter_mut().max()
    {
        *longest = 1;
    }
    Operand::Fresh(draw.array(kind, &shape))
}
