//! What is said of a broken requirement besides its label: the condition with the numbers of this call, the arguments
//! it speaks of, what the user's code calls the tensors, and where the layer that runs was made.
//!
//! All of this is looked at once a requirement is broken, on a copy of the state.

use super::mend::{Piece, is_broken, is_constant, piece};
use super::{Flow, Frame, Interpreter, Outcome};
use crate::syntax::{BinaryOperator, Comparison, Constant, Expr, ExprKind, Name, Span, Stmt, StmtKind};
use crate::value::Value;
use program::path::{Entry, Spoken};
use semantics::operator::Category;
use semantics::tensor::Tensor;
use solver::Verdict;

/// The longest piece of the user's code that stands for a tensor in a sentence.
const LONGEST_NAME: usize = 40;

/// A program that goes on after so many broken requirements catches them all.
const MOST_EXPLAINED: usize = 64;

/// A size that is not the usual one, and why.
pub(super) struct Circumstance {
    number: i64,
    usual: i64,
    text: std::rc::Rc<str>,
    is_over: bool,
}

/// A condition of a library with the numbers of one call.
#[derive(Default)]
pub(super) struct Condition {
    /// `60 % 8 = 0, but it is 4`.
    pub words: Option<String>,
    /// The parameters of the function it speaks of, with their values.
    pub parameters: Vec<Spoken>,
}

impl Interpreter {
    /// Adds to the entry that was recorded last what helps to understand it.
    pub(crate) fn explain(&mut self) {
        // What is tried on a copy is run again where it counts.
        if self.is_trying() || self.explained == MOST_EXPLAINED {
            return;
        }
        self.explained += 1;
        let condition = self.quietly(Interpreter::broken_condition).unwrap_or_default();
        let inputs = self.path.record.last().map(|entry| entry.inputs.clone()).unwrap_or_default();
        let given = if inputs.is_empty() { self.tensors_of_function() } else { Vec::new() };
        let tensors: Vec<Tensor> = inputs.iter().chain(&given).map(|(_, tensor)| *tensor).collect();
        let names = self.quietly(|run| Some(run.names_in_source(&tensors))).unwrap_or_default();
        let file = self.frames.iter().rfind(|frame| frame.is_own()).map(|frame| frame.source.path.clone());
        let layer = self.running_layer().and_then(|layer| {
            let origin = self.makers.origin_of_layer(layer, file.as_deref().unwrap_or_default())?;
            Some((self.type_name(&Value::Object(layer)), origin))
        });
        let because = self.because();
        // What only the last batch does needs no other layer.
        let help = if because.is_some() { Vec::new() } else { self.mends(&names) };
        let Some(entry) = self.path.record.last_mut() else { return };
        entry.inputs.extend(given);
        entry.told.spoken.extend(condition.parameters.iter().map(|spoken| spoken.name));
        for spoken in condition.parameters {
            if !entry.parameters.iter().any(|held| held.name == spoken.name) {
                entry.parameters.push(spoken);
            }
        }
        if entry.open.iter().all(|judged| judged.requirement.category != Category::IncompatibleType) {
            entry.told.needs = condition.words;
        }
        entry.told.names = names;
        entry.told.others.extend(layer);
        entry.told.because = because;
        entry.told.help = help;
    }

    /// Adds what the source calls the tensors to entries of which the data decides whether they hold.
    pub(super) fn name_open(&mut self, recorded: usize) {
        let is_open = |entry: &Entry| {
            entry
                .open
                .iter()
                .any(|judged| matches!(judged.verdict, Verdict::Depends { .. }) && judged.binds())
        };
        let Some(entry) = self.path.record.get(recorded).filter(|entry| is_open(entry)) else { return };
        if self.is_trying() || self.explained == MOST_EXPLAINED / 2 {
            return;
        }
        self.explained += 1;
        let tensors: Vec<Tensor> = entry.inputs.iter().map(|(_, tensor)| *tensor).collect();
        let names = self.quietly(|run| Some(run.names_in_source(&tensors))).unwrap_or_default();
        if let Some(entry) = self.path.record.get_mut(recorded) {
            entry.told.names = names;
        }
    }

    /// From now on something has another size than usual.
    pub(crate) fn begin_circumstance(&mut self, number: i64, usual: i64, text: &str) {
        self.circumstance = Some(Circumstance { number, usual, text: text.into(), is_over: false });
    }
    pub(crate) fn end_circumstance(&mut self) {
        if let Some(circumstance) = &mut self.circumstance {
            circumstance.is_over = true;
        }
    }
    /// What brings the numbers of the entry that was recorded last about. Once the circumstance is over, both its
    /// numbers have to be there.
    fn because(&self) -> Option<String> {
        let circumstance = self.circumstance.as_ref()?;
        let entry = self.path.record.last()?;
        let mut numbers = Vec::new();
        for (_, tensor) in &entry.inputs {
            numbers.extend(tensor.shape().sizes().iter().flatten().filter_map(|size| size.known()));
        }
        let has = |number: i64| numbers.contains(&number);
        let explains = has(circumstance.number) && (!circumstance.is_over || has(circumstance.usual));
        explains.then(|| circumstance.text.to_string())
    }
    /// "line 7", of the user's code that made an object.
    pub(crate) fn line_of_maker(&self, object: crate::heap::Id) -> Option<String> {
        let (source, at) = self.makers.layer_at(object)?;
        let line = source.position(at.start).line;
        let is_here = self
            .frames
            .iter()
            .rfind(|frame| frame.is_own())
            .is_some_and(|frame| frame.source.path == source.path);
        Some(if is_here { format!("line {line}") } else { format!("{}:{line}", source.path) })
    }

    /// Adds numbers that a requirement names to the entry that was recorded last.
    pub(crate) fn speak_of(&mut self, named: &[(Name, Value)]) {
        for (name, value) in named {
            let name = semantics::call::intern(name.to_string());
            let value = self.number_words(value);
            if let (Some(value), Some(entry)) = (value, self.path.record.last_mut()) {
                entry.told.spoken.push(name);
                entry.parameters.push(Spoken { name, value, given: true });
            }
        }
    }

    /// Looks at something without leaving a trace. `None` if it cannot be found out.
    pub(super) fn quietly<T>(&mut self, look: impl FnOnce(&mut Interpreter) -> Option<T>) -> Option<T> {
        let heap = self.heap.clone();
        let (lost, depth, at) = (self.lost.len(), self.frames.len(), self.frame().at);
        let (handling, guards) = (self.handling, self.decisions.guards);
        let known = heap.len();
        let fork = self.path.fork();
        let outer = std::mem::replace(&mut self.path, fork);
        self.begin_trial();
        let found = look(self);
        self.end_trial();
        self.path = outer;
        self.heap = heap;
        self.lost.truncate(lost);
        self.frames.truncate(depth);
        self.frame_mut().at = at;
        (self.handling, self.decisions.guards) = (handling, guards);
        self.forget_exceptions(known);
        self.modules.retain(|_, id| id.number() < known);
        found
    }
    /// Forgets what is known of exceptions that are gone with a copy of the heap.
    pub(super) fn forget_exceptions(&mut self, known: usize) {
        self.traces.retain(|id, _| id.number() < known);
        self.hints.retain(|id, _| id.number() < known);
        self.violations.retain(|id, _| id.number() < known);
        self.explicit.retain(|id| id.number() < known);
        self.nameless.retain(|id| id.number() < known);
    }

    /// The frames of libraries above the user's own code.
    pub(super) fn library_frames(&self) -> &[Frame] {
        let own = self.frames.iter().rposition(|frame| !frame.source.is_library).map_or(0, |own| own + 1);
        &self.frames[own.min(self.frames.len())..]
    }
    /// The innermost layer of a library that runs.
    pub(super) fn running_layer(&self) -> Option<crate::heap::Id> {
        let forward = Name::new("forward");
        let frame = self.library_frames().iter().rfind(|frame| frame.name == forward)?;
        frame.receiver.as_ref()?.as_object()
    }
    /// The tensors that the user's code gave to the library's function.
    fn tensors_of_function(&self) -> Vec<(&'static str, Tensor)> {
        let Some(frame) = self.library_frames().first() else { return Vec::new() };
        let attributes = &self.heap.get(frame.scope).attributes;
        let tensors = attributes.iter().filter_map(|(name, value)| {
            Some((semantics::call::intern(name.to_string()), self.as_tensor(value)?))
        });
        tensors.take(3).collect()
    }

    /// The condition of the `require` that is being called, if one is.
    fn broken_condition(&mut self) -> Option<Condition> {
        let function = self.frame().function.clone().filter(|function| function.source.is_library)?;
        let ExprKind::Call { arguments, .. } = &statement_at(&function.def.body, self.frame().at)?.kind
        else {
            return None;
        };
        let crate::syntax::Argument::Positional(condition) = arguments.get(1)? else { return None };
        let mut leaves = Vec::new();
        let words = self.condition_words(condition);
        named_leaves(condition, &mut leaves);
        let public: Vec<Name> = self.public_names();
        let mut parameters: Vec<Spoken> = Vec::new();
        for leaf in leaves {
            let (name, is_of_layer) = match &leaf.kind {
                ExprKind::Name(name) => (*name, false),
                ExprKind::Attribute(object, name) => {
                    let is_layer =
                        self.evaluate(object).is_ok_and(|object| self.as_tensor(&object).is_none());
                    (*name, is_layer)
                }
                _ => continue,
            };
            if name.text().starts_with('_') || !(is_of_layer || public.contains(&name)) {
                continue;
            }
            let name = semantics::call::intern(name.to_string());
            if let Ok(value) = self.evaluate(leaf)
                && let Some(value) = self.number_words(&value)
                && !parameters.iter().any(|held| held.name == name)
            {
                parameters.push(Spoken { name, value, given: true });
            }
        }
        Some(Condition { words, parameters })
    }
    /// The parameters of the function that the user's code called.
    fn public_names(&self) -> Vec<Name> {
        let Some(function) = self.library_frames().first().and_then(|frame| frame.function.clone()) else {
            return Vec::new();
        };
        let parameters = &function.def.parameters;
        parameters.positional.iter().chain(&parameters.keyword_only).map(|parameter| parameter.name).collect()
    }

    /// A condition that does not hold, with values for names.
    fn condition_words(&mut self, condition: &Expr) -> Option<String> {
        match &condition.kind {
            ExprKind::Logical { all: true, operands } => {
                for (number, operand) in operands.iter().enumerate() {
                    let holds = self.evaluate(operand).ok().and_then(|value| self.truth(&value).ok())?;
                    if holds.known() != Some(false) {
                        continue;
                    }
                    let words = self.condition_words(operand)?;
                    // Both bounds of a number are told together.
                    let neighbours = [number.checked_sub(1), Some(number + 1)];
                    for (is_before, other) in [true, false].into_iter().zip(neighbours) {
                        let other = other.and_then(|other| operands.get(other));
                        if let Some(other) = other.filter(|other| is_order(other) && is_order(operand))
                            && let Some(other) = self.condition_words(other)
                        {
                            let (low, high) = if is_before { (&other, &words) } else { (&words, &other) };
                            if let Some(both) = chained(low, high) {
                                return Some(both);
                            }
                        }
                    }
                    return Some(words);
                }
                None
            }
            ExprKind::Logical { all: false, operands } => {
                // What may be something plain instead (`size == 1`) is not what was meant.
                let is_plain = |operand: &&Expr| match &operand.kind {
                    ExprKind::Compare { rest, .. } => rest.iter().any(|(_, side)| is_constant(side)),
                    _ => false,
                };
                let (plain, mut meant): (Vec<&Expr>, Vec<&Expr>) = operands.iter().partition(is_plain);
                if meant.is_empty() {
                    meant = plain;
                }
                let mut told = Vec::new();
                for operand in meant {
                    told.extend(self.condition_words(operand));
                }
                (!told.is_empty()).then(|| told.join(" or "))
            }
            ExprKind::Compare { first, rest } => {
                let [(comparison, right)] = rest.as_slice() else { return None };
                let sign = match comparison {
                    Comparison::Equal => "=",
                    Comparison::NotEqual
                    | Comparison::Less
                    | Comparison::LessEqual
                    | Comparison::Greater
                    | Comparison::GreaterEqual => comparison.sign(),
                    Comparison::In => "in",
                    _ => return None,
                };
                // Labels speak of ranks, types and words, and the operands show them.
                let is_word = |side: &Expr| matches!(side.kind, ExprKind::Constant(Constant::Text(_)));
                if is_structure(first) || is_structure(right) || is_word(first) || is_word(right) {
                    return None;
                }
                let (left, other) = (self.side_words(first)?, self.side_words(right)?);
                let rest = match (&first.kind, comparison) {
                    (ExprKind::Binary(BinaryOperator::Mod, ..), Comparison::Equal) => {
                        let value = self.evaluate(first).ok()?;
                        self.number_words(&value)
                            .map_or(String::new(), |value| format!(", but it is {value}"))
                    }
                    _ => String::new(),
                };
                Some(format!("{left} {sign} {other}{rest}"))
            }
            _ => None,
        }
    }

    /// One side of a comparison with values for names.
    fn side_words(&mut self, side: &Expr) -> Option<String> {
        match &side.kind {
            ExprKind::Binary(operator, left, right) => {
                let is_compound = |side: &Expr| matches!(side.kind, ExprKind::Binary(..));
                let mut part = |part: &Expr| {
                    let words = self.side_words(part)?;
                    Some(if is_compound(part) { format!("({words})") } else { words })
                };
                Some(format!("{} {} {}", part(left)?, operator.sign(), part(right)?))
            }
            ExprKind::Constant(Constant::Text(text)) => Some(format!("'{text}'")),
            _ => {
                let value = self.evaluate(side).ok()?;
                self.number_words(&value)
            }
        }
    }

    /// A number, a text or a few of them.
    pub(super) fn number_words(&mut self, value: &Value) -> Option<String> {
        let value = self.unwrapped(value);
        match &value {
            Value::Int(dim) => Some(dim.to_string()),
            Value::Float(number) => Some(number.to_string()),
            Value::Text(text) => Some(format!("'{text}'")),
            Value::Bool(_) | Value::None | Value::Unknown(_) => None,
            Value::Tuple(_) | Value::Object(_) => {
                if self.as_tensor(&value).is_some() {
                    return None;
                }
                let is_list = matches!(self.payload(&value), Some(crate::heap::Payload::List(_)) | None);
                let items = if is_list { self.items_of(&value).ok()? } else { return None };
                if items.len() > 8 {
                    return None;
                }
                let told: Option<Vec<String>> = items.iter().map(|item| self.number_words(item)).collect();
                Some(format!("[{}]", told?.join(", ")))
            }
            _ => None,
        }
    }

    /// What the failing piece of the user's code calls tensors.
    fn names_in_source(&mut self, tensors: &[Tensor]) -> Vec<(Tensor, String)> {
        let Some(own) = self.frames.iter().rposition(Frame::is_own) else { return Vec::new() };
        let (source, at) = (self.frames[own].source.clone(), self.frames[own].at);
        let read = Piece::read(&source, at);
        let Some(expression) = read.as_ref().and_then(Piece::expression) else { return Vec::new() };
        let mut candidates = Vec::new();
        plain_parts(expression, &mut candidates);
        // Seen from where the user's code stands.
        let above = self.frames.split_off(own + 1);
        let mut found: Vec<(Tensor, String)> = Vec::new();
        for part in candidates {
            let Some(text) = piece(&source, at, part.at) else { continue };
            if let Ok(value) = self.evaluate(part)
                && let Some(tensor) = self.as_tensor(&value)
                && tensors.contains(&tensor)
                && !found.iter().any(|(held, _)| *held == tensor)
            {
                found.push((tensor, text));
            }
        }
        self.frames.extend(above);
        for &tensor in tensors {
            if !found.iter().any(|(held, _)| *held == tensor)
                && let Some(text) = self.makers.inside(tensor, &source, at)
            {
                found.push((tensor, text));
            }
        }
        found.retain(|(_, text)| text.chars().count() <= LONGEST_NAME);
        found
    }
}

/// The expression that is a statement of its own at a place.
fn statement_at(body: &[Stmt], at: Span) -> Option<&Expr> {
    body.iter().find_map(|statement| match &statement.kind {
        StmtKind::Expr(expression) if expression.at == at => Some(expression),
        StmtKind::If { body, orelse, .. }
        | StmtKind::While { body, orelse, .. }
        | StmtKind::For { body, orelse, .. } => statement_at(body, at).or_else(|| statement_at(orelse, at)),
        StmtKind::With { body, .. } => statement_at(body, at),
        StmtKind::Try { body, orelse, last, .. } => {
            [body, orelse, last].into_iter().find_map(|body| statement_at(body, at))
        }
        _ => None,
    })
}

/// `2 < x`, not `x = 2`.
fn is_order(condition: &Expr) -> bool {
    use Comparison::{Greater, GreaterEqual, Less, LessEqual};
    let ExprKind::Compare { rest, .. } = &condition.kind else { return false };
    matches!(rest.as_slice(), [(Less | LessEqual | Greater | GreaterEqual, _)])
}

/// `-2 <= 5` and `5 < 2` as `-2 <= 5 < 2`.
fn chained(low: &str, high: &str) -> Option<String> {
    let middle = low.rsplit(' ').next()?;
    let rest = high.strip_prefix(middle)?;
    rest.starts_with(' ').then(|| format!("{low}{rest}"))
}

/// Whether an expression is a rank or a type.
fn is_structure(side: &Expr) -> bool {
    match &side.kind {
        ExprKind::Attribute(_, name) => matches!(&*name.text(), "ndim" | "dtype"),
        ExprKind::Call { function, .. } => {
            matches!(&function.kind, ExprKind::Name(name) if matches!(&*name.text(), "kind_of" | "type"))
        }
        _ => false,
    }
}

/// The names in a condition, and the attributes of the layer: `dim`, `self.in_features`.
fn named_leaves<'e>(condition: &'e Expr, found: &mut Vec<&'e Expr>) {
    match &condition.kind {
        ExprKind::Name(_) => found.push(condition),
        ExprKind::Attribute(object, _) => {
            if matches!(&object.kind, ExprKind::Name(name) if &*name.text() == "self") {
                found.push(condition);
            }
        }
        ExprKind::Unary(_, inner) => named_leaves(inner, found),
        ExprKind::Binary(_, left, right) => {
            named_leaves(left, found);
            named_leaves(right, found);
        }
        ExprKind::Logical { operands, .. } => {
            operands.iter().for_each(|operand| named_leaves(operand, found));
        }
        ExprKind::Compare { first, rest } => {
            named_leaves(first, found);
            rest.iter().for_each(|(_, side)| named_leaves(side, found));
        }
        ExprKind::Call { arguments, .. } => {
            for argument in arguments {
                if let crate::syntax::Argument::Positional(value) = argument {
                    named_leaves(value, found);
                }
            }
        }
        ExprKind::Tuple(items) | ExprKind::List(items) => {
            items.iter().for_each(|item| named_leaves(item, found));
        }
        _ => {}
    }
}

/// The parts of an expression that are names, attributes of names, or places in them: looking at them does nothing.
fn plain_parts<'e>(expression: &'e Expr, found: &mut Vec<&'e Expr>) {
    if is_plain(expression) {
        found.push(expression);
    }
    match &expression.kind {
        ExprKind::Attribute(inner, _) | ExprKind::Starred(inner) | ExprKind::Unary(_, inner) => {
            plain_parts(inner, found);
        }
        ExprKind::Subscript(object, index) => {
            plain_parts(object, found);
            plain_parts(index, found);
        }
        ExprKind::Binary(_, left, right) => {
            plain_parts(left, found);
            plain_parts(right, found);
        }
        ExprKind::Compare { first, rest } => {
            plain_parts(first, found);
            rest.iter().for_each(|(_, side)| plain_parts(side, found));
        }
        ExprKind::Call { function, arguments } => {
            if let ExprKind::Attribute(object, _) = &function.kind {
                plain_parts(object, found);
            }
            for argument in arguments {
                use crate::syntax::Argument::{DoubleStar, Keyword, Positional, Star};
                let (Positional(value) | Keyword(_, value) | Star(value) | DoubleStar(value)) = argument;
                plain_parts(value, found);
            }
        }
        ExprKind::Tuple(items) | ExprKind::List(items) => {
            items.iter().for_each(|item| plain_parts(item, found));
        }
        _ => {}
    }
}
fn is_plain(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Name(_) => true,
        ExprKind::Attribute(object, _) => is_plain(object),
        ExprKind::Subscript(object, index) => {
            is_plain(object) && matches!(index.kind, ExprKind::Constant(_) | ExprKind::Name(_))
        }
        _ => false,
    }
}

/// Whether a call came to an end without an error.
pub(super) fn went_well(run: &Interpreter, result: &Outcome) -> bool {
    let broken = run.path.record.iter().any(|entry| entry.open.iter().any(is_broken));
    !broken && !matches!(result, Err(Flow::Raise(_) | Flow::Stop(_) | Flow::Lost(_)) | Ok(Value::Unknown(_)))
}
