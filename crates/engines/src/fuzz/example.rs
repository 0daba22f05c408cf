//! One small case of a finding, as data: what the blamed call was given and what came of it. Who knows the cause of a
//! disagreement can tell from it whether the cause was there.

use super::case::Case;
use super::judge::{Disagreement, kinds};
use crate::repair::written;
use program::ir::ValueId;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Example {
    /// The tensors of the call by the names of the signature, weights included.
    pub tensors: Vec<Tensor>,
    /// What the definitions say of its outputs.
    pub outputs: Vec<Tensor>,
    /// Its arguments by name, as Python writes them.
    pub arguments: Vec<(String, String)>,
    /// What else the case consists of.
    pub beside: Vec<String>,
    pub expected: String,
    pub observed: String,
    /// Whether the values are those of float32, where float64 is asked for.
    pub as_float32: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tensor {
    pub name: String,
    pub kind: String,
    pub shape: Vec<usize>,
    /// Which of the numbers that need a rule of their own are among its elements.
    pub holds: Vec<String>,
    /// The largest magnitude of its finite elements.
    pub largest: f64,
}

/// A sort of numbers: its name, and which they are.
type Sort = (&'static str, fn(f64) -> bool);
/// Numbers that need a rule of their own.
const SPECIAL: [Sort; 3] = [("nan", f64::is_nan), ("inf", f64::is_infinite), ("zero", |x| x == 0.0)];

impl Example {
    pub fn of(case: &Case, found: &Disagreement) -> Example {
        let (expected, observed) = (found.expected.clone(), found.observed.clone());
        let Some(invocation) = case.invocation(found.node) else {
            return Example { expected, observed, ..Example::default() };
        };
        let operator = invocation.operator;
        let known = kinds(case);
        let tensor = |name: &str, value: ValueId| {
            let stored = case.array(value);
            let floats = stored.as_ref().and_then(|array| array.as_floats()).unwrap_or_default();
            let special = SPECIAL.iter().filter(|(_, is_it)| floats.iter().any(|x| is_it(*x)));
            let holds = special.map(|(word, _)| word.to_string()).collect();
            let described = stored.as_ref().map(|array| (array.kind, array.shape.clone()));
            let (kind, shape) = described.or_else(|| known.get(&value).cloned())?;
            let finite = floats.iter().filter(|x| x.is_finite());
            let largest = finite.fold(0.0, |largest: f64, x| largest.max(x.abs()));
            Some(Tensor { name: name.to_string(), kind: kind.to_string(), shape, holds, largest })
        };
        let inputs = operator.inputs.iter().zip(&invocation.tensors);
        let tensors = inputs.flat_map(|(input, values)| values.iter().map(move |value| (input.name, *value)));
        let outputs = operator.outputs.iter().zip(&case.program.graph.nodes[found.node].outputs);
        let arguments = operator.parameters.iter().zip(&invocation.arguments);
        let others = (0..case.program.graph.nodes.len()).filter(|node| *node != found.node);
        let others = others.filter_map(|node| case.invocation(node));
        Example {
            beside: others.map(|other| other.operator.name.to_string()).collect(),
            tensors: tensors.filter_map(|(name, value)| tensor(name, value)).collect(),
            outputs: outputs.filter_map(|(name, value)| tensor(name, (*value)?)).collect(),
            arguments: arguments
                .filter_map(|(parameter, given)| {
                    Some((parameter.name.to_string(), written(given.as_ref()?, parameter)))
                })
                .collect(),
            expected,
            observed,
            as_float32: found.as_float32,
        }
    }
}
