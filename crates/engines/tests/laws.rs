//! Laws over the examples of every operator: each engine reads the same definition, so they must agree.

use engines::draw::Draw;
use engines::evaluate::{EvaluateError, Evaluator, Mode, Reading, compare};
use engines::ranges::{Partition, Ranges, Settings};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::array::{Array, Data};
use semantics::call::{Argument, Call, Outputs, Stop};
use semantics::dim::{AtomId, Dim, LARGEST_SIZE};
use semantics::element::{Element, ElementView};
use semantics::example::{Expected, Literal, parse};
use semantics::operator::Operator;
use semantics::prop::Prop;
use semantics::shape::Shape;
use semantics::tensor::{Content, Tensor};
use semantics::{arena, operators};
use solver::{Consistency, Context, Limits, Verdict};

type Binding = FxHashMap<AtomId, i64>;

/// Larger tensors say nothing that smaller ones do not.
const MOST_ELEMENTS: usize = 1 << 16;

/// Runs a law over every example, each in an arena of its own, and lists what breaks it.
fn over_examples(mut law: impl FnMut(&'static Operator, &'static str) -> Result<(), String>) {
    let mut broken = Vec::new();
    for operator in operators::ALL {
        for text in operator.examples {
            if let Err(why) = arena::scope(|| law(operator, text)) {
                broken.push(format!("{text}\n    {why}"));
            }
        }
    }
    assert!(broken.is_empty(), "{} examples break the law:\n{}", broken.len(), broken.join("\n"));
}

/// A valid example with numbers for all its sizes and arrays for all its tensors.
struct Filled {
    outputs: Outputs,
    expected: Vec<Literal>,
    binding: Binding,
    arrays: Vec<(Tensor, Array)>,
}

/// `None` for failing examples and those whose tensors cannot be filled (unknown rank, too large).
fn filled(operator: &'static Operator, text: &str, draw: &mut Draw) -> Option<Filled> {
    let mut example = parse(text).ok()?;
    let Expected::Outputs(expected) = example.expected else { return None };
    let outputs = example.call.run(operator.define).ok()?;
    let tensors: Vec<Tensor> = example.call.tensors.iter().flatten().copied().collect();
    let binding = binding(&example.call, &tensors, draw)?;
    let mut arrays = Vec::new();
    for tensor in tensors {
        if !matches!(tensor.content(), Content::Given) {
            continue;
        }
        let sizes = tensor.shape().sizes()?;
        let sizes: Vec<usize> =
            sizes.iter().map(|&size| usize::try_from(value(size, &binding)?).ok()).collect::<Option<_>>()?;
        if sizes.iter().product::<usize>() > MOST_ELEMENTS {
            return None;
        }
        arrays.push((tensor, draw.array(tensor.dtype().known()?, &sizes)));
    }
    Some(Filled { outputs, expected, binding, arrays })
}

impl Filled {
    fn evaluator(&self, mode: Mode) -> Evaluator {
        let mut evaluator = Evaluator::new(mode);
        for (&atom, &value) in &self.binding {
            evaluator.bind(atom.dim(), value);
        }
        for (tensor, array) in &self.arrays {
            evaluator.give(*tensor, array.clone());
        }
        evaluator
    }
}

/// Small numbers for the symbols of a call under which its requirements hold.
fn binding(call: &Call, tensors: &[Tensor], draw: &mut Draw) -> Option<Binding> {
    let mut symbols: FxHashSet<AtomId> = FxHashSet::default();
    for tensor in tensors {
        for size in tensor.shape().sizes()? {
            size.leaves(&mut |leaf| {
                symbols.insert(leaf);
            });
        }
    }
    for requirement in &call.requirements {
        requirement.prop.leaves(&mut |leaf| {
            symbols.insert(leaf);
        });
    }
    for argument in call.arguments.iter().flatten() {
        let dims: &[Dim] = match argument {
            Argument::Int(dim) => std::slice::from_ref(dim),
            Argument::Ints(dims) => dims,
            _ => &[],
        };
        for dim in dims {
            dim.leaves(&mut |leaf| {
                symbols.insert(leaf);
            });
        }
    }
    let mut symbols: Vec<AtomId> = symbols.into_iter().collect();
    symbols.sort_unstable();
    let holds = |binding: &Binding| {
        call.requirements.iter().all(|requirement| truth(requirement.prop, binding) != Some(false))
    };
    for _ in 0..50 {
        let binding = symbols.iter().map(|&symbol| (symbol, draw.between(1, 8))).collect();
        if holds(&binding) {
            return Some(binding);
        }
    }
    let mut context = Context::new(Limits::default());
    call.requirements.iter().for_each(|requirement| context.assume(requirement.prop));
    let Consistency::Consistent(model) = context.consistency() else { return None };
    let found =
        |symbol: AtomId| model.value(symbol).or_else(|| value(context.solved(symbol)?, &Binding::default()));
    let binding = symbols.iter().map(|&symbol| (symbol, found(symbol).unwrap_or(3))).collect();
    holds(&binding).then_some(binding)
}

fn value(dim: Dim, binding: &Binding) -> Option<i64> {
    dim.evaluate(&mut |leaf| binding.get(&leaf).copied())
}

fn truth(prop: Prop, binding: &Binding) -> Option<bool> {
    prop.substitute(&mut |leaf| binding.get(&leaf).map(|&value| Dim::from(value)))?.known()
}

/// Random values may be no valid indices, and random numbers are nobody's to tell.
fn is_excused(error: &EvaluateError, operator: &Operator) -> bool {
    matches!(error, EvaluateError::Outside { .. } | EvaluateError::Refused(_) | EvaluateError::Random)
        || operator.inputs.iter().any(|input| input.types.kinds.iter().all(|kind| !kind.is_float()))
            && matches!(error, EvaluateError::NotGiven(_) | EvaluateError::NoFormula(_))
}

#[test]
fn evaluation_fills_the_declared_shape_and_type() {
    let (mut evaluated, mut excused, mut unfilled) = (0, 0, 0);
    over_examples(|operator, text| {
        let Some(filled) = filled(operator, text, &mut Draw::new(1)) else {
            unfilled += 1;
            return Ok(());
        };
        let mut evaluator = filled.evaluator(Mode::Plain);
        for (number, &output) in filled.outputs.iter().enumerate() {
            let reading = match evaluator.evaluate(output) {
                Ok(reading) => reading,
                Err(error) if is_excused(&error, operator) || matches!(output.content(), Content::Given) => {
                    excused += 1;
                    continue;
                }
                Err(error) => return Err(format!("output {number}: {error}")),
            };
            evaluated += 1;
            check_form(output, &reading, &filled.binding).map_err(|why| format!("output {number}: {why}"))?;
        }
        Ok(())
    });
    println!("{evaluated} outputs filled, {excused} excused, {unfilled} examples fail or cannot be filled");
    assert!(evaluated > 10 * excused);
}

fn check_form(output: Tensor, reading: &Reading, binding: &Binding) -> Result<(), String> {
    if output.dtype().known() != Some(reading.array.kind) {
        return Err(format!("{output} was filled with {}", reading.array.kind));
    }
    let Some(sizes) = output.shape().sizes() else { return Ok(()) };
    // A size that only the data tells is a symbol of its own.
    let fits = sizes.len() == reading.array.shape.len()
        && sizes
            .iter()
            .zip(&reading.array.shape)
            .all(|(&size, &found)| value(size, binding).is_none_or(|size| size == found as i64));
    if fits { Ok(()) } else { Err(format!("{output} was filled with the shape {:?}", reading.array.shape)) }
}

#[test]
fn written_values_agree_with_the_evaluation() {
    let mut compared = 0;
    over_examples(|operator, text| {
        let Some(filled) = filled(operator, text, &mut Draw::new(2)) else { return Ok(()) };
        for mode in [Mode::Plain, Mode::Bounded] {
            let mut evaluator = filled.evaluator(mode);
            for (&output, literal) in filled.outputs.iter().zip(&filled.expected) {
                let Some(array) = &literal.array else { continue };
                let reading = evaluator.evaluate(output).map_err(|error| error.to_string())?;
                compared += 1;
                let agrees = match mode {
                    Mode::Plain => nearly(&reading.array, array),
                    _ => compare(&reading, array).agrees(),
                };
                if !agrees {
                    return Err(format!("{mode:?}: {} is not {array}", reading.array));
                }
            }
        }
        Ok(())
    });
    println!("{compared} outputs compared");
    assert!(compared > 200);
}

/// Equal but for what writing a number with a few digits, or rounding it to its type, loses.
fn nearly(own: &Array, written: &Array) -> bool {
    if own.kind != written.kind || own.shape != written.shape {
        return false;
    }
    match (&own.data, &written.data) {
        (Data::Float(a), Data::Float(b)) => a.iter().zip(b).all(|(a, b)| {
            let slack = 1e-5f64.max(8.0 * own.kind.unit_roundoff()) * a.abs().max(1.0);
            a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= slack
        }),
        (a, b) => a == b,
    }
}

#[test]
fn every_element_lies_inside_its_range() {
    let (mut inside, mut bounded, mut unread) = (0, 0, 0);
    over_examples(|operator, text| {
        for seed in 0..12 {
            let mut draw = Draw::new(seed);
            let Some(mut filled) = filled(operator, text, &mut draw) else { return Ok(()) };
            // Every other time with every relation that is known; and after a few with the ends of ranges.
            let mut ranges = if seed % 2 == 1 { Ranges::with(Settings::EAGER) } else { Ranges::new() };
            for (tensor, array) in &mut filled.arrays {
                if seed >= 4 && array.kind.is_float() {
                    let ends = draw.corners(array.kind);
                    *array = draw.array_between(array.kind, &array.shape, ends);
                    ranges.give(*tensor, ends.0, ends.1);
                } else {
                    let interval = Partition::of_array(array).hull();
                    ranges.give_partition(*tensor, Partition::whole(*tensor, interval));
                }
            }
            let mut evaluator = filled.evaluator(Mode::Plain);
            for (number, &output) in filled.outputs.iter().enumerate() {
                let Ok(reading) = evaluator.evaluate(output) else {
                    unread += 1;
                    continue;
                };
                let partition = ranges.read(output);
                inside += 1;
                bounded += usize::from(partition.parts.iter().all(|part| is_bounded(part.interval)));
                let known = |dim: Dim| value(dim, &filled.binding);
                if let Err(at) = partition.holds(&reading.array, known) {
                    return Err(format!(
                        "output {number}: element {at} of {} is not in\n{partition}",
                        reading.array
                    ));
                }
            }
        }
        Ok(())
    });
    println!(
        "{inside} outputs inside their ranges, of which {bounded} have finite ranges; {unread} not evaluated"
    );
    assert!(2 * bounded > inside, "most ranges say something");
}

fn is_bounded(interval: Option<engines::evaluate::interval::Interval>) -> bool {
    use engines::evaluate::interval::Interval;
    match interval {
        Some(Interval::Float { low, high, nan }) => low.is_finite() && high.is_finite() && !nan,
        Some(_) => true,
        None => false,
    }
}

#[test]
fn kernels_agree_with_formulas() {
    let mut compared = 0;
    over_examples(|operator, text| {
        let Some(filled) = filled(operator, text, &mut Draw::new(4)) else { return Ok(()) };
        let mut seen = FxHashSet::default();
        let mut open: Vec<Tensor> = filled.outputs.to_vec();
        while let Some(tensor) = open.pop() {
            if !seen.insert(tensor) {
                continue;
            }
            match tensor.content() {
                Content::Composed(composition, output) => open.push(composition.output(output)),
                Content::Opaque(opaque, _) => open.extend(&opaque.inputs),
                Content::Formula { element, kernel } => {
                    if let Some(formula) = tensor.formula() {
                        read_by(formula.element, &mut open, &mut FxHashSet::default());
                    }
                    if kernel.is_none() {
                        continue;
                    }
                    let plain = Tensor::new(
                        tensor.dtype(),
                        tensor.shape(),
                        Content::Formula { element, kernel: None },
                    );
                    let mut evaluator = filled.evaluator(Mode::Bounded);
                    let (Ok(fast), Ok(slow)) = (evaluator.evaluate(tensor), evaluator.evaluate(plain)) else {
                        continue;
                    };
                    compared += 1;
                    if !compare(&fast, &slow.array).agrees() || !compare(&slow, &fast.array).agrees() {
                        return Err(format!("{} is not {}", fast.array, slow.array));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    });
    println!("{compared} kernels compared");
    assert!(compared > 10);
}

/// The tensors that a formula reads.
fn read_by(element: Element, tensors: &mut Vec<Tensor>, seen: &mut FxHashSet<semantics::element::ElementId>) {
    if !seen.insert(element.id()) {
        return;
    }
    match element.view() {
        ElementView::At(tensor, _) => tensors.push(tensor),
        ElementView::Unary(_, x) | ElementView::Cast(x) => read_by(x, tensors, seen),
        ElementView::Fold { body, .. } => read_by(body, tensors, seen),
        ElementView::Binary(_, x, y) | ElementView::When(_, x, y) => {
            read_by(x, tensors, seen);
            read_by(y, tensors, seen);
        }
        ElementView::Select(c, x, y) => [c, x, y].into_iter().for_each(|part| read_by(part, tensors, seen)),
        _ => {}
    }
}

/// What a call came to: the first requirement that fails, or the shapes of the outputs.
#[derive(PartialEq, Debug)]
enum Came {
    Fails(&'static str),
    Shapes(Vec<Option<Vec<i64>>>),
    Unknown,
}

fn result(call: &Call, outcome: &Result<Outputs, Stop>, binding: &Binding) -> Came {
    for requirement in &call.requirements {
        match truth(requirement.prop, binding) {
            Some(true) => {}
            Some(false) => return Came::Fails(requirement.label),
            None => return Came::Unknown,
        }
    }
    match outcome {
        // A definition that lost something may have left a requirement unstated.
        Ok(_) if !call.lost.is_empty() => Came::Unknown,
        Ok(outputs) => Came::Shapes(
            outputs
                .iter()
                .map(|output| output.shape().sizes()?.iter().map(|&size| value(size, binding)).collect())
                .collect(),
        ),
        Err(_) => Came::Unknown,
    }
}

/// The call with other sizes for the tensors of which nothing but the shape is known, and numbers for symbols.
fn resized(call: &Call, size: &mut dyn FnMut(Dim) -> Dim) -> Call {
    let mut other = Call::new(call.operator);
    other.wanted = call.wanted;
    for (slot, tensors) in other.tensors.iter_mut().zip(&call.tensors) {
        slot.extend(tensors.iter().map(|tensor| match (tensor.content(), tensor.shape().sizes()) {
            (Content::Given, Some(sizes)) => tensor.with_shape(Shape::new(sizes.into_iter().map(&mut *size))),
            _ => *tensor,
        }));
    }
    other.arguments = call
        .arguments
        .iter()
        .map(|argument| match argument {
            Some(Argument::Int(dim)) if dim.known().is_none() => Some(Argument::Int(size(*dim))),
            Some(Argument::Ints(dims)) if dims.iter().any(|dim| dim.known().is_none()) => {
                Some(Argument::Ints(
                    dims.iter().map(|&dim| if dim.known().is_some() { dim } else { size(dim) }).collect(),
                ))
            }
            other => other.clone(),
        })
        .collect();
    other
}

/// Sizes written as symbols and put in afterwards must give what sizes known from the start give:
/// the same requirement fails first, or the same shapes come out. The solver, told the sizes, agrees.
#[test]
fn folding_agrees_with_symbols_and_the_solver() {
    let (mut agreed, mut unknown, mut decided) = (0, 0, 0);
    over_examples(|operator, text| {
        let example = parse(text).map_err(|error| error.to_string())?;
        for seed in 0..4 {
            let mut draw = Draw::new(seed);
            // Every size is a symbol; symbols of the example are bound first.
            let mut numbers: FxHashMap<_, i64> = FxHashMap::default();
            let mut concrete = resized(&example.call, &mut |size| {
                let named = size
                    .evaluate(&mut |leaf| Some(*numbers.entry(leaf).or_insert_with(|| draw.between(1, 6))));
                let size = named.unwrap_or(2);
                let shift = if seed > 0 && draw.chance(15) { draw.between(-1, 1) } else { 0 };
                Dim::from((size + shift).max(0))
            });
            let mut binding = Binding::default();
            let mut symbolic = resized(&concrete, &mut |size| {
                let symbol = Dim::symbol("s", 0, LARGEST_SIZE);
                if let (Some(atom), Some(size)) = (symbol.as_atom(), size.known()) {
                    binding.insert(atom, size);
                }
                symbol
            });
            let plain = concrete.run(operator.define);
            let plain = result(&concrete, &plain, &Binding::default());
            let open = symbolic.run(operator.define);
            let late = result(&symbolic, &open, &binding);
            if plain == Came::Unknown || late == Came::Unknown {
                unknown += 1;
                continue;
            }
            if !agree(&plain, &late) {
                let sizes: Vec<String> = concrete.tensors.iter().flatten().map(ToString::to_string).collect();
                return Err(format!(
                    "on {}: {plain:?} with known sizes, {late:?} with symbols",
                    sizes.join(", ")
                ));
            }
            agreed += 1;
            // The solver under the facts `symbol = number`.
            let mut context = Context::new(Limits::default());
            for (&atom, &value) in &binding {
                context.assume(atom.dim().eq(value));
            }
            for requirement in &symbolic.requirements {
                if requirement.prop.known().is_some() {
                    continue;
                }
                let Some(truth) = truth(requirement.prop, &binding) else { continue };
                decided += 1;
                match (context.decide(requirement.prop), truth) {
                    (Verdict::Holds, true) | (Verdict::Fails, false) => {}
                    (verdict, truth) => {
                        return Err(format!(
                            "`{}` is {truth}, the solver says {verdict:?}",
                            requirement.label
                        ));
                    }
                }
            }
            // And without any facts: what always holds holds here.
            let mut context = Context::new(Limits::default());
            for requirement in &symbolic.requirements {
                let Some(truth) = truth(requirement.prop, &binding) else { continue };
                match (context.decide(requirement.prop), truth) {
                    (Verdict::Holds, false) | (Verdict::Fails, true) => {
                        return Err(format!("`{}`: the solver decides what depends", requirement.label));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    });
    println!("{agreed} calls agree, {unknown} undecided, {decided} requirements decided");
    assert!(agreed > 4 * unknown);
}

/// A size that a definition cannot tell is no disagreement.
fn agree(plain: &Came, late: &Came) -> bool {
    match (plain, late) {
        (Came::Shapes(a), Came::Shapes(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|(a, b)| match (a, b) {
                    (Some(a), Some(b)) => a == b,
                    _ => true,
                })
        }
        (a, b) => a == b,
    }
}
