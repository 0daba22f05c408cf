//! Conditions over hyper-parameters as a person would write them: `kernel <= 4` for `kernel <= 9 - kernel`, and
//! `width % heads = 0` for `width - heads*(width//heads) = 0`.

use semantics::dim::{AtomId, AtomView, Dim};
use semantics::prop::{Prop, PropView, Stated};

/// A statement with each quantity once.
pub fn condition(statement: Prop) -> String {
    match statement.stated() {
        Some(Stated::Divides { divisor, number }) => return format!("{} = 0", remainder(number, divisor)),
        Some(within @ Stated::Within { .. }) => return within.to_string(),
        _ => {}
    }
    match statement.view() {
        PropView::Equal(a, b) => compared(a - b, Relation::Equal).unwrap_or_else(|| statement.to_string()),
        PropView::AtMost(a, b) => compared(a - b, Relation::AtMost).unwrap_or_else(|| statement.to_string()),
        PropView::And(parts) => joined(&parts, " and "),
        PropView::Or(parts) => joined(&parts, " or "),
        PropView::Not(inner) => {
            let negated = match inner.view() {
                PropView::Equal(a, b) => compared(a - b, Relation::Unequal),
                // The least number that is more.
                PropView::AtMost(a, b) => compared(b - a + 1, Relation::AtMost),
                _ => None,
            };
            negated.unwrap_or_else(|| statement.to_string())
        }
        _ => statement.to_string(),
    }
}

fn joined(parts: &[Prop], word: &str) -> String {
    let part = |part: &Prop| match part.view() {
        PropView::And(_) | PropView::Or(_) => format!("({})", condition(*part)),
        _ => condition(*part),
    };
    let mut told: Vec<String> = parts.iter().map(part).collect();
    let mut seen = Vec::new();
    told.retain(|text| !seen.contains(text) && (seen.push(text.clone()), true).1);
    match told.len() {
        // Alone it needs no brackets.
        1 => parts.first().map(|part| condition(*part)).unwrap_or_default(),
        _ => told.join(word),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Unequal,
    AtMost,
}

/// A comparison of an expression with zero: what counts for it on the left, what counts against it on the right.
/// `None` if it has no term.
fn compared(difference: Dim, relation: Relation) -> Option<String> {
    let terms = difference.terms();
    if terms.terms.is_empty() {
        return None;
    }
    let divisor = terms.terms.iter().map(|(factor, _)| factor.unsigned_abs()).fold(0, gcd) as i64;
    let (divisor, constant) = match relation {
        Relation::AtMost => (divisor, -(-terms.constant).div_euclid(divisor)),
        _ if terms.constant % divisor == 0 => (divisor, terms.constant / divisor),
        _ => (1, terms.constant),
    };
    let side = |sign: i64| {
        let own = terms.terms.iter().filter(|(factor, _)| factor.signum() == sign);
        Dim::sum(own.map(|(factor, atoms)| {
            Dim::from(factor / divisor * sign) * Dim::product(atoms.iter().map(|atom| atom.dim()))
        }))
    };
    let (left, right) = (side(1), side(-1));
    if relation != Relation::AtMost
        && let Some(text) = divided(left - right + constant, relation)
    {
        return Some(text);
    }
    let sign = match relation {
        Relation::Equal => "=",
        Relation::Unequal => "!=",
        Relation::AtMost => "<=",
    };
    // The number stands where it is not alone, or on the right.
    Some(match (left.known().is_some(), right.known().is_some()) {
        (true, _) if relation == Relation::AtMost => format!("{right} >= {constant}"),
        (true, _) => format!("{right} {sign} {constant}"),
        (_, true) => format!("{left} {sign} {}", -constant),
        _ if relation == Relation::AtMost && constant == 1 => format!("{left} < {right}"),
        _ if constant <= 0 => format!("{left} {sign} {}", right - constant),
        _ => format!("{} {sign} {right}", left + constant),
    })
}

/// `n % d = c`, if that is what `n - d*(n//d)` is compared with.
fn divided(difference: Dim, relation: Relation) -> Option<String> {
    let sign = if relation == Relation::Equal { "=" } else { "!=" };
    let terms = difference.terms();
    let atoms = terms.terms.iter().flat_map(|(_, atoms)| atoms);
    atoms.copied().find_map(|atom: AtomId| {
        let AtomView::FloorDiv(number, divisor) = atom.view() else { return None };
        let rest = number - divisor * number.div_floor(divisor);
        [(1, difference - rest), (-1, difference + rest)].into_iter().find_map(|(factor, left)| {
            let constant = left.known()?;
            Some(format!("{} {sign} {}", remainder(number, divisor), -constant * factor))
        })
    })
}

fn remainder(number: Dim, divisor: Dim) -> String {
    let part = |dim: Dim| match dim.as_atom().is_some() || dim.known().is_some() {
        true => dim.to_string(),
        false => format!("({dim})"),
    };
    format!("{} % {}", part(number), part(divisor))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use semantics::arena;

    #[test]
    fn each_quantity_stands_once() {
        arena::scope(|| {
            let named = |name: &str| Dim::symbol(name, 0, 1000);
            let (k, w, h) = (named("k"), named("w"), named("h"));
            let told = |statement: Prop, words: &str| assert_eq!(condition(statement), words);
            told(k.le(Dim::from(9) - k), "k <= 4");
            told((w - h * w.div_floor(h)).eq(0), "w % h = 0");
            told((k + 2).le(w), "k + 2 <= w");
            told((w * 4 - w.div_floor(2) * 8).eq(0), "w % 2 = 0");
            told((k * 2 + 3).le(w * 2), "k + 2 <= w");
            told(Dim::from(4).le(k * 3), "k >= 2");
            told((k * 2).eq(w * 2 + 4), "k = w + 2");
            told(!k.eq(w), "k != w");
            told(k.lt(w), "k < w");
            told(k.eq(3) | w.le(4), "k = 3 or w <= 4");
        });
    }
}
