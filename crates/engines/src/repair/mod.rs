//! The smallest changes that make an invalid model valid: arguments of layers, and types and shapes of inputs.
//!
//! One thing is changed at a time, first what the broken requirement names, then whatever else the failing layer
//! depends on. Numbers are left open, the requirements of the whole model are the question, and the answer nearest
//! to what was there is proposed once the definitions have confirmed it. No layer is known here.

mod advice;
mod candidates;
mod numbers;
mod said;

use crate::walk::{Edit, NAMED_SIZE, State, Walked, Walker, ancestors, declared};
pub use advice::{Advice, Edit as Edited, StuckAt};
use candidates::{Candidate, Candidates};
use program::ir::{Action, Declared, Fault, Given, Invocation, Program, Size, ValueId};
use rustc_hash::FxHashSet;
pub(crate) use said::written;
use semantics::arena;
use semantics::dtype::Kind;
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::fmt;

/// What the search came to.
#[derive(Clone, Default)]
pub struct Repair {
    /// Any of these makes the whole model valid; the most plausible first.
    pub proposals: Vec<Proposal>,
    /// Where it ended if there are none.
    pub stuck: Option<Stuck>,
}

/// A layer that no change was found to mend, after changes that mend what fails before it.
#[derive(Clone)]
pub struct Stuck {
    pub after: Proposal,
    pub place: String,
    /// What does not hold there.
    pub labels: Vec<&'static str>,
}

/// Changes that make a model valid, all of them together.
#[derive(Clone)]
pub struct Proposal {
    pub changes: Vec<Change>,
}

/// One thing that is to be different.
#[derive(Clone)]
pub struct Change {
    /// The layer or the input.
    pub place: String,
    /// Whether it is an input, of the model or of one inside it.
    pub is_input: bool,
    pub fix: Fix,
    /// As it is and as it should be; nothing for an argument that is left out.
    pub before: Option<Said>,
    pub after: Option<Said>,
}

/// An argument or an input.
#[derive(Clone)]
pub struct Said {
    /// As Python writes it.
    pub words: String,
    pub json: Value,
}

#[derive(Clone)]
pub enum Fix {
    /// Of the layer that a node calls.
    Argument {
        node: usize,
        slot: usize,
        name: &'static str,
        given: Option<Given>,
    },
    Input {
        input: ValueId,
        kind: Kind,
        sizes: Vec<i64>,
    },
}

impl Fix {
    /// Whether both are about one argument, or about one input.
    fn is_beside(&self, other: &Fix) -> bool {
        match (self, other) {
            (Fix::Argument { node, slot, .. }, Fix::Argument { node: at, slot: of, .. }) => {
                (node, slot) == (at, of)
            }
            (Fix::Input { input, .. }, Fix::Input { input: other, .. }) => input == other,
            _ => false,
        }
    }
}

/// More changes than this are no repair.
const MOST_CHANGES: usize = 8;
/// Calls of layers that one search asks for at most: some tens of milliseconds.
const MOST_CALLS: usize = 4_000;
/// More advice than this is noise.
const MOST_PROPOSALS: usize = 3;
/// Of the groups of what could be changed those about the failing layer's own arguments.
const OWN_GROUPS: usize = 2;
/// Layers before the failing one that are changed rather than inputs.
const NEAR: usize = 4;

/// Proposals for an invalid model, or where the search for them ended; neither for a valid one.
pub fn repair(program: &Program) -> Repair {
    // What is wrong with the file itself has its own mends, which come first.
    let first = Proposal { changes: mends(program) };
    if first.changes.is_empty() {
        return keeping_weights(program);
    }
    let mut mended = program.clone();
    apply(&mut mended, &first);
    let rest = keeping_weights(&mended);
    let all = |rest: Proposal| first.clone().followed_by(rest);
    match (rest.proposals.is_empty(), rest.stuck) {
        (true, None) => Repair { proposals: vec![first], stuck: None },
        (_, stuck) => Repair {
            proposals: rest.proposals.into_iter().map(all).collect(),
            stuck: stuck.map(|stuck| Stuck { after: all(stuck.after), ..stuck }),
        },
    }
}

impl Proposal {
    /// Both, where what is changed twice is changed once.
    fn followed_by(mut self, mut later: Proposal) -> Proposal {
        for change in &mut later.changes {
            if let Some(at) = self.changes.iter().position(|before| before.fix.is_beside(&change.fix)) {
                change.before = self.changes.remove(at).before;
            }
        }
        self.changes.append(&mut later.changes);
        self
    }
}

/// The changes that faults of nodes ask for, one for each argument of a layer.
fn mends(program: &Program) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for (node, named) in program.graph.nodes.iter().enumerate() {
        let Action::Call(call) = &named.action else { continue };
        for mend in named.faults.iter().filter_map(|fault| fault.mend.as_ref()) {
            let name = call.operator.parameters[mend.slot].name;
            let fix = Fix::Argument { node, slot: mend.slot, name, given: mend.given.clone() };
            let is_known = |change: &Change| {
                matches!(change.fix, Fix::Argument { node, name: of, .. }
                    if of == name && program.graph.nodes[node].place.is_of_layer_at(&named.place))
            };
            if !changes.iter().any(is_known) {
                changes.push(change(program, &fix));
            }
        }
    }
    changes
}

/// Changes after which what is stored still fits the layers that have it, or else any.
fn keeping_weights(program: &Program) -> Repair {
    let walker = Walker::keeping_weights(program);
    let found = if walker.has_weights() { search(program, &walker) } else { Repair::default() };
    if found.proposals.is_empty() { search(program, &Walker::new(program)) } else { found }
}

/// Changes that make hold what the definitions of layers require.
fn search(program: &Program, walker: &Walker<'_>) -> Repair {
    let mut done: Vec<Fix> = Vec::new();
    let all = |fixes: &[Fix]| Proposal { changes: fixes.iter().map(|fix| change(program, fix)).collect() };
    for number in 1.. {
        let searched = arena::scope(|| {
            let search = Search::new(program, walker, &done, MOST_CALLS)?;
            let failing = (program.graph.nodes[search.node].place.node.clone(), search.labels.clone());
            Some((search.run(), failing))
        });
        match searched {
            None => break,
            Some((Found::Whole(fixes), _)) => {
                let proposal = |fix: Fix| all(&needed(walker, [&done[..], &[fix]].concat()));
                return Repair { proposals: fixes.into_iter().map(proposal).collect(), stuck: None };
            }
            // One fault fewer, and the next one is looked at.
            Some((Found::Step(fix), _)) if number < MOST_CHANGES => {
                done.retain(|other| !other.is_beside(&fix));
                done.push(fix);
            }
            Some((Found::Step(_) | Found::Nothing, (place, labels))) => {
                let stuck = Some(Stuck { after: all(&done), place, labels });
                return Repair { proposals: Vec::new(), stuck };
            }
        }
    }
    Repair::default()
}

/// The fixes without those that the whole model does not need, since a later one does their work.
fn needed(walker: &Walker<'_>, mut fixes: Vec<Fix>) -> Vec<Fix> {
    let mut at = 0;
    while at + 1 < fixes.len() {
        let others: Vec<Fix> =
            fixes.iter().enumerate().filter(|(k, _)| *k != at).map(|(_, fix)| fix.clone()).collect();
        let is_valid = arena::scope(|| {
            let edits: Vec<Edit> = others.iter().map(edit).collect();
            walker.walk(&edits).is_valid()
        });
        if is_valid {
            fixes = others;
        } else {
            at += 1;
        }
    }
    fixes
}

/// Makes the changes.
pub fn apply(program: &mut Program, proposal: &Proposal) {
    for change in &proposal.changes {
        match &change.fix {
            Fix::Argument { node, slot, given, .. } => {
                crate::grow::set_argument(program, *node, *slot, given.clone());
                // Further calls of the layer have the argument, too, and what was wrong with it is mended.
                let own = program.graph.nodes[*node].place.clone();
                let nodes = program.graph.nodes.iter_mut();
                for other in nodes.filter(|other| other.place.is_of_layer_at(&own)) {
                    let is_mended =
                        |fault: &Fault| fault.mend.as_ref().is_some_and(|mend| mend.slot == *slot);
                    if other.faults.iter().any(is_mended)
                        && let Action::Call(call) = &mut other.action
                    {
                        call.arguments[*slot] = given.clone();
                        other.faults.retain(|fault| !is_mended(fault));
                    }
                }
            }
            Fix::Input { input, kind, sizes } => {
                let sizes = named(program, *input, sizes);
                let declared = Declared::Tensor { kind: Some(*kind), sizes: Some(sizes) };
                program.values[input.0 as usize].declared = Some(declared);
            }
        }
    }
}

/// What one search came to.
enum Found {
    /// Any of these makes the whole model valid.
    Whole(Vec<Fix>),
    /// This one gets past what fails first.
    Step(Fix),
    Nothing,
}

/// One search, in the current arena.
struct Search<'p> {
    program: &'p Program,
    walker: &'p Walker<'p>,
    edits: Vec<Edit>,
    walked: Walked,
    node: usize,
    labels: Vec<&'static str>,
    done: &'p [Fix],
    /// How many nodes may still be asked.
    budget: Cell<usize>,
    /// The numbers of candidates that do not even get past the layer that fails first.
    useless: RefCell<FxHashSet<usize>>,
}

impl<'p> Search<'p> {
    /// `None` if nothing fails.
    fn new(
        program: &'p Program,
        walker: &'p Walker<'p>,
        done: &'p [Fix],
        budget: usize,
    ) -> Option<Search<'p>> {
        let edits: Vec<Edit> = done.iter().map(edit).collect();
        let walked = walker.walk(&edits);
        let (node, labels) = walked.broken()?;
        let labels = labels.to_vec();
        Some(Search {
            program,
            walker,
            edits,
            node,
            labels,
            walked,
            done,
            budget: Cell::new(budget),
            useless: RefCell::default(),
        })
    }

    fn run(self) -> Found {
        let groups = self.groups();
        let whole = self.find(&groups, Aim::Model);
        if !whole.is_empty() {
            return Found::Whole(whole);
        }
        // Two changes of the failing layer itself are looked for last.
        let own = &groups[..OWN_GROUPS];
        let step = self.find(&groups, Aim::Layer).into_iter().next();
        let step = step.or_else(|| {
            self.budget.set(MOST_CALLS);
            self.find(own, Aim::Requirement).into_iter().next()
        });
        step.map_or(Found::Nothing, Found::Step)
    }

    /// The changes of the first group that has any which come to what is aimed at.
    fn find(&self, groups: &[Vec<Site>], aim: Aim) -> Vec<Fix> {
        let mut found: Vec<Fix> = Vec::new();
        let mut number = 0;
        for group in groups {
            for site in group {
                for candidate in self.candidates(*site) {
                    number += 1;
                    if let Some(fix) = self.attempt(&candidate, number, aim) {
                        found.push(fix);
                        break;
                    }
                }
                if found.len() >= MOST_PROPOSALS || (aim == Aim::Requirement && !found.is_empty()) {
                    return found;
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// What could be changed: first what the broken requirement names, then the failing layer's other arguments, then
    /// the layers right before it, nearest first, then inputs of the model, which data hardly follow, then the layers
    /// farther off.
    fn groups(&self) -> Vec<Vec<Site>> {
        let before = ancestors(self.program, self.node);
        let mut groups = vec![Vec::new(), Vec::new()];
        for (distance, &node) in before.iter().enumerate() {
            let Action::Call(call) = &self.program.graph.nodes[node].action else { continue };
            let mut arguments = Vec::new();
            for (slot, parameter) in call.operator.parameters.iter().enumerate() {
                let site = Site::Argument { node, slot };
                let quoted = format!("`{}`", parameter.name);
                match distance {
                    0 if self.labels.iter().any(|label| label.contains(&quoted)) => groups[0].push(site),
                    0 => groups[1].push(site),
                    _ => arguments.push(site),
                }
            }
            groups.push(arguments);
        }
        let read = |input: &&ValueId| {
            before.iter().any(|&node| self.program.graph.nodes[node].inputs().contains(input))
        };
        let inputs = self.program.graph.inputs.iter().filter(read).map(|&input| Site::Input(input)).collect();
        groups.insert(groups.len().min(OWN_GROUPS + NEAR), inputs);
        groups
    }

    fn candidates(&self, site: Site) -> Vec<Candidate> {
        let current = self.current(site);
        let Some(current) = current else { return Vec::new() };
        Candidates { program: self.program, walked: &self.walked }.of(site, &current)
    }

    /// What is there now, after the fixes that are decided.
    fn current(&self, site: Site) -> Option<Current> {
        let fixed = self.done.iter().rev().find_map(|fix| match (fix, site) {
            (Fix::Argument { node, slot, given, .. }, Site::Argument { node: own, slot: at })
                if (*node, *slot) == (own, at) =>
            {
                Some(Current::Argument(given.clone()))
            }
            (Fix::Input { input, kind, sizes }, Site::Input(own)) if *input == own => {
                Some(Current::Input(*kind, sizes.clone()))
            }
            _ => None,
        });
        fixed.or_else(|| match site {
            Site::Argument { node, slot } => {
                let Action::Call(call) = &self.program.graph.nodes[node].action else { return None };
                Some(Current::Argument(call.arguments[slot].clone()))
            }
            Site::Input(input) => {
                let (kind, sizes) = declared(self.program, input)?;
                Some(Current::Input(kind, sizes))
            }
        })
    }

    /// The change that a candidate stands for, with its numbers chosen, if it comes to what is aimed at.
    /// Candidates have the same numbers each time they are gone through.
    fn attempt(&self, candidate: &Candidate, number: usize, aim: Aim) -> Option<Fix> {
        if self.budget.get() == 0 {
            return None;
        }
        let until = if aim == Aim::Model { self.program.graph.nodes.len() } else { self.node + 1 };
        let fix = match candidate {
            // Nothing else comes of it the second time.
            Candidate::Known(_) if aim == Aim::Layer && self.useless.borrow().contains(&number) => {
                return None;
            }
            Candidate::Known(fix) => fix.clone(),
            Candidate::Open(open) => {
                let walked = self.walk(open.edit(), until);
                if !self.may_come_to(aim, &walked) {
                    return None;
                }
                open.with(&numbers::nearest(&walked.open, open)?)
            }
        };
        let walked = self.walk(edit(&fix), until);
        if walked.states.get(self.node) != Some(&State::Valid) {
            self.useless.borrow_mut().insert(number);
        }
        let comes = walked.open.is_empty() && self.may_come_to(aim, &walked);
        (comes && (aim != Aim::Requirement || self.is_followed(&fix))).then_some(fix)
    }

    /// Whether a walk comes to what is aimed at, but for what open numbers decide.
    fn may_come_to(&self, aim: Aim, walked: &Walked) -> bool {
        match (aim, walked.states.get(self.node)) {
            (Aim::Requirement, Some(State::Broken(labels))) => {
                self.labels.iter().all(|label| !labels.contains(label))
            }
            (Aim::Requirement, _) => false,
            _ => walked.may_be_valid(),
        }
    }

    /// Whether one more change mends the layer that fails first.
    fn is_followed(&self, fix: &Fix) -> bool {
        let done = [self.done, std::slice::from_ref(fix)].concat();
        let Some(next) = Search::new(self.program, self.walker, &done, self.budget.get()) else {
            return true;
        };
        let mut groups = next.groups();
        groups.truncate(OWN_GROUPS);
        // What was changed stays.
        groups.iter_mut().for_each(|group| group.retain(|site| !site.is_of(fix)));
        let is_followed = next.node == self.node && !next.find(&groups, Aim::Layer).is_empty();
        self.budget.set(next.budget.get());
        is_followed
    }

    fn walk(&self, last: Edit, until: usize) -> Walked {
        let mut edits = self.edits.clone();
        edits.push(last);
        let walked = self.walker.walk_again(&self.walked, &edits, until);
        self.budget.set(self.budget.get().saturating_sub(walked.asked.max(1)));
        walked
    }
}

/// What one change is to make hold: the whole model, or else all that the first failing layer requires, or else what
/// is broken there if one more change does the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Aim {
    Model,
    Layer,
    Requirement,
}

/// What could be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Site {
    Argument { node: usize, slot: usize },
    Input(ValueId),
}

impl Site {
    /// Whether the fix changes this.
    fn is_of(self, fix: &Fix) -> bool {
        match (self, fix) {
            (Site::Argument { node, slot }, Fix::Argument { node: at, slot: of, .. }) => {
                (node, slot) == (*at, *of)
            }
            (Site::Input(input), Fix::Input { input: of, .. }) => input == *of,
            _ => false,
        }
    }
}

enum Current {
    Argument(Option<Given>),
    Input(Kind, Vec<i64>),
}

fn edit(fix: &Fix) -> Edit {
    match fix {
        Fix::Argument { node, slot, given, .. } => {
            Edit::Argument { node: *node, slot: *slot, given: given.clone() }
        }
        Fix::Input { input, kind, sizes } => {
            let sizes = sizes.iter().map(|&size| size.into()).collect();
            Edit::Input { input: *input, kind: *kind, sizes }
        }
    }
}

/// Whether an argument is the shape that an input of a model inside another one declares.
fn is_entry(call: &Invocation, slot: usize) -> bool {
    std::ptr::eq(call.operator, &layers::entry::ENTRY) && call.operator.parameters[slot].name == "shape"
}

fn change(program: &Program, fix: &Fix) -> Change {
    let (place, before, after) = match fix {
        Fix::Argument { node, slot, given, .. } => {
            let place = &program.graph.nodes[*node];
            let Action::Call(call) = &place.action else { return unnamed(fix) };
            let parameter = &call.operator.parameters[*slot];
            if is_entry(call, *slot) {
                let kind = call.arguments.iter().flatten().find_map(|given| match given {
                    Given::Type(kind) => Some(*kind),
                    _ => None,
                });
                let write = |given: &Option<Given>| match given {
                    Some(Given::Ints(sizes)) => Some(said::entry(kind.unwrap_or(Kind::F32), sizes)),
                    _ => None,
                };
                let (before, after) = (write(&call.arguments[*slot]), write(given));
                let place = place.place.node.clone();
                return Change { place, is_input: true, fix: fix.clone(), before, after };
            }
            let say =
                |given: &Given| Said { words: written(given, parameter), json: said::json(given, parameter) };
            let write = |given: &Option<Given>| given.as_ref().map(say);
            (place.place.node.clone(), write(&call.arguments[*slot]), write(given))
        }
        Fix::Input { input, kind, sizes } => {
            let write = |kind: Kind, sizes: &[i64]| {
                let sizes = named(program, *input, sizes);
                let words: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                let words = format!("{kind}[{}]", words.join(", "));
                Said { words, json: said::input(kind, &sizes) }
            };
            let before = declared(program, *input).map(|(kind, sizes)| write(kind, &sizes));
            (program.name(*input).to_string(), before, Some(write(*kind, sizes)))
        }
    };
    let is_input = matches!(fix, Fix::Input { .. });
    Change { place, is_input, fix: fix.clone(), before, after }
}

/// Sizes of an input, those by name that the program names and that are not changed.
fn named(program: &Program, input: ValueId, sizes: &[i64]) -> Vec<Size> {
    let declared = match program.declared(input) {
        Some(Declared::Tensor { sizes: Some(declared), .. }) => declared.as_slice(),
        _ => &[],
    };
    let name = |(axis, &size): (usize, &i64)| match declared.get(axis) {
        Some(Size::Named(name)) if size == NAMED_SIZE => Size::Named(name.clone()),
        _ => Size::Known(size),
    };
    sizes.iter().enumerate().map(name).collect()
}

fn unnamed(fix: &Fix) -> Change {
    Change { place: String::new(), is_input: false, fix: fix.clone(), before: None, after: None }
}

impl fmt::Display for Proposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, change) in self.changes.iter().enumerate() {
            write!(f, "{}{change}", if number > 0 { ", and " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    /// ``make `filters` of `conv` 4 (it is 0)``
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        let words = |said: &'_ Option<Said>| said.as_ref().map(|said| said.words.clone());
        match (&self.fix, words(&self.before), words(&self.after)) {
            (_, before, after) if self.is_input => {
                let [before, after] = [before, after].map(|words| words.unwrap_or_else(|| "?".into()));
                write!(f, "make the input `{place}` {after} (it is {before})")
            }
            (Fix::Argument { name, .. }, Some(before), Some(after)) => {
                write!(f, "make `{name}` of `{place}` {after} (it is {before})")
            }
            (Fix::Argument { name, .. }, None, Some(after)) => write!(f, "give `{place}` {name}={after}"),
            (Fix::Argument { name, .. }, Some(before), None) => {
                write!(f, "leave out {name}={before} of `{place}`")
            }
            (Fix::Argument { name, .. }, None, None) => write!(f, "leave out `{name}` of `{place}`"),
            (Fix::Input { .. }, ..) => Ok(()),
        }
    }
}
