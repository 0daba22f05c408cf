//! Statements compiled for evaluation at one assignment of their unknowns after another.
//!
//! This is what every model is checked with. It shares nothing with the decision procedures.
//! The conventions are those of folding: division rounds down, `x // 0` is 0 and `x % 0` is `x`.

use crate::interval::{floor_div, floor_mod};
use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, AtomView, Dim, DimId};
use semantics::prop::{Prop, PropId, PropView};

/// Statements and expressions, each part once.
#[derive(Default)]
pub struct Compiled {
    nodes: Vec<Node>,
    dims: FxHashMap<DimId, u32>,
    atoms: FxHashMap<AtomId, u32>,
    props: FxHashMap<PropId, u32>,
    /// Integer unknowns in the order of their first occurrence.
    pub leaves: Vec<AtomId>,
    /// Statements without arithmetic.
    pub free: Vec<PropId>,
    /// Numbers that occur: where the interesting values are.
    pub constants: Vec<i64>,
    /// A statement about whole shapes of unknown rank occurs: nothing can be evaluated.
    pub opaque: bool,
    statements: Vec<u32>,
}

/// How a part is computed from those before it; statements are 0 or 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Constant(i64),
    /// An unknown, by its place in [`Compiled::leaves`].
    Leaf(u32),
    Sum {
        constant: i64,
        terms: Vec<(i64, Vec<u32>)>,
    },
    Div(u32, u32),
    Mod(u32, u32),
    Min(u32, u32),
    Max(u32, u32),
    Select(u32, u32, u32),
    Equal(u32, u32),
    AtMost(u32, u32),
    And(Vec<u32>),
    Or(Vec<u32>),
    Not(u32),
    /// A statement without arithmetic, by its place in [`Compiled::free`].
    Free(u32),
    /// A statement about whole shapes of unknown rank.
    Opaque,
}

/// An assignment, and room for the values of all parts.
#[derive(Default, Clone)]
pub struct Point {
    pub leaves: Vec<i64>,
    pub free: Vec<bool>,
    /// `None`: a number left 64 bits.
    values: Vec<Option<i64>>,
}

impl Compiled {
    /// Adds a statement; the result is its number.
    pub fn add(&mut self, prop: Prop) -> usize {
        let node = self.prop(prop);
        self.statements.push(node);
        self.statements.len() - 1
    }
    /// Adds an expression; the result is for [`Compiled::value`].
    pub fn add_dim(&mut self, dim: Dim) -> u32 {
        self.dim(dim)
    }
    /// The value of an expression at an evaluated point.
    pub fn value(&self, node: u32, point: &Point) -> Option<i64> {
        point.values.get(node as usize).copied().flatten()
    }
    /// All parts, each after those it is made of.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }
    /// The part that a statement is.
    pub fn node_of(&self, statement: usize) -> u32 {
        self.statements[statement]
    }
    pub fn size(&self) -> usize {
        self.nodes.len()
    }
    pub fn point(&self) -> Point {
        Point {
            leaves: vec![0; self.leaves.len()],
            free: vec![false; self.free.len()],
            values: Vec::with_capacity(self.nodes.len()),
        }
    }
    /// Computes every part at the point.
    pub fn evaluate(&self, point: &mut Point) {
        let mut values = std::mem::take(&mut point.values);
        values.clear();
        for node in &self.nodes {
            let value = self.node_value(node, &values, point);
            values.push(value);
        }
        point.values = values;
    }
    /// Whether a statement holds at an evaluated point; `None` if that cannot be computed.
    pub fn holds(&self, statement: usize, point: &Point) -> Option<bool> {
        let node = *self.statements.get(statement)?;
        self.value(node, point).map(|value| value != 0)
    }

    fn node_value(&self, node: &Node, values: &[Option<i64>], point: &Point) -> Option<i64> {
        let value = |at: u32| values[at as usize];
        match node {
            Node::Constant(constant) => Some(*constant),
            Node::Leaf(leaf) => Some(point.leaves[*leaf as usize]),
            Node::Sum { constant, terms } => {
                let mut total = i128::from(*constant);
                for (coefficient, atoms) in terms {
                    let mut product = i128::from(*coefficient);
                    for &atom in atoms {
                        product = product.checked_mul(i128::from(value(atom)?))?;
                    }
                    total = total.checked_add(product)?;
                }
                i64::try_from(total).ok()
            }
            Node::Div(a, b) => floor_div(value(*a)?, value(*b)?),
            Node::Mod(a, b) => floor_mod(value(*a)?, value(*b)?),
            Node::Min(a, b) => Some(value(*a)?.min(value(*b)?)),
            Node::Max(a, b) => Some(value(*a)?.max(value(*b)?)),
            Node::Select(p, a, b) => {
                if value(*p)? != 0 {
                    value(*a)
                } else {
                    value(*b)
                }
            }
            Node::Equal(a, b) => Some((value(*a)? == value(*b)?).into()),
            Node::AtMost(a, b) => Some((value(*a)? <= value(*b)?).into()),
            // One false part decides, whatever the others are.
            Node::And(inner) => connect(inner.iter().map(|&at| value(at)), 0),
            Node::Or(inner) => connect(inner.iter().map(|&at| value(at)), 1),
            Node::Not(p) => Some((value(*p)? == 0).into()),
            Node::Free(at) => Some(point.free[*at as usize].into()),
            Node::Opaque => None,
        }
    }

    fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    fn dim(&mut self, dim: Dim) -> u32 {
        if let Some(&node) = self.dims.get(&dim.id()) {
            return node;
        }
        let node = if let Some(value) = dim.known() {
            self.constants.push(value);
            self.push(Node::Constant(value))
        } else if let Some(atom) = dim.as_atom() {
            self.atom(atom)
        } else {
            let normal = dim.terms();
            self.constants.push(normal.constant);
            let terms = normal
                .terms
                .into_iter()
                .map(|(coefficient, atoms)| {
                    (coefficient, atoms.into_iter().map(|atom| self.atom(atom)).collect())
                })
                .collect();
            self.push(Node::Sum { constant: normal.constant, terms })
        };
        self.dims.insert(dim.id(), node);
        node
    }

    fn atom(&mut self, atom: AtomId) -> u32 {
        if let Some(&node) = self.atoms.get(&atom) {
            return node;
        }
        let node = match atom.view() {
            AtomView::FloorDiv(a, b) => Node::Div(self.dim(a), self.dim(b)),
            AtomView::Modulo(a, b) => Node::Mod(self.dim(a), self.dim(b)),
            AtomView::Min(a, b) => Node::Min(self.dim(a), self.dim(b)),
            AtomView::Max(a, b) => Node::Max(self.dim(a), self.dim(b)),
            AtomView::Product(a, b) => {
                Node::Sum { constant: 0, terms: vec![(1, vec![self.dim(a), self.dim(b)])] }
            }
            AtomView::Select(p, a, b) => Node::Select(self.prop(p), self.dim(a), self.dim(b)),
            AtomView::Symbol(_)
            | AtomView::Rank(_)
            | AtomView::Size(..)
            | AtomView::Count(..)
            | AtomView::Value(_) => {
                self.leaves.push(atom);
                Node::Leaf((self.leaves.len() - 1) as u32)
            }
        };
        let node = self.push(node);
        self.atoms.insert(atom, node);
        node
    }

    fn prop(&mut self, prop: Prop) -> u32 {
        if let Some(&node) = self.props.get(&prop.id()) {
            return node;
        }
        let node = match (prop.known(), prop.view()) {
            (Some(truth), _) | (None, PropView::Constant(truth)) => Node::Constant(truth.into()),
            (_, PropView::Equal(a, b)) => Node::Equal(self.dim(a), self.dim(b)),
            (_, PropView::AtMost(a, b)) => Node::AtMost(self.dim(a), self.dim(b)),
            (_, PropView::And(inner)) => Node::And(inner.into_iter().map(|p| self.prop(p)).collect()),
            (_, PropView::Or(inner)) => Node::Or(inner.into_iter().map(|p| self.prop(p)).collect()),
            (_, PropView::Not(inner)) => Node::Not(self.prop(inner)),
            (_, PropView::SameShape(..) | PropView::Broadcastable(..)) => {
                self.opaque = true;
                Node::Opaque
            }
            (_, PropView::Value(_) | PropView::Free(..)) => {
                self.free.push(prop.id());
                Node::Free((self.free.len() - 1) as u32)
            }
        };
        let node = self.push(node);
        self.props.insert(prop.id(), node);
        node
    }
}

/// Conjunction (`decisive` 0) or disjunction (1) where some parts may be unknown.
fn connect(parts: impl Iterator<Item = Option<i64>>, decisive: i64) -> Option<i64> {
    let mut result = Some(1 - decisive);
    for part in parts {
        match part {
            Some(value) if value == decisive => return Some(decisive),
            Some(_) => {}
            None => result = None,
        }
    }
    result
}
