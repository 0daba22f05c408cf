//! The formula of a tensor as text: one element of it, then one of each tensor on the way that has no name of its own.

use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, Dim};
use semantics::element::{Element, ElementView};
use semantics::prop::Prop;
use semantics::scalar::{Binary, Unary};
use semantics::tensor::{Content, Tensor};
use std::fmt::Write as _;

/// Tensors on the way that are written out; of more than these only the number is told.
const MOST: usize = 12;
/// What sums inside sums run over.
const LETTERS: [&str; 6] = ["k", "l", "m", "n", "p", "q"];

/// Lines like `output[i0, i1] = …`; `None` if nothing can be said for these sizes.
pub(super) fn written(output: Tensor) -> Option<Vec<String>> {
    let mut writer = Writer::default();
    let output = inside(output);
    if matches!(output.content(), Content::Given) && output.name().is_empty() {
        return None;
    }
    let mut lines = vec![writer.line("output", output)];
    let mut done = 0;
    while done < writer.unnamed.len() && done < MOST {
        let line = writer.line(&name(done), writer.unnamed[done]);
        lines.push(line);
        done += 1;
    }
    if writer.unnamed.len() > done {
        lines.push(format!("… and {} more", writer.unnamed.len() - done));
    }
    Some(lines)
}

fn name(number: usize) -> String {
    format!("t{}", number + 1)
}

/// What a tensor is put together as.
fn inside(tensor: Tensor) -> Tensor {
    match tensor.content() {
        Content::Composed(composition, number) => inside(composition.output(number)),
        _ => tensor,
    }
}

#[derive(Default)]
struct Writer {
    /// Tensors that were given a name here, in order.
    unnamed: Vec<Tensor>,
    numbers: FxHashMap<Tensor, usize>,
    /// The variables of the sums that are being written, with what they are called.
    variables: Vec<(AtomId, Dim)>,
}

impl Writer {
    fn line(&mut self, name: &str, tensor: Tensor) -> String {
        match tensor.content() {
            Content::Formula { .. } => match tensor.formula() {
                Some(formula) => {
                    let index = list(&formula.index);
                    format!("{name}[{index}] = {}", self.element(formula.element))
                }
                None => format!("{name}: its rank is not known here"),
            },
            Content::Dims(dims) => format!("{name} = [{}]", list(&dims)),
            Content::Stored(_) => format!("{name} is stored"),
            Content::Random(random) => {
                let mut text =
                    format!("{name} is drawn at random between {} and {}", random.low, random.high);
                if let (Some(mean), Some(deviation)) = (random.mean, random.deviation) {
                    let _ = write!(text, ", with mean {mean} and deviation {deviation}");
                }
                text
            }
            Content::Opaque(algorithm, _) => {
                let inputs: Vec<String> = algorithm.inputs.iter().map(|&input| self.name(input)).collect();
                format!("{name} is found by an algorithm from {}", inputs.join(", "))
            }
            Content::Given | Content::Composed(..) => format!("{name} = {}", tensor.name()),
        }
    }

    fn name(&mut self, tensor: Tensor) -> String {
        if !tensor.name().is_empty() {
            return tensor.name().to_string();
        }
        let tensor = inside(tensor);
        if matches!(tensor.content(), Content::Given) {
            return tensor.name().to_string();
        }
        let number = *self.numbers.entry(tensor).or_insert_with(|| {
            self.unnamed.push(tensor);
            self.unnamed.len() - 1
        });
        name(number)
    }

    fn element(&mut self, element: Element) -> String {
        match element.view() {
            ElementView::Float(value) => value.to_string(),
            ElementView::Int(value) => value.to_string(),
            ElementView::Bool(value) => value.to_string(),
            ElementView::Index(dim) => self.dim(dim).to_string(),
            ElementView::At(tensor, index) => {
                let index: Vec<Dim> = index.into_iter().map(|place| self.dim(place)).collect();
                let name = self.name(tensor);
                if index.is_empty() { name } else { format!("{name}[{}]", list(&index)) }
            }
            ElementView::Unary(Unary::Neg, x) => format!("-{}", self.element(x)),
            ElementView::Unary(function, x) => format!("{}({})", function.name(), self.element(x)),
            ElementView::Binary(function, x, y) => {
                let (x, y) = (self.element(x), self.element(y));
                match function {
                    Binary::Pow | Binary::Max | Binary::Min | Binary::Atan2 | Binary::Complex => {
                        format!("{}({x}, {y})", function.name())
                    }
                    _ => format!("({x} {} {y})", function.name()),
                }
            }
            ElementView::When(condition, x, y) => {
                let condition = self.prop(condition);
                format!("({} if {condition} else {})", self.element(x), self.element(y))
            }
            ElementView::Select(condition, x, y) => {
                let condition = self.element(condition);
                format!("({} if {condition} else {})", self.element(x), self.element(y))
            }
            ElementView::Fold { with, variable, extent, body } => {
                let extent = self.dim(extent);
                let letter = LETTERS[self.variables.len() % LETTERS.len()];
                let (low, high) = variable.bounds();
                let called = Dim::symbol(letter, low, high);
                self.variables.extend(variable.as_atom().map(|atom| (atom, called)));
                let body = self.element(body);
                self.variables.pop();
                format!("{}({body} for {letter} < {extent})", with.name())
            }
            ElementView::Cast(x) => format!("{}({})", element.kind(), self.element(x)),
        }
    }

    fn dim(&self, dim: Dim) -> Dim {
        dim.substitute(&mut |atom| self.called(atom)).unwrap_or(dim)
    }
    fn prop(&self, prop: Prop) -> Prop {
        prop.substitute(&mut |atom| self.called(atom)).unwrap_or(prop)
    }
    fn called(&self, atom: AtomId) -> Option<Dim> {
        let variable = self.variables.iter().rev().find(|(variable, _)| *variable == atom);
        Some(variable.map_or_else(|| atom.dim(), |(_, called)| *called))
    }
}

fn list(dims: &[Dim]) -> String {
    dims.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
