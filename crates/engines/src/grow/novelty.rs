//! Which choices for the arguments of one layer were made together: of several draws the one is taken that shows the
//! most that is new. Many bugs need two arguments at once, and there are too many pairs to leave them to chance.

use smallvec::SmallVec;

/// One thing that is true of a call: a parameter has one of its choices, or what it is called on is so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Fact(u32);

pub(super) type Facts = SmallVec<[Fact; 24]>;

/// How often two facts came together, in sixteenths of a valid call. Pairs share counters now and then: what is counted
/// too often is merely less new.
pub(super) struct Novelty {
    together: Box<[u16; COUNTERS]>,
}

const COUNTERS: usize = 4096;
/// What a valid call counts; one that is not valid counts one, so that pairs that exclude each other are given up.
const VALID: u16 = 16;

impl Default for Novelty {
    fn default() -> Novelty {
        Novelty { together: Box::new([0; COUNTERS]) }
    }
}

impl Fact {
    /// `place` is a parameter or, behind all of them, something else that calls differ in.
    pub fn new(place: usize, choice: usize) -> Fact {
        Fact((place << 9 | choice) as u32)
    }
}

impl Novelty {
    /// How much is new in facts that are true together.
    pub fn of(&self, facts: &[Fact]) -> f32 {
        let new = |counter: usize| f32::from(VALID) / (f32::from(VALID) + f32::from(self.together[counter]));
        pairs(facts).map(new).sum()
    }

    pub fn note(&mut self, facts: &[Fact], worked: bool) {
        let more = if worked { VALID } else { 1 };
        for counter in pairs(facts) {
            self.together[counter] = self.together[counter].saturating_add(more);
        }
    }
}

/// The counter of each pair.
fn pairs(facts: &[Fact]) -> impl Iterator<Item = usize> {
    let mixed = |a: Fact, b: Fact| {
        let mixed = a.0.wrapping_mul(0x9e37_79b1) ^ b.0.wrapping_mul(0x85eb_ca77).rotate_left(13);
        (mixed.wrapping_mul(0xc2b2_ae35) >> 20) as usize % COUNTERS
    };
    let each = facts.iter().enumerate();
    each.flat_map(move |(at, a)| facts[..at].iter().map(move |b| mixed(*a, *b)))
}
