//! The weights that a layer makes, and what is stored for it.

use super::arguments;
use super::low_rank;
use super::stored::{self, Found};
use layers::layer::Layer;
use program::ir::{Constant, Fault, Invocation, ValueId};
use rustc_hash::FxHashMap;
use semantics::array::Array;
use semantics::call::Requirement;
use semantics::dim::{Dim, LARGEST_SIZE, Origin};
use semantics::dtype::Kind;
use semantics::operator::{Arity, Backend, Category};
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use serde_json::{Map, Value};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

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
        policy: None,
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

/// A weight by its name, and its sizes.
pub(super) type Built = (&'static str, Vec<i64>);

/// The weights that a layer has made for the shapes which `build_config` says it was built with; `None` if it says
/// none, or if they do not tell all sizes.
pub(super) fn built(
    layer: &'static Layer,
    config: &Map<String, Value>,
    build_config: &Value,
) -> Option<Vec<Built>> {
    made_for(layer, config, build_config)?.ok()
}

/// What does not hold of a layer that makes no weights for these shapes.
pub(super) fn refused(
    layer: &'static Layer,
    config: &Map<String, Value>,
    build_config: &Value,
) -> Option<(Category, &'static str)> {
    made_for(layer, config, build_config)?.err()
}

fn made_for(
    layer: &'static Layer,
    config: &Map<String, Value>,
    build_config: &Value,
) -> Option<Result<Vec<Built>, (Category, &'static str)>> {
    let operator = &layer.operator;
    let shapes: Vec<(usize, &Value)> = match (&build_config["input_shape"], &build_config["shapes_dict"]) {
        (Value::Array(shape), _) if shape.iter().any(Value::is_array) => return None,
        (shape @ Value::Array(_), _) => vec![(0, shape)],
        (_, Value::Object(shapes)) => {
            let place = |(name, shape)| {
                let of = <String as AsRef<str>>::as_ref(name).strip_suffix("_shape")?;
                Some((operator.inputs.iter().position(|input| input.name == of)?, shape))
            };
            shapes.iter().map(place).collect::<Option<_>>()?
        }
        _ => return None,
    };
    let read = arguments::read(layer, config);
    if !read.faults.is_empty() || !read.unknown.is_empty() {
        return None;
    }
    let mut given = vec![None; operator.parameters.len()];
    for (name, argument) in read.arguments {
        given[operator.parameters.iter().position(|parameter| parameter.name == name)?] = Some(argument);
    }
    let slot = |place: usize| shapes.iter().position(|(of, _)| *of == place);
    let tensors = (0..operator.inputs.len()).map(|place| slot(place).map(|k| ValueId(k as u32)));
    let tensors = tensors.map(|value| value.into_iter().collect()).collect();
    let invocation = Invocation {
        operator,
        define: operator.define,
        tensors,
        arguments: given,
        channels_first: None,
        narrower: SmallVec::new(),
        backend: Backend::default(),
        policy: None,
    };
    semantics::arena::scope(|| {
        let mut call = program::arguments::call(&invocation, 1, &mut |ValueId(k)| {
            let sizes = shapes[k as usize].1.as_array().map(Vec::as_slice).unwrap_or_default();
            let size = |(axis, size): (usize, &Value)| match size.as_i64() {
                Some(size) => Dim::from(size),
                None => Dim::symbol_from(&format!("size{k}_{axis}"), 1, LARGEST_SIZE, Origin::input("any")),
            };
            Tensor::given("any", Kind::F32, Shape::new(sizes.iter().enumerate().map(size)))
        });
        let made = (layer.weights)(&mut call);
        let is_broken = |requirement: &&Requirement| requirement.prop.known() == Some(false);
        if let Some(broken) = call.requirements.iter().find(is_broken) {
            return Some(Err((broken.category, broken.label)));
        }
        let made = made.ok().filter(|made| !made.is_empty())?;
        let sizes = |shape: Shape| shape.sizes()?.iter().map(|size| size.known()).collect::<Option<_>>();
        let each = made.into_iter().map(|weight| Some((weight.name, sizes(weight.shape)?)));
        each.collect::<Option<_>>().map(Ok)
    })
}

/// What is stored, if it has the shapes for which the layer was built.
pub(super) fn fits(
    bound: Vec<(String, Constant)>,
    built: Option<&[Built]>,
) -> Result<Vec<(String, Constant)>, Fault> {
    for ((name, constant), (_, sizes)) in bound.iter().zip(built.unwrap_or_default()) {
        if constant.sizes != *sizes {
            let stored = &constant.sizes;
            return Err(Fault {
                category: Category::IncompatibleShape,
                label: "a weight has the shape that the layer gives it".into(),
                detail: format!("its arguments make `{name}` {sizes:?}, and {stored:?} is stored"),
                mend: None,
            });
        }
    }
    Ok(bound)
}

/// Gives each weight what is stored for it.
pub(super) fn bound(
    made: &[&str],
    mut found: Vec<Found>,
    config: &Map<String, Value>,
) -> Result<Vec<(String, Constant)>, Fault> {
    let addend = low_rank::taken(&mut found, config);
    let fault = |label: &str, detail: String| Fault {
        category: Category::IncompatibleShape,
        label: label.into(),
        detail,
        mend: None,
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
    let found = ordered(made, found);
    let pairs = made.iter().zip(found).map(|(name, (path, array))| {
        let constant = stored::constant(&array);
        let constant =
            constant.ok_or_else(|| fault("stored weights are numbers", format!("`{path}` is not")));
        let constant = in_floats(constant?);
        let constant = match &addend {
            Some(addend) => addend.added(name, constant),
            None => constant,
        };
        Ok((name.to_string(), constant))
    });
    pairs.collect()
}

/// Integers that are stored for a weight become floats, as Keras casts them.
fn in_floats(constant: Constant) -> Constant {
    if !constant.kind.is_int() {
        return constant;
    }
    let load = constant.load;
    let floats = move || {
        let array = load()?;
        let values: Vec<f64> = array.as_ints()?.iter().map(|&value| Kind::F32.round(value as f64)).collect();
        Some(Array::floats(Kind::F32, &array.shape, values))
    };
    Constant { kind: Kind::F32, sizes: constant.sizes, load: Rc::new(floats) }
}

/// What is stored, in the order of the weights: by the names that older files have (`dense/kernel:0`) where they say
/// it all, otherwise as it stands.
pub(super) fn ordered(made: &[&str], found: Vec<Found>) -> Vec<Found> {
    let stored = |path: &str| path.rsplit('/').next().unwrap_or_default().trim_end_matches(":0").to_string();
    let wanted = |name: &&str| name.rsplit('.').next().unwrap_or_default().to_string();
    let mut table: FxHashMap<String, Found> = FxHashMap::default();
    for (path, array) in &found {
        table.insert(stored(path), (path.clone(), array.clone()));
    }
    let ordered: Option<Vec<Found>> = made.iter().map(|name| table.remove(&wanted(name))).collect();
    ordered.filter(|ordered| ordered.len() == found.len()).unwrap_or(found)
}
