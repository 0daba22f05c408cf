//! Compiling index expressions and conditions on them.

use super::compile::{Compiler, Part, Stop};
use super::offset::Polynomial;
use super::program::{Division, IndexSlot, Step, TruthSlot};
use semantics::dim::{AtomId, AtomView, Dim};
use semantics::dtype::Class;
use semantics::prop::{Prop, PropView};

impl Compiler<'_> {
    /// The register of an index expression.
    pub fn index(&mut self, dim: Dim) -> Result<IndexSlot, Stop> {
        let part = self.part(dim)?;
        self.slot_of(part)
    }

    fn part(&mut self, dim: Dim) -> Result<Part, Stop> {
        if let Some(number) = dim.known() {
            return Ok(Part::Number(number));
        }
        if let Some(&part) = self.dims.get(&dim.id()) {
            return Ok(part);
        }
        let part = self.sum(Polynomial::of(dim))?;
        self.remember_dim(dim.id(), part);
        Ok(part)
    }

    pub fn polynomial(&mut self, polynomial: Polynomial) -> Result<IndexSlot, Stop> {
        let part = self.sum(polynomial)?;
        self.slot_of(part)
    }

    fn slot_of(&mut self, part: Part) -> Result<IndexSlot, Stop> {
        match part {
            Part::Slot(slot) => Ok(slot),
            Part::Number(constant) => {
                if let Some(&slot) = self.constants.get(&constant) {
                    return Ok(slot);
                }
                let (out, buffer) = (self.index_slot(0), self.buffer(Class::Int));
                self.emit(0, Step::Polynomial { out, buffer, constant, terms: Vec::new() })?;
                self.constants.insert(constant, out);
                Ok(out)
            }
        }
    }

    /// Terms are added up in the outermost loop that has them, so that an inner one adds little.
    fn sum(&mut self, polynomial: Polynomial) -> Result<Part, Stop> {
        let mut constant = polynomial.constant;
        let mut terms: Vec<(usize, i64, Vec<IndexSlot>)> = Vec::with_capacity(polynomial.terms.len());
        for (mut coefficient, atoms) in polynomial.terms {
            let (mut factors, mut level) = (Vec::new(), 0);
            for atom in atoms {
                match self.atom(atom)? {
                    Part::Number(number) => coefficient = coefficient.wrapping_mul(number),
                    Part::Slot(slot) => {
                        level = level.max(self.index_level(slot));
                        factors.push(slot);
                    }
                }
            }
            if factors.is_empty() || coefficient == 0 {
                constant = constant.wrapping_add(coefficient);
            } else {
                terms.push((self.place(level, false), coefficient, factors));
            }
        }
        if terms.is_empty() {
            return Ok(Part::Number(constant));
        }
        if let ([(_, 1, factors)], 0) = (terms.as_slice(), constant)
            && let [factor] = factors.as_slice()
        {
            return Ok(Part::Slot(*factor));
        }
        terms.sort_by_key(|(level, ..)| *level);
        let mut partial: Option<IndexSlot> = None;
        let mut rest = terms.into_iter().peekable();
        while let Some(level) = rest.peek().map(|(level, ..)| *level) {
            let mut group: Vec<(i64, Vec<IndexSlot>)> =
                partial.map(|slot| (1, vec![slot])).into_iter().collect();
            while let Some((_, coefficient, factors)) = rest.next_if(|(other, ..)| *other == level) {
                group.push((coefficient, factors));
            }
            for (_, factors) in &group {
                for &factor in factors {
                    self.reaches(self.index_level(factor), level);
                }
            }
            let (out, buffer) = (self.index_slot(level), self.buffer(Class::Int));
            self.emit(level, Step::Polynomial { out, buffer, constant, terms: group })?;
            constant = 0;
            partial = Some(out);
        }
        partial.map(Part::Slot).ok_or(Stop::Irregular)
    }

    fn atom(&mut self, atom: AtomId) -> Result<Part, Stop> {
        if let Some(&part) = self.atoms.get(&atom) {
            return Ok(part);
        }
        let part = match atom.view() {
            AtomView::Symbol(symbol) => match self.variables.get(&symbol) {
                Some(&part) => return Ok(part),
                None => Part::Number(self.around.atom(atom).ok_or(Stop::Irregular)?),
            },
            AtomView::Rank(_) | AtomView::Size(..) | AtomView::Count(..) => {
                Part::Number(self.around.atom(atom).ok_or(Stop::Irregular)?)
            }
            AtomView::FloorDiv(a, b) => self.divide(Division::FloorDiv, a, b)?,
            AtomView::Modulo(a, b) => self.divide(Division::Modulo, a, b)?,
            AtomView::Min(a, b) => self.divide(Division::Min, a, b)?,
            AtomView::Max(a, b) => self.divide(Division::Max, a, b)?,
            AtomView::Product(a, b) => {
                let (a, b) = (self.index(a)?, self.index(b)?);
                let level = self.place(self.index_level(a).max(self.index_level(b)), false);
                self.reaches(self.index_level(a), level);
                self.reaches(self.index_level(b), level);
                let (out, buffer) = (self.index_slot(level), self.buffer(Class::Int));
                self.emit(
                    level,
                    Step::Polynomial { out, buffer, constant: 0, terms: vec![(1, vec![a, b])] },
                )?;
                Part::Slot(out)
            }
            AtomView::Select(prop, a, b) => {
                let condition = self.truth(prop)?;
                let (then, otherwise) = (self.index(a)?, self.index(b)?);
                let levels =
                    [self.truth_level(condition), self.index_level(then), self.index_level(otherwise)];
                let level = self.place(levels.into_iter().max().unwrap_or(0), false);
                levels.into_iter().for_each(|from| self.reaches(from, level));
                let (out, buffer) = (self.index_slot(level), self.buffer(Class::Int));
                self.emit(level, Step::Choose { out, buffer, condition, then, otherwise })?;
                Part::Slot(out)
            }
            AtomView::Value(element) => self.index_of_element(element)?,
        };
        self.remember_atom(atom, part);
        Ok(part)
    }

    fn divide(&mut self, with: Division, a: Dim, b: Dim) -> Result<Part, Stop> {
        let (left, right) = (self.index(a)?, self.index(b)?);
        let level = self.place(self.index_level(left).max(self.index_level(right)), false);
        self.reaches(self.index_level(left), level);
        self.reaches(self.index_level(right), level);
        let (out, buffer) = (self.index_slot(level), self.buffer(Class::Int));
        self.emit(level, Step::Divide { with, out, buffer, left, right })?;
        Ok(Part::Slot(out))
    }

    /// The register of a condition.
    pub fn truth(&mut self, prop: Prop) -> Result<TruthSlot, Stop> {
        if let Some(&slot) = self.props.get(&prop.id()) {
            return Ok(slot);
        }
        let slot = match (prop.known(), prop.view()) {
            (Some(all), _) | (None, PropView::Constant(all)) => self.combine(all, Vec::new())?,
            (None, PropView::Equal(a, b)) => self.compare(true, a, b)?,
            (None, PropView::AtMost(a, b)) => self.compare(false, a, b)?,
            (None, PropView::And(inner)) => {
                let parts = inner.into_iter().map(|part| self.truth(part)).collect::<Result<_, _>>()?;
                self.combine(true, parts)?
            }
            (None, PropView::Or(inner)) => {
                let parts = inner.into_iter().map(|part| self.truth(part)).collect::<Result<_, _>>()?;
                self.combine(false, parts)?
            }
            (None, PropView::Not(inner)) => {
                let of = self.truth(inner)?;
                let level = self.place(self.truth_level(of), false);
                self.reaches(self.truth_level(of), level);
                let (out, buffer) = (self.truth_slot(level), self.buffer(Class::Bool));
                self.emit(level, Step::Negate { out, buffer, of })?;
                out
            }
            (None, PropView::Value(element)) => self.truth_of_element(element)?,
            (None, PropView::SameShape(..) | PropView::Broadcastable(..) | PropView::Free(..)) => {
                return Err(Stop::Irregular);
            }
        };
        self.remember_prop(prop.id(), slot);
        Ok(slot)
    }

    fn compare(&mut self, equal: bool, a: Dim, b: Dim) -> Result<TruthSlot, Stop> {
        let (left, right) = (self.index(a)?, self.index(b)?);
        let level = self.place(self.index_level(left).max(self.index_level(right)), false);
        self.reaches(self.index_level(left), level);
        self.reaches(self.index_level(right), level);
        let (out, buffer) = (self.truth_slot(level), self.buffer(Class::Bool));
        self.emit(level, Step::Compare { out, buffer, equal, left, right })?;
        Ok(out)
    }

    fn combine(&mut self, all: bool, parts: Vec<TruthSlot>) -> Result<TruthSlot, Stop> {
        let from = parts.iter().map(|&part| self.truth_level(part)).max().unwrap_or(0);
        let level = self.place(from, false);
        parts.iter().for_each(|&part| self.reaches(self.truth_level(part), level));
        let (out, buffer) = (self.truth_slot(level), self.buffer(Class::Bool));
        self.emit(level, Step::Combine { out, buffer, all, parts })?;
        Ok(out)
    }
}
