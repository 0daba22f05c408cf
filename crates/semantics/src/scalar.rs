//! The scalar functions formulas are made of. Each number domain gives every one of them a meaning.

use crate::dtype::{Class, Kind};

macro_rules! functions { ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $variant:ident $text:literal,)* }) => {
    $(#[$doc])*
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
    pub enum $name { $($(#[$each])* $variant,)* }
    impl $name {
        pub const ALL: &'static [$name] = &[$($name::$variant,)*];
        pub fn name(self) -> &'static str { match self { $($name::$variant => $text,)* } }
    }
}; }

functions! {
    /// Functions of one number.
    Unary {
        Neg "-",
        Abs "abs",
        Sign "sign",
        Exp "exp",
        Expm1 "expm1",
        Ln "ln",
        Log1p "log1p",
        Sqrt "sqrt",
        Reciprocal "reciprocal",
        Sin "sin",
        Cos "cos",
        Tan "tan",
        Asin "asin",
        Acos "acos",
        Atan "atan",
        Sinh "sinh",
        Cosh "cosh",
        Tanh "tanh",
        /// `1 / (1 + exp(-x))`: a function of its own, because libraries compute it with an accuracy of its own.
        Sigmoid "sigmoid",
        Asinh "asinh",
        Acosh "acosh",
        Atanh "atanh",
        Erf "erf",
        Floor "floor",
        Ceil "ceil",
        /// To the nearest integer, ties to even.
        Round "round",
        Trunc "trunc",
        IsNan "isnan",
        IsPosInf "isposinf",
        IsNegInf "isneginf",
        /// Of a bool.
        Not "not",
        /// Of every bit of an integer.
        BitNot "~",
        /// The real part of a complex number.
        Real "real",
        /// The imaginary part of a complex number.
        Imag "imag",
    }
}

functions! {
    /// Functions of two numbers of one type.
    Binary {
        Add "+",
        Sub "-",
        Mul "*",
        /// Integers are divided towards zero, as C does.
        Div "/",
        FloorDiv "//",
        /// The remainder with the sign of the dividend (C's `fmod`).
        Remainder "rem",
        /// The remainder with the sign of the divisor (Python's `%`).
        Modulo "%",
        Pow "pow",
        /// A NaN on either side is the result.
        Max "max",
        /// A NaN on either side is the result.
        Min "min",
        Atan2 "atan2",
        Eq "=",
        Lt "<",
        Le "<=",
        And "and",
        Or "or",
        Xor "xor",
        BitAnd "&",
        BitOr "|",
        BitXor "^",
        ShiftLeft "<<",
        ShiftRight ">>",
        /// A complex number from its parts.
        Complex "complex",
    }
}

functions! {
    /// Functions that fold a sequence in any order. Of nothing they give their neutral element.
    Fold {
        Sum "sum",
        Product "product",
        Max "max",
        Min "min",
        Any "any",
        All "all",
    }
}

impl Unary {
    /// The type of the result, given that of the argument.
    pub fn result(self, argument: Kind) -> Kind {
        match self {
            Unary::IsNan | Unary::IsPosInf | Unary::IsNegInf | Unary::Not => Kind::Bool,
            Unary::Real | Unary::Imag => argument.real(),
            Unary::Abs if argument.class() == Class::Complex => argument.real(),
            _ => argument,
        }
    }
    /// Arguments of a float function between which it has a value; beyond, it is not a number.
    pub fn domain(self) -> (f64, f64) {
        match self {
            Unary::Ln | Unary::Sqrt => (0.0, f64::INFINITY),
            Unary::Log1p => (-1.0, f64::INFINITY),
            Unary::Asin | Unary::Acos | Unary::Atanh => (-1.0, 1.0),
            Unary::Acosh => (1.0, f64::INFINITY),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
    /// Where a float function goes to infinity at a finite argument, if that is an end of its domain or zero.
    pub fn poles(self) -> &'static [f64] {
        match self {
            Unary::Ln | Unary::Reciprocal => &[0.0],
            Unary::Log1p => &[-1.0],
            Unary::Atanh => &[-1.0, 1.0],
            _ => &[],
        }
    }
    /// Between what the values of a float function lie, whatever the argument.
    pub fn image(self) -> (f64, f64) {
        match self {
            Unary::Abs | Unary::Exp | Unary::Sqrt | Unary::Acosh => (0.0, f64::INFINITY),
            Unary::Sigmoid => (0.0, 1.0),
            Unary::Expm1 => (-1.0, f64::INFINITY),
            Unary::Cosh => (1.0, f64::INFINITY),
            Unary::Sign | Unary::Sin | Unary::Cos | Unary::Tanh | Unary::Erf => (-1.0, 1.0),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
}

impl Binary {
    /// The type of the result, given that of both arguments.
    pub fn result(self, arguments: Kind) -> Kind {
        match self {
            Binary::Eq | Binary::Lt | Binary::Le | Binary::And | Binary::Or | Binary::Xor => Kind::Bool,
            Binary::Complex if arguments == Kind::F64 => Kind::C128,
            Binary::Complex => Kind::C64,
            _ => arguments,
        }
    }
}

impl Fold {
    /// The binary function that is folded.
    pub fn step(self) -> Binary {
        match self {
            Fold::Sum => Binary::Add,
            Fold::Product => Binary::Mul,
            Fold::Max => Binary::Max,
            Fold::Min => Binary::Min,
            Fold::Any => Binary::Or,
            Fold::All => Binary::And,
        }
    }
}
