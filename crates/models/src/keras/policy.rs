//! The types in which layers compute. Keras casts the floats that a layer is called on, and its weights, to the
//! type that its policy names, before the layer sees them.

use super::unheeded::is_policy;
use layers::autocast::AUTOCAST;
use program::ir::{Action, Declared, Given, Invocation, Node, Place, Program, Value as Named, ValueId};
use rustc_hash::FxHashMap;
use semantics::dtype::Kind;
use semantics::operator::Backend;
use serde_json::{Map, Value};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// The type in which a layer computes; or why that is not followed.
/// Layers that prepare data may compute in integers.
pub(super) fn of(class: &str, config: &Map<String, Value>) -> Result<Kind, String> {
    let prepares = || layers::preparing::ALL.iter().any(|layer| layer.operator.name == class);
    let name = match config.get("dtype") {
        None | Some(Value::Null) => return Ok(Kind::F32),
        Some(Value::String(name)) => Some(name.as_str()),
        Some(policy) => policy["config"]["name"].as_str(),
    };
    let computed = name.and_then(|name| match name {
        "mixed_float16" => Some(Kind::F16),
        "mixed_bfloat16" => Some(Kind::BF16),
        // What is no policy is a fault of the layer, told with its arguments.
        name if !is_policy(name) => Some(Kind::F32),
        name => super::graph::kind(name).filter(|kind| kind.is_float() || kind.is_int() && prepares()),
    });
    let quantized = config.get("quantization_config").is_some_and(Value::is_object);
    computed.filter(|_| !quantized).ok_or_else(|| {
        let policy = name.map(|name| format!(" `{name}`")).unwrap_or_default();
        format!("what the policy{policy} makes of a layer is not modelled")
    })
}

/// Puts casts in front of the layers of a program; `policies` has the type of each by its name. Where everything is
/// float32 there is nothing to do.
pub fn cast(program: &mut Program, policies: &FxHashMap<String, Kind>) {
    let is_other = |kind: Kind| kind.is_float() && kind != Kind::F32;
    let takes_other = |value: &ValueId| matches!(program.declared(*value), Some(Declared::Tensor { kind: Some(kind), .. }) if is_other(*kind));
    let stores_other = program.graph.constants.iter().any(|(_, constant)| is_other(constant.kind));
    let computes_other = policies.values().any(|kind| is_other(*kind));
    if !computes_other && !stores_other && !program.graph.inputs.iter().any(takes_other) {
        return;
    }
    let nodes = std::mem::take(&mut program.graph.nodes);
    let mut done: FxHashMap<(ValueId, Kind), ValueId> = FxHashMap::default();
    for mut node in nodes {
        if let (Action::Call(call), Some(&kind)) = (&mut node.action, policies.get(&node.place.node)) {
            call.policy = Some(kind);
            for value in call.tensors.iter_mut().flatten() {
                *value = *done.entry((*value, kind)).or_insert_with(|| added(program, *value, kind));
            }
        }
        program.graph.nodes.push(node);
    }
}

/// Adds the cast of a value to the end of the program.
fn added(program: &mut Program, value: ValueId, kind: Kind) -> ValueId {
    let name: Rc<str> = format!("{}:{kind}", program.name(value)).into();
    let output = ValueId(program.values.len() as u32);
    program.values.push(Named { name: name.clone(), declared: None });
    let call = Invocation {
        operator: &AUTOCAST,
        define: AUTOCAST.define,
        tensors: smallvec![smallvec![value]],
        arguments: vec![Some(Given::Type(kind))],
        channels_first: None,
        narrower: SmallVec::new(),
        backend: Backend::default(),
        policy: None,
    };
    program.graph.nodes.push(Node {
        place: Rc::new(Place::new(&*name, AUTOCAST.name)),
        action: Action::Call(call),
        outputs: vec![Some(output)],
        faults: Vec::new(),
        remarks: Vec::new(),
    });
    output
}
