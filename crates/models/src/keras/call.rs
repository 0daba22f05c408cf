//! A call of a layer: what it is called with finds its place in the layer's signature.

use super::arguments;
use layers::layer::Layer;
use program::ir::{Fault, ValueId};
use program::network::{Network, Wired};
use semantics::array::{Array, Data};
use semantics::dtype::Kind;
use semantics::operator::{Arity, Category, Input};
use serde_json::{Map, Value};

/// What a layer is called with, by position and by name.
pub struct Operands<T> {
    pub positional: Vec<Passed<T>>,
    pub named: Vec<(String, Passed<T>)>,
}

/// An argument of a call: tensors, one or a list of them, or something else.
pub enum Passed<T> {
    Tensors(Vec<T>),
    /// A list of tensors with nothing in some places.
    Some(Vec<Option<T>>),
    Other(Value),
}

/// What a class is looked for among.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Among {
    /// All layers; what is not known of them may be a matter of the version.
    Layers,
    /// The layers of a file of Keras 3, which says where a class comes from: their signatures are closed.
    Closed,
    /// The operations of `keras.ops`.
    Operations,
}

impl Among {
    pub fn find(self, class: &str) -> Option<&'static Layer> {
        match self {
            Among::Operations => layers::operations::by_name(class),
            _ => layers::layers::by_name(class).or_else(|| layers::applications::by_name(class)),
        }
    }
}

impl<T> Operands<T> {
    /// The call on a tensor, or on a list of them.
    pub fn on(tensors: Vec<T>) -> Operands<T> {
        Operands { positional: vec![Passed::Tensors(tensors)], named: Vec::new() }
    }
    /// All tensors, in the order of the call.
    pub fn tensors(&self) -> impl Iterator<Item = &T> {
        let all = self.positional.iter().chain(self.named.iter().map(|(_, passed)| passed));
        all.flat_map(|passed| -> Vec<&T> {
            match passed {
                Passed::Tensors(tensors) => tensors.iter().collect(),
                Passed::Some(tensors) => tensors.iter().flatten().collect(),
                Passed::Other(_) => Vec::new(),
            }
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
            Passed::Some(tensors) => {
                let each =
                    tensors.iter().map(|tensor| tensor.as_ref().map_or(Some(None), |t| f(t).map(Some)));
                each.collect::<Option<_>>().map(Passed::Some)
            }
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
    call_among(Among::Layers, network, class, config, place, called, weights, wanted)
}

/// As [`call`], with what the class is looked for among.
#[expect(clippy::too_many_arguments, reason = "a call has these")]
pub(super) fn call_among(
    among: Among,
    network: &mut Network,
    class: &str,
    config: &Map<String, Value>,
    place: &str,
    called: Operands<ValueId>,
    weights: &[(String, ValueId)],
    wanted: usize,
) -> Vec<ValueId> {
    let inputs: Vec<ValueId> = called.tensors().copied().collect();
    let Some(definition) = among.find(class) else {
        let reason = match among {
            Among::Operations => format!("the operation `{class}` is not modelled"),
            _ => unmodelled(class),
        };
        return network.unknown(place, class, &inputs, wanted, reason);
    };
    let is_closed = among == Among::Closed;
    let mut read = arguments::read_all(definition, config, among);
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
            mend: None,
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
                    mend: None,
                });
            }
            (Passed::Tensors(values), Some(known)) => tensors.push((known.name, values)),
            (Passed::Some(values), Some(known)) => {
                tensors.push((known.name, without_gaps(network, known, values)));
            }
            (Passed::Other(Value::Null), Some(_)) => {}
            (Passed::Other(value), Some(known)) if among == Among::Operations && array(&value).is_some() => {
                if let Some(array) = array(&value) {
                    tensors.push((known.name, vec![network.constant(&format!("{place}:{input}"), array)]));
                }
            }
            (Passed::Other(value), _) if among == Among::Operations => {
                let number = number(&value).filter(|_| known.is_some());
                let place = format!("{input}{}", layers::operations::NUMBER);
                let slot = definition.operator.inputs.iter().find(|known| known.name == place);
                match (number, slot) {
                    (Some(number), Some(slot)) => {
                        tensors
                            .push((slot.name, vec![network.constant(&format!("{place}:{input}"), number)]));
                    }
                    // A position by itself.
                    (_, None) if known.is_some() && value.is_i64() => {
                        let array = Array::new(
                            Kind::I32,
                            Vec::new(),
                            Data::Int(value.as_i64().into_iter().collect()),
                        );
                        let input = known.map_or("", |known| known.name);
                        tensors.push((input, vec![network.constant(&format!("{place}:at"), array)]));
                    }
                    _ => drop(options.insert(input, value)),
                }
            }
            // Keras writes down what a call leaves out.
            (Passed::Other(Value::Null), None) if definition.takes.contains(&input.as_str()) => {}
            (Passed::Other(value), _) => drop(options.insert(input, value)),
            (Passed::Tensors(_) | Passed::Some(_), None)
                if is_closed && !definition.takes.contains(&input.as_str()) =>
            {
                read.faults.push(arguments::none_of_that_name(definition, &input, None));
            }
            (Passed::Tensors(_) | Passed::Some(_), None) => {
                read.unknown.push(arguments::no_meaning(class, &input));
            }
        }
    }
    // What is not known of the call of an operation may be a matter of the version.
    let of_options = if is_closed { among } else { Among::Layers };
    let of_call = arguments::read_from(definition, &options, of_options);
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
        let outputs = network.unknown(place, class, &inputs, wanted, reason);
        // What is wrong all the same is wrong.
        read.faults.into_iter().for_each(|fault| network.blame(place, fault));
        return outputs;
    }
    let wired = Wired { tensors, arguments: read.arguments, wanted, faults: read.faults };
    network.layer(definition, place, wired)
}

/// An array that stands in a file as one, or a list of whole numbers in place of positions.
fn array(value: &Value) -> Option<Array> {
    let (kind, elements) = match value {
        Value::Array(_) => (Kind::I32, value),
        Value::Object(object) => {
            matches!(object.get("class_name")?.as_str()?, "__numpy__" | "__tensor__").then_some(())?;
            let config = object.get("config")?;
            (super::graph::kind(config.get("dtype")?.as_str()?)?, config.get("value")?)
        }
        _ => return None,
    };
    let (mut shape, mut inner) = (Vec::new(), elements);
    while let Value::Array(list) = inner {
        shape.push(list.len());
        inner = list.first()?;
    }
    let mut flat = Vec::new();
    flattened(elements, &shape, &mut flat)?;
    let data = if kind == Kind::Bool {
        Data::Bool(flat.iter().map(|number| number.as_bool()).collect::<Option<_>>()?)
    } else if kind.is_int() {
        Data::Int(flat.iter().map(|number| number.as_i64()).collect::<Option<_>>()?)
    } else {
        Data::Float(flat.iter().map(|number| Some(kind.round(number.as_f64()?))).collect::<Option<_>>()?)
    };
    Some(Array::new(kind, shape, data))
}

/// The numbers of nested lists, each as long as it should be.
fn flattened<'v>(value: &'v Value, shape: &[usize], into: &mut Vec<&'v Value>) -> Option<()> {
    match (value, shape) {
        (Value::Array(list), [length, inner @ ..]) if list.len() == *length => {
            list.iter().try_for_each(|item| flattened(item, inner, into))
        }
        (Value::Array(_), _) | (_, [_, ..]) => None,
        (number, []) => {
            into.push(number);
            Some(())
        }
    }
}

/// A number of Python as a tensor without axes.
fn number(value: &Value) -> Option<Array> {
    let (kind, data) = match value {
        Value::Bool(truth) => (Kind::Bool, Data::Bool(vec![*truth])),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => (Kind::I64, Data::Int(vec![whole])),
            None => (Kind::F64, Data::Float(vec![number.as_f64()?])),
        },
        _ => return None,
    };
    Some(Array::new(kind, Vec::new(), data))
}

/// The tensors of a list with gaps: where there is a mask per tensor, a truth without axes stands for none.
fn without_gaps(network: &mut Network, input: &Input, values: Vec<Option<ValueId>>) -> Vec<ValueId> {
    let is_mask = input.name == "mask" && input.arity == Arity::Any;
    let filled = values.into_iter().filter_map(|value| match value {
        None if is_mask => {
            let truth = Array::new(Kind::Bool, Vec::new(), Data::Bool(vec![true]));
            Some(network.constant("unmasked", truth))
        }
        value => value,
    });
    filled.collect()
}

/// How many masks a list of them has.
fn masks_in<T>(called: &Operands<T>) -> Option<usize> {
    called.named.iter().find(|(name, _)| name == "mask").and_then(|(_, passed)| match passed {
        Passed::Tensors(masks) => Some(masks.len()),
        Passed::Some(masks) => Some(masks.len()),
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
    let spreads = signature[0].arity == Arity::Variadic && called.positional.len() > 1;
    if spreads && called.positional.iter().all(|passed| matches!(passed, Passed::Tensors(_))) {
        // Tensors one by one, where any number of them is taken.
        let all = called.positional.into_iter().flat_map(|passed| match passed {
            Passed::Tensors(tensors) => tensors,
            _ => Vec::new(),
        });
        let all = vec![Passed::Tensors(all.collect())];
        return self::placed(definition, Operands { positional: all, named: called.named });
    }
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
            // What is left out of a list is not given.
            Passed::Some(list) if k == 0 && signature[0].arity != Arity::Variadic => {
                let each = signature.iter().zip(list).filter_map(|(input, value)| Some((input, value?)));
                placed.extend(each.map(|(input, value)| (input.name.into(), Passed::Tensors(vec![value]))));
            }
            passed => placed.push((if k == 0 { signature[0].name } else { name }.to_string(), passed)),
        }
    }
    for (name, passed) in called.named {
        match passed {
            // The masks of a list, where each tensor of it has one of its own.
            Passed::Some(masks) if name == "mask" && signature.iter().all(|input| input.name != "mask") => {
                let own = signature.iter().filter(|input| input.name.ends_with("_mask"));
                let each = own.zip(masks).filter_map(|(input, mask)| Some((input, mask?)));
                placed.extend(each.map(|(input, mask)| (input.name.into(), Passed::Tensors(vec![mask]))));
            }
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
