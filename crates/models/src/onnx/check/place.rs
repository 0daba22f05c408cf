//! How a place inside a model is named in messages.

use std::borrow::Cow;

use crate::onnx::model::{Function, Node};

/// One step from the model towards a place in it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'m> {
    Function(&'m Function),
    Node(usize, &'m Node),
    Attribute(&'m str),
    Initializer(&'m str),
    Value(&'m str),
}

pub(super) fn render(path: &[Step<'_>]) -> String {
    if path.is_empty() {
        return "graph".to_owned();
    }
    path.iter().map(Step::render).collect::<Vec<_>>().join(", ")
}

/// "node 12 (Conv `conv1`)"
pub(super) fn node(index: usize, node: &Node) -> String {
    let operator = shortened(&node.op_type);
    match &*node.name {
        "" => format!("node {index} ({operator})"),
        name => format!("node {index} ({operator} `{}`)", shortened(name)),
    }
}

/// Names come from the file and may be of any length.
pub(in crate::onnx) fn shortened(name: &str) -> Cow<'_, str> {
    const LONGEST: usize = 200;
    if name.len() <= LONGEST {
        return Cow::Borrowed(name);
    }
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    }
}

impl Step<'_> {
    fn render(&self) -> String {
        match self {
            Self::Function(function) => format!("function `{}`", shortened(&function.id.name)),
            Self::Node(index, step_node) => node(*index, step_node),
            Self::Attribute(name) => format!("attribute `{}`", shortened(name)),
            Self::Initializer(name) => format!("initialiser `{}`", shortened(name)),
            Self::Value(name) => format!("value `{}`", shortened(name)),
        }
    }
}
