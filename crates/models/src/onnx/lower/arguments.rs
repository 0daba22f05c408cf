//! The inputs and attributes of a node as the arguments of an operator's signature.

use super::super::element::Element;
use super::super::model::{AttributeValue, Node};
use super::{Lowering, element_types, fault, kind};
use program::ir::{Fault, Given, Invocation};
use semantics::operator::{Backend, Category, Parameter, ParameterKind};
use semantics::spelling::{Odd, Resolved, Target};
use smallvec::SmallVec;

impl<'m> Lowering<'m> {
    pub(super) fn invocation(
        &mut self,
        resolved: &'static Resolved,
        node: &'m Node,
        faults: &mut Vec<Fault>,
        remarks: &mut Vec<Fault>,
    ) -> Invocation {
        let operator = resolved.operator;
        let mapping = resolved.mapping();
        let mut invocation = Invocation {
            operator,
            define: resolved.spelling.define.unwrap_or(operator.define),
            tensors: operator.inputs.iter().map(|_| SmallVec::new()).collect(),
            arguments: vec![None; operator.parameters.len()],
            channels_first: mapping.channels_first,
            narrower: SmallVec::new(),
            backend: Backend::default(),
            policy: None,
        };
        for narrower in element_types::narrower(&node.op_type, self.version()) {
            if let Some(Target::Tensor(slot) | Target::Tensors(slot)) = mapping.inputs.get(narrower.position)
            {
                invocation.narrower.push((*slot, narrower));
            }
        }
        for (position, preset) in &mapping.presets {
            invocation.arguments[*position] = preset_value(&operator.parameters[*position], preset);
        }
        for (position, number) in &mapping.singles {
            invocation.arguments[*position] = Some(Given::Float(*number));
        }
        let spread = matches!(mapping.inputs.last(), Some(Target::Tensors(_)));
        if !spread && node.inputs.len() > mapping.inputs.len() {
            let label = format!("{} takes at most {} inputs", node.op_type, mapping.inputs.len());
            faults.push(fault(Category::IllegalValue, label, format!("{} are given", node.inputs.len())));
        }
        for (position, name) in node.inputs.iter().enumerate() {
            let target = mapping.inputs.get(position).or(mapping.inputs.last().filter(|_| spread));
            let Some(value) = self.given(name) else {
                if let Some(Target::Tensors(_)) = target {
                    let label = format!("{} takes a list of tensors, each of them given", node.op_type);
                    faults.push(fault(
                        Category::IllegalValue,
                        label,
                        format!("input {position} is left out"),
                    ));
                }
                continue;
            };
            match target {
                Some(Target::Tensor(slot) | Target::Tensors(slot)) => invocation.tensors[*slot].push(value),
                Some(Target::Read(slot, types)) => {
                    invocation.arguments[*slot] = Some(Given::Value(value, *types, mapping.form(*slot)));
                }
                Some(Target::Parameter(_) | Target::Ignored) | None => {}
            }
        }
        for attribute in &node.attributes {
            let Some((_, target)) = mapping.attributes.iter().find(|(theirs, _)| **theirs == *attribute.name)
            else {
                // The first versions could say which inputs they may overwrite; nothing follows from it.
                if &*attribute.name == "consumed_inputs" && self.version() < 6 {
                    continue;
                }
                let names: Vec<&str> = mapping.attributes.iter().map(|(theirs, _)| *theirs).collect();
                let known = if names.is_empty() { "none".into() } else { names.join(", ") };
                let label = format!("the attributes of {} are {known}", node.op_type);
                faults.push(fault(Category::IllegalValue, label, format!("`{}` is given", attribute.name)));
                continue;
            };
            let Some(value) = self.resolve(attribute) else { continue };
            let slot = match (target, value) {
                (Target::Parameter(slot), _) => slot,
                (Target::Tensor(slot), AttributeValue::Tensor(tensor)) => {
                    let value = self.hold(tensor, node, &attribute.name);
                    invocation.tensors[*slot].push(value);
                    continue;
                }
                (Target::Tensor(_) | Target::Tensors(_), _) => {
                    let label = format!("the attribute `{}` is a tensor", attribute.name);
                    faults.push(fault(Category::IllegalValue, label, describe(value)));
                    continue;
                }
                (Target::Read(..) | Target::Ignored, _) => continue,
            };
            let parameter = &operator.parameters[*slot];
            let odd = mapping.odd(*slot);
            if let Some((given, label)) = tolerated(parameter, value, odd) {
                let label = format!("the attribute `{}` is {label}", attribute.name);
                let detail = format!("{}, which ONNX Runtime reads as {}", describe(value), stand_in(&given));
                remarks.push(fault(Category::ImproperValue, label, detail));
                invocation.arguments[*slot] = Some(given);
                continue;
            }
            match given(parameter, value, odd) {
                Ok(given) => invocation.arguments[*slot] = Some(given),
                Err(expected) => {
                    let label = format!("the attribute `{}` is {expected}", attribute.name);
                    faults.push(fault(Category::IllegalValue, label, describe(value)));
                }
            }
        }
        let outputs = operator.outputs.len() + resolved.spelling.further;
        if node.outputs.len() > outputs && !operator.gives_any_number() {
            let label = format!("{} gives at most {outputs} outputs", node.op_type);
            faults.push(fault(Category::IllegalValue, label, format!("{} are named", node.outputs.len())));
        }
        let unnamed = |position: usize| node.outputs.get(position).is_none_or(|name| name.is_empty());
        if let Some((position, name)) = operator.required_outputs().find(|(position, _)| unnamed(*position)) {
            let label = format!("the output `{name}` of {} has a name", node.op_type);
            faults.push(fault(Category::IllegalValue, label, format!("output {position} has none")));
        }
        invocation
    }
}

/// A value outside the specification that frameworks let pass: what they take it for, and what it should be.
fn tolerated(parameter: &Parameter, value: &AttributeValue, odd: Option<Odd>) -> Option<(Given, String)> {
    match (parameter.kind, value, odd) {
        (ParameterKind::Flag, AttributeValue::Int(0 | 1), _) => None,
        (ParameterKind::Flag, AttributeValue::Int(_), Some(Odd::OnlyOne)) => {
            Some((Given::Int(0), "0 or 1".into()))
        }
        (ParameterKind::Flag, AttributeValue::Int(_), None) => Some((Given::Int(1), "0 or 1".into())),
        (ParameterKind::Word(choices), AttributeValue::String(bytes), Some(Odd::As(word))) => {
            let known = choices.iter().any(|choice| choice.as_bytes() == &bytes[..]);
            (!known).then(|| (Given::Text(word.into()), format!("one of {}", choices.join(", "))))
        }
        (ParameterKind::Type, AttributeValue::Int(code), Some(Odd::As(word))) => {
            let known = i32::try_from(*code).ok().and_then(kind).is_some();
            let stands_for = semantics::dtype::Kind::parse(word).filter(|_| !known)?;
            Some((Given::Type(stands_for), "the code of an element type".into()))
        }
        _ => None,
    }
}

fn stand_in(given: &Given) -> String {
    match given {
        Given::Int(value) => value.to_string(),
        Given::Text(text) => format!("'{text}'"),
        Given::Type(kind) => kind.to_string(),
        _ => "something else".into(),
    }
}

/// An attribute as a parameter's value, or the form it should have.
fn given(parameter: &Parameter, value: &AttributeValue, odd: Option<Odd>) -> Result<Given, &'static str> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match (parameter.kind, value) {
        (ParameterKind::Flag, AttributeValue::Int(value))
            if odd == Some(Odd::Refused) && !matches!(value, 0 | 1) =>
        {
            Err("0 or 1")
        }
        (ParameterKind::Int | ParameterKind::Flag, AttributeValue::Int(value)) => Ok(Given::Int(*value)),
        (ParameterKind::Type, AttributeValue::String(bytes)) if odd == Some(Odd::Named) => {
            let code = Element::from_name(&text(bytes).to_lowercase()).map(|element| element.code);
            code.and_then(kind).map(Given::Type).ok_or("the name of an element type")
        }
        (ParameterKind::Type, _) if odd == Some(Odd::Named) => Err("the name of an element type"),
        (ParameterKind::Type, AttributeValue::Int(code)) => {
            i32::try_from(*code).ok().and_then(kind).map(Given::Type).ok_or("the code of an element type")
        }
        (ParameterKind::Ints, AttributeValue::Ints(values)) => Ok(Given::Ints(values.clone())),
        // An empty list is stored without saying what it is a list of.
        (ParameterKind::Ints, AttributeValue::Floats(values)) if values.is_empty() => {
            Ok(Given::Ints(Vec::new()))
        }
        (ParameterKind::Float, AttributeValue::Float(value)) => Ok(Given::Float(f64::from(*value))),
        (ParameterKind::Floats, AttributeValue::Floats(values)) => {
            Ok(Given::Floats(values.iter().map(|&value| f64::from(value)).collect()))
        }
        (ParameterKind::Word(_) | ParameterKind::Text, AttributeValue::String(bytes)) => {
            Ok(Given::Text(text(bytes)))
        }
        (ParameterKind::Words(_), AttributeValue::Strings(texts)) => {
            Ok(Given::Texts(texts.iter().map(|bytes| text(bytes)).collect()))
        }
        (ParameterKind::Int | ParameterKind::Flag | ParameterKind::Type, _) => Err("an integer"),
        (ParameterKind::Ints, _) => Err("a list of integers"),
        (ParameterKind::Float, _) => Err("a float"),
        (ParameterKind::Floats, _) => Err("a list of floats"),
        (ParameterKind::Word(_) | ParameterKind::Text, _) => Err("a text"),
        (ParameterKind::Words(_), _) => Err("a list of texts"),
        (ParameterKind::Operators(_), _) => Err("nothing that ONNX can say"),
    }
}

/// A default as the spelling writes it.
fn preset_value(parameter: &Parameter, text: &str) -> Option<Given> {
    match parameter.kind {
        ParameterKind::Int => text.parse().ok().map(Given::Int),
        ParameterKind::Flag => text
            .parse::<bool>()
            .ok()
            .map(|flag| Given::Int(i64::from(flag)))
            .or(text.parse().ok().map(Given::Int)),
        ParameterKind::Float => text.parse().ok().map(Given::Float),
        ParameterKind::Type => semantics::dtype::Kind::parse(text).map(Given::Type),
        ParameterKind::Word(_) | ParameterKind::Text => Some(Given::Text(text.into())),
        ParameterKind::Ints => text.parse().ok().map(|value| Given::Ints(vec![value])),
        ParameterKind::Floats | ParameterKind::Words(_) | ParameterKind::Operators(_) => None,
    }
}

fn describe(value: &AttributeValue) -> String {
    format!("it is {}", form(value))
}

fn form(value: &AttributeValue) -> String {
    match value {
        AttributeValue::Int(value) => format!("the integer {value}"),
        AttributeValue::Ints(values) => format!("a list of {} integers", values.len()),
        AttributeValue::Float(value) => format!("the float {value}"),
        AttributeValue::Floats(values) => format!("a list of {} floats", values.len()),
        AttributeValue::String(bytes) => format!("the text '{}'", String::from_utf8_lossy(bytes)),
        AttributeValue::Strings(values) => format!("a list of {} texts", values.len()),
        AttributeValue::Tensor(tensor) => format!("a tensor of {}", Element::describe(tensor.elem_type)),
        AttributeValue::Graph(_) | AttributeValue::Graphs(_) => "a graph".into(),
        AttributeValue::Invalid(why) => why.clone(),
        AttributeValue::Tensors(_)
        | AttributeValue::Type(_)
        | AttributeValue::Types(_)
        | AttributeValue::Sparse(_)
        | AttributeValue::Sparses(_)
        | AttributeValue::Reference(_) => "a value of another form".into(),
    }
}
