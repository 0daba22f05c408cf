//! Imports: the user's own files first, then the libraries that are modelled, then nothing.

use super::{Flow, Interpreter, Outcome};
use crate::deadline::Deadline;
use crate::heap::{Id, Payload};
use crate::library::Found;
use crate::syntax::{Module, Name, Span};
use crate::value::{BuiltIn, Value};
use std::rc::Rc;
use std::time::Duration;

/// Work and time that importing one package may take.
const PACKAGE_STEPS: u64 = 600_000;
const PACKAGE_TIME: Duration = Duration::from_millis(800);

/// The name that marks a module that took everything from one that is not known.
const OPEN: &str = "<open>";

impl Interpreter {
    pub(super) fn import(&mut self, dotted: &str, alias: Option<Name>) -> Outcome<()> {
        let module = self.module(dotted)?;
        match alias {
            Some(alias) => self.bind(alias, module),
            None => {
                let first = dotted.split('.').next().unwrap_or(dotted);
                let top = if first == dotted { module } else { self.module(first)? };
                self.bind(Name::new(first), top)
            }
        }
    }

    pub(super) fn import_from(
        &mut self,
        module: &str,
        level: u32,
        names: &[(Name, Option<Name>, Span)],
    ) -> Outcome<()> {
        let full = self.absolute(module, level)?;
        if &*full == "__future__" {
            return Ok(());
        }
        let module = self.module(&full)?;
        for &(name, alias, at) in names {
            self.frame_mut().at = at;
            if &*name.text() == "*" {
                self.import_all(&module)?;
                continue;
            }
            let value = match self.find_attribute(&module, name)? {
                Some(value) => value,
                None if let Value::Unknown(unknown) = &module => {
                    unknown.derived(format!("`{name}` of `{full}`, which is not modelled"))
                }
                None => match self.try_module(&format!("{full}.{name}"))? {
                    Some(module) => module,
                    None if crate::library::is_harmless(&format!("{full}.{name}")) => {
                        Value::harmless(&format!("{full}.{name}"))
                    }
                    None if self.is_incomplete(&module) && self.may_have(&module, name) => {
                        self.lose(format!("`{full}.{name}` is not modelled"))
                    }
                    None => {
                        let message = format!("cannot import name '{name}' from '{full}'");
                        return self.raise("ImportError", message);
                    }
                },
            };
            self.bind(alias.unwrap_or(name), value)?;
        }
        Ok(())
    }

    fn import_all(&mut self, module: &Value) -> Outcome<()> {
        if self.is_incomplete(module) || matches!(module, Value::Unknown(_)) {
            // Whatever is not known to be there may have come from there.
            let globals = self.frame().globals;
            self.open(globals);
        }
        let Some(Payload::Module { scope, .. }) = self.payload(module) else { return Ok(()) };
        let scope = *scope;
        if self.is_open(scope) {
            let globals = self.frame().globals;
            self.open(globals);
        }
        let chosen = match self.heap.get(scope).attributes.get(&Name::new("__all__")).cloned() {
            Some(all) => {
                let names = self.items_of(&all)?;
                Some(
                    names
                        .iter()
                        .filter_map(|name| name.as_text().map(|text| Name::new(text)))
                        .collect::<Vec<_>>(),
                )
            }
            None => None,
        };
        let attributes: Vec<(Name, Value)> = self
            .heap
            .get(scope)
            .attributes
            .iter()
            .filter(|(name, _)| match &chosen {
                Some(chosen) => chosen.contains(name),
                None => !name.text().starts_with('_'),
            })
            .map(|(name, value)| (*name, value.clone()))
            .collect();
        attributes.into_iter().try_for_each(|(name, value)| self.bind(name, value))
    }

    /// Marks a module whose names may have come from somewhere that is not known.
    pub(super) fn open(&mut self, scope: Id) {
        self.set_name(scope, Name::new(OPEN), Value::None);
    }
    /// Whether names of a module may have come from somewhere that is not known.
    pub(super) fn is_open(&self, scope: Id) -> bool {
        self.heap.get(scope).attributes.contains_key(&Name::new(OPEN))
    }

    /// The full name of a module that may be named relative to the current one.
    fn absolute(&mut self, module: &str, level: u32) -> Outcome<Rc<str>> {
        if level == 0 {
            return Ok(module.into());
        }
        let globals = self.frame().globals;
        let package = match self.heap.get(globals).attributes.get(&Name::new("__package__")) {
            Some(Value::Text(package)) => package.clone(),
            _ => "".into(),
        };
        let mut parts: Vec<&str> = package.split('.').filter(|part| !part.is_empty()).collect();
        if parts.len() + 1 < level as usize || parts.is_empty() {
            return self.raise("ImportError", "attempted relative import with no known parent package");
        }
        parts.truncate(parts.len() + 1 - level as usize);
        if !module.is_empty() {
            parts.push(module);
        }
        Ok(parts.join(".").into())
    }

    /// A module by its full name; one that nobody knows is missing.
    pub fn module(&mut self, dotted: &str) -> Outcome {
        match self.try_module(dotted)? {
            Some(module) => Ok(module),
            None if self.libraries.is_missing(dotted) => {
                self.raise("ModuleNotFoundError", format!("No module named '{dotted}'"))
            }
            None if crate::library::is_harmless(dotted) => Ok(Value::harmless(dotted)),
            // What a module inside a package of ours holds is in the package, as far as it is modelled.
            None if let Some((package, _)) = dotted.rsplit_once('.')
                && self.libraries.is_library(package)
                && package.contains('.')
                && let Some(module) = self.try_module(package)? =>
            {
                Ok(module)
            }
            None => {
                let why = self
                    .libraries
                    .why_given_up(dotted)
                    .map(|why| format!(", and its source is not followed: {why}"));
                Ok(self.lose(format!("the module `{dotted}` is not modelled{}", why.unwrap_or_default())))
            }
        }
    }

    pub(super) fn try_module(&mut self, dotted: &str) -> Outcome<Option<Value>> {
        if let Some(&id) = self.modules.get(dotted) {
            return Ok(Some(Value::Object(id)));
        }
        // Packages are executed before what is inside them.
        let parent = match dotted.rsplit_once('.') {
            Some((parent, _)) => match self.try_module(parent)? {
                Some(Value::Object(parent)) => Some(parent),
                _ => return Ok(None),
            },
            None => None,
        };
        if let Some(&id) = self.modules.get(dotted) {
            return Ok(Some(Value::Object(id)));
        }
        let libraries = self.libraries.clone();
        let Some(found) = libraries.find(dotted) else {
            return match libraries.package(dotted) {
                Some(found) => self.import_package(dotted, found, parent),
                None => Ok(None),
            };
        };
        let module = match found {
            Ok(module) => module,
            Err(error) => return self.raise("SyntaxError", error),
        };
        self.executed(dotted, &module, parent).map(Some)
    }

    /// Executes a module that was found, and enters it in its package.
    fn executed(&mut self, dotted: &str, module: &Module, parent: Option<Id>) -> Outcome {
        let id = self.execute_found(dotted, module)?;
        if let (Some(parent), Some((_, last))) = (parent, dotted.rsplit_once('.'))
            && let Payload::Module { scope, .. } = self.heap.get(parent).payload
        {
            self.set_name(scope, Name::new(last), Value::Object(id));
        }
        Ok(Value::Object(id))
    }

    /// Executes the real source of a package. What takes too long, raises or would have to decide about something
    /// unknown is undone, and the package is one of which nothing is known.
    fn import_package(&mut self, dotted: &str, found: Found, parent: Option<Id>) -> Outcome<Option<Value>> {
        let module = match found {
            Ok(module) => module,
            Err(why) => {
                self.libraries.give_up(dotted, why);
                return Ok(None);
            }
        };
        let top: Rc<str> = dotted.split('.').next().unwrap_or(dotted).into();
        if self.importing.as_ref() == Some(&top) {
            let value = self.executed(dotted, &module, parent)?;
            self.open_module(&value);
            return Ok(Some(value));
        }
        let (heap, modules) = (self.heap.clone(), self.modules.clone());
        let (frames, lost, budget) = (self.frames.len(), self.lost.len(), self.budget);
        let until = Deadline::after(PACKAGE_TIME).or_before(budget.until);
        self.budget.steps = budget.steps.min(self.steps().saturating_add(PACKAGE_STEPS));
        self.budget.until = Some(until);
        let importing = self.importing.replace(top);
        self.begin_trial();
        let result = self.executed(dotted, &module, parent);
        self.end_trial();
        self.importing = importing;
        self.budget = budget;
        // What is not known inside is told where it is used.
        self.lost.truncate(lost);
        match result {
            Ok(value) => {
                self.open_module(&value);
                Ok(Some(value))
            }
            Err(flow) => {
                let why = match flow {
                    Flow::Raise(exception) => {
                        let place =
                            self.traces.get(&exception).map(|spot| spot.here.clone()).unwrap_or_default();
                        format!("{} ({}:{})", self.describe_exception(exception), place.file, place.line)
                    }
                    Flow::Stop(why) | Flow::Lost(why) => why.to_string(),
                    _ => "it ends in the middle".to_owned(),
                };
                (self.heap, self.modules) = (heap, modules);
                self.frames.truncate(frames);
                self.libraries.give_up(dotted, why);
                Ok(None)
            }
        }
    }
    /// Names that a module of a package lacks may be there all the same.
    fn open_module(&mut self, module: &Value) {
        if let Some(&Payload::Module { scope, .. }) = self.payload(module) {
            self.open(scope);
        }
    }

    /// Executes a module that was found, after entering it among the known ones, so that circles end.
    fn execute_found(&mut self, dotted: &str, module: &Module) -> Outcome<Id> {
        let before = self.heap.len();
        let (id, scope) = self.new_module(dotted);
        let is_package = module.source.path.ends_with("__init__.py");
        let package =
            if is_package { dotted } else { dotted.rsplit_once('.').map_or("", |(parent, _)| parent) };
        self.set_name(scope, Name::new("__package__"), Value::text(package));
        match self.execute_module(module, scope, dotted) {
            Ok(()) => {
                if module.source.is_library {
                    self.heap.changes.load(before, self.heap.len());
                }
                Ok(id)
            }
            Err(flow) => {
                self.modules.remove(dotted);
                Err(flow)
            }
        }
    }
    pub fn new_module(&mut self, dotted: &str) -> (Id, Id) {
        let scope = self.new_scope(None);
        let name: Rc<str> = dotted.into();
        let payload = Payload::Module { name: name.clone(), scope };
        let module = self.new_object(BuiltIn::Module.class(), payload);
        let id = module.as_object().unwrap_or(scope);
        self.modules.insert(name, id);
        (id, scope)
    }
}
