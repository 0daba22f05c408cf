//! What would mend a failing call of a library: one number of the layer that runs is changed, or one tensor is given
//! in another form, and the call is tried again on a copy of the state. What works then is the advice.

use super::explain::went_well;
use super::{Interpreter, Outcome};
use crate::heap::{Id, Payload};
use crate::native::Keywords;
use crate::syntax::{Argument, Expr, ExprKind, Name, Source, Span, StmtKind};
use crate::value::Value;
use program::path::Judged;
use semantics::dtype::Kind;
use semantics::operator::Category;
use semantics::prop::PropView;
use semantics::tensor::Tensor;

/// More advice than this is noise.
const MOST: usize = 2;

/// A call as it was made, to be made again.
struct Recall {
    callee: Callee,
    positional: Vec<Value>,
    keywords: Keywords,
}

enum Callee {
    Layer(Id),
    Function(std::rc::Rc<crate::heap::Function>),
}

/// Another form of a tensor: what is written after it, and the methods that make it.
struct Form {
    suffix: &'static str,
    method: &'static str,
    arguments: &'static [i64],
    times: usize,
}

const fn form(suffix: &'static str, method: &'static str, arguments: &'static [i64]) -> Form {
    Form { suffix, method, arguments, times: 1 }
}

const TYPES: &[Form] = &[form(".float()", "float", &[]), form(".double()", "double", &[])];
const MASKS: &[Form] = &[form(".bool()", "bool", &[])];
/// Whole numbers, where they are asked for: elsewhere fractions would be lost.
const INDICES: &[Form] = &[form(".long()", "long", &[])];
/// Axes that an operation element by element needs at the end.
const AXES: &[Form] = &[
    form(".unsqueeze(-1)", "unsqueeze", &[-1]),
    Form { suffix: "[..., None, None]", method: "unsqueeze", arguments: &[-1], times: 2 },
    Form { suffix: "[..., None, None, None]", method: "unsqueeze", arguments: &[-1], times: 3 },
];
const SHAPES: &[Form] = &[
    form(".unsqueeze(1)", "unsqueeze", &[1]),
    form(".squeeze(1)", "squeeze", &[1]),
    form(".unsqueeze(0)", "unsqueeze", &[0]),
    form(".squeeze(0)", "squeeze", &[0]),
];
/// Channels, classes or features in the wrong place.
const ORDERS: &[Form] =
    &[form(".movedim(-1, 1)", "movedim", &[-1, 1]), form(".movedim(1, -1)", "movedim", &[1, -1])];
const MATRICES: &[Form] = &[form(".mT", "t", &[])];
const TRUTHS: &[Form] = &[form(".any()", "any", &[]), form(".all()", "all", &[])];
const LAYOUTS: &[Form] = &[form(".contiguous()", "contiguous", &[])];

impl Interpreter {
    /// Changes of the user's code with which the call that was recorded last would be right.
    pub(super) fn mends(&mut self, names: &[(Tensor, String)]) -> Vec<String> {
        // Of inputs that are made up nobody knows what was meant.
        if self.open {
            return Vec::new();
        }
        let Some(entry) = self.path.record.last() else { return Vec::new() };
        let Some(judged) = entry.open.iter().find(|judged| is_broken(judged)) else { return Vec::new() };
        let (label, category, prop) =
            (judged.requirement.label, judged.requirement.category, judged.requirement.prop);
        let Some(recall) = self.recall() else { return Vec::new() };
        let mut advice = Vec::new();
        if category == Category::IncompatibleShape && !label.contains("broadcast") {
            let last = if label.contains("class") { "classes last?" } else { "channels last?" };
            for (form, question) in ORDERS.iter().zip(&[last, "channels first?"]) {
                let fits = self.other_forms(&recall, std::slice::from_ref(form), false, names);
                if let Some(fits) = fits.first() {
                    let is_layer = matches!(recall.callee, Callee::Layer(_));
                    let question = if is_layer || label.contains("class") { *question } else { "" };
                    advice.push(format!("{question} `{fits}` would fit").trim_start().to_owned());
                    break;
                }
            }
        }
        if let (Callee::Layer(layer), PropView::Equal(one, other)) = (&recall.callee, prop.view())
            && let (Some(one), Some(other)) = (one.known(), other.known())
        {
            advice.extend(self.other_layer(*layer, &recall, [(one, other), (other, one)]));
        }
        if advice.is_empty() {
            let forms = self.forms(&recall, label, category);
            let broadcasts = label.contains("broadcast");
            let fits = self.other_forms(&recall, forms, broadcasts, names);
            let most = if category == Category::IncompatibleType { 1 } else { MOST };
            let fits: Vec<String> = fits.iter().take(most).map(|form| format!("`{form}`")).collect();
            if !fits.is_empty() {
                advice.push(format!("{} would fit", fits.join(" or ")));
            }
        }
        advice.truncate(MOST);
        advice
    }

    /// The forms of a tensor that may mend a fault of this kind.
    fn forms(&self, recall: &Recall, label: &str, category: Category) -> &'static [Form] {
        let spelled = recall_name(recall);
        let tensors = recall.positional.iter().filter(|value| self.as_tensor(value).is_some()).count();
        match category {
            Category::IncompatibleType if label.ends_with("is bool") => MASKS,
            // `~` of a mask of floats; as whole numbers it would be another thing.
            Category::IncompatibleType if label.ends_with("takes bool, integers") => MASKS,
            // What takes floats as well does not take complex numbers: which part is meant is not ours to say.
            Category::IncompatibleType if label.contains("takes bool, integers") => &[],
            Category::IncompatibleType if ["i64", "int", "ind"].iter().any(|word| label.contains(word)) => {
                INDICES
            }
            Category::IncompatibleType => TYPES,
            Category::UnsupportedLayout => LAYOUTS,
            Category::IncompatibleShape if spelled.contains("matmul") || spelled.ends_with("mm") => MATRICES,
            Category::SuspiciousBroadcast => SHAPES,
            Category::IncompatibleShape if label.contains("broadcast") => AXES,
            // Of one tensor in a function nobody knows what it should look like.
            Category::IncompatibleShape if tensors > 1 || matches!(recall.callee, Callee::Layer(_)) => SHAPES,
            Category::IllegalValue if spelled == "__bool__" => TRUTHS,
            _ => &[],
        }
    }

    /// The call of the library that is running: of a layer, or else of a function.
    fn recall(&self) -> Option<Recall> {
        let frames = self.library_frames();
        let forward = Name::new("forward");
        let (frame, layer) = match frames.iter().rfind(|frame| frame.name == forward) {
            Some(frame) => (frame, frame.receiver.as_ref().and_then(Value::as_object)),
            None => (frames.first()?, None),
        };
        let function = frame.function.clone()?;
        if function.name == Name::INIT {
            return None;
        }
        let attributes = &self.heap.get(frame.scope).attributes;
        let parameters = &function.def.parameters;
        let mut positional = Vec::new();
        for parameter in parameters.positional.iter().skip(usize::from(layer.is_some())) {
            positional.push(attributes.get(&parameter.name)?.clone());
        }
        if let Some(variadic) = &parameters.variadic
            && let Some(Value::Tuple(items)) = attributes.get(&variadic.name)
        {
            positional.extend(items.iter().cloned());
        }
        let keywords = parameters.keyword_only.iter().filter_map(|parameter| {
            let value = attributes.get(&parameter.name).filter(|value| !value.is_none())?;
            Some((parameter.name, value.clone()))
        });
        let keywords = keywords.collect();
        let callee = layer.map_or_else(|| Callee::Function(function), Callee::Layer);
        Some(Recall { callee, positional, keywords })
    }
    fn again(&mut self, recall: &Recall, positional: Vec<Value>) -> Outcome {
        match &recall.callee {
            Callee::Layer(layer) => self.call(&Value::Object(*layer), positional, recall.keywords.clone()),
            Callee::Function(function) => self.call_function(function, positional, recall.keywords.clone()),
        }
    }

    /// Tensors in another form with which the call works, as the user would write them.
    fn other_forms(
        &mut self,
        recall: &Recall,
        forms: &[Form],
        keeps_shape: bool,
        names: &[(Tensor, String)],
    ) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for (place, value) in recall.positional.iter().enumerate() {
            let Some(tensor) = self.as_tensor(value) else { continue };
            // What the user's code has no name for cannot be written in another form there.
            let Some((_, called)) = names.iter().find(|(held, _)| *held == tensor) else { continue };
            let is_complex =
                tensor.dtype().known().is_some_and(|kind| matches!(kind, Kind::C64 | Kind::C128));
            let fits = forms.iter().filter(|form| !(is_complex && form.method == "float")).find(|form| {
                self.quietly(|run| run.would_fit(recall, place, form, keeps_shape).then_some(())).is_some()
            });
            if let Some(form) = fits {
                let written = format!("{}{}", in_brackets(called), form.suffix);
                if !found.contains(&written) {
                    found.push(written);
                }
            }
        }
        found
    }
    /// Whether the call works with one tensor in another form.
    fn would_fit(&mut self, recall: &Recall, place: usize, form: &Form, keeps_shape: bool) -> bool {
        let mut positional = recall.positional.clone();
        let mut changed = positional[place].clone();
        for _ in 0..form.times {
            let arguments = form.arguments.iter().map(|&number| Value::int(number)).collect();
            let Ok(method) = self.attribute(&changed, Name::new(form.method)) else { return false };
            match self.call(&method, arguments, Keywords::default()) {
                Ok(value) => changed = value,
                Err(_) => return false,
            }
        }
        let before = self.as_tensor(&positional[place]);
        if self.as_tensor(&changed).is_none() || self.as_tensor(&changed) == before {
            return false;
        }
        positional[place] = changed;
        let others: Vec<Tensor> = positional
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != place)
            .filter_map(|(_, value)| self.as_tensor(value))
            .collect();
        let result = self.again(recall, positional);
        if !went_well(self, &result) {
            return false;
        }
        let Ok(result) = result else { return false };
        // What grows beyond both is hardly meant.
        let is_as_before =
            |result: Tensor| others.iter().any(|other| other.shape().id() == result.shape().id());
        !keeps_shape || self.as_tensor(&result).is_none_or(is_as_before)
    }

    /// The layer with one of its numbers changed, as the user's code would make it.
    fn other_layer(&mut self, layer: Id, recall: &Recall, changes: [(i64, i64); 2]) -> Option<String> {
        let (source, at) = self.makers.layer_at(layer)?;
        let piece_read = Piece::read(&source, at)?;
        let expression = piece_read.expression()?;
        let ExprKind::Call { arguments, .. } = &expression.kind else { return None };
        let words = self.constructor_words(layer);
        let mut given = Vec::new();
        for (place, argument) in arguments.iter().enumerate() {
            let (name, value) = match argument {
                Argument::Positional(value) => (words.get(place).copied(), value),
                Argument::Keyword(name, value) => (Some(*name), value),
                Argument::Star(_) | Argument::DoubleStar(_) => return None,
            };
            let held = self.quietly(|run| run.argument_of_layer(layer, name, value))?;
            given.push((argument, value, held));
        }
        let mut found = Vec::new();
        for (place, (_, value, held)) in given.iter().enumerate() {
            for (old, new) in changes {
                if held.as_int() != Some(old) || matches!(held, Value::Bool(_)) {
                    continue;
                }
                let works = self.quietly(|run| {
                    let (mut positional, mut keywords) = (Vec::new(), Keywords::default());
                    for (other, (argument, _, held)) in given.iter().enumerate() {
                        let held = if other == place { Value::int(new) } else { held.clone() };
                        match argument {
                            Argument::Keyword(name, _) => keywords.push((*name, held)),
                            _ => positional.push(held),
                        }
                    }
                    let class = Value::Object(run.heap.get(layer).class);
                    let made = run.call(&class, positional, keywords).ok()?;
                    let result = run.call(&made, recall.positional.clone(), recall.keywords.clone());
                    went_well(run, &result).then_some(())
                });
                if works.is_some() {
                    found.push((*value, new));
                }
            }
        }
        let [(value, new)] = found.as_slice() else { return None };
        let line = source.position(at.start).line;
        let text = piece(&source, at, expression.at)?;
        if is_constant(value) {
            let start = (value.at.start - expression.at.start) as usize;
            let end = (value.at.end - expression.at.start) as usize;
            let changed = format!("{}{new}{}", text.get(..start)?, text.get(end..)?);
            return Some(format!("make it `{}` in line {line}", one_line(&changed)));
        }
        let value = piece(&source, at, value.at)?;
        Some(format!("with {new} for `{value}` in `{}`, line {line}, it would fit", one_line(&text)))
    }
    /// The parameters of the constructor of a layer, by place.
    fn constructor_words(&self, layer: Id) -> Vec<Name> {
        let class = self.heap.get(layer).class;
        let init = self.in_order(class, Name::INIT);
        match init.as_ref().and_then(|init| self.payload(init)) {
            Some(Payload::Function(function)) => {
                let positional = function.def.parameters.positional.iter().skip(1);
                positional.map(|parameter| parameter.name).collect()
            }
            _ => Vec::new(),
        }
    }
    /// What a layer was given for a parameter: what is written there, or what the layer holds by that name.
    fn argument_of_layer(&mut self, layer: Id, name: Option<Name>, written: &Expr) -> Option<Value> {
        if is_constant(written) {
            return self.evaluate(written).ok();
        }
        let held = self.heap.get(layer).attributes.get(&name?).cloned()?;
        Some(if self.as_tensor(&held).is_some() { Value::bool(true) } else { held })
    }
}

pub(super) fn is_broken(judged: &Judged) -> bool {
    matches!(judged.verdict, solver::Verdict::Fails)
}

fn recall_name(recall: &Recall) -> String {
    match &recall.callee {
        Callee::Function(function) => function.name.to_string(),
        Callee::Layer(_) => String::new(),
    }
}

/// A piece of a source that is an expression, read again: places in it count from the piece, with a bracket before it.
pub(super) struct Piece(crate::syntax::Module);

impl Piece {
    pub(super) fn read(source: &Source, at: Span) -> Option<Piece> {
        let text = source.text.get(at.start as usize..at.end as usize)?;
        crate::syntax::read("", format!("({text})"), false).ok().map(Piece)
    }
    pub(super) fn expression(&self) -> Option<&Expr> {
        match self.0.body.first().map(|statement| &statement.kind) {
            Some(StmtKind::Expr(expression)) => Some(expression),
            _ => None,
        }
    }
}
/// The text of a part of such a piece.
pub(super) fn piece(source: &Source, at: Span, part: Span) -> Option<String> {
    let start = (at.start + part.start).checked_sub(1)? as usize;
    let end = (at.start + part.end).checked_sub(1)? as usize;
    Some(one_line(source.text.get(start..end)?))
}
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An expression as something can be written right after it.
fn in_brackets(text: &str) -> String {
    let source = crate::syntax::read("", format!("({text})"), false);
    let kind = source.as_ref().ok().and_then(|module| match &module.body.first()?.kind {
        StmtKind::Expr(expression) => Some(&expression.kind),
        _ => None,
    });
    let is_closed = matches!(
        kind,
        Some(ExprKind::Name(_) | ExprKind::Attribute(..) | ExprKind::Subscript(..) | ExprKind::Call { .. })
    );
    if is_closed { text.to_owned() } else { format!("({text})") }
}

/// Numbers and what is made of them, without names.
pub(super) fn is_constant(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Constant(_) => true,
        ExprKind::Unary(_, inner) => is_constant(inner),
        ExprKind::Binary(_, left, right) => is_constant(left) && is_constant(right),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().all(is_constant),
        _ => false,
    }
}
