//! The smallest changes that make an invalid model valid: arguments of layers, and types and shapes of inputs.
//!
//! One thing is changed at a time, first what the broken requirement names, then whatever else the failing layer
//! depends on. Numbers are left open, the requirements of the whole model are the question, and the answer nearest
//! to what was there is proposed once the definitions have confirmed it. No layer is known here.

mod candidates;
mod numbers;

use crate::walk::{Edit, NAMED_SIZE, State, Walked, Walker, ancestors, declared};
use candidates::{Candidate, Candidates};
use program::ir::{Action, Declared, Given, Program, Size, ValueId};
use rustc_hash::FxHashSet;
use semantics::arena;
use semantics::dtype::Kind;
use semantics::operator::Operator;
use std::cell::{Cell, RefCell};
use std::fmt;

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
    pub fix: Fix,
    /// As it is and as it should be, in words; nothing for an argument that is left out.
    pub before: Option<String>,
    pub after: Option<String>,
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

/// More changes than this are no repair.
const MOST_CHANGES: usize = 4;
/// Calls of layers that one search asks for at most: some tens of milliseconds.
const MOST_CALLS: usize = 4_000;
/// More advice than this is noise.
const MOST_PROPOSALS: usize = 3;

/// Proposals for an invalid model, the most plausible first. Empty for a valid one, and where none was found.
pub fn repair(program: &Program) -> Vec<Proposal> {
    let walker = Walker::new(program);
    let mut done: Vec<Fix> = Vec::new();
    loop {
        let found = arena::scope(|| Search::new(program, &walker, &done).map(|search| search.run()));
        match found {
            Some(Found::Whole(fixes)) => {
                let proposal = |fix: Fix| {
                    let fixes = done.iter().chain([&fix]);
                    Proposal { changes: fixes.map(|fix| change(program, fix)).collect() }
                };
                return fixes.into_iter().map(proposal).collect();
            }
            // The failing layer alone is mended, and the next one that fails is looked at.
            Some(Found::Step(fix)) if done.len() + 1 < MOST_CHANGES => done.push(fix),
            _ => return Vec::new(),
        }
    }
}

/// Makes the changes.
pub fn apply(program: &mut Program, proposal: &Proposal) {
    for change in &proposal.changes {
        match &change.fix {
            Fix::Argument { node, slot, given, .. } => {
                crate::grow::set_argument(program, *node, *slot, given.clone());
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
    /// This one gets past the layer that fails first.
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
    fn new(program: &'p Program, walker: &'p Walker<'p>, done: &'p [Fix]) -> Option<Search<'p>> {
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
            budget: Cell::new(MOST_CALLS),
            useless: RefCell::default(),
        })
    }

    fn run(self) -> Found {
        let groups = self.groups();
        let all = self.program.graph.nodes.len();
        for until in [all, self.node + 1] {
            let mut found: Vec<Fix> = Vec::new();
            let mut number = 0;
            for group in &groups {
                for site in group {
                    for candidate in self.candidates(*site) {
                        number += 1;
                        if let Some(fix) = self.attempt(&candidate, number, until) {
                            found.push(fix);
                            break;
                        }
                    }
                    if found.len() >= MOST_PROPOSALS {
                        break;
                    }
                }
                if !found.is_empty() {
                    break;
                }
            }
            if !found.is_empty() && until == all {
                return Found::Whole(found);
            }
            if let Some(fix) = found.into_iter().next() {
                return Found::Step(fix);
            }
        }
        Found::Nothing
    }

    /// What could be changed: first what the broken requirement names, then the failing layer's other arguments, then
    /// inputs of the model, then the layers before it, nearest first.
    fn groups(&self) -> Vec<Vec<Site>> {
        let before = ancestors(self.program, self.node);
        let mut groups = vec![Vec::new(), Vec::new(), Vec::new()];
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
        groups[2] = self.program.graph.inputs.iter().filter(read).map(|&input| Site::Input(input)).collect();
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

    /// The change that a candidate stands for, with its numbers chosen, if it makes the first `until` nodes valid.
    /// Candidates have the same numbers each time they are gone through.
    fn attempt(&self, candidate: &Candidate, number: usize, until: usize) -> Option<Fix> {
        if self.budget.get() == 0 {
            return None;
        }
        let fix = match candidate {
            // Nothing else comes of it the second time.
            Candidate::Known(_) if self.useless.borrow().contains(&number) => return None,
            Candidate::Known(fix) => fix.clone(),
            Candidate::Open(open) => {
                let walked = self.walk(open.edit(), until);
                if !walked.may_be_valid() {
                    return None;
                }
                open.with(&numbers::nearest(&walked.open, open)?)
            }
        };
        let walked = self.walk(edit(&fix), until);
        if walked.states.get(self.node) != Some(&State::Valid) {
            self.useless.borrow_mut().insert(number);
        }
        walked.is_valid().then_some(fix)
    }

    fn walk(&self, last: Edit, until: usize) -> Walked {
        let mut edits = self.edits.clone();
        edits.push(last);
        let walked = self.walker.walk_again(&self.walked, &edits, until);
        self.budget.set(self.budget.get().saturating_sub(walked.asked.max(1)));
        walked
    }
}

/// What could be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Site {
    Argument { node: usize, slot: usize },
    Input(ValueId),
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

fn change(program: &Program, fix: &Fix) -> Change {
    let (place, before, after) = match fix {
        Fix::Argument { node, slot, given, .. } => {
            let place = &program.graph.nodes[*node];
            let Action::Call(call) = &place.action else { return unnamed(fix) };
            let kind = &call.operator.parameters[*slot].kind;
            let write = |given: &Option<Given>| given.as_ref().map(|given| written(given, kind));
            (place.place.node.clone(), write(&call.arguments[*slot]), write(given))
        }
        Fix::Input { input, kind, sizes } => {
            let write = |kind: Kind, sizes: &[i64]| {
                let sizes = named(program, *input, sizes);
                let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                format!("{kind}[{}]", sizes.join(", "))
            };
            let before = declared(program, *input).map(|(kind, sizes)| write(kind, &sizes));
            (program.name(*input).to_string(), before, Some(write(*kind, sizes)))
        }
    };
    Change { place, fix: fix.clone(), before, after }
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
    Change { place: String::new(), fix: fix.clone(), before: None, after: None }
}

/// An argument as Python writes it.
pub(crate) fn written(given: &Given, kind: &semantics::operator::ParameterKind) -> String {
    match given {
        Given::Int(value) if matches!(kind, semantics::operator::ParameterKind::Flag) => {
            if *value == 0 {
                "False".into()
            } else {
                "True".into()
            }
        }
        Given::Int(value) => value.to_string(),
        Given::Ints(values) => format!("{values:?}"),
        Given::Float(value) => value.to_string(),
        Given::Floats(values) => format!("{values:?}"),
        Given::Type(kind) => kind.to_string(),
        Given::Text(text) => format!("{text:?}"),
        Given::Texts(texts) => format!("{texts:?}"),
        Given::Operators(operators) => {
            let call = |(operator, given): &(&'static Operator, Vec<Option<Given>>)| {
                let given = operator.parameters.iter().zip(given);
                let given = given.filter_map(|(parameter, given)| {
                    Some(format!("{}={}", parameter.name, written(given.as_ref()?, &parameter.kind)))
                });
                format!("{}({})", operator.name, given.collect::<Vec<_>>().join(", "))
            };
            let calls: Vec<String> = operators.iter().map(call).collect();
            if calls.len() == 1 { calls.concat() } else { format!("[{}]", calls.join(", ")) }
        }
        Given::Value(..) => "a tensor".into(),
    }
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
        match (&self.fix, &self.before, &self.after) {
            (Fix::Argument { name, .. }, Some(before), Some(after)) => {
                write!(f, "make `{name}` of `{place}` {after} (it is {before})")
            }
            (Fix::Argument { name, .. }, None, Some(after)) => write!(f, "give `{place}` {name}={after}"),
            (Fix::Argument { name, .. }, before, None) => {
                let before = before.as_deref().unwrap_or_default();
                write!(f, "leave out {name}={before} of `{place}`")
            }
            (Fix::Input { .. }, before, after) => {
                let (before, after) = (before.as_deref().unwrap_or("?"), after.as_deref().unwrap_or("?"));
                write!(f, "make the input `{place}` {after} (it is {before})")
            }
        }
    }
}
