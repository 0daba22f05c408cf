//! Elements as sums of multiples of others, seen through the tensors in between: `(c + o) - (c - o)` is `2 o`.

use super::read::{Reader, Stop};
use super::relations::{Variables, body_of, is_zero};
use crate::evaluate::interval::Interval;
use semantics::dtype::Kind;
use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Fold, Unary};

/// A sum of multiples, and what rounding the steps towards it may change.
#[derive(Clone, Debug, Default)]
pub(super) struct Affine {
    pub constant: f64,
    /// Each atom once, none with a zero before it.
    pub terms: Vec<(f64, Element)>,
    pub error: f64,
}

/// Sums of more terms are not followed.
const MOST_TERMS: usize = 16;

impl Affine {
    pub fn number(constant: f64) -> Affine {
        Affine { constant, ..Affine::default() }
    }
    /// A number as it is and as its type holds it.
    fn written(kind: Kind, value: f64) -> Affine {
        let rounded = kind.round(value);
        Affine { error: (value - rounded).abs(), ..Affine::number(rounded) }
    }
    pub fn atom(element: Element) -> Affine {
        Affine { terms: vec![(1.0, element)], ..Affine::default() }
    }
    pub fn plus(mut self, factor: f64, other: &Affine) -> Affine {
        self.constant += factor * other.constant;
        self.error += factor.abs() * other.error;
        for (coefficient, atom) in &other.terms {
            match self.terms.iter_mut().find(|(_, own)| own.id() == atom.id()) {
                Some((own, _)) => *own += factor * coefficient,
                None => self.terms.push((factor * coefficient, *atom)),
            }
        }
        self.terms.retain(|(coefficient, _)| *coefficient != 0.0);
        self
    }
    pub fn is_negation_of(&self, other: &Affine) -> bool {
        self.clone().plus(1.0, other).is_nothing()
    }
    pub fn is_nothing(&self) -> bool {
        self.terms.is_empty() && self.constant == 0.0
    }
}

impl Reader<'_> {
    /// The sum that an element is. Its own rounding is left out: rounding keeps the order of numbers.
    pub(super) fn affine(&mut self, element: Element) -> Result<Affine, Stop> {
        if !element.kind().is_float() || !self.may_look_through() {
            return Ok(Affine::atom(element));
        }
        let constant = |x: Element| match x.view() {
            ElementView::Float(value) => Some(Affine::written(element.kind(), value)),
            _ => None,
        };
        let sum = match element.view() {
            ElementView::Float(value) => Affine::written(element.kind(), value),
            ElementView::Unary(Unary::Neg, x) => Affine::default().plus(-1.0, &self.affine(x)?),
            ElementView::Binary(Binary::Add, x, y) => {
                let (x, y) = (self.rounded(x)?, self.rounded(y)?);
                x.plus(1.0, &y)
            }
            ElementView::Binary(Binary::Sub, x, y) => {
                let (x, y) = (self.rounded(x)?, self.rounded(y)?);
                x.plus(-1.0, &y)
            }
            ElementView::Binary(Binary::Mul, x, y) => match (constant(x), constant(y)) {
                (Some(c), _) => self.multiple(&c, y)?,
                (_, Some(c)) => self.multiple(&c, x)?,
                _ => Affine::atom(element),
            },
            ElementView::Binary(Binary::Div, x, y) => match self.point(y)? {
                Some(c) if c != 0.0 => Affine::default().plus(1.0 / c, &self.rounded(x)?),
                _ => Affine::atom(element),
            },
            ElementView::At(tensor, index) => match self.inlined(tensor, &index) {
                Some(inner) => {
                    let sum = self.affine(inner)?;
                    // Something that is no sum is known best by the tensor that holds it.
                    let is_itself = matches!(sum.terms.as_slice(), [(1.0, atom)] if atom.id() == inner.id());
                    if is_itself && !is_telling(inner) { Affine::atom(element) } else { sum }
                }
                None => Affine::atom(element),
            },
            _ => Affine::atom(element),
        };
        let sum = self.without_relus(sum)?;
        Ok(if sum.terms.len() > MOST_TERMS { Affine::atom(element) } else { sum })
    }

    /// So many times an element.
    fn multiple(&mut self, factor: &Affine, element: Element) -> Result<Affine, Stop> {
        let mut product = Affine::default().plus(factor.constant, &self.rounded(element)?);
        if factor.error > 0.0 {
            product.error += factor.error * self.magnitude(element)?;
        }
        Ok(product)
    }

    fn magnitude(&mut self, element: Element) -> Result<f64, Stop> {
        Ok(match self.element(element)? {
            Interval::Float { low, high, .. } => low.abs().max(high.abs()),
            _ => f64::INFINITY,
        })
    }

    /// `c relu(x) - c relu(-x)` is `c x`.
    fn without_relus(&mut self, mut sum: Affine) -> Result<Affine, Stop> {
        let relu = |atom: Element| match atom.view() {
            ElementView::Binary(Binary::Max, x, zero) if is_zero(zero) => Some(x),
            _ => None,
        };
        for first in 0..sum.terms.len() {
            for second in first + 1..sum.terms.len() {
                let ((a, one), (b, other)) = (sum.terms[first], sum.terms[second]);
                let (Some(x), Some(y)) = (relu(one), relu(other)) else { continue };
                if a != -b {
                    continue;
                }
                let (p, q) = (self.affine(x)?, self.affine(y)?);
                if p.is_negation_of(&q) {
                    sum.terms.remove(second);
                    sum.terms.remove(first);
                    return Ok(sum.plus(a, &p));
                }
            }
        }
        Ok(sum)
    }

    /// The same for a part of a sum, which is rounded before it is added.
    fn rounded(&mut self, element: Element) -> Result<Affine, Stop> {
        let mut sum = self.affine(element)?;
        let exact = matches!(sum.terms.as_slice(), [(c, _)] if c.abs() == 1.0) && sum.constant == 0.0;
        if !exact && !sum.terms.is_empty() {
            sum.error += self.magnitude(element)? * element.kind().unit_roundoff();
        }
        Ok(sum)
    }

    /// The number, if an element is a known one or counts something of known size.
    pub(super) fn point(&mut self, element: Element) -> Result<Option<f64>, Stop> {
        Ok(match self.element(element)? {
            Interval::Float { low, high, nan: false } if low == high => Some(low),
            _ => None,
        })
    }

    /// Between what a sum lies: term by term, but for terms that are known to differ by a certain amount.
    pub(super) fn affine_bounds(&mut self, sum: &Affine) -> Result<(f64, f64), Stop> {
        let (mut low, mut high) = (sum.constant, sum.constant);
        let mut open: Vec<(f64, Element)> = sum.terms.clone();
        while let Some((least, most)) = self.less_the_largest(&mut open)? {
            (low, high) = (low + least, high + most);
        }
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        while let Some((coefficient, atom)) = open.pop() {
            // The smallest first: a negative one looks for a positive one to go with.
            let mut best = self.scaled(coefficient, atom)?;
            if coefficient < 0.0 {
                for place in 0..open.len() {
                    let (other, partner) = open[place];
                    if other <= 0.0 {
                        continue;
                    }
                    if let Some(lost) = self.spread((other, partner), (-coefficient, atom))? {
                        let with = self.scaled(other, partner)?;
                        best = ((best.0 + with.0).max(lost), best.1 + with.1);
                        open.remove(place);
                        break;
                    }
                    let Some(span) = self.difference(partner, atom)? else { continue };
                    let both = other.min(-coefficient);
                    let with = self.scaled(both, partner)?;
                    let alone = self.scaled(-both, atom)?;
                    let rest = self.scaled(coefficient + both, atom)?;
                    let pair = ((alone.0 + with.0).max(both * span.0), (alone.1 + with.1).min(both * span.1));
                    best = (rest.0 + pair.0, rest.1 + pair.1);
                    open[place].0 -= both;
                    if open[place].0 == 0.0 {
                        open.remove(place);
                    }
                    break;
                }
            }
            (low, high) = (low + best.0, high + best.1);
        }
        Ok((low - sum.error, high + sum.error))
    }

    /// Takes terms out of a sum that together are no more than the largest of sums like them, which is taken off: scores
    /// less the logarithm of the sum of all powers. Gives between what they lie.
    fn less_the_largest(&mut self, open: &mut Vec<(f64, Element)>) -> Result<Option<(f64, f64)>, Stop> {
        const FEWEST: usize = 2;
        if open.len() < FEWEST {
            return Ok(None);
        }
        // The longest says most: what a logarithm is taken of may hold others.
        let mut best: Option<(Affine, Vec<usize>)> = None;
        for place in 0..open.len() {
            let (coefficient, atom) = open[place];
            if coefficient >= 0.0 {
                continue;
            }
            for face in self.faces(atom)? {
                if !matches!(face.view(), ElementView::Fold { with: Fold::Max, .. }) {
                    continue;
                }
                let mut variables = Vec::new();
                let body = body_of(face, &mut variables);
                let pattern = self.rounded(body)?;
                let longest = best.as_ref().map_or(0, |(best, _)| best.terms.len());
                let mut used = vec![place];
                if pattern.terms.len() > longest
                    && self.is_instance(&pattern, -coefficient, open, &mut used, &variables)?
                {
                    best = Some((pattern, used));
                }
            }
        }
        let Some((pattern, used)) = best else { return Ok(None) };
        // A term less the largest is not positive, but for what rounding the term may have changed.
        let (coefficient, atom) = open[used[0]];
        let most = -coefficient * (pattern.error - pattern.constant);
        let (mut low, mut high) = self.scaled(coefficient, atom)?;
        for (&place, (own, _)) in used[1..].iter().zip(&pattern.terms) {
            let with = self.scaled(-coefficient * own, open[place].1)?;
            (low, high) = (low + with.0, high + with.1);
            open[place].0 += coefficient * own;
        }
        open[used[0]].0 = 0.0;
        open.retain(|(left, _)| *left != 0.0);
        Ok(Some((low, high.min(most))))
    }

    /// Whether the terms of a pattern, so many times, are among those of a sum, for places of its variables that are
    /// within bounds. Says which they are.
    fn is_instance(
        &mut self,
        pattern: &Affine,
        times: f64,
        open: &[(f64, Element)],
        used: &mut Vec<usize>,
        variables: &Variables,
    ) -> Result<bool, Stop> {
        let mut bound = variables.clone();
        for &(own, term) in &pattern.terms {
            let mut found = None;
            for (place, &(coefficient, atom)) in open.iter().enumerate() {
                let is_enough =
                    coefficient.signum() == own.signum() && coefficient.abs() >= (own * times).abs();
                if used.contains(&place) || !is_enough {
                    continue;
                }
                let mut tried = bound.clone();
                if self.matches(term, atom, &mut tried, 0) {
                    found = Some((place, tried));
                    break;
                }
            }
            let Some((place, tried)) = found else { return Ok(false) };
            used.push(place);
            bound = tried;
        }
        for (_, extent, place) in &bound {
            let Some(place) = *place else { return Ok(false) };
            if self.bounds(place)?.0 < 0 || self.bounds(*extent - 1 - place)?.0 < 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn scaled(&mut self, coefficient: f64, atom: Element) -> Result<(f64, f64), Stop> {
        if coefficient == 0.0 {
            return Ok((0.0, 0.0));
        }
        Ok(match self.element(atom)? {
            Interval::Float { low, high, nan: false } if low <= high => {
                let ends = (coefficient * low, coefficient * high);
                (ends.0.min(ends.1), ends.0.max(ends.1))
            }
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        })
    }
}

/// Whether relations speak of elements of this form.
fn is_telling(element: Element) -> bool {
    matches!(
        element.view(),
        ElementView::Fold { with: Fold::Max | Fold::Min | Fold::Sum, .. }
            | ElementView::Unary(Unary::Abs | Unary::Ln | Unary::Exp, _)
            | ElementView::Binary(Binary::Max | Binary::Min | Binary::Mul | Binary::Pow, ..)
            | ElementView::At(..)
    )
}
