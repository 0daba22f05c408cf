//! Calls: functions with every kind of parameter, methods, classes and objects that can be called.

use super::operators::{LONGEST, too_long};
use super::{Flow, Frame, Interpreter, Outcome};
use crate::heap::{Function, Id, Payload};
use crate::native::Keywords;
use crate::syntax::{Name, Span};
use crate::value::{Attributes, BuiltIn, Pairs, Value};
use std::rc::Rc;

impl Interpreter {
    pub fn call(&mut self, callee: &Value, positional: Vec<Value>, keywords: Keywords) -> Outcome {
        self.nested(|run| run.call_value(callee, positional, keywords))
    }
    fn call_value(&mut self, callee: &Value, mut positional: Vec<Value>, keywords: Keywords) -> Outcome {
        match callee {
            Value::Native(native) => match (native.call)(self, positional, keywords) {
                Err(Flow::Lost(reason)) => Ok(Value::unknown(&*reason)),
                Ok(Value::Text(text)) if text.len() > LONGEST => Ok(too_long()),
                result => result,
            },
            Value::Method(method) => {
                positional.insert(0, method.1.clone());
                self.call(&method.0, positional, keywords)
            }
            Value::Object(id) => self.call_object(*id, positional, keywords),
            Value::Unknown(unknown) if !unknown.is_number() => {
                let given = positional.iter().chain(keywords.iter().map(|(_, value)| value));
                given.for_each(|value| self.note_text(value));
                // What it does to containers that it is given is not known, and neither is what it gives.
                let given = positional.iter().chain(keywords.iter().map(|(_, value)| value));
                // What has no say in tensors may still call what it is given.
                given
                    .filter(|value| !unknown.harmless || matches!(value, Value::Method(_)))
                    .for_each(|value| self.give_away(value));
                self.forget_given();
                if !unknown.harmless && self.unfollowed.is_none() && self.frame().source.is_own() {
                    self.unfollowed = Some((self.spot(), unknown.reason.to_string()));
                }
                Ok(unknown.derived(format!("a call of something unknown: {}", unknown.reason)))
            }
            other => {
                let message = format!("'{}' object is not callable", self.type_name(other));
                self.raise("TypeError", message)
            }
        }
    }

    fn call_object(&mut self, id: Id, positional: Vec<Value>, keywords: Keywords) -> Outcome {
        match &self.heap.get(id).payload {
            Payload::Function(function) => {
                let function = function.clone();
                self.call_function(&function, positional, keywords)
            }
            Payload::Class(class) => {
                let layout = class.layout;
                match self.instantiate(id, positional, keywords) {
                    Err(Flow::Lost(reason)) => Ok(Value::unknown_of(layout, &*reason)),
                    result => result,
                }
            }
            Payload::StaticMethod(function) | Payload::ClassMethod(function) => {
                let function = function.clone();
                self.call(&function, positional, keywords)
            }
            _ => {
                let object = Value::Object(id);
                let class = self.heap.get(id).class;
                match self.in_order(class, Name::CALL) {
                    Some(method) => {
                        let mut positional = positional;
                        positional.insert(0, object);
                        self.call(&method, positional, keywords)
                    }
                    None if self.is_incomplete(&object) => {
                        Ok(self.lose(format!("calling `{}` is not modelled", self.class_name(class))))
                    }
                    None => {
                        let message = format!("'{}' object is not callable", self.class_name(class));
                        self.raise("TypeError", message)
                    }
                }
            }
        }
    }

    pub fn call_function(
        &mut self,
        function: &Rc<Function>,
        positional: Vec<Value>,
        keywords: Keywords,
    ) -> Outcome {
        if self.frames.len() >= self.budget.depth {
            return self.raise("RecursionError", "maximum recursion depth exceeded");
        }
        let is_stated = function.source.is_library && function.def.parameters.is_stated();
        if function.source.is_library
            && !is_stated
            && !function.def.parameters.takes(positional.len(), &keywords)
        {
            // Models of libraries know the common parameters, not all.
            return Ok(self.lose(format!("`{}` with these arguments is not modelled", function.name)));
        }
        if function.source.is_own() {
            self.called.insert(Rc::as_ptr(&function.def));
        }
        // Functions that state their signatures, layers, and what the program itself asks of a tensor.
        let is_asked = is_stated
            || function.source.is_library
                && (function.name == Name::CALL
                    || function.name != Name::GETATTR
                        && positional.first().is_some_and(|first| self.as_tensor(first).is_some())
                        && self.frame().source.is_own());
        if is_asked && let Some(asked) = self.asked(function, &positional, &keywords) {
            if let Some(value) = self.repeat(&asked) {
                return Ok(value);
            }
            let begun = self.begin_call(asked);
            let result = self.follow(function, positional, keywords, is_stated);
            self.end_call(begun, Some(function), &result);
            return result;
        }
        self.follow(function, positional, keywords, is_stated)
    }
    /// Executes a function.
    fn follow(
        &mut self,
        function: &Rc<Function>,
        mut positional: Vec<Value>,
        mut keywords: Keywords,
        is_stated: bool,
    ) -> Outcome {
        self.autocast(function, &mut positional, &mut keywords);
        let receiver = positional.first().cloned();
        let sources = match is_stated {
            true => self
                .sources(positional.iter().chain(keywords.iter().map(|(_, value)| value)))
                .map(|sources| (sources, self.given(&positional))),
            false => None,
        };
        let made_after = self.heap.len();
        let kept = self.kept_scopes;
        let names = self.bound_parameters(function, positional, keywords)?;
        let scope = self.new_scope_with(function.around, names);
        if is_stated {
            self.check_annotations(function, scope)?;
        }
        if function.def.is_generator || function.def.is_async {
            if function.follows_gradients.is_some() {
                // Inside, and only there: the steps of a generator are not told apart.
                self.heap.follows_gradients = None;
            }
            return Ok(self.new_generator(function, scope, receiver));
        }
        let outside = self.heap.follows_gradients;
        if function.follows_gradients.is_some() {
            self.heap.follows_gradients = function.follows_gradients;
        }
        self.frames.push(Frame {
            source: function.source.clone(),
            name: function.name,
            globals: function.globals,
            scope,
            at: function.def.at,
            class: function.class,
            receiver: receiver.clone(),
            function: Some(function.clone()),
        });
        if self.asked.shapes {
            self.watch_arguments(function, scope);
        }
        let result = self.body(&function.def.body);
        self.frames.pop();
        if function.follows_gradients.is_some() {
            self.heap.follows_gradients = outside;
        }
        let value = match result {
            Ok(()) | Err(Flow::Break | Flow::Continue) => Value::None,
            Err(Flow::Return(value)) => value,
            Err(Flow::Lost(reason)) => self.lose(&*reason),
            Err(Flow::Raise(exception)) if self.comes_out_of_package(function, exception) => {
                // What the real source does that is not followed as it should be is no mistake of the user's.
                let why = self.describe_exception(exception);
                self.lose(format!("`{}` of a package was not followed to its end: {why}", function.name))
            }
            Err(flow) => return Err(flow),
        };
        if let Some((sources, given)) = &sources {
            let name = match (&*function.name.text(), &receiver) {
                ("forward", Some(layer)) => self.type_name(layer),
                (name, _) => name.to_owned(),
            };
            self.let_gradients_flow(&name, (sources, given), made_after, &value);
        }
        let value = if is_stated { self.give_out(function, scope, value)? } else { value };
        self.leave_scope(scope, kept);
        Ok(value)
    }

    /// Whether an exception leaves the source of a package for the user's own code, and no broken requirement raised it.
    fn comes_out_of_package(&self, function: &Function, exception: Id) -> bool {
        function.source.is_package
            && self.importing.is_none()
            && self.frames.last().is_some_and(|frame| !frame.source.is_package)
            && !self.violations.contains_key(&exception)
    }

    /// The names that a function begins with.
    fn bound_parameters(
        &mut self,
        function: &Function,
        positional: Vec<Value>,
        keywords: Keywords,
    ) -> Outcome<Attributes> {
        let parameters = &function.def.parameters;
        let mut names = Attributes::with_room(function.def.scope.locals.len());
        let receiver = positional.first().cloned();
        let name = |run: &Interpreter| run.called_name(function, receiver.as_ref());
        let given = positional.len();
        let mut extra = Vec::new();
        for (place, value) in positional.into_iter().enumerate() {
            match parameters.positional.get(place) {
                Some(parameter) => drop(names.insert(parameter.name, value)),
                None => extra.push(value),
            }
        }
        match &parameters.variadic {
            Some(variadic) => drop(names.insert(variadic.name, Value::Tuple(extra.into()))),
            None if !extra.is_empty() => {
                let most = parameters.positional.len();
                let required = parameters.positional.iter().filter(|it| it.default.is_none()).count();
                let takes =
                    if required == most { most.to_string() } else { format!("from {required} to {most}") };
                let arguments = if most == 1 { "argument" } else { "arguments" };
                let were = if given == 1 { "was" } else { "were" };
                let message =
                    format!("{}() takes {takes} positional {arguments} but {given} {were} given", name(self));
                return self.raise("TypeError", message);
            }
            None => {}
        }
        let mut rest = Pairs::default();
        for (mut word, value) in keywords {
            if !parameters.is_named(word)
                && let Some(other) = self.other_spelling(function, word)
            {
                word = other;
            }
            let place = parameters.positional.iter().position(|parameter| parameter.name == word);
            let by_name = place.is_some_and(|place| place >= parameters.positional_only)
                || parameters.keyword_only.iter().any(|parameter| parameter.name == word);
            let by_name = by_name && !self.is_later(function, word);
            if by_name && !(function.is_method && &*word.text() == "out") {
                if names.contains_key(&word) {
                    return self.raise(
                        "TypeError",
                        format!("{}() got multiple values for argument '{word}'", name(self)),
                    );
                }
                names.insert(word, value);
            } else if parameters.keywords.is_some() {
                let key = Value::Text(word.text());
                rest.insert(self.key(&key)?, (key, value));
            } else {
                let raised = self.raise(
                    "TypeError",
                    format!("{}() got an unexpected keyword argument '{word}'", name(self)),
                );
                let known = parameters.positional.iter().chain(&parameters.keyword_only);
                return self.hinted(raised, |_| {
                    super::hints::meant(&word.text(), known.map(|parameter| parameter.name.to_string()))
                });
            }
        }
        if let Some(keywords) = &parameters.keywords {
            let rest = self.new_dict(rest);
            names.insert(keywords.name, rest);
        }
        let mut missing = Vec::new();
        let all = parameters.positional.iter().chain(&parameters.keyword_only);
        for (parameter, default) in all.zip(&function.defaults) {
            if names.contains_key(&parameter.name) {
                continue;
            }
            match default {
                Some(default) => drop(names.insert(parameter.name, default.clone())),
                None => missing.push(parameter.name),
            }
        }
        if missing.is_empty() {
            return Ok(names);
        }
        let quoted: Vec<String> = missing.iter().map(|name| format!("'{name}'")).collect();
        let listed = match quoted.as_slice() {
            [only] => only.clone(),
            [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
            [] => String::new(),
        };
        let kind = if parameters.positional.iter().any(|it| missing.contains(&it.name)) {
            "positional"
        } else {
            "keyword-only"
        };
        let plural = if missing.len() == 1 { "argument" } else { "arguments" };
        let count = missing.len();
        self.raise(
            "TypeError",
            format!("{}() missing {count} required {kind} {plural}: {listed}", name(self)),
        )
    }
    /// What messages call a function: methods with their class, as Python does.
    fn called_name(&self, function: &Function, receiver: Option<&Value>) -> String {
        match function.class.filter(|_| function.around.is_none()) {
            // A class of a library that the user does not see stands behind one that is seen.
            Some(class) if function.source.is_library && self.class_name(class).text().starts_with('_') => {
                let seen = receiver.map(|receiver| self.type_name(receiver));
                format!("{}.{}", seen.unwrap_or_default(), function.name)
            }
            Some(class) => format!("{}.{}", self.class_name(class), function.name),
            None => function.name.to_string(),
        }
    }

    /// Makes an instance: `__new__`, then `__init__`.
    fn instantiate(&mut self, class: Id, positional: Vec<Value>, keywords: Keywords) -> Outcome {
        let meta = self.heap.get(class).class;
        if meta != BuiltIn::Type.class()
            && let Some(call) = self.in_order(meta, Name::CALL)
        {
            let mut positional = positional;
            positional.insert(0, Value::Object(class));
            return self.call(&call, positional, keywords);
        }
        self.instance(class, positional, keywords)
    }
    /// `type.__call__`: what calling a class does unless its metaclass has other ideas.
    pub fn instance(&mut self, class: Id, positional: Vec<Value>, keywords: Keywords) -> Outcome {
        if let Some(object) = self.quick_instance(class, &positional, &keywords)? {
            return Ok(object);
        }
        let Some(asked) = self.asked_to_make(class, &positional, &keywords) else {
            return self.new_instance(class, positional, keywords);
        };
        if let Some(object) = self.repeat(&asked) {
            if let Value::Object(id) = object {
                self.note_layer(id);
            }
            return Ok(object);
        }
        let begun = self.begin_call(asked);
        let object = self.new_instance(class, positional, keywords);
        self.end_call(begun, None, &object);
        object
    }
    fn new_instance(&mut self, class: Id, positional: Vec<Value>, keywords: Keywords) -> Outcome {
        let object = match self.in_order(class, Name::NEW) {
            Some(new) => {
                let function = match self.payload(&new) {
                    Some(Payload::StaticMethod(function)) => function.clone(),
                    _ => new,
                };
                let mut arguments = positional.clone();
                arguments.insert(0, Value::Object(class));
                let object = self.call(&function, arguments, keywords.clone())?;
                let own = self.class_of(&object);
                if !own.is_some_and(|own| self.is_subclass(own, class)) {
                    return Ok(object);
                }
                object
            }
            None => crate::native::construct(self, class, &positional, &keywords)?,
        };
        if let Some(init) = self.in_order(class, Name::INIT) {
            let mut arguments = positional;
            arguments.insert(0, object.clone());
            let at: Span = self.frame().at;
            let result = self.call(&init, arguments, keywords)?;
            self.frame_mut().at = at;
            if let Value::Object(id) = &object {
                self.note_layer(*id);
            }
            // What could not be made of its arguments is not there in part.
            if matches!(result, Value::Unknown(_)) {
                return Ok(result);
            }
            if object.as_object().is_some_and(|id| self.is_open(id)) {
                return Ok(Value::unknown("it is made of arguments that are not known"));
            }
            if !matches!(result, Value::None) {
                let what = self.type_name(&result);
                return self.raise("TypeError", format!("__init__() should return None, not '{what}'"));
            }
        }
        Ok(object)
    }
}
