//! Expressions to values.

use super::operators::too_long;
use super::{Flow, Frame, Interpreter, Outcome};
use crate::heap::{Id, Payload};
use crate::syntax::{
    Argument, Clause, Comparison, Comprehension, ComprehensionForm, Constant, Expr, ExprKind, FormatPart,
    Name, UnaryOperator,
};
use crate::value::{BuiltIn, Pairs, Value};
use semantics::prop::Prop;

impl Interpreter {
    /// An expression of another text, where a frame stands.
    pub(crate) fn evaluate_in(&mut self, frame: Frame, expression: &Expr) -> Outcome {
        self.frames.push(frame);
        let result = self.evaluate(expression);
        self.frames.pop();
        result
    }
    pub(crate) fn evaluate(&mut self, expression: &Expr) -> Outcome {
        match &expression.kind {
            ExprKind::Constant(constant) => {
                let value = constant_value(constant);
                // All that is kept of a complex number is whether it is zero.
                if let (Constant::Complex(real, imaginary), Value::Unknown(number)) = (constant, &value) {
                    let truth = (*real != 0.0 || *imaginary != 0.0).into();
                    self.truths.insert(std::rc::Rc::as_ptr(number) as usize, (number.clone(), truth));
                }
                Ok(value)
            }
            ExprKind::Name(name) => self.name(*name, expression),
            ExprKind::Attribute(object, name) => {
                let object = self.evaluate(object)?;
                self.frame_mut().at = expression.at;
                self.attribute(&object, *name)
            }
            ExprKind::Subscript(object, index) => {
                let object = self.evaluate(object)?;
                let index = self.evaluate(index)?;
                self.frame_mut().at = expression.at;
                self.item(&object, &index)
            }
            ExprKind::Slice(low, high, step) => {
                let mut part = |part: &Option<Box<Expr>>| {
                    part.as_ref().map_or(Ok(Value::None), |part| self.evaluate(part))
                };
                Ok(Value::Slice([part(low)?, part(high)?, part(step)?].into()))
            }
            ExprKind::Call { function, arguments } => match self.called(function, arguments, expression) {
                Err(Flow::Lost(reason)) => Ok(self.lose(&*reason)),
                result => result,
            },
            ExprKind::Unary(operator, operand) => {
                let operand = self.evaluate(operand)?;
                self.frame_mut().at = expression.at;
                match operator {
                    UnaryOperator::Not => Ok(Value::Bool(!self.truth(&operand)?)),
                    operator => self.unary(*operator, &operand),
                }
            }
            ExprKind::Binary(operator, left, right) => {
                let left = self.evaluate(left)?;
                let right = self.evaluate(right)?;
                self.frame_mut().at = expression.at;
                self.binary(*operator, &left, &right)
            }
            ExprKind::Logical { all, operands } => self.logical(*all, operands),
            ExprKind::Compare { first, rest } => self.compared(first, rest, expression),
            ExprKind::Conditional { test, then, otherwise } => {
                let value = self.evaluate(test)?;
                let condition = self.truth(&value)?;
                if let Some(known) = condition.known() {
                    return self.evaluate(if known { then } else { otherwise });
                }
                self.choose(condition, &mut |run| run.evaluate(then), &mut |run| run.evaluate(otherwise))
            }
            ExprKind::Tuple(items) => {
                let made = self.elements(items).map(|items| match items.iter().any(is_too_deep) {
                    true => Value::unknown_of(BuiltIn::Tuple, "a tuple that is nested too deep to follow"),
                    false => Value::Tuple(items.into()),
                });
                known_or(BuiltIn::Tuple, made)
            }
            ExprKind::List(items) => {
                let items = self.elements(items).map(|items| self.new_list(items));
                known_or(BuiltIn::List, items)
            }
            ExprKind::Set(items) => {
                let items = self.elements(items).and_then(|items| self.set_of(items));
                known_or(BuiltIn::Set, items)
            }
            ExprKind::Dict(pairs) => known_or(BuiltIn::Dict, self.dictionary(pairs)),
            ExprKind::Starred(inner) => self.evaluate(inner),
            ExprKind::Lambda(def) => self.make_function(def),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Format(parts) => self.formatted(parts),
            ExprKind::Named(name, value) => {
                let value = self.evaluate(value)?;
                self.bind_outside_comprehensions(*name, value.clone());
                Ok(value)
            }
            ExprKind::Yield(_) | ExprKind::YieldFrom(_) => {
                self.raise("SyntaxError", "'yield' outside function")
            }
            ExprKind::Generator(generator) => self.generator_expression(generator),
            ExprKind::Await(value) => {
                let value = self.evaluate(value)?;
                self.awaited(value)
            }
        }
    }

    fn name(&mut self, name: Name, expression: &Expr) -> Outcome {
        if let Some(value) = self.find_name(name) {
            return Ok(value);
        }
        self.frame_mut().at = expression.at;
        let frame = self.frame();
        let is_local =
            frame.function.as_ref().is_some_and(|function| function.def.scope.locals.contains(&name));
        if is_local {
            let message =
                format!("cannot access local variable '{name}' where it is not associated with a value");
            let raised = self.raise("UnboundLocalError", message);
            return self.hinted(raised, |run| run.hint_of_local(name));
        }
        if self.is_open(self.frame().globals) {
            return Ok(self.lose(format!("`{name}` may have come from a module that is not known")));
        }
        if crate::native::UNMODELLED.contains(&&*name.text()) {
            return Ok(self.lose(format!("the built-in `{name}` is not modelled")));
        }
        let raised = self.raise("NameError", format!("name '{name}' is not defined"));
        self.hinted(raised, |run| run.hint_of_name(name))
    }
    pub(super) fn find_name(&self, name: Name) -> Option<Value> {
        let frame = self.frame();
        let function = frame.function.as_ref();
        if !function.is_some_and(|function| function.def.scope.globals.contains(&name)) {
            let mut scope = Some(frame.scope);
            let mut is_own = true;
            while let Some(id) = scope.filter(|&id| id != frame.globals) {
                let object = self.heap.get(id);
                if let Some(value) = object.attributes.get(&name) {
                    return Some(value.clone());
                }
                // A local name that has no value yet hides those around it; comprehensions are seen through.
                if is_own && object.attributes.keys().next() != Some(&Name::COMPREHENSION) {
                    is_own = false;
                    if function.is_some_and(|function| function.def.scope.locals.contains(&name)) {
                        return None;
                    }
                }
                scope = match object.payload {
                    Payload::Scope { around } => around,
                    _ => None,
                };
            }
        }
        let found = self.heap.get(frame.globals).attributes.get(&name);
        found.or_else(|| self.heap.get(self.builtins).attributes.get(&name)).cloned()
    }
    fn bind_outside_comprehensions(&mut self, name: Name, value: Value) {
        let mut scope = self.frame().scope;
        while self.heap.get(scope).attributes.contains_key(&Name::COMPREHENSION) {
            match self.heap.get(scope).payload {
                Payload::Scope { around: Some(around) } => scope = around,
                _ => scope = self.frame().globals,
            }
        }
        match self.frame().function.as_ref().map(|function| &function.def.scope) {
            Some(names) if names.globals.contains(&name) => scope = self.frame().globals,
            _ => {}
        }
        self.set_name(scope, name, value);
    }

    pub(super) fn elements(&mut self, items: &[Expr]) -> Outcome<Vec<Value>> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            match &item.kind {
                ExprKind::Starred(inner) => {
                    let value = self.evaluate(inner)?;
                    values.extend(self.items_of(&value)?);
                }
                _ => values.push(self.evaluate(item)?),
            }
        }
        Ok(values)
    }

    pub(crate) fn set_of(&mut self, items: Vec<Value>) -> Outcome {
        let mut pairs = Pairs::default();
        for item in items {
            pairs.entry(self.key(&item)?).or_insert((item, Value::None));
        }
        Ok(self.new_set(pairs))
    }

    fn dictionary(&mut self, pairs: &[(Option<Expr>, Expr)]) -> Outcome {
        let mut result = Pairs::default();
        for (key, value) in pairs {
            match key {
                Some(key) => {
                    let key = self.evaluate(key)?;
                    let held = self.evaluate(value)?;
                    let held = self.entry(&key, value, held);
                    result.insert(self.key(&key)?, (key, held));
                }
                None => {
                    let mapping = self.evaluate(value)?;
                    for (key, value) in self.pairs_of(&mapping)? {
                        result.insert(self.key(&key)?, (key, value));
                    }
                }
            }
        }
        Ok(self.new_dict(result))
    }

    fn called(&mut self, function: &Expr, arguments: &[Argument], call: &Expr) -> Outcome {
        let callee = self.evaluate(function)?;
        // A method comes with what it is called on, and that with a method of its own.
        let mut positional = Vec::with_capacity(arguments.len() + 2);
        let mut keywords: Vec<(Name, Value)> = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Positional(value) => positional.push(self.evaluate(value)?),
                Argument::Star(value) => {
                    let value = self.evaluate(value)?;
                    if let Value::Unknown(unknown) = &value {
                        let reason = format!("called with arguments that are not known: {}", unknown.reason);
                        self.leave_unmade(&callee);
                        return Ok(self.lose(reason));
                    }
                    if let (1, Some(columns)) = (arguments.len(), self.columns(&callee, &value)) {
                        return self.iterate(&columns);
                    }
                    let items = self.items_of(&value);
                    if matches!(items, Err(Flow::Lost(_))) {
                        self.leave_unmade(&callee);
                    }
                    positional.extend(items?);
                }
                Argument::Keyword(name, written) => {
                    let value = self.evaluate(written)?;
                    // `dict(hidden=24)` says what `{"hidden": 24}` does.
                    let is_entry = callee.as_object() == Some(BuiltIn::Dict.class());
                    keywords.push((
                        *name,
                        match is_entry {
                            true => self.entry(&Value::Text(name.text()), written, value),
                            false => value,
                        },
                    ));
                }
                Argument::DoubleStar(value) => {
                    let value = self.evaluate(value)?;
                    for (key, value) in self.pairs_of(&value)? {
                        match self.unwrapped(&key) {
                            Value::Text(text) => {
                                let word = Name::new(&text);
                                if keywords.iter().any(|(known, _)| *known == word) {
                                    let message =
                                        format!("got multiple values for keyword argument '{word}'");
                                    return self.raise("TypeError", message);
                                }
                                keywords.push((word, value));
                            }
                            _ => return self.raise("TypeError", "keywords must be strings"),
                        }
                    }
                }
            }
        }
        self.step(call.at)?;
        self.call(&callee, positional, keywords)
    }

    /// Where `super().__init__(…)` cannot be followed, the object that it makes is not known.
    fn leave_unmade(&mut self, callee: &Value) {
        let Value::Method(method) = callee else { return };
        let is_init =
            matches!(self.payload(&method.0), Some(Payload::Function(init)) if init.name == Name::INIT);
        if let (true, Some(made)) = (is_init, method.1.as_object()) {
            self.open(made);
        }
    }

    /// `a and b`: the first operand that decides.
    fn logical(&mut self, all: bool, operands: &[Expr]) -> Outcome {
        let Some((first, rest)) = operands.split_first() else { return Ok(Value::None) };
        let value = self.evaluate(first)?;
        if rest.is_empty() {
            return Ok(value);
        }
        let truth = self.truth(&value)?;
        match truth.known() {
            Some(known) if known != all => Ok(value),
            Some(_) => self.logical(all, rest),
            // The rest is looked at only where the first does not decide.
            None if all => self.choose(truth, &mut |run| run.logical(all, rest), &mut |_| Ok(value.clone())),
            None => self.choose(truth, &mut |_| Ok(value.clone()), &mut |run| run.logical(all, rest)),
        }
    }

    fn compared(&mut self, first: &Expr, rest: &[(Comparison, Expr)], whole: &Expr) -> Outcome {
        let mut left = self.evaluate(first)?;
        if let [(comparison, right)] = rest {
            let right = self.evaluate(right)?;
            self.frame_mut().at = whole.at;
            return self.compare(*comparison, &left, &right);
        }
        let mut holds = Prop::from(true);
        for (comparison, right) in rest {
            let right = self.evaluate(right)?;
            self.frame_mut().at = whole.at;
            let value = self.compare(*comparison, &left, &right)?;
            holds = holds & self.truth(&value)?;
            if holds.known() == Some(false) {
                return Ok(value);
            }
            left = right;
        }
        Ok(Value::Bool(holds))
    }

    fn comprehension(&mut self, comprehension: &Comprehension) -> Outcome {
        let around = self.frame().scope;
        let seen = self.scope_for_functions();
        let first = self.evaluate(&comprehension.clauses[0].iterable)?;
        let kept = self.kept_scopes;
        let scope = self.new_scope(seen);
        self.set_name(scope, Name::COMPREHENSION, Value::None);
        self.frame_mut().scope = scope;
        let mut results = Vec::new();
        let (ends, walked) = (self.open_ends, first.clone());
        let result = self.clause(comprehension, &comprehension.clauses, Some(first), &mut results);
        self.frame_mut().scope = around;
        result?;
        self.leave_scope(scope, kept);
        if self.open_ends > ends {
            let is_whole = matches!(&comprehension.clauses[..], [clause] if clause.conditions.is_empty());
            let length = if is_whole { self.open_length(&walked) } else { None };
            return Ok(match (comprehension.form, length) {
                (ComprehensionForm::List, length) => {
                    let items: Vec<Value> = results.into_iter().map(|(item, _)| item).collect();
                    match length {
                        Some(length) if !items.is_empty() => self.list_like(&items, length),
                        _ => self.some_like(&items),
                    }
                }
                (ComprehensionForm::Dict, _) => {
                    let values: Vec<Value> = results.into_iter().map(|(_, value)| value).collect();
                    self.new_some_dict(&values, None)
                }
                _ => Value::unknown_of(BuiltIn::Set, "how many elements there are is not known"),
            });
        }
        match comprehension.form {
            ComprehensionForm::List => {
                let items = results.into_iter().map(|(item, _)| item).collect();
                Ok(self.new_list(items))
            }
            ComprehensionForm::Set => self.set_of(results.into_iter().map(|(item, _)| item).collect()),
            ComprehensionForm::Dict => {
                let mut pairs = Pairs::default();
                for (key, value) in results {
                    pairs.insert(self.key(&key)?, (key, value));
                }
                Ok(self.new_dict(pairs))
            }
        }
    }

    fn clause(
        &mut self,
        comprehension: &Comprehension,
        clauses: &[Clause],
        iterable: Option<Value>,
        results: &mut Vec<(Value, Value)>,
    ) -> Outcome<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            let element = self.evaluate(&comprehension.element)?;
            let value = comprehension.value.as_ref().map_or(Ok(Value::None), |value| self.evaluate(value))?;
            results.push((element, value));
            return Ok(());
        };
        let iterable = match iterable {
            Some(iterable) => iterable,
            None => self.evaluate(&clause.iterable)?,
        };
        self.frame_mut().at = clause.iterable.at;
        let iterator = self.iterate(&iterable)?;
        // Of how many elements there are nothing is known: no condition has to decide it.
        let is_open = matches!(iterable, Value::Unknown(_));
        'items: while let Some(item) = self.one_by_one(|run| run.next(&iterator))? {
            self.step(clause.iterable.at)?;
            self.assign_in_comprehension(&clause.target, item)?;
            for condition in &clause.conditions {
                let value = self.evaluate(condition)?;
                let truth = self.truth(&value)?;
                if !(is_open && truth.known().is_none() || self.decide(truth)?) {
                    continue 'items;
                }
            }
            self.clause(comprehension, rest, None, results)?;
        }
        Ok(())
    }
    /// The targets of a comprehension are bound in its own scope, whatever the function declares.
    fn assign_in_comprehension(&mut self, target: &Expr, item: Value) -> Outcome<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                let scope: Id = self.frame().scope;
                self.set_name(scope, *name, item);
                Ok(())
            }
            _ => self.assign(target, item),
        }
    }

    fn formatted(&mut self, parts: &[FormatPart]) -> Outcome {
        let mut text = String::new();
        for part in parts {
            match part {
                FormatPart::Text(literal) => text.push_str(literal),
                FormatPart::Value { value, conversion, format, debug } => {
                    let value = self.evaluate(value)?;
                    text.push_str(debug.as_deref().unwrap_or(""));
                    let format = match self.formatted(format)? {
                        Value::Text(format) => format,
                        unknown => return Ok(unknown),
                    };
                    if let Value::Unknown(unknown) = &value {
                        return Ok(Value::unknown_of(BuiltIn::Text, unknown.reason.clone()));
                    }
                    let converted = match conversion {
                        Some('r' | 'a') => Value::Text(self.represent(&value).into()),
                        Some(_) => Value::Text(self.display(&value).into()),
                        None => value,
                    };
                    text.push_str(&self.format_value(&converted, &format)?);
                }
            }
            if text.len() > LONGEST_FORMATTED {
                return Ok(too_long());
            }
        }
        Ok(Value::Text(text.into()))
    }
}

/// What is put together for people to read is shorter; what quotes itself grows without end.
const LONGEST_FORMATTED: usize = 1 << 14;

/// Whether tuples are nested so deep that walking through them is a danger.
fn is_too_deep(value: &Value) -> bool {
    let (mut value, mut depth) = (value, 0);
    while let Value::Tuple(items) = value {
        depth += 1;
        match items.iter().find(|item| matches!(item, Value::Tuple(_))) {
            Some(inner) if depth < 2000 => value = inner,
            Some(_) => return true,
            None => return false,
        }
    }
    false
}

/// Something of which only the type is known, where how many elements it has is not.
fn known_or(kind: BuiltIn, made: Outcome) -> Outcome {
    match made {
        Err(Flow::Lost(reason)) => Ok(Value::unknown_of(kind, &*reason)),
        made => made,
    }
}

pub(super) fn constant_value(constant: &Constant) -> Value {
    match constant {
        Constant::None => Value::None,
        Constant::Ellipsis => Value::Ellipsis,
        Constant::Bool(value) => Value::bool(*value),
        Constant::Int(value) => Value::int(*value),
        Constant::Big(_) => Value::unknown_of(BuiltIn::Int, "a number beyond 64 bits"),
        Constant::Float(value) => Value::Float(*value),
        Constant::Complex(..) => Value::unknown_of(BuiltIn::Complex, "a complex number"),
        Constant::Text(text) => Value::Text(text.clone()),
        Constant::Bytes(bytes) => Value::Bytes(bytes.clone()),
    }
}
