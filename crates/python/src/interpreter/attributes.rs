//! Attributes: instances, classes in their order, properties and methods.

use super::specials::part_of_value;
use super::{Flow, Interpreter, Outcome};
use crate::heap::{Id, Payload};
use crate::library::{has_name, is_builtin};
use crate::native;
use crate::syntax::Name;
use crate::value::{BuiltIn, Value};

/// Attributes of NumPy's arrays that are no attributes of numbers.
const OF_ARRAYS: &[&str] = &[
    "T",
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "astype",
    "base",
    "byteswap",
    "choose",
    "clip",
    "compress",
    "conj",
    "copy",
    "cumprod",
    "cumsum",
    "data",
    "device",
    "diagonal",
    "dtype",
    "dump",
    "dumps",
    "fill",
    "flags",
    "flat",
    "flatten",
    "item",
    "itemset",
    "itemsize",
    "max",
    "mean",
    "min",
    "nbytes",
    "ndim",
    "newbyteorder",
    "nonzero",
    "prod",
    "ptp",
    "put",
    "ravel",
    "repeat",
    "reshape",
    "resize",
    "round",
    "searchsorted",
    "setfield",
    "getfield",
    "setflags",
    "shape",
    "size",
    "sort",
    "squeeze",
    "std",
    "strides",
    "sum",
    "swapaxes",
    "take",
    "to_device",
    "tobytes",
    "tofile",
    "tolist",
    "tostring",
    "trace",
    "transpose",
    "var",
    "view",
];

impl Interpreter {
    pub fn attribute(&mut self, object: &Value, name: Name) -> Outcome {
        if let Value::Unknown(unknown) = object {
            if let (Some(kind), false) = (unknown.kind, unknown.harmless) {
                // A text that is not known has the methods of texts.
                if let Some(native) = native::of_kind(kind, name) {
                    return Ok(Value::method(Value::Native(native), object.clone()));
                }
                if !self.may_be_of(kind, name)? {
                    let message = format!("'{}' object has no attribute '{name}'", kind.name());
                    let raised = self.raise("AttributeError", message);
                    return self.hinted(raised, |run| run.hint_of_attribute(object, name));
                }
            }
            return Ok(unknown.derived(format!("`.{name}` of something unknown: {}", unknown.reason)));
        }
        if let Some(value) = self.find_attribute(object, name)? {
            return Ok(value);
        }
        if self.is_incomplete(object) && self.may_have(object, name) {
            let what = self.represent_owner(object);
            return Ok(self.lose(format!("`{what}.{name}` is not modelled")));
        }
        let is_own = |class: Id| class.number() < BuiltIn::ALL.len();
        let is_bytes = |class: Id| self.layout(class) == BuiltIn::Bytes;
        let class = self.class_of(object);
        if (name.is_special() && (class.is_none_or(is_own) || self.is_class(object)))
            || class.is_some_and(is_bytes)
        {
            return Ok(self.lose(format!("`{name}` of `{}` is not modelled", self.type_name(object))));
        }
        let text = name.text();
        let message = match object.as_object().map(|id| &self.heap.get(id).payload) {
            Some(Payload::Module { name: module, .. }) => {
                format!("module '{module}' has no attribute '{text}'")
            }
            Some(Payload::Class(class)) => format!("type object '{}' has no attribute '{text}'", class.name),
            _ => format!("'{}' object has no attribute '{text}'", self.type_name(object)),
        };
        let raised = self.raise("AttributeError", message);
        self.hinted(raised, |run| run.hint_of_attribute(object, name))
    }

    /// Whether a number or a text that is not known may have an attribute: numbers of NumPy have those of arrays.
    fn may_be_of(&mut self, kind: BuiltIn, name: Name) -> Outcome<bool> {
        let like = match kind {
            BuiltIn::Bool => Value::bool(false),
            BuiltIn::Int => Value::int(0),
            BuiltIn::Float => Value::Float(0.0),
            BuiltIn::Text => Value::text(""),
            _ => return Ok(true),
        };
        let is_of_array = kind != BuiltIn::Text && OF_ARRAYS.contains(&&*name.text());
        Ok(name.is_special() || is_of_array || self.find_attribute(&like, name)?.is_some())
    }

    /// Whether an object may have attributes that are not modelled: a library, or something made of its classes.
    pub fn is_incomplete(&self, object: &Value) -> bool {
        match self.payload(object) {
            Some(Payload::Module { name, scope }) => self.libraries.is_library(name) || self.is_open(*scope),
            Some(Payload::Class(class)) => {
                class.is_open || class.order.iter().any(|&class| self.is_modelled(class))
            }
            _ => self
                .class_of(object)
                .is_some_and(|class| self.order(class).iter().any(|&class| self.is_modelled(class))),
        }
    }
    /// Whether something that is modelled in part may have a name: not where all its names are recorded.
    pub fn may_have(&self, object: &Value, name: Name) -> bool {
        let text = name.text();
        if name.is_special() {
            return true;
        }
        let class = match self.payload(object) {
            Some(Payload::Module { name: module, .. }) => {
                let is_ours = is_builtin(module);
                return text.starts_with('_') || !is_ours || has_name(module, &text) != Some(false);
            }
            Some(Payload::Class(_)) => object.as_object(),
            _ => self.class_of(object),
        };
        let Some(class) = class else { return true };
        // What is private of a library belongs to the recorded class that is made of it.
        let (mut is_recorded, mut is_module) = (false, false);
        for &class in self.order(class).iter().filter(|&&class| self.is_modelled(class)) {
            let own = self.class_name(class).text();
            match has_name(&format!("class:{own}"), &text) {
                Some(true) => return true,
                Some(false) => is_recorded = true,
                None if is_recorded && own.starts_with('_') => {}
                None => return true,
            }
            is_module |= &*own == "Module";
        }
        !is_module
    }
    /// Whether a class was written by us after one of a library; Python's own are complete.
    fn is_modelled(&self, class: Id) -> bool {
        let is_own = class.number() < BuiltIn::ALL.len();
        match &self.heap.get(class).payload {
            Payload::Class(class) => class.is_open || (class.is_library && !is_own),
            _ => false,
        }
    }
    fn represent_owner(&self, object: &Value) -> String {
        match self.payload(object) {
            Some(Payload::Module { name, .. }) => name.to_string(),
            Some(Payload::Class(class)) => class.name.to_string(),
            _ => self.type_name(object),
        }
    }

    /// The attribute, unless there is none.
    pub fn find_attribute(&mut self, object: &Value, name: Name) -> Outcome<Option<Value>> {
        if let Some(Payload::Module { scope, .. }) = self.payload(object) {
            let scope = *scope;
            return self.module_attribute(object, scope, name);
        }
        if let Some(Payload::Super { after, on }) = self.payload(object) {
            let (after, on) = (*after, on.clone());
            return self.super_attribute(after, &on, name);
        }
        if let (Some(id), Some(Payload::Class(_))) = (object.as_object(), self.payload(object)) {
            return self.class_attribute(id, name);
        }
        if let Value::Method(method) = object
            && let Some(value) = self.method_attribute(&method.clone(), name)?
        {
            return Ok(Some(value));
        }
        let Some(class) = self.class_of(object) else { return Ok(None) };
        let found = self.in_order(class, name);
        if self.hooked
            && let Some(hook) = self.in_order(class, Name::new("__getattribute__"))
        {
            let arguments = vec![object.clone(), Value::Text(name.text())];
            return self.call(&hook, arguments, Vec::new()).map(Some);
        }
        if let Some(property) = found.as_ref().and_then(|found| self.property_getter(found)) {
            return self.call(&property, vec![object.clone()], Vec::new()).map(Some);
        }
        if let Some(descriptor) = found.as_ref().filter(|found| self.is_data_descriptor(found)) {
            return self.bound(descriptor.clone(), object, class).map(Some);
        }
        if let Some(id) = object.as_object() {
            if let Some(value) = self.heap.get(id).attributes.get(&name) {
                return Ok(Some(value.clone()));
            }
            if let Some(value) = self.special_attribute(id, name) {
                return Ok(Some(value));
            }
        }
        if let Some(found) = found {
            return self.bound(found, object, class).map(Some);
        }
        if let Some(part) = part_of_value(&self.unwrapped(object), &name.text()) {
            return Ok(Some(part));
        }
        if let (Some(Payload::Opaque(reason)), Some(id)) = (self.payload(object), object.as_object()) {
            let reason = reason.clone();
            self.change_some(id, &name.text());
            return Ok(Some(Value::unknown(&*reason)));
        }
        if let Some(several) = self.several(object)
            && !self.has_method(&name.text())
            && native::method(self, object, name).is_some()
        {
            return Ok(Some(self.forget_list(&several)));
        }
        if let Some(native) = native::method(self, object, name) {
            return Ok(Some(Value::method(Value::Native(native), object.clone())));
        }
        if let Some(hook) = self.in_order(class, Name::GETATTR) {
            let hook = self.bound(hook, object, class)?;
            return match self.call(&hook, vec![Value::Text(name.text())], Vec::new()) {
                Err(Flow::Raise(exception))
                    if self.is_instance_of_named(&Value::Object(exception), "AttributeError") =>
                {
                    // The hook's own words are better than ours.
                    Err(Flow::Raise(exception))
                }
                result => result.map(Some),
            };
        }
        Ok(None)
    }

    /// Runs something during which `__getattribute__` is not asked.
    pub fn without_hooks<T>(&mut self, f: impl FnOnce(&mut Interpreter) -> T) -> T {
        let hooked = std::mem::replace(&mut self.hooked, false);
        let result = f(self);
        self.hooked |= hooked;
        result
    }

    fn module_attribute(&mut self, module: &Value, scope: Id, name: Name) -> Outcome<Option<Value>> {
        if let Some(value) = self.heap.get(scope).attributes.get(&name) {
            return Ok(Some(value.clone()));
        }
        if let Some(Payload::Module { name: module, .. }) = self.payload(module) {
            let full = format!("{module}.{name}");
            if let Some(&id) = self.modules.get(full.as_str()) {
                return Ok(Some(Value::Object(id)));
            }
            // Packages of libraries bring their modules along; ours are read when somebody asks for them.
            if self.libraries.is_library(&full) {
                return self.try_module(&full);
            }
        }
        if name.is_special() {
            return Ok(module.as_object().and_then(|id| self.special_attribute(id, name)));
        }
        if let Some(hook) = self.heap.get(scope).attributes.get(&Name::GETATTR).cloned() {
            return self.call(&hook, vec![Value::Text(name.text())], Vec::new()).map(Some);
        }
        Ok(None)
    }

    fn super_attribute(&mut self, after: Id, on: &Value, name: Name) -> Outcome<Option<Value>> {
        // In a metaclass, `self` is a class and `super()` looks at the class of that.
        let is_class =
            on.as_object().is_some_and(|on_id| self.is_class(on) && self.is_subclass(on_id, after));
        let start = if is_class { on.as_object() } else { self.class_of(on) };
        let Some(start) = start else { return Ok(None) };
        let order = self.order(start);
        let rest = order.iter().skip_while(|class| **class != after).skip(1);
        // Classes of libraries do not look attributes up themselves, and say by another name what they would do.
        let other = (name == Name::GETATTR).then(|| Name::new("_getattr"));
        for &class in rest {
            let held = &self.heap.get(class).attributes;
            let found = held.get(&name).or_else(|| held.get(other.as_ref()?)).cloned();
            if let Some(found) = found {
                if let Some(getter) = self.property_getter(&found) {
                    return self.call(&getter, vec![on.clone()], Vec::new()).map(Some);
                }
                return match (is_class, self.payload(&found)) {
                    (true, Some(Payload::Function(_))) if &*name.text() == "__new__" => Ok(Some(found)),
                    (true, Some(Payload::Function(_))) => Ok(Some(Value::method(found, on.clone()))),
                    _ => self.bound(found, on, start).map(Some),
                };
            }
            if let Some(native) = native::inherited(self, class, name) {
                return Ok(Some(match name == Name::NEW {
                    true => Value::Native(native),
                    false => Value::method(Value::Native(native), on.clone()),
                }));
            }
        }
        Ok(None)
    }

    fn class_attribute(&mut self, id: Id, name: Name) -> Outcome<Option<Value>> {
        if let Some(found) = self.in_order(id, name) {
            return Ok(Some(match self.payload(&found) {
                Some(Payload::StaticMethod(function)) => function.clone(),
                Some(Payload::ClassMethod(function)) => Value::method(function.clone(), Value::Object(id)),
                // A descriptor answers for the class, too.
                Some(Payload::Plain) => {
                    match self.try_special(&found, "__get__", vec![Value::None, Value::Object(id)])? {
                        Some(value) => value,
                        None => found,
                    }
                }
                _ => found,
            }));
        }
        // What the metaclass offers is a method of the class.
        let meta = self.heap.get(id).class;
        if meta != BuiltIn::Type.class()
            && let Some(found) = self.in_order(meta, name)
        {
            if let Some(getter) = self.property_getter(&found) {
                return self.call(&getter, vec![Value::Object(id)], Vec::new()).map(Some);
            }
            return self.bound(found, &Value::Object(id), meta).map(Some);
        }
        let Payload::Class(class) = &self.heap.get(id).payload else { return Ok(None) };
        Ok(match &*name.text() {
            "__name__" | "__qualname__" => Some(Value::Text(class.name.text())),
            "__bases__" => Some(Value::tuple(class.bases.iter().map(|&base| Value::Object(base)))),
            "__mro__" => Some(Value::tuple(class.order.iter().map(|&class| Value::Object(class)))),
            "__class__" => Some(Value::Object(meta)),
            "__module__" => Some(Value::text("__main__")),
            "__doc__" => Some(Value::None),
            // What a class of Python or of a library holds is not all modelled.
            "__dict__" if class.is_library => {
                Some(Value::unknown_of(BuiltIn::Dict, "the names of a class that is not all modelled"))
            }
            "__dict__" => self.special_attribute(id, name),
            "__annotations__" => Some(self.new_dict(crate::value::Pairs::default())),
            text => match native::of_class(text) {
                Some(native) => Some(Value::method(Value::Native(native), Value::Object(id))),
                None => native::inherited_by(self, id, name).map(|native| match native.is_of_class() {
                    true => Value::method(Value::Native(native), Value::Object(id)),
                    false => Value::Native(native),
                }),
            },
        })
    }

    /// What a class or one of its bases defines.
    pub fn in_order(&self, class: Id, name: Name) -> Option<Value> {
        let Payload::Class(data) = &self.heap.get(class).payload else { return None };
        data.order.iter().find_map(|&class| self.heap.get(class).attributes.get(&name).cloned())
    }
    pub fn order(&self, class: Id) -> std::rc::Rc<[Id]> {
        match &self.heap.get(class).payload {
            Payload::Class(data) => data.order.clone(),
            _ => [class].into(),
        }
    }

    fn property_getter(&self, found: &Value) -> Option<Value> {
        match self.payload(found)? {
            Payload::Property { get, .. } => Some(get.clone()),
            _ => None,
        }
    }
    /// A class's attribute as an instance sees it: functions become methods.
    fn bound(&mut self, found: Value, object: &Value, class: Id) -> Outcome {
        match (self.payload(&found), &found) {
            (Some(Payload::Function(_)), _) | (_, Value::Native(_)) => {
                Ok(Value::method(found, object.clone()))
            }
            (Some(Payload::StaticMethod(function)), _) => Ok(function.clone()),
            (Some(Payload::ClassMethod(function)), _) => {
                Ok(Value::method(function.clone(), Value::Object(class)))
            }
            (Some(Payload::Plain), Value::Object(id)) => {
                let descriptor = self.in_order(self.heap.get(*id).class, Name::GET);
                match descriptor {
                    Some(get) => {
                        let arguments = vec![found.clone(), object.clone(), Value::Object(class)];
                        self.call(&get, arguments, Vec::new())
                    }
                    None => Ok(found),
                }
            }
            _ => Ok(found),
        }
    }

    pub fn set_attribute(&mut self, object: &Value, name: Name, value: Value) -> Outcome<()> {
        let id = match object {
            Value::Object(id) => *id,
            Value::Unknown(_) => return Ok(()),
            other => {
                let message = format!("'{}' object has no attribute '{name}'", self.type_name(other));
                return self.raise("AttributeError", message);
            }
        };
        if let Payload::Module { scope, .. } = self.heap.get(id).payload {
            self.set_name(scope, name, value);
            return Ok(());
        }
        let class = self.heap.get(id).class;
        if let Some(found) = self.in_order(class, name).and_then(|found| found.as_object()) {
            match &self.heap.get(found).payload {
                Payload::Property { set: Value::None, .. } => {
                    let owner = self.class_name(class);
                    let message = format!("property '{name}' of '{owner}' object has no setter");
                    return self.raise("AttributeError", message);
                }
                Payload::Property { set, .. } => {
                    let set = set.clone();
                    return self.call(&set, vec![object.clone(), value], Vec::new()).map(drop);
                }
                Payload::Plain => {
                    let descriptor = self.heap.get(found).class;
                    if let Some(set) = self.in_order(descriptor, Name::SET) {
                        let arguments = vec![Value::Object(found), object.clone(), value];
                        return self.call(&set, arguments, Vec::new()).map(drop);
                    }
                }
                _ => {}
            }
        }
        if let Some(hook) = self.in_order(class, Name::SETATTR)
            && !self.lets_pass(&hook, &value)
        {
            let arguments = vec![object.clone(), Value::Text(name.text()), value];
            return self.call(&hook, arguments, Vec::new()).map(drop);
        }
        if self.slots_refuse(class, name) {
            let message = format!("'{}' object has no attribute '{name}'", self.class_name(class));
            return self.raise("AttributeError", message);
        }
        self.set_name(id, name, value);
        Ok(())
    }
    /// Whether every class of an object lists its attributes, and none lists this one.
    fn slots_refuse(&self, class: Id, name: Name) -> bool {
        let word = Name::SLOTS;
        if self.in_order(class, word).is_none() {
            return false;
        }
        let order = self.order(class);
        let mut own = order.iter().filter(|class| class.number() >= BuiltIn::ALL.len());
        own.all(|&class| {
            let names: Vec<Value> = match self.heap.get(class).attributes.get(&word) {
                Some(Value::Tuple(names)) => names.to_vec(),
                Some(one @ Value::Text(_)) => vec![one.clone()],
                Some(list) => match self.payload(list) {
                    Some(Payload::List(names)) => names.clone(),
                    _ => return false,
                },
                None => return false,
            };
            let text = name.text();
            names.iter().all(|listed| {
                listed.as_text().is_some_and(|listed| *listed != text && &**listed != "__dict__")
            })
        })
    }

    pub fn delete_attribute(&mut self, object: &Value, name: Name) -> Outcome<()> {
        let Value::Object(id) = object else { return Ok(()) };
        let class = self.heap.get(*id).class;
        if let Some(hook) = self.in_order(class, Name::new("__delattr__")) {
            return self.call(&hook, vec![object.clone(), Value::Text(name.text())], Vec::new()).map(drop);
        }
        if let Some(found) = self.in_order(class, name) {
            if let Some(Payload::Property { delete, .. }) = self.payload(&found)
                && !delete.is_none()
            {
                let delete = delete.clone();
                return self.call(&delete, vec![object.clone()], Vec::new()).map(drop);
            }
            if self.try_special(&found, "__delete__", vec![object.clone()])?.is_some() {
                return Ok(());
            }
        }
        let owner = match self.heap.get(*id).payload {
            Payload::Module { scope, .. } => scope,
            _ => *id,
        };
        match self.heap.get_mut(owner).attributes.remove(&name) {
            Some(_) => Ok(()),
            None => {
                let message = format!("'{}' object has no attribute '{name}'", self.type_name(object));
                self.raise("AttributeError", message)
            }
        }
    }

    /// Calls a special method if the class defines it in Python.
    pub fn try_special(
        &mut self,
        object: &Value,
        name: &str,
        arguments: Vec<Value>,
    ) -> Outcome<Option<Value>> {
        let Some(class) = object.as_object().and(self.class_of(object)) else { return Ok(None) };
        let Some(found) = self.in_order(class, Name::new(name)) else { return Ok(None) };
        let method = self.bound(found, object, class)?;
        self.call(&method, arguments, Vec::new()).map(Some)
    }
    pub fn call_special(&mut self, object: &Value, name: &str, arguments: Vec<Value>) -> Outcome {
        let method = self.attribute(object, Name::new(name))?;
        self.call(&method, arguments, Vec::new())
    }

    pub fn is_class(&self, value: &Value) -> bool {
        matches!(self.payload(value), Some(Payload::Class(_)))
    }
    pub fn is_subclass(&self, class: Id, of: Id) -> bool {
        of == BuiltIn::Object.class() || self.order(class).contains(&of)
    }
    pub fn is_instance_of_named(&self, value: &Value, class: &str) -> bool {
        let found = self.heap.get(self.builtins).attributes.get(&Name::new(class)).and_then(Value::as_object);
        matches!((self.class_of(value), found), (Some(own), Some(class)) if self.is_subclass(own, class))
    }
    /// `isinstance` with a class, a tuple of classes or a union.
    pub fn is_instance(&mut self, value: &Value, class: &Value) -> Outcome<bool> {
        match class {
            Value::Tuple(classes) => {
                for class in classes.iter() {
                    if self.is_instance(value, class)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::Object(id) if self.is_class(class) => {
                let meta = self.heap.get(*id).class;
                if meta != BuiltIn::Type.class()
                    && let Some(check) = self.in_order(meta, Name::new("__instancecheck__"))
                {
                    let answer = self.call(&check, vec![class.clone(), value.clone()], Vec::new())?;
                    let truth = self.truth(&answer)?;
                    return self.decide(truth);
                }
                match self.class_of(value) {
                    Some(own) => Ok(self.is_subclass(own, *id)),
                    // What a library does with something unknown is not known, and no reason to go two ways.
                    None if self.frame().source.is_library => {
                        Err(Flow::Lost("a library was given something unknown".into()))
                    }
                    None => {
                        let statement =
                            format!("a value that is not known is of type {}", self.class_name(*id));
                        self.decide(semantics::prop::Prop::unknown(&statement))
                    }
                }
            }
            Value::None => Ok(value.is_none()),
            Value::Unknown(_) => {
                self.decide(semantics::prop::Prop::unknown("a value is of a type that is not known"))
            }
            other => match self.find_attribute(other, Name::new("__args__"))? {
                Some(arguments) => self.nested(|run| run.is_instance(value, &arguments)),
                None => {
                    self.raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union")
                }
            },
        }
    }
}
