//! The careful reader: one element at a time, only what is needed, in any number domain.
//!
//! It is the readable reference for compiled programs, and the judge of the lanes they leave in doubt.
//! Where rounding may decide a condition, an index or a whole number either way, every way is followed to
//! the end and the results are joined; one element keeps one decision in all its uses, so a coordinate and
//! the weight that belongs to it never disagree.

use super::begun;
use super::compile::{MOST_DEPTH, Surroundings};
use super::error::EvaluateError;
use super::number::Number;
use super::reading::Reading;
use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, AtomView, Dim, SymbolId};
use semantics::dtype::Class;
use semantics::element::{Element, ElementId, ElementView};
use semantics::prop::{Prop, PropView};
use semantics::scalar::{Binary, Unary};
use semantics::tensor::Tensor;
use std::rc::Rc;

/// More ways than this are not followed: nothing is known then.
const MOST_WAYS: usize = 64;
/// Elements visited for one tensor before giving up.
pub(super) const MOST_VISITS: u64 = 1 << 28;

/// What an element is read against.
pub(super) trait Tensors: Surroundings {
    fn reading(&self, tensor: Tensor) -> Option<Rc<Reading>>;
}

/// Why reading stopped.
#[derive(Debug)]
pub(super) enum Halt {
    /// This tensor must be evaluated first.
    Needs(Tensor),
    /// An index or a condition may be anything.
    Vague,
    Error(EvaluateError),
}

impl From<EvaluateError> for Halt {
    fn from(error: EvaluateError) -> Halt {
        Halt::Error(error)
    }
}

pub(super) struct Walker<'a, N> {
    around: &'a dyn Tensors,
    variables: FxHashMap<SymbolId, i64>,
    ways: Vec<Way<N>>,
    depth: usize,
    pub visits: u64,
}

/// What was decided and computed on the way followed at present.
struct Way<N> {
    decisions: Vec<Decision<N>>,
    values: FxHashMap<ElementId, N>,
}

struct Decision<N> {
    element: ElementId,
    choices: Vec<N>,
    taken: usize,
}

impl<'a, N: Number> Walker<'a, N> {
    pub fn new(around: &'a dyn Tensors) -> Self {
        Walker { around, variables: FxHashMap::default(), ways: Vec::new(), depth: 0, visits: 0 }
    }

    /// Reads an element with the given values of its index variables.
    pub fn read(&mut self, element: Element, index: &[(SymbolId, i64)]) -> Result<N, Halt> {
        self.variables.clear();
        self.variables.extend(index.iter().copied());
        self.ways.clear();
        self.depth = 0;
        self.every_way(element)
    }

    /// Joins the results of all decisions that come up on the way to an element.
    fn every_way(&mut self, element: Element) -> Result<N, Halt> {
        self.ways.push(Way { decisions: Vec::new(), values: FxHashMap::default() });
        let result = self.follow(element);
        self.ways.pop();
        match result {
            Err(Halt::Vague) if self.ways.is_empty() => N::anything(element.kind())
                .ok_or_else(|| EvaluateError::Undefined(element.to_string()).into()),
            result => result,
        }
    }

    fn follow(&mut self, element: Element) -> Result<N, Halt> {
        let (mut joined, mut failure): (Option<N>, Option<Halt>) = (None, None);
        for _ in 0..MOST_WAYS {
            match self.element(element) {
                Ok(value) => {
                    joined = Some(match joined {
                        None => value,
                        Some(joined) => joined.hull(&value).ok_or(Halt::Vague)?,
                    });
                }
                // A way that reads outside a tensor is none that a framework can have taken, if there is another.
                Err(halt @ Halt::Error(EvaluateError::Outside { .. })) => failure = Some(halt),
                Err(halt) => return Err(halt),
            }
            let Some(way) = self.ways.last_mut() else { return Err(Halt::Vague) };
            way.values.clear();
            loop {
                let Some(decision) = way.decisions.last_mut() else {
                    return joined.ok_or_else(|| failure.unwrap_or(Halt::Vague));
                };
                decision.taken += 1;
                if decision.taken < decision.choices.len() {
                    break;
                }
                way.decisions.pop();
            }
        }
        Err(Halt::Vague)
    }

    fn element(&mut self, element: Element) -> Result<N, Halt> {
        let id = element.id();
        if let Some(value) = self.ways.iter().rev().find_map(|way| way.values.get(&id)) {
            return Ok(value.clone());
        }
        self.visits += 1;
        if self.depth > MOST_DEPTH || self.visits > MOST_VISITS {
            return Err(EvaluateError::TooMuch("the formula is too deep or too long".into()).into());
        }
        self.depth += 1;
        let value = self.compute(element)?;
        self.depth -= 1;
        let value = if decides(element) { self.decided(id, value) } else { value };
        if let Some(way) = self.ways.last_mut() {
            way.values.insert(id, value.clone());
        }
        Ok(value)
    }

    /// The choice that the present way makes for an undecided number.
    fn decided(&mut self, element: ElementId, value: N) -> N {
        let taken =
            self.ways.iter().flat_map(|way| &way.decisions).find(|decision| decision.element == element);
        if let Some(decision) = taken {
            return decision.choices[decision.taken].clone();
        }
        match (value.candidates(), self.ways.last_mut()) {
            (Some(choices), Some(way)) if !choices.is_empty() => {
                let first = choices[0].clone();
                way.decisions.push(Decision { element, choices, taken: 0 });
                first
            }
            _ => value,
        }
    }

    fn compute(&mut self, element: Element) -> Result<N, Halt> {
        let kind = element.kind();
        let undefined = || Halt::Error(EvaluateError::Undefined(element.to_string()));
        match element.view() {
            ElementView::Float(value) => Ok(N::float(kind, value)),
            ElementView::Int(value) => Ok(N::int(kind, value)),
            ElementView::Bool(value) => Ok(N::bool(value)),
            ElementView::Index(dim) => Ok(N::int(kind, self.index(dim)?)),
            ElementView::At(tensor, index) => self.at(tensor, &index),
            ElementView::Unary(function, x) => {
                N::unary(function, x.kind(), &self.element(x)?).ok_or_else(undefined)
            }
            ElementView::Binary(function, x, y) => {
                let (a, b) = (self.element(x)?, self.element(y)?);
                let result = N::binary(function, x.kind(), &a, &b).ok_or_else(undefined)?;
                let terms = match function {
                    Binary::Add if kind.class() == Class::Float => {
                        begun::terms(x, y, &|dim| dim.evaluate(&mut |atom| self.around.atom(atom)))
                    }
                    _ => None,
                };
                Ok(match terms {
                    Some(terms) => N::begun(kind, result, [&a, &b], terms),
                    None => result,
                })
            }
            ElementView::Cast(x) => N::cast(x.kind(), kind, &self.element(x)?).ok_or_else(undefined),
            ElementView::When(..) | ElementView::Select(..) => {
                let chosen = self.chosen(element)?;
                self.element(chosen)
            }
            ElementView::Fold { with, .. } => {
                let mut terms = Vec::new();
                self.terms(element, &mut terms)?;
                N::fold(with, kind, &terms).ok_or_else(undefined)
            }
        }
    }

    fn at(&mut self, tensor: Tensor, index: &[Dim]) -> Result<N, Halt> {
        let reading = self.around.reading(tensor).ok_or(Halt::Needs(tensor))?;
        let position = index.iter().map(|&dim| self.index(dim)).collect::<Result<Vec<i64>, Halt>>()?;
        let sizes = &reading.array.shape;
        let outside = || EvaluateError::Outside {
            tensor: tensor.name().to_string(),
            index: position.clone(),
            sizes: sizes.clone(),
        };
        if position.len() != sizes.len() {
            return Err(outside().into());
        }
        let mut flat = 0usize;
        for (&at, &size) in position.iter().zip(sizes) {
            match usize::try_from(at) {
                Ok(at) if at < size => flat = flat * size + at,
                _ => return Err(outside().into()),
            }
        }
        N::read(&reading, flat).ok_or_else(|| EvaluateError::Undefined(format!("{tensor}")).into())
    }

    /// The branch that a chain of conditions takes.
    fn chosen(&mut self, element: Element) -> Result<Element, Halt> {
        let mut rest = element;
        loop {
            let (truth, then, otherwise) = match rest.view() {
                ElementView::When(prop, then, otherwise) => (self.prop(prop)?, then, otherwise),
                ElementView::Select(condition, then, otherwise) => {
                    (self.element(condition)?.truth().ok_or(Halt::Vague)?, then, otherwise)
                }
                _ => return Ok(rest),
            };
            if truth {
                return Ok(then);
            }
            rest = otherwise;
        }
    }

    /// The terms of a fold; directly nested folds of one function are one, as their order does not matter.
    fn terms(&mut self, fold: Element, terms: &mut Vec<N>) -> Result<(), Halt> {
        let ElementView::Fold { with, variable, extent, body } = fold.view() else { return Ok(()) };
        let nested = matches!(body.view(), ElementView::Fold { with: inner, .. } if inner == with);
        let extent = self.index(extent)?;
        let symbol = super::compile::symbol(variable);
        for k in 0..extent {
            if let Some(symbol) = symbol {
                self.variables.insert(symbol, k);
            }
            if nested {
                self.terms(body, terms)?;
                continue;
            }
            match self.every_way(body) {
                Ok(term) => terms.push(term),
                // One term that may be anything leaves the others as they are.
                Err(Halt::Vague) => terms.push(N::anything(body.kind()).ok_or(Halt::Vague)?),
                Err(halt) => return Err(halt),
            }
        }
        Ok(())
    }

    fn index(&mut self, dim: Dim) -> Result<i64, Halt> {
        if let Some(number) = dim.known() {
            return Ok(number);
        }
        let terms = dim.terms();
        let mut sum = terms.constant;
        for (coefficient, atoms) in terms.terms {
            let mut product = coefficient;
            for atom in atoms {
                product = product.wrapping_mul(self.atom(atom)?);
            }
            sum = sum.wrapping_add(product);
        }
        Ok(sum)
    }

    fn atom(&mut self, atom: AtomId) -> Result<i64, Halt> {
        let zero = || Halt::Error(EvaluateError::Undefined(format!("{}, a division by zero", atom.dim())));
        Ok(match atom.view() {
            AtomView::Symbol(symbol) if self.variables.contains_key(&symbol) => self.variables[&symbol],
            AtomView::Symbol(_) | AtomView::Rank(_) | AtomView::Size(..) | AtomView::Count(..) => {
                self.around.atom(atom).ok_or_else(|| EvaluateError::Unknown(atom.dim().to_string()))?
            }
            AtomView::FloorDiv(a, b) => {
                let (a, b) = (self.index(a)?, self.index(b)?);
                floor_div(a, b).ok_or_else(zero)?
            }
            AtomView::Modulo(a, b) => {
                let (a, b) = (self.index(a)?, self.index(b)?);
                a.wrapping_sub(floor_div(a, b).ok_or_else(zero)?.wrapping_mul(b))
            }
            AtomView::Min(a, b) => self.index(a)?.min(self.index(b)?),
            AtomView::Max(a, b) => self.index(a)?.max(self.index(b)?),
            AtomView::Product(a, b) => self.index(a)?.wrapping_mul(self.index(b)?),
            AtomView::Select(prop, a, b) => {
                let chosen = if self.prop(prop)? { a } else { b };
                self.index(chosen)?
            }
            AtomView::Value(element) => self.element(element)?.integer().ok_or(Halt::Vague)?,
        })
    }

    fn prop(&mut self, prop: Prop) -> Result<bool, Halt> {
        if let Some(truth) = prop.known() {
            return Ok(truth);
        }
        Ok(match prop.view() {
            PropView::Constant(truth) => truth,
            PropView::Equal(a, b) => self.index(a)? == self.index(b)?,
            PropView::AtMost(a, b) => self.index(a)? <= self.index(b)?,
            PropView::And(parts) => {
                for part in parts {
                    if !self.prop(part)? {
                        return Ok(false);
                    }
                }
                true
            }
            PropView::Or(parts) => {
                for part in parts {
                    if self.prop(part)? {
                        return Ok(true);
                    }
                }
                false
            }
            PropView::Not(inner) => !self.prop(inner)?,
            PropView::Value(element) => self.element(element)?.truth().ok_or(Halt::Vague)?,
            PropView::SameShape(..) | PropView::Broadcastable(..) | PropView::Free(..) => {
                return Err(EvaluateError::Unknown(prop.to_string()).into());
            }
        })
    }
}

/// Whether a value is one of a few, so that rounding may decide between them.
fn decides(element: Element) -> bool {
    match element.kind().class() {
        Class::Bool | Class::Int => true,
        Class::Float => match element.view() {
            ElementView::Unary(function, _) => {
                matches!(function, Unary::Floor | Unary::Ceil | Unary::Round | Unary::Trunc | Unary::Sign)
            }
            ElementView::Binary(function, ..) => function == Binary::FloorDiv,
            _ => false,
        },
        Class::Complex | Class::Opaque => false,
    }
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        return None;
    }
    let quotient = a.wrapping_div(b);
    Some(if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}
