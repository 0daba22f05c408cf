//! What layers are called on: `"from"` is the name of an entry, a list of such, or a table by the arguments of the
//! call. `lstm:1` is the second thing that `lstm` gives.

use super::model::{Callee, Reader, Scope};
use super::{Mistake, Outcome, key, quoted};
use jsonc_parser::ast::{Object, ObjectProp, Value as Written};
use jsonc_parser::common::{Range, Ranged};
use layers::layer::Layer;
use semantics::operator::Arity;
use serde_json::{Map, Value, json};

/// A tensor: one of the outputs of an entry.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub entry: usize,
    pub output: u64,
}

impl Scope {
    /// All that an entry gives; of a layer what it gives first.
    pub fn all_of(&self, entry: usize) -> Vec<Source> {
        let count = match self.entries[entry].callee {
            Callee::Model { outputs, .. } => outputs,
            Callee::Input | Callee::Layer(_) => 1,
        };
        (0..count).map(|output| Source { entry, output }).collect()
    }
    /// As the end of a model. Keras counts the calls of a model inside another one from 1 there.
    pub fn end(&self, Source { entry, output }: Source) -> Value {
        let entry = &self.entries[entry];
        let first = u64::from(matches!(entry.callee, Callee::Model { .. }));
        json!([self.layers[entry.layer]["name"], entry.call + first, output])
    }
    /// As an argument of a call.
    fn tensor(&mut self, Source { entry, output }: Source) -> Value {
        let entry = &mut self.entries[entry];
        entry.is_used = true;
        let history = json!([self.layers[entry.layer]["name"], entry.call, output]);
        json!({"class_name": "__keras_tensor__", "config": {"keras_history": history}})
    }
    fn tensors(&mut self, sources: &[Source]) -> Vec<Value> {
        sources.iter().map(|source| self.tensor(*source)).collect()
    }
}

impl Reader<'_> {
    /// The call of a layer, whose class it is named by, or of a model.
    pub fn call(
        &mut self,
        scope: &mut Scope,
        (class, callee): (&str, &Callee),
        from: Option<&ObjectProp<'_>>,
        range: Range,
    ) -> Outcome<Value> {
        let (args, kwargs) = match from.map(|from| &from.value) {
            Some(Written::Object(table)) => self.by_name(scope, (class, callee), table)?,
            Some(written) => {
                let sources = self.sources(scope, written)?;
                (positional(scope, (class, callee), &sources, written.range())?, Map::new())
            }
            None => {
                let sources = self.before(scope, range)?;
                (positional(scope, (class, callee), &sources, range)?, Map::new())
            }
        };
        Ok(json!({"args": args, "kwargs": kwargs}))
    }

    /// `{"query": "q", "value": "v"}`.
    fn by_name(
        &mut self,
        scope: &mut Scope,
        (class, callee): (&str, &Callee),
        table: &Object<'_>,
    ) -> Outcome<(Vec<Value>, Map<String, Value>)> {
        let in_front = in_front(callee);
        let mut given: Map<String, Value> = Map::new();
        for property in &table.properties {
            let name = key(property);
            let Some(takes) = takes(callee, name) else {
                let mut known: Vec<&str> = in_front.iter().map(String::as_str).collect();
                known.extend(named(callee).collect::<Vec<&str>>());
                let hint = match self.hints.nearest(name, known.iter().copied()) {
                    Some(hint) => format!("did you mean `{hint}`?"),
                    None => format!("it takes {}", quoted(&known)),
                };
                let message = format!("`{class}` is not called with tensors as `{name}`: {hint}");
                return Err(Mistake(property.range(), message));
            };
            let value = match (&property.value, takes) {
                (Written::Array(list), Takes::Several | Takes::SomeOf) => {
                    let mut all = Vec::new();
                    for item in &list.elements {
                        all.push(match item {
                            Written::NullKeyword(_) if takes == Takes::SomeOf => Value::Null,
                            written => {
                                let source = self.source(scope, written)?;
                                scope.tensor(source)
                            }
                        });
                    }
                    all.into()
                }
                (Written::Array(list), Takes::One) => {
                    return Err(Mistake(list.range(), format!("`{name}` of `{class}` is one tensor")));
                }
                (written, _) => {
                    let source = self.source(scope, written)?;
                    scope.tensor(source)
                }
            };
            if given.insert(name.to_string(), value).is_some() {
                return Err(Mistake(property.range(), format!("`{name}` is given twice")));
            }
        }
        let mut first = Vec::new();
        let is_model = matches!(callee, Callee::Model { .. });
        for (k, name) in in_front.iter().enumerate() {
            match given.remove(name) {
                Some(value) => first.push(value),
                None if k == 0 || is_model || in_front[k..].iter().any(|name| given.contains_key(name)) => {
                    return Err(Mistake(table.range(), format!("`{class}` is called on `{name}`, too")));
                }
                None => break,
            }
        }
        // What takes a list has the first tensors in one.
        let takes_list = is_model || matches!(callee, Callee::Layer(layer) if layer.takes_list());
        Ok((if takes_list { vec![first.into()] } else { first }, given))
    }

    /// The tensors of a name, or of a list of them.
    pub fn sources(&mut self, scope: &mut Scope, written: &Written<'_>) -> Outcome<Vec<Source>> {
        match written {
            Written::Array(names) if !names.elements.is_empty() => {
                names.elements.iter().map(|name| self.source(scope, name)).collect()
            }
            Written::StringLit(name) => match scope.find(&name.value) {
                Some(entry) => Ok(scope.all_of(entry)),
                None => Ok(vec![self.source(scope, written)?]),
            },
            other => Err(Mistake(other.range(), "the name of a layer is wanted, or a list of names".into())),
        }
    }

    /// The tensor of a name.
    pub fn source(&mut self, scope: &Scope, written: &Written<'_>) -> Outcome<Source> {
        let Written::StringLit(text) = written else {
            return Err(Mistake(written.range(), "the name of a layer is wanted".into()));
        };
        if let Some(entry) = scope.find(&text.value) {
            return Ok(Source { entry, output: 0 });
        }
        let numbered = text
            .value
            .rsplit_once(':')
            .and_then(|(name, number)| Some((name, scope.find(name)?, number.parse::<u64>().ok()?)));
        let Some((name, entry, output)) = numbered else {
            let known = scope.entries.iter().map(|entry| entry.name.as_str());
            let hint = self.hints.nearest(&text.value, known);
            let hint = hint.map(|hint| format!("; did you mean `{hint}`?")).unwrap_or_default();
            let message = format!("nothing before has the name `{}`{hint}", text.value);
            return Err(Mistake(written.range(), message));
        };
        let most = match &scope.entries[entry].callee {
            Callee::Input => 1,
            Callee::Layer(layer) if layer.operator.gives_any_number() => u64::MAX,
            Callee::Layer(layer) => layer.operator.outputs.len() as u64,
            Callee::Model { outputs, .. } => *outputs,
        };
        if output >= most {
            let last = match most {
                1 => "one thing alone".to_string(),
                _ => format!("`{name}:0` to `{name}:{}`", most - 1),
            };
            return Err(Mistake(written.range(), format!("`{name}` gives {last}")));
        }
        Ok(Source { entry, output })
    }
}

/// How many tensors an argument of a call is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    One,
    Several,
    /// A list with something for each of the tensors in front, or nothing.
    SomeOf,
}

/// What comes first in a call, or is listed there.
fn in_front(callee: &Callee) -> Vec<String> {
    match callee {
        Callee::Input => Vec::new(),
        Callee::Model { inputs, .. } => inputs.clone(),
        Callee::Layer(layer) if layer.takes_list() => listed(layer).map(str::to_string).collect(),
        Callee::Layer(layer) => vec![layer.takes[0].to_string()],
    }
}

/// The tensors in the list that a layer is called on.
fn listed(layer: &'static Layer) -> impl Iterator<Item = &'static str> {
    let names = layer.operator.inputs.iter().map(|input| input.name);
    names.filter(|name| layer.is_given(name) && !name.ends_with("mask"))
}

/// The other tensors of a call.
fn named(callee: &Callee) -> impl Iterator<Item = &'static str> {
    let layer = match callee {
        Callee::Layer(layer) => Some(*layer),
        Callee::Input | Callee::Model { .. } => None,
    };
    let all = layer.into_iter().flat_map(|layer| layer.takes[1..].iter().map(move |name| (layer, *name)));
    let is_tensor = |(layer, name): &(&Layer, &str)| {
        let is_input = layer.operator.inputs.iter().any(|input| input.name == *name);
        is_input || *name == "mask" && layer.takes_list()
    };
    all.filter(is_tensor).map(|(_, name)| name)
}

fn takes(callee: &Callee, name: &str) -> Option<Takes> {
    if !in_front(callee).iter().any(|own| own == name) && !named(callee).any(|own| own == name) {
        return None;
    }
    let Callee::Layer(layer) = callee else { return Some(Takes::One) };
    let own = layer.operator.inputs.iter().find(|input| input.name == name).or_else(|| {
        // The first argument, under the name that Keras gives it.
        layer.operator.inputs.first().filter(|_| name == layer.takes[0])
    });
    Some(match own.map(|input| input.arity) {
        _ if name == "mask" && own.is_none() => Takes::SomeOf,
        Some(Arity::Any) if name == "mask" => Takes::SomeOf,
        Some(Arity::Any | Arity::Variadic) => Takes::Several,
        _ => Takes::One,
    })
}

/// Tensors by position: in one list where the layer wants that, otherwise one by one.
fn positional(
    scope: &mut Scope,
    (class, callee): (&str, &Callee),
    sources: &[Source],
    range: Range,
) -> Outcome<Vec<Value>> {
    let one = |count: usize| if count == 1 { "one tensor".to_string() } else { format!("{count} tensors") };
    let wrong = |wanted: String| {
        Err(Mistake(range, format!("`{class}` is called on {wanted}, and here on {}", sources.len())))
    };
    let tensors = |scope: &mut Scope| scope.tensors(sources);
    match callee {
        Callee::Input => wrong("nothing".into()),
        Callee::Model { inputs, .. } if inputs.len() != sources.len() => wrong(one(inputs.len())),
        Callee::Model { .. } => Ok(vec![tensors(scope).into()]),
        Callee::Layer(layer) => {
            let inputs = layer.operator.inputs;
            // Older models list the states of a layer with what it walks along.
            let has_states = layer.takes.get(1).is_some_and(|next| {
                inputs.iter().any(|input| input.name == *next && input.arity == Arity::Any)
            });
            let most = match () {
                () if inputs[0].arity == Arity::Variadic || has_states => usize::MAX,
                () if layer.takes_list() => listed(layer).count(),
                () => 1 + named(callee).count(),
            };
            if sources.len() > most {
                return wrong(if most == 1 { one(1) } else { format!("{most} tensors at most") });
            }
            let in_list = inputs[0].arity == Arity::Variadic || layer.takes_list();
            let tensors = tensors(scope);
            let in_list = in_list || has_states && tensors.len() > 1;
            Ok(if in_list { vec![tensors.into()] } else { tensors })
        }
    }
}
