//! What hyper-parameters change in a model file: `NODE.ATTRIBUTE`, `NODE.ATTRIBUTE[0]`, `INITIALISER.shape[0]`.

use crate::choice::Choice;
use crate::graph::number;
use crate::model::Bound;
use anyhow::{Context, Result, bail};
use program::arguments;
use program::ir::{Action, Given, Invocation, Node, Program, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::array::Array;
use semantics::call::{Argument, Call};
use semantics::dim::{AtomId, Dim};
use semantics::dtype::Kind;
use semantics::operator::{Operator, ParameterKind};
use semantics::prop::PropView;
use semantics::shape::Shape;
use semantics::spelling::Target;
use semantics::tensor::Tensor;

/// Belongs to an arena.
#[derive(Default)]
pub struct Tuned {
    /// By the name of the node, each with its place in the signature.
    pub arguments: FxHashMap<String, Vec<(usize, Argument)>>,
    /// Sizes of constants, by axis.
    sizes: FxHashMap<ValueId, Vec<(usize, Dim)>>,
}

impl Tuned {
    /// Sets a hyper-parameter; `false` if the model has none of the name.
    pub fn set(&mut self, program: &Program, name: &str, bound: &Bound, is_keras: bool) -> Result<bool> {
        let Some((owner, what)) = name.rsplit_once('.') else { return Ok(false) };
        let (what, index) = indexed(what);
        if what == "shape"
            && let Some((value, constant)) =
                program.graph.constants.iter().find(|(value, _)| program.name(*value) == owner)
        {
            let Some(axis) = index else {
                bail!("which of its {} axes is meant? `shape[0]` is the first", constant.sizes.len())
            };
            if axis >= constant.sizes.len() {
                bail!("`{owner}` has {} axes", constant.sizes.len());
            }
            self.sizes.entry(*value).or_default().push((axis, number(name, bound)?));
            return Ok(true);
        }
        let mut found = false;
        // A layer that is called several times is one layer.
        for node in program.graph.nodes.iter().filter(|node| layer(&node.place.node, is_keras) == owner) {
            let owner = node.place.node.as_str();
            let Action::Call(invocation) = &node.action else { continue };
            let Some(slot) = slot(node, invocation.operator, what, is_keras) else { continue };
            let held = self.arguments.get(owner).and_then(|all| all.iter().find(|(held, _)| *held == slot));
            let before = match held {
                Some((_, argument)) => Some(argument.clone()),
                None => invocation.arguments[slot].as_ref().map(|given| stated(given, program)),
            };
            let kind = invocation.operator.parameters[slot].kind;
            let argument = argument(name, bound, kind, before, index)?;
            let all = self.arguments.entry(owner.to_owned()).or_default();
            all.retain(|(held, _)| *held != slot);
            all.push((slot, argument));
            found = true;
        }
        Ok(found)
    }

    /// Whether a symbol can stand for a number of a hyper-parameter: not for a fraction or for an element type.
    pub fn takes_symbols(program: &Program, name: &str, is_keras: bool) -> bool {
        let Some((owner, what)) = name.rsplit_once('.') else { return true };
        let mut nodes = program.graph.nodes.iter().filter(|node| layer(&node.place.node, is_keras) == owner);
        nodes.all(|node| {
            let Action::Call(invocation) = &node.action else { return true };
            let slot = slot(node, invocation.operator, indexed(what).0, is_keras);
            let kind = slot.map(|slot| invocation.operator.parameters[slot].kind);
            kind.is_none_or(|kind| {
                matches!(kind, ParameterKind::Int | ParameterKind::Ints | ParameterKind::Flag)
            })
        })
    }

    /// What the file says itself of a hyper-parameter.
    pub fn default_of(program: &Program, name: &str, is_keras: bool) -> Option<Choice> {
        let (owner, what) = name.rsplit_once('.')?;
        let (what, index) = indexed(what);
        let weight = program.graph.constants.iter().find(|(value, _)| program.name(*value) == owner);
        if let ("shape", Some((_, constant)), Some(axis)) = (what, weight, index) {
            return constant.sizes.get(axis).map(|&size| Choice::Int(size));
        }
        let mut nodes = program.graph.nodes.iter().filter(|node| layer(&node.place.node, is_keras) == owner);
        let argument = nodes.find_map(|node| {
            let Action::Call(invocation) = &node.action else { return None };
            let slot = slot(node, invocation.operator, what, is_keras)?;
            Some(stated(invocation.arguments[slot].as_ref()?, program))
        })?;
        match (argument, index) {
            (Argument::Ints(all), Some(index)) => Some(Choice::Int(all.get(index)?.known()?)),
            (argument, None) => choice(&argument),
            _ => None,
        }
    }

    /// What hyper-parameters of a model can be called.
    pub fn offered(program: &Program, is_keras: bool) -> Vec<String> {
        let mut names = Vec::new();
        for node in &program.graph.nodes {
            let Action::Call(invocation) = &node.action else { continue };
            let attributes: Vec<&str> = match spelling(node).filter(|_| !is_keras) {
                Some(attributes) => attributes.iter().map(|(theirs, _)| *theirs).collect(),
                None => invocation.operator.parameters.iter().map(|parameter| parameter.name).collect(),
            };
            let owner = layer(&node.place.node, is_keras);
            names.extend(attributes.iter().map(|attribute| format!("{owner}.{attribute}")));
        }
        if !is_keras {
            for (value, constant) in &program.graph.constants {
                let name = program.name(*value);
                names.extend((0..constant.sizes.len()).map(|axis| format!("{name}.shape[{axis}]")));
            }
        }
        let mut seen = FxHashSet::default();
        names.retain(|name| seen.insert(name.clone()));
        names
    }

    /// The constants with other sizes than the file says.
    pub fn constants(&self, program: &Program) -> Vec<(ValueId, Shape, Kind)> {
        let stored = program.graph.constants.iter().filter(|(value, _)| self.sizes.contains_key(value));
        let changed = stored.map(|(value, constant)| {
            let mut sizes: Vec<Dim> = constant.sizes.iter().map(|&size| size.into()).collect();
            self.sizes[value].iter().for_each(|(axis, size)| sizes[*axis] = *size);
            (*value, Shape::new(sizes), constant.kind)
        });
        changed.collect()
    }
}

/// The layer that a node calls: later calls of a layer of Keras are `dense@2`, `dense@3` and so on.
fn layer(node: &str, is_keras: bool) -> &str {
    match node.rsplit_once('@') {
        Some((name, number)) if is_keras && number.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => node,
    }
}

/// `strides[1]` is one number of several.
fn indexed(what: &str) -> (&str, Option<usize>) {
    let split = what.strip_suffix(']').and_then(|rest| rest.split_once('['));
    match split.and_then(|(name, index)| Some((name, index.parse().ok()?))) {
        Some((name, index)) => (name, Some(index)),
        None => (what, None),
    }
}

/// The attributes of an ONNX node, and where they go.
fn spelling(node: &Node) -> Option<&'static [(&'static str, Target)]> {
    let newest = semantics::spelling::newest_onnx();
    Some(&semantics::spelling::onnx(&node.place.spelled, newest)?.mapping().attributes)
}

/// The parameter that a file calls by this name.
fn slot(node: &Node, operator: &Operator, name: &str, is_keras: bool) -> Option<usize> {
    let theirs = spelling(node).filter(|_| !is_keras).unwrap_or_default();
    let theirs = theirs.iter().find(|(theirs, _)| *theirs == name);
    let own = || operator.parameters.iter().position(|parameter| parameter.name == name);
    match theirs {
        Some((_, Target::Parameter(slot) | Target::Read(slot, _))) => Some(*slot),
        _ => own(),
    }
}

/// What the file says, as far as it is a number or a word.
fn stated(given: &Given, program: &Program) -> Argument {
    let Given::Value(value, ..) = given else { return arguments::argument(given) };
    let constant =
        program.graph.constants.iter().find(|(held, _)| held == value).map(|(_, constant)| constant);
    let in_node = program.graph.nodes.iter().find_map(|node| match &node.action {
        Action::Constant(constant) if node.outputs.first() == Some(&Some(*value)) => Some(constant),
        _ => None,
    });
    let array = constant.or(in_node).and_then(|constant| (constant.load)());
    match array.as_ref().and_then(integers) {
        Some(all) => Argument::Ints(all.into_iter().map(Dim::from).collect()),
        None => Argument::Unknown("it is computed while the model runs".into()),
    }
}
fn integers(array: &Array) -> Option<Vec<i64>> {
    match &array.data {
        semantics::array::Data::Int(all) if all.len() <= 64 => Some(all.clone()),
        _ => None,
    }
}

/// A value of a hyper-parameter from what a file says.
fn choice(argument: &Argument) -> Option<Choice> {
    Some(match argument {
        Argument::Int(number) => Choice::Int(number.known()?),
        Argument::Flag(flag) => Choice::Flag(flag.known()?),
        Argument::Float(number) => Choice::Float(*number),
        Argument::Text(text) => Choice::Text(text.clone()),
        Argument::Type(kind) => Choice::Text(kind.name().to_owned()),
        Argument::Ints(all) => {
            let known = all.iter().map(|number| number.known().map(Choice::Int));
            Choice::Several(known.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// The value of a parameter.
fn argument(
    name: &str,
    bound: &Bound,
    kind: ParameterKind,
    before: Option<Argument>,
    index: Option<usize>,
) -> Result<Argument> {
    if let Some(index) = index {
        let Some(Argument::Ints(mut all)) = before else {
            bail!("the file does not say how many there are: give them all at once");
        };
        let count = all.len();
        *all.get_mut(index).with_context(|| format!("there are {count} of them"))? = number(name, bound)?;
        return Ok(Argument::Ints(all));
    }
    Ok(match (kind, bound) {
        (ParameterKind::Int, _) => Argument::Int(number(name, bound)?),
        (ParameterKind::Flag, Bound::Fixed(Choice::Flag(flag))) => Argument::Flag((*flag).into()),
        (ParameterKind::Flag, _) => Argument::Flag(number(name, bound)?.ne(0)),
        (ParameterKind::Ints, Bound::Fixed(Choice::Several(all))) => {
            let each = |choice: Choice| number(name, &Bound::Fixed(choice));
            Argument::Ints(in_pairs(all)?.into_iter().map(each).collect::<Result<_>>()?)
        }
        (ParameterKind::Ints, _) => {
            let number = number(name, bound)?;
            match before {
                Some(Argument::Ints(all)) => Argument::Ints(vec![number; all.len()]),
                Some(Argument::Int(_)) => Argument::Int(number),
                _ => bail!("the file does not say how many there are: write lists, such as [[3, 3], [5, 5]]"),
            }
        }
        (ParameterKind::Float, Bound::Fixed(Choice::Float(number))) => Argument::Float(*number),
        (ParameterKind::Float, Bound::Fixed(Choice::Int(number))) => Argument::Float(*number as f64),
        (ParameterKind::Type, Bound::Fixed(Choice::Text(text))) => {
            Argument::Type(Kind::parse(text).with_context(|| format!("`{text}` is not an element type"))?)
        }
        // As ONNX numbers them.
        (ParameterKind::Type, Bound::Fixed(Choice::Int(code))) => {
            let kind = i32::try_from(*code).ok().and_then(models::onnx::kind);
            Argument::Type(kind.with_context(|| format!("{code} is no element type of ONNX"))?)
        }
        (ParameterKind::Word(_) | ParameterKind::Text, Bound::Fixed(Choice::Text(text))) => {
            Argument::Text(text.clone())
        }
        (kind, Bound::Fixed(choice)) => bail!("{choice} is no value of it: {}", expected(kind)),
        (kind, Bound::Between(..)) => bail!("numbers are no values of it: {}", expected(kind)),
        (_, Bound::Absent) => bail!("nothing is said of it"),
    })
}

/// Numbers, and pairs one after the other where what is done at both ends of several axes is said in pairs.
fn in_pairs(all: &[Choice]) -> Result<Vec<Choice>> {
    if !all.iter().any(|each| matches!(each, Choice::Several(_))) {
        return Ok(all.to_vec());
    }
    let pair = |each: &Choice| match each {
        Choice::Several(pair) if pair.len() == 2 => Ok(pair.clone()),
        Choice::Int(_) => Ok(vec![each.clone(); 2]),
        other => bail!("{other} is no pair of whole numbers"),
    };
    Ok(all.iter().map(pair).collect::<Result<Vec<_>>>()?.concat())
}

/// What a parameter takes, for a message.
fn expected(kind: ParameterKind) -> String {
    match kind {
        ParameterKind::Type => "an element type is expected, such as `float32`".into(),
        ParameterKind::Float | ParameterKind::Floats => "a number is expected".into(),
        ParameterKind::Word(words) | ParameterKind::Words(words) => {
            format!("it is one of `{}`", words.join("`, `"))
        }
        ParameterKind::Text => "a text is expected".into(),
        _ => "whole numbers are expected".into(),
    }
}

/// Weights follow their layer: sizes of a node's constants that its own attributes and other constants determine change
/// with them. Which ones do is read from the requirements of the node: an equation that holds as the file has it,
/// between a size and what is changed.
pub fn following(program: &Program, tuned: &mut Tuned) {
    let stored: FxHashMap<ValueId, usize> =
        program.graph.constants.iter().enumerate().map(|(place, (value, _))| (*value, place)).collect();
    for node in &program.graph.nodes {
        let Action::Call(invocation) = &node.action else { continue };
        let constants: Vec<ValueId> =
            invocation.tensors.iter().flatten().copied().filter(|value| stored.contains_key(value)).collect();
        let is_tuned = tuned.arguments.contains_key(&node.place.node)
            || constants.iter().any(|value| tuned.sizes.contains_key(value));
        if is_tuned && !constants.is_empty() {
            follow(program, node, invocation, &constants, &stored, tuned);
        }
    }
}

fn follow(
    program: &Program,
    node: &Node,
    invocation: &Invocation,
    constants: &[ValueId],
    stored: &FxHashMap<ValueId, usize>,
    tuned: &mut Tuned,
) {
    // Every size of a constant is a symbol of its own, but for those that are tuned.
    let mut symbols: FxHashMap<AtomId, (ValueId, usize, i64)> = FxHashMap::default();
    let mut call = arguments::call(invocation, node.outputs.len(), &mut |value| {
        let name = program.name(value).to_owned();
        let Some(&place) = stored.get(&value).filter(|_| constants.contains(&value)) else {
            return Tensor::given(&name, Kind::F32, Shape::unknown(&name));
        };
        let (_, constant) = &program.graph.constants[place];
        let sizes = constant.sizes.iter().enumerate().map(|(axis, &size)| {
            let own = tuned.sizes.get(&value).and_then(|all| all.iter().find(|(held, _)| *held == axis));
            if let Some((_, size)) = own {
                return *size;
            }
            let symbol = Dim::symbol(&format!("{name}.shape[{axis}]"), 0, semantics::dim::LARGEST_SIZE);
            symbol.as_atom().into_iter().for_each(|atom| {
                symbols.insert(atom, (value, axis, size));
            });
            symbol
        });
        Tensor::given(&name, constant.kind, Shape::new(sizes.collect::<Vec<_>>()))
    });
    // What is changed has a symbol of its own, too: a number would not be recognised in an equation.
    let mut changed: FxHashMap<AtomId, Dim> = FxHashMap::default();
    let mut stand_in = |dim: Dim| {
        let symbol = Dim::symbol("changed", -semantics::dim::LARGEST_SIZE, semantics::dim::LARGEST_SIZE);
        symbol.as_atom().into_iter().for_each(|atom| _ = changed.insert(atom, dim));
        symbol
    };
    for (slot, argument) in tuned.arguments.get(&node.place.node).into_iter().flatten() {
        call.arguments[*slot] = Some(match argument {
            Argument::Int(number) => Argument::Int(stand_in(*number)),
            Argument::Ints(all) => Argument::Ints(all.iter().map(|number| stand_in(*number)).collect()),
            other => other.clone(),
        });
    }
    for (value, axis) in constants.iter().flat_map(|value| {
        let all = tuned.sizes.get(value).into_iter().flatten();
        all.map(move |(axis, _)| (*value, *axis))
    }) {
        let size = tuned.sizes[&value].iter().find(|(held, _)| *held == axis).map(|(_, size)| *size);
        let tensors = call.tensors.iter_mut().zip(&invocation.tensors);
        for (tensor, _) in
            tensors.flat_map(|(own, values)| own.iter_mut().zip(values)).filter(|(_, held)| **held == value)
        {
            if let (Some(size), Some(mut sizes)) = (size, tensor.shape().sizes()) {
                sizes[axis] = stand_in(size);
                *tensor = tensor.with_shape(Shape::new(sizes));
            }
        }
    }
    for (value, axis, size) in determined(&mut call, invocation, &symbols, &changed) {
        tuned.sizes.entry(value).or_default().push((axis, size));
    }
}

/// The sizes that the requirements of a call give in terms of what is changed alone.
fn determined(
    call: &mut Call,
    invocation: &Invocation,
    symbols: &FxHashMap<AtomId, (ValueId, usize, i64)>,
    changed: &FxHashMap<AtomId, Dim>,
) -> Vec<(ValueId, usize, Dim)> {
    let _ = call.run(invocation.define);
    let mut found: Vec<(ValueId, usize, Dim)> = Vec::new();
    let mut equations = Vec::new();
    for requirement in &call.requirements {
        let parts = match requirement.prop.view() {
            PropView::And(parts) => parts,
            _ => vec![requirement.prop],
        };
        for part in parts {
            if let PropView::Equal(a, b) = part.view() {
                equations.extend([(a, b), (b, a)]);
            }
        }
    }
    for (one, other) in equations {
        let Some(&(value, axis, _)) = one.as_atom().and_then(|atom| symbols.get(&atom)) else { continue };
        let (mut is_changed, mut is_plain) = (false, true);
        other.leaves(&mut |atom| {
            is_changed |= changed.contains_key(&atom);
            is_plain &= changed.contains_key(&atom);
        });
        let is_known = found.iter().any(|(held, at, _)| (*held, *at) == (value, axis));
        let size = other.substitute(&mut |atom| changed.get(&atom).copied());
        if let (true, true, false, Some(size)) = (is_changed, is_plain, is_known, size) {
            found.push((value, axis, size));
        }
    }
    found
}
