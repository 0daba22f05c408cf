//! What a layer's stored weights say of its arguments: where one argument was changed after they were stored, they
//! still have the shapes that it gave them.

use super::stored::Found;
use super::{arguments, stored, weights};
use layers::layer::Layer;
use program::ir::Mend;
use semantics::operator::{Parameter, ParameterKind};
use serde_json::{Map, Value, json};

/// An argument as it must have been when the weights were stored.
pub(super) struct Meant {
    pub mend: Mend,
    /// ``make `units` 5 (it is 6)``
    pub words: String,
}

/// Layers in layers in layers.
const DEEPEST: usize = 3;
/// More sizes than these are not tried.
const MOST_SIZES: usize = 24;
/// Numbers that are tried beside those of the stored shapes, which axes and groups are not among.
const SMALL: [i64; 14] = [-1, 1, 2, 3, 4, -2, -3, 5, 6, 7, 8, 16, 32, 0];

/// The change of one argument after which a layer makes weights of the shapes that are stored, for the inputs that it
/// was built for.
pub(super) fn of(
    layer: &'static Layer,
    config: &Map<String, Value>,
    build_config: &Value,
    found: &[Found],
) -> Option<Meant> {
    let mut sizes: Vec<i64> = Vec::new();
    let mut shapes: Vec<Vec<i64>> = Vec::new();
    for (_, array) in found {
        let constant = stored::constant(array)?;
        sizes.extend(&constant.sizes);
        shapes.push(constant.sizes);
    }
    let mut distinct: Vec<i64> = Vec::new();
    sizes.into_iter().chain(SMALL).for_each(|size| {
        if !distinct.contains(&size) && distinct.len() < MOST_SIZES + SMALL.len() {
            distinct.push(size);
        }
    });
    let tried = Tried { sizes: distinct, first: shapes.first().cloned().unwrap_or_default() };
    let fits = |changed: &Map<String, Value>| {
        let built = weights::built(layer, changed, build_config)?;
        let names: Vec<&str> = built.iter().map(|(name, _)| *name).collect();
        let ordered = weights::ordered(&names, found.to_vec());
        let fits = built.len() == ordered.len()
            && built.iter().zip(&ordered).all(|((_, sizes), (_, array))| {
                stored::constant(array).is_some_and(|constant| constant.sizes == *sizes)
            });
        fits.then_some(())
    };
    tried.changed(layer, config, DEEPEST, &mut |name, changed| {
        fits(&changed)?;
        let slot = layer.operator.parameters.iter().position(|parameter| parameter.name == name)?;
        let read = arguments::read(layer, &changed).arguments;
        let given = read.into_iter().find(|(own, _)| *own == name).map(|(_, given)| given);
        let (now, before) = (changed.get(name).unwrap_or(&Value::Null), config.get(name));
        let words = match before {
            _ if now.is_object() => format!("change `{name}`"),
            Some(before) => format!("make `{name}` {} (it is {})", spaced(now), spaced(before)),
            None => format!("give it `{name}`, {}", spaced(now)),
        };
        Some(Meant { mend: Mend { slot, given }, words })
    })
}

/// Numbers and lists of them as people write them.
fn spaced(value: &Value) -> String {
    value.to_string().replace(',', ", ")
}

/// What arguments are tried to be.
struct Tried {
    /// Numbers, those of the stored shapes first.
    sizes: Vec<i64>,
    /// The first stored shape: windows come first in it.
    first: Vec<i64>,
}

impl Tried {
    /// The first configuration with one other argument that is agreed to, by the outermost argument that it changes.
    fn changed<T>(
        &self,
        layer: &'static Layer,
        config: &Map<String, Value>,
        depth: usize,
        agree: &mut dyn FnMut(&'static str, Map<String, Value>) -> Option<T>,
    ) -> Option<T> {
        for parameter in layer.operator.parameters.iter().filter(|own| !layer.takes.contains(&own.name)) {
            let name = parameter.name;
            let mut offer = |value: Value| {
                let mut changed = config.clone();
                changed.insert(name.to_string(), value);
                agree(name, changed)
            };
            if let ParameterKind::Operators(_) = parameter.kind {
                let Some(inner) = config.get(name).filter(|_| depth > 0) else { continue };
                let found = match inner.as_array() {
                    Some(list) => (0..list.len()).find_map(|at| {
                        self.inside(&list[at], depth, &mut |layer| {
                            let mut changed = list.clone();
                            changed[at] = layer;
                            offer(changed.into())
                        })
                    }),
                    None => self.inside(inner, depth, &mut offer),
                };
                if found.is_some() {
                    return found;
                }
                continue;
            }
            for value in self.values(parameter, config.get(name)) {
                if let Some(found) = offer(value) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// The first change of a layer that is an argument which is agreed to.
    fn inside<T>(&self, layer: &Value, depth: usize, offer: &mut dyn FnMut(Value) -> Option<T>) -> Option<T> {
        let class = layer["class_name"].as_str().and_then(layers::layers::by_name)?;
        self.changed(class, layer["config"].as_object()?, depth - 1, &mut |_, changed| {
            let mut outer = layer.clone();
            outer["config"] = changed.into();
            offer(outer)
        })
    }

    fn values(&self, parameter: &Parameter, now: Option<&Value>) -> Vec<Value> {
        let numbers = || self.sizes.iter().map(|size| json!(size));
        match (parameter.kind, now.and_then(Value::as_array)) {
            (ParameterKind::Int, _) if parameter.name == "axis" => SMALL.map(|axis| json!(axis)).to_vec(),
            (ParameterKind::Int, _) => numbers().collect(),
            (ParameterKind::Ints, Some(list)) => {
                let front = self.first.get(..list.len()).map(|front| json!(front));
                let one = |at: usize| {
                    numbers().map(move |number| {
                        let mut changed = list.clone();
                        changed[at] = number;
                        Value::from(changed)
                    })
                };
                front.into_iter().chain((0..list.len()).flat_map(one)).collect()
            }
            (ParameterKind::Ints, None) => {
                let fronts = (1..=3).filter_map(|axes| self.first.get(..axes)).map(|front| json!(front));
                numbers().chain(fronts).collect()
            }
            (ParameterKind::Flag, _) => vec![json!(true), json!(false)],
            (ParameterKind::Word(words), _) => words.iter().map(|word| json!(word)).collect(),
            _ => Vec::new(),
        }
    }
}
