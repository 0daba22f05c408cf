//! What a reading of ranges takes into account. The defaults are sound and cheap; `numerics` wants more.

/// How tensors are told apart into parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parts {
    /// One interval for all elements of a tensor.
    Smashed,
    /// Boxes, cut where formulas treat indices differently.
    #[default]
    Boxes,
    /// Every element by itself, for tensors of at most so many.
    Expanded(usize),
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    pub parts: Parts,
    /// Look through tensors into what they were computed from, where an interval alone is not good enough: affine
    /// forms, differences that cannot be negative, conditions of branches.
    pub relations: bool,
    /// What was computed before is taken to have gone well: finite and a number. So one fault is told once, at the
    /// operation that makes it.
    pub sane: bool,
    /// Take the second look at every tensor, not only where something may go wrong: for tests.
    pub eager: bool,
    /// Numbers below the normal ones of a type may be taken for zero.
    pub flushes: bool,
    /// Only what a framework computes counts, every tensor being rounded to its type, and not exact arithmetic beside
    /// it: whether inputs that are known make something fail.
    pub rounded: bool,
}

impl Settings {
    /// What looking for numerical bugs needs.
    pub const NUMERICS: Settings = Settings {
        parts: Parts::Boxes,
        relations: true,
        sane: true,
        eager: false,
        flushes: false,
        rounded: false,
    };
    /// All that is known, for tests of whether it is true.
    pub const EAGER: Settings = Settings { sane: false, eager: true, ..Settings::NUMERICS };
    /// What known inputs come to.
    pub const KNOWN: Settings =
        Settings { relations: false, sane: false, rounded: true, ..Settings::NUMERICS };

    pub(super) fn most_parts(self) -> usize {
        match self.parts {
            Parts::Smashed => 1,
            Parts::Boxes => 32,
            Parts::Expanded(most) => most,
        }
    }
}
