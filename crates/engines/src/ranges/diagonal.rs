//! Sums whose terms are alike but for one place: a row without its own column, as in `exp(similarity) * (1 - eye)`.
//!
//! A condition `j = i`, where `i` is an index around the sum over `j`, holds at one place at most, wherever that is. All
//! other terms are read as if it did not hold.

use super::fold::{Segment, fold};
use super::partition::Span;
use super::read::{Reader, Stop};
use super::symbol;
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use semantics::dim::Dim;
use semantics::element::{Element, ElementView};
use semantics::prop::{Prop, PropView};
use semantics::scalar::Fold;

/// How deep such a condition is looked for.
const DEEPEST: usize = 10;

impl Reader<'_> {
    /// A sum over a variable, of which one term at most is unlike the others.
    pub(super) fn but_for_one_place(
        &mut self,
        variable: Dim,
        extent: Dim,
        body: Element,
    ) -> Result<Option<Interval>, Stop> {
        let (least, most) = self.bounds(extent)?;
        let Some(own) = symbol(variable).filter(|_| least >= 1 && most < i64::MAX) else { return Ok(None) };
        let looks = self.looks_left;
        let outer = self.spans.insert(own, Span::of(extent));
        let condition = self.condition_at_one_place(variable, body, 0)?;
        self.looks_left = looks;
        let result = match condition {
            Some(condition) => {
                let others = self.assuming(condition, false, body);
                let there = self.assuming(condition, true, body);
                others.and_then(|others| Ok((others, there?))).map(Some)
            }
            None => Ok(None),
        };
        match outer {
            Some(outer) => self.spans.insert(own, outer),
            None => self.spans.remove(&own),
        };
        let Some((others, there)) = result? else { return Ok(None) };
        let is_inside = match condition.and_then(|condition| solution(condition, variable)) {
            Some(place) => self.bounds(place)?.0 >= 0 && self.bounds(extent - 1 - place)?.0 >= 0,
            None => false,
        };
        // It may as well hold nowhere.
        let one = if is_inside { Some(there) } else { others.hull(&there) };
        let Some(one) = one else { return Ok(None) };
        let segments = [
            Segment { count: (least - 1, most - 1), interval: others },
            Segment { count: (1, 1), interval: one },
        ];
        Ok(fold(Fold::Sum, body.kind(), &segments, None))
    }

    fn assuming(&mut self, condition: Prop, truth: bool, body: Element) -> Result<Interval, Stop> {
        let known = std::mem::replace(&mut self.known, vec![Default::default()]);
        let divisible = std::mem::take(&mut self.divisible);
        let reported = self.hazards.len();
        self.assumed.push((condition, truth));
        let result = self.element(body);
        self.assumed.pop();
        // What is wrong with a term is told where all of them are read.
        self.hazards.truncate(reported);
        self.divisible = divisible;
        self.known = known;
        result
    }

    /// A condition that holds for one value of a variable at most, and of which nothing is known.
    fn condition_at_one_place(
        &mut self,
        variable: Dim,
        element: Element,
        depth: usize,
    ) -> Result<Option<Prop>, Stop> {
        if depth > DEEPEST {
            return Ok(None);
        }
        let inside: Vec<Element> = match element.view() {
            ElementView::When(prop, x, y) => {
                if solution(prop, variable).is_some() && self.truth(prop)?.is_none() {
                    return Ok(Some(prop));
                }
                vec![x, y]
            }
            ElementView::At(tensor, index) => {
                let goes_along = index.iter().any(|place| mentions(*place, variable));
                self.inlined(tensor, &index).filter(|_| goes_along).into_iter().collect()
            }
            ElementView::Unary(_, x) | ElementView::Cast(x) => vec![x],
            ElementView::Binary(_, x, y) => vec![x, y],
            ElementView::Select(condition, x, y) => vec![condition, x, y],
            _ => Vec::new(),
        };
        for each in inside {
            if let Some(found) = self.condition_at_one_place(variable, each, depth + 1)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

fn mentions(dim: Dim, variable: Dim) -> bool {
    variable.as_atom().is_some_and(|variable| {
        let mut found = false;
        dim.leaves(&mut |leaf| found |= leaf == variable);
        found
    })
}

/// What a variable is where an equation holds, if it occurs in it once, as it is.
fn solution(prop: Prop, variable: Dim) -> Option<Dim> {
    let PropView::Equal(a, b) = prop.view() else { return None };
    let apart = a - b;
    let solutions = [variable - apart, variable + apart];
    solutions.into_iter().find(|place| mentions(apart, variable) && !mentions(*place, variable))
}
