//! The condition of a library's `require`, read again with the numbers of a call for its names.

use super::Interpreter;
use super::mend::is_constant;
use crate::syntax::{
    Argument, BinaryOperator, Comparison, Constant, Expr, ExprKind, Name, Span, Stmt, StmtKind,
};
use crate::value::Value;
use program::path::Spoken;

/// A condition of a library with the numbers of one call.
#[derive(Default)]
pub(super) struct Condition {
    /// `60 % 8 = 0, but it is 4`.
    pub words: Option<String>,
    /// The parameters of the function it speaks of, with their values.
    pub parameters: Vec<Spoken>,
}

impl Interpreter {
    /// The condition of the `require` that is being called, if one is.
    pub(super) fn broken_condition(&mut self) -> Option<Condition> {
        let function = self.frame().function.clone().filter(|function| function.source.is_library)?;
        let ExprKind::Call { arguments, .. } = &statement_at(&function.def.body, self.frame().at)?.kind
        else {
            return None;
        };
        let Argument::Positional(condition) = arguments.get(1)? else { return None };
        let mut leaves = Vec::new();
        let words = self.condition_words(condition);
        named_leaves(condition, &mut leaves);
        let public: Vec<Name> = self.public_names();
        let mut parameters: Vec<Spoken> = Vec::new();
        for leaf in leaves {
            let (name, is_of_layer) = match &leaf.kind {
                ExprKind::Name(name) => (*name, false),
                // A number that the layer was made with, not one that all layers of its class have.
                ExprKind::Attribute(object, name) => {
                    let layer = self.evaluate(object).ok().filter(|object| self.as_tensor(object).is_none());
                    let layer = layer.and_then(|layer| layer.as_object());
                    (*name, layer.is_some_and(|layer| self.heap.get(layer).attributes.contains_key(name)))
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
        let function = self.library_frames().first().and_then(|frame| frame.function.clone());
        let is_hidden = |name: Name| name.text().starts_with('_') && !name.is_special();
        let Some(function) = function.filter(|function| !is_hidden(function.name)) else { return Vec::new() };
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
                // Where a range is allowed, so may be single numbers besides: the range is what was meant.
                if meant.iter().any(|operand| is_range(operand)) {
                    meant.retain(|operand| is_range(operand));
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

/// `0 <= x and x < 3`, or one side of it.
fn is_range(condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Logical { all: true, operands } => operands.iter().all(is_order),
        _ => is_order(condition),
    }
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
                if let Argument::Positional(value) = argument {
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
