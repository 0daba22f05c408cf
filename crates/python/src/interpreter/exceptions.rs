//! Exceptions: raised with Python's words, and told in them.

use super::{Flow, Interpreter, Outcome};
use crate::heap::{Id, Object, Payload};
use crate::syntax::Name;
use crate::value::{Attributes, Value};

impl Interpreter {
    /// Raises a built-in exception.
    pub fn raise<T>(&mut self, class: &str, message: impl Into<String>) -> Outcome<T> {
        let message: String = message.into();
        let message = (!message.is_empty()).then(|| Value::Text(message.into()));
        let Some(Value::Object(class)) =
            self.heap.get(self.builtins).attributes.get(&Name::new(class)).cloned()
        else {
            return Err(Flow::Stop(format!("no exception class `{class}`").into()));
        };
        let exception =
            self.heap.push(Object { class, attributes: Attributes::default(), payload: Payload::Plain });
        self.set_name(exception, Name::new("args"), Value::tuple(message));
        self.raise_object(exception)
    }
    pub fn raise_object<T>(&mut self, exception: Id) -> Outcome<T> {
        if !self.traces.contains_key(&exception) {
            let spot = self.spot();
            self.traces.insert(exception, spot);
            if let Some(handling) = self.handling.filter(|handling| *handling != exception) {
                self.set_name(exception, Name::new("__context__"), Value::Object(handling));
            }
        }
        Err(Flow::Raise(exception))
    }
    /// A key that is not there; the key itself is what the exception carries.
    pub fn raise_missing<T>(&mut self, key: &Value) -> Outcome<T> {
        let raised = self.raise::<T>("KeyError", "");
        if let Err(Flow::Raise(exception)) = raised {
            self.set_name(exception, Name::new("args"), Value::tuple([key.clone()]));
        }
        raised
    }
    /// "ValueError: too many values to unpack".
    pub fn describe_exception(&mut self, exception: Id) -> String {
        let class = self.class_name(self.heap.get(exception).class);
        if let Ok(Some(Value::Text(text))) =
            self.try_special(&Value::Object(exception), "__str__", Vec::new())
        {
            return if text.is_empty() { class.to_string() } else { format!("{class}: {text}") };
        }
        let arguments = self.heap.get(exception).attributes.get(&Name::new("args")).cloned();
        let message = match arguments {
            Some(Value::Tuple(items)) if items.len() == 1 => {
                let is_key = self.is_instance_of_named(&Value::Object(exception), "KeyError");
                if is_key { self.represent(&items[0]) } else { self.display(&items[0]) }
            }
            Some(Value::Tuple(items)) if !items.is_empty() => {
                let shown: Vec<String> = items.iter().map(|item| self.represent(item)).collect();
                format!("({})", shown.join(", "))
            }
            _ => String::new(),
        };
        if message.is_empty() { class.to_string() } else { format!("{class}: {message}") }
    }
    /// Whether `sys.exit(status)` tells of a failure: by a number other than 0, or in words.
    pub fn exits_with_failure(&self, exception: Id) -> bool {
        match self.heap.get(exception).attributes.get(&Name::new("args")) {
            Some(Value::Tuple(items)) => match items.first() {
                Some(Value::Int(status)) => status.known().is_some_and(|status| status != 0),
                Some(Value::Text(_)) => true,
                _ => false,
            },
            _ => false,
        }
    }
    /// Whether an exception is `sys.exit()`.
    pub fn is_exit(&self, exception: Id) -> bool {
        self.is_instance_of_named(&Value::Object(exception), "SystemExit")
    }
}
