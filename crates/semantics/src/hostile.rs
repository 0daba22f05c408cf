//! Calls that nobody should make, derived from an operator's examples by changing one thing in each.
//!
//! A definition answers every one of them, with outputs, a broken requirement or a reason; it never panics.

use crate::arena;
use crate::call::{Argument, Call, Outcome, Stop};
use crate::dim::Dim;
use crate::dtype::Kind;
use crate::example;
use crate::operator::Operator;
use crate::shape::Shape;
use crate::tensor::Tensor;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What changes of the examples make a definition panic, in words; `run` is how the call is run.
pub fn panics(operator: &'static Operator, run: fn(&mut Call) -> Outcome) -> Vec<String> {
    let mut found = Vec::new();
    for text in operator.examples {
        let changes = arena::scope(|| {
            example::parse_call(text, operator).map_or(0, |example| changes(&example.call).count())
        });
        for number in 0..changes {
            let told = arena::scope(|| {
                let mut call = example::parse_call(text, operator).ok()?.call;
                let change = changes_of(&call, number)?;
                let told = change.apply(&mut call);
                catch_unwind(AssertUnwindSafe(|| look(&mut call, run))).err().map(|_| told)
            });
            found.extend(told.map(|told| format!("{text}\n    with {told}")));
        }
    }
    found
}

/// Runs the call, and asks for the formulas that engines would ask for.
fn look(call: &mut Call, run: fn(&mut Call) -> Outcome) {
    let outcome = call.run(run);
    let is_broken = |prop: crate::prop::Prop| prop.known() == Some(false);
    if call.requirements.iter().any(|requirement| is_broken(requirement.prop)) {
        return;
    }
    match outcome {
        Ok(outputs) => outputs.iter().for_each(|output| drop(output.formula())),
        Err(Stop::Violated | Stop::Unknown(_)) => {}
    }
}

enum Change {
    Shape { input: usize, at: usize, rank: Option<usize> },
    Size { input: usize, at: usize, axis: usize, size: i64 },
    Kind { input: usize, at: usize, kind: Kind },
    NoTensor { input: usize },
    Argument { place: usize, argument: Option<Argument> },
}

fn changes_of(call: &Call, number: usize) -> Option<Change> {
    changes(call).nth(number)
}

fn changes(call: &Call) -> impl Iterator<Item = Change> {
    let mut all = Vec::new();
    for (input, tensors) in call.tensors.iter().enumerate() {
        for (at, tensor) in tensors.iter().enumerate() {
            let ranks = (0..8).map(Some).chain([None]);
            all.extend(ranks.map(|rank| Change::Shape { input, at, rank }));
            let axes = 0..tensor.shape().known_rank().unwrap_or(0);
            all.extend(axes.flat_map(|axis| [0, 1, 7].map(|size| Change::Size { input, at, axis, size })));
            let kinds = [Kind::Bool, Kind::I32, Kind::F16, Kind::F32, Kind::C64, Kind::String];
            all.extend(kinds.map(|kind| Change::Kind { input, at, kind }));
        }
        all.push(Change::NoTensor { input });
    }
    for (place, argument) in call.arguments.iter().enumerate() {
        let mut others = vec![None, Some(Argument::Unknown("the run tells".into()))];
        if let Some(argument) = argument {
            others.extend(neighbours(argument).into_iter().map(Some));
        }
        all.extend(others.into_iter().map(|argument| Change::Argument { place, argument }));
    }
    all.into_iter()
}

/// Other values of the same sort.
fn neighbours(argument: &Argument) -> Vec<Argument> {
    let numbers = [0, 1, -1, 5, -100, i64::MAX, i64::MIN];
    match argument {
        Argument::Int(_) | Argument::Ints(_) => {
            let mut others: Vec<Argument> =
                numbers.iter().map(|&number| Argument::Int(number.into())).collect();
            let lists: [&[i64]; 7] = [&[], &[0], &[1, 1], &[-1, 2, 3], &[2; 4], &[1; 9], &[i64::MAX, 2]];
            others
                .extend(lists.map(|list| Argument::Ints(list.iter().map(|&number| number.into()).collect())));
            others.push(Argument::Int(Dim::symbol("n", -10, 10)));
            others
        }
        Argument::Float(_) | Argument::Floats(_) => {
            let numbers = [0.0, -1.5, 1e300, f64::NAN, f64::INFINITY];
            let mut others: Vec<Argument> = numbers.map(Argument::Float).into();
            others.extend([vec![], vec![f64::NAN, 1.0, -2.0]].map(Argument::Floats));
            others
        }
        Argument::Text(_) | Argument::Texts(_) => {
            let texts = ["", "steep", "->", "...,a->", "a,b->é"];
            let mut others: Vec<Argument> = texts.map(|text| Argument::Text(text.into())).into();
            others.push(Argument::Texts(Vec::new()));
            others
        }
        Argument::Operators(_) => vec![Argument::Operators(Vec::new())],
        Argument::Flag(flag) => vec![Argument::Flag(!*flag)],
        Argument::Type(_) => [Kind::Bool, Kind::I8, Kind::F64].map(Argument::Type).into(),
        Argument::Unknown(_) => Vec::new(),
    }
}

impl Change {
    fn apply(self, call: &mut Call) -> String {
        let name = |input: usize| call.operator.inputs[input].name;
        match self {
            Change::Shape { input, at, rank } => {
                let told = match rank {
                    Some(rank) => format!("`{}` of {rank} axes", name(input)),
                    None => format!("`{}` of an unknown number of axes", name(input)),
                };
                let shape = match rank {
                    Some(rank) => Shape::new((0..rank).map(|axis| Dim::from(axis as i64 % 3 + 1))),
                    None => Shape::unknown("some shape"),
                };
                let tensor = &mut call.tensors[input][at];
                *tensor = Tensor::given("value", tensor.dtype(), shape);
                told
            }
            Change::Size { input, at, axis, size } => {
                let told = format!("`{}` of size {size} along axis {axis}", name(input));
                let tensor = &mut call.tensors[input][at];
                let mut sizes = tensor.shape().sizes().unwrap_or_default();
                sizes[axis] = size.into();
                *tensor = Tensor::given("value", tensor.dtype(), Shape::new(sizes));
                told
            }
            Change::Kind { input, at, kind } => {
                let told = format!("`{}` of {kind}", name(input));
                let tensor = &mut call.tensors[input][at];
                *tensor = Tensor::given("value", kind, tensor.shape());
                told
            }
            Change::NoTensor { input } => {
                let told = format!("no `{}`", name(input));
                call.tensors[input].clear();
                told
            }
            Change::Argument { place, argument } => {
                let name = call.operator.parameters[place].name;
                let told = match &argument {
                    Some(argument) => format!("{name}={argument:?}"),
                    None => format!("no `{name}`"),
                };
                call.arguments[place] = argument;
                told
            }
        }
    }
}
