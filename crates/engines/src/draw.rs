//! Random numbers from a seed, the same on every machine.

use semantics::array::{Array, Data};
use semantics::dtype::{Class, Kind};

/// SplitMix64.
#[derive(Clone)]
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// An integer in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = high.saturating_sub(low).max(0) as u64;
        low.saturating_add((self.bits() % width.saturating_add(1)) as i64)
    }
    /// A position in a list of so many.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }
    pub fn chance(&mut self, percent: u64) -> bool {
        self.bits() % 100 < percent
    }
    pub fn pick<'t, T>(&mut self, choices: &'t [T]) -> Option<&'t T> {
        choices.get(self.below(choices.len()))
    }
    /// A float in `0..1`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
    /// Two numbers at which functions of floats change their ways, the lower first.
    pub fn corners(&mut self, kind: Kind) -> (f64, f64) {
        let most = kind.largest();
        let (tiny, edge) = (2.0 * kind.smallest_error(), most.ln());
        let all = [
            0.0,
            1.0,
            -1.0,
            0.5,
            -0.5,
            2.0,
            -3.0,
            edge,
            -edge,
            tiny,
            -tiny,
            1e-3,
            1e4,
            -1e4,
            most.sqrt(),
            most,
            -most,
        ];
        let mut corner = || kind.round(self.pick(&all).copied().unwrap_or(0.0));
        let (one, other) = (corner(), corner());
        (one.min(other), one.max(other))
    }
    /// An array whose floats lie between two numbers: at the ends, at zero, or anywhere.
    pub fn array_between(&mut self, kind: Kind, shape: &[usize], (low, high): (f64, f64)) -> Array {
        if kind.class() != Class::Float {
            return self.array(kind, shape);
        }
        let mut each = || match self.below(5) {
            0 => low,
            1 => high,
            2 => 0f64.clamp(low, high),
            _ => kind.round(low / 2.0 + high / 2.0 + (high / 2.0 - low / 2.0) * (2.0 * self.unit() - 1.0)),
        };
        let values = (0..shape.iter().product()).map(|_| each().clamp(low, high)).collect();
        Array::new(kind, shape.to_vec(), Data::Float(values))
    }
    /// A float in `-2..2`, a small integer (small enough to be an index), or a bool, for every element.
    pub fn array(&mut self, kind: Kind, shape: &[usize]) -> Array {
        let count = shape.iter().product();
        let float = |draw: &mut Draw| kind.round(4.0 * draw.unit() - 2.0);
        let data = match kind.class() {
            Class::Bool => Data::Bool((0..count).map(|_| self.chance(50)).collect()),
            Class::Int => Data::Int((0..count).map(|_| self.between(0, 2)).collect()),
            Class::Float => Data::Float((0..count).map(|_| float(self)).collect()),
            Class::Complex => Data::Complex((0..count).map(|_| [float(self), float(self)]).collect()),
            Class::Opaque => Data::Opaque(count),
        };
        Array::new(kind, shape.to_vec(), data)
    }
}
