//! Random statements over a few symbols with small ranges, as trees that can be evaluated directly:
//! an account of the truth that shares nothing with `semantics` or the solver.
#![allow(dead_code, reason = "each test file uses a part of it")]

use semantics::dim::Dim;
use semantics::prop::Prop;

/// SplitMix64: small, fast, the same everywhere.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }
}

#[derive(Clone, Debug)]
pub enum Int {
    Number(i64),
    Symbol(usize),
    Add(Box<Int>, Box<Int>),
    Sub(Box<Int>, Box<Int>),
    Mul(Box<Int>, Box<Int>),
    Div(Box<Int>, Box<Int>),
    Mod(Box<Int>, Box<Int>),
    Min(Box<Int>, Box<Int>),
    Max(Box<Int>, Box<Int>),
    Select(Box<Bool>, Box<Int>, Box<Int>),
}

#[derive(Clone, Debug)]
pub enum Bool {
    Equal(Int, Int),
    AtMost(Int, Int),
    Divides(Int, Int),
    And(Box<Bool>, Box<Bool>),
    Or(Box<Bool>, Box<Bool>),
    Not(Box<Bool>),
    Free(usize),
}

impl Int {
    pub fn build(&self, symbols: &[Dim], free: &[Prop]) -> Dim {
        let b = |x: &Int| x.build(symbols, free);
        match self {
            Int::Number(value) => (*value).into(),
            Int::Symbol(at) => symbols[*at],
            Int::Add(x, y) => b(x) + b(y),
            Int::Sub(x, y) => b(x) - b(y),
            Int::Mul(x, y) => b(x) * b(y),
            Int::Div(x, y) => b(x).div_floor(b(y)),
            Int::Mod(x, y) => b(x).modulo(b(y)),
            Int::Min(x, y) => b(x).min(b(y)),
            Int::Max(x, y) => b(x).max(b(y)),
            Int::Select(p, x, y) => Dim::select(p.build(symbols, free), b(x), b(y)),
        }
    }
    pub fn value(&self, symbols: &[i64], free: &[bool]) -> i64 {
        let v = |x: &Int| x.value(symbols, free);
        match self {
            Int::Number(value) => *value,
            Int::Symbol(at) => symbols[*at],
            Int::Add(x, y) => v(x) + v(y),
            Int::Sub(x, y) => v(x) - v(y),
            Int::Mul(x, y) => v(x) * v(y),
            Int::Div(x, y) => match v(y) {
                0 => 0,
                y => (v(x) as f64 / y as f64).floor() as i64,
            },
            Int::Mod(x, y) => match v(y) {
                0 => v(x),
                y => v(x) - y * (v(x) as f64 / y as f64).floor() as i64,
            },
            Int::Min(x, y) => v(x).min(v(y)),
            Int::Max(x, y) => v(x).max(v(y)),
            Int::Select(p, x, y) => {
                if p.truth(symbols, free) {
                    v(x)
                } else {
                    v(y)
                }
            }
        }
    }
}

impl Bool {
    pub fn build(&self, symbols: &[Dim], free: &[Prop]) -> Prop {
        let b = |x: &Bool| x.build(symbols, free);
        let i = |x: &Int| x.build(symbols, free);
        match self {
            Bool::Equal(x, y) => i(x).eq(i(y)),
            Bool::AtMost(x, y) => i(x).le(i(y)),
            Bool::Divides(x, y) => i(x).divides(i(y)),
            Bool::And(x, y) => b(x) & b(y),
            Bool::Or(x, y) => b(x) | b(y),
            Bool::Not(x) => !b(x),
            Bool::Free(at) => free[*at],
        }
    }
    pub fn truth(&self, symbols: &[i64], free: &[bool]) -> bool {
        let b = |x: &Bool| x.truth(symbols, free);
        let i = |x: &Int| x.value(symbols, free);
        match self {
            Bool::Equal(x, y) => i(x) == i(y),
            Bool::AtMost(x, y) => i(x) <= i(y),
            Bool::Divides(x, y) => {
                Int::Mod(Box::new(y.clone()), Box::new(x.clone())).value(symbols, free) == 0
            }
            Bool::And(x, y) => b(x) && b(y),
            Bool::Or(x, y) => b(x) || b(y),
            Bool::Not(x) => !b(x),
            Bool::Free(at) => free[*at],
        }
    }
}

pub struct Source {
    pub rng: Rng,
    pub symbols: usize,
    pub free: usize,
}

impl Source {
    pub fn int(&mut self, depth: u32) -> Int {
        if depth == 0 || self.rng.below(5) == 0 {
            return if self.rng.below(3) == 0 {
                Int::Number(self.rng.between(-3, 9))
            } else {
                Int::Symbol(self.rng.below(self.symbols as u64) as usize)
            };
        }
        let kind = self.rng.below(14);
        let x = Box::new(self.int(depth - 1));
        if matches!(kind, 7..=10) && self.rng.below(4) > 0 {
            let by = Box::new(Int::Number(self.rng.between(1, 6)));
            return if kind <= 8 { Int::Div(x, by) } else { Int::Mod(x, by) };
        }
        let y = Box::new(self.int(depth - 1));
        match kind {
            0..=2 => Int::Add(x, y),
            3 | 4 => Int::Sub(x, y),
            5 | 6 => Int::Mul(x, y),
            7 | 8 => Int::Div(x, y),
            9 | 10 => Int::Mod(x, y),
            11 => Int::Min(x, y),
            12 => Int::Max(x, y),
            _ => Int::Select(Box::new(self.bool(1)), x, y),
        }
    }
    pub fn bool(&mut self, depth: u32) -> Bool {
        let kind = if depth == 0 { self.rng.below(8) } else { self.rng.below(13) };
        if kind == 8 && self.free > 0 {
            return Bool::Free(self.rng.below(self.free as u64) as usize);
        }
        match kind {
            0..=2 => Bool::Equal(self.int(2), self.int(2)),
            3..=6 => Bool::AtMost(self.int(2), self.int(2)),
            7 | 8 => Bool::Divides(Int::Number(self.rng.between(2, 5)), self.int(2)),
            9 | 10 => Bool::And(Box::new(self.bool(depth - 1)), Box::new(self.bool(depth - 1))),
            11 => Bool::Or(Box::new(self.bool(depth - 1)), Box::new(self.bool(depth - 1))),
            _ => Bool::Not(Box::new(self.bool(depth - 1))),
        }
    }
}

/// Calls `visit` for every assignment of symbols in their ranges and of free statements.
pub fn for_all(ranges: &[(i64, i64)], free: usize, visit: &mut dyn FnMut(&[i64], &[bool])) {
    let mut values: Vec<i64> = ranges.iter().map(|range| range.0).collect();
    loop {
        for choice in 0..1u32 << free {
            let truths: Vec<bool> = (0..free).map(|at| choice >> at & 1 == 1).collect();
            visit(&values, &truths);
        }
        let Some(at) = (0..values.len()).find(|&at| values[at] < ranges[at].1) else { return };
        values[at] += 1;
        for before in 0..at {
            values[before] = ranges[before].0;
        }
    }
}
