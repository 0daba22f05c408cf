//! Differences of two elements that intervals cannot see: nothing exceeds the largest, a magnitude is no less than the
//! number, the mean of squares is no less than the square of the mean.
//!
//! Every rule holds for results that are rounded in the element type, too, or states what rounding may lose.

use super::affine::Affine;
use super::read::{Reader, Stop};
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use semantics::dim::{AtomId, Dim};
use semantics::element::{Element, ElementView};
use semantics::scalar::{Binary, Fold, Unary};

impl Reader<'_> {
    /// Between what `more - less` lies, if a rule says so.
    pub(super) fn difference(&mut self, more: Element, less: Element) -> Result<Option<(f64, f64)>, Stop> {
        if let Some(span) = self.at_least(more, less)? {
            return Ok(Some(span));
        }
        Ok(self.at_least(less, more)?.map(|(low, high)| (-high, -low)))
    }

    fn at_least(&mut self, more: Element, less: Element) -> Result<Option<(f64, f64)>, Stop> {
        const NOT_NEGATIVE: Option<(f64, f64)> = Some((0.0, f64::INFINITY));
        Ok(match more.view() {
            ElementView::Fold { with: Fold::Max, .. } if self.is_term(more, less)? => NOT_NEGATIVE,
            ElementView::Fold { with: Fold::Max, .. } if self.is_least_of_the_same(more, less)? => {
                NOT_NEGATIVE
            }
            ElementView::Fold { with: Fold::Sum, .. }
                if self.is_term(more, less)? && self.float_low(less)? >= 0.0 =>
            {
                NOT_NEGATIVE
            }
            ElementView::Unary(Unary::Abs, x) if x.id() == less.id() => NOT_NEGATIVE,
            ElementView::Unary(Unary::Abs, x) => match less.view() {
                ElementView::Unary(Unary::Neg, y) if x.id() == y.id() => NOT_NEGATIVE,
                _ => None,
            },
            // The logarithm of a sum of powers is no less than any exponent.
            ElementView::Unary(Unary::Ln, total) if self.is_term(total, less.unary(Unary::Exp))? => {
                NOT_NEGATIVE
            }
            ElementView::Binary(Binary::Max, x, y) => match less.view() {
                _ if x.id() == less.id() || y.id() == less.id() => NOT_NEGATIVE,
                // relu(x) - relu(-x) = x
                ElementView::Binary(Binary::Max, u, v) if is_zero(y) && is_zero(v) => {
                    let (p, q) = (self.affine(x)?, self.affine(u)?);
                    if p.is_negation_of(&q) { Some(self.affine_bounds(&p)?) } else { None }
                }
                _ => None,
            },
            _ => match less.view() {
                ElementView::Fold { with: Fold::Min, .. } if self.is_term(less, more)? => NOT_NEGATIVE,
                ElementView::Binary(Binary::Min, x, y) if x.id() == more.id() || y.id() == more.id() => {
                    NOT_NEGATIVE
                }
                _ => None,
            },
        })
    }

    /// Whether one element is the largest and another the least of the same numbers.
    fn is_least_of_the_same(&mut self, largest: Element, least: Element) -> Result<bool, Stop> {
        if !matches!(least.view(), ElementView::Fold { with: Fold::Min, .. }) {
            return Ok(false);
        }
        let mut variables: Variables = Vec::new();
        let term = body_of(least, &mut variables);
        // Any of them will do: the variables of one fold are places of the other, as far as it goes.
        let mut own: Variables = Vec::new();
        let body = body_of(largest, &mut own);
        if own.is_empty() || !self.matches(body, term, &mut own, 0) {
            return Ok(false);
        }
        Ok(own.iter().all(|(_, extent, bound)| {
            let place = bound.and_then(|bound| bound.as_atom());
            place.is_some_and(|place| {
                variables.iter().any(|(atom, as_far, _)| *atom == place && as_far.id() == extent.id())
            })
        }))
    }

    /// Whether an element is one of those that a fold is over.
    pub(super) fn is_term(&mut self, fold: Element, term: Element) -> Result<bool, Stop> {
        let mut variables: Variables = Vec::new();
        let body = body_of(fold, &mut variables);
        if variables.is_empty() || !self.matches(body, term, &mut variables, 0) {
            return Ok(false);
        }
        for (_, extent, bound) in &variables {
            let Some(bound) = *bound else { return Ok(false) };
            if self.bounds(bound)?.0 < 0 || self.bounds(*extent - 1 - bound)?.0 < 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an element is one of two that are added up, and neither is negative.
    pub(super) fn is_added(&mut self, sum: Element, term: Element) -> Result<bool, Stop> {
        let ElementView::Binary(Binary::Add, one, other) = sum.view() else { return Ok(false) };
        for (own, more) in [(one, other), (other, one)] {
            if self.is_same(own, term) && self.float_low(more)? >= 0.0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A sum of powers of differences to the largest: one of them is 1.
    pub(super) fn holds_the_largest(&mut self, fold: Element) -> Result<bool, Stop> {
        let mut own: Variables = Vec::new();
        let body = body_of(fold, &mut own);
        let Some(exponent) = self.faces(body)?.into_iter().find_map(|face| match face.view() {
            ElementView::Unary(Unary::Exp, x) => Some(x),
            _ => None,
        }) else {
            return Ok(false);
        };
        for face in self.faces(exponent)? {
            let ElementView::Binary(Binary::Sub, x, peak) = face.view() else { continue };
            if self.is_peak_over(peak, x, &own)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same of two powers that are added: `exp(a - m) + exp(b - m)`, where `m` is the larger of `a` and `b`. Gives what
    /// the sum is no less than.
    pub(super) fn holds_the_larger(&mut self, one: Element, other: Element) -> Result<Option<f64>, Stop> {
        let (Some(x), Some(y)) = (self.exponent(one)?, self.exponent(other)?) else { return Ok(None) };
        let (x, y) = (self.affine(x)?, self.affine(y)?);
        for &(coefficient, larger) in x.terms.iter().filter(|(coefficient, _)| *coefficient == -1.0) {
            if !y.terms.iter().any(|(own, atom)| *own == coefficient && atom.id() == larger.id()) {
                continue;
            }
            for face in self.faces(larger)? {
                let ElementView::Binary(Binary::Max, a, b) = face.view() else { continue };
                let larger = Affine::atom(larger);
                let (a, b) = (self.number_or_sum(a)?, self.number_or_sum(b)?);
                let sums = [x.clone().plus(1.0, &larger), y.clone().plus(1.0, &larger)];
                let fits = |sum: &Affine, of: &Affine| sum.clone().plus(-1.0, of).is_nothing();
                if fits(&sums[0], &a) && fits(&sums[1], &b) || fits(&sums[0], &b) && fits(&sums[1], &a) {
                    // One exponent is zero, but for what rounding the steps to it may have changed.
                    let off = x.error + y.error + a.error + b.error;
                    return Ok((off < 0.25).then(|| (-off).exp() * (1.0 - 4.0 * one.kind().unit_roundoff())));
                }
            }
        }
        Ok(None)
    }

    fn number_or_sum(&mut self, element: Element) -> Result<Affine, Stop> {
        match self.point(element)? {
            Some(number) => Ok(Affine::number(number)),
            None => self.affine(element),
        }
    }

    fn exponent(&mut self, power: Element) -> Result<Option<Element>, Stop> {
        Ok(self.faces(power)?.into_iter().find_map(|face| match face.view() {
            ElementView::Unary(Unary::Exp, exponent) => Some(exponent),
            _ => None,
        }))
    }

    /// A sum of ones where numbers equal the largest of them: it is attained somewhere.
    pub(super) fn counts_the_largest(&mut self, fold: Element) -> Result<bool, Stop> {
        let mut own: Variables = Vec::new();
        let body = body_of(fold, &mut own);
        for face in self.faces(body)? {
            let ElementView::Cast(truth) = face.view() else { continue };
            for truth in self.faces(truth)? {
                let ElementView::Binary(Binary::Eq, one, other) = truth.view() else { continue };
                for (x, peak) in [(one, other), (other, one)] {
                    if self.is_peak_over(peak, x, &own)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Whether one element is the largest, or the least, of what another is for all values of some variables.
    fn is_peak_over(&mut self, peak: Element, x: Element, own: &Variables) -> Result<bool, Stop> {
        for peak in self.faces(peak)? {
            let ElementView::Fold { with: Fold::Max | Fold::Min, .. } = peak.view() else { continue };
            for x in self.faces(x)? {
                let mut variables: Variables = Vec::new();
                let term = body_of(peak, &mut variables);
                let is_of_it = self.matches(term, x, &mut variables, 0)
                    && variables.len() == own.len()
                    && variables.iter().all(|(_, extent, bound)| {
                        bound.and_then(|bound| bound.as_atom()).is_some_and(|atom| {
                            own.iter().any(|(other, as_far, _)| *other == atom && as_far.id() == extent.id())
                        })
                    });
                if is_of_it {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// A number that the magnitude of an element is no less than, by what it is computed from: a quotient of something
    /// that is not zero by something finite is not zero, whichever sign it has.
    pub(super) fn least_magnitude(&mut self, element: Element, depth: usize) -> Result<f64, Stop> {
        const DEEPEST: usize = 8;
        let within = |interval: Interval| match interval {
            Interval::Float { low, high, nan: false } if low > 0.0 => (low, high),
            Interval::Float { low, high, nan: false } if high < 0.0 => (-high, -low),
            Interval::Float { low, high, nan: false } if low <= high => (0.0, high.max(-low)),
            _ => (0.0, f64::INFINITY),
        };
        let least = within(self.element(element)?).0.max(self.away_from_zero(element.id()));
        if least > 0.0 || depth > DEEPEST || !element.kind().is_float() {
            return Ok(least);
        }
        let depth = depth + 1;
        let found = match element.view() {
            ElementView::At(tensor, index) => match self.inlined(tensor, &index) {
                Some(inner) => self.least_magnitude(inner, depth)?,
                None => 0.0,
            },
            ElementView::Unary(Unary::Neg | Unary::Abs, x) | ElementView::Cast(x) => {
                self.least_magnitude(x, depth)?
            }
            ElementView::Select(condition, then, otherwise) => {
                let mut least = f64::INFINITY;
                for (truth, branch) in [(true, then), (false, otherwise)] {
                    let side =
                        self.supposing(condition, truth, |reader| reader.least_magnitude(branch, depth))?;
                    least = least.min(side.unwrap_or(f64::INFINITY));
                }
                if least.is_finite() { least } else { 0.0 }
            }
            ElementView::Unary(Unary::Reciprocal, x) => 1.0 / within(self.element(x)?).1,
            ElementView::Binary(Binary::Mul, x, y) => {
                self.least_magnitude(x, depth)? * self.least_magnitude(y, depth)?
            }
            ElementView::Binary(Binary::Div, x, y) => {
                self.least_magnitude(x, depth)? / within(self.element(y)?).1
            }
            _ => 0.0,
        };
        // Rounding loses a little of it, and what is below the normal numbers may be lost as a whole.
        let is_rounded = matches!(
            element.view(),
            ElementView::Unary(Unary::Reciprocal, _)
                | ElementView::Binary(Binary::Mul | Binary::Div, ..)
                | ElementView::Cast(_)
        );
        let found = if is_rounded { found * (1.0 - 4.0 * element.kind().unit_roundoff()) } else { found };
        Ok(if found >= super::smallest_normal(element.kind()) { found } else { 0.0 })
    }

    /// A step from one number towards another: `x - c (x - z)` or `x + c (z - x)` with `c` between 0 and 1 lies between
    /// them. Where `x` is the larger, what is taken off is not negative, so nothing exceeds it however it is rounded;
    /// and if neither is negative, what is taken off is no more than `x` itself. Only where `z` is approached may
    /// rounding lead beyond it.
    pub(super) fn towards(
        &mut self,
        x: Element,
        step: Element,
        adds: bool,
    ) -> Result<Option<(f64, f64)>, Stop> {
        for face in self.faces(step)? {
            let ElementView::Binary(Binary::Mul, one, other) = face.view() else { continue };
            for (share, way) in [(one, other), (other, one)] {
                match self.element(share)? {
                    Interval::Float { low, high, nan: false } if low >= 0.0 && high <= 1.0 => {}
                    _ => continue,
                }
                for way in self.faces(way)? {
                    let ElementView::Binary(Binary::Sub, from, to) = way.view() else { continue };
                    let (own, goal) = if adds { (to, from) } else { (from, to) };
                    if !self.is_same(own, x) {
                        continue;
                    }
                    let (
                        Interval::Float { low: a, high: b, nan: false },
                        Interval::Float { low: c, high: d, nan: false },
                    ) = (self.element(x)?, self.element(goal)?)
                    else {
                        continue;
                    };
                    if a > b || c > d {
                        continue;
                    }
                    let largest = a.abs().max(b.abs()).max(c.abs()).max(d.abs());
                    let off = 8.0 * x.kind().unit_roundoff() * largest + 8.0 * x.kind().smallest_error();
                    let least = if a >= 0.0 && c >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
                    return Ok(Some((a.min((c - off).max(least)), b.max(d + off))));
                }
            }
        }
        Ok(None)
    }

    /// The sum that an element is.
    pub(super) fn unfolded(&mut self, element: Element) -> Result<Option<Element>, Stop> {
        let faces = self.faces(element)?;
        Ok(faces.into_iter().find(|face| matches!(face.view(), ElementView::Fold { with: Fold::Sum, .. })))
    }

    /// Between what an expression under the folds of a sum lies, wherever.
    pub(super) fn within_fold(&mut self, sum: Element, inner: Element) -> Result<Option<(f64, f64)>, Stop> {
        let mut variables: Variables = Vec::new();
        body_of(sum, &mut variables);
        let mut before = Vec::new();
        for (atom, extent, _) in &variables {
            if let semantics::dim::AtomView::Symbol(symbol) = atom.view() {
                before.push((symbol, self.spans.insert(symbol, super::Span::of(*extent))));
            }
        }
        self.known.push(Default::default());
        let read = self.element(inner);
        self.known.pop();
        for (symbol, span) in before {
            match span {
                Some(span) => self.spans.insert(symbol, span),
                None => self.spans.remove(&symbol),
            };
        }
        Ok(match read? {
            Interval::Float { low, high, nan: false } if low <= high => Some((low, high)),
            _ => None,
        })
    }

    /// An element, and what it is computed as, one step back after the other.
    pub(super) fn faces(&mut self, element: Element) -> Result<Vec<Element>, Stop> {
        const MOST: usize = 8;
        let mut faces = vec![element];
        let mut next = element;
        while faces.len() < MOST {
            next = match next.view() {
                ElementView::At(tensor, index) => match self.inlined(tensor, &index) {
                    Some(inner) => inner,
                    None => break,
                },
                ElementView::Select(condition, x, y) => match self.element(condition)?.truth() {
                    Some(true) => x,
                    Some(false) => y,
                    None => break,
                },
                _ => break,
            };
            faces.push(next);
        }
        Ok(faces)
    }

    /// Whether two elements are the same number, however often it was computed.
    pub(super) fn is_same(&mut self, one: Element, other: Element) -> bool {
        one.id() == other.id() || self.matches(one, other, &mut Vec::new(), 0)
    }

    /// Whether a term is a pattern with dims in the place of its variables, which are told.
    pub(super) fn matches(
        &mut self,
        pattern: Element,
        term: Element,
        variables: &mut Variables,
        depth: usize,
    ) -> bool {
        const DEEPEST: usize = 24;
        if pattern.kind() != term.kind() || depth > DEEPEST {
            return false;
        }
        let depth = depth + 1;
        match (pattern.view(), term.view()) {
            (ElementView::At(a, from), ElementView::At(b, to)) if a == b => {
                from.len() == to.len()
                    && from.iter().zip(&to).all(|(&from, &to)| matches_dim(from, to, variables))
            }
            (ElementView::At(a, from), ElementView::At(b, to)) => {
                match (self.inlined(a, &from), self.inlined(b, &to)) {
                    (Some(pattern), Some(term)) => self.matches(pattern, term, variables, depth),
                    // A number that the program writes twice.
                    (None, None) if a.is_stored() && b.is_stored() => {
                        matches!((self.point(pattern), self.point(term)), (Ok(Some(x)), Ok(Some(y))) if x == y)
                    }
                    _ => false,
                }
            }
            // Something that was cast, once as a tensor of its own.
            (ElementView::At(a, from), ElementView::Cast(_)) => match self.inlined(a, &from) {
                Some(pattern) => self.matches(pattern, term, variables, depth),
                None => false,
            },
            (ElementView::Cast(_), ElementView::At(b, to)) => match self.inlined(b, &to) {
                Some(term) => self.matches(pattern, term, variables, depth),
                None => false,
            },
            (ElementView::Unary(f, x), ElementView::Unary(g, y)) => {
                f == g && self.matches(x, y, variables, depth)
            }
            (ElementView::Binary(f, x, p), ElementView::Binary(g, y, q)) => {
                f == g && self.matches(x, y, variables, depth) && self.matches(p, q, variables, depth)
            }
            (ElementView::Cast(x), ElementView::Cast(y)) => self.matches(x, y, variables, depth),
            (
                ElementView::Fold { with, variable, extent, body },
                ElementView::Fold { with: other, variable: bound, extent: as_far, body: term },
            ) => {
                let Some(atom) = variable.as_atom() else { return false };
                if with != other || extent.id() != as_far.id() {
                    return false;
                }
                variables.push((atom, extent, Some(bound)));
                let same = self.matches(body, term, variables, depth);
                variables.pop();
                same
            }
            _ => pattern.id() == term.id(),
        }
    }

    /// `a * sum(x * x) - b * (c * sum(x))²` is not negative if `b * c² * n <= a` (Cauchy and Schwarz), but for rounding.
    pub(super) fn spread(
        &mut self,
        squares: (f64, Element),
        square: (f64, Element),
    ) -> Result<Option<f64>, Stop> {
        let ((a, sum), (b, product)) = (squares, square);
        let Some(mean) = self.root_of(product)? else { return Ok(None) };
        if a <= 0.0 || b <= 0.0 {
            return Ok(None);
        }
        let mean = self.affine(mean)?;
        let Some((c, total)) = mean.single_term() else { return Ok(None) };
        let (mut x, mut xx, mut count) = (total, sum, 1.0);
        while let (
            ElementView::Fold { with: Fold::Sum, variable, extent, body },
            ElementView::Fold { with: Fold::Sum, variable: other, extent: as_far, body: of_squares },
        ) = (x.view(), xx.view())
        {
            if extent.id() != as_far.id() {
                return Ok(None);
            }
            let Some(other) = other.as_atom() else { return Ok(None) };
            count *= self.bounds(extent)?.1 as f64;
            (x, xx) = (body, of_squares.at_indices(&[(other, variable)]));
        }
        let xx = self.seen_through(xx);
        let is_square = match self.root_of(xx)? {
            Some(root) => self.is_same(root, x),
            None => false,
        };
        if !is_square || b * c * c * count > a * (1.0 + 1e-9) {
            return Ok(None);
        }
        // Sums are made in blocks or by halves: the error grows far slower than the count.
        let steps = count.sqrt() + 8.0;
        let unit = sum.kind().unit_roundoff();
        Ok(self.float_high(sum)?.map(|most| -(steps * unit * a * most)))
    }

    /// What an element is the square of.
    fn root_of(&mut self, element: Element) -> Result<Option<Element>, Stop> {
        Ok(match element.view() {
            ElementView::Binary(Binary::Mul, x, y) if self.is_same(x, y) => Some(x),
            ElementView::Binary(Binary::Pow, x, y) if self.point(y)? == Some(2.0) => Some(x),
            _ => None,
        })
    }

    /// What a tensor's element is computed as, if it is read from one.
    pub(super) fn seen_through(&mut self, element: Element) -> Element {
        match element.view() {
            ElementView::At(tensor, index) => self.inlined(tensor, &index).unwrap_or(element),
            _ => element,
        }
    }

    pub(super) fn float_low(&mut self, element: Element) -> Result<f64, Stop> {
        Ok(match self.element(element)? {
            Interval::Float { low, high, nan: false } if low <= high => low,
            _ => f64::NEG_INFINITY,
        })
    }
    fn float_high(&mut self, element: Element) -> Result<Option<f64>, Stop> {
        Ok(match self.element(element)? {
            Interval::Float { low, high, .. } if low <= high && high.is_finite() => Some(high),
            _ => None,
        })
    }
}

pub(super) fn is_zero(element: Element) -> bool {
    matches!(element.view(), ElementView::Float(value) if value == 0.0)
}

/// Variables of folds, how far each goes, and what stands in its place.
pub(super) type Variables = Vec<(AtomId, Dim, Option<Dim>)>;

/// What is folded, beneath all folds of the same kind.
pub(super) fn body_of(fold: Element, variables: &mut Variables) -> Element {
    let mut body = fold;
    let mut of = None;
    while let ElementView::Fold { with, variable, extent, body: inner } = body.view() {
        let Some(atom) = variable.as_atom().filter(|_| of.is_none_or(|of| of == with)) else { break };
        of = Some(with);
        variables.push((atom, extent, None));
        body = inner;
    }
    body
}

fn matches_dim(from: Dim, to: Dim, variables: &mut Variables) -> bool {
    let variable = from.as_atom().and_then(|atom| variables.iter_mut().rev().find(|(own, ..)| *own == atom));
    match variable {
        Some((_, _, bound @ None)) => {
            *bound = Some(to);
            true
        }
        Some((_, _, Some(bound))) => bound.id() == to.id(),
        None => {
            let placed = from.substitute(&mut |leaf| {
                let variable = variables.iter().rev().find(|(own, ..)| *own == leaf);
                variable.map_or(Some(leaf.dim()), |(_, _, bound)| *bound)
            });
            placed.is_some_and(|placed| placed.id() == to.id())
        }
    }
}

impl Affine {
    /// The only term, if there is no constant beside it.
    fn single_term(&self) -> Option<(f64, Element)> {
        match self.terms.as_slice() {
            [(coefficient, atom)] if self.constant == 0.0 => Some((*coefficient, *atom)),
            _ => None,
        }
    }
}
