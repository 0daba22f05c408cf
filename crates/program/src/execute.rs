//! Runs a program on one path, symbolically: shapes, types and small values flow from the inputs to the outputs.

use crate::arguments;
use crate::ir::{Action, Constant, Declared, Graph, Invocation, Node, Program, Size, ValueId};
use crate::path::{Answer, Entry, How, Path};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::call::{Argument, Call};
use semantics::dim::{Dim, LARGEST_SIZE, Origin};
use semantics::dtype::DType;
use semantics::layout::Layout;
use semantics::shape::Shape;
use semantics::tensor::{Content, Tensor};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// The symbolic run of one program.
pub struct Run<'p> {
    pub program: &'p Program,
    pub path: Path,
    pub tensors: Tensors,
    /// Named sizes: one symbol each, whatever value declares them.
    pub sizes: FxHashMap<Rc<str>, Dim>,
    /// Values that would never be computed, because a call before them fails.
    pub unreached: FxHashSet<ValueId>,
    /// Calls that would never be made.
    pub skipped: usize,
    /// What takes the place of what the program says.
    pub changes: Changes,
    /// Sub-graphs entered so far, to keep hostile nesting in bounds.
    pub(crate) depth: usize,
}

/// Something else in the place of what a program says; belongs to an arena.
#[derive(Default)]
pub struct Changes {
    /// Arguments by the name of their node, each with its place in the signature.
    pub arguments: FxHashMap<String, Vec<(usize, Argument)>>,
    /// Stored weights of layers, in the place of which the layers make their own.
    pub forgotten: FxHashSet<ValueId>,
}

/// The tensor of each value of a program, as far as it is made.
pub struct Tensors(Vec<Option<Tensor>>);

impl Tensors {
    pub fn get(&self, value: ValueId) -> Option<Tensor> {
        self.0[value.0 as usize]
    }
    pub fn insert(&mut self, value: ValueId, tensor: Tensor) {
        self.0[value.0 as usize] = Some(tensor);
    }
}

impl<'p> Run<'p> {
    /// `sizes` gives the named sizes whose value or range the user has stated.
    pub fn new(program: &'p Program, path: Path, sizes: FxHashMap<Rc<str>, Dim>) -> Run<'p> {
        Run {
            program,
            path,
            tensors: Tensors(vec![None; program.values.len()]),
            sizes,
            unreached: FxHashSet::default(),
            skipped: 0,
            changes: Changes::default(),
            depth: 0,
        }
    }

    /// Executes the whole program. Inputs and constants that were not set before are those of the program.
    pub fn execute(&mut self) {
        self.begin();
        for node in &self.program.graph.nodes {
            self.node(node);
        }
    }
    /// Makes what is there before the first node.
    pub fn begin(&mut self) {
        let program = self.program;
        for &input in &program.graph.inputs {
            if self.tensors.get(input).is_none() {
                let tensor = self.declared_tensor(input);
                self.tensors.insert(input, tensor);
            }
        }
        self.constants(&program.graph);
    }
    fn constants(&mut self, graph: &'p Graph) {
        for (value, constant) in &graph.constants {
            if self.tensors.get(*value).is_none() {
                let tensor = stored(constant, self.program.values[value.0 as usize].name.clone());
                self.tensors.insert(*value, tensor);
            }
        }
    }

    pub(crate) fn graph(&mut self, graph: &'p Graph) {
        self.constants(graph);
        for node in &graph.nodes {
            self.node(node);
        }
    }

    pub fn node(&mut self, node: &'p Node) {
        let unreached = &self.unreached;
        if !unreached.is_empty() && node.inputs().iter().any(|input| unreached.contains(input)) {
            // The framework would have raised before: whatever could be said here is idle.
            self.skipped += 1;
            self.unreached.extend(node.outputs.iter().flatten());
            return;
        }
        let recorded = self.path.record.len();
        let outputs: SmallVec<[Tensor; 2]> = match &node.action {
            _ if !node.faults.is_empty() => SmallVec::new(),
            Action::Call(invocation) => {
                let tensors = &mut self.tensors;
                let wanted = node.outputs.len();
                let mut call = arguments::call(invocation, wanted, &mut |value| tensor_of(tensors, value));
                self.changes.apply(invocation, &node.place.node, &mut call);
                let laid_out = LaidOut::of(&call, || invocation.channels_first.is_some());
                match self.path.call(call, invocation.define, &node.place) {
                    Answer::Done(outputs) => {
                        let inherited = |output| laid_out.as_ref().map_or(output, |it| it.inherited(output));
                        outputs.into_iter().map(inherited).collect()
                    }
                    Answer::Violated(_) => self
                        .path
                        .record
                        .last()
                        .map(|entry| entry.outputs.iter().copied().collect())
                        .unwrap_or_default(),
                }
            }
            Action::Constant(constant) => smallvec![stored(constant, "")],
            Action::If(branches) => self.conditional(branches, node).into(),
            Action::Loop(repeated) => self.repeated(repeated, node).into(),
            Action::Scan(scan) => self.scanned(scan, node).into(),
            Action::Unknown { .. } => SmallVec::new(),
        };
        let failed = self.path.record[recorded.min(self.path.record.len())..].iter().any(Entry::is_violated);
        if failed || !node.faults.is_empty() {
            self.unreached.extend(node.outputs.iter().flatten());
        }
        for (k, output) in node.outputs.iter().enumerate() {
            let Some(value) = *output else { continue };
            let tensor = outputs.get(k).copied().unwrap_or_else(|| self.unknown_tensor(value));
            let own = if self.path.made.is_some() { passed_on(tensor) } else { tensor };
            let named = own.named(self.program.values[value.0 as usize].name.clone());
            self.rename(tensor, named, own != tensor);
            self.tensors.insert(value, named);
        }
    }

    /// What was noted of the last call under one name is noted under another. Where the new one reads the old, a loop or
    /// a branch still gives the old.
    fn rename(&mut self, old: Tensor, new: Tensor, reads: bool) {
        let last = self.path.made.as_mut().and_then(|made| made.last_mut());
        if let Some(last) = last.filter(|last| old != new && !(reads && last.how == How::OneOf)) {
            last.outputs.iter_mut().filter(|output| **output == old).for_each(|output| *output = new);
        }
    }

    pub fn tensor(&mut self, value: ValueId) -> Tensor {
        tensor_of(&mut self.tensors, value)
    }

    /// A tensor of which nothing is known but what the file declares about it.
    pub(crate) fn unknown_tensor(&mut self, value: ValueId) -> Tensor {
        self.declared_tensor(value)
    }

    /// A tensor made from what the file declares.
    pub fn declared_tensor(&mut self, value: ValueId) -> Tensor {
        let name = self.program.name(value).to_string();
        let Some(Declared::Tensor { kind, sizes }) = self.program.declared(value).cloned() else {
            return Tensor::given(&name, DType::unknown(), Shape::unknown(&name));
        };
        let dtype = kind.map_or_else(DType::unknown, DType::from);
        let shape = match sizes {
            None => Shape::unknown(&name),
            Some(sizes) => Shape::new(
                sizes.iter().enumerate().map(|(axis, size)| self.size(size, &name, axis)).collect::<Vec<_>>(),
            ),
        };
        Tensor::given(&name, dtype, shape)
    }

    fn size(&mut self, size: &Size, owner: &str, axis: usize) -> Dim {
        match size {
            Size::Known(size) => (*size).into(),
            Size::Named(name) => {
                let from = if self.program.open.contains(name) { Origin::open } else { Origin::input };
                let origin = || from(&format!("axis {axis} of `{owner}`"));
                let fresh = || Dim::symbol_from(name, 1, LARGEST_SIZE, origin());
                *self.sizes.entry(name.clone()).or_insert_with(fresh)
            }
            Size::Unknown => {
                let origin = Origin::input(&format!("axis {axis} of `{owner}`"));
                Dim::symbol_from(&format!("{owner}.{axis}"), 0, LARGEST_SIZE, origin)
            }
        }
    }
}

impl Changes {
    /// What takes the place of the arguments of a call.
    pub fn apply(&self, invocation: &Invocation, node: &str, call: &mut Call) {
        if !self.forgotten.is_empty() && layers::layers::by_name(invocation.operator.name).is_some() {
            for (slot, values) in invocation.tensors.iter().enumerate().skip(1) {
                let is_mask = invocation.operator.inputs[slot].name.ends_with("mask");
                if !is_mask && values.iter().all(|value| self.forgotten.contains(value)) {
                    call.tensors[slot].clear();
                }
            }
        }
        for (slot, argument) in self.arguments.get(node).into_iter().flatten() {
            call.arguments[*slot] = Some(argument.clone());
        }
    }
}

/// What only the run will tell of a tensor it tells of every copy of it, which has to be seen by who follows values.
fn passed_on(tensor: Tensor) -> Tensor {
    match tensor.content() {
        Content::Stored(_) | Content::Dims(_) => tensor,
        _ if !tensor.name().is_empty() => {
            Tensor::composed([(tensor.dtype(), tensor.shape())], move || vec![tensor])[0]
        }
        _ => tensor,
    }
}

/// An input whose layout is known, and whether the operator reads channels off it.
pub struct LaidOut {
    input: Tensor,
    layout: Rc<Layout>,
    is_channelled: bool,
}

impl LaidOut {
    /// The first such input of a call.
    pub fn of(call: &Call, is_channelled: impl FnOnce() -> bool) -> Option<LaidOut> {
        let inputs = call.tensors.iter().flatten();
        let (input, layout) = inputs.into_iter().find_map(|&input| Some((input, input.layout()?)))?;
        Some(LaidOut { input, layout, is_channelled: is_channelled() })
    }
    /// What keeps the shape of its input keeps what the axes stand for, and so does what works on its channels.
    pub fn inherited(&self, output: Tensor) -> Tensor {
        let same_rank = output.shape().known_rank() == Some(self.layout.rank());
        let kept = self.is_channelled || output.shape().same(self.input.shape()).known() == Some(true);
        let is_new = same_rank && kept && output.layout().is_none();
        if is_new { output.laid_out(self.layout.clone()) } else { output }
    }
}

fn tensor_of(tensors: &mut Tensors, value: ValueId) -> Tensor {
    // A value nobody made is a structural problem that the reader reports; here it is merely unknown.
    *tensors.0[value.0 as usize]
        .get_or_insert_with(|| Tensor::given("unknown", DType::unknown(), Shape::unknown("unknown")))
}

/// A constant as a tensor whose elements are read on demand.
pub fn stored(constant: &Constant, name: impl Into<Rc<str>>) -> Tensor {
    let shape = Shape::new(constant.sizes.iter().map(|&size| Dim::from(size)));
    Tensor::new(constant.kind, shape, Content::Stored(constant.load.clone())).named(name)
}
