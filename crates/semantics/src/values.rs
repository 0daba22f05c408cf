//! Shapes as values: the number domain whose numbers are [`Dim`]s.
//!
//! Reading integer formulas in this domain carries sizes through Shape, Gather, Concat, Reshape and every
//! other operator without a rule of its own for each.

use crate::array::{Array, Data};
use crate::dim::Dim;
use crate::dtype::{Class, Kind};
use crate::element::{Element, ElementView};
use crate::prop::Prop;
use crate::scalar::{Binary, Fold, Unary};
use crate::tensor::{Content, Tensor};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;

/// Tensors with more elements than this are data, not shapes.
pub const MOST_VALUES: usize = 1024;
/// So few elements are read all at once when one of them is asked for.
const FEW_VALUES: usize = 8;
/// Folds longer than this are not unrolled.
const LONGEST_FOLD: i64 = 256;
/// Parts of formulas read for one tensor; what takes more is data, not a shape.
const MOST_STEPS: usize = 200_000;
/// Formulas and tensors read inside each other; a long chain of arithmetic on sizes has a few hundred.
const DEEPEST: usize = 1000;

/// One element of a small tensor, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Int(Dim),
    /// A float that is the quotient of an integer expression and a positive number: what size arithmetic in
    /// floats (`floor(H * 0.5)`) needs.
    Ratio(Dim, i64),
    Float(f64),
    Bool(Prop),
    Unknown,
}

impl Value {
    pub fn dim(self) -> Option<Dim> {
        match self {
            Value::Int(dim) => Some(dim),
            Value::Bool(prop) => Some(Dim::select(prop, 1, 0)),
            _ => None,
        }
    }
    pub fn float(self) -> Option<f64> {
        match self {
            Value::Float(value) => Some(value),
            Value::Int(dim) => dim.known().map(|value| value as f64),
            Value::Ratio(dim, divisor) => dim.known().map(|value| value as f64 / divisor as f64),
            _ => None,
        }
    }
    pub fn prop(self) -> Option<Prop> {
        match self {
            Value::Bool(prop) => Some(prop),
            Value::Int(dim) | Value::Ratio(dim, _) => Some(dim.ne(0)),
            Value::Float(value) => Some((value != 0.0).into()),
            Value::Unknown => None,
        }
    }
}

/// All elements of a small tensor.
pub(crate) fn read(tensor: Tensor) -> Option<Vec<Value>> {
    deeper(|| elements(tensor)).flatten()
}

/// All elements of a small tensor, if the first is known.
pub(crate) fn read_unless_unknown(tensor: Tensor) -> Option<Rc<[Value]>> {
    if !tensor.values_are_read() {
        let first: Vec<Dim> = tensor.shape().sizes()?.iter().map(|_| 0.into()).collect();
        let is_empty = || tensor.shape().count().known() == Some(0);
        if matches!(Reader::default().one(tensor, &first), Some(Value::Unknown)) && !is_empty() {
            return None;
        }
    }
    tensor.values()
}

/// Whether [`read`] gives something, without reading a formula for it.
pub(crate) fn are_told(tensor: Tensor) -> bool {
    match tensor.content() {
        Content::Formula { .. } => sizes_of_few(tensor).is_some(),
        Content::Composed(composition, output) => {
            sizes_of_few(tensor).is_some() && composition.output(output).has_values()
        }
        _ => tensor.values().is_some(),
    }
}

thread_local!(static DEPTH: Cell<usize> = const { Cell::new(0) });

/// Runs a step of a recursion through formulas and the tensors they read, unless it is too deep for the stack.
pub(crate) fn deeper<R>(step: impl FnOnce() -> R) -> Option<R> {
    if DEPTH.get() >= DEEPEST {
        return None;
    }
    struct Level;
    impl Drop for Level {
        fn drop(&mut self) {
            DEPTH.set(DEPTH.get() - 1);
        }
    }
    DEPTH.set(DEPTH.get() + 1);
    let _level = Level;
    Some(step())
}

/// The sizes of a tensor that is small enough to be read, and how many elements that makes.
fn sizes_of_few(tensor: Tensor) -> Option<(Vec<usize>, usize)> {
    let sizes = tensor.shape().sizes()?;
    let sizes: Vec<usize> = sizes
        .iter()
        .map(|size| size.known().and_then(|size| usize::try_from(size).ok()))
        .collect::<Option<_>>()?;
    let count = sizes.iter().try_fold(1usize, |count, &size| count.checked_mul(size))?;
    (count <= MOST_VALUES).then_some((sizes, count))
}

fn elements(tensor: Tensor) -> Option<Vec<Value>> {
    let (sizes, count) = sizes_of_few(tensor)?;
    match tensor.content() {
        Content::Given | Content::Random(_) => None,
        Content::Opaque(opaque, output) => {
            let inputs: Vec<Array> =
                opaque.inputs.iter().map(|&input| array(input)).collect::<Option<_>>()?;
            let computed = (opaque.compute)(&inputs).ok()?;
            stored(&computed.get(output)?.array).filter(|values| values.len() == count)
        }
        Content::Composed(composition, output) => {
            composition.output(output).values().map(|values| values.to_vec())
        }
        Content::Dims(dims) => Some(dims.iter().map(|&dim| Value::Int(dim)).collect()),
        Content::Stored(load) => stored(&load()?),
        Content::Formula { element, .. } => {
            let mut reader = Reader::default();
            let mut values = Vec::with_capacity(count);
            for flat in 0..count {
                let index = unflatten(flat, &sizes);
                values.push(reader.read(element(&index)));
            }
            Some(values)
        }
    }
}

fn stored(array: &Array) -> Option<Vec<Value>> {
    Some(match &array.data {
        Data::Int(values) => values.iter().map(|&value| Value::Int(value.into())).collect(),
        Data::Float(values) => values.iter().map(|&value| Value::Float(value)).collect(),
        Data::Bool(values) => values.iter().map(|&value| Value::Bool(value.into())).collect(),
        Data::Complex(_) | Data::Opaque(_) => return None,
    })
}

/// A small tensor as an array, if every element is a number.
fn array(tensor: Tensor) -> Option<Array> {
    let kind = tensor.dtype().known()?;
    let size = |size: &Dim| size.known().and_then(|size| usize::try_from(size).ok());
    let shape: Vec<usize> = tensor.shape().sizes()?.iter().map(size).collect::<Option<_>>()?;
    let values = read_unless_unknown(tensor)?;
    let values = values.iter();
    let data = match kind.class() {
        Class::Int => Data::Int(values.map(|v| v.dim().and_then(Dim::known)).collect::<Option<_>>()?),
        Class::Float => Data::Float(values.map(|v| v.float()).collect::<Option<_>>()?),
        Class::Bool => Data::Bool(values.map(|v| v.prop().and_then(Prop::known)).collect::<Option<_>>()?),
        Class::Complex | Class::Opaque => return None,
    };
    Some(Array::new(kind, shape, data))
}

fn unflatten(flat: usize, sizes: &[usize]) -> Vec<Dim> {
    let mut index = vec![Dim::from(0); sizes.len()];
    let mut rest = flat;
    for axis in (0..sizes.len()).rev() {
        index[axis] = Dim::from(rest % sizes[axis]);
        rest /= sizes[axis];
    }
    index
}

#[derive(Default)]
struct Reader {
    /// Values of fold variables that are being unrolled.
    bound: FxHashMap<crate::dim::DimId, i64>,
    /// Parts of formulas read so far.
    steps: usize,
}

impl Reader {
    fn read(&mut self, element: Element) -> Value {
        self.steps += 1;
        if self.steps > MOST_STEPS || crate::arena::is_used_up() {
            return Value::Unknown;
        }
        deeper(|| self.part(element)).unwrap_or(Value::Unknown)
    }

    fn part(&mut self, element: Element) -> Value {
        let kind = element.kind();
        match element.view() {
            ElementView::Float(value) => Value::Float(value),
            ElementView::Int(value) => Value::Int(value.into()),
            ElementView::Bool(value) => Value::Bool(value.into()),
            ElementView::Index(dim) => {
                self.index(dim).map_or(Value::Unknown, |dim| cast(Value::Int(dim), kind))
            }
            ElementView::At(tensor, index) => self.at(tensor, &index).unwrap_or(Value::Unknown),
            ElementView::Unary(function, x) => unary(function, self.read(x), kind),
            ElementView::Binary(function, x, y) => match self.read(x) {
                Value::Unknown => Value::Unknown,
                x => binary(function, x, self.read(y), kind),
            },
            ElementView::When(prop, x, y) => match self.prop(prop) {
                Some(prop) => self.choose(prop, x, y),
                None => Value::Unknown,
            },
            ElementView::Select(condition, x, y) => match self.read(condition) {
                Value::Bool(prop) => self.choose(prop, x, y),
                _ => Value::Unknown,
            },
            ElementView::Fold { with, variable, extent, body } => {
                self.fold(with, variable, extent, body, kind)
            }
            ElementView::Cast(x) => cast(self.read(x), kind),
        }
    }

    fn choose(&mut self, condition: Prop, then: Element, otherwise: Element) -> Value {
        match condition.known() {
            Some(true) => self.read(then),
            Some(false) => self.read(otherwise),
            None => match self.read(then) {
                Value::Unknown => Value::Unknown,
                then => match (then, self.read(otherwise)) {
                    (Value::Int(a), Value::Int(b)) => Value::Int(Dim::select(condition, a, b)),
                    (Value::Bool(a), Value::Bool(b)) => Value::Bool((condition & a) | (!condition & b)),
                    _ => Value::Unknown,
                },
            },
        }
    }

    fn fold(&mut self, with: Fold, variable: Dim, extent: Dim, body: Element, kind: Kind) -> Value {
        let Some(extent) = self.index(extent).and_then(Dim::known).filter(|&extent| extent <= LONGEST_FOLD)
        else {
            return Value::Unknown;
        };
        let neutral = match (with, kind.class()) {
            (Fold::Sum, Class::Int) => Value::Int(0i64.into()),
            (Fold::Product, Class::Int) => Value::Int(1i64.into()),
            (Fold::Any, _) => Value::Bool(false.into()),
            (Fold::All, _) => Value::Bool(true.into()),
            (Fold::Sum, Class::Float) => Value::Float(0.0),
            (Fold::Product, Class::Float) => Value::Float(1.0),
            (Fold::Max, Class::Float) => Value::Float(f64::NEG_INFINITY),
            (Fold::Min, Class::Float) => Value::Float(f64::INFINITY),
            (Fold::Max | Fold::Min, Class::Int) => {
                let (low, high) = kind.int_range().unwrap_or_default();
                let bound = if with == Fold::Max { low } else { high };
                i64::try_from(bound).map_or(Value::Unknown, |bound| Value::Int(bound.into()))
            }
            _ => Value::Unknown,
        };
        let mut total: Option<Value> = None;
        for k in 0..extent {
            self.bound.insert(variable.id(), k);
            let value = self.read(body);
            let folded = match total {
                None => value,
                Some(total) => binary(with.step(), total, value, kind),
            };
            total = Some(folded);
            // Nothing that comes after makes it known again.
            if let Value::Unknown = folded {
                break;
            }
        }
        self.bound.remove(&variable.id());
        total.unwrap_or(neutral)
    }

    fn at(&mut self, tensor: Tensor, index: &[Dim]) -> Option<Value> {
        let (sizes, count) = sizes_of_few(tensor)?;
        if let Content::Given | Content::Random(_) = tensor.content() {
            return None;
        }
        let (mut flat, mut place) = (0, Vec::with_capacity(sizes.len()));
        for (&position, &size) in index.iter().zip(&sizes) {
            let position = usize::try_from(self.index(position)?.known()?).ok().filter(|at| *at < size)?;
            flat = flat * size + position;
            place.push(Dim::from(position));
        }
        // What the run alone will tell is seen by one element, where all of them are many.
        let asks_one = count > FEW_VALUES && !tensor.values_are_read();
        if asks_one && matches!(self.one(tensor, &place), Some(Value::Unknown)) {
            return None;
        }
        tensor.values()?.get(flat).copied()
    }
    /// One element of a tensor that a formula tells.
    fn one(&mut self, tensor: Tensor, index: &[Dim]) -> Option<Value> {
        let element = match tensor.content() {
            Content::Formula { element, .. } => element,
            Content::Composed(composition, output) => return self.one(composition.output(output), index),
            _ => return None,
        };
        sizes_of_few(tensor)?;
        let mut reader = Reader { steps: self.steps, ..Reader::default() };
        let value = reader.read(element(index));
        self.steps = reader.steps;
        Some(value)
    }

    /// An index expression with bound variables and element values filled in.
    fn index(&mut self, dim: Dim) -> Option<Dim> {
        if dim.known().is_some() {
            return Some(dim);
        }
        dim.substitute(&mut |atom| {
            let this = atom.dim();
            if let Some(&value) = self.bound.get(&this.id()) {
                return Some(value.into());
            }
            match atom.view() {
                crate::dim::AtomView::Value(element) => self.read(element).dim(),
                _ => Some(this),
            }
        })
    }
    fn prop(&mut self, prop: Prop) -> Option<Prop> {
        if prop.known().is_some() {
            return Some(prop);
        }
        prop.map_dims(&mut |dim| self.index(dim))
    }
}

fn cast(value: Value, kind: Kind) -> Value {
    match (value, kind.class()) {
        (Value::Int(dim), Class::Int) => match (dim.known(), kind.int_range()) {
            (Some(known), _) => Value::Int(kind.wrap(known).into()),
            // A size that may not fit the narrower type would wrap.
            (None, Some((low, high))) => {
                let (least, most) = dim.bounds();
                let fits = matches!(kind, Kind::I64 | Kind::U64 | Kind::I32)
                    || (i128::from(least) >= low && i128::from(most) <= high);
                if fits { Value::Int(dim) } else { Value::Unknown }
            }
            (None, None) => Value::Unknown,
        },
        (Value::Int(dim), Class::Float) => match dim.known() {
            Some(known) => Value::Float(kind.round(known as f64)),
            None => Value::Ratio(dim, 1),
        },
        (Value::Int(dim), Class::Bool) => Value::Bool(dim.ne(0)),
        (Value::Ratio(dim, divisor), Class::Int) if dim.bounds().0 >= 0 => Value::Int(dim.div_floor(divisor)),
        (Value::Ratio(..), Class::Float) => value,
        (Value::Float(value), Class::Int) if value.is_finite() => Value::Int(kind.wrap(value as i64).into()),
        (Value::Float(value), Class::Float) => Value::Float(kind.round(value)),
        (Value::Float(value), Class::Bool) => Value::Bool((value != 0.0).into()),
        (Value::Bool(prop), Class::Int) => Value::Int(Dim::select(prop, 1, 0)),
        (Value::Bool(prop), Class::Float) => {
            prop.known().map_or(Value::Unknown, |truth| Value::Float(f64::from(u8::from(truth))))
        }
        (Value::Bool(_), Class::Bool) => value,
        _ => Value::Unknown,
    }
}

fn unary(function: Unary, x: Value, kind: Kind) -> Value {
    match (function, x) {
        (Unary::Neg, Value::Int(dim)) => wrapped(-dim, kind),
        (Unary::Neg, Value::Ratio(dim, divisor)) => Value::Ratio(-dim, divisor),
        (Unary::Abs, Value::Int(dim)) => wrapped(dim.max(-dim), kind),
        (Unary::Floor, Value::Ratio(dim, divisor)) => Value::Ratio(dim.div_floor(divisor), 1),
        (Unary::Ceil, Value::Ratio(dim, divisor)) => Value::Ratio(dim.div_ceil(divisor), 1),
        (Unary::Floor | Unary::Ceil | Unary::Round | Unary::Trunc, Value::Int(_)) => x,
        (Unary::Round | Unary::Trunc, Value::Ratio(_, 1)) => x,
        (Unary::Not, Value::Bool(prop)) => Value::Bool(!prop),
        (Unary::IsNan, Value::Float(value)) => Value::Bool(value.is_nan().into()),
        (_, Value::Float(value)) => match crate::number::unary(function, value) {
            Some(value) => Value::Float(value),
            None => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}

fn binary(function: Binary, x: Value, y: Value, kind: Kind) -> Value {
    match (function, x, y) {
        (Binary::Add, Value::Int(a), Value::Int(b)) => wrapped(a + b, kind),
        (Binary::Sub, Value::Int(a), Value::Int(b)) => wrapped(a - b, kind),
        (Binary::Mul, Value::Int(a), Value::Int(b)) => wrapped(a * b, kind),
        // Truncation and floor agree where both are not negative.
        (Binary::Div, Value::Int(a), Value::Int(b)) => match (a.known(), b.known()) {
            (Some(a), Some(b)) if b != 0 => Value::Int(a.wrapping_div(b).into()),
            _ if a.bounds().0 >= 0 && b.bounds().0 >= 1 => Value::Int(a.div_floor(b)),
            _ => Value::Unknown,
        },
        (Binary::FloorDiv, Value::Int(a), Value::Int(b)) if b.bounds().0 >= 1 => Value::Int(a.div_floor(b)),
        (Binary::Modulo, Value::Int(a), Value::Int(b)) if b.known() != Some(0) => Value::Int(a.modulo(b)),
        (Binary::Remainder, Value::Int(a), Value::Int(b)) if a.bounds().0 >= 0 && b.bounds().0 >= 1 => {
            Value::Int(a.modulo(b))
        }
        (Binary::Max, Value::Int(a), Value::Int(b)) => Value::Int(a.max(b)),
        (Binary::Min, Value::Int(a), Value::Int(b)) => Value::Int(a.min(b)),
        (Binary::Eq, Value::Int(a), Value::Int(b)) => Value::Bool(a.eq(b)),
        (Binary::Lt, Value::Int(a), Value::Int(b)) => Value::Bool(a.lt(b)),
        (Binary::Le, Value::Int(a), Value::Int(b)) => Value::Bool(a.le(b)),
        (Binary::And, Value::Bool(a), Value::Bool(b)) => Value::Bool(a & b),
        (Binary::Or, Value::Bool(a), Value::Bool(b)) => Value::Bool(a | b),
        (Binary::Xor, Value::Bool(a), Value::Bool(b)) => Value::Bool((a & !b) | (!a & b)),
        (Binary::Eq, Value::Bool(a), Value::Bool(b)) => Value::Bool((a & b) | (!a & !b)),
        (_, Value::Float(a), Value::Float(b)) => match function {
            Binary::Eq => Value::Bool((a == b).into()),
            Binary::Lt => Value::Bool((a < b).into()),
            Binary::Le => Value::Bool((a <= b).into()),
            _ => {
                crate::number::binary(function, a, b).map_or(Value::Unknown, |v| Value::Float(kind.round(v)))
            }
        },
        (_, Value::Ratio(..), _) | (_, _, Value::Ratio(..)) => {
            ratio(function, x, y).unwrap_or(Value::Unknown)
        }
        _ => Value::Unknown,
    }
}

/// Sums of 32-bit or 64-bit sizes are taken not to overflow; narrower ones might.
fn wrapped(dim: Dim, kind: Kind) -> Value {
    match dim.known() {
        Some(value) => Value::Int(kind.wrap(value).into()),
        None if matches!(kind, Kind::I32 | Kind::I64 | Kind::U32 | Kind::U64) => Value::Int(dim),
        None => Value::Unknown,
    }
}

/// How many steps of `delta` lie from `start` to before `limit`.
pub fn steps(start: Value, limit: Value, delta: Value) -> Option<Dim> {
    let ratios = (as_ratio(start), as_ratio(limit), as_ratio(delta));
    if let (Some((a, p)), Some((b, q)), Some((c, r))) = ratios {
        // ceil((b/q - a/p) / (c/r))
        return Some(((b * p - a * q) * r).div_ceil(c * p * q).max(0));
    }
    let count = ((limit.float()? - start.float()?) / delta.float()?).ceil().max(0.0);
    (count <= crate::dim::LARGEST_SIZE as f64).then(|| Dim::from(count as i64))
}

/// Float arithmetic on sizes, exact as long as it stays a quotient of small numbers.
fn ratio(function: Binary, x: Value, y: Value) -> Option<Value> {
    let ((a, p), (b, q)) = (as_ratio(x)?, as_ratio(y)?);
    let reduced = |numerator: Dim, divisor: i64| -> Option<Value> {
        (1..=1 << 20).contains(&divisor).then_some(Value::Ratio(numerator, divisor))
    };
    match function {
        Binary::Add => reduced(a * q + b * p, p.checked_mul(q)?),
        Binary::Sub => reduced(a * q - b * p, p.checked_mul(q)?),
        Binary::Mul => reduced(a * b, p.checked_mul(q)?),
        Binary::Div => {
            // (a/p) / (b/q) = a*q / (p*b): the divisor must be a number.
            let divisor = b.known()?;
            (divisor > 0).then(|| reduced(a * q, p.checked_mul(divisor)?)).flatten()
        }
        Binary::Eq => Some(Value::Bool((a * q).eq(b * p))),
        Binary::Lt => Some(Value::Bool((a * q).lt(b * p))),
        Binary::Le => Some(Value::Bool((a * q).le(b * p))),
        _ => None,
    }
}

fn as_ratio(value: Value) -> Option<(Dim, i64)> {
    match value {
        Value::Ratio(dim, divisor) => Some((dim, divisor)),
        Value::Int(dim) => Some((dim, 1)),
        // A short binary fraction, such as the 0.5 or 2.0 of a resize.
        Value::Float(number) => (0..=10)
            .map(|power| 1 << power)
            .find(|&divisor| (number * divisor as f64).fract() == 0.0 && number.abs() < 1e9)
            .map(|divisor| (Dim::from((number * divisor as f64) as i64), divisor)),
        _ => None,
    }
}
