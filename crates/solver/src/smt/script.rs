//! Questions written in SMT-LIB.
//!
//! SMT-LIB's `div` and `mod` are Euclidean, ours round down and are total: the two functions defined first
//! are the only place that knows.

use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, AtomView, Dim, UNBOUNDED, UNBOUNDED_BELOW};
use semantics::prop::{Prop, PropId, PropView};
use std::fmt::Write;

/// Z3 gives up, in words, where it would need more memory.
const MOST_MEGABYTES: u32 = 700;
/// What Z3 counts as work in a millisecond, about.
const WORK_PER_MILLISECOND: u128 = 1000;

const DIVISION: &str = "\
(define-fun quotient ((a Int) (b Int)) Int (ite (= b 0) 0 (ite (> b 0) (div a b) (div (- a) (- b)))))
(define-fun remainder ((a Int) (b Int)) Int (ite (= b 0) a (- a (* b (quotient a b)))))
";

#[derive(Default)]
pub(super) struct Script {
    text: String,
    atoms: FxHashMap<AtomId, String>,
    free: FxHashMap<PropId, String>,
    /// Integer unknowns with their names.
    pub(super) leaves: Vec<(AtomId, String)>,
    /// Statements without arithmetic with their names.
    pub(super) truths: Vec<(PropId, String)>,
}

impl Script {
    pub(super) fn new() -> Script {
        Script { text: DIVISION.to_owned(), ..Script::default() }
    }
    pub(super) fn assert(&mut self, prop: Prop, truth: bool) {
        let statement = self.prop(prop);
        let line =
            if truth { format!("(assert {statement})") } else { format!("(assert (not {statement}))") };
        self.line(&line);
    }
    /// The whole question: every integer within `most` of zero if given, a time limit, and what to tell.
    pub(super) fn question(&self, most: Option<i64>, milliseconds: u128, wants_values: bool) -> String {
        // Z3's own clock runs in a thread that some versions wait for forever; its count of work does not.
        let work = milliseconds.saturating_mul(WORK_PER_MILLISECOND).min(u32::MAX.into());
        let mut text = format!(
            "(set-option :rlimit {work})\n(set-option :memory_max_size {MOST_MEGABYTES})\n{}",
            self.text
        );
        if let Some(most) = most {
            for (_, name) in &self.leaves {
                let _ = writeln!(text, "(assert (<= (- {most}) {name} {most}))");
            }
        }
        text.push_str("(check-sat)\n");
        let names: Vec<&str> = self
            .leaves
            .iter()
            .map(|(_, name)| name)
            .chain(self.truths.iter().map(|(_, name)| name))
            .map(String::as_str)
            .collect();
        if wants_values && !names.is_empty() {
            let _ = writeln!(text, "(get-value ({}))", names.join(" "));
        }
        text
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn dim(&mut self, dim: Dim) -> String {
        let normal = dim.terms();
        let mut sum = vec![number(normal.constant)];
        for (coefficient, atoms) in normal.terms {
            let mut product = vec![number(coefficient)];
            product.extend(atoms.into_iter().map(|atom| self.atom(atom)));
            sum.push(format!("(* {})", product.join(" ")));
        }
        if sum.len() == 1 { sum.swap_remove(0) } else { format!("(+ {})", sum.join(" ")) }
    }

    fn atom(&mut self, atom: AtomId) -> String {
        if let Some(name) = self.atoms.get(&atom) {
            return name.clone();
        }
        let name = format!("a{}", self.atoms.len());
        let value = match atom.view() {
            AtomView::FloorDiv(a, b) => Some(self.division("div", "quotient", a, b)),
            AtomView::Modulo(a, b) => Some(self.division("mod", "remainder", a, b)),
            AtomView::Min(a, b) => {
                let (a, b) = (self.dim(a), self.dim(b));
                Some(format!("(ite (<= {a} {b}) {a} {b})"))
            }
            AtomView::Max(a, b) => {
                let (a, b) = (self.dim(a), self.dim(b));
                Some(format!("(ite (<= {a} {b}) {b} {a})"))
            }
            AtomView::Product(a, b) => Some(format!("(* {} {})", self.dim(a), self.dim(b))),
            AtomView::Select(p, a, b) => {
                Some(format!("(ite {} {} {})", self.prop(p), self.dim(a), self.dim(b)))
            }
            _ => None,
        };
        // Parts may have taken names meanwhile.
        let name = if self.atoms.values().any(|other| *other == name) {
            format!("a{}", self.atoms.len())
        } else {
            name
        };
        match value {
            Some(value) => self.line(&format!("(define-fun {name} () Int {value})")),
            None => {
                self.line(&format!("(declare-const {name} Int)"));
                let (low, high) = atom.bounds();
                if low != UNBOUNDED_BELOW {
                    self.line(&format!("(assert (<= {} {name}))", number(low)));
                }
                if high != UNBOUNDED {
                    self.line(&format!("(assert (<= {name} {}))", number(high)));
                }
                self.leaves.push((atom, name.clone()));
            }
        }
        self.atoms.insert(atom, name.clone());
        name
    }

    fn division(&mut self, euclidean: &str, rounding_down: &str, a: Dim, b: Dim) -> String {
        let function = if b.known().is_some_and(|b| b > 0) { euclidean } else { rounding_down };
        format!("({function} {} {})", self.dim(a), self.dim(b))
    }

    fn prop(&mut self, prop: Prop) -> String {
        match (prop.known(), prop.view()) {
            (Some(truth), _) | (None, PropView::Constant(truth)) => truth.to_string(),
            (_, PropView::Equal(a, b)) => format!("(= {} {})", self.dim(a), self.dim(b)),
            (_, PropView::AtMost(a, b)) => format!("(<= {} {})", self.dim(a), self.dim(b)),
            (_, PropView::And(inner)) => self.connected("and", inner),
            (_, PropView::Or(inner)) => self.connected("or", inner),
            (_, PropView::Not(inner)) => format!("(not {})", self.prop(inner)),
            (
                _,
                PropView::SameShape(..)
                | PropView::Broadcastable(..)
                | PropView::Value(_)
                | PropView::Free(..),
            ) => {
                if let Some(name) = self.free.get(&prop.id()) {
                    return name.clone();
                }
                let name = format!("p{}", self.free.len());
                self.line(&format!("(declare-const {name} Bool)"));
                self.free.insert(prop.id(), name.clone());
                self.truths.push((prop.id(), name.clone()));
                name
            }
        }
    }
    fn connected(&mut self, word: &str, inner: Vec<Prop>) -> String {
        let inner: Vec<String> = inner.into_iter().map(|prop| self.prop(prop)).collect();
        format!("({word} {})", inner.join(" "))
    }
}

fn number(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// The values of `(get-value …)` by name: `((a0 5) (a1 (- 3)) (p0 true))`.
pub(super) fn values(answer: &str) -> FxHashMap<String, i64> {
    let spaced = answer.replace('(', " ( ").replace(')', " ) ");
    // Room at the end, so that the last pair has a whole window.
    let tokens: Vec<&str> = spaced.split_whitespace().chain([""; 3]).collect();
    let mut values = FxHashMap::default();
    for window in tokens.windows(6) {
        let value = match window {
            ["(", name, "true", ")", ..] => Some((name, 1)),
            ["(", name, "false", ")", ..] => Some((name, 0)),
            ["(", name, "(", "-", value, ")"] => {
                value.parse::<i64>().ok().and_then(|value| value.checked_neg()).map(|value| (name, value))
            }
            ["(", name, value, ")", ..] => value.parse::<i64>().ok().map(|value| (name, value)),
            _ => None,
        };
        if let Some((name, value)) = value {
            values.insert((*name).to_owned(), value);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_are_read() {
        let values =
            super::values("sat\n((a0 5)\n (a1 (- 3))\n (p0 true) (p1 false) (a2 99999999999999999999))\n");
        assert_eq!(values.get("a0"), Some(&5));
        assert_eq!(values.get("a1"), Some(&-3));
        assert_eq!(values.get("p0"), Some(&1));
        assert_eq!(values.get("p1"), Some(&0));
        assert_eq!(values.get("a2"), None);
        assert_eq!(super::values("((a0 5))").get("a0"), Some(&5));
    }
}
