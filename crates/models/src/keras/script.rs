//! Programs of layers as Keras code: what a person would write, and, piece by piece, what a worker is told to run.
//!
//! Layers stand in the order of their first call; nodes of one name are calls of one layer. Masks that Keras carries
//! beside the values are left to it; another one is handed over by name, if the layer takes it so.

use super::literal::{array, number, quoted};
use super::masks::Carried;
use program::ir::{Action, Constant, Given, Invocation, Program, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::array::Array;
use semantics::dtype::Kind;
use semantics::operator::{Arity, Operator, ParameterKind};
use std::fmt::Write as _;

/// A program as Keras code, in pieces.
pub struct Script {
    /// The inputs and their variables.
    pub inputs: Vec<(ValueId, String)>,
    pub layers: Vec<Made>,
    pub calls: Vec<Called>,
}

/// A layer that the code makes.
pub struct Made {
    pub variable: String,
    pub class: &'static str,
    /// `keras.layers.Dense(units=3)`
    pub expression: String,
    /// In the order of `set_weights`.
    pub weights: Vec<Array>,
    /// Whether a call may give more than one tensor, in lists or not.
    pub gives_more: bool,
}

/// A call of a layer.
pub struct Called {
    /// The node of the program's graph.
    pub node: usize,
    /// The layer's place in [`Script::layers`].
    pub layer: usize,
    /// What stands between the parentheses.
    pub arguments: String,
    pub outputs: Vec<(ValueId, String)>,
}

/// The code of a program. `kind` tells the element types of values, as far as they are known: layers that compute in
/// another type than float32 are told so. The error says what has no form in Keras.
pub fn script(program: &Program, kind: &dyn Fn(ValueId) -> Option<Kind>) -> Result<Script, String> {
    let graph = &program.graph;
    let constants: FxHashMap<ValueId, &Constant> =
        graph.constants.iter().map(|(value, constant)| (*value, constant)).collect();
    let mut writer = Writer {
        script: Script { inputs: Vec::new(), layers: Vec::new(), calls: Vec::new() },
        variables: FxHashMap::default(),
        masks: Carried::default(),
        by_name: FxHashMap::default(),
        taken: FxHashSet::default(),
    };
    for (k, &input) in graph.inputs.iter().enumerate() {
        let variable = if graph.inputs.len() == 1 { "x".to_string() } else { format!("x{}", k + 1) };
        writer.variables.insert(input, variable.clone());
        writer.script.inputs.push((input, variable));
    }
    for (number, node) in graph.nodes.iter().enumerate() {
        let Action::Call(invocation) = &node.action else {
            return Err(format!("`{}` is no layer", node.place.spelled));
        };
        match layers::layers::by_name(invocation.operator.name) {
            // Masks Keras works out by itself.
            _ if node.place.spelled == "mask" => {
                node.outputs.iter().flatten().for_each(|mask| writer.masks.make(&node.place.node, *mask));
            }
            Some(layer) => {
                writer.call(number, &node.place.node, layer, invocation, &node.outputs, &constants, kind)?;
            }
            None => return Err(format!("`{}` is no layer", node.place.spelled)),
        }
    }
    Ok(writer.script)
}

struct Writer {
    script: Script,
    variables: FxHashMap<ValueId, String>,
    masks: Carried,
    by_name: FxHashMap<String, usize>,
    taken: FxHashSet<String>,
}

impl Writer {
    #[expect(clippy::too_many_arguments, reason = "the parts of one node")]
    fn call(
        &mut self,
        node: usize,
        name: &str,
        layer: &'static layers::layer::Layer,
        invocation: &Invocation,
        outputs: &[Option<ValueId>],
        constants: &FxHashMap<ValueId, &Constant>,
        kind: &dyn Fn(ValueId) -> Option<Kind>,
    ) -> Result<(), String> {
        let operator = invocation.operator;
        let (mut given, mut weights) = (Vec::new(), Vec::new());
        // A layer that is called on a list takes the tensors of it as inputs of their own.
        let takes_list = layer.takes_list();
        for (place, (input, values)) in operator.inputs.iter().zip(&invocation.tensors).enumerate() {
            let of_call = layer.is_given(input.name);
            if input.name.ends_with("mask") {
                if self.masks.brings(invocation, place) {
                    continue;
                }
                if !of_call || values.is_empty() || values.iter().any(|value| self.masks.is_own(*value)) {
                    return Err(format!("`{name}` gets another mask than Keras would bring"));
                }
            }
            for value in values {
                match constants.get(value) {
                    Some(constant) if place > 0 && !of_call => weights.push(*constant),
                    _ => given.push((input, *value)),
                }
            }
        }
        // Indices may be floats of any type; weights are of the one in which the layer computes.
        let floats = weights.iter().map(|weight| weight.kind);
        let floats = floats.chain(given.iter().filter_map(|(_, value)| kind(*value)));
        let computes_in = invocation.policy.or_else(|| floats.into_iter().find(|kind| kind.is_float()));
        let mut named: Vec<(&str, Vec<String>)> = Vec::new();
        for (input, value) in &given {
            let variable = match (self.variables.get(value), constants.get(value)) {
                (Some(variable), _) => variable.clone(),
                (None, Some(constant)) => array(&(constant.load)().ok_or("a constant cannot be read")?),
                (None, None) => return Err(format!("an input of `{name}` comes from nowhere")),
            };
            let first = takes_list && !input.name.ends_with("mask");
            let input = if first { operator.inputs[0].name } else { input.name };
            match named.last_mut() {
                Some((last, variables)) if *last == input => variables.push(variable),
                _ => named.push((input, vec![variable])),
            }
        }
        let arguments = call_arguments(layer, invocation, &named)?;
        let place = match self.by_name.get(name) {
            Some(&place) => place,
            None => {
                let expression = expression(operator, &invocation.arguments, computes_in)?;
                let load = |constant: &&Constant| (constant.load)().ok_or("a weight cannot be read");
                let weights = weights.iter().map(load).collect::<Result<_, _>>()?;
                let variable = self.variable(operator.name);
                let gives_more = operator.outputs.len() > 1;
                self.script.layers.push(Made {
                    variable,
                    class: operator.name,
                    expression,
                    weights,
                    gives_more,
                });
                self.by_name.insert(name.to_string(), self.script.layers.len() - 1);
                self.script.layers.len() - 1
            }
        };
        let number = self.script.calls.len() + 1;
        let mut called = Called { node, layer: place, arguments, outputs: Vec::new() };
        for (k, output) in outputs.iter().enumerate() {
            let Some(output) = *output else { continue };
            let variable = if k == 0 { format!("y{number}") } else { format!("y{number}_{k}") };
            self.variables.insert(output, variable.clone());
            called.outputs.push((output, variable));
        }
        self.script.calls.push(called);
        self.masks.call(name, layer, invocation, outputs);
        Ok(())
    }

    /// `conv2d`, or `conv2d_2` for the second of them.
    fn variable(&mut self, class: &str) -> String {
        let plain = class.to_lowercase();
        let mut name = plain.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{plain}_{number}");
        }
        name
    }
}

/// What the layer is called with: its first tensor or a list of them, and the others by name.
fn call_arguments(
    layer: &'static layers::layer::Layer,
    invocation: &Invocation,
    named: &[(&str, Vec<String>)],
) -> Result<String, String> {
    let operator = invocation.operator;
    let mut written = Vec::new();
    for (k, (input, variables)) in named.iter().enumerate() {
        let arity = operator.inputs.iter().find(|own| own.name == *input).map(|own| own.arity);
        let several = matches!(arity, Some(Arity::Variadic | Arity::Any)) || variables.len() > 1;
        let value = match (several, *input) {
            (true, "states" | "initial_state") => nested(operator, &invocation.arguments, variables),
            (true, _) => format!("[{}]", variables.join(", ")),
            (false, _) => variables.join(", "),
        };
        written.push(if k == 0 { value } else { format!("{input}={value}") });
    }
    // A stack of no cells has no states, and is to be told so.
    let has_states = operator.inputs.iter().any(|input| input.name == "states");
    if has_states && !named.iter().any(|(input, _)| *input == "states") {
        written.push("states=[]".to_string());
    }
    for (parameter, given) in operator.parameters.iter().zip(&invocation.arguments) {
        if let Some(given) = given.as_ref().filter(|_| layer.takes.contains(&parameter.name)) {
            let value = literal(parameter.name, parameter.kind, given, None)?;
            written.push(format!("{}={value}", parameter.name));
        }
    }
    Ok(written.join(", "))
}

/// Cells with their arguments.
type Cells = [(&'static Operator, Vec<Option<Given>>)];

/// States as cells on cells want them: one thing for each cell, a list where it has several or is a stack itself.
fn nested(operator: &Operator, arguments: &[Option<Given>], states: &[String]) -> String {
    let cells = operator.parameters.iter().zip(arguments).find_map(|(parameter, given)| match given {
        Some(Given::Operators(cells)) if matches!(parameter.name, "cell" | "cells") => Some(cells.as_slice()),
        _ => None,
    });
    // What walks with one stack has its states.
    let cells = match cells {
        Some([(_, own)]) if operator.name != "StackedRNNCells" => stacked(own),
        cells => cells,
    };
    let mut rest = states.iter();
    match cells {
        Some(cells) => of_stack(cells, &mut rest),
        None => format!("[{}]", states.join(", ")),
    }
}

fn of_stack(cells: &Cells, states: &mut std::slice::Iter<String>) -> String {
    let own = cells.iter().map(|(cell, arguments)| match stacked(arguments) {
        Some(inner) => of_stack(inner, states),
        None if cell.name == "LSTMCell" => {
            let both: Vec<&str> = states.take(2).map(String::as_str).collect();
            format!("[{}]", both.join(", "))
        }
        None => states.next().cloned().unwrap_or_default(),
    });
    format!("[{}]", own.collect::<Vec<_>>().join(", "))
}

/// The cells of a stack.
fn stacked(arguments: &[Option<Given>]) -> Option<&Cells> {
    arguments.iter().find_map(|given| match given {
        Some(Given::Operators(inner)) => Some(inner.as_slice()),
        _ => None,
    })
}

/// The layer, made with the arguments that are its constructor's.
fn expression(
    operator: &'static Operator,
    given: &[Option<Given>],
    computes_in: Option<Kind>,
) -> Result<String, String> {
    let takes = layers::layers::by_name(operator.name).map_or(&[][..], |layer| layer.takes);
    let mut arguments = Vec::new();
    for (parameter, given) in operator.parameters.iter().zip(given) {
        let Some(given) = given.as_ref().filter(|_| !takes.contains(&parameter.name)) else { continue };
        // A word without a choice is no argument of the class.
        if matches!(parameter.kind, ParameterKind::Word([_])) {
            continue;
        }
        let value = literal(parameter.name, parameter.kind, given, computes_in)?;
        arguments.push(format!("{}={value}", parameter.name));
    }
    // Weights are set once the layer has made them; the orthogonal matrix that recurrent layers begin with cannot be
    // made in half precision.
    let is_half = matches!(computes_in, Some(Kind::F16 | Kind::BF16));
    if is_half && operator.inputs.iter().any(|input| input.name == "recurrent_kernel") {
        arguments.push("recurrent_initializer=\"zeros\"".to_string());
    }
    if let Some(kind) = computes_in.filter(|kind| *kind != Kind::F32) {
        arguments.push(format!("dtype={}", quoted(super::literal::dtype(kind)?)));
    }
    Ok(format!("keras.layers.{}({})", operator.name, arguments.join(", ")))
}

/// An argument as Python writes it.
pub(super) fn literal(
    name: &str,
    kind: ParameterKind,
    given: &Given,
    computes_in: Option<Kind>,
) -> Result<String, String> {
    // Shapes and orders of axes are never numbers.
    let is_shape = matches!(name, "target_shape" | "dims");
    Ok(match given {
        Given::Int(size) if is_shape => tuple(&[size.to_string()]),
        Given::Int(flag) if matches!(kind, ParameterKind::Flag) => {
            if *flag == 0 { "False" } else { "True" }.into()
        }
        Given::Int(value) if matches!(kind, ParameterKind::Float | ParameterKind::Floats) => {
            number(*value as f64)
        }
        Given::Int(value) => value.to_string(),
        Given::Float(value) => number(*value),
        Given::Ints(values) => match layers::pairs::of(name, values) {
            // Both ends of each of several axes.
            Some(pairs) => {
                let pairs: Vec<String> =
                    pairs.iter().map(|[first, last]| format!("({first}, {last})")).collect();
                tuple(&pairs)
            }
            // A size that is left to the input.
            _ if name == "output_shape" => {
                let size = |value: &i64| if *value == -1 { "None".into() } else { value.to_string() };
                tuple(&values.iter().map(size).collect::<Vec<String>>())
            }
            _ => tuple(&values.iter().map(i64::to_string).collect::<Vec<_>>()),
        },
        Given::Floats(values) => tuple(&values.iter().map(|value| number(*value)).collect::<Vec<_>>()),
        Given::Text(text) if text == "none" => "None".into(),
        Given::Text(text) => quoted(text),
        Given::Texts(texts) => tuple(&texts.iter().map(|text| quoted(text)).collect::<Vec<_>>()),
        Given::Type(kind) => quoted(super::literal::dtype(*kind)?),
        Given::Operators(operators) => {
            let each = operators.iter().map(|(operator, given)| expression(operator, given, computes_in));
            let each = each.collect::<Result<Vec<_>, _>>()?;
            if each.len() == 1 && name != "cells" { each.concat() } else { format!("[{}]", each.join(", ")) }
        }
        Given::Value(..) => return Err(format!("`{name}` is a tensor")),
    })
}

fn tuple(items: &[String]) -> String {
    match items {
        [one] => format!("({one},)"),
        items => format!("({})", items.join(", ")),
    }
}

impl Script {
    /// A program of its own that makes the model up to a node of the graph and shows what that gives: by a symbolic
    /// build, which makes the weights, by call and by `predict`.
    pub fn render(&self, node: usize, inputs: &dyn Fn(ValueId) -> Option<Array>) -> String {
        let mut text = String::new();
        let arrays: Vec<(&str, Option<Array>)> =
            self.inputs.iter().map(|(value, variable)| (variable.as_str(), inputs(*value))).collect();
        let calls = || self.calls.iter().filter(|called| called.node <= node);
        let used: FxHashSet<usize> = calls().map(|called| called.layer).collect();
        let layers =
            || self.layers.iter().enumerate().filter(|(k, _)| used.contains(k)).map(|(_, made)| made);
        for made in layers() {
            let _ = writeln!(text, "{} = {}", made.variable, made.expression);
        }
        let variables: Vec<&str> = self.inputs.iter().map(|(_, variable)| variable.as_str()).collect();
        let variables = variables.join(", ");
        let _ = writeln!(text, "\n\ndef network({variables}):");
        let mut last = "None".to_string();
        for called in calls() {
            let outputs: Vec<&str> = called.outputs.iter().map(|(_, variable)| variable.as_str()).collect();
            let layer = &self.layers[called.layer].variable;
            let call = format!("{layer}({})", called.arguments);
            last = outputs.join(", ");
            // What a layer gives besides is not asked for.
            let _ = match self.layers[called.layer].gives_more {
                true => writeln!(text, "    {last}, *_ = keras.tree.flatten({call})"),
                false => writeln!(text, "    {last} = {call}"),
            };
        }
        let _ = writeln!(text, "    return {last}\n\n{SHOW}\n");
        for (variable, given) in &arrays {
            if let Some(given) = given {
                let _ = writeln!(text, "{variable} = {}", array(given));
            }
        }
        let described: Vec<String> = arrays
            .iter()
            .map(|(variable, given)| {
                let sizes = given.as_ref().map(|given| given.shape.clone()).unwrap_or_default();
                let sizes: Vec<String> = sizes.iter().skip(1).map(usize::to_string).collect();
                format!("keras.Input({}, dtype={variable}.dtype.name)", tuple(&sizes))
            })
            .collect();
        let _ = writeln!(text, "described = [{}]", described.join(", "));
        let _ = writeln!(text, "print(keras.backend.backend(), keras.__version__)");
        let _ =
            writeln!(text, "model = show(\"build\", lambda: keras.Model(described, network(*described)))");
        if layers().any(|made| !made.weights.is_empty()) {
            let _ = writeln!(text, "if not model:\n    network({variables})  # makes the weights");
        }
        for made in layers().filter(|made| !made.weights.is_empty()) {
            let weights: Vec<String> = made.weights.iter().map(array).collect();
            let _ = writeln!(text, "{}.set_weights([{}])", made.variable, weights.join(", "));
        }
        let _ = writeln!(text, "show(\"call\", lambda: network({variables}))");
        // `predict` makes float32 of float64, and wants as many examples of every input.
        let given = || arrays.iter().filter_map(|(_, given)| given.as_ref());
        let batches: FxHashSet<usize> = given().filter_map(|array| array.shape.first().copied()).collect();
        let is_double = given().any(|array| array.kind == Kind::F64);
        let whole = batches.len() == 1 && batches.iter().all(|size| (1..=32).contains(size)) && !is_double;
        let predict = match whole {
            true => format!("model.predict([{variables}], verbose=0)"),
            false => format!("model.predict_on_batch([{variables}])"),
        };
        let _ = writeln!(text, "if model:\n    show(\"predict\", lambda: {predict})");
        let bfloat = if text.contains("ml_dtypes.") { "import ml_dtypes\n" } else { "" };
        format!("import keras\n{bfloat}import numpy as np\n\n{text}")
    }
}

/// How a script shows what a way of computing gives, or how it fails.
const SHOW: &str = r#"def show(way, compute):
    try:
        result = compute()
    except Exception as error:
        print(f"by {way}: {type(error).__name__}: {error}")
        return None
    if way == "build":
        print("by build:", *(f"{output.dtype}{list(output.shape)}" for output in result.outputs))
    else:
        print(f"by {way}:")
        for output in keras.tree.flatten(result):
            array = keras.ops.convert_to_numpy(output)
            print(f"{array.dtype}{list(array.shape)}", array, sep="\n")
    return result

"#;
