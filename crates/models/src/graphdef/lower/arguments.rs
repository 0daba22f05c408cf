//! The inputs and attributes of a node as the arguments of an operator's signature.

use super::super::proto::{NodeDef, attr_value::Value as Attribute};
use super::super::tensor;
use super::{Environment, Lowering, fault};
use program::ir::{Action, Fault, Given, Invocation};
use semantics::dtype::{INT64, Kind};
use semantics::operator::{Backend, Parameter, ParameterKind};
use semantics::spelling::{Resolved, Target};
use smallvec::SmallVec;

impl<'g> Lowering<'g> {
    pub(super) fn invocation(
        &mut self,
        environment: &mut Environment<'g>,
        resolved: &'static Resolved,
        node: u32,
        faults: &mut Vec<Fault>,
    ) -> Action {
        let own = environment.node(node);
        let (operator, mapping) = (resolved.operator, resolved.mapping());
        let mut invocation = Invocation {
            operator,
            define: resolved.spelling.define.unwrap_or(operator.define),
            tensors: operator.inputs.iter().map(|_| SmallVec::new()).collect(),
            arguments: vec![None; operator.parameters.len()],
            channels_first: None,
            narrower: SmallVec::new(),
            backend: Backend::TensorFlow,
            policy: None,
        };
        for (position, preset) in &mapping.presets {
            invocation.arguments[*position] = preset_value(&operator.parameters[*position], preset);
        }
        for (position, number) in &mapping.singles {
            invocation.arguments[*position] = Some(Given::Float(*number));
        }
        let given = self.all_taken(environment, node);
        if let Some(reason) = unsupported(environment, own, resolved) {
            return self.unknown(environment, node, Some(reason));
        }
        // One input may be a list of tensors, and those after it are counted from the back.
        let list = mapping.inputs.iter().position(|target| matches!(target, Target::Tensors(_)));
        let after = list.map_or(0, |list| mapping.inputs.len() - list - 1);
        if list.is_none() && given.len() > mapping.inputs.len() {
            let label = format!("{} takes at most {} inputs", own.op, mapping.inputs.len());
            faults.push(fault(label, format!("{} are given", given.len())));
        }
        for (position, &value) in given.iter().enumerate() {
            let target = match list {
                Some(list) if position >= list => {
                    let from_back = given.len() - 1 - position;
                    if from_back < after { mapping.inputs.len() - 1 - from_back } else { list }
                }
                _ => position,
            };
            match mapping.inputs.get(target) {
                Some(Target::Tensor(slot)) if operator.inputs[*slot].types.name == INT64.name => {
                    let wide = self.cast(
                        format!("{} as int64", self.values[value.0 as usize].name),
                        value,
                        Kind::I64,
                    );
                    invocation.tensors[*slot].push(wide);
                }
                Some(Target::Tensor(slot) | Target::Tensors(slot)) => invocation.tensors[*slot].push(value),
                Some(Target::Read(slot, types)) => {
                    invocation.arguments[*slot] = Some(Given::Value(value, *types, mapping.form(*slot)));
                }
                Some(Target::Parameter(_) | Target::Ignored) | None => {}
            }
        }
        for name in own.attr.keys() {
            let Some((_, target)) = mapping.attributes.iter().find(|(theirs, _)| *theirs == name.as_str())
            else {
                let Some(value) = environment.attribute(own, name) else { continue };
                if follows_from_inputs(name, value) {
                    continue;
                }
                let reason = format!("what its attribute `{name}` means is not known here");
                self.held.clear();
                return self.unknown(environment, node, Some(reason));
            };
            let (Target::Parameter(slot), Some(value)) = (target, environment.attribute(own, name)) else {
                continue;
            };
            match parameter(&operator.parameters[*slot], value) {
                Ok(given) => invocation.arguments[*slot] = given,
                Err(expected) => {
                    let label = format!("the attribute `{name}` is {expected}");
                    faults.push(fault(label, "it is something else".into()));
                }
            }
        }
        Action::Call(invocation)
    }
}

/// Why a call is beyond the definition although its operator is not: an attribute has another value than the one
/// that is defined, or the tensors have a type that is not.
fn unsupported<'g>(
    environment: &Environment<'g>,
    own: &'g NodeDef,
    resolved: &'static Resolved,
) -> Option<String> {
    for (name, only) in &resolved.mapping().fixed {
        let stated = match environment.attribute(own, name) {
            Some(Attribute::S(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
            Some(Attribute::I(number)) => number.to_string(),
            Some(Attribute::B(flag)) => flag.to_string(),
            Some(Attribute::List(list)) => format!("{:?}", list.i),
            _ => continue,
        };
        if stated != *only {
            return Some(format!("its attribute `{name}` is {stated}, and only {only} is known here"));
        }
    }
    let kind = environment.kind(own, "T")?;
    let takes = |target: &Target| match target {
        Target::Tensor(slot) | Target::Tensors(slot) => Some(resolved.operator.inputs[*slot].types),
        _ => None,
    };
    let mut types = resolved.mapping().inputs.iter().filter_map(takes).peekable();
    let beyond = types.peek().is_some() && types.all(|types| !types.kinds.contains(&kind));
    beyond.then(|| format!("its meaning for {kind} is not known here"))
}

/// Types and counts that the inputs tell as well, and notes of whoever wrote the file.
fn follows_from_inputs(name: &str, value: &Attribute) -> bool {
    let is_type = match value {
        Attribute::Type(_) => true,
        Attribute::List(list) => !list.r#type.is_empty(),
        _ => false,
    };
    is_type || name == "N" || name.starts_with('_')
}

/// An attribute as a parameter's value, or the form it should have. An empty text is none.
fn parameter(parameter: &Parameter, value: &Attribute) -> Result<Option<Given>, &'static str> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Some(match (parameter.kind, value) {
        (ParameterKind::Int, Attribute::I(number)) => Given::Int(*number),
        (ParameterKind::Flag, Attribute::B(flag)) => Given::Int(i64::from(*flag)),
        (ParameterKind::Float, Attribute::F(number)) => Given::Float(f64::from(*number)),
        (ParameterKind::Type, Attribute::Type(code)) => match tensor::kind(*code) {
            Some(kind) => Given::Type(kind),
            None => return Err("an element type"),
        },
        (ParameterKind::Ints, Attribute::List(list)) => Given::Ints(list.i.clone()),
        (ParameterKind::Ints, Attribute::Shape(shape)) => match shape.unknown_rank {
            true => return Ok(None),
            false => Given::Ints(shape.dim.iter().map(|dim| dim.size).collect()),
        },
        (ParameterKind::Floats, Attribute::List(list)) => {
            Given::Floats(list.f.iter().map(|&number| f64::from(number)).collect())
        }
        (ParameterKind::Word(_) | ParameterKind::Text, Attribute::S(bytes)) => Given::Text(text(bytes)),
        (ParameterKind::Words(_), Attribute::List(list)) => {
            Given::Texts(list.s.iter().map(|bytes| text(bytes)).collect())
        }
        (ParameterKind::Int, _) => return Err("an integer"),
        (ParameterKind::Flag, _) => return Err("true or false"),
        (ParameterKind::Float, _) => return Err("a float"),
        (ParameterKind::Type, _) => return Err("an element type"),
        (ParameterKind::Ints, _) => return Err("a list of integers"),
        (ParameterKind::Floats, _) => return Err("a list of floats"),
        (ParameterKind::Word(_) | ParameterKind::Text, _) => return Err("a text"),
        (ParameterKind::Words(_), _) => return Err("a list of texts"),
        (ParameterKind::Operators(_), _) => return Err("nothing that a graph can say"),
    }))
}

/// A default as the spelling writes it.
fn preset_value(parameter: &Parameter, text: &str) -> Option<Given> {
    match parameter.kind {
        ParameterKind::Int => text.parse().ok().map(Given::Int),
        ParameterKind::Flag => text.parse::<bool>().ok().map(|flag| Given::Int(i64::from(flag))),
        ParameterKind::Float => text.parse().ok().map(Given::Float),
        ParameterKind::Type => Kind::parse(text).map(Given::Type),
        ParameterKind::Word(_) | ParameterKind::Text => Some(Given::Text(text.into())),
        ParameterKind::Ints => {
            text.split_whitespace().map(|one| one.parse().ok()).collect::<Option<_>>().map(Given::Ints)
        }
        ParameterKind::Floats | ParameterKind::Words(_) | ParameterKind::Operators(_) => None,
    }
}
