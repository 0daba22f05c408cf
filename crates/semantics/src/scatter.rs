//! Writing updates into a copy of a tensor, at positions that indices give.

use crate::array::{Array, Data};
use crate::compose::{sizes_of, unflatten};
use crate::dtype::Kind;
use crate::element::Element;
use crate::tensor::{Computed, Tensor};

/// What becomes of an element that an update meets: it is replaced, or both are put together.
pub const REDUCTIONS: &[&str] = &["none", "add", "mul", "max", "min"];

/// Where each update goes: from the sizes of the input, the indices and the sizes of the updates to one
/// row-major position in the input per update, in the order of the updates.
pub type Targets = fn(&[usize], &Array, &[usize], usize) -> Result<Vec<usize>, String>;

/// `input` with `updates` written into it. `parameter` is handed to `targets`.
/// Of several updates of one element the last one stays.
pub fn scatter(
    input: Tensor,
    indices: Tensor,
    updates: Tensor,
    reduction: &str,
    targets: Targets,
    parameter: usize,
) -> Tensor {
    let output = (input.dtype(), input.shape());
    if reduction == "none" {
        return replace(input, indices, updates, targets, parameter);
    }
    let reduction = reduction.to_string();
    let computed = Tensor::opaque(&[input, indices, updates], [output], move |arrays| {
        let [input, indices, updates] = arrays else { return Err("three arrays expected".into()) };
        let targets = targets(&input.shape, indices, &updates.shape, parameter)?;
        if targets.len() != updates.len() {
            return Err("there is not one index per update".into());
        }
        reduce(input, updates, &targets, &reduction).map(|computed| vec![computed])
    });
    computed[0]
}

/// The algorithm only says which update each element comes from; the rest is a formula.
fn replace(input: Tensor, indices: Tensor, updates: Tensor, targets: Targets, parameter: usize) -> Tensor {
    let sources = Tensor::opaque(
        &[sizes_of(input), indices, sizes_of(updates)],
        [(Kind::I64.into(), input.shape())],
        move |arrays| {
            let [sizes, indices, update_sizes] = arrays else { return Err("three arrays expected".into()) };
            let (sizes, update_sizes) = (sizes.as_sizes(), update_sizes.as_sizes());
            let (sizes, update_sizes) = sizes.zip(update_sizes).ok_or("a size is negative")?;
            let mut sources = vec![-1; sizes.iter().product()];
            for (update, target) in
                targets(&sizes, indices, &update_sizes, parameter)?.into_iter().enumerate()
            {
                sources[target] = update as i64;
            }
            Ok(vec![Array::ints(Kind::I64, &sizes, sources).into()])
        },
    )[0];
    Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let update_sizes = updates.shape().sizes().unwrap_or_default();
        let source = sources.at(index).as_index();
        Element::when(source.lt(0), input.at(index), updates.at(&unflatten(source, &update_sizes)))
    })
}

fn reduce(input: &Array, updates: &Array, targets: &[usize], reduction: &str) -> Result<Computed, String> {
    let pairs = targets.iter().enumerate().map(|(update, &target)| (target, update));
    let kind = input.kind;
    let mut error = None;
    let data = match (&input.data, &updates.data) {
        (Data::Float(old), Data::Float(new)) => {
            let mut result = old.clone();
            // Sums and products may be formed in any order: how many steps, and the sum of magnitudes.
            let mut steps = vec![0.0; old.len()];
            let mut magnitudes: Vec<f64> = old.iter().map(|value| value.abs()).collect();
            for (target, update) in pairs {
                let (x, y) = (result[target], new[update]);
                result[target] = match reduction {
                    "add" => x + y,
                    "mul" => x * y,
                    "max" if x.is_nan() || y.is_nan() => f64::NAN,
                    "min" if x.is_nan() || y.is_nan() => f64::NAN,
                    "max" => x.max(y),
                    _ => x.min(y),
                };
                steps[target] += 1.0;
                magnitudes[target] += y.abs();
            }
            let sizes = if reduction == "add" { &magnitudes } else { &result };
            let bound = steps.iter().zip(sizes).map(|(steps, size)| {
                if *steps == 0.0 {
                    0.0
                } else {
                    1.01 * steps * kind.unit_roundoff() * size.abs() + kind.smallest_error()
                }
            });
            error = matches!(reduction, "add" | "mul").then(|| bound.collect());
            Data::Float(result)
        }
        (Data::Int(old), Data::Int(new)) => {
            let mut result = old.clone();
            for (target, update) in pairs {
                let (x, y) = (result[target], new[update]);
                let larger = if kind == Kind::U64 { x as u64 > y as u64 } else { x > y };
                result[target] = match reduction {
                    "add" => kind.wrap(x.wrapping_add(y)),
                    "mul" => kind.wrap(x.wrapping_mul(y)),
                    "max" => [y, x][usize::from(larger)],
                    _ => [x, y][usize::from(larger)],
                };
            }
            Data::Int(result)
        }
        (Data::Bool(old), Data::Bool(new)) => {
            let mut result = old.clone();
            for (target, update) in pairs {
                result[target] = match reduction {
                    "add" | "max" => result[target] || new[update],
                    _ => result[target] && new[update],
                };
            }
            Data::Bool(result)
        }
        _ => return Err(format!("updates of {kind} cannot be put together")),
    };
    Ok(Computed { array: Array::new(kind, input.shape.clone(), data), error })
}

/// An index as a position of an axis, counted from the back when negative.
pub fn place(index: i64, extent: usize) -> Result<usize, String> {
    let from_back = if index < 0 { extent } else { 0 };
    usize::try_from(index.saturating_add(from_back as i64))
        .ok()
        .filter(|&at| at < extent)
        .ok_or_else(|| format!("index {index} is outside an axis of size {extent}"))
}
