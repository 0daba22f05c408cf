//! Growing valid models, and invalid ones that break exactly one requirement.
//!
//! A step leaves the parameters of a call and the sizes of its other tensors as symbols; the call's own
//! requirements are then the question that the solver answers, and its model fixes the step.
//! Nothing here knows any operator: signatures say what to leave open.

use crate::draw::Draw;
use semantics::call::{Argument, Call, Stop};
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::operator::{Arity, Operator, Parameter, ParameterKind, Preset};
use semantics::prop::Prop;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use smallvec::SmallVec;
use solver::{Consistency, Context, Limits, Model};

/// A grown model: a chain in which every call reads the first result of the one before.
/// Belongs to the arena it was grown in.
#[derive(Clone, Default)]
pub struct Chain {
    pub steps: Vec<Step>,
}

/// A call with known parameters.
#[derive(Clone)]
pub struct Step {
    pub operator: &'static Operator,
    /// Per input of the signature.
    pub tensors: Vec<Vec<Source>>,
    pub arguments: Vec<Option<Argument>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// An input or a weight of the model.
    Fresh { kind: Kind, sizes: Vec<i64> },
    /// The first result of an earlier step.
    Result(usize),
}

/// What may be grown.
pub struct Soil<'o> {
    pub operators: &'o [&'static Operator],
    pub largest_size: i64,
    /// No tensor has more elements.
    pub most_elements: i64,
    /// How often a step that does not work out is tried anew.
    pub attempts: usize,
}

/// A step whose parameters are still symbols.
struct Draft {
    operator: &'static Operator,
    tensors: Vec<Vec<Slot>>,
    arguments: Vec<Option<Argument>>,
    symbols: Vec<Dim>,
}

#[derive(Clone)]
enum Slot {
    Fresh(Kind, Vec<Dim>),
    Result(usize),
}

impl Step {
    /// The call, given the results of the steps before; tensors that only the run will tell are made by `fresh`.
    pub fn call(&self, results: &[Tensor], fresh: &mut dyn FnMut(&str, Kind, &[i64]) -> Tensor) -> Call {
        let mut call = Call::new(self.operator);
        for (position, sources) in self.tensors.iter().enumerate() {
            let name = self.operator.inputs[position].name;
            call.tensors[position] = sources
                .iter()
                .map(|source| match source {
                    Source::Fresh { kind, sizes } => fresh(name, *kind, sizes),
                    Source::Result(step) => results[*step],
                })
                .collect();
        }
        call.arguments = self.arguments.clone();
        call.wanted = 1;
        call
    }
}

impl Soil<'_> {
    /// A chain of so many calls, all of whose requirements hold; shorter where nothing more would grow.
    pub fn grow(&self, length: usize, draw: &mut Draw) -> Chain {
        let mut chain = Chain::default();
        let mut results: Vec<Tensor> = Vec::new();
        while chain.steps.len() < length {
            let grown = (0..self.attempts).find_map(|_| {
                let draft = self.draft(&results, draw)?;
                let step = self.settle(&draft, &results, None, draw)?;
                let output = outputs(&step, &results)?;
                Some((step, output))
            });
            let Some((step, output)) = grown else { break };
            chain.steps.push(step);
            results.push(output);
        }
        chain
    }
    /// A chain whose last call breaks exactly one requirement: its label.
    pub fn grow_invalid(&self, length: usize, draw: &mut Draw) -> Option<(Chain, &'static str)> {
        let mut chain = self.grow(length.saturating_sub(1), draw);
        let mut results = Vec::new();
        for step in &chain.steps {
            results.push(outputs(step, &results)?);
        }
        for _ in 0..self.attempts {
            let Some(draft) = self.draft(&results, draw) else { continue };
            let mut call = draft.call(&results);
            let _ = call.run(draft.operator.define);
            let open: Vec<usize> = (0..call.requirements.len())
                .filter(|&k| call.requirements[k].prop.known().is_none())
                .collect();
            let Some(&broken) = draw.pick(&open) else { continue };
            let label = call.requirements[broken].label;
            let Some(step) = self.settle(&draft, &results, Some(label), draw) else { continue };
            if broken_labels(&step, &results) == [label] {
                chain.steps.push(step);
                return Some((chain, label));
            }
        }
        None
    }

    /// A call of some operator with its numbers left open.
    fn draft(&self, results: &[Tensor], draw: &mut Draw) -> Option<Draft> {
        let operator = *draw.pick(self.operators)?;
        let mut draft = Draft { operator, tensors: Vec::new(), arguments: Vec::new(), symbols: Vec::new() };
        let last = results.last().copied();
        let rank = match last.and_then(|tensor| tensor.shape().known_rank()) {
            Some(rank) => rank,
            None => draw.between(1, 4) as usize,
        };
        let mut kinds: Vec<(&str, Kind)> = Vec::new();
        for (position, input) in operator.inputs.iter().enumerate() {
            let count = match input.arity {
                Arity::Optional if draw.chance(60) => 0,
                Arity::Variadic => draw.between(1, 3),
                _ => 1,
            };
            let mut slots = Vec::new();
            for number in 0..count {
                let like = input.like.and_then(|like| kinds.iter().find(|(name, _)| *name == like));
                let kind = match (like, last) {
                    (Some((_, kind)), _) => *kind,
                    (None, Some(last)) if position == 0 => last.kind(),
                    (None, Some(last)) if input.types.kinds.contains(&last.kind()) => last.kind(),
                    (None, None) if input.types.kinds.contains(&Kind::F32) => Kind::F32,
                    _ => *draw.pick(input.types.kinds)?,
                };
                kinds.push((input.name, kind));
                if let (0, 0, Some(_)) = (position, number, last) {
                    slots.push(Slot::Result(results.len() - 1));
                    continue;
                }
                // Most tensors of one call have one rank; weights of a channel each have one axis.
                let rank = if draw.chance(70) { rank } else { draw.between(1, 4) as usize };
                let sizes = (0..rank)
                    .map(|axis| draft.symbol(&format!("{}{axis}", input.name), 1, self.largest_size))
                    .collect();
                slots.push(Slot::Fresh(kind, sizes));
            }
            draft.tensors.push(slots);
        }
        for parameter in operator.parameters {
            let argument = self.argument(parameter, rank, &mut draft, draw)?;
            draft.arguments.push(argument);
        }
        Some(draft)
    }

    /// A value for a parameter; numbers are left open, unless the draw gives one.
    fn argument(
        &self,
        parameter: &Parameter,
        rank: usize,
        draft: &mut Draft,
        draw: &mut Draw,
    ) -> Option<Option<Argument>> {
        if !matches!(parameter.default, Preset::Required) && draw.chance(50) {
            return Some(None);
        }
        let rank = rank as i64;
        let number = |draft: &mut Draft, draw: &mut Draw| {
            // Numbers that decide the form of a result (axes) cannot be left open.
            if draw.chance(40) {
                draw.between(-rank, rank).into()
            } else {
                draft.symbol(parameter.name, -2, self.largest_size)
            }
        };
        Some(Some(match parameter.kind {
            ParameterKind::Int => Argument::Int(number(draft, draw)),
            ParameterKind::Ints => {
                // One value per axis, per spatial axis, two per spatial axis, or as it happens.
                let lengths = [rank, rank - 2, 2 * (rank - 2), draw.between(1, 4)];
                let length = (*draw.pick(&lengths)?).max(1);
                Argument::Ints((0..length).map(|_| number(draft, draw)).collect())
            }
            ParameterKind::Float => Argument::Float(draw.between(0, 4) as f64 / 4.0),
            ParameterKind::Flag => Argument::Flag(Prop::from(draw.chance(50))),
            ParameterKind::Type => Argument::Type(*draw.pick(&Kind::ALL)?),
            ParameterKind::Word(choices) => Argument::Text((*draw.pick(choices)?).into()),
            // Free text and lists of floats or words are not made up.
            ParameterKind::Floats | ParameterKind::Text | ParameterKind::Words(_) => {
                if matches!(parameter.default, Preset::Required) {
                    return None;
                }
                return Some(None);
            }
        }))
    }

    /// Fixes the symbols of a draft so that every requirement holds, but one if so wished.
    fn settle(
        &self,
        draft: &Draft,
        results: &[Tensor],
        broken: Option<&'static str>,
        draw: &mut Draw,
    ) -> Option<Step> {
        let mut call = draft.call(results);
        let outcome = call.run(draft.operator.define);
        if matches!(outcome, Err(Stop::Unknown(_))) || (broken.is_none() && outcome.is_err()) {
            return None;
        }
        let mut context = Context::new(Limits::default());
        for requirement in &call.requirements {
            if broken != Some(requirement.label) {
                context.assume(requirement.prop);
            }
        }
        if let Some(label) = broken {
            let stated = call.requirements.iter().filter(|requirement| requirement.label == label);
            context.assume(!Prop::all(stated.map(|requirement| requirement.prop)));
        }
        for output in outcome.iter().flatten() {
            context.assume(output.shape().count().le(self.most_elements));
            context.assume(output.shape().count().ge(1) | Prop::from(broken.is_some()));
        }
        if context.is_contradictory() {
            return None;
        }
        // Variety: values are wished for, and taken where they leave a way.
        for &symbol in &draft.symbols {
            let (low, high) = symbol.bounds();
            let wish = symbol.eq(draw.between(low, high.min(low.saturating_add(8))));
            let mut wished = context.clone();
            wished.assume(wish);
            if matches!(wished.consistency(), Consistency::Consistent(_)) {
                context = wished;
            }
        }
        let Consistency::Consistent(model) = context.consistency() else { return None };
        let step = draft.fix(&context, &model)?;
        // The solver's word is good; the call's own is better.
        match broken {
            None => broken_labels(&step, results).is_empty().then_some(step),
            Some(_) => Some(step),
        }
    }
}

impl Draft {
    fn symbol(&mut self, name: &str, low: i64, high: i64) -> Dim {
        let symbol = Dim::symbol(name, low, high);
        self.symbols.push(symbol);
        symbol
    }
    fn call(&self, results: &[Tensor]) -> Call {
        let mut call = Call::new(self.operator);
        for (position, slots) in self.tensors.iter().enumerate() {
            let name = self.operator.inputs[position].name;
            call.tensors[position] = slots
                .iter()
                .map(|slot| match slot {
                    Slot::Fresh(kind, sizes) => Tensor::given(name, *kind, Shape::new(sizes.iter().copied())),
                    Slot::Result(step) => results[*step],
                })
                .collect::<SmallVec<_>>();
        }
        call.arguments = self.arguments.clone();
        call.wanted = 1;
        call
    }
    /// With the model's numbers; a symbol that does not matter takes its least value that is not negative.
    fn fix(&self, context: &Context, model: &Model) -> Option<Step> {
        let value = |dim: Dim| -> Option<i64> {
            context.simplify(dim).evaluate(&mut |atom| {
                let (low, high) = atom.bounds();
                model.value(atom).or(Some(low.max(1).min(high)))
            })
        };
        let fixed = |dim: &Dim| value(*dim).map(Dim::from);
        let source = |slot: &Slot| {
            Some(match slot {
                Slot::Fresh(kind, sizes) => {
                    let sizes = sizes.iter().map(|&size| value(size)).collect::<Option<_>>()?;
                    Source::Fresh { kind: *kind, sizes }
                }
                Slot::Result(step) => Source::Result(*step),
            })
        };
        let argument = |argument: &Option<Argument>| {
            Some(match argument {
                Some(Argument::Int(dim)) => Some(Argument::Int(fixed(dim)?)),
                Some(Argument::Ints(dims)) => {
                    Some(Argument::Ints(dims.iter().map(fixed).collect::<Option<_>>()?))
                }
                other => other.clone(),
            })
        };
        Some(Step {
            operator: self.operator,
            tensors: self
                .tensors
                .iter()
                .map(|slots| slots.iter().map(source).collect::<Option<_>>())
                .collect::<Option<_>>()?,
            arguments: self.arguments.iter().map(argument).collect::<Option<_>>()?,
        })
    }
}

/// A tensor of which type and shape are known.
pub fn given(name: &str, kind: Kind, sizes: &[i64]) -> Tensor {
    Tensor::given(name, kind, Shape::new(sizes.iter().map(|&size| Dim::from(size))))
}

/// The first result of a step, as one that only the run will tell.
fn outputs(step: &Step, results: &[Tensor]) -> Option<Tensor> {
    let mut call = step.call(results, &mut given);
    let outputs = call.run(step.operator.define).ok()?;
    let output = *outputs.first()?;
    let known = output.shape().sizes()?.iter().all(|size| size.known().is_some_and(|size| size > 0));
    (known && output.dtype().known().is_some())
        .then(|| Tensor::given("result", output.dtype(), output.shape()))
}

/// The labels of the requirements that a step breaks.
pub fn broken_labels(step: &Step, results: &[Tensor]) -> Vec<&'static str> {
    let mut call = step.call(results, &mut given);
    let _ = call.run(step.operator.define);
    let mut labels: Vec<&'static str> = call
        .requirements
        .iter()
        .filter(|requirement| requirement.prop.known() != Some(true))
        .map(|requirement| requirement.label)
        .collect();
    labels.dedup();
    labels
}
