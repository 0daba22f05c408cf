//! Statements over hyper-parameters, evaluated for many vectors at once.
//!
//! The conventions are those of folding: division rounds down, `x // 0` is 0 and `x % 0` is `x`; what leaves 64 bits is
//! not known, and so is what depends on something that is no hyper-parameter.

use super::Domain;
use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, AtomView, Dim, DimId};
use semantics::prop::{Prop, PropId, PropView};
use smallvec::SmallVec;

/// The number of an expression or statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(pub(super) u32);

/// How an expression is computed; statements are 0 or 1.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Constant(i64),
    /// The value of a hyper-parameter.
    Parameter(usize),
    Sum {
        constant: i64,
        terms: Vec<(i64, Vec<Formula>)>,
    },
    Div(Formula, Formula),
    Mod(Formula, Formula),
    Min(Formula, Formula),
    Max(Formula, Formula),
    Select(Formula, Formula, Formula),
    Equal(Formula, Formula),
    AtMost(Formula, Formula),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Formula),
    /// No hyper-parameter tells it.
    Unknown,
}

/// Expressions, each part once, after those it is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Formulas {
    nodes: Vec<Node>,
    names: Vec<String>,
    /// For each node, the hyper-parameters it depends on, a bit for each; and whether on anything else.
    mentions: Vec<u64>,
    is_foreign: Vec<bool>,
    dims: FxHashMap<DimId, Formula>,
    atoms: FxHashMap<AtomId, Formula>,
    props: FxHashMap<PropId, Formula>,
}

/// Values of one expression for many vectors; `None` where it is not known.
pub(super) type Column = Vec<Option<i64>>;

impl Formulas {
    pub fn over(domains: &[Domain]) -> Formulas {
        Formulas { names: domains.iter().map(|domain| domain.name.clone()).collect(), ..Formulas::default() }
    }
    pub fn node(&self, formula: Formula) -> &Node {
        &self.nodes[formula.0 as usize]
    }
    /// Whether an expression depends on something that is no hyper-parameter.
    pub fn is_foreign(&self, formula: Formula) -> bool {
        self.is_foreign[formula.0 as usize]
    }
    /// The hyper-parameters that an expression depends on, a bit for each.
    pub fn mentions(&self, formula: Formula) -> u64 {
        self.mentions[formula.0 as usize]
    }

    fn push(&mut self, node: Node) -> Formula {
        let mentions = match &node {
            Node::Parameter(number) => 1 << number,
            node => inner(node).iter().fold(0, |all, part| all | self.mentions(*part)),
        };
        let is_foreign =
            matches!(node, Node::Unknown) || inner(&node).iter().any(|part| self.is_foreign(*part));
        self.nodes.push(node);
        self.mentions.push(mentions);
        self.is_foreign.push(is_foreign);
        Formula((self.nodes.len() - 1) as u32)
    }

    pub fn number(&mut self, dim: Dim) -> Formula {
        if let Some(&known) = self.dims.get(&dim.id()) {
            return known;
        }
        let formula = if let Some(value) = dim.known() {
            self.push(Node::Constant(value))
        } else if let Some(atom) = dim.as_atom() {
            self.atom(atom)
        } else {
            let normal = dim.terms();
            let terms = normal.terms.into_iter();
            let terms = terms
                .map(|(coefficient, atoms)| {
                    (coefficient, atoms.into_iter().map(|atom| self.atom(atom)).collect())
                })
                .collect();
            self.push(Node::Sum { constant: normal.constant, terms })
        };
        self.dims.insert(dim.id(), formula);
        formula
    }
    fn atom(&mut self, atom: AtomId) -> Formula {
        if let Some(&known) = self.atoms.get(&atom) {
            return known;
        }
        let node = match atom.view() {
            AtomView::FloorDiv(a, b) => Node::Div(self.number(a), self.number(b)),
            AtomView::Modulo(a, b) => Node::Mod(self.number(a), self.number(b)),
            AtomView::Min(a, b) => Node::Min(self.number(a), self.number(b)),
            AtomView::Max(a, b) => Node::Max(self.number(a), self.number(b)),
            AtomView::Product(a, b) => {
                Node::Sum { constant: 0, terms: vec![(1, vec![self.number(a), self.number(b)])] }
            }
            AtomView::Select(p, a, b) => Node::Select(self.statement(p), self.number(a), self.number(b)),
            AtomView::Symbol(_) => {
                let name = atom.dim().to_string();
                let place = self.names.iter().position(|known| *known == name);
                place.map_or(Node::Unknown, Node::Parameter)
            }
            AtomView::Rank(_) | AtomView::Size(..) | AtomView::Count(..) | AtomView::Value(_) => {
                Node::Unknown
            }
        };
        let formula = self.push(node);
        self.atoms.insert(atom, formula);
        formula
    }
    pub fn statement(&mut self, prop: Prop) -> Formula {
        if let Some(&known) = self.props.get(&prop.id()) {
            return known;
        }
        let node = match (prop.known(), prop.view()) {
            (Some(truth), _) | (None, PropView::Constant(truth)) => Node::Constant(truth.into()),
            (_, PropView::Equal(a, b)) => Node::Equal(self.number(a), self.number(b)),
            (_, PropView::AtMost(a, b)) => Node::AtMost(self.number(a), self.number(b)),
            (_, PropView::And(parts)) => {
                Node::And(parts.into_iter().map(|part| self.statement(part)).collect())
            }
            (_, PropView::Or(parts)) => {
                Node::Or(parts.into_iter().map(|part| self.statement(part)).collect())
            }
            (_, PropView::Not(part)) => Node::Not(self.statement(part)),
            (
                _,
                PropView::SameShape(..)
                | PropView::Broadcastable(..)
                | PropView::Value(_)
                | PropView::Free(..),
            ) => Node::Unknown,
        };
        let formula = self.push(node);
        self.props.insert(prop.id(), formula);
        formula
    }

    /// The parts of some expressions, each after those it is made of.
    pub fn parts(&self, of: impl IntoIterator<Item = Formula>) -> Vec<Formula> {
        let mut wanted = vec![false; self.nodes.len()];
        of.into_iter().for_each(|formula| wanted[formula.0 as usize] = true);
        for place in (0..self.nodes.len()).rev() {
            if wanted[place] {
                inner(&self.nodes[place]).iter().for_each(|part| wanted[part.0 as usize] = true);
            }
        }
        (0..self.nodes.len() as u32).filter(|&place| wanted[place as usize]).map(Formula).collect()
    }

    /// Computes parts for many vectors, of which the values of each hyper-parameter are given.
    pub fn evaluate(&self, parts: &[Formula], parameters: &[Vec<i64>], length: usize) -> Columns {
        let mut columns =
            Columns { places: vec![u32::MAX; self.nodes.len()], columns: Vec::with_capacity(parts.len()) };
        for &part in parts {
            let column = self.column(self.node(part), &columns, parameters, length);
            columns.places[part.0 as usize] = columns.columns.len() as u32;
            columns.columns.push(column);
        }
        columns
    }
    fn column(&self, node: &Node, columns: &Columns, parameters: &[Vec<i64>], length: usize) -> Column {
        let two = |a: &Formula, b: &Formula, f: fn(i64, i64) -> Option<i64>| -> Column {
            let (a, b) = (columns.of(*a), columns.of(*b));
            a.iter().zip(b).map(|(a, b)| f((*a)?, (*b)?)).collect()
        };
        match node {
            Node::Constant(value) => vec![Some(*value); length],
            Node::Unknown => vec![None; length],
            Node::Parameter(number) => parameters[*number].iter().map(|&value| Some(value)).collect(),
            Node::Sum { constant, terms } => {
                let mut total = vec![Some(*constant); length];
                for (coefficient, factors) in terms {
                    for (row, total) in total.iter_mut().enumerate() {
                        let product = factors.iter().try_fold(*coefficient, |product, factor| {
                            product.checked_mul(columns.of(*factor)[row]?)
                        });
                        *total = total.zip(product).and_then(|(total, product)| total.checked_add(product));
                    }
                }
                total
            }
            Node::Div(a, b) => two(a, b, |a, b| if b == 0 { Some(0) } else { floor_div(a, b) }),
            Node::Mod(a, b) => {
                two(a, b, |a, b| if b == 0 { Some(a) } else { Some(a - floor_div(a, b)?.checked_mul(b)?) })
            }
            Node::Min(a, b) => two(a, b, |a, b| Some(a.min(b))),
            Node::Max(a, b) => two(a, b, |a, b| Some(a.max(b))),
            Node::Equal(a, b) => two(a, b, |a, b| Some((a == b).into())),
            Node::AtMost(a, b) => two(a, b, |a, b| Some((a <= b).into())),
            Node::Select(p, a, b) => {
                let (p, a, b) = (columns.of(*p), columns.of(*a), columns.of(*b));
                let chosen = p.iter().zip(a).zip(b);
                chosen.map(|((p, a), b)| if (*p)? != 0 { *a } else { *b }).collect()
            }
            Node::And(parts) => connected(parts, 0, columns, length),
            Node::Or(parts) => connected(parts, 1, columns, length),
            Node::Not(part) => columns.of(*part).iter().map(|part| Some(i64::from((*part)? == 0))).collect(),
        }
    }
}

/// What an expression is made of.
fn inner(node: &Node) -> SmallVec<[Formula; 4]> {
    match node {
        Node::Constant(_) | Node::Unknown | Node::Parameter(_) => SmallVec::new(),
        Node::Sum { terms, .. } => terms.iter().flat_map(|(_, factors)| factors.iter().copied()).collect(),
        Node::Div(a, b)
        | Node::Mod(a, b)
        | Node::Min(a, b)
        | Node::Max(a, b)
        | Node::Equal(a, b)
        | Node::AtMost(a, b) => SmallVec::from_slice(&[*a, *b]),
        Node::Select(p, a, b) => SmallVec::from_slice(&[*p, *a, *b]),
        Node::And(parts) | Node::Or(parts) => parts.iter().copied().collect(),
        Node::Not(part) => SmallVec::from_slice(&[*part]),
    }
}

/// Conjunction (`decisive` 0) or disjunction (1): one decisive part decides, whatever the others are.
fn connected(parts: &[Formula], decisive: i64, columns: &Columns, length: usize) -> Column {
    let mut result = vec![Some(1 - decisive); length];
    for part in parts {
        for (result, part) in result.iter_mut().zip(columns.of(*part)) {
            *result = match (*result, part) {
                (Some(held), _) if held == decisive => Some(decisive),
                (_, Some(part)) if *part == decisive => Some(decisive),
                (held, Some(_)) => held,
                (_, None) => None,
            };
        }
    }
    result
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// The values of the parts that were computed.
pub(super) struct Columns {
    places: Vec<u32>,
    columns: Vec<Column>,
}

impl Columns {
    pub fn of(&self, formula: Formula) -> &Column {
        &self.columns[self.places[formula.0 as usize] as usize]
    }
}
