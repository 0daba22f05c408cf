//! A formula as a flat program over lanes: what `compile` writes and `run` executes.
//!
//! Every step computes one register for up to `width` consecutive positions of the output at once.
//! Registers are assigned once and numbered in that order, so operands always come before results.
//! Index arithmetic has registers of its own, because most of it stays a ramp and never becomes lanes.

use semantics::dtype::{Class, Kind};
use semantics::scalar::{Binary, Fold, Unary};
use semantics::tensor::Tensor;

/// A register that holds elements of one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    pub class: Class,
    pub at: u32,
}

/// A register of index arithmetic.
pub(super) type IndexSlot = u32;
/// A register that holds a condition.
pub(super) type TruthSlot = u32;
pub(super) type Block = Vec<Step>;
/// How many registers a fold has for its error bound.
pub(super) const EXTRA: u32 = 4;
/// The integer register that no step writes: for offsets that had to be corrected.
pub(super) const SPARE: u32 = 0;

#[derive(Debug)]
pub(super) struct Program {
    /// What depends on no position, computed once.
    pub prologue: Block,
    /// Registers of the prologue that the body reads.
    pub captures: Vec<Slot>,
    pub space: Space,
    pub body: Block,
    pub result: Slot,
    /// The tensors that loads refer to by number, and their sizes.
    pub tensors: Vec<(Tensor, Vec<usize>)>,
    pub counts: Counts,
}

impl Program {
    /// About how many scalar operations it takes for an output of the given length.
    pub fn work(&self, length: f64) -> f64 {
        work(&self.prologue) + length * work(&self.body)
    }
}

fn work(block: &Block) -> f64 {
    let step = |step: &Step| match step {
        Step::Fold(fold) => {
            fold.space.count().map_or(f64::INFINITY, |count| count as f64) * (1.0 + work(&fold.body))
        }
        Step::Cases(cases) => {
            let arms = cases.arms.iter().map(|arm| work(&arm.before).max(work(&arm.block)));
            arms.fold(work(&cases.otherwise), f64::max) + cases.arms.len() as f64
        }
        _ => 1.0,
    };
    block.iter().map(step).sum()
}

/// How many registers of each class there are. Index registers may need integer lanes, conditions bool lanes.
#[derive(Default, Clone, Copy, Debug)]
pub(super) struct Counts {
    pub floats: u32,
    pub ints: u32,
    pub bools: u32,
    pub complexes: u32,
    pub indices: u32,
    pub truths: u32,
}

/// Positions in row-major order: of the output, or of a fold. Each axis has its variable and its size.
#[derive(Default, Clone, Debug)]
pub(super) struct Space {
    pub axes: Vec<Axis>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub variable: IndexSlot,
    pub size: i64,
    /// An integer register for positions that are no ramp.
    pub buffer: u32,
}

impl Space {
    /// The number of positions; `None` if it leaves 63 bits.
    pub fn count(&self) -> Option<i64> {
        self.axes.iter().try_fold(1i64, |count, axis| count.checked_mul(axis.size))
    }
}

#[derive(Debug)]
pub(super) enum Step {
    /// `constant + Σ coefficient · Π factors`.
    Polynomial {
        out: IndexSlot,
        buffer: u32,
        constant: i64,
        terms: Vec<(i64, Vec<IndexSlot>)>,
    },
    Divide {
        with: Division,
        out: IndexSlot,
        buffer: u32,
        left: IndexSlot,
        right: IndexSlot,
    },
    /// An index by a condition.
    Choose {
        out: IndexSlot,
        buffer: u32,
        condition: TruthSlot,
        then: IndexSlot,
        otherwise: IndexSlot,
    },
    /// The value of an integer element, as an index.
    IndexOf {
        out: IndexSlot,
        from: Slot,
    },
    /// `left = right`, or `left <= right`.
    Compare {
        out: TruthSlot,
        buffer: u32,
        equal: bool,
        left: IndexSlot,
        right: IndexSlot,
    },
    /// All of them, or one of them.
    Combine {
        out: TruthSlot,
        buffer: u32,
        all: bool,
        parts: Vec<TruthSlot>,
    },
    Negate {
        out: TruthSlot,
        buffer: u32,
        of: TruthSlot,
    },
    /// A bool element as a condition.
    TruthOf {
        out: TruthSlot,
        from: Slot,
    },
    Constant {
        out: Slot,
        kind: Kind,
        value: Literal,
    },
    Load {
        out: Slot,
        tensor: u32,
        offset: IndexSlot,
        /// Positions along an axis that are not known to be inside, and the size of the axis.
        checks: Vec<(IndexSlot, i64)>,
    },
    /// An index as an integer or a float.
    NumberOf {
        out: Slot,
        kind: Kind,
        from: IndexSlot,
    },
    Unary {
        function: Unary,
        kind: Kind,
        x: Slot,
        out: Slot,
    },
    Binary {
        function: Binary,
        kind: Kind,
        x: Slot,
        y: Slot,
        out: Slot,
        /// How many terms each side is the sum of, if that matters ([`super::begun`]).
        terms: Option<[f64; 2]>,
    },
    Cast {
        from: Kind,
        to: Kind,
        x: Slot,
        out: Slot,
    },
    Cases(Box<Cases>),
    Fold(Box<FoldLoop>),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Literal {
    Float(f64),
    Int(i64),
    Bool(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Division {
    FloorDiv,
    Modulo,
    Min,
    Max,
}

/// The first arm whose condition holds gives the value.
#[derive(Debug)]
pub(super) struct Cases {
    pub arms: Vec<Arm>,
    pub otherwise: Block,
    pub last: Slot,
    pub out: Slot,
}

#[derive(Debug)]
pub(super) struct Arm {
    /// Computes the condition.
    pub before: Block,
    pub condition: TruthSlot,
    pub block: Block,
    pub value: Slot,
}

#[derive(Debug)]
pub(super) struct FoldLoop {
    pub with: Fold,
    pub kind: Kind,
    pub space: Space,
    pub body: Block,
    pub value: Slot,
    pub out: Slot,
    /// Float registers for what error bounds need besides the value: [`EXTRA`] of them, from here on.
    pub extra: u32,
    /// Registers of enclosing blocks that the body reads.
    pub captures: Vec<Slot>,
}
