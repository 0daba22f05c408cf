//! Solving for the numbers of a call: its whole numbers and the sizes of its new inputs are left as symbols, so the
//! call's own requirements are the question.
//!
//! Numbers are few and small here, so the requirements are compiled once and evaluated at many points: one number
//! at a time goes where the fewest requirements are broken.

use super::arguments::{LOWEST, NUMBERS};
use super::sketch::{Draft, Operand, Sketch};
use crate::draw::Draw;
use program::ir::Given;
use semantics::arena;
use semantics::call::Argument;
use semantics::dim::{AtomId, Dim};
use semantics::operator::ParameterKind;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use smallvec::SmallVec;
use solver::{Compiled, Point};

/// How often one number is moved.
const MOVES: usize = 40;

/// What is solved for within.
pub(super) struct Within {
    pub largest_size: i64,
    /// No result has more elements.
    pub most_elements: i64,
    /// Whether first axes are the batch, which is that of the model.
    pub batched: bool,
}

/// A number that can be chosen.
struct Number {
    symbol: Option<AtomId>,
    value: i64,
    low: i64,
    high: i64,
}

/// The arguments with other numbers, and new inputs of other sizes, such that every requirement holds. `None` if
/// there are none to be found, or the definition cannot go on without knowing a number.
pub(super) fn solved(
    sketch: &Sketch,
    draft: &mut Draft,
    given: &[Option<Given>],
    within: &Within,
    draw: &mut Draw,
) -> Option<Vec<Option<Given>>> {
    let numbers = arena::scope(|| {
        let mut call = sketch.put_together(draft, given);
        let mut numbers: Vec<Number> = Vec::new();
        let mut open = |value: i64, low: i64, high: i64| {
            let symbol = Dim::symbol("n", low, high);
            numbers.push(Number { symbol: symbol.as_atom(), value: value.clamp(low, high), low, high });
            symbol
        };
        let mut integer = |number: &mut Dim| {
            if let Some(value) = number.known() {
                *number = open(value, LOWEST, LOWEST + NUMBERS as i64 - 1);
            }
        };
        for (argument, parameter) in call.arguments.iter_mut().zip(call.operator.parameters) {
            match argument {
                Some(Argument::Int(number)) if !is_flag(parameter.kind) => integer(number),
                Some(Argument::Ints(numbers)) => numbers.iter_mut().for_each(&mut integer),
                _ => {}
            }
        }
        for (slot, at, array) in new_inputs(draft) {
            let sizes = array.shape.iter().enumerate().map(|(axis, &size)| match axis {
                0 if within.batched => Dim::from(size),
                _ => open(size as i64, 1, within.largest_size),
            });
            let sizes: SmallVec<[Dim; 6]> = sizes.collect();
            call.tensors[slot][at] = Tensor::given("", array.kind, Shape::new(sizes));
        }
        let outputs = call.run(call.operator.define).ok()?;
        let mut compiled = Compiled::default();
        let binding = call.requirements.iter().filter(|requirement| requirement.category.binds());
        let small = outputs.iter().map(|output| output.shape().count().le(within.most_elements));
        let count =
            binding.map(|requirement| requirement.prop).chain(small).map(|prop| compiled.add(prop)).count();
        choose(&compiled, count, &mut numbers, draw)?;
        Some(numbers)
    })?;
    let mut values = numbers.into_iter().map(|number| number.value);
    let parameters = draft.definition.operator.parameters;
    let mut filled = Vec::with_capacity(given.len());
    for (given, parameter) in given.iter().zip(parameters) {
        filled.push(match given {
            Some(Given::Int(_)) if !is_flag(parameter.kind) => Some(Given::Int(values.next()?)),
            Some(Given::Ints(old)) => {
                Some(Given::Ints(old.iter().map(|_| values.next()).collect::<Option<_>>()?))
            }
            other => other.clone(),
        });
    }
    let places: SmallVec<[(usize, usize); 4]> = new_inputs(draft).map(|(slot, at, _)| (slot, at)).collect();
    for (slot, at) in places {
        let operands =
            draft.operands.iter_mut().find(|(own, _)| *own == slot).map(|(_, operands)| operands)?;
        let Operand::Fresh(array) = &mut operands[at] else { continue };
        let mut shape = array.shape.clone();
        for size in shape.iter_mut().skip(usize::from(within.batched)) {
            *size = usize::try_from(values.next()?).ok()?;
        }
        if shape != array.shape {
            *array = draw.array(array.kind, &shape);
        }
    }
    Some(filled)
}

fn is_flag(kind: ParameterKind) -> bool {
    matches!(kind, ParameterKind::Flag)
}

/// The new inputs that a draft reads besides its first value.
fn new_inputs(draft: &Draft) -> impl Iterator<Item = (usize, usize, &semantics::array::Array)> {
    draft.operands.iter().flat_map(|(slot, operands)| {
        operands.iter().enumerate().filter_map(|(at, operand)| match operand {
            Operand::Fresh(array) if (*slot, at) != (0, 0) => Some((*slot, at, array)),
            _ => None,
        })
    })
}

/// Chooses numbers for which every statement holds.
fn choose(compiled: &Compiled, statements: usize, numbers: &mut [Number], draw: &mut Draw) -> Option<()> {
    // Which number each unknown is: an unknown of another kind cannot be chosen.
    let place = |leaf: &AtomId| numbers.iter().position(|number| number.symbol == Some(*leaf));
    let places: Option<SmallVec<[usize; 16]>> = compiled.leaves.iter().map(place).collect();
    let places = places.filter(|_| !compiled.opaque && compiled.free.is_empty())?;
    let mut point = compiled.point();
    for (leaf, &place) in places.iter().enumerate() {
        point.leaves[leaf] = numbers[place].value;
    }
    let broken = |point: &mut Point| {
        compiled.evaluate(point);
        (0..statements).filter(|&statement| compiled.holds(statement, point) != Some(true)).count()
    };
    let mut now = broken(&mut point);
    for _ in 0..MOVES {
        if now == 0 {
            break;
        }
        if places.is_empty() {
            return None;
        }
        let leaf = draw.below(places.len());
        let Number { low, high, .. } = numbers[places[leaf]];
        let width = high - low + 1;
        let start = draw.between(0, width - 1);
        let mut best = (now, point.leaves[leaf]);
        for step in 0..width {
            let value = low + (start + step) % width;
            point.leaves[leaf] = value;
            let count = broken(&mut point);
            // Moving on where nothing is lost leaves dead ends.
            if count <= best.0 {
                best = (count, value);
            }
        }
        (now, point.leaves[leaf]) = best;
    }
    for (leaf, &place) in places.iter().enumerate() {
        numbers[place].value = point.leaves[leaf];
    }
    (now == 0).then_some(())
}
