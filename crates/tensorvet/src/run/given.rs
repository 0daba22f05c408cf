//! The inputs of a run: read from files, taken from what was observed, or drawn at random.

use super::RunArgs;
use super::expect::Expected;
use crate::inputs::{dim, once, quoted};
use anyhow::{Context, Result, bail};
use arrays::npy::NpyArray;
use engines::evaluate::MOST_ELEMENTS;
use program::ir::{Declared, Program, Size, ValueId};
use semantics::array::{Array, Data};
use semantics::dtype::{Class, Kind};
use std::collections::BTreeMap;
use std::path::Path;

/// Sizes by name, with where each is from.
type Sizes = BTreeMap<String, (usize, String)>;

pub fn inputs(
    program: &Program,
    arguments: &RunArgs,
    expected: Option<&Expected>,
    casts: bool,
) -> Result<Vec<(ValueId, Array)>> {
    let mut sizes = dims(program, &arguments.dims)?;
    once("--input", arguments.inputs.iter().filter_map(|text| Some(text.split_once('=')?.0)))?;
    let mut given: BTreeMap<ValueId, Array> = BTreeMap::new();
    for text in &arguments.inputs {
        let (name, file) =
            text.split_once('=').context(format!("--input {text}: `NAME=FILE.npy` expected"))?;
        let names: Vec<&str> = program.graph.inputs.iter().map(|&value| program.name(value)).collect();
        let Some(&value) = program.graph.inputs.iter().find(|&&value| program.name(value) == name) else {
            bail!("--input {name}: the model has no such input; it has {}", quoted(&names));
        };
        if expected.is_some_and(|expected| expected.contains(value)) {
            bail!("--input {name}: the expected values already say what it is");
        }
        let array = NpyArray::read(Path::new(file))?;
        let array = array.to_array(declared_kind(program, value));
        given.insert(value, array.map_err(|why| anyhow::anyhow!("--input {name}: {why}"))?);
    }
    for &value in &program.graph.inputs {
        if let Some(array) = expected.map(|expected| expected.value(value)).transpose()?.flatten() {
            given.insert(value, array);
        }
        // Keras casts what it is given to what an input declares.
        if let (true, Some(kind), Some(array)) = (casts, declared_kind(program, value), given.get_mut(&value))
            && let Some(cast) = cast(array, kind)
        {
            if !arguments.quiet {
                eprintln!(
                    "note: `{}` is {} and is cast to {kind}, as Keras does",
                    program.name(value),
                    array.kind
                );
            }
            *array = cast;
        }
        if let Some(array) = given.get(&value) {
            fit(program, value, array, &mut sizes)?;
        }
    }
    let stored = |value: ValueId| program.graph.constants.iter().any(|(constant, _)| *constant == value);
    for (position, &value) in program.graph.inputs.iter().enumerate() {
        if given.contains_key(&value) || stored(value) {
            continue;
        }
        if expected.is_some() {
            let name = program.name(value);
            bail!("`{name}` is neither among the expected values nor given with --input");
        }
        let seed = arguments.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(position as u64);
        given.insert(value, drawn(program, value, &sizes, &mut Draw(seed))?);
    }
    Ok(given.into_iter().collect())
}

/// The array in another type of real numbers; `None` if it has that type, or is none of them.
fn cast(array: &Array, kind: Kind) -> Option<Array> {
    let is_real = |kind: Kind| matches!(kind.class(), Class::Bool | Class::Int | Class::Float);
    if array.kind == kind || !is_real(array.kind) || !is_real(kind) {
        return None;
    }
    let numbers: Vec<f64> = match &array.data {
        Data::Bool(values) => values.iter().map(|&value| value.into()).collect(),
        Data::Int(values) => values.iter().map(|&value| value as f64).collect(),
        Data::Float(values) => values.clone(),
        Data::Complex(_) | Data::Opaque(_) => return None,
    };
    let data = match (kind.class(), &array.data) {
        (Class::Bool, _) => Data::Bool(numbers.iter().map(|&value| value != 0.0).collect()),
        (Class::Int, Data::Int(values)) => Data::Int(values.iter().map(|&value| kind.wrap(value)).collect()),
        (Class::Int, _) => Data::Int(numbers.iter().map(|&value| kind.wrap(value as i64)).collect()),
        _ => Data::Float(numbers.iter().map(|&value| kind.round(value)).collect()),
    };
    Some(Array::new(kind, array.shape.clone(), data))
}

fn dims(program: &Program, texts: &[String]) -> Result<Sizes> {
    let mut names: Vec<&str> = Vec::new();
    for &value in &program.graph.inputs {
        names.extend(declared_sizes(program, value).iter().filter_map(|size| match size {
            Size::Named(name) => Some(&**name),
            _ => None,
        }));
    }
    names.sort_unstable();
    names.dedup();
    once("--dim", texts.iter().filter_map(|text| Some(text.split_once('=')?.0.trim())))?;
    let mut sizes = Sizes::new();
    for text in texts {
        let (name, low, high) = dim(text)?;
        if low != high {
            bail!("--dim {name}: a run needs one size, not {low}..{high}");
        }
        if !names.contains(&name.as_str()) {
            bail!("--dim {name}: no input has a size of this name; there is {}", quoted(&names));
        }
        sizes.insert(name, (usize::try_from(low)?, "--dim".into()));
    }
    Ok(sizes)
}

/// Whether an array is what the model declares; tells the sizes that names stand for.
fn fit(program: &Program, value: ValueId, array: &Array, known: &mut Sizes) -> Result<()> {
    let name = program.name(value);
    if let Some(kind) = declared_kind(program, value)
        && kind != array.kind
    {
        bail!("`{name}` is {}, but the model declares {kind}", array.kind);
    }
    let Some(Declared::Tensor { sizes: Some(sizes), .. }) = program.declared(value) else { return Ok(()) };
    if sizes.len() != array.shape.len() {
        bail!("`{name}` has {} axes, but the model declares {}", array.shape.len(), sizes.len());
    }
    for (axis, (size, &found)) in sizes.iter().zip(&array.shape).enumerate() {
        match size {
            Size::Known(size) if *size != found as i64 => {
                bail!("axis {axis} of `{name}` has size {found}, but the model declares {size}");
            }
            Size::Named(symbol) => {
                let (size, origin) =
                    known.entry(symbol.to_string()).or_insert_with(|| (found, format!("`{name}`")));
                if *size != found {
                    bail!("axis {axis} of `{name}` has size {found}, but {origin} says `{symbol}` = {size}");
                }
            }
            Size::Known(_) | Size::Unknown => {}
        }
    }
    Ok(())
}

fn declared_kind(program: &Program, value: ValueId) -> Option<Kind> {
    match program.declared(value) {
        Some(Declared::Tensor { kind, .. }) => *kind,
        _ => None,
    }
}

fn declared_sizes(program: &Program, value: ValueId) -> &[Size] {
    match program.declared(value) {
        Some(Declared::Tensor { sizes: Some(sizes), .. }) => sizes,
        _ => &[],
    }
}

/// An input of the declared type and shape: floats of a standard normal distribution, bools, and the integers
/// 0 and 1, which are good indices, masks and tokens in most models.
fn drawn(program: &Program, value: ValueId, known: &Sizes, draw: &mut Draw) -> Result<Array> {
    let name = program.name(value);
    let Some(Declared::Tensor { kind: Some(kind), sizes: Some(sizes) }) = program.declared(value) else {
        bail!(
            "`{name}` has no declared type and shape to draw it from: give it with --input {name}=FILE.npy"
        );
    };
    let mut shape = Vec::with_capacity(sizes.len());
    for (axis, size) in sizes.iter().enumerate() {
        shape.push(match size {
            Size::Known(size) => {
                usize::try_from(*size).context(format!("axis {axis} of `{name}` is negative"))?
            }
            Size::Named(symbol) => match known.get(&**symbol) {
                Some((size, _)) => *size,
                None => {
                    bail!("the size `{symbol}` of `{name}` is not known: give it with --dim {symbol}=SIZE")
                }
            },
            Size::Unknown => {
                bail!("axis {axis} of `{name}` has no declared size: give it with --input {name}=FILE.npy")
            }
        });
    }
    let count = shape.iter().try_fold(1usize, |count, &size| count.checked_mul(size));
    let Some(count) = count.filter(|&count| count <= MOST_ELEMENTS) else {
        bail!("`{name}` of shape {shape:?} has too many elements to draw");
    };
    let data = match kind.class() {
        Class::Float => Data::Float((0..count).map(|_| kind.round(draw.normal())).collect()),
        Class::Int => Data::Int((0..count).map(|_| i64::from(draw.bit())).collect()),
        Class::Bool => Data::Bool((0..count).map(|_| draw.bit()).collect()),
        Class::Complex => {
            let part = if *kind == Kind::C64 { Kind::F32 } else { Kind::F64 };
            Data::Complex(
                (0..count).map(|_| [part.round(draw.normal()), part.round(draw.normal())]).collect(),
            )
        }
        Class::Opaque => {
            bail!("`{name}` is {kind}, which is not drawn: give it with --input {name}=FILE.npy")
        }
    };
    Ok(Array::new(*kind, shape, data))
}

/// A small generator of random numbers (splitmix64): the same on every machine.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
    fn bit(&mut self) -> bool {
        self.next() >> 63 == 1
    }
    /// Uniform in (0, 1].
    fn unit(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }
    /// Box and Muller's method.
    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}
