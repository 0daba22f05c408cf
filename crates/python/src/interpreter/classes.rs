//! Classes: their bodies, their bases in C3 order, and the hooks that bases have.

use super::{Flow, Frame, Interpreter, Outcome};
use crate::heap::{Class, Id, Object, Payload};
use crate::syntax::{Argument, ClassDef, Name};
use crate::value::{Attributes, BuiltIn, Value};
use std::rc::Rc;

impl Interpreter {
    pub(super) fn make_class(&mut self, def: &ClassDef) -> Outcome {
        let mut bases = Vec::new();
        let mut keywords = Vec::new();
        let mut meta = None;
        for argument in &def.bases {
            match argument {
                Argument::Positional(value) => bases.push(self.evaluate(value)?),
                Argument::Star(value) => {
                    let value = self.evaluate(value)?;
                    bases.extend(self.items_of(&value)?);
                }
                Argument::Keyword(name, value) if &*name.text() == "metaclass" => {
                    meta = Some(self.evaluate(value)?);
                }
                Argument::Keyword(name, value) => keywords.push((*name, self.evaluate(value)?)),
                Argument::DoubleStar(_) => {}
            }
        }
        let mut known = Vec::new();
        let mut is_open = false;
        for base in bases {
            match self.as_base(&base)? {
                Some(base) => known.push(base),
                // A class with an unknown base is a class of which much is unknown; its own methods are there.
                None => {
                    is_open = true;
                    if !matches!(&base, Value::Unknown(unknown) if unknown.harmless) {
                        self.lose(format!("`{}` has a base that is not known", def.name));
                    }
                }
            }
        }
        self.kept_scopes += 1;
        let frame = self.frame();
        let (source, globals) = (frame.source.clone(), frame.globals);
        let around = (frame.scope != globals).then_some(frame.scope);
        let complete = Name::new("__complete__");
        let is_library = source.is_library && !self.heap.get(globals).attributes.contains_key(&complete);
        let scope = self.new_scope(around);
        let class = self.new_class(
            def.name,
            known,
            Attributes::default(),
            is_library,
            meta.and_then(|m| m.as_object()),
        )?;
        // What decorators and tricks of a package add is not always seen.
        let is_open = is_open || source.is_package;
        if let (true, Payload::Class(class)) = (is_open, &mut self.heap.get_mut(class).payload) {
            class.is_open = true;
        }
        self.set_name(scope, Name::new("__qualname__"), Value::Text(def.name.text()));
        self.frames.push(Frame {
            source,
            name: def.name,
            globals,
            scope,
            at: def.at,
            class: Some(class),
            receiver: None,
            function: None,
        });
        let result = self.body(&def.body);
        self.frames.pop();
        match result {
            Ok(()) => {}
            Err(Flow::Return(_) | Flow::Break | Flow::Continue) => {}
            Err(flow) => return Err(flow),
        }
        self.heap.get_mut(scope).attributes.remove(&Name::new("__qualname__"));
        if let (true, Payload::Class(data)) =
            (self.heap.get(scope).attributes.contains_key(&complete), &mut self.heap.get_mut(class).payload)
        {
            data.is_library = false;
        }
        if let Some(doc) = &def.doc {
            self.set_name(scope, Name::new("__doc__"), Value::Text(doc.clone()));
        }
        let meta = self.heap.get(class).class;
        if meta != BuiltIn::Type.class() && self.in_order(meta, Name::NEW).is_some() {
            return self.made_by(meta, class, scope, keywords);
        }
        let attributes = self.heap.get(scope).attributes.clone();
        self.heap.get_mut(class).attributes = attributes;
        let value = Value::Object(class);
        if let Some(init) = self.in_order(meta, Name::INIT).filter(|_| meta != BuiltIn::Type.class()) {
            let arguments = self.parts_of(class, scope);
            let arguments = [value.clone()].into_iter().chain(arguments).collect();
            self.call(&init, arguments, keywords.clone())?;
        }
        self.finish_class(class, keywords)?;
        Ok(value)
    }
    /// Name, bases and names: what a metaclass is called with.
    fn parts_of(&mut self, class: Id, scope: Id) -> [Value; 3] {
        let (name, bases) = match &self.heap.get(class).payload {
            Payload::Class(class) => {
                (class.name, Value::tuple(class.bases.iter().map(|&base| Value::Object(base))))
            }
            _ => (Name::new("?"), Value::tuple([])),
        };
        let pairs = self.heap.get(scope).attributes.iter().map(|(name, value)| {
            (crate::value::Key::Text(name.text()), (Value::Text(name.text()), value.clone()))
        });
        let pairs = pairs.collect();
        let names = self.new_dict(pairs);
        if let Some(id) = names.as_object() {
            self.set_name(id, Name::new(crate::native::WAITING), Value::Object(class));
        }
        [Value::Text(name.text()), bases, names]
    }
    /// Lets a metaclass make the class, as `Meta(name, bases, names)` does.
    fn made_by(&mut self, meta: Id, class: Id, scope: Id, keywords: Vec<(Name, Value)>) -> Outcome {
        let parts = self.parts_of(class, scope);
        let Some(new) = self.in_order(meta, Name::NEW) else { return Ok(Value::Object(class)) };
        let new = match self.payload(&new) {
            Some(Payload::StaticMethod(function)) => function.clone(),
            _ => new,
        };
        let arguments = [Value::Object(meta)].into_iter().chain(parts.clone()).collect();
        let made = self.call(&new, arguments, keywords.clone())?;
        if let Some(init) = self.in_order(meta, Name::INIT) {
            let arguments = [made.clone()].into_iter().chain(parts).collect();
            self.call(&init, arguments, keywords.clone())?;
        }
        if made.as_object() == Some(class) {
            self.finish_class(class, keywords)?;
        }
        Ok(made)
    }
    /// Tells descriptors their names, and bases of their new subclass.
    pub fn finish_class(&mut self, class: Id, keywords: Vec<(Name, Value)>) -> Outcome<()> {
        self.hooked |= self.heap.get(class).attributes.contains_key(&Name::new("__getattribute__"));
        self.set_names(class)?;
        self.announce_subclass(class, keywords)
    }

    /// A base as a class; `Generic[T]` and other subscripted things stand for their origin.
    fn as_base(&mut self, base: &Value) -> Outcome<Option<Id>> {
        match base {
            Value::Object(id) if self.is_class(base) => Ok(Some(*id)),
            Value::Object(_) => match self.find_attribute(base, Name::new("__mro_entry__"))? {
                Some(origin) if self.is_class(&origin) => Ok(origin.as_object()),
                _ => match self.find_attribute(base, Name::new("__origin__"))? {
                    Some(origin) if self.is_class(&origin) => Ok(origin.as_object()),
                    _ => Ok(None),
                },
            },
            _ => Ok(None),
        }
    }

    pub fn new_class(
        &mut self,
        name: Name,
        bases: Vec<Id>,
        attributes: Attributes,
        is_library: bool,
        meta: Option<Id>,
    ) -> Outcome<Id> {
        let bases = if bases.is_empty() { vec![BuiltIn::Object.class()] } else { bases };
        // The metaclass of a base is that of its subclasses.
        let inherited =
            bases.iter().map(|&base| self.heap.get(base).class).find(|meta| *meta != BuiltIn::Type.class());
        let meta = meta.or(inherited).unwrap_or(BuiltIn::Type.class());
        let layout = bases.iter().map(|&base| self.layout(base)).find(|layout| *layout != BuiltIn::Object);
        let class = self.heap.push(Object { class: meta, attributes, payload: Payload::Plain });
        let Some(order) = self.merged_order(class, &bases) else {
            let message = "Cannot create a consistent method resolution order (MRO) for the bases";
            return self.raise("TypeError", message);
        };
        let layout = layout.unwrap_or(BuiltIn::Object);
        let is_open = bases
            .iter()
            .any(|&base| matches!(&self.heap.get(base).payload, Payload::Class(base) if base.is_open));
        let is_own = self.frames.last().is_some_and(|frame| frame.source.is_own());
        self.heap.get_mut(class).payload =
            Payload::Class(Class { name, bases, order: order.into(), layout, is_library, is_own, is_open });
        Ok(class)
    }
    /// The built-in type that instances of a class are made of.
    pub fn layout(&self, class: Id) -> BuiltIn {
        match &self.heap.get(class).payload {
            Payload::Class(class) => class.layout,
            _ => BuiltIn::Object,
        }
    }

    /// The C3 order: the class, then its bases' orders merged so that each keeps its own.
    fn merged_order(&self, class: Id, bases: &[Id]) -> Option<Vec<Id>> {
        let mut lists: Vec<Vec<Id>> = bases.iter().map(|&base| self.order(base).to_vec()).collect();
        lists.push(bases.to_vec());
        let mut order = vec![class];
        loop {
            lists.retain(|list| !list.is_empty());
            if lists.is_empty() {
                return Some(order);
            }
            let head = lists
                .iter()
                .map(|list| list[0])
                .find(|head| lists.iter().all(|list| !list[1..].contains(head)))?;
            order.push(head);
            lists.iter_mut().for_each(|list| list.retain(|class| *class != head));
        }
    }

    /// Tells descriptors which name they have.
    fn set_names(&mut self, class: Id) -> Outcome<()> {
        let attributes: Vec<(Name, Value)> =
            self.heap.get(class).attributes.iter().map(|(name, value)| (*name, value.clone())).collect();
        for (name, value) in attributes {
            if let Some(Payload::Plain) = self.payload(&value) {
                let arguments = vec![Value::Object(class), Value::Text(name.text())];
                self.try_special(&value, "__set_name__", arguments)?;
            }
        }
        Ok(())
    }
    fn announce_subclass(&mut self, class: Id, keywords: Vec<(Name, Value)>) -> Outcome<()> {
        let order: Rc<[Id]> = self.order(class);
        let word = Name::new("__init_subclass__");
        let hook = order.iter().skip(1).find_map(|&base| self.heap.get(base).attributes.get(&word).cloned());
        let Some(hook) = hook else { return Ok(()) };
        let function = match self.payload(&hook) {
            Some(Payload::ClassMethod(function)) => function.clone(),
            _ => hook,
        };
        self.call(&function, vec![Value::Object(class)], keywords).map(drop)
    }
}
