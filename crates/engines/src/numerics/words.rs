//! A site in words.

use super::advice::advice;
use super::chain::{assumptions, chain};
use super::sites::{Analysis, Pass, Site};
use super::witness::Witness;
use crate::evaluate::interval::Interval;
use crate::finding::{Finding, Location, Numeric, Rule, Severity};
use crate::ranges::{Fault, Partition};
use program::path::Made;
use semantics::dtype::Kind;
use semantics::tensor::Tensor;

pub(super) fn finding(analysis: &mut Analysis<'_>, site: &Site, witness: Option<Witness>) -> Finding {
    let made = analysis.made(site.call);
    let rule = match (site.pass, site.hazard.fault) {
        (Pass::Backward | Pass::Inactive, _) => Rule::InfiniteGradient,
        (_, Fault::OutsideDomain) => Rule::NotANumber,
        (_, Fault::Pole) => Rule::InfiniteResult,
        (_, Fault::Overflow | Fault::DoesNotFit) => Rule::Overflow,
    };
    let (low, high) = ends(&site.hazard.argument);
    let always = always(site);
    let severity = if always && witness.is_some() { Severity::Error } else { Severity::Warning };
    let numeric = Numeric {
        low,
        high,
        confirmed: witness.is_some(),
        witness: witness.map(|witness| witness.values).unwrap_or_default(),
        chain: chain(analysis, site),
        assumptions: assumptions(analysis, site),
        also: site.also.iter().map(|&call| analysis.made(call).place.node.clone()).collect(),
    };
    Finding {
        message: message(made, site, numeric.confirmed),
        operator: Some(made.operator.to_owned()),
        location: Location {
            file: analysis.traced.file.clone(),
            node: Some(made.place.node.clone()),
            spelled: Some(made.place.spelled.to_string()),
            spot: made.place.spot.clone(),
        },
        fix: advice(analysis, site).map(|text| spelled(analysis, text)),
        numeric: Some(Box::new(numeric)),
        ..Finding::new(rule, severity)
    }
}

/// Advice in the words of TensorFlow, where a graph of it is checked.
fn spelled(analysis: &Analysis<'_>, text: String) -> String {
    if !analysis.traced.flushes {
        return text;
    }
    const WORDS: [(&str, &str); 9] = [
        ("`clamp(min=", "`tf.maximum(x, "),
        ("`clamp(max=", "`tf.minimum(x, "),
        ("`clamp(-1 + 1e-6, 1 - 1e-6)`", "`tf.clip_by_value(x, -1 + 1e-6, 1 - 1e-6)`"),
        ("`log_softmax`", "`tf.nn.log_softmax`"),
        ("`logsigmoid`", "`tf.math.log_sigmoid`"),
        ("`binary_cross_entropy_with_logits`", "`tf.nn.sigmoid_cross_entropy_with_logits`"),
        ("`logsumexp`", "`tf.reduce_logsumexp`"),
        ("with a clamp", "with `tf.clip_by_value`"),
        ("by `where`", "by `tf.where`"),
    ];
    WORDS.iter().fold(text, |text, (own, word)| text.replace(own, word))
}

/// Whether no argument inside the range is borne.
fn always(site: &Site) -> bool {
    let (low, high) = ends(&site.hazard.argument);
    match (site.hazard.fault, site.hazard.function) {
        (Fault::OutsideDomain, "ln" | "sqrt") => high < 0.0,
        (Fault::Pole, "ln") => high <= 0.0,
        (Fault::Pole, _) => low == 0.0 && high == 0.0,
        _ => false,
    }
}

pub(super) fn ends(interval: &Interval) -> (f64, f64) {
    match *interval {
        Interval::Float { low, high, .. } => (low, high),
        Interval::Int { low, high } => (low as f64, high as f64),
        Interval::Bool { may_be_true, may_be_false } => {
            (f64::from(u8::from(!may_be_false)), f64::from(u8::from(may_be_true)))
        }
    }
}

fn message(made: &Made, site: &Site, confirmed: bool) -> String {
    let (low, high) = ends(&site.hazard.argument);
    let range = if low > high { "NaN".into() } else { format!("[{}, {}]", short(low), short(high)) };
    let kind = site.hazard.element.kind();
    let spelled = &made.place.spelled;
    let may = if confirmed { "can" } else { "may" };
    let function = site.hazard.function;
    match (site.pass, site.hazard.fault, function) {
        (Pass::Backward, ..) => format!(
            "{spelled}: the gradient {may} be infinite or NaN: {}, and it lies in {range}",
            pole_of_gradient(function)
        ),
        (Pass::Inactive, ..) => format!(
            "{spelled}: the gradient {may} be NaN, though the value is not used there: a gradient of zero times an infinite derivative is NaN; the argument lies in {range}"
        ),
        (_, Fault::OutsideDomain, super::masked::SOFTMAX) => {
            format!("{spelled}: a whole row {may} be masked with -inf, and the result NaN")
        }
        (_, Fault::OutsideDomain, "pow") => {
            format!("{spelled}: the base {may} be negative, and its power NaN: it lies in {range}")
        }
        (_, Fault::OutsideDomain, "ln" | "sqrt") => {
            format!("{spelled}: the argument {may} be negative, and the result NaN: it lies in {range}")
        }
        (_, Fault::OutsideDomain, _) => format!(
            "{spelled}: the argument {may} be outside of {}, and the result NaN: it lies in {range}",
            domain(function)
        ),
        (_, Fault::Pole, "ln") => {
            format!("{spelled}: the argument {may} be 0, and the result -inf: it lies in {range}")
        }
        (_, Fault::Pole, "pow") => format!(
            "{spelled}: the base of a negative power {may} be 0, and the result infinite: it lies in {range}"
        ),
        (_, Fault::Pole, "/" | "//" | "rem" | "%" | "reciprocal") => {
            format!("{spelled}: the divisor {may} be 0: it lies in {range}")
        }
        (_, Fault::Pole, _) => {
            format!("{spelled}: the result {may} be infinite: the argument lies in {range}")
        }
        (_, Fault::Overflow, "exp" | "expm1" | "sinh" | "cosh") => format!(
            "{spelled}: the result {may} exceed the largest {kind}, from {} on: the argument lies in {range}",
            short(kind.largest().ln())
        ),
        (_, Fault::Overflow, "/") => format!(
            "{spelled}: the divisor {may} be so small that the quotient is infinite: it lies in {range}"
        ),
        (_, Fault::Overflow, "sum") => format!(
            "{spelled}: the sum {may} exceed {}, the largest {kind}: each term lies in {range}",
            short(kind.largest())
        ),
        (_, Fault::Overflow, "cast") => format!(
            "{spelled}: the number {may} exceed {}, the largest {kind}: it lies in {range}",
            short(kind.largest())
        ),
        (_, Fault::Overflow | Fault::DoesNotFit, _) => format!(
            "{spelled}: the result {may} exceed {}, the largest {kind}: an argument lies in {range}",
            short(kind.largest())
        ),
    }
}

fn pole_of_gradient(function: &str) -> &'static str {
    match function {
        "sqrt" => "that of a square root is 1 / (2 sqrt(x)), infinite at 0",
        "pow" => "that of a power below 1 is infinite at 0",
        "asin" | "acos" => "its derivative is infinite at -1 and 1",
        _ => "the derivative is not finite somewhere in the range",
    }
}

fn domain(function: &str) -> &'static str {
    match function {
        "log1p" => "(-1, inf)",
        "acosh" => "[1, inf)",
        "atanh" => "(-1, 1)",
        _ => "[-1, 1]",
    }
}

/// `[0, 1]`, of all parts of a tensor.
pub(super) fn span(partition: &Partition) -> String {
    match partition.hull() {
        Some(interval @ Interval::Bool { .. }) => crate::ranges::shown(&interval),
        Some(interval) => {
            let (low, high) = ends(&interval);
            // No number lies between the wrong ends.
            if low > high { "NaN".into() } else { format!("[{}, {}]", short(low), short(high)) }
        }
        None => "not known".into(),
    }
}

/// Where a tensor is made.
pub(super) fn place(made: &Made, tensor: Tensor) -> String {
    let name = tensor.name();
    let what = match name.is_empty() {
        true => made.place.spelled.to_string(),
        false => format!("`{name}` = {}", made.place.spelled),
    };
    match &made.place.spot {
        Some(spot) => format!("{what} (line {})", spot.here.line),
        None => what,
    }
}

/// A number with as many digits as help.
pub(super) fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs();
    if !value.is_finite() || (value.fract() == 0.0 && magnitude < 1e6) {
        return format!("{value}");
    }
    if (1e-3..1e6).contains(&magnitude) {
        let text = format!("{value:.4}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    format!("{value:.3e}")
}

/// The smallest constant that a type does not absorb beside a number.
pub(super) fn noticeable(kind: Kind, beside: f64) -> f64 {
    2.0 * kind.unit_roundoff() * beside.abs()
}
