//! The tree that is executed.

use super::Name;
use super::lazy::Pending;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

/// A stretch of a source, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// Line and column, both counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// A file that was read.
pub struct Source {
    /// As the user would name it.
    pub path: String,
    pub text: Cow<'static, str>,
    /// Whether it is a model of a library, shipped inside the binary: findings point at who calls it.
    pub is_library: bool,
    /// Whether it is the real source of a library: findings point at who calls it, too.
    pub is_package: bool,
    /// Where lines begin, once somebody asks.
    pub(super) line_starts: OnceCell<Vec<u32>>,
}

impl Source {
    /// Whether the user wrote it.
    pub fn is_own(&self) -> bool {
        !self.is_library && !self.is_package
    }
    fn line_starts(&self) -> &[u32] {
        let after_each_end = || self.text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        self.line_starts.get_or_init(|| [0].into_iter().chain(after_each_end()).collect())
    }
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts().partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts()[line - 1] as usize;
        let column = self.text.get(start..offset as usize).map_or(0, |text| text.chars().count());
        Position { line: line as u32, column: column as u32 + 1 }
    }
    /// The text of a line, counted from 1.
    pub fn line(&self, number: u32) -> &str {
        let start =
            self.line_starts().get(number as usize - 1).map_or(self.text.len(), |&start| start as usize);
        let end = self.line_starts().get(number as usize).map_or(self.text.len(), |&start| start as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

pub struct Module {
    pub source: Rc<Source>,
    pub body: Body,
    pub doc: Option<Rc<str>>,
}

pub type Body = Rc<[Stmt]>;

pub struct Stmt {
    pub at: Span,
    pub kind: StmtKind,
    /// Whether a `yield` is somewhere inside: a generator may stop there.
    pub yields: bool,
}

pub enum StmtKind {
    Expr(Expr),
    Assign { targets: Vec<Expr>, value: Expr },
    Augmented { target: Expr, operator: BinaryOperator, value: Expr },
    Annotated { target: Expr, annotation: Expr, value: Option<Expr> },
    Return(Option<Expr>),
    Raise { exception: Option<Expr>, cause: Option<Expr> },
    Assert { test: Expr, message: Option<Expr> },
    Delete(Vec<Expr>),
    Pass,
    Break,
    Continue,
    If { test: Expr, body: Body, orelse: Body },
    While { test: Expr, body: Body, orelse: Body },
    For { target: Expr, iterable: Expr, body: Body, orelse: Body },
    With { items: Vec<(Expr, Option<Expr>)>, body: Body },
    Try { body: Body, handlers: Vec<Handler>, orelse: Body, last: Body },
    Import(Vec<(Rc<str>, Option<Name>)>),
    ImportFrom { module: Rc<str>, level: u32, names: Vec<(Name, Option<Name>, Span)> },
    Global,
    Function(Rc<FunctionDef>),
    Class(Rc<ClassDef>),
    Match { subject: Expr, cases: Vec<Case> },
}

pub struct Handler {
    pub at: Span,
    pub matches: Option<Expr>,
    pub name: Option<Name>,
    pub body: Body,
}

pub struct Case {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    pub body: Body,
}

pub enum Pattern {
    Value(Expr),
    Singleton(Constant),
    Sequence(Vec<Pattern>),
    Mapping { keys: Vec<Expr>, patterns: Vec<Pattern>, rest: Option<Name> },
    Class { class: Expr, patterns: Vec<Pattern>, keywords: Vec<(Name, Pattern)> },
    Star(Option<Name>),
    As { pattern: Option<Box<Pattern>>, name: Option<Name> },
    Or(Vec<Pattern>),
}

/// A function, a lambda, or the hidden function of a generator expression.
pub struct FunctionDef {
    pub name: Name,
    pub at: Span,
    pub decorators: Vec<Expr>,
    pub parameters: Parameters,
    pub returns: Option<Expr>,
    pub is_async: bool,
    pub(super) inner: OnceCell<Inner>,
    pub(super) pending: Option<Pending>,
}

/// What a function does when it is called.
#[derive(Default)]
pub struct Inner {
    pub body: Body,
    pub scope: Scope,
    pub is_generator: bool,
    pub doc: Option<Rc<str>>,
}

/// What is inside a function is read when it is first looked at.
impl Deref for FunctionDef {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        self.inner.get_or_init(|| self.pending.as_ref().map(Pending::read).unwrap_or_default())
    }
}

#[derive(Default)]
pub struct Parameters {
    /// Those before `/` are positional only.
    pub positional_only: usize,
    pub positional: Vec<Parameter>,
    pub variadic: Option<Parameter>,
    pub keyword_only: Vec<Parameter>,
    pub keywords: Option<Parameter>,
}

pub struct Parameter {
    pub name: Name,
    pub default: Option<Expr>,
    pub annotation: Option<Expr>,
}

impl Parameters {
    /// Whether an argument can be given by this name.
    pub fn is_named(&self, word: Name) -> bool {
        self.positional.iter().chain(&self.keyword_only).any(|parameter| parameter.name == word)
    }
}

/// Which names a body makes its own, and which it takes from around it by declaration.
#[derive(Default, Clone, Debug)]
pub struct Scope {
    pub locals: FxHashSet<Name>,
    pub globals: FxHashSet<Name>,
    pub nonlocals: FxHashSet<Name>,
}

pub struct ClassDef {
    pub name: Name,
    pub at: Span,
    pub decorators: Vec<Expr>,
    pub bases: Vec<Argument>,
    pub body: Body,
    pub scope: Scope,
    pub doc: Option<Rc<str>>,
}

pub struct Expr {
    pub at: Span,
    pub kind: ExprKind,
}

pub enum ExprKind {
    Constant(Constant),
    Name(Name),
    Attribute(Box<Expr>, Name),
    Subscript(Box<Expr>, Box<Expr>),
    Slice(Option<Box<Expr>>, Option<Box<Expr>>, Option<Box<Expr>>),
    Call {
        function: Box<Expr>,
        arguments: Vec<Argument>,
    },
    Unary(UnaryOperator, Box<Expr>),
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `a and b and c`, or with `or`.
    Logical {
        all: bool,
        operands: Vec<Expr>,
    },
    Compare {
        first: Box<Expr>,
        rest: Vec<(Comparison, Expr)>,
    },
    Conditional {
        test: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    Set(Vec<Expr>),
    /// A pair without a key is `**mapping`.
    Dict(Vec<(Option<Expr>, Expr)>),
    Starred(Box<Expr>),
    Lambda(Rc<FunctionDef>),
    Comprehension(Rc<Comprehension>),
    Format(Vec<FormatPart>),
    Named(Name, Box<Expr>),
    /// Only as the right side of `<yield> = yield …`: the reader takes every `yield` out of what is around it.
    Yield(Option<Box<Expr>>),
    YieldFrom(Box<Expr>),
    Generator(Rc<GeneratorExpr>),
    Await(Box<Expr>),
}

pub enum Argument {
    Positional(Expr),
    Star(Expr),
    Keyword(Name, Expr),
    DoubleStar(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    None,
    Ellipsis,
    Bool(bool),
    Int(i64),
    /// Too large for a machine word; the digits.
    Big(Rc<str>),
    Float(f64),
    Complex(f64, f64),
    Text(Rc<str>),
    Bytes(Rc<[u8]>),
}

pub struct Comprehension {
    pub form: ComprehensionForm,
    pub element: Expr,
    /// The value of a dictionary's pair.
    pub value: Option<Expr>,
    pub clauses: Vec<Clause>,
    pub at: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComprehensionForm {
    List,
    Set,
    Dict,
}

/// A generator expression: a hidden function that is called with the first iterable.
pub struct GeneratorExpr {
    pub function: Rc<FunctionDef>,
    pub first: Expr,
    /// Names that `:=` binds inside: they belong to the function around.
    pub named: Vec<Name>,
}

pub struct Clause {
    pub target: Expr,
    pub iterable: Expr,
    pub conditions: Vec<Expr>,
}

pub enum FormatPart {
    Text(Rc<str>),
    Value { value: Expr, conversion: Option<char>, format: Vec<FormatPart>, debug: Option<Rc<str>> },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    Invert,
    Not,
    Plus,
    Minus,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BinaryOperator {
    Add,
    Sub,
    Mul,
    MatMul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    ShiftLeft,
    ShiftRight,
    BitOr,
    BitXor,
    BitAnd,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Is,
    IsNot,
    In,
    NotIn,
}

impl BinaryOperator {
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOperator::Add => "+",
            BinaryOperator::Sub => "-",
            BinaryOperator::Mul => "*",
            BinaryOperator::MatMul => "@",
            BinaryOperator::Div => "/",
            BinaryOperator::FloorDiv => "//",
            BinaryOperator::Mod => "%",
            BinaryOperator::Pow => "**",
            BinaryOperator::ShiftLeft => "<<",
            BinaryOperator::ShiftRight => ">>",
            BinaryOperator::BitOr => "|",
            BinaryOperator::BitXor => "^",
            BinaryOperator::BitAnd => "&",
        }
    }
    /// The special methods: of what is on the left, of what is on the right, and the one that changes what is on the left.
    pub fn methods(self) -> [&'static str; 3] {
        match self {
            BinaryOperator::Add => ["__add__", "__radd__", "__iadd__"],
            BinaryOperator::Sub => ["__sub__", "__rsub__", "__isub__"],
            BinaryOperator::Mul => ["__mul__", "__rmul__", "__imul__"],
            BinaryOperator::MatMul => ["__matmul__", "__rmatmul__", "__imatmul__"],
            BinaryOperator::Div => ["__truediv__", "__rtruediv__", "__itruediv__"],
            BinaryOperator::FloorDiv => ["__floordiv__", "__rfloordiv__", "__ifloordiv__"],
            BinaryOperator::Mod => ["__mod__", "__rmod__", "__imod__"],
            BinaryOperator::Pow => ["__pow__", "__rpow__", "__ipow__"],
            BinaryOperator::ShiftLeft => ["__lshift__", "__rlshift__", "__ilshift__"],
            BinaryOperator::ShiftRight => ["__rshift__", "__rrshift__", "__irshift__"],
            BinaryOperator::BitOr => ["__or__", "__ror__", "__ior__"],
            BinaryOperator::BitXor => ["__xor__", "__rxor__", "__ixor__"],
            BinaryOperator::BitAnd => ["__and__", "__rand__", "__iand__"],
        }
    }
}

impl Comparison {
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
            Comparison::Is => "is",
            Comparison::IsNot => "is not",
            Comparison::In => "in",
            Comparison::NotIn => "not in",
        }
    }
}
