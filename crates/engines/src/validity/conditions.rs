//! Requirements that hold for some sizes only: which are conditions on the inputs, how loudly they are told, and
//! what only the run decides.

use super::Checker;
use crate::brief::brief;
use crate::finding::Severity;
use program::path::{Entry, Judged};
use semantics::dim::{AtomId, AtomView, Source};
use semantics::prop::{Prop, PropView};
use solver::{Model, Verdict};

impl Checker<'_> {
    /// Tells of a requirement that some assignment of sizes breaks, fact by fact: what the user has bounded is a
    /// warning, other sizes give a note, and what is computed is not decided.
    pub(super) fn conditional(&mut self, entry: &Entry, judged: &Judged, witness: &Model) {
        let open = open_facts(judged, witness);
        let count = open.len();
        let (computed, conditions): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|(prop, _)| is_computed(*prop));
        if !computed.is_empty() {
            let reason = format!("whether {}", judged.requirement.label);
            self.lost(&entry.place, &reason, self.cause(entry));
        }
        let (bounded, free): (Vec<_>, Vec<_>) =
            conditions.into_iter().partition(|(prop, _)| self.is_bounded(*prop) || is_chance(*prop));
        for (severity, facts) in [(Severity::Warning, bounded), (Severity::Note, free)] {
            let Some((_, of_first)) = facts.first() else { continue };
            let witness = if facts.len() == count { witness } else { of_first };
            let mut finding = self.violated(entry, judged);
            finding.severity = severity;
            finding.condition = Some(brief(&Prop::all(facts.iter().map(|(prop, _)| *prop))));
            finding.witness = witness.integers.iter().map(|(atom, value)| (brief(atom), *value)).collect();
            self.answer.findings.push(finding);
        }
    }

    /// Whether an open requirement is a condition on the inputs, which counts as decided.
    pub(super) fn is_condition(&self, judged: &Judged) -> bool {
        match &judged.verdict {
            _ if !judged.binds() => true,
            Verdict::Holds => true,
            Verdict::Depends { witness, .. } => {
                open_facts(judged, witness).iter().all(|(prop, _)| !is_computed(*prop))
            }
            Verdict::Fails | Verdict::Unknown { .. } => false,
        }
    }
    /// Whether the user, or the data, has bounded every size that a statement is about.
    fn is_bounded(&self, prop: Prop) -> bool {
        let mut all = true;
        prop.leaves(&mut |atom| match atom.view() {
            AtomView::Symbol(symbol) if symbol.origin().source == Source::Data => {}
            AtomView::Symbol(symbol) => {
                let name = symbol.name();
                all &= self.question.sizes.iter().any(|(given, _, _)| given.as_str() == &*name);
            }
            _ => all = false,
        });
        all
    }
}

/// The facts of a requirement that do not always hold, each with sizes for which the requirement is broken.
fn open_facts<'j>(judged: &'j Judged, witness: &'j Model) -> Vec<(Prop, &'j Model)> {
    let open = judged.parts.iter().filter_map(|(fact, verdict)| match verdict {
        Verdict::Holds => None,
        Verdict::Depends { witness, .. } => Some((*fact, witness)),
        Verdict::Fails | Verdict::Unknown { .. } => Some((*fact, witness)),
    });
    let open: Vec<_> = open.collect();
    if open.is_empty() { vec![(judged.requirement.prop, witness)] } else { open }
}

/// Whether a statement speaks of something that only the run computes, not of the inputs' sizes.
fn is_computed(prop: Prop) -> bool {
    let mut computed = false;
    prop.leaves(&mut |atom| computed |= !is_input_size(atom));
    computed || is_free(prop)
}

/// Whether a part of the statement is no arithmetic on sizes, but on data or on a shape of unknown rank.
fn is_free(prop: Prop) -> bool {
    match prop.view() {
        PropView::And(inner) | PropView::Or(inner) => inner.into_iter().any(is_free),
        PropView::Not(inner) => is_free(inner),
        PropView::Free(..) | PropView::Value(_) => true,
        PropView::SameShape(a, b) | PropView::Broadcastable(a, b) => {
            a.known_rank().is_none() || b.known_rank().is_none()
        }
        PropView::Constant(_) | PropView::Equal(..) | PropView::AtMost(..) => false,
    }
}

pub(super) fn is_input_size(atom: AtomId) -> bool {
    matches!(atom.view(), AtomView::Symbol(symbol) if symbol.origin().source != Source::Computed)
}

/// Whether a statement holds only if a number that the data decides happens to be one of a few: how many elements a mask
/// selects is broadcast with a size that has nothing to do with it.
fn is_chance(prop: Prop) -> bool {
    let PropView::Or(parts) = prop.view() else { return false };
    let (mut is_counted, mut found) = (true, None);
    prop.leaves(&mut |atom| {
        is_counted &= *found.get_or_insert(atom) == atom;
        is_counted &=
            matches!(atom.view(), AtomView::Symbol(symbol) if symbol.origin().source == Source::Count);
    });
    is_counted && parts.iter().all(|part| matches!(part.view(), PropView::Equal(..)))
}
