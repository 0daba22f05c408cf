//! Recurrent layers over `[batch, time, …]`: what walks over time, whatever a step is.
//!
//! Shapes cost nothing; the steps are unrolled only when an engine asks for values.

use semantics::call::{Call, Outcome, Outputs, Stop};
use semantics::compose::{broadcast_to, full};
use semantics::dim::Dim;
use semantics::dtype::{BOOL, FLOAT, Kind, REAL_OR_BOOL};
use semantics::element::Element;
use semantics::operator::Category::{IncompatibleShape, ToleratedValue, UnsupportedValue};
use semantics::operator::{Backend, Input, Parameter, flag, tensor};
use semantics::prop::Prop;
use semantics::shape::{
    Shape,
    Slot::{Back, Front},
};
use semantics::tensor::Tensor;
use std::rc::Rc;

pub const INITIAL_STATE: Input = tensor("initial_state", FLOAT).any();
pub const MASK: Input = tensor("mask", BOOL).optional();
pub const KERNEL: Input = tensor("kernel", FLOAT).optional();
pub const RECURRENT_KERNEL: Input = tensor("recurrent_kernel", FLOAT).like("kernel").optional();
pub const BIAS: Input = tensor("bias", FLOAT).like("kernel").optional();
pub const INPUTS: &[Input] =
    &[tensor("sequences", REAL_OR_BOOL), KERNEL, RECURRENT_KERNEL, BIAS, MASK, INITIAL_STATE];
/// Of layers that convolve, which take no integers.
pub const CONVOLVED_INPUTS: &[Input] =
    &[tensor("sequences", FLOAT), KERNEL, RECURRENT_KERNEL, BIAS, MASK, INITIAL_STATE];
pub const TAKES: &[&str] = &["sequences", "initial_state", "mask"];
pub const RETURN_SEQUENCES: Parameter = flag("return_sequences").or_flag(false);
pub const RETURN_STATE: Parameter = flag("return_state").or_flag(false);
pub const GO_BACKWARDS: Parameter = flag("go_backwards").or_flag(false);
/// A step is computed after the other in Python, and in no loop of the library.
pub const UNROLL: Parameter = flag("unroll").or_flag(false);
/// Whether the states after a call are those that the next one starts from. What one call gives does not depend on it.
pub const STATEFUL: Parameter = flag("stateful").or_flag(false);
pub const ZERO_OUTPUT_FOR_MASK: Parameter = flag("zero_output_for_mask").or_flag(false);

/// Sequences that are longer are not unrolled.
const MOST_STEPS: i64 = 10_000;

/// One step: from what there is at a time and the states before it, the output and the states after it.
pub type Step = dyn Fn(Tensor, &[Tensor]) -> (Tensor, Vec<Tensor>);

/// What is walked with.
pub struct Walk {
    /// The shape of the output of one step.
    pub output: Shape,
    pub states: Vec<State>,
    pub step: Rc<Step>,
}

/// What is kept from one step to the next.
#[derive(Clone, Copy)]
pub struct State {
    pub shape: Shape,
    /// Whether it is multiplied with weights, and does not just meet other numbers one by one.
    pub weighed: bool,
    /// How many axes it may have when it is given: those before them are those of all sequences alike.
    pub least_rank: usize,
}

const INITIAL: &str = "`initial_state` has the shapes of the states";

/// The number of sequences, where an initial state may be one for all or make one sequence several.
pub fn batch_with(call: &mut Call, batch: Dim, state: Tensor) -> Result<Dim, Stop> {
    if state.shape().known_rank().is_some_and(|rank| rank < 2) {
        return Ok(batch);
    }
    call.demand(IncompatibleShape, INITIAL, state.shape().rank().ge(1))?;
    let (both, fits) = Shape::new([batch]).broadcast(Shape::new([state.shape().size(Front(0))]));
    call.demand(IncompatibleShape, INITIAL, fits)?;
    Ok(both.size(Front(0)))
}

/// On PyTorch one sequence that several masks are for is several.
pub fn spread_over_masks(call: &mut Call) {
    let (Ok(sequences), Some(mask)) = (call.tensor("sequences"), call.optional("mask")) else { return };
    let batches = [sequences, mask].map(|tensor| Shape::new([tensor.shape().size(Front(0))]));
    let ranks = [sequences, mask].map(|tensor| tensor.shape().known_rank());
    // States that are kept are those of as many sequences as there are.
    let kept = call.flag("stateful").unwrap_or(true);
    if kept || call.backend == Backend::TensorFlow || !matches!(ranks, [Some(1..), Some(1..)]) {
        return;
    }
    let (both, fits) = batches[0].broadcast(batches[1]);
    if fits.known() == Some(true) && both.same(batches[0]).known() == Some(false) {
        let wide = sequences.shape().with_size(Front(0), both.size(Front(0)));
        call.tensors[0][0] = broadcast_to(sequences, wide);
    }
}

/// Walks over `sequences`, from `initial_state` or from zero, and past what `mask` leaves out.
pub fn walk(call: &mut Call, walk: Walk) -> Outcome {
    let sequences = call.tensor("sequences")?;
    let sizes = call.known_sizes(sequences)?;
    let time = sizes[1];
    call.demand(IncompatibleShape, "there is a time to walk to", time.ge(1))?;
    let unrolled = has(call, UNROLL) && call.flag(UNROLL.name)?;
    let masked = call.optional("mask").is_some();
    if unrolled && masked {
        let forwards = !call.flag("go_backwards")? || call.backend == Backend::TensorFlow;
        call.require(UnsupportedValue, "steps that are unrolled past a mask go forwards", forwards.into());
    }
    let mut initial = call.list("initial_state");
    if !initial.is_empty() {
        let label = "`initial_state` has a tensor for each state";
        // One that is missing of one leaves no list.
        if walk.states.len() > 1 {
            call.insist(IncompatibleShape, label, initial.len() >= walk.states.len())?;
        }
        let alone = initial.len() == walk.states.len();
        // A GRU takes the first, whatever comes after it. Step by step nobody looks unless there is a mask; in a loop,
        // PyTorch does not where an LSTM walks in a way of its own, or past a mask.
        let in_loop = call.backend == Backend::Torch && (masked || call.operator.name == "LSTM");
        let unseen = if unrolled { !masked } else { in_loop };
        let lenient = call.operator.name == "GRU" || unseen;
        let category = if lenient { ToleratedValue } else { IncompatibleShape };
        call.require(category, "`initial_state` has no tensor beyond the states", alone.into());
        initial.truncate(walk.states.len());
        for (given, State { shape, weighed, least_rank }) in initial.iter_mut().zip(&walk.states) {
            let rank = given.shape().rank();
            let all = shape.known_rank().unwrap_or_default();
            call.demand(IncompatibleShape, INITIAL, rank.ge(*least_rank) & rank.le(all))?;
            let given_rank = given.shape().known_rank();
            // What is multiplied is as long as the weights; only its batch may be one for all.
            let behind = given_rank.unwrap_or(all).min(all.saturating_sub(1));
            let same = (0..behind as u32)
                .filter(|_| *weighed)
                .map(|k| given.shape().size(Back(k)).eq(shape.size(Back(k))));
            let fits = Prop::all(same) & given.shape().broadcasts_to(*shape);
            call.demand(IncompatibleShape, INITIAL, fits)?;
            if given.shape().same(*shape).known() != Some(true) {
                *given = broadcast_to(*given, *shape);
            }
        }
    }
    if call.flag("stateful")? {
        let label = "states that are kept are those of as many sequences as there are";
        let batch = |state: &State| state.shape.size(Front(0)).eq(sizes[0]);
        call.require_shape(label, Prop::all(walk.states.iter().map(batch)));
    }
    let (all, backwards) = (call.flag("return_sequences")?, call.flag("go_backwards")?);
    let zero_if_masked = has(call, ZERO_OUTPUT_FOR_MASK) && call.flag("zero_output_for_mask")?;
    let (mask, mut times) = (call.optional("mask"), time);
    if let Some(mask) = mask {
        let label = "the mask has a truth for each time of each sequence";
        let truths = call.known_sizes(mask)?;
        let most = walk.output.known_rank().unwrap_or_default() + 1;
        call.insist(IncompatibleShape, label, (2..=most).contains(&truths.len()))?;
        // It may go on with what there is at each time.
        for shape in walk.states.iter().map(|state| state.shape).chain([walk.output]) {
            let sizes = shape.sizes().unwrap_or_default();
            // Steps that are unrolled repeat it along the units, however many truths it has there.
            let whole = Prop::from(!unrolled);
            let alike =
                truths[2..].iter().zip(&sizes[1..]).map(|(own, all)| own.eq(1) | (whole & own.eq(*all)));
            call.demand(IncompatibleShape, label, Prop::all(alike))?;
        }
        let own = truths[0];
        times = truths[1];
        // PyTorch does not look at what is masked after the end, unless it looks at all that was given once more.
        let enough = if call.backend == Backend::Torch { times.ge(time) } else { times.eq(time) };
        if call.backend == Backend::Torch && unrolled && zero_if_masked {
            let category = if all { IncompatibleShape } else { ToleratedValue };
            call.require(
                category,
                "a mask that is looked at again has no truth after the end",
                times.eq(time),
            );
        }
        let batch = walk.output.size(Front(0));
        call.require_shape(label, enough & (own.eq(batch) | own.eq(1)));
    }
    let dtype = sequences.dtype();
    let output = if all { over(walk.output, time) } else { walk.output };
    let states: &[State] = if call.flag("return_state")? { &walk.states } else { &[] };
    let states = states.iter().map(|state| &state.shape);
    let outputs: Vec<_> = [output].iter().chain(states).map(|shape| (dtype, *shape)).collect();
    let Some(steps) = time.known().filter(|steps| *steps <= MOST_STEPS) else {
        // Shapes and requirements are all decided: only who asks for values learns that there are none.
        let why = match time.known() {
            None => "it is not known how many steps there are".to_string(),
            Some(steps) => format!("{steps} steps are more than the {MOST_STEPS} that are followed"),
        };
        return Ok(Tensor::opaque(&[sequences], outputs, move |_| Err(why.clone())));
    };
    let returned = outputs.len();
    let composed: Outputs = Tensor::composed(outputs, move || {
        let zero = full(sequences.kind(), walk.output, 0.0);
        let mut now: Vec<Tensor> = match initial.is_empty() {
            true => walk.states.iter().map(|state| full(sequences.kind(), state.shape, 0.0)).collect(),
            false => initial.to_vec(),
        };
        let (mut last, mut made) = (zero, Vec::new());
        for number in 0..steps {
            let at = Dim::from(if backwards { steps - 1 - number } else { number });
            let masked_at = if backwards { times - 1 - number } else { at };
            let (output, next) = (walk.step)(at_time(sequences, at), &now);
            let running = |new: Tensor, old: Tensor| match mask {
                None => new,
                Some(mask) => Tensor::from_elements(new.dtype(), new.shape(), move |index| {
                    let mut place = vec![index[0], masked_at];
                    place.extend_from_slice(&index[1..mask.shape().known_rank().unwrap_or(2) - 1]);
                    mask.broadcast_at(&place).select(new.at(index), old.at(index))
                }),
            };
            last = running(output, if zero_if_masked { zero } else { last });
            now = std::iter::zip(next, &now).map(|(new, &old)| running(new, old)).collect();
            made.push(last);
        }
        let output = if all { over_time(sequences.kind(), output, &made) } else { last };
        [output].into_iter().chain(now).take(returned).collect()
    });
    Ok(composed)
}

fn has(call: &Call, parameter: Parameter) -> bool {
    call.operator.parameters.iter().any(|given| given.name == parameter.name)
}

/// A shape with an axis of time after its batch.
fn over(shape: Shape, time: Dim) -> Shape {
    let sizes = shape.sizes().unwrap_or_default();
    Shape::new([sizes[0], time].into_iter().chain(sizes[1..].iter().copied()))
}

/// What there is at one time.
pub fn at_time(sequences: Tensor, at: Dim) -> Tensor {
    let sizes = sequences.shape().sizes().unwrap_or_default();
    let shape = Shape::new([sizes[0]].into_iter().chain(sizes[2..].iter().copied()));
    Tensor::from_elements(sequences.dtype(), shape, move |index| {
        let mut source = vec![index[0], at];
        source.extend_from_slice(&index[1..]);
        sequences.at(&source)
    })
}

/// What there is at one time, as far as its shape goes.
pub fn of_one_time(sequences: Tensor) -> Result<Tensor, Stop> {
    match sequences.shape().sizes() {
        Some(sizes) if sizes.len() > 1 => Ok(at_time(sequences, 0.into())),
        Some(_) => Err(Stop::Violated),
        None => Err(Stop::Unknown("the rank of the sequences is not known".into())),
    }
}

/// The outputs of all steps, in the order in which they were made.
pub fn over_time(kind: Kind, shape: Shape, made: &[Tensor]) -> Tensor {
    let made: Rc<[Tensor]> = made.into();
    Tensor::from_elements(kind, shape, move |index| {
        let zero = Element::constant(kind, 0.0);
        let place: Vec<Dim> = [index[0]].iter().chain(&index[2..]).copied().collect();
        made.iter()
            .enumerate()
            .fold(zero, |found, (k, output)| Element::when(index[1].eq(k), output.at(&place), found))
    })
}

/// The number of sequences.
pub fn batch(sequences: Tensor) -> Dim {
    sequences.shape().size(Front(0))
}
