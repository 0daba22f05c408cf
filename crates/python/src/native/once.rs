//! `once`: library functions that look at no more of tensors than their types and sizes are not executed again for
//! arguments that look the same, if they had nothing to tell the first time.

use super::{Keywords, required};
use crate::heap::{Function, Payload};
use crate::interpreter::{Interpreter, Outcome};
use crate::value::Value;
use rustc_hash::FxHashMap;
use semantics::dim::DimId;
use semantics::dtype::{DType, Kind};
use semantics::prop::PropId;
use std::rc::Rc;

/// What such functions have answered so far, by the function, the state of what libraries hold (a default type), and
/// what its arguments look like.
#[derive(Default)]
pub struct Answered(FxHashMap<(*const Function, u64, Vec<Look>), Answer>);

/// A plain value, and what it took to find it.
#[derive(Clone)]
struct Answer {
    value: Value,
    /// Alive as long as its address stands for it.
    _function: Rc<Function>,
    requirements: usize,
    steps: u64,
}

/// What a function can see of an argument.
#[derive(PartialEq, Eq, Hash)]
enum Look {
    None,
    Bool(PropId),
    Int(DimId),
    Float(u64),
    Text(Rc<str>),
    Tuple(Vec<Look>),
    List(Vec<Look>),
    Tensor(Kind, Vec<DimId>),
}

/// `once(function, *arguments)`: what the function gives, found out once.
pub(super) fn once(run: &mut Interpreter, mut values: Vec<Value>, keywords: Keywords) -> Outcome {
    let callee = required(run, &values, 0, "once")?;
    values.remove(0);
    let looks: Option<Vec<Look>> = values.iter().map(|value| look(run, value)).collect();
    let (Some(Payload::Function(function)), Some(looks)) = (run.payload(&callee), looks) else {
        return run.call(&callee, values, keywords);
    };
    let function = function.clone();
    let question = (Rc::as_ptr(&function), run.heap.changes.state(), looks);
    if let Some(answer) = run.answered.0.get(&question).cloned() {
        run.path.plain.requirements += answer.requirements;
        run.take_steps(answer.steps);
        return Ok(answer.value);
    }
    let before = Told::of(run);
    let (plain, steps) = (run.path.plain, run.steps());
    let value = run.call(&callee, values, keywords)?;
    if Told::of(run) == before && run.path.plain.calls == plain.calls && is_plain(&value) {
        let requirements = run.path.plain.requirements - plain.requirements;
        let steps = run.steps() - steps;
        let answer = Answer { value: value.clone(), _function: function, requirements, steps };
        run.answered.0.insert(question, answer);
    }
    Ok(value)
}

/// How much was told, asked or decided so far: a function that leaves all of it as it is depends on nothing else.
#[derive(PartialEq)]
pub(crate) struct Told {
    recorded: usize,
    assumed: usize,
    lost: usize,
    decisions: usize,
    /// How often backward passes had a say.
    passes: u64,
    asked: solver::Stats,
}

impl Told {
    pub(crate) fn of(run: &Interpreter) -> Told {
        Told {
            recorded: run.path.record.len(),
            assumed: run.path.assumed.len(),
            lost: run.lost.len(),
            decisions: run.decisions.met.len(),
            passes: run.heap.passes.asked(),
            asked: run.path.context.stats(),
        }
    }
}

fn look(run: &Interpreter, value: &Value) -> Option<Look> {
    let looks = |items: &[Value]| items.iter().map(|item| look(run, item)).collect::<Option<Vec<Look>>>();
    Some(match value {
        Value::None => Look::None,
        Value::Bool(truth) => Look::Bool(truth.id()),
        Value::Int(number) => Look::Int(number.id()),
        Value::Float(number) => Look::Float(number.to_bits()),
        Value::Text(text) => Look::Text(text.clone()),
        Value::Tuple(items) => Look::Tuple(looks(items)?),
        value => match run.payload(value)? {
            Payload::List(items) => Look::List(looks(items)?),
            // `torch.Size` and the like.
            Payload::Wrapped(inner @ Value::Tuple(_)) => look(run, inner)?,
            Payload::Tensor(tensor, _) => {
                let tensor = run.path.refined(*tensor);
                let DType::Known(kind) = tensor.dtype() else { return None };
                Look::Tensor(kind, tensor.shape().sizes()?.iter().map(|size| size.id()).collect())
            }
            _ => return None,
        },
    })
}

/// Whether a value is the same for everybody, whenever it was made.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => true,
        Value::Tuple(items) => items.iter().all(is_plain),
        _ => false,
    }
}
