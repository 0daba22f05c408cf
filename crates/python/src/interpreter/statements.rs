//! Statements, one after the other.

use super::configured::is_written_out;
use super::decisions::{Rest, Went};
use super::{Flow, Frame, Interpreter, Outcome};
use crate::heap::{Function, Id, Payload};
use crate::syntax::{Body, Expr, ExprKind, FunctionDef, Handler, Module, Name, Span, Stmt, StmtKind};
use crate::value::{BuiltIn, Value};
use std::rc::Rc;

impl Interpreter {
    /// Executes a module's body in a scope, which becomes its names.
    pub fn execute_module(&mut self, module: &Module, scope: Id, name: &str) -> Outcome<()> {
        if self.frames.len() >= self.budget.depth {
            return Err(Flow::Stop("imports nest too deep".into()));
        }
        self.frames.push(Frame::of_module(module, scope));
        self.set_name(scope, Name::new("__name__"), Value::text(name));
        self.set_name(scope, Name::new("__file__"), Value::text(&module.source.path));
        self.set_name(scope, Name::new("__doc__"), module.doc.clone().map_or(Value::None, Value::Text));
        let result = self.body(&module.body);
        self.frames.pop();
        match result {
            Err(Flow::Return(_) | Flow::Break | Flow::Continue) => Ok(()),
            result => result,
        }
    }

    pub(super) fn body(&mut self, body: &Body) -> Outcome<()> {
        self.statements(body, false)
    }
    /// Executes statements. In the body of a loop, coming to the end is as good as `continue`.
    pub(super) fn statements(&mut self, body: &[Stmt], is_round: bool) -> Outcome<()> {
        for (place, statement) in body.iter().enumerate() {
            if let StmtKind::If { test, body: then, orelse } = &statement.kind {
                self.step(statement.at)?;
                let rest = Rest { body: &body[place + 1..], is_round };
                let Went::On = self.conditional(test, then, orelse, rest)?;
                continue;
            }
            self.statement(statement)?;
        }
        Ok(())
    }

    pub(super) fn statement(&mut self, statement: &Stmt) -> Outcome<()> {
        self.step(statement.at)?;
        self.is_written_out = false;
        match &statement.kind {
            StmtKind::Expr(value) => self.evaluate(value).map(drop),
            StmtKind::Assign { targets, value } => {
                let written = is_written_out(value);
                let value = self.evaluate(value)?;
                self.is_written_out = written;
                targets.iter().try_for_each(|target| self.assign(target, value.clone()))
            }
            StmtKind::Augmented { target, operator, value } => self.augmented(target, *operator, value),
            StmtKind::Annotated { target, annotation, value } => {
                self.annotated(target, annotation)?;
                match value {
                    Some(value) => {
                        let written = is_written_out(value);
                        let value = self.evaluate(value)?;
                        self.is_written_out = written;
                        self.assign(target, value)
                    }
                    None => Ok(()),
                }
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().map_or(Ok(Value::None), |value| self.evaluate(value))?;
                if self.asked.shapes && self.frame().is_own() {
                    self.watch(statement.at, "return", &value);
                }
                Err(Flow::Return(value))
            }
            StmtKind::Raise { exception, cause } => self.raised(exception.as_ref(), cause.as_ref()),
            StmtKind::Assert { test, message } => self.asserted(test, message.as_ref()),
            StmtKind::Delete(targets) => targets.iter().try_for_each(|target| self.delete(target)),
            StmtKind::Pass | StmtKind::Global => Ok(()),
            StmtKind::Break => Err(Flow::Break),
            StmtKind::Continue => Err(Flow::Continue),
            StmtKind::If { .. } => self.statements(std::slice::from_ref(statement), false),
            StmtKind::While { test, body, orelse } => self.repeated(test, body, orelse),
            StmtKind::For { target, iterable, body, orelse } => self.each(target, iterable, body, orelse),
            StmtKind::With { items, body } => self.with(items, body),
            StmtKind::Try { body, handlers, orelse, last } => self.tried(body, handlers, orelse, last),
            StmtKind::Import(names) => {
                names.iter().try_for_each(|(dotted, alias)| self.import(dotted, *alias))
            }
            StmtKind::ImportFrom { module, level, names } => self.import_from(module, *level, names),
            StmtKind::Function(def) => {
                let function = self.make_function(def)?;
                let decorated = self.decorated(function, &def.decorators)?;
                self.bind(def.name, decorated)
            }
            StmtKind::Class(def) => {
                let class = self.make_class(def)?;
                let decorated = self.decorated(class, &def.decorators)?;
                self.bind(def.name, decorated)
            }
            StmtKind::Match { subject, cases } => self.matched(subject, cases),
        }
    }

    fn decorated(&mut self, mut value: Value, decorators: &[Expr]) -> Outcome {
        let decorators: Vec<Value> =
            decorators.iter().map(|decorator| self.evaluate(decorator)).collect::<Outcome<_>>()?;
        for decorator in decorators.into_iter().rev() {
            // What has no say leaves what it decorates as it is.
            if matches!(&decorator, Value::Unknown(unknown) if unknown.harmless) {
                continue;
            }
            value = self.call(&decorator, vec![value], Vec::new())?;
        }
        Ok(value)
    }

    pub(super) fn make_function(&mut self, def: &Rc<FunctionDef>) -> Outcome {
        let mut defaults = Vec::with_capacity(def.parameters.positional.len());
        for parameter in def.parameters.positional.iter().chain(&def.parameters.keyword_only) {
            defaults.push(parameter.default.as_ref().map(|default| self.evaluate(default)).transpose()?);
        }
        let around = self.scope_for_functions();
        self.kept_scopes += 1;
        let frame = self.frame();
        let is_class = frame.is_class_body();
        let function = Function {
            follows_gradients: None,
            lets_plain_pass: false,
            name: def.name,
            is_method: false,
            def: def.clone(),
            source: frame.source.clone(),
            globals: frame.globals,
            around,
            defaults,
            class: if is_class { frame.class } else { frame.class.filter(|_| frame.function.is_some()) },
        };
        Ok(self.new_object(BuiltIn::Function.class(), Payload::Function(Rc::new(function))))
    }

    /// The names that functions made here see. Methods do not see those of their class.
    pub(super) fn scope_for_functions(&self) -> Option<Id> {
        let frame = self.frame();
        match &self.heap.get(frame.scope).payload {
            Payload::Scope { around } if frame.is_class_body() => *around,
            _ if frame.scope == frame.globals => None,
            _ => Some(frame.scope),
        }
    }

    /// Binds a name where the current body binds it.
    pub(super) fn bind(&mut self, name: Name, value: Value) -> Outcome<()> {
        let scope = self.scope_of_binding(name);
        self.set_name(scope, name, value);
        Ok(())
    }
    pub(super) fn scope_of_binding(&self, name: Name) -> Id {
        let frame = self.frame();
        let Some(function) = &frame.function else { return frame.scope };
        if function.def.scope.globals.contains(&name) {
            return frame.globals;
        }
        if !function.def.scope.nonlocals.contains(&name) {
            // A comprehension's own scope lies inside the function's.
            return frame.scope;
        }
        let mut around = function.around;
        while let Some(scope) = around {
            let object = self.heap.get(scope);
            if object.attributes.contains_key(&name) {
                return scope;
            }
            around = match object.payload {
                Payload::Scope { around } => around,
                _ => None,
            };
        }
        frame.scope
    }

    pub(super) fn assign(&mut self, target: &Expr, value: Value) -> Outcome<()> {
        let value = self.assigned(target, value);
        match &target.kind {
            ExprKind::Name(name) => self.bind(*name, value),
            ExprKind::Attribute(object, name) => {
                let object = self.evaluate(object)?;
                self.frame_mut().at = target.at;
                self.set_attribute(&object, *name, value)
            }
            ExprKind::Subscript(object, index) => {
                let object = self.evaluate(object)?;
                let index = self.evaluate(index)?;
                self.frame_mut().at = target.at;
                self.set_item(&object, &index, value)
            }
            ExprKind::Tuple(targets) | ExprKind::List(targets) => self.unpack(targets, value, target.at),
            ExprKind::Starred(inner) => self.assign(inner, value),
            _ => Ok(()),
        }
    }

    fn unpack(&mut self, targets: &[Expr], value: Value, at: Span) -> Outcome<()> {
        self.frame_mut().at = at;
        if let Value::Unknown(_) = self.unwrapped(&value) {
            let value = Value::unknown("a part of something unknown");
            return targets.iter().try_for_each(|target| self.assign(target, value.clone()));
        }
        if let Some(list) = self.several(&value).filter(|list| list.length.known().is_none()) {
            for target in targets {
                let value = match target.kind {
                    ExprKind::Starred(_) => self.some_of(list.element.clone(), 0),
                    _ => self.heap.one_of(&list.element),
                };
                self.assign(target, value)?;
            }
            return Ok(());
        }
        let star = targets.iter().position(|target| matches!(target.kind, ExprKind::Starred(_)));
        let items = match self.items_of(&value) {
            Err(Flow::Lost(reason)) => {
                let value = Value::unknown(&*reason);
                return targets.iter().try_for_each(|target| self.assign(target, value.clone()));
            }
            items => items?,
        };
        let (wanted, got) = (targets.len(), items.len());
        match star {
            None if got != wanted => {
                let many = if got > wanted { "too many" } else { "not enough" };
                let message = format!("{many} values to unpack (expected {wanted}, got {got})");
                let raised = self.raise("ValueError", message);
                self.hinted(raised, |run| run.hint_of_values(&items))
            }
            None => targets.iter().zip(items).try_for_each(|(target, item)| self.assign(target, item)),
            Some(_) if got + 1 < wanted => self.raise(
                "ValueError",
                format!("not enough values to unpack (expected at least {}, got {got})", wanted - 1),
            ),
            Some(star) => {
                let after = wanted - star - 1;
                let middle = self.new_list(items[star..got - after].to_vec());
                for (target, item) in targets[..star].iter().zip(&items[..star]) {
                    self.assign(target, item.clone())?;
                }
                self.assign(&targets[star], middle)?;
                let rest = targets[star + 1..].iter().zip(&items[got - after..]);
                rest.into_iter().try_for_each(|(target, item)| self.assign(target, item.clone()))
            }
        }
    }

    /// Annotations of a class body are kept: dataclasses live on them.
    fn annotated(&mut self, target: &Expr, annotation: &Expr) -> Outcome<()> {
        let frame = self.frame();
        let ExprKind::Name(name) = target.kind else { return Ok(()) };
        if frame.function.is_some() || frame.class.is_none() {
            return Ok(());
        }
        let scope = frame.scope;
        let evaluated = match self.evaluate(annotation) {
            Ok(value) => value,
            // Annotations are not needed: one that cannot be evaluated is a text.
            Err(Flow::Raise(_)) => Value::text("?"),
            Err(flow) => return Err(flow),
        };
        let word = Name::new("__annotations__");
        let annotations = match self.heap.get(scope).attributes.get(&word) {
            Some(annotations) => annotations.clone(),
            None => {
                let annotations = self.new_dict(Default::default());
                self.set_name(scope, word, annotations.clone());
                annotations
            }
        };
        self.set_item(&annotations, &Value::Text(name.text()), evaluated)
    }

    fn augmented(
        &mut self,
        target: &Expr,
        operator: crate::syntax::BinaryOperator,
        value: &Expr,
    ) -> Outcome<()> {
        match &target.kind {
            ExprKind::Attribute(object, name) => {
                let object = self.evaluate(object)?;
                let old = self.attribute(&object, *name)?;
                let operand = self.evaluate(value)?;
                self.frame_mut().at = target.at;
                let new = self.in_place(operator, &old, &operand)?;
                self.set_attribute(&object, *name, new)
            }
            ExprKind::Subscript(object, index) => {
                let object = self.evaluate(object)?;
                let index = self.evaluate(index)?;
                let old = self.item(&object, &index)?;
                let operand = self.evaluate(value)?;
                self.frame_mut().at = target.at;
                let new = self.in_place(operator, &old, &operand)?;
                self.set_item(&object, &index, new)
            }
            _ => {
                let old = self.evaluate(target)?;
                let operand = self.evaluate(value)?;
                self.frame_mut().at = target.at;
                let new = self.in_place(operator, &old, &operand)?;
                self.assign(target, new)
            }
        }
    }

    fn delete(&mut self, target: &Expr) -> Outcome<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                let scope = self.scope_of_binding(*name);
                match self.heap.get_mut(scope).attributes.remove(name) {
                    Some(_) => Ok(()),
                    None => self.raise("NameError", format!("name '{name}' is not defined")),
                }
            }
            ExprKind::Attribute(object, name) => {
                let object = self.evaluate(object)?;
                self.delete_attribute(&object, *name)
            }
            ExprKind::Subscript(object, index) => {
                let object = self.evaluate(object)?;
                let index = self.evaluate(index)?;
                self.delete_item(&object, &index)
            }
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                targets.iter().try_for_each(|target| self.delete(target))
            }
            _ => Ok(()),
        }
    }

    fn raised(&mut self, exception: Option<&Expr>, cause: Option<&Expr>) -> Outcome<()> {
        let Some(exception) = exception else {
            return match self.handling {
                Some(id) => Err(Flow::Raise(id)),
                None => self.raise("RuntimeError", "No active exception to reraise"),
            };
        };
        let value = self.evaluate(exception)?;
        let cause = cause.map(|cause| self.evaluate(cause)).transpose()?;
        self.frame_mut().at = exception.at;
        let raised = if self.is_class(&value) { self.call(&value, Vec::new(), Vec::new())? } else { value };
        match raised {
            Value::Object(id) if self.is_instance_of_named(&raised, "BaseException") => {
                if let Some(cause) = cause {
                    let made = self.is_class(&cause);
                    let cause = if made { self.call(&cause, Vec::new(), Vec::new())? } else { cause };
                    self.set_name(id, Name::new("__cause__"), cause);
                }
                if self.is_raised_by_choice() {
                    self.explicit.insert(id);
                }
                self.raise_object(id)
            }
            Value::Unknown(unknown) => {
                let message = format!("an exception that is not known: {}", unknown.reason);
                let raised = self.raise("Exception", message);
                if let Err(Flow::Raise(id)) = raised {
                    self.nameless.insert(id);
                }
                raised
            }
            _ => self.raise("TypeError", "exceptions must derive from BaseException"),
        }
    }

    fn conditional(&mut self, test: &Expr, body: &Body, orelse: &Body, rest: Rest<'_>) -> Outcome<Went> {
        let value = self.evaluate(test)?;
        self.frame_mut().at = test.at;
        let condition = self.truth(&value)?;
        if let Some(known) = condition.known() {
            return self.body(if known { body } else { orelse }).map(|()| Went::On);
        }
        self.branch(condition, body, orelse, rest)
    }

    fn with(&mut self, items: &[(Expr, Option<Expr>)], body: &Body) -> Outcome<()> {
        let Some(((context, target), rest)) = items.split_first() else { return self.body(body) };
        let manager = self.evaluate(context)?;
        self.frame_mut().at = context.at;
        let entered = self.enter(&manager)?;
        if let Some(target) = target {
            self.assign(target, entered)?;
        }
        let granted = self.path.assumed.len();
        let inside = self.guarded(|run| run.with(rest, body));
        self.passed_over = self.passed_over || self.would_swallow(granted, &manager);
        match inside {
            Err(Flow::Raise(exception)) => {
                if self.leave(&manager, Some(exception))? {
                    Ok(())
                } else {
                    Err(Flow::Raise(exception))
                }
            }
            Err(Flow::Stop(why)) => Err(Flow::Stop(why)),
            result => {
                self.leave(&manager, None)?;
                result
            }
        }
    }
    /// Runs something inside a `try` or `with`, which has to see how it ends.
    fn guarded<T>(&mut self, f: impl FnOnce(&mut Interpreter) -> T) -> T {
        self.decisions.guards += 1;
        let result = f(self);
        self.decisions.guards -= 1;
        result
    }
    pub(super) fn enter(&mut self, manager: &Value) -> Outcome {
        if let Value::Unknown(_) = manager {
            return Ok(manager.clone());
        }
        for word in ["__enter__", "__aenter__"] {
            if let Some(method) = self.find_attribute(manager, Name::new(word))? {
                return self.call(&method, Vec::new(), Vec::new());
            }
        }
        if self.is_incomplete(manager) {
            return Ok(self.lose(format!("a `with` over `{}` is not modelled", self.type_name(manager))));
        }
        let what = self.type_name(manager);
        self.raise("TypeError", format!("'{what}' object does not support the context manager protocol"))
    }
    /// Leaves a `with`; whether an exception that left it is swallowed.
    pub(super) fn leave(&mut self, manager: &Value, exception: Option<Id>) -> Outcome<bool> {
        if let Value::Unknown(_) = manager {
            return Ok(false);
        }
        let arguments = match exception {
            Some(exception) => {
                vec![Value::Object(self.heap.get(exception).class), Value::Object(exception), Value::None]
            }
            None => vec![Value::None, Value::None, Value::None],
        };
        for word in ["__exit__", "__aexit__"] {
            if let Some(method) = self.find_attribute(manager, Name::new(word))? {
                let swallowed = self.call(&method, arguments, Vec::new())?;
                return Ok(self.truth(&swallowed)?.known() == Some(true));
            }
        }
        Ok(false)
    }

    fn tried(&mut self, body: &Body, handlers: &[Handler], orelse: &Body, last: &Body) -> Outcome<()> {
        let depth = self.frames.len();
        let granted = self.path.assumed.len();
        let tried = self.guarded(|run| run.body(body));
        self.passed_over = self.passed_over || self.would_take(granted, handlers);
        let result = match tried {
            Ok(()) => self.body(orelse),
            Err(Flow::Raise(exception)) => {
                self.frames.truncate(depth);
                self.guarded(|run| run.handled(exception, handlers))
            }
            Err(flow) => Err(flow),
        };
        if let Err(Flow::Stop(_)) = result {
            return result;
        }
        // What the last part does instead (return, raise) wins.
        self.body(last)?;
        result
    }

    fn handled(&mut self, exception: Id, handlers: &[Handler]) -> Outcome<()> {
        let Some(place) = self.fitting(exception, handlers)? else { return Err(Flow::Raise(exception)) };
        let handler = &handlers[place];
        let before = self.enter_handler(exception, handler)?;
        let result = self.body(&handler.body);
        self.leave_handler(before, handler);
        result
    }
    /// The first handler that takes an exception.
    pub(super) fn fitting(&mut self, exception: Id, handlers: &[Handler]) -> Outcome<Option<usize>> {
        for (place, handler) in handlers.iter().enumerate() {
            let fits = match &handler.matches {
                None => true,
                Some(matches) => {
                    let class = self.evaluate(matches)?;
                    self.is_instance(&Value::Object(exception), &class)?
                }
            };
            if fits {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }
    /// Makes an exception the one that is being handled; the answer is the one before.
    pub(super) fn enter_handler(&mut self, exception: Id, handler: &Handler) -> Outcome {
        let before = self.handling.replace(exception);
        if let Some(name) = handler.name {
            self.bind(name, Value::Object(exception))?;
        }
        Ok(before.map_or(Value::None, Value::Object))
    }
    pub(super) fn leave_handler(&mut self, before: Value, handler: &Handler) {
        self.handling = before.as_object();
        if let Some(name) = handler.name {
            let scope = self.scope_of_binding(name);
            self.heap.get_mut(scope).attributes.remove(&name);
        }
    }
}
