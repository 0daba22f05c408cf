//! Tensors as an analysis sees them: element type, shape, and what is known of the content.
//!
//! Content is lazy: a formula is a closure until an engine asks for values, so checking shapes costs no formula.

use crate::arena;
use crate::array::Array;
use crate::between::{self, Between};
use crate::call::Outputs;
use crate::dim::Dim;
use crate::dtype::{DType, Kind};
use crate::element::{Element, index_variable};
use crate::kernel::Run;
use crate::layout::Layout;
use crate::shape::Shape;
use crate::values::{self, Value};
use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

/// A tensor. Belongs to the arena it was built in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Tensor(u32);

pub(crate) struct TensorNode {
    name: Rc<str>,
    dtype: DType,
    shape: Shape,
    content: Content,
    within: Option<(f64, f64)>,
    layout: Option<Rc<Layout>>,
    formula: OnceCell<Rc<Formula>>,
    values: OnceCell<Option<Rc<[Value]>>>,
    between: OnceCell<Option<Between>>,
}

/// One element as an expression of its index.
type ElementAt = Rc<dyn Fn(&[Dim]) -> Element>;

/// What is known of the elements.
#[derive(Clone)]
pub enum Content {
    /// Only the run will tell; engines supply a value.
    Given,
    /// Known, read when asked for.
    Stored(Rc<dyn Fn() -> Option<Array>>),
    /// A short list of integer expressions, row-major: a shape as a value.
    Dims(Rc<[Dim]>),
    /// One element as an expression of its index.
    Formula { element: ElementAt, kernel: Option<Kernel> },
    /// One output of a composition of simpler tensors, put together when asked for.
    Composed(Rc<Composition>, usize),
    /// One output of an algorithm that is no formula (sorting, selection, linear algebra).
    Opaque(Rc<Opaque>, usize),
    /// Drawn at random: only what every draw has in common is known.
    Random(Rc<Random>),
}

/// A faster way to the same numbers for a formula that is a sum of products of two tensors.
/// Being bilinear, it also gives the rounding bound: it is run again on magnitudes.
#[derive(Clone)]
pub struct Kernel {
    pub left: Tensor,
    pub right: Tensor,
    /// How many products at most are added up for one element.
    pub terms: Dim,
    pub run: Run,
}

/// An algorithm on known arrays, for what no formula can say.
pub struct Opaque {
    pub inputs: Vec<Tensor>,
    pub compute: Box<Compute>,
}

/// One result per output, or why the inputs are not acceptable.
pub type Compute = dyn Fn(&[Array]) -> Result<Vec<Computed>, String>;

/// A result of an algorithm; `error` bounds what rounding in the element type may change, element by element,
/// and is left out where the algorithm only moves, counts or compares.
pub struct Computed {
    pub array: Array,
    pub error: Option<Vec<f64>>,
}

impl From<Array> for Computed {
    fn from(array: Array) -> Computed {
        Computed { array, error: None }
    }
}

/// Tensors that are put together only when an engine asks for values: checking shapes does not pay for them.
pub struct Composition {
    build: Box<dyn Fn() -> Vec<Tensor>>,
    built: OnceCell<Vec<Tensor>>,
}

impl Composition {
    pub fn output(&self, number: usize) -> Tensor {
        self.built.get_or_init(|| (self.build)())[number]
    }
}

/// What is promised of elements that are drawn at random.
#[derive(Clone, Debug)]
pub struct Random {
    pub low: f64,
    pub high: f64,
    pub mean: Option<f64>,
    pub deviation: Option<f64>,
}

/// A formula with its index variables. An axis of size one has the index 0 instead of a variable.
pub struct Formula {
    pub index: Vec<Dim>,
    pub element: Element,
}

impl Tensor {
    /// Whether two tensors surely have one known type and the same sizes.
    pub fn looks_like(self, other: Tensor) -> bool {
        let ids = |tensor: Tensor| {
            let sizes = tensor.shape().sizes()?;
            Some(sizes.iter().map(|size| size.id()).collect::<Vec<_>>())
        };
        match (self.dtype(), other.dtype()) {
            (DType::Known(a), DType::Known(b)) => a == b && ids(self).is_some() && ids(self) == ids(other),
            _ => false,
        }
    }
    pub fn new(dtype: impl Into<DType>, shape: Shape, content: Content) -> Tensor {
        Tensor::push(TensorNode {
            name: "".into(),
            dtype: dtype.into(),
            shape,
            content,
            within: None,
            layout: None,
            formula: OnceCell::new(),
            values: OnceCell::new(),
            between: OnceCell::new(),
        })
    }
    fn push(node: TensorNode) -> Tensor {
        arena::with(|arena| {
            arena.tensors.push(Rc::new(node));
            Tensor(arena.tensors.len() as u32 - 1)
        })
    }
    fn node(self) -> Rc<TensorNode> {
        arena::with(|arena| arena.tensors[self.0 as usize].clone())
    }
    fn changed(self, change: impl FnOnce(&mut TensorNode)) -> Tensor {
        let node = self.node();
        let mut copy = TensorNode {
            name: node.name.clone(),
            dtype: node.dtype,
            shape: node.shape,
            content: node.content.clone(),
            within: node.within,
            layout: node.layout.clone(),
            formula: OnceCell::new(),
            values: OnceCell::new(),
            between: node.between.clone(),
        };
        change(&mut copy);
        Tensor::push(copy)
    }

    /// What each axis stands for, where somebody said so.
    pub fn layout(self) -> Option<Rc<Layout>> {
        self.node().layout.clone()
    }
    pub fn laid_out(self, layout: Rc<Layout>) -> Tensor {
        self.changed(|node| node.layout = Some(layout))
    }

    /// A tensor whose content only the run will tell.
    pub fn given(name: &str, dtype: impl Into<DType>, shape: Shape) -> Tensor {
        Tensor::new(dtype, shape, Content::Given).named(name)
    }
    pub fn constant(array: Array) -> Tensor {
        let shape = Shape::new(array.shape.iter().map(|&size| Dim::from(size)));
        let kind = array.kind;
        Tensor::new(kind, shape, Content::Stored(Rc::new(move || Some(array.clone()))))
    }
    /// A vector of integer expressions.
    pub fn of_dims(kind: Kind, dims: impl IntoIterator<Item = Dim>) -> Tensor {
        let dims: Rc<[Dim]> = dims.into_iter().collect();
        Tensor::new(kind, Shape::new([Dim::from(dims.len())]), Content::Dims(dims))
    }
    /// One integer expression, as a scalar.
    pub fn of_dim(kind: Kind, dim: Dim) -> Tensor {
        Tensor::new(kind, Shape::scalar(), Content::Dims([dim].into()))
    }
    /// A tensor given by a formula for one element. The closure runs only if an engine asks for values.
    pub fn from_elements(
        dtype: impl Into<DType>,
        shape: Shape,
        element: impl Fn(&[Dim]) -> Element + 'static,
    ) -> Tensor {
        Tensor::new(dtype, shape, Content::Formula { element: Rc::new(element), kernel: None })
    }
    /// Outputs of the given types and shapes whose elements a composition of simpler tensors gives.
    /// Recurrences, attention and whatever takes many steps is written so.
    pub fn composed(
        outputs: impl IntoIterator<Item = (DType, Shape)>,
        build: impl Fn() -> Vec<Tensor> + 'static,
    ) -> Outputs {
        let composition = Rc::new(Composition { build: Box::new(build), built: OnceCell::new() });
        let outputs = outputs.into_iter().enumerate();
        outputs
            .map(|(k, (dtype, shape))| Tensor::new(dtype, shape, Content::Composed(composition.clone(), k)))
            .collect()
    }
    /// Outputs of the given types and shapes, computed by an algorithm from known inputs.
    pub fn opaque(
        inputs: &[Tensor],
        outputs: impl IntoIterator<Item = (DType, Shape)>,
        compute: impl Fn(&[Array]) -> Result<Vec<Computed>, String> + 'static,
    ) -> Outputs {
        let opaque = Rc::new(Opaque { inputs: inputs.to_vec(), compute: Box::new(compute) });
        let outputs = outputs.into_iter().enumerate();
        outputs
            .map(|(k, (dtype, shape))| Tensor::new(dtype, shape, Content::Opaque(opaque.clone(), k)))
            .collect()
    }
    /// Elements drawn at random.
    pub fn random(dtype: impl Into<DType>, shape: Shape, random: Random) -> Tensor {
        Tensor::new(dtype, shape, Content::Random(Rc::new(random)))
    }
    /// For a formula that is a sum of products: the same numbers, faster. A law compares the two.
    pub fn with_kernel(self, kernel: Kernel) -> Tensor {
        self.changed(|node| {
            if let Content::Formula { kernel: slot, .. } = &mut node.content {
                *slot = Some(kernel);
            }
        })
    }
    /// Whether its elements stand in the program, rather than being computed or given to it.
    pub fn is_stored(self) -> bool {
        matches!(self.content(), Content::Stored(_))
    }
    /// A fact about every element that the formula alone does not show to a non-relational domain.
    pub fn within(self, low: f64, high: f64) -> Tensor {
        self.changed(|node| node.within = Some((low, high)))
    }
    /// Promises between which numbers every element of an integer tensor lies.
    pub fn lying_between(self, span: Between) -> Tensor {
        self.changed(|node| node.between = OnceCell::from(Some(span)))
    }
    /// The name used when a formula is written out.
    pub fn named(self, name: impl Into<Rc<str>>) -> Tensor {
        let name = name.into();
        // A tensor that nobody has named yet is nobody else's: no copy is needed.
        let in_place = arena::with(|arena| match Rc::get_mut(&mut arena.tensors[self.0 as usize]) {
            Some(node) if node.name.is_empty() => {
                node.name = name.clone();
                true
            }
            _ => false,
        });
        if in_place { self } else { self.changed(|node| node.name = name) }
    }
    /// The same tensor with more precise knowledge of its shape. It has the same elements: what the run
    /// tells of this one, it tells of the other.
    pub fn with_shape(self, shape: Shape) -> Tensor {
        if shape.id() == self.shape().id() {
            return self;
        }
        self.changed(|node| {
            node.shape = shape;
            if let Content::Given = node.content {
                let composition = Composition { build: Box::new(move || vec![self]), built: OnceCell::new() };
                node.content = Content::Composed(Rc::new(composition), 0);
            }
        })
    }

    pub fn dtype(self) -> DType {
        self.node().dtype
    }
    pub fn shape(self) -> Shape {
        self.node().shape
    }
    pub fn name(self) -> Rc<str> {
        self.node().name.clone()
    }
    pub fn content(self) -> Content {
        self.node().content.clone()
    }
    pub fn declared_range(self) -> Option<(f64, f64)> {
        self.node().within
    }
    /// The element type inside a formula. Formulas are built only once the type is known.
    pub fn kind(self) -> Kind {
        self.dtype().known().unwrap_or(Kind::F32)
    }

    /// The element at an index.
    pub fn at(self, index: &[Dim]) -> Element {
        Element::at(self.kind(), self, index)
    }
    /// The element that broadcasting aligns with an index of a result of at least this rank.
    pub fn broadcast_at(self, index: &[Dim]) -> Element {
        let Some(sizes) = self.shape().sizes() else { return self.at(index) };
        let skipped = index.len().saturating_sub(sizes.len());
        let aligned: Vec<Dim> = index[skipped..]
            .iter()
            .zip(&sizes)
            .map(|(&position, &size)| Dim::select(size.eq(1), 0, position))
            .collect();
        self.at(&aligned)
    }
    /// The same for a result of this shape: along an axis that is as long as the result's, the index is the same.
    pub fn broadcast_in(self, shape: Shape, index: &[Dim]) -> Element {
        let (Some(sizes), Some(result)) = (self.shape().sizes(), shape.sizes()) else {
            return self.broadcast_at(index);
        };
        let skipped = index.len().saturating_sub(sizes.len());
        let axes = index.iter().zip(&result).skip(skipped).zip(&sizes);
        let aligned: Vec<Dim> = axes
            .map(|((&position, whole), &size)| match whole.id() == size.id() {
                true => position,
                false => Dim::select(size.eq(1), 0, position),
            })
            .collect();
        self.at(&aligned)
    }
    /// The element, or `otherwise` outside the tensor.
    pub fn at_or(self, index: &[Dim], otherwise: Element) -> Element {
        let Some(sizes) = self.shape().sizes() else { return self.at(index) };
        let inside = crate::prop::Prop::all(index.iter().zip(&sizes).map(|(i, &size)| i.within(0, size)));
        Element::when(inside, self.at(index), otherwise)
    }
    /// The element, or zero outside the tensor.
    pub fn padded_at(self, index: &[Dim]) -> Element {
        self.at_or(index, Element::constant(self.kind(), 0.0))
    }

    /// The formula with its index variables, built on first use. `None` without a formula or a known rank.
    pub fn formula(self) -> Option<Rc<Formula>> {
        let node = self.node();
        if let Some(formula) = node.formula.get() {
            return Some(formula.clone());
        }
        let Content::Formula { element, .. } = &node.content else { return None };
        let sizes = node.shape.sizes()?;
        let index: Vec<Dim> =
            sizes.iter().enumerate().map(|(k, &size)| index_variable(&format!("i{k}"), size)).collect();
        let element = element(&index);
        Some(node.formula.get_or_init(|| Rc::new(Formula { index, element })).clone())
    }
    /// The elements as integer expressions, numbers and statements, if the tensor is small enough to be a
    /// shape, an axis list or a flag. `None` where the number of elements is unknown or large.
    pub fn values(self) -> Option<Rc<[Value]>> {
        let node = self.node();
        node.values.get_or_init(|| values::read(self).map(Rc::from)).clone()
    }
    /// The values, unless the first of them is not known: for those who need all of them.
    pub fn values_unless_unknown(self) -> Option<Rc<[Value]>> {
        values::read_unless_unknown(self)
    }
    pub(crate) fn values_are_read(self) -> bool {
        self.node().values.get().is_some()
    }
    /// Between which numbers the elements of an integer tensor lie, if that is known.
    pub fn between(self) -> Option<Between> {
        let node = self.node();
        *node.between.get_or_init(|| between::read(self))
    }
    /// Whether [`Tensor::values`] gives any, which is cheaper to ask than what they are.
    pub fn has_values(self) -> bool {
        self.node().values.get().map_or_else(|| values::are_told(self), Option::is_some)
    }
}

impl fmt::Display for Tensor {
    /// `f32[N, 3]`, and `f32[N, 8, 8, 3] (NHWC)` where the layout is known
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dtype(), self.shape())?;
        self.layout().map_or(Ok(()), |layout| write!(f, " ({layout})"))
    }
}
