//! What is known of an integer modulo another: `x ≡ rest (mod modulus)`.

use crate::interval::{Interval, gcd};

/// Modulus 1 says nothing; modulus 0 says that the integer is `rest`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Residue {
    pub(crate) modulus: i64,
    pub(crate) rest: i64,
}

impl Residue {
    pub(crate) const ANY: Residue = Residue { modulus: 1, rest: 0 };

    pub(crate) fn new(modulus: i64, rest: i64) -> Residue {
        match modulus.checked_abs() {
            Some(0) => Residue { modulus: 0, rest },
            Some(modulus) => Residue { modulus, rest: rest.rem_euclid(modulus) },
            None => Residue::ANY,
        }
    }
    pub(crate) fn exactly(value: i64) -> Residue {
        Residue { modulus: 0, rest: value }
    }
    pub(crate) fn plus(self, other: Residue) -> Residue {
        match self.rest.checked_add(other.rest) {
            Some(rest) => Residue::new(gcd(self.modulus, other.modulus), rest),
            None => Residue::ANY,
        }
    }
    pub(crate) fn scaled(self, factor: i64) -> Residue {
        match (self.modulus.checked_mul(factor), self.rest.checked_mul(factor)) {
            (Some(modulus), Some(rest)) => Residue::new(modulus, rest),
            _ => Residue::ANY,
        }
    }
    pub(crate) fn times(self, other: Residue) -> Residue {
        // (r + m·i)(s + n·j) = r·s + r·n·j + s·m·i + m·n·i·j
        let parts = || {
            let rest = self.rest.checked_mul(other.rest)?;
            let a = self.rest.checked_mul(other.modulus)?;
            let b = other.rest.checked_mul(self.modulus)?;
            let c = self.modulus.checked_mul(other.modulus)?;
            Some(Residue::new(gcd(gcd(a, b), c), rest))
        };
        parts().unwrap_or(Residue::ANY)
    }
    /// Both hold; `None` if they exclude each other.
    pub(crate) fn meet(self, other: Residue) -> Option<Residue> {
        if self.modulus == 0 {
            return other.admits(self.rest).then_some(self);
        }
        if other.modulus == 0 {
            return self.admits(other.rest).then_some(other);
        }
        let common = gcd(self.modulus, other.modulus);
        if self.rest % common != other.rest % common {
            return None;
        }
        if self.modulus % other.modulus == 0 {
            return Some(self);
        }
        if other.modulus % self.modulus == 0 {
            return Some(other);
        }
        // Chinese remainders by stepping; moduli of sizes are small. Keeping one of the two is sound.
        let steps = other.modulus / common;
        let (Some(modulus), true) = (self.modulus.checked_mul(steps), steps <= 4096) else {
            return Some(self);
        };
        let found = (0..steps)
            .filter_map(|k| self.modulus.checked_mul(k)?.checked_add(self.rest))
            .find(|&rest| other.admits(rest));
        Some(found.map_or(self, |rest| Residue::new(modulus, rest)))
    }
    pub(crate) fn admits(self, value: i64) -> bool {
        match self.modulus {
            0 => value == self.rest,
            modulus => value.rem_euclid(modulus) == self.rest,
        }
    }
    /// The same set without the ends that the residue excludes.
    pub(crate) fn tighten(self, interval: Interval) -> Interval {
        let mut result = interval;
        match self.modulus {
            0 => return interval.intersect(Interval::point(self.rest)),
            1 => return interval,
            modulus => {
                if interval.low != i64::MIN {
                    let step = (i128::from(self.rest) - i128::from(interval.low)).rem_euclid(modulus.into());
                    result.low = i64::try_from(i128::from(interval.low) + step).unwrap_or(interval.low);
                }
                if interval.high != i64::MAX {
                    let step = (i128::from(interval.high) - i128::from(self.rest)).rem_euclid(modulus.into());
                    result.high = i64::try_from(i128::from(interval.high) - step).unwrap_or(interval.high);
                }
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_admit_every_result() {
        let residues: Vec<Residue> = (0..7).flat_map(|m| (0..7).map(move |r| Residue::new(m, r))).collect();
        let values = |residue: Residue| (-20..20).filter(move |&value| residue.admits(value));
        for &a in &residues {
            for &b in &residues {
                for x in values(a) {
                    for y in values(b) {
                        assert!(a.plus(b).admits(x + y));
                        assert!(a.times(b).admits(x * y));
                        assert!(a.scaled(y).admits(x * y));
                    }
                }
                let both = a.meet(b);
                for x in -50..50 {
                    assert_eq!(
                        a.admits(x) && b.admits(x),
                        both.is_some_and(|both| both.admits(x)),
                        "{a:?} {b:?} {x}"
                    );
                }
            }
        }
    }
}
