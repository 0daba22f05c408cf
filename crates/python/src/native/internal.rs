//! The module `_tensorvet`: what library files, written in Python, ask of the analysis.

use super::{Keywords, Native, argument, modules, plain, required, several};
use crate::gradient::Gradient;
use crate::heap::{Function, Payload};
use crate::interpreter::failures::USUAL;
use crate::interpreter::{Interpreter, Outcome};
use crate::kept::Kept;
use crate::syntax::Name;
use crate::tape::Trace;
use crate::value::{BuiltIn, Value};
use semantics::array::{Array, Data};
use semantics::dim::{Dim, LARGEST_SIZE, Origin};
use semantics::dtype::{DType, Kind};
use semantics::element::ElementView;
use semantics::shape::Shape;
use semantics::tensor::{Content, Tensor};

pub static FUNCTIONS: &[Native] = &[
    Native { name: "tensor_class", call: tensor_class },
    Native { name: "operate", call: operate },
    Native { name: "given", call: given },
    Native { name: "unknown_tensor", call: unknown_tensor },
    Native { name: "constant", call: constant },
    Native { name: "shape", call: shape },
    Native { name: "size", call: size },
    Native { name: "rank", call: rank },
    Native { name: "kind", call: kind },
    Native { name: "retyped", call: retyped },
    Native { name: "replace", call: replace },
    Native { name: "is_tensor", call: is_tensor },
    Native { name: "symbol", call: symbol },
    Native { name: "unknown", call: unknown },
    Native { name: "is_unknown", call: is_unknown },
    Native { name: "is_own", call: is_own },
    Native { name: "has_name", call: has_name },
    Native { name: "require", call: require },
    Native { name: "arguments", call: arguments },
    Native { name: "entries", call: entries },
    Native { name: "broadcast", call: broadcast },
    Native { name: "bound", call: bound },
    Native { name: "named", call: named },
    Native { name: "define", call: define },
    Native { name: "undefine", call: undefine },
    Native { name: "can_cast", call: can_cast },
    Native { name: "decided", call: decided },
    Native { name: "is_number", call: is_number },
    Native { name: "is_open", call: is_open },
    Native { name: "option", call: super::circumstances::option },
    Native { name: "made_at", call: super::circumstances::made_at },
    Native { name: "circumstance", call: super::circumstances::circumstance },
    Native { name: "several", call: several::several },
    Native {
        name: "is_real",
        call: |_, values, _| Ok(Value::bool(values.first().is_some_and(Value::is_real))),
    },
    Native { name: "surely_in", call: several::surely_in },
    Native { name: "many", call: several::many },
    Native { name: "rounds", call: several::rounds },
    Native { name: "one_of", call: several::one_of },
    Native { name: "total", call: several::total },
    Native { name: "more_views", call: several::more_views },
    Native { name: "row_strides", call: row_strides },
    Native { name: "once", call: super::once::once },
    Native { name: "follows_values", call: follows_values },
    Native { name: "lets_plain_pass", call: modules::lets_plain_pass },
    Native { name: "all_ints", call: plain::all_ints },
    Native { name: "at_least", call: plain::at_least },
    Native { name: "count", call: plain::count },
    Native { name: "any_is", call: plain::any_is },
    Native { name: "all_are", call: plain::all_are },
    Native { name: "channels", call: plain::channels },
    Native { name: "version", call: version },
    Native { name: "made", call: plain::made },
    Native { name: "one_kind", call: plain::one_kind },
    Native { name: "trained", call: trained },
    Native { name: "held", call: held },
    Native { name: "held_truth", call: held_truth },
    Native { name: "operands_of", call: plain::operands_of },
    Native { name: "per_axis", call: plain::per_axis },
    Native { name: "are_vectors", call: plain::are_vectors },
    Native { name: "weights", call: modules::weights },
    Native { name: "set_training", call: modules::set_training },
    Native { name: "methods", call: plain::methods },
    Native { name: "exchange", call: exchange },
    Native { name: "put_in_place", call: plain::put_in_place },
];

fn tensor_class(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    interpreter.tensor_class = values.first().and_then(Value::as_object);
    Ok(Value::None)
}
/// `operate("conv", input, weight, stride=[1, 1])`.
/// Operators whose results share their elements with the input: what changes one changes the other.
const VIEWS: &[&str] = &["reshape", "transpose", "slice", "squeeze", "unsqueeze", "expand"];

fn operate(interpreter: &mut Interpreter, mut values: Vec<Value>, keywords: Keywords) -> Outcome {
    let name = required(interpreter, &values, 0, "operate")?;
    values.remove(0);
    match name.as_text().and_then(|name| semantics::operators::by_name(name)) {
        Some(operator) => {
            let of = values.first().and_then(Value::as_object).filter(|_| VIEWS.contains(&operator.name));
            let result = interpreter.operate(operator, values, keywords)?;
            if let (Some(of), Some(view)) = (of, result.as_object()) {
                interpreter.heap.add_view(view, of);
            }
            Ok(result)
        }
        None => {
            let shown = interpreter.display(&name);
            interpreter.raise("NameError", format!("no operator `{shown}`"))
        }
    }
}
/// `version(library, newest)`: the version of a library that the user means; the newest that is known here, if none is named.
fn version(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [library, newest] = [0, 1].map(|place| required(interpreter, &values, place, "version"));
    let (library, newest) = (library?, newest?);
    let named = library.as_text().and_then(|library| interpreter.libraries.version(library));
    Ok(named.map_or(newest, Value::text))
}
/// Whether somebody wants to know what tensors hold, not only their shapes.
fn follows_values(interpreter: &mut Interpreter, _: Vec<Value>, _: Keywords) -> Outcome {
    Ok(Value::bool(interpreter.path.made.is_some()))
}
/// `given(kind, sizes, name="x")`: a tensor whose elements only the run will tell.
pub(super) fn given(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let kind = values.first().cloned().and_then(|value| interpreter.kind_of(&value));
    let sizes = required(interpreter, &values, 1, "given")?;
    let name = argument(&values, &keywords, 2, "name");
    let name = name.as_ref().and_then(Value::as_text).map_or("", |name| name);
    if let (Value::Unknown(_), _) | (_, Some(Payload::Many { .. })) = (&sizes, interpreter.payload(&sizes)) {
        let dtype = kind.map_or_else(DType::unknown, DType::from);
        return Ok(interpreter.new_tensor(Tensor::given(name, dtype, Shape::unknown("shape"))));
    }
    let mut dims = Vec::new();
    for size in interpreter.items_of(&sizes)? {
        match interpreter.unwrapped(&size).as_dim() {
            Some(dim) => dims.push(dim),
            None => dims.push(Dim::symbol("size", 0, LARGEST_SIZE)),
        }
    }
    Ok(interpreter.given_tensor(name, kind, dims))
}
fn unknown_tensor(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let kind = values.first().cloned().and_then(|value| interpreter.kind_of(&value));
    let dtype = kind.map_or_else(DType::unknown, DType::from);
    Ok(interpreter.new_tensor(Tensor::given("unknown", dtype, Shape::unknown("unknown"))))
}
/// `constant(kind, sizes, numbers)`.
pub(super) fn constant(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let kind = values.first().cloned().and_then(|value| interpreter.kind_of(&value));
    let sizes = required(interpreter, &values, 1, "constant")?;
    let numbers = required(interpreter, &values, 2, "constant")?;
    let sizes: Option<Vec<usize>> = interpreter
        .items_of(&sizes)?
        .iter()
        .map(|size| size.as_int().and_then(|size| usize::try_from(size).ok()))
        .collect();
    let numbers = interpreter.items_of(&numbers)?;
    let (Some(kind), Some(sizes)) = (kind, sizes) else { return given(interpreter, values, keywords) };
    let data = if kind.is_float() {
        let floats = numbers.iter().map(|number| match number {
            Value::Float(number) => Some(*number),
            number => number.as_int().map(|number| number as f64),
        });
        floats.collect::<Option<Vec<f64>>>().map(Data::Float)
    } else if kind.is_int() {
        // Fractions are cut off, as a cast does.
        let whole = |number: &Value| match number {
            Value::Float(number) => number.is_finite().then_some(*number as i64),
            number => number.as_int(),
        };
        numbers.iter().map(whole).collect::<Option<Vec<i64>>>().map(Data::Int)
    } else if kind == Kind::Bool {
        let bools = numbers.iter().map(|number| match number {
            Value::Float(number) => Some(*number != 0.0),
            number => number.as_int().map(|number| number != 0),
        });
        bools.collect::<Option<Vec<bool>>>().map(Data::Bool)
    } else {
        None
    };
    match data {
        Some(data) if data.len() == sizes.iter().product::<usize>() => {
            Ok(interpreter.constant_tensor(Array::new(kind, sizes, data)))
        }
        // Numbers that depend on sizes: shapes as values.
        _ if kind.is_int() && sizes.len() <= 1 && numbers.iter().all(|number| number.as_dim().is_some()) => {
            let dims: Vec<Dim> = numbers.iter().filter_map(Value::as_dim).collect();
            let tensor = match (sizes.len(), dims.as_slice()) {
                (0, [only]) => Tensor::of_dim(kind, *only),
                _ => Tensor::of_dims(kind, dims),
            };
            Ok(interpreter.new_tensor(tensor))
        }
        _ => {
            let sizes: Vec<Dim> = sizes.into_iter().map(Dim::from).collect();
            Ok(interpreter.given_tensor("", Some(kind), sizes))
        }
    }
}

pub(super) fn tensor(
    interpreter: &mut Interpreter,
    values: &[Value],
    place: usize,
) -> Outcome<Option<Tensor>> {
    let value = required(interpreter, values, place, "tensor")?;
    Ok(interpreter.as_tensor(&value).map(|tensor| interpreter.path.refined(tensor)))
}
/// The sizes as a tuple; something unknown for a tensor of unknown rank.
fn shape(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let shape = tensor(interpreter, &values, 0)?.map(|tensor| tensor.shape());
    Ok(match shape.map(|shape| (shape, shape.sizes())) {
        Some((_, Some(sizes))) => Value::tuple(sizes.iter().map(|&size| Value::Int(size))),
        Some((shape, None)) => interpreter.unknown_shape(shape),
        None => Value::unknown_of(BuiltIn::Tuple, "the shape of something unknown"),
    })
}
/// The shape as an object of the class that the tensor's class names.
fn size(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let class = values.first().and_then(|value| interpreter.class_of(value));
    let class = class.and_then(|class| interpreter.in_order(class, Name::SIZE));
    let sizes = shape(interpreter, values, keywords)?;
    match (class, &sizes) {
        (Some(Value::Object(class)), Value::Tuple(_)) => {
            Ok(interpreter.new_object(class, Payload::Wrapped(sizes)))
        }
        _ => Ok(sizes),
    }
}
fn rank(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(match tensor(interpreter, &values, 0)? {
        Some(tensor) => Value::Int(tensor.shape().rank()),
        None => Value::unknown_of(BuiltIn::Int, "the rank of something unknown"),
    })
}
fn kind(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(match tensor(interpreter, &values, 0)?.map(|tensor| tensor.dtype()) {
        Some(DType::Known(kind)) => Value::Text(Name::new(kind.name()).text()),
        _ => Value::None,
    })
}
/// A tensor of the same shape and another type, of which no element is known.
fn retyped(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let kind = values.get(1).cloned().and_then(|value| interpreter.kind_of(&value));
    match tensor(interpreter, &values, 0)? {
        Some(tensor) => {
            let dtype = kind.map_or_else(DType::unknown, DType::from);
            let gradient = interpreter.heap.gradient_like([interpreter.gradient_of(&values[0])]);
            let mut new = Tensor::given(&tensor.name(), dtype, tensor.shape());
            if let Some(layout) = tensor.layout() {
                new = new.laid_out(layout);
            }
            Ok(interpreter.new_tensor_with(new, gradient))
        }
        None => Ok(Value::unknown("the type of something unknown")),
    }
}
/// `replace(x, y)`: what in-place methods do.
pub(super) fn replace(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let new = values.get(1).cloned();
    let before = match values.first().map(|object| interpreter.gradient_of(object)) {
        Some(Gradient::Derived(trace)) => trace,
        _ => Trace::default(),
    };
    let object = exchange(interpreter, values, keywords)?;
    let Some(id) = object.as_object() else { return Ok(object) };
    let at = interpreter.spot();
    interpreter.heap.passes.change(id, at);
    // What the function that is done in place keeps is the tensor as it is now.
    let Some((made, Gradient::Derived(trace))) =
        new.and_then(|new| Some((new.as_object()?, interpreter.gradient_of(&new))))
    else {
        return Ok(object);
    };
    let kept_by = trace.hand_over(id, made, before);
    if let (Some(by), Payload::Tensor(tensor, Gradient::Derived(trace))) =
        (kept_by, interpreter.heap.get(id).payload.clone())
    {
        let kept = Kept { tensor: id, version: interpreter.heap.passes.version(id), by };
        let gradient = Gradient::Derived(trace.keeping([kept]));
        interpreter.heap.get_mut(id).payload = Payload::Tensor(tensor, gradient);
    }
    Ok(object)
}
/// `exchange(x, y)`: lets a tensor have the elements of another from now on.
fn exchange(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let object = required(interpreter, &values, 0, "exchange")?;
    if let (Some(id), Some(new)) = (object.as_object(), tensor(interpreter, &values, 1)?) {
        // What is put into a tensor while gradients are followed makes it need them.
        let gradient = match interpreter.heap.follows_gradients {
            Some(false) => interpreter.gradient_of(&object),
            _ => {
                let sources = values.iter().map(|source| interpreter.gradient_of(source));
                let joined = interpreter.heap.gradient_from(sources);
                let kept = interpreter.gradient_of(&object);
                match (joined, kept) {
                    (Gradient::Derived(_), Gradient::Leaf(_)) => kept,
                    _ => joined,
                }
            }
        };
        interpreter.heap.get_mut(id).payload = Payload::Tensor(new, gradient);
        // Between which bounds the elements lie was said of the old ones.
        let bounds = Name::new("_bounds");
        interpreter.heap.get_mut(id).attributes.remove(&bounds);
        for other in interpreter.heap.sharing(id) {
            let shared = Value::Object(other);
            interpreter.heap.get_mut(other).attributes.remove(&bounds);
            // A change through a view, or of what is viewed, may have made it need gradients.
            let before = interpreter.gradient_of(&shared);
            let after =
                if before == Gradient::No && gradient != Gradient::No { Gradient::Open } else { before };
            let Some(old) = interpreter.as_tensor(&shared) else { continue };
            if old.has_values() || before != after || interpreter.path.made.is_some() {
                let forgotten = Tensor::given("", old.dtype(), old.shape());
                interpreter.heap.get_mut(other).payload = Payload::Tensor(forgotten, after);
            }
        }
    }
    Ok(object)
}
fn is_tensor(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "is_tensor")?;
    Ok(Value::bool(interpreter.as_tensor(&value).is_some()))
}
/// `symbol("n", low, high, origin, "data")`: a number that only the run will tell; of data every value is expected, and
/// what is computed asks nothing of the inputs.
fn symbol(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let name = required(interpreter, &values, 0, "symbol")?;
    let name = name.as_text().map_or("?", |name| name);
    let bound = |place: usize| values.get(place).and_then(Value::as_dim).map(Dim::bounds);
    let low = bound(1).map_or(0, |(low, _)| low.max(-LARGEST_SIZE));
    let high = bound(2).map_or(LARGEST_SIZE, |(_, high)| high);
    let origin = values.get(3).and_then(Value::as_text).cloned().unwrap_or_default();
    let origin = match values.get(4).and_then(Value::as_text).map(|source| &**source) {
        Some("data") => Origin::data(&origin),
        Some("computed") => Origin::computed(&origin),
        _ => Origin::input(&origin),
    };
    let symbol = Dim::symbol_from(name, low, high, origin);
    // Bounds that are no numbers hold all the same.
    for (place, is_least) in [(1, true), (2, false)] {
        let bound = values.get(place).filter(|bound| bound.as_int().is_none());
        if let Some(bound) = bound.and_then(|bound| interpreter.unwrapped(bound).as_dim()) {
            let holds = if is_least { symbol.ge(bound) } else { symbol.le(bound) };
            interpreter.path.context.assume(holds);
        }
    }
    Ok(Value::Int(symbol))
}
fn unknown(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let reason = values.first().and_then(Value::as_text).cloned().unwrap_or_default();
    let kind = values.get(1).and_then(Value::as_text).cloned();
    let kind = kind.and_then(|kind| BuiltIn::ALL.into_iter().find(|built_in| built_in.name() == &*kind));
    Ok(match kind {
        Some(kind) => Value::unknown_of(kind, &*reason),
        None => interpreter.lose(&*reason),
    })
}
fn is_unknown(_: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(Value::bool(matches!(values.first(), Some(Value::Unknown(_)))))
}
/// Whether a class is one of the program's own.
fn is_own(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let class = values.first().and_then(|class| interpreter.payload(class));
    Ok(Value::bool(matches!(class, Some(Payload::Class(class)) if class.is_own)))
}
/// `trained(tensor)`: constants as numbers that may change and start where the constants lie, for whoever follows values.
fn trained(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "trained")?;
    let tensor = interpreter.as_tensor(&value).filter(|_| interpreter.path.made.is_some());
    let Some((tensor, (low, high))) = tensor.and_then(|tensor| Some((tensor, constant_range(tensor)?)))
    else {
        return Ok(value);
    };
    let gradient = interpreter.gradient_of(&value);
    let free = Tensor::given(&tensor.name(), tensor.dtype(), tensor.shape()).within(low, high);
    Ok(interpreter.new_tensor_with(free, gradient))
}
/// Between what the elements of a constant float tensor lie.
fn constant_range(tensor: Tensor) -> Option<(f64, f64)> {
    tensor.dtype().known().filter(|kind| kind.is_float())?;
    match tensor.content() {
        Content::Stored(load) => {
            let array = load()?;
            let numbers = array.as_floats()?;
            let ends = |(low, high): (f64, f64), &number: &f64| (low.min(number), high.max(number));
            let (low, high) = numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), ends);
            (low <= high).then_some((low, high))
        }
        Content::Formula { .. } => match tensor.formula()?.element.view() {
            ElementView::Float(number) => Some((number, number)),
            ElementView::At(inner, _) => constant_range(inner),
            _ => None,
        },
        Content::Composed(composition, output) => constant_range(composition.output(output)),
        _ => None,
    }
}
/// `held(tensor)`: the only element of a tensor as a Python value; None where nobody follows values.
fn held(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "held")?;
    let found = interpreter.as_tensor(&tensor).filter(|_| interpreter.path.made.is_some());
    Ok(found.and_then(Value::element_of).unwrap_or(Value::None))
}
/// `held_truth(tensor)`: whether the only element of a tensor counts as true; None where nobody follows values.
fn held_truth(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let tensor = required(interpreter, &values, 0, "held_truth")?;
    let found = interpreter.as_tensor(&tensor).filter(|_| interpreter.path.made.is_some());
    Ok(found.and_then(Value::truth_of).unwrap_or(Value::None))
}
/// `has_name("class:Tensor", "shape")`: whether PyTorch's class or module has a name.
fn has_name(_: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [Some(owner), Some(name)] = [0, 1].map(|place| values.get(place).and_then(Value::as_text)) else {
        return Ok(Value::bool(true));
    };
    Ok(Value::bool(crate::library::has_name(owner, name) != Some(false)))
}
/// `require("label", condition, category, tensors…, word=number…, raises=class)`: a requirement of a library or of a
/// stub. Where it fails, `raises` is raised, or a RuntimeError.
pub(super) fn require(interpreter: &mut Interpreter, values: Vec<Value>, mut keywords: Keywords) -> Outcome {
    use semantics::call::{Requirement, intern};
    use semantics::operator::Category;
    use solver::Verdict;
    let label = required(interpreter, &values, 0, "require")?;
    let condition = required(interpreter, &values, 1, "require")?;
    let mut prop = interpreter.truth(&condition)?;
    let category = match values.get(2).and_then(Value::as_text).map_or("", |text| text) {
        "value" => Category::IllegalValue,
        "type" => Category::IncompatibleType,
        "layout" => Category::UnsupportedLayout,
        "refused" => Category::UnsupportedValue,
        "suspicious broadcast" => Category::SuspiciousBroadcast,
        "suspicious softmax" => Category::SuspiciousSoftmax,
        "suspicious axis" => Category::SuspiciousAxis,
        "nothing" => Category::IllegalShape,
        _ => Category::IncompatibleShape,
    };
    if prop.known() == Some(true) {
        interpreter.path.plain.requirements += 1;
        return Ok(Value::None);
    }
    let label = label
        .as_text()
        .map_or_else(|| intern(interpreter.display(&label)), |label| intern(label.to_string()));
    // The kind of what is not known is None, which no kind equals: that is no answer.
    let open = |value: &Value| match interpreter.as_tensor(value) {
        Some(tensor) => !matches!(tensor.dtype(), DType::Known(_)),
        None => matches!(value, Value::Unknown(unknown) if unknown.kind.is_none()),
    };
    if category == Category::IncompatibleType && values.iter().skip(3).any(open) {
        prop = semantics::prop::Prop::unknown(label);
    }
    if category.is_suspicion() && !matches!(interpreter.path.context.decide(prop), Verdict::Fails) {
        return Ok(Value::None);
    }
    let raises = interpreter.raised_by(&mut keywords);
    let named = |value: &Value| Some((interpreter.name_in_library(value), interpreter.as_tensor(value)?));
    let tensors: Vec<(&'static str, Tensor)> = values.iter().skip(3).filter_map(named).collect();
    let operator = intern(interpreter.library_function());
    let place = interpreter.place(operator);
    let (recorded, granted) = (interpreter.path.record.len(), interpreter.path.assumed.len());
    interpreter.path.state(&[Requirement { label, category, prop }], operator, tensors, &place);
    interpreter.note_raising(granted, raises);
    if interpreter.path.record.len() > recorded {
        interpreter.speak_of(&keywords);
    }
    let failed = interpreter.path.record[recorded..].iter().any(program::path::Entry::is_violated);
    if failed {
        return interpreter.raise_violation(raises, label.to_owned());
    }
    if category.is_suspicion() {
        interpreter.explain();
    }
    Ok(Value::None)
}
fn arguments(interpreter: &mut Interpreter, _: Vec<Value>, _: Keywords) -> Outcome {
    let arguments = interpreter.arguments.iter().map(|argument| Value::text(argument)).collect();
    Ok(interpreter.new_list(arguments))
}
/// The elements of a tensor of few known numbers, row-major; None if they are not known.
fn entries(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(tensor) = tensor(interpreter, &values, 0)? else { return Ok(Value::None) };
    let Some(elements) = tensor.values_unless_unknown() else { return Ok(Value::None) };
    let DType::Known(kind) = tensor.dtype() else { return Ok(Value::None) };
    let mut found = Vec::with_capacity(elements.len());
    for element in elements.iter() {
        let value = match kind {
            kind if kind.is_float() => element.float().map(Value::Float),
            kind if kind.is_int() => element.dim().map(Value::Int),
            _ => element.prop().map(Value::Bool),
        };
        match value {
            Some(value) => found.push(value),
            None => return Ok(Value::None),
        }
    }
    Ok(interpreter.new_list(found))
}

/// `broadcast(kind, tensors, as)`: a tensor of the shape that tensors have together.
fn broadcast(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    use semantics::call::Requirement;
    use semantics::operator::Category;
    use semantics::prop::Prop;
    let kind = values.first().cloned().and_then(|value| interpreter.kind_of(&value));
    let items = required(interpreter, &values, 1, "broadcast")?;
    let items = interpreter.items_of(&items)?;
    let mut tensors = Vec::new();
    for item in &items {
        match interpreter.as_tensor(item) {
            Some(tensor) => tensors.push(("tensor", interpreter.path.refined(tensor))),
            None => return Ok(interpreter.lose("the shape of something unknown")),
        }
    }
    let (mut shape, mut fits) = (Shape::scalar(), Prop::from(true));
    for (_, tensor) in &tensors {
        let (joined, agree) = shape.broadcast(tensor.shape());
        (shape, fits) = (joined, fits & agree);
    }
    let spelled = values.get(2).and_then(Value::as_text).cloned().unwrap_or_else(|| "broadcast".into());
    let place = interpreter.place(&spelled);
    let recorded = interpreter.path.record.len();
    let label = "the tensors broadcast";
    let requirement = Requirement { label, category: Category::IncompatibleShape, prop: fits };
    let tensors =
        items.iter().zip(tensors).map(|(item, (_, tensor))| (interpreter.name_in_library(item), tensor));
    let tensors = tensors.collect();
    interpreter.path.state(&[requirement], semantics::call::intern(spelled.to_string()), tensors, &place);
    if interpreter.path.record[recorded..].iter().any(program::path::Entry::is_violated) {
        return interpreter.raise_violation(USUAL, format!("{spelled}: {label}"));
    }
    let dtype = kind.map_or_else(DType::unknown, DType::from);
    let gradients = items.iter().map(|item| interpreter.gradient_of(item));
    let gradient = interpreter.heap.gradient_like(gradients);
    Ok(interpreter.new_tensor_with(Tensor::given("", dtype, shape), gradient))
}
/// `bound(function, on)`: a function as a method of an object.
fn bound(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (function, on) =
        (required(interpreter, &values, 0, "bound")?, required(interpreter, &values, 1, "bound")?);
    let method = plain::as_method(interpreter, function);
    Ok(Value::method(method, on))
}
/// `named("sin", function)`: a function of a table under the name that messages use.
fn named(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (name, function) =
        (required(interpreter, &values, 0, "named")?, required(interpreter, &values, 1, "named")?);
    if let (Some(text), Some(id)) = (name.as_text(), function.as_object())
        && let Payload::Function(old) = &interpreter.heap.get(id).payload
    {
        let renamed = Function { name: Name::new(text), ..(**old).clone() };
        interpreter.heap.get_mut(id).payload = Payload::Function(renamed.into());
    }
    Ok(function)
}
/// `define("sin", function)`: a name of the module, for tables of functions.
fn define(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let name = required(interpreter, &values, 0, "define")?;
    let value = named(interpreter, values, keywords)?;
    if let Some(text) = name.as_text() {
        let scope = interpreter.frame().globals;
        interpreter.set_name(scope, Name::new(text), value);
    }
    Ok(Value::None)
}
/// `undefine("RMSNorm", module)`: takes a name of a module away, or of the one that asks: the version that is meant does
/// not have it.
fn undefine(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    if let Some(text) = values.first().and_then(Value::as_text) {
        let scope = match values.get(1).and_then(|module| interpreter.payload(module)) {
            Some(Payload::Module { scope, .. }) => *scope,
            _ => interpreter.frame().globals,
        };
        interpreter.heap.get_mut(scope).attributes.remove(&Name::new(text));
    }
    Ok(Value::None)
}
/// Whether numbers of one element type may be put into a tensor of another.
fn can_cast(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let mut kind = |place: usize| values.get(place).cloned().and_then(|value| interpreter.kind_of(&value));
    Ok(match (kind(0), kind(1)) {
        (Some(from), Some(to)) => Value::bool(crate::interpreter::can_cast(from, to)),
        _ => Value::bool(true),
    })
}
/// `decided(condition)`: whether it holds or fails on this path for sure; None if that is open.
fn decided(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    use solver::Verdict;
    let condition = required(interpreter, &values, 0, "decided")?;
    let prop = interpreter.truth(&condition)?;
    let known = prop.known().or_else(|| match interpreter.path.context.decide(prop) {
        Verdict::Holds => Some(true),
        Verdict::Fails => Some(false),
        Verdict::Depends { .. } | Verdict::Unknown { .. } => None,
    });
    Ok(known.map_or(Value::None, Value::bool))
}
/// Whether a value is a number that is known, not one that only the run will tell.
fn is_number(_: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(Value::bool(match values.first() {
        Some(Value::Float(_)) => true,
        Some(value) => value.as_int().is_some(),
        None => false,
    }))
}
/// Whether not even the type of a value is known.
fn is_open(_: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let is_open = matches!(values.first(), Some(Value::Unknown(unknown)) if unknown.kind.is_none());
    Ok(Value::bool(is_open))
}
/// The strides of a tensor of such sizes whose elements lie row by row.
fn row_strides(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let sizes = required(interpreter, &values, 0, "row_strides")?;
    let sizes = interpreter.items_of(&interpreter.unwrapped(&sizes))?;
    let mut step = Some(Dim::from(1));
    let mut steps = Vec::with_capacity(sizes.len());
    for size in sizes.iter().rev() {
        let unknown = || Value::unknown_of(BuiltIn::Int, "a size that is not known");
        steps.push(step.map_or_else(unknown, Value::Int));
        step = step.zip(interpreter.unwrapped(size).as_dim()).map(|(step, size)| step * size.max(1));
    }
    steps.reverse();
    Ok(Value::tuple(steps))
}
