//! A call of a layer: what it is called with finds its place in the layer's signature.

use super::arguments;
use layers::layer::Layer;
use program::ir::{Fault, ValueId};
use program::network::{Network, Wired};
use semantics::operator::{Arity, Category};
use serde_json::{Map, Value};

/// What a layer is called with, by position and by name.
pub struct Operands<T> {
    pub positional: Vec<Passed<T>>,
    pub named: Vec<(String, Passed<T>)>,
}

/// An argument of a call: tensors, one or a list of them, or something else.
pub enum Passed<T> {
    Tensors(Vec<T>),
    Other(Value),
}

impl<T> Operands<T> {
    /// The call on a tensor, or on a list of them.
    pub fn on(tensors: Vec<T>) -> Operands<T> {
        Operands { positional: vec![Passed::Tensors(tensors)], named: Vec::new() }
    }
    /// All tensors, in the order of the call.
    pub fn tensors(&self) -> impl Iterator<Item = &T> {
        let all = self.positional.iter().chain(self.named.iter().map(|(_, passed)| passed));
        all.flat_map(|passed| match passed {
            Passed::Tensors(tensors) => tensors.as_slice(),
            Passed::Other(_) => &[],
        })
    }
    /// The same call with other tensors.
    pub fn map<U>(&self, f: impl Fn(&T) -> U) -> Operands<U> {
        self.each(|tensor| Some(f(tensor))).unwrap_or_else(|| Operands::on(Vec::new()))
    }
    /// The same call with other tensors, if there is one for each.
    pub fn each<U>(&self, f: impl Fn(&T) -> Option<U>) -> Option<Operands<U>> {
        let passed = |passed: &Passed<T>| match passed {
            Passed::Tensors(tensors) => tensors.iter().map(&f).collect::<Option<_>>().map(Passed::Tensors),
            Passed::Other(value) => Some(Passed::Other(value.clone())),
        };
        Some(Operands {
            positional: self.positional.iter().map(passed).collect::<Option<_>>()?,
            named: self
                .named
                .iter()
                .map(|(name, value)| Some((name.clone(), passed(value)?)))
                .collect::<Option<_>>()?,
        })
    }
}

/// Adds the layer of a class with the arguments of its configuration; weights are those given, by name.
pub fn call(
    network: &mut Network,
    class: &str,
    config: &Map<String, Value>,
    place: &str,
    called: Operands<ValueId>,
    weights: &[(String, ValueId)],
    wanted: usize,
) -> Vec<ValueId> {
    let inputs: Vec<ValueId> = called.tensors().copied().collect();
    let Some(definition) = layers::layers::by_name(class) else {
        return network.unknown(place, class, &inputs, wanted, unmodelled(class));
    };
    let mut read = arguments::read_all(definition, config);
    let mut tensors = Vec::new();
    let mut options = Map::new();
    if definition.takes_list()
        && let Some(count) = masks_in(&called)
        && !(2..=3).contains(&count)
    {
        read.faults.push(Fault {
            category: Category::IncompatibleShape,
            label: "`mask` is a list of two or three".into(),
            detail: format!("it has {count}"),
        });
    }
    for (input, passed) in placed(definition, called) {
        let known = definition.operator.inputs.iter().find(|known| known.name == input);
        match (passed, known) {
            // A list of states that has none is no list that is left out.
            (Passed::Tensors(values), Some(known)) if values.is_empty() && known.name == "initial_state" => {
                read.faults.push(Fault {
                    category: Category::IncompatibleShape,
                    label: "`initial_state` has a tensor for each state".into(),
                    detail: "it is empty".into(),
                });
            }
            (Passed::Tensors(values), Some(known)) => tensors.push((known.name, values)),
            (Passed::Other(Value::Null), Some(_)) => {}
            (Passed::Other(value), _) => drop(options.insert(input, value)),
            (Passed::Tensors(_), None) => read.unknown.push(arguments::no_meaning(class, &input)),
        }
    }
    let of_call = arguments::read(definition, &options);
    read.arguments.extend(of_call.arguments);
    read.faults.extend(of_call.faults);
    read.unknown.extend(of_call.unknown);
    for (name, value) in weights {
        match layers::layer::place(&definition.operator, name) {
            Some(place) => tensors.push((definition.operator.inputs[place].name, vec![*value])),
            None => read.unknown.push(arguments::no_meaning(class, name)),
        }
    }
    if let Some(reason) = read.unknown.into_iter().next() {
        return network.unknown(place, class, &inputs, wanted, reason);
    }
    let wired = Wired { tensors, arguments: read.arguments, wanted, faults: read.faults };
    network.layer(definition, place, wired)
}

/// How many masks a list of them has.
fn masks_in<T>(called: &Operands<T>) -> Option<usize> {
    called.named.iter().find(|(name, _)| name == "mask").and_then(|(_, passed)| match passed {
        Passed::Tensors(masks) => Some(masks.len()),
        Passed::Other(_) => None,
    })
}

/// Why nothing is said of a layer.
pub(super) fn unmodelled(class: &str) -> String {
    match layers::unmodelled::REASONS.iter().find(|(name, _)| *name == class) {
        Some((_, reason)) => format!("the layer `{class}` is not modelled: {reason}"),
        None => format!("the layer `{class}` is not modelled"),
    }
}

/// The arguments of a call under the names of the signature.
fn placed(definition: &Layer, called: Operands<ValueId>) -> Vec<(String, Passed<ValueId>)> {
    let signature = definition.operator.inputs;
    let mut placed = Vec::new();
    for (k, passed) in called.positional.into_iter().enumerate() {
        let name = definition.takes.get(k).copied().unwrap_or("more arguments than it takes");
        match passed {
            // A list in front is spread over the inputs, or over what may follow the only one.
            Passed::Tensors(list) if k == 0 && signature[0].arity != Arity::Variadic => {
                let takes_list = signature[0].name != name;
                let mut list = list.into_iter();
                let first: Vec<ValueId> = list.next().into_iter().collect();
                placed.push((signature[0].name.to_string(), Passed::Tensors(first)));
                let rest: Vec<ValueId> = list.collect();
                if takes_list {
                    let each = signature[1..].iter().zip(rest);
                    placed
                        .extend(each.map(|(input, value)| (input.name.into(), Passed::Tensors(vec![value]))));
                } else if !rest.is_empty() {
                    let next = definition.takes.get(1).copied().unwrap_or(name);
                    let several =
                        signature.iter().any(|input| input.name == next && input.arity == Arity::Any);
                    let next = if several { next.into() } else { format!("{} inputs", rest.len() + 1) };
                    placed.push((next, Passed::Tensors(rest)));
                }
            }
            passed => placed.push((if k == 0 { signature[0].name } else { name }.to_string(), passed)),
        }
    }
    for (name, passed) in called.named {
        match passed {
            // The masks of a list, where each tensor of it has one of its own.
            Passed::Tensors(masks)
                if name == "mask" && signature.iter().all(|input| input.name != "mask") =>
            {
                let own = signature.iter().filter(|input| input.name.ends_with("_mask"));
                placed.extend(
                    own.zip(masks).map(|(input, mask)| (input.name.into(), Passed::Tensors(vec![mask]))),
                );
            }
            passed => placed.push((name, passed)),
        }
    }
    placed
}
