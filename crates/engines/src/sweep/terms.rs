//! Expressions over hyper-parameters, computed for many vectors at once.
//!
//! Hyper-parameters have an order, and a term has a level: how many of them have to be known before it can be computed.
//! Sums and products are written from the first levels to the last, so that what the first hyper-parameters contribute
//! is one number: that is what lets vectors share their future.
//! The conventions are those of folding: division rounds down, `x // 0` is 0 and `x % 0` is `x`; what leaves 64 bits is
//! not known, and so is what depends on something that is no hyper-parameter.

use super::Course;
use rustc_hash::FxHashMap;
use solver::{Node, floor_div, floor_mod};

/// The number of a term.
pub type Term = u32;

/// In the place of a number that is not known.
pub const UNKNOWN: i64 = i64::MIN;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Constant(i64),
    /// The value of a hyper-parameter, by its place in the order.
    Value(u32),
    Add(Term, Term),
    Multiply(Term, Term),
    Divide(Term, Term),
    Modulo(Term, Term),
    Min(Term, Term),
    Max(Term, Term),
    Equal(Term, Term),
    AtMost(Term, Term),
    And(Term, Term),
    Or(Term, Term),
    Not(Term),
    Select(Term, Term, Term),
}

/// Terms, each once, after those it is made of.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    pub ops: Vec<Op>,
    /// Of each: one more than the place of the last hyper-parameter that it depends on; 0 for a constant.
    pub levels: Vec<u32>,
    known: FxHashMap<Op, Term>,
}

impl Terms {
    /// The statements of all steps of a course; `place` is where each hyper-parameter stands in the order.
    pub fn read(&mut self, course: &Course, place: &[u32]) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::with_capacity(course.nodes.len());
        for node in &course.nodes {
            let at = |part: &u32| terms[*part as usize];
            let term = match node {
                Node::Constant(value) => self.put(Op::Constant(*value)),
                Node::Leaf(leaf) => match course.leaves[*leaf as usize] {
                    Some(parameter) => self.put(Op::Value(place[parameter])),
                    None => self.put(Op::Constant(UNKNOWN)),
                },
                Node::Free(_) | Node::Opaque => self.put(Op::Constant(UNKNOWN)),
                Node::Sum { constant, terms: summands } => {
                    let summands: Vec<Term> = summands
                        .iter()
                        .map(|(coefficient, factors)| {
                            let factors: Vec<Term> = factors.iter().map(at).collect();
                            let first = self.put(Op::Constant(*coefficient));
                            self.chain(first, factors, Op::Multiply)
                        })
                        .collect();
                    let first = self.put(Op::Constant(*constant));
                    self.chain(first, summands, Op::Add)
                }
                Node::Div(a, b) => self.put(Op::Divide(at(a), at(b))),
                Node::Mod(a, b) => self.put(Op::Modulo(at(a), at(b))),
                Node::Min(a, b) => self.put(Op::Min(at(a), at(b))),
                Node::Max(a, b) => self.put(Op::Max(at(a), at(b))),
                Node::Select(p, a, b) => self.put(Op::Select(at(p), at(a), at(b))),
                Node::Equal(a, b) => self.put(Op::Equal(at(a), at(b))),
                Node::AtMost(a, b) => self.put(Op::AtMost(at(a), at(b))),
                Node::And(parts) => {
                    let parts = parts.iter().map(at).collect();
                    let first = self.put(Op::Constant(1));
                    self.chain(first, parts, Op::And)
                }
                Node::Or(parts) => {
                    let parts = parts.iter().map(at).collect();
                    let first = self.put(Op::Constant(0));
                    self.chain(first, parts, Op::Or)
                }
                Node::Not(part) => self.put(Op::Not(at(part))),
            };
            terms.push(term);
        }
        course.steps.iter().map(|step| terms[step.node as usize]).collect()
    }

    /// All parts together, those that are known first at the beginning.
    fn chain(&mut self, first: Term, mut parts: Vec<Term>, join: fn(Term, Term) -> Op) -> Term {
        parts.sort_by_key(|&part| self.levels[part as usize]);
        parts.into_iter().fold(first, |sum, part| self.put(join(sum, part)))
    }

    fn put(&mut self, op: Op) -> Term {
        if let Some(same) = self.plain(op) {
            return same;
        }
        if let Some(&known) = self.known.get(&op) {
            return known;
        }
        let level = match op {
            Op::Value(place) => place + 1,
            op => inner(op).map(|part| self.levels[part as usize]).max().unwrap_or(0),
        };
        self.ops.push(op);
        self.levels.push(level);
        let term = (self.ops.len() - 1) as Term;
        self.known.insert(op, term);
        term
    }

    /// A term that says the same as this one and is there already, or can be told outright.
    fn plain(&mut self, op: Op) -> Option<Term> {
        let constant = |term: Term| match self.ops[term as usize] {
            Op::Constant(value) => Some(value),
            _ => None,
        };
        match op {
            Op::Constant(_) | Op::Value(_) => return None,
            Op::Add(a, b) if constant(a) == Some(0) => return Some(b),
            Op::Multiply(a, b) if constant(a) == Some(1) => return Some(b),
            Op::And(a, b) if constant(a) == Some(1) => return Some(b),
            Op::Or(a, b) if constant(a) == Some(0) => return Some(b),
            _ => {}
        }
        let values: Vec<i64> = inner(op).map(constant).collect::<Option<_>>()?;
        let value = compute(op, |part| {
            let place = inner(op).position(|inner| inner == part).unwrap_or(0);
            values[place]
        });
        Some(self.put(Op::Constant(value)))
    }

    /// Computes a term for many vectors.
    pub fn column(&self, term: Term, columns: &Columns, length: usize) -> Vec<i64> {
        let at = |part: Term| columns.of(part);
        let two = |a: Term, b: Term, f: fn(i64, i64) -> i64| -> Vec<i64> {
            match (at(a), at(b)) {
                (Values::Each(a), Values::Each(b)) => a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect(),
                (Values::Each(a), Values::All(b)) => a.iter().map(|&a| f(a, b)).collect(),
                (Values::All(a), Values::Each(b)) => b.iter().map(|&b| f(a, b)).collect(),
                (Values::All(a), Values::All(b)) => vec![f(a, b); length],
            }
        };
        match self.ops[term as usize] {
            Op::Constant(value) => vec![value; length],
            Op::Value(_) => columns.value.to_vec(),
            Op::Add(a, b) => two(a, b, add),
            Op::Multiply(a, b) => two(a, b, multiply),
            Op::Divide(a, b) => two(a, b, divide),
            Op::Modulo(a, b) => two(a, b, modulo),
            Op::Min(a, b) => two(a, b, least),
            Op::Max(a, b) => two(a, b, greatest),
            Op::Equal(a, b) => two(a, b, equal),
            Op::AtMost(a, b) => two(a, b, at_most),
            Op::And(a, b) => two(a, b, and),
            Op::Or(a, b) => two(a, b, or),
            Op::Not(_) | Op::Select(..) => {
                let op = self.ops[term as usize];
                (0..length).map(|row| compute(op, |part| at(part).at(row))).collect()
            }
        }
    }
    /// Computes all terms for one vector, of which the values are given in the order.
    pub fn at(&self, vector: &[i64]) -> Vec<i64> {
        let mut values: Vec<i64> = Vec::with_capacity(self.ops.len());
        for &op in &self.ops {
            let value = match op {
                Op::Value(place) => vector[place as usize],
                op => compute(op, |part| values[part as usize]),
            };
            values.push(value);
        }
        values
    }
}

/// What a term is made of.
pub fn inner(op: Op) -> impl Iterator<Item = Term> {
    let parts = match op {
        Op::Constant(_) | Op::Value(_) => [None; 3],
        Op::Add(a, b)
        | Op::Multiply(a, b)
        | Op::Divide(a, b)
        | Op::Modulo(a, b)
        | Op::Min(a, b)
        | Op::Max(a, b)
        | Op::Equal(a, b)
        | Op::AtMost(a, b)
        | Op::And(a, b)
        | Op::Or(a, b) => [Some(a), Some(b), None],
        Op::Not(a) => [Some(a), None, None],
        Op::Select(p, a, b) => [Some(p), Some(a), Some(b)],
    };
    parts.into_iter().flatten()
}

/// The terms that are known for some vectors.
pub struct Columns<'c> {
    /// The values of the hyper-parameter at hand.
    pub value: &'c [i64],
    /// Where each term's values are.
    pub places: &'c [Option<usize>],
    pub columns: Vec<Vec<i64>>,
    pub ops: &'c [Op],
}

enum Values<'c> {
    Each(&'c [i64]),
    All(i64),
}

impl Values<'_> {
    fn at(&self, row: usize) -> i64 {
        match self {
            Values::Each(values) => values[row],
            Values::All(value) => *value,
        }
    }
}

impl Columns<'_> {
    fn of(&self, term: Term) -> Values<'_> {
        match self.ops[term as usize] {
            Op::Constant(value) => Values::All(value),
            _ => Values::Each(self.get(term)),
        }
    }
    pub fn get(&self, term: Term) -> &[i64] {
        self.places[term as usize].map_or(&[], |place| &self.columns[place])
    }
}

fn compute(op: Op, at: impl Fn(Term) -> i64) -> i64 {
    match op {
        Op::Constant(value) => value,
        Op::Value(_) => UNKNOWN,
        Op::Add(a, b) => add(at(a), at(b)),
        Op::Multiply(a, b) => multiply(at(a), at(b)),
        Op::Divide(a, b) => divide(at(a), at(b)),
        Op::Modulo(a, b) => modulo(at(a), at(b)),
        Op::Min(a, b) => least(at(a), at(b)),
        Op::Max(a, b) => greatest(at(a), at(b)),
        Op::Equal(a, b) => equal(at(a), at(b)),
        Op::AtMost(a, b) => at_most(at(a), at(b)),
        Op::And(a, b) => and(at(a), at(b)),
        Op::Or(a, b) => or(at(a), at(b)),
        Op::Not(a) => match at(a) {
            UNKNOWN => UNKNOWN,
            truth => i64::from(truth == 0),
        },
        Op::Select(p, a, b) => match at(p) {
            UNKNOWN => UNKNOWN,
            0 => at(b),
            _ => at(a),
        },
    }
}

fn known(a: i64, b: i64, f: impl Fn(i64, i64) -> Option<i64>) -> i64 {
    if a == UNKNOWN || b == UNKNOWN { UNKNOWN } else { f(a, b).unwrap_or(UNKNOWN) }
}
fn add(a: i64, b: i64) -> i64 {
    known(a, b, i64::checked_add)
}
fn multiply(a: i64, b: i64) -> i64 {
    // Nothing times something unknown is still not known: the unknown may be no number at all.
    known(a, b, i64::checked_mul)
}
fn divide(a: i64, b: i64) -> i64 {
    known(a, b, floor_div)
}
fn modulo(a: i64, b: i64) -> i64 {
    known(a, b, floor_mod)
}
fn least(a: i64, b: i64) -> i64 {
    known(a, b, |a, b| Some(a.min(b)))
}
fn greatest(a: i64, b: i64) -> i64 {
    known(a, b, |a, b| Some(a.max(b)))
}
fn equal(a: i64, b: i64) -> i64 {
    known(a, b, |a, b| Some((a == b).into()))
}
fn at_most(a: i64, b: i64) -> i64 {
    known(a, b, |a, b| Some((a <= b).into()))
}
/// One false part decides, whatever the other is.
fn and(a: i64, b: i64) -> i64 {
    if a == 0 || b == 0 { 0 } else { known(a, b, |_, _| Some(1)) }
}
fn or(a: i64, b: i64) -> i64 {
    let holds = |truth: i64| truth != 0 && truth != UNKNOWN;
    if holds(a) || holds(b) { 1 } else { known(a, b, |_, _| Some(0)) }
}
