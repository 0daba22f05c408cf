//! The weights that a layer makes, and what is stored for it.

use super::arguments;
use super::stored::{self, Found};
use layers::layer::Layer;
use program::ir::{Constant, Fault, Invocation, ValueId};
use rustc_hash::FxHashMap;
use semantics::dim::{Dim, LARGEST_SIZE, Origin};
use semantics::dtype::Kind;
use semantics::operator::{Arity, Backend, Category};
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use serde_json::{Map, Value};
use smallvec::{SmallVec, smallvec};

/// Ranks that are tried, the most frequent ones first.
const RANKS: [usize; 8] = [2, 3, 4, 5, 1, 6, 7, 8];

/// The names of the weights that a layer makes, in the order in which Keras keeps them; `None` if that is not known.
/// They depend on its arguments alone, so any input that it takes will tell.
pub(super) fn made(layer: &'static Layer, config: &Map<String, Value>) -> Option<Vec<&'static str>> {
    let read = arguments::read(layer, config);
    if !read.faults.is_empty() || !read.unknown.is_empty() {
        return None;
    }
    let operator = &layer.operator;
    let mut given = vec![None; operator.parameters.len()];
    for (name, argument) in read.arguments {
        given[operator.parameters.iter().position(|parameter| parameter.name == name)?] = Some(argument);
    }
    let needed = |arity: Arity| matches!(arity, Arity::One | Arity::Variadic);
    let tensors = operator.inputs.iter().map(|input| match needed(input.arity) {
        true => smallvec![ValueId(0)],
        false => smallvec![],
    });
    let invocation = Invocation {
        operator,
        define: operator.define,
        tensors: tensors.collect(),
        arguments: given,
        channels_first: None,
        narrower: SmallVec::new(),
        backend: Backend::default(),
    };
    semantics::arena::scope(|| {
        RANKS.into_iter().find_map(|rank| {
            let size =
                |axis: usize| Dim::symbol_from(&format!("size{axis}"), 1, LARGEST_SIZE, Origin::input("any"));
            let input = Tensor::given("any", Kind::F32, Shape::new((0..rank).map(size)));
            let mut call = program::arguments::call(&invocation, 1, &mut |_| input);
            let made = (layer.weights)(&mut call).ok()?;
            Some(made.into_iter().map(|weight| weight.name).collect())
        })
    })
}

/// Gives each weight what is stored for it.
pub(super) fn bound(made: &[&str], found: Vec<Found>) -> Result<Vec<(String, Constant)>, Fault> {
    let fault = |label: &str, detail: String| Fault {
        category: Category::IncompatibleShape,
        label: label.into(),
        detail,
    };
    if made.len() != found.len() {
        let stored = match found.as_slice() {
            [] => "nothing is stored for it".to_string(),
            [(path, _)] => format!("1 array is stored, `{path}`"),
            [(first, _), .., (last, _)] => {
                format!("{} arrays are stored, `{first}` to `{last}`", found.len())
            }
        };
        let makes = match made {
            [] => "makes none".to_string(),
            names => format!("makes `{}`", names.join("`, `")),
        };
        return Err(fault(
            "the weights that the layer makes are stored",
            format!("it {makes}, and {stored}"),
        ));
    }
    let found = by_name(made, found);
    let pairs = made.iter().zip(found).map(|(name, (path, array))| {
        let constant = stored::constant(&array);
        let constant =
            constant.ok_or_else(|| fault("stored weights are numbers", format!("`{path}` is not")));
        Ok((name.to_string(), constant?))
    });
    pairs.collect()
}

/// What is stored, in the order of the weights: by the names that older files have (`dense/kernel:0`) where they say
/// it all, otherwise as it stands.
fn by_name(made: &[&str], found: Vec<Found>) -> Vec<Found> {
    let stored = |path: &str| path.rsplit('/').next().unwrap_or_default().trim_end_matches(":0").to_string();
    let wanted = |name: &&str| name.rsplit('.').next().unwrap_or_default().to_string();
    let mut table: FxHashMap<String, Found> = FxHashMap::default();
    for (path, array) in &found {
        table.insert(stored(path), (path.clone(), array.clone()));
    }
    let ordered: Option<Vec<Found>> = made.iter().map(|name| table.remove(&wanted(name))).collect();
    ordered.filter(|ordered| ordered.len() == found.len()).unwrap_or(found)
}
