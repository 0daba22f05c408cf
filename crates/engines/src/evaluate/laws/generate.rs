//! Random formulas over random tensors.

use super::Random;
use semantics::array::{Array, Data};
use semantics::dim::Dim;
use semantics::dtype::{Class, Kind};
use semantics::element::Element;
use semantics::prop::Prop;
use semantics::scalar::{Binary, Fold, Unary};
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use std::cell::RefCell;
use std::fmt;

/// What kind of formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Flavour {
    Everything,
    /// Floats of one type, well-behaved, with all functions.
    Floats(Kind),
    /// What exact rationals can do.
    Arithmetic,
}

/// A tensor given by a random formula, with the arrays it reads.
pub(super) struct Case {
    pub tensor: Tensor,
    pub sizes: Vec<usize>,
    pub given: Vec<(Tensor, Array)>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formula = self.tensor.formula().map(|formula| formula.element.to_string()).unwrap_or_default();
        write!(f, "{} = {formula} with", self.tensor)?;
        self.given.iter().try_for_each(|(tensor, array)| write!(f, " {}={array}", tensor.name()))
    }
}

pub(super) fn case(random: &mut Random, flavour: Flavour) -> Case {
    let kind = match flavour {
        Flavour::Floats(kind) => kind,
        Flavour::Arithmetic => Kind::F32,
        Flavour::Everything => {
            [Kind::F32, Kind::F64, Kind::I32, Kind::U8, Kind::I64, Kind::U64, Kind::Bool, Kind::C64]
                [random.below(8)]
        }
    };
    let mut given = Vec::new();
    let kinds = [kind, kind, Kind::F32, Kind::I64, Kind::I32, Kind::Bool];
    let kinds: Vec<Kind> = match flavour {
        Flavour::Everything => kinds.to_vec(),
        Flavour::Floats(kind) => vec![kind, kind, Kind::I64],
        Flavour::Arithmetic => vec![kind, kind],
    };
    for (number, kind) in kinds.into_iter().enumerate() {
        let sizes: Vec<usize> = (0..random.below(4)).map(|_| 1 + random.below(6)).collect();
        let array = array(random, kind, &sizes);
        let shape = Shape::new(sizes.iter().map(|&size| Dim::from(size)));
        given.push((Tensor::given(&format!("t{number}"), kind, shape), array));
    }
    let mut sizes: Vec<usize> = (0..random.below(4)).map(|_| 1 + random.below(7)).collect();
    if random.chance(15) {
        sizes.truncate(1);
        sizes.push(30 + random.below(600));
    }
    let shape = Shape::new(sizes.iter().map(|&size| Dim::from(size)));
    let builder = RefCell::new(Builder {
        random: Random::new(random.next()),
        flavour,
        given: given.clone(),
        scope: Vec::new(),
        budget: 40,
    });
    let extents: Vec<i64> = sizes.iter().map(|&size| size as i64).collect();
    let tensor = Tensor::from_elements(kind, shape, move |index| {
        let mut builder = builder.borrow_mut();
        builder.scope = index.iter().copied().zip(extents.iter().copied()).collect();
        builder.element(kind, 5)
    });
    Case { tensor, sizes, given }
}

fn array(random: &mut Random, kind: Kind, sizes: &[usize]) -> Array {
    let length = sizes.iter().product();
    let mut float = || match random.below(8) {
        0 => random.below(9) as f64 - 4.0,
        1 => (random.below(33) as f64 - 16.0) / 8.0,
        2 => random.unit() * 30.0 - 15.0,
        _ => random.unit() * 4.0 - 2.0,
    };
    let data = match kind.class() {
        Class::Float => Data::Float((0..length).map(|_| kind.round(float())).collect()),
        Class::Complex => {
            Data::Complex((0..length).map(|_| [kind.round(float()), kind.round(float())]).collect())
        }
        Class::Bool => Data::Bool((0..length).map(|_| random.chance(50)).collect()),
        _ => Data::Int(
            (0..length)
                .map(|_| {
                    kind.wrap(if random.chance(5) {
                        random.next() as i64
                    } else {
                        random.below(7) as i64 - 1
                    })
                })
                .collect(),
        ),
    };
    Array::new(kind, sizes.to_vec(), data)
}

struct Builder {
    random: Random,
    flavour: Flavour,
    given: Vec<(Tensor, Array)>,
    /// Index variables and their extents.
    scope: Vec<(Dim, i64)>,
    budget: usize,
}

impl Builder {
    fn element(&mut self, kind: Kind, depth: usize) -> Element {
        self.budget = self.budget.saturating_sub(1);
        if depth == 0 || self.budget == 0 || self.random.chance(15) {
            return self.leaf(kind);
        }
        let depth = depth - 1;
        match self.random.below(10) {
            0 => {
                let condition = self.prop(depth);
                Element::when(condition, self.element(kind, depth), self.element(kind, depth))
            }
            1 if self.flavour != Flavour::Arithmetic => {
                let condition = self.element(Kind::Bool, depth);
                condition.select(self.element(kind, depth), self.element(kind, depth))
            }
            2 if self.scope.len() < 7 => self.fold(kind, depth),
            3 if self.flavour != Flavour::Arithmetic => self.padded(kind, depth),
            _ => match kind.class() {
                Class::Float => self.float(kind, depth),
                Class::Int => self.int(kind, depth),
                Class::Complex => self.complex(kind, depth),
                _ => self.bool(depth),
            },
        }
    }

    fn leaf(&mut self, kind: Kind) -> Element {
        let tensors: Vec<Tensor> =
            self.given.iter().map(|(tensor, _)| *tensor).filter(|tensor| tensor.kind() == kind).collect();
        if !tensors.is_empty() && self.random.chance(75) {
            let tensor = tensors[self.random.below(tensors.len())];
            let index = self.indices(tensor, 2);
            return tensor.at(&index);
        }
        match kind.class() {
            Class::Bool => Element::bool(self.random.chance(50)),
            Class::Int if self.random.chance(40) => {
                let dim = self.any_index(2);
                Element::index(kind, dim)
            }
            Class::Int => Element::int(kind, self.random.below(9) as i64 - 2),
            _ if self.random.chance(25) => {
                let dim = self.any_index(1);
                Element::index(kind, dim)
            }
            _ if self.random.chance(50) => Element::constant(kind, self.random.below(17) as f64 / 4.0 - 2.0),
            _ => Element::constant(kind, self.random.unit() * 3.0 - 1.0),
        }
    }

    /// Positions inside a tensor (now and then outside, to see both readers fail).
    fn indices(&mut self, tensor: Tensor, depth: usize) -> Vec<Dim> {
        let sizes = tensor.shape().sizes().unwrap_or_default();
        let extents: Vec<i64> = sizes.iter().filter_map(|size| size.known()).collect();
        extents.into_iter().map(|size| self.inside(size, depth)).collect()
    }
    fn inside(&mut self, size: i64, depth: usize) -> Dim {
        let fitting: Vec<Dim> =
            self.scope.iter().filter(|(_, extent)| *extent <= size).map(|(dim, _)| *dim).collect();
        let wild = self.flavour == Flavour::Everything && self.random.chance(1);
        match self.random.below(6) {
            _ if wild => self.any_index(depth),
            0 => Dim::from(self.random.below(size as usize)),
            1 | 2 if !fitting.is_empty() => fitting[self.random.below(fitting.len())],
            3 => self.any_index(depth).max(0).min(size - 1),
            _ => self.any_index(depth).modulo(size),
        }
    }
    /// Any index expression.
    fn any_index(&mut self, depth: usize) -> Dim {
        if depth == 0 || self.random.chance(25) {
            if self.scope.is_empty() || self.random.chance(15) {
                return Dim::from(self.random.below(9) as i64 - 3);
            }
            return self.scope[self.random.below(self.scope.len())].0;
        }
        let depth = depth - 1;
        match self.random.below(9) {
            0 => self.any_index(depth) * (self.random.below(5) as i64 - 1),
            1 => self.any_index(depth).div_floor(1 + self.random.below(4) as i64),
            2 => self.any_index(depth).modulo(1 + self.random.below(5) as i64),
            3 => self.any_index(depth).min(self.any_index(depth)),
            4 => self.any_index(depth).max(self.any_index(depth)),
            5 => Dim::select(self.prop(depth), self.any_index(depth), self.any_index(depth)),
            6 if self.random.chance(40) && self.flavour != Flavour::Arithmetic => {
                let kind = [Kind::I64, Kind::I32][self.random.below(2)];
                let kind = if matches!(self.flavour, Flavour::Floats(_)) { Kind::I64 } else { kind };
                self.element(kind, depth).as_index()
            }
            7 if self.random.chance(20) => self.any_index(depth) * self.any_index(depth),
            _ => self.any_index(depth) + self.any_index(depth) - self.random.below(3) as i64,
        }
    }
    fn prop(&mut self, depth: usize) -> Prop {
        let (a, b) = (self.any_index(1), self.any_index(1));
        match self.random.below(7) {
            0 => a.eq(b),
            1 if depth > 0 => self.prop(depth - 1) & self.prop(depth - 1),
            2 if depth > 0 => self.prop(depth - 1) | self.prop(depth - 1),
            3 if depth > 0 => !self.prop(depth - 1),
            4 if depth > 0 && self.flavour != Flavour::Arithmetic => {
                self.element(Kind::Bool, depth - 1).as_prop()
            }
            _ => a.le(b),
        }
    }

    /// A read that is guarded by a condition.
    fn padded(&mut self, kind: Kind, depth: usize) -> Element {
        let tensors: Vec<Tensor> =
            self.given.iter().map(|(tensor, _)| *tensor).filter(|tensor| tensor.kind() == kind).collect();
        if tensors.is_empty() {
            return self.leaf(kind);
        }
        let tensor = tensors[self.random.below(tensors.len())];
        let rank = tensor.shape().known_rank().unwrap_or(0);
        let index: Vec<Dim> = (0..rank).map(|_| self.any_index(2)).collect();
        let otherwise = self.element(kind, depth);
        tensor.at_or(&index, otherwise)
    }

    fn fold(&mut self, kind: Kind, depth: usize) -> Element {
        let with = match kind.class() {
            Class::Bool => [Fold::Any, Fold::All][self.random.below(2)],
            Class::Complex => [Fold::Sum, Fold::Product][self.random.below(2)],
            _ => [Fold::Sum, Fold::Sum, Fold::Max, Fold::Min, Fold::Product][self.random.below(5)],
        };
        let inner = self.scope.iter().filter(|(_, extent)| *extent > 40).count();
        let extent = match self.random.below(10) {
            0 if self.flavour == Flavour::Everything => 0,
            1 if inner == 0 && with != Fold::Product => 200 + self.random.below(200) as i64,
            _ => 1 + self.random.below(6) as i64,
        };
        // Now and then a number of terms that depends on the position.
        let ragged = self.flavour == Flavour::Everything && self.random.chance(4) && !self.scope.is_empty();
        let size = if ragged { self.any_index(0).min(extent) } else { extent.into() };
        Element::fold(with, size, |variable| {
            self.scope.push((variable, extent.max(1)));
            let body = self.element(kind, depth);
            self.scope.pop();
            body
        })
    }

    fn float(&mut self, kind: Kind, depth: usize) -> Element {
        let x = self.element(kind, depth);
        if self.flavour == Flavour::Arithmetic {
            return match self.random.below(7) {
                0 => -x,
                1 => x.abs(),
                2 => x.max(self.element(kind, depth)),
                3 => x.min(self.element(kind, depth)),
                4 => x * self.element(kind, depth),
                5 => x / self.element(kind, depth),
                _ => x - self.element(kind, depth),
            };
        }
        match self.random.below(22) {
            0 => -x,
            1 => x.abs(),
            2 => x.max(self.element(kind, depth)),
            3 => x.min(self.element(kind, depth)),
            4 => x.tanh().exp(),
            5 => x.abs().sqrt(),
            6 => (x.abs() + 0.5).ln(),
            7 => x.unary(
                [Unary::Sin, Unary::Cos, Unary::Atan, Unary::Erf, Unary::Asinh, Unary::Tanh, Unary::Sigmoid]
                    [self.random.below(7)],
            ),
            8 => x.unary(
                [Unary::Floor, Unary::Ceil, Unary::Round, Unary::Trunc, Unary::Sign][self.random.below(5)],
            ),
            9 => x / (self.element(kind, depth).abs() + 0.25),
            10 => x.tanh().unary(
                [Unary::Sinh, Unary::Cosh, Unary::Expm1, Unary::Asin, Unary::Acos][self.random.below(5)],
            ),
            11 => {
                (x.abs() + 1.0).unary([Unary::Acosh, Unary::Log1p, Unary::Reciprocal][self.random.below(3)])
            }
            12 => (x.abs() + 0.125).pow(self.element(kind, depth).tanh()),
            13 if self.flavour == Flavour::Everything => x / self.element(kind, depth),
            14 if self.flavour == Flavour::Everything => x.binary(
                [Binary::Modulo, Binary::Remainder, Binary::FloorDiv, Binary::Atan2][self.random.below(4)],
                self.element(kind, depth),
            ),
            15 => {
                let int = if matches!(self.flavour, Flavour::Floats(_)) { Kind::I64 } else { Kind::I32 };
                self.element(int, depth).cast(kind)
            }
            16 => self.element(Kind::Bool, depth).cast(kind),
            17 => x * self.element(kind, depth),
            18 => x + self.element(kind, depth),
            19 => x.cast(if kind == Kind::F32 { Kind::F16 } else { Kind::F32 }).cast(kind),
            20 => x * x,
            _ => x - self.element(kind, depth),
        }
    }

    fn int(&mut self, kind: Kind, depth: usize) -> Element {
        use Binary::*;
        let x = self.element(kind, depth);
        match self.random.below(12) {
            0 => -x,
            1 => x.abs(),
            2 => x.unary([Unary::Sign, Unary::BitNot][self.random.below(2)]),
            3 => {
                let float = if let Flavour::Floats(kind) = self.flavour { kind } else { Kind::F32 };
                self.element(float, depth).cast(kind)
            }
            4 => self.element(Kind::Bool, depth).cast(kind),
            5 if kind != Kind::I64 => self.element(Kind::I64, depth).cast(kind),
            _ => {
                let functions = [
                    Add, Sub, Mul, Div, FloorDiv, Remainder, Modulo, Pow, Max, Min, BitAnd, BitOr, BitXor,
                    ShiftLeft, ShiftRight,
                ];
                x.binary(functions[self.random.below(functions.len())], self.element(kind, depth))
            }
        }
    }

    fn bool(&mut self, depth: usize) -> Element {
        match self.random.below(8) {
            0 => self.element(Kind::Bool, depth).negated(),
            1 => self.element(Kind::Bool, depth).and(self.element(Kind::Bool, depth)),
            2 => self.element(Kind::Bool, depth).or(self.element(Kind::Bool, depth)),
            3 => self.element(Kind::Bool, depth).xor(self.element(Kind::Bool, depth)),
            4 => Element::holds(self.prop(1)),
            kind => {
                let float = if let Flavour::Floats(kind) = self.flavour { kind } else { Kind::F32 };
                let int = if let Flavour::Floats(_) = self.flavour { Kind::I64 } else { Kind::I32 };
                let kind = if kind == 5 { int } else { float };
                let (x, y) = (self.element(kind, depth), self.element(kind, depth));
                x.binary([Binary::Lt, Binary::Le, Binary::Eq][self.random.below(3)], y)
            }
        }
    }

    fn complex(&mut self, kind: Kind, depth: usize) -> Element {
        let x = self.element(kind, depth);
        match self.random.below(8) {
            0 => -x,
            1 => x.unary(Unary::Real).complex(x.unary(Unary::Imag)),
            2 => x.abs().complex(self.element(Kind::F32, depth)),
            3 => x / self.element(kind, depth),
            4 => x * self.element(kind, depth),
            5 => x - self.element(kind, depth),
            6 => self.element(Kind::F32, depth).cast(kind),
            _ => x + self.element(kind, depth),
        }
    }
}
