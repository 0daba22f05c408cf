//! What one thing could be instead, nearest first: numbers left open, other words, other lengths, other forms.

use super::{Current, Fix, Site};
use crate::walk::{Edit, Walked, declared};
use program::ir::{Action, Declared, Given, Program, Size, ValueId};
use semantics::call::Argument;
use semantics::dim::{Dim, LARGEST_SIZE};
use semantics::dtype::Kind;
use semantics::operator::{Operator, Parameter, ParameterKind, Preset};

pub(super) enum Candidate {
    Known(Fix),
    Open(Open),
}

/// A change whose numbers are still to be chosen.
pub(super) struct Open {
    base: Fix,
    /// Which entries of the list are open; the only one of a number.
    entries: Vec<usize>,
    pub symbols: Vec<Dim>,
    /// What the entries are now, or what is plain.
    pub wishes: Vec<i64>,
}

impl Open {
    /// The change with symbols for the open numbers.
    pub fn edit(&self) -> Edit {
        let symbol =
            |entry: usize| self.entries.iter().position(|open| *open == entry).map(|at| self.symbols[at]);
        let filled = |numbers: &[i64]| -> Vec<Dim> {
            numbers.iter().enumerate().map(|(k, &n)| symbol(k).unwrap_or_else(|| n.into())).collect()
        };
        match &self.base {
            Fix::Argument { node, slot, given, .. } => {
                let argument = match given {
                    Some(Given::Ints(numbers)) => Argument::Ints(filled(numbers)),
                    _ => Argument::Int(self.symbols[0]),
                };
                Edit::Open { node: *node, slot: *slot, argument }
            }
            Fix::Input { input, kind, sizes } => {
                Edit::Input { input: *input, kind: *kind, sizes: filled(sizes) }
            }
        }
    }
    /// The change with these numbers.
    pub fn with(&self, values: &[i64]) -> Fix {
        let mut fix = self.base.clone();
        let numbers = match &mut fix {
            Fix::Argument { given: Some(Given::Ints(numbers)), .. } => numbers,
            Fix::Input { sizes, .. } => sizes,
            Fix::Argument { given, .. } => {
                *given = Some(Given::Int(values[0]));
                return fix;
            }
        };
        self.entries.iter().zip(values).for_each(|(&entry, &value)| numbers[entry] = value);
        fix
    }
}

pub(super) struct Candidates<'p> {
    pub program: &'p Program,
    pub walked: &'p Walked,
}

/// Lists that are longer are not made up.
const LONGEST: usize = 6;
/// Numbers that decide the form of a result cannot be left open: these are tried.
const TRIED: std::ops::RangeInclusive<i64> = -6..=12;
/// Ways to split the elements of a tensor that are tried.
const MOST_SPLITS: usize = 400;
/// Reals that are tried.
const REALS: [f64; 8] = [0.0, 0.5, 1.0, 0.1, 0.25, 1e-3, 2.0, -1.0];

impl Candidates<'_> {
    pub fn of(&self, site: Site, current: &Current) -> Vec<Candidate> {
        match (site, current) {
            (Site::Argument { node, slot }, Current::Argument(given)) => {
                self.argument(node, slot, given.as_ref())
            }
            (Site::Input(input), Current::Input(kind, sizes)) => self.input(input, *kind, sizes),
            _ => Vec::new(),
        }
    }

    fn argument(&self, node: usize, slot: usize, given: Option<&Given>) -> Vec<Candidate> {
        let Action::Call(call) = &self.program.graph.nodes[node].action else { return Vec::new() };
        let parameter = &call.operator.parameters[slot];
        let fix = |given: Option<Given>| Fix::Argument { node, slot, name: parameter.name, given };
        let known = |given: Given| Candidate::Known(fix(Some(given)));
        let mut found = Vec::new();
        match parameter.kind {
            ParameterKind::Int | ParameterKind::Ints => {
                self.numbers(parameter, given, &fix, &mut found);
                // Numbers that cannot be left open, one at a time.
                self.structures(node, given, &mut |given| found.push(known(given)));
            }
            ParameterKind::Flag => found.extend([0, 1].map(|flag| known(Given::Int(flag)))),
            ParameterKind::Float => {
                let mut reals = REALS.to_vec();
                if let Some(Given::Float(now)) = given {
                    reals.sort_by(|a, b| (a - now).abs().total_cmp(&(b - now).abs()));
                }
                found.extend(reals.into_iter().map(|real| known(Given::Float(real))));
            }
            ParameterKind::Word(words) => {
                let mut words = words.to_vec();
                if let Some(Given::Text(now)) = given {
                    words.sort_by_key(|word| distance(word, now));
                }
                found.extend(words.into_iter().map(|word| known(Given::Text(word.into()))));
            }
            ParameterKind::Operators(find) => {
                if let Some(Given::Operators(calls)) = given {
                    inner(calls).for_each(|calls| found.push(known(Given::Operators(calls))));
                }
                shown(call.operator, slot).into_iter().for_each(|given| {
                    if let Given::Operators(calls) = &given {
                        inner(calls).for_each(|calls| found.push(known(Given::Operators(calls))));
                    }
                });
                // Layers that need no arguments.
                let plain = |layer: &&'static layers::layer::Layer| {
                    let parameters = layer.operator.parameters.iter();
                    find(layer.operator.name).is_some()
                        && parameters.clone().all(|parameter| !matches!(parameter.default, Preset::Required))
                };
                found.extend(layers::layers::ALL.iter().copied().filter(plain).map(|layer| {
                    known(Given::Operators(vec![(
                        &layer.operator,
                        vec![None; layer.operator.parameters.len()],
                    )]))
                }));
            }
            ParameterKind::Text => found.extend(shown(call.operator, slot).into_iter().map(known)),
            _ => {}
        }
        if given.is_some() && !matches!(parameter.default, Preset::Required) {
            found.push(Candidate::Known(fix(None)));
        }
        found
    }

    fn numbers(
        &self,
        parameter: &Parameter,
        given: Option<&Given>,
        fix: &dyn Fn(Option<Given>) -> Fix,
        found: &mut Vec<Candidate>,
    ) {
        let plain = match parameter.default {
            Preset::Int(value) => value,
            _ => 1,
        };
        let now = match given {
            Some(Given::Int(number)) => *number,
            _ => plain,
        };
        let one = |found: &mut Vec<Candidate>| {
            found.push(open(fix(Some(Given::Int(now))), vec![0], vec![now], -LARGEST_SIZE));
        };
        if matches!(parameter.kind, ParameterKind::Int) {
            return one(found);
        }
        if let Some(Given::Ints(numbers)) = given
            && numbers.len() <= LONGEST
        {
            for (entry, &number) in numbers.iter().enumerate() {
                found.push(open(fix(given.cloned()), vec![entry], vec![number], -LARGEST_SIZE));
            }
            let all = (0..numbers.len()).collect();
            found.push(open(fix(given.cloned()), all, numbers.clone(), -LARGEST_SIZE));
        }
        one(found);
        for length in 1..=LONGEST {
            let numbers = vec![now; length];
            let list = fix(Some(Given::Ints(numbers.clone())));
            found.push(open(list, (0..length).collect(), numbers, -LARGEST_SIZE));
        }
    }

    /// Numbers that say which axis, in which order, or how sizes are split.
    fn structures(&self, node: usize, given: Option<&Given>, offer: &mut dyn FnMut(Given)) {
        match given {
            Some(Given::Ints(numbers)) => {
                let mut near: Vec<(i64, Vec<i64>)> = Vec::new();
                for entry in 0..numbers.len().min(LONGEST) {
                    for value in TRIED {
                        let mut changed = numbers.clone();
                        changed[entry] = value;
                        near.push(((value - numbers[entry]).abs(), changed));
                    }
                }
                near.sort();
                near.into_iter().for_each(|(_, numbers)| offer(Given::Ints(numbers)));
            }
            Some(Given::Int(number)) => nearest_first(*number).for_each(|value| offer(Given::Int(value))),
            _ => nearest_first(1).for_each(|value| offer(Given::Int(value))),
        }
        let Action::Call(call) = &self.program.graph.nodes[node].action else { return };
        let first = call.tensors[0].first().and_then(|value| self.walked.tensors[value.0 as usize]);
        let sizes = first.and_then(|tensor| tensor.shape().sizes());
        let sizes: Option<Vec<i64>> = sizes.and_then(|sizes| sizes.iter().map(|size| size.known()).collect());
        let Some(sizes) = sizes.filter(|sizes| !sizes.is_empty()) else { return };
        let mut orders = vec![Vec::new()];
        for axis in 1..sizes.len().min(LONGEST) as i64 {
            orders = orders.iter().flat_map(|order| inserted(order, axis)).collect();
        }
        orders.into_iter().for_each(|order| offer(Given::Ints(order)));
        let mut splits = Vec::new();
        for length in 1..LONGEST - 1 {
            split(sizes[1..].iter().product(), length, &mut Vec::new(), &mut splits);
        }
        if let Some(Given::Ints(now)) = given {
            let pairs =
                |split: &[i64]| split.iter().zip(now).map(|(a, b)| a.abs_diff(*b)).collect::<Vec<_>>();
            splits.sort_by_cached_key(|split| {
                let pairs = pairs(split);
                let differ = pairs.iter().filter(|difference| **difference > 0).count();
                (split.len().abs_diff(now.len()), differ, pairs.iter().sum::<u64>())
            });
        }
        splits.truncate(MOST_SPLITS);
        splits.into_iter().for_each(|split| offer(Given::Ints(split)));
        (1..sizes.len()).for_each(|axis| offer(Given::Ints(vec![axis as i64])));
    }

    fn input(&self, input: ValueId, kind: Kind, sizes: &[i64]) -> Vec<Candidate> {
        let fix = |kind: Kind, sizes: Vec<i64>| Fix::Input { input, kind, sizes };
        let mut found = Vec::new();
        let others =
            self.program.graph.inputs.iter().filter_map(|&input| Some(declared(self.program, input)?.0));
        let mut kinds: Vec<Kind> =
            others.chain([Kind::F32, Kind::I32]).filter(|other| *other != kind).collect();
        kinds.dedup();
        for other in kinds {
            found.push(Candidate::Known(fix(other, sizes.to_vec())));
        }
        let is_named = |axis: usize| match self.program.declared(input) {
            Some(Declared::Tensor { sizes: Some(sizes), .. }) => {
                matches!(sizes.get(axis), Some(Size::Named(_)))
            }
            _ => false,
        };
        for (axis, &size) in sizes.iter().enumerate().rev().filter(|(axis, _)| !is_named(*axis)) {
            found.push(open(fix(kind, sizes.to_vec()), vec![axis], vec![size], 0));
        }
        for axis in (1..=sizes.len()).rev() {
            let mut more = sizes.to_vec();
            more.insert(axis, 1);
            found.push(open(fix(kind, more), vec![axis], vec![1], 0));
        }
        for axis in (1..sizes.len()).rev() {
            let mut fewer = sizes.to_vec();
            fewer.remove(axis);
            found.push(Candidate::Known(fix(kind, fewer)));
        }
        found
    }
}

/// A layer that is an argument, with its own arguments.
type Called = (&'static Operator, Vec<Option<Given>>);

/// Layers that are arguments with one of their own arguments changed, or none.
fn inner(calls: &[Called]) -> impl Iterator<Item = Vec<Called>> {
    let mut found = vec![calls.to_vec()];
    for (at, (operator, given)) in calls.iter().enumerate() {
        for (slot, parameter) in operator.parameters.iter().enumerate() {
            let values: Vec<Option<Given>> = match (parameter.kind, &given[slot]) {
                (ParameterKind::Int | ParameterKind::Ints, now) => {
                    let near = match now {
                        Some(Given::Int(number)) => *number,
                        _ => 1,
                    };
                    nearest_first(near).take(8).map(|value| Some(Given::Int(value))).collect()
                }
                (ParameterKind::Float, Some(_)) => {
                    REALS.iter().map(|&real| Some(Given::Float(real))).collect()
                }
                (ParameterKind::Flag, _) => [0, 1].map(|flag| Some(Given::Int(flag))).to_vec(),
                _ => vec![None],
            };
            for value in values {
                let mut changed = calls.to_vec();
                changed[at].1[slot] = value;
                found.push(changed);
            }
        }
    }
    found.into_iter()
}

/// What valid examples of an operator show for a parameter.
fn shown(operator: &'static Operator, slot: usize) -> Vec<Given> {
    let mut found = Vec::new();
    for text in operator.examples.iter().filter(|text| !text.contains("fails:")) {
        if let Ok(example) = semantics::example::parse_call(text, operator) {
            found.extend(example.call.arguments[slot].as_ref().and_then(crate::grow::owned));
        }
    }
    found
}

fn open(base: Fix, entries: Vec<usize>, wishes: Vec<i64>, low: i64) -> Candidate {
    let symbols = entries.iter().map(|_| Dim::symbol("?", low, LARGEST_SIZE)).collect();
    Candidate::Open(Open { base, entries, symbols, wishes })
}

/// All lists of that length with this product.
fn split(product: i64, length: usize, begun: &mut Vec<i64>, found: &mut Vec<Vec<i64>>) {
    if found.len() >= MOST_SPLITS {
        return;
    }
    if length == 1 {
        found.push(begun.iter().copied().chain([product]).collect());
        return;
    }
    for factor in (1..=product.min(64)).filter(|factor| product % factor == 0) {
        begun.push(factor);
        split(product / factor, length - 1, begun, found);
        begun.pop();
    }
}

/// The list with one more number, in every place; at the end first.
fn inserted(list: &[i64], number: i64) -> impl Iterator<Item = Vec<i64>> {
    (0..=list.len()).rev().map(move |at| {
        let mut longer = list.to_vec();
        longer.insert(at, number);
        longer
    })
}

fn nearest_first(number: i64) -> impl Iterator<Item = i64> {
    let mut values: Vec<i64> = TRIED.collect();
    values.sort_by_key(|value| (value - number).abs());
    values.into_iter()
}

/// How many letters differ, roughly: those at the front and back that agree do not.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let front = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let back = a[front..].iter().rev().zip(b[front..].iter().rev()).take_while(|(a, b)| a == b).count();
    a.len().max(b.len()) - front - back
}
