//! What grown models have covered: layers, arguments, and which layer reads which.

/// Counted per layer, in the order of the list of layers.
pub struct Coverage {
    layers: usize,
    /// Calls of each layer.
    pub calls: Vec<u32>,
    /// Per layer and parameter, how often it was given.
    pub given: Vec<Vec<u32>>,
    /// Calls on values that came with a mask which takes some away and leaves some.
    pub masked: Vec<u32>,
    /// How often the second reads what the first gives.
    pairs: Vec<u32>,
    /// The forms of values that a layer gave, and took first, as bits.
    gives: Vec<u32>,
    takes: Vec<u32>,
}

/// The rank of a value and whether it holds floats, as a small number.
pub(super) const FORMS: usize = 16;
pub(super) fn form(rank: usize, is_float: bool) -> usize {
    rank.min(7) + if is_float { 0 } else { 8 }
}

impl Coverage {
    pub(super) fn new(parameters: impl Iterator<Item = usize>) -> Coverage {
        let given: Vec<Vec<u32>> = parameters.map(|count| vec![0; count]).collect();
        let layers = given.len();
        Coverage {
            layers,
            calls: vec![0; layers],
            given,
            masked: vec![0; layers],
            pairs: vec![0; layers * layers],
            gives: vec![0; layers],
            takes: vec![0; layers],
        }
    }
    pub(super) fn called(&mut self, layer: usize, takes: usize, gives: usize) {
        self.calls[layer] += 1;
        self.takes[layer] |= 1 << takes;
        self.gives[layer] |= 1 << gives;
    }
    pub(super) fn read(&mut self, from: usize, by: usize) {
        self.pairs[from * self.layers + by] += 1;
    }
    pub fn has_read(&self, from: usize, by: usize) -> bool {
        self.pairs[from * self.layers + by] > 0
    }
    /// Whether one gave a value of a form that the other took, in whatever model.
    pub fn can_read(&self, from: usize, by: usize) -> bool {
        self.gives[from] & self.takes[by] != 0
    }
    /// How many ordered pairs of layers occurred, and how many could.
    pub fn pairs(&self) -> (usize, usize) {
        let all = || (0..self.layers).flat_map(|from| (0..self.layers).map(move |by| (from, by)));
        let occurred = all().filter(|&(from, by)| self.has_read(from, by)).count();
        (occurred, all().filter(|&(from, by)| self.can_read(from, by) || self.has_read(from, by)).count())
    }
}
