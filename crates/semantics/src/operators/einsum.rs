//! Einstein summation.

use super::prelude::*;
use crate::shape::{can_meet, meet};

pub static OPERATOR: Operator = Operator {
    name: "einsum",
    summary: "Multiplies tensors along axes named by letters and sums over the letters that the output leaves out. \
              `...` stands for axes without a name; as in NumPy and PyTorch it may stand for different numbers of \
              axes, and be summed over, if `free_ellipsis`.",
    inputs: &[tensor("tensors", NUMERIC).like("tensors").variadic()],
    parameters: &[text("equation"), flag("free_ellipsis").or_flag(false)],
    outputs: &["output"],
    spellings: &[onnx(12, "Einsum(tensors; equation)"), tensorflow("Einsum(tensors; equation)")],
    define,
    examples: &[
        "einsum(f32[N,3], f32[3,4], equation='ij,jk->ik') -> f32[N,4]",
        "einsum(f32[2,3], f32[3,4], equation=' k i , i j ') -> f32[4,2]",
        "einsum(f32[1,2]{1,2}, f32[2,2]{1,2,3,4}, equation='ij,jk->ik') -> f32[1,2]{7,10}",
        "einsum(f32[2,2]{1,2,3,4}, equation='ii->i') -> f32[2]{1,4}",
        "einsum(f32[2,2]{1,2,3,4}, equation='ii') -> f32[]{5}",
        "einsum(f32[2,2]{1,2,3,4}, equation='ba') -> f32[2,2]{1,3,2,4}",
        "einsum(f32[5,N,N], equation='...ii->...i') -> f32[5,N]",
        "einsum(f32[2,1,3,4], f32[1,6,4,5], equation='...ij,...jk->k...i') -> f32[5,2,6,3]",
        "einsum(f32[1]{2}, f32[3]{1,2,3}, equation='i,i') -> f32[]{12}",
        "einsum(f32[]{5}, f32[]{2}, equation=',->') -> f32[]{10}",
        "einsum(f32[2,0], f32[0,1], equation='ij,jk->ik') -> f32[2,1]{0,0}",
        "einsum(f32[2,3,4], f32[4], equation='...i,...i->...', free_ellipsis=true) -> f32[2,3]",
        "einsum(f32[2]{1,2}, equation='...i->i') -> f32[2]{1,2}",
        "einsum(f32[2,2]{1,2,3,4}, equation='...i->i', free_ellipsis=true) -> f32[2]{4,6}",
        "einsum(f32[...], f32[3,4], equation='...j,jk->...k') -> f32[...]",
        "einsum(f32[2,3], equation='i.->i') fails: `equation` is well formed",
        "einsum(f32[2,3], equation='i1->i') fails: `equation` is well formed",
        "einsum(f32[2,3], equation='ij->i->j') fails: `equation` is well formed",
        "einsum(f32[2,3], equation='...i...->i') fails: `equation` is well formed",
        "einsum(f32[2], equation='i,j->ij') fails: `equation` has one term per tensor",
        "einsum(f32[2,3], equation='ijk->i') fails: each term has one letter per axis of its tensor",
        "einsum(f32[2,3], equation='i->i') fails: each term has one letter per axis of its tensor",
        "einsum(f32[2], equation='...ij->ij...') fails: each term has one letter per axis of its tensor",
        "einsum(f32[2,3], f32[4,4], equation='ij,jk->ik') fails: axes of one letter broadcast",
        "einsum(f32[1,3], equation='ii->i') fails: a letter repeated in a term names axes of one size",
        "einsum(f32[3], equation='i->ii') fails: the output repeats no letter",
        "einsum(f32[3], equation='i->j') fails: the output has only letters of the terms",
        "einsum(f32[2,3,4], f32[4], equation='...i,...i->...') fails: every `...` stands for as many axes",
        "einsum(f32[2,3], equation='...i->i') fails: the output keeps `...`",
        "einsum(f32[2,3], f32[4,3], equation='...i,...i->...') fails: the axes of `...` broadcast",
        "einsum(bool[2,3], equation='ij->ji') fails: `tensors` is a real number type",
        "einsum(f32[2,3], f64[3,4], equation='ij,jk->ik') fails: `tensors` have one element type",
        "einsum(f32[2,3]) fails: `equation` is given",
    ],
};

/// One side of a comma or an arrow: letters, and how many of them stand before `...`, if it is there.
#[derive(Clone)]
struct Term {
    letters: Vec<char>,
    ellipsis: Option<usize>,
}

impl Term {
    fn parse(text: &str) -> Option<Term> {
        let (before, after) = match text.split_once("...") {
            Some((before, after)) => (before, Some(after)),
            None => (text, None),
        };
        let letters: Vec<char> = before.chars().chain(after.unwrap_or_default().chars()).collect();
        let ellipsis = after.map(|_| before.len());
        letters.iter().all(char::is_ascii_alphabetic).then_some(Term { letters, ellipsis })
    }
    /// What each axis of a tensor of a rank is: a letter, or the k-th from the back of those that `...` stands for.
    fn axes(&self, rank: usize) -> Vec<Axis> {
        let unnamed = rank - self.letters.len();
        let mut axes: Vec<Axis> = self.letters.iter().map(|&letter| Axis::Letter(letter)).collect();
        if let Some(at) = self.ellipsis {
            axes.splice(at..at, (0..unnamed).rev().map(Axis::Unnamed));
        }
        axes
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    Letter(char),
    Unnamed(usize),
}

fn parse(equation: &str) -> Option<(Vec<Term>, Option<Term>)> {
    let equation: String = equation.chars().filter(|&c| c != ' ').collect();
    let (terms, output) = match equation.split_once("->") {
        Some((terms, output)) => (terms.to_string(), Some(Term::parse(output)?)),
        None => (equation, None),
    };
    Some((terms.split(',').map(Term::parse).collect::<Option<_>>()?, output))
}

/// The letters that occur exactly once, in alphabetical order, capitals first, after what `...` stands for.
fn implicit_output(terms: &[Term]) -> Term {
    let mut letters: Vec<char> = terms.iter().flat_map(|term| term.letters.iter().copied()).collect();
    letters.sort_unstable();
    let once = |letter: &char| letters.iter().filter(|other| *other == letter).count() == 1;
    Term { letters: letters.iter().copied().filter(once).collect(), ellipsis: Some(0) }
}

fn define(call: &mut Call) -> Outcome {
    let tensors = call.list("tensors");
    let equation = call.text("equation")?;
    let free = call.flag("free_ellipsis")?;
    let parsed = parse(&equation);
    call.insist(IllegalValue, "`equation` is well formed", parsed.is_some())?;
    let (terms, output) = parsed.unwrap_or_default();
    call.insist(IllegalValue, "`equation` has one term per tensor", terms.len() == tensors.len())?;
    let output = output.unwrap_or_else(|| implicit_output(&terms));
    let mut sorted = output.letters.clone();
    sorted.sort_unstable();
    let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
    call.insist(IllegalValue, "the output repeats no letter", distinct)?;
    let known = sorted.iter().all(|letter| terms.iter().any(|term| term.letters.contains(letter)));
    call.insist(IllegalValue, "the output has only letters of the terms", known)?;

    // The sizes of every axis, tensor by tensor.
    let mut shapes: Vec<(Sizes, Vec<Axis>)> = Vec::with_capacity(terms.len());
    for (term, &tensor) in terms.iter().zip(&tensors) {
        let label = "each term has one letter per axis of its tensor";
        let letters = term.letters.len();
        let sizes = if term.ellipsis.is_none() {
            call.sizes(label, tensor, letters)?
        } else {
            call.demand(IncompatibleShape, label, tensor.shape().rank().ge(letters))?;
            match tensor.shape().sizes() {
                Some(sizes) => sizes,
                None => return call.shapeless(tensor.dtype(), "`...` stands for an unknown number of axes"),
            }
        };
        let axes = term.axes(sizes.len());
        shapes.push((sizes, axes));
    }
    let unnamed = |term: &Term, sizes: &Sizes| term.ellipsis.map(|_| sizes.len() - term.letters.len());
    let mut counts = terms.iter().zip(&shapes).filter_map(|(term, (sizes, _))| unnamed(term, sizes));
    let most = counts.clone().max().unwrap_or(0);
    if !free {
        let uniform = counts.all(|count| count == most);
        call.insist(IncompatibleShape, "every `...` stands for as many axes", uniform)?;
        call.insist(IllegalValue, "the output keeps `...`", output.ellipsis.is_some() || most == 0)?;
    }

    let mut extents: Vec<(Axis, Dim)> = Vec::new();
    for (sizes, axes) in &shapes {
        for (k, (&axis, &size)) in axes.iter().zip(sizes).enumerate() {
            if let Some(earlier) = axes[..k].iter().position(|&other| other == axis) {
                let square = sizes[earlier].eq(size);
                call.require_shape("a letter repeated in a term names axes of one size", square);
                continue;
            }
            let Some((_, extent)) = extents.iter_mut().find(|(other, _)| *other == axis) else {
                extents.push((axis, size));
                continue;
            };
            let label = match axis {
                Axis::Letter(_) => "axes of one letter broadcast",
                Axis::Unnamed(_) => "the axes of `...` broadcast",
            };
            call.require_shape(label, can_meet(*extent, size));
            *extent = meet(*extent, size);
        }
    }

    let unnamed = if output.ellipsis.is_some() { most } else { 0 };
    let kept = output.axes(output.letters.len() + unnamed);
    let extent =
        |axis: &Axis| extents.iter().find(|(other, _)| other == axis).map_or(1.into(), |(_, size)| *size);
    let shape = Shape::new(kept.iter().map(extent));
    let summed: Vec<(Axis, Dim)> = extents.iter().copied().filter(|(axis, _)| !kept.contains(axis)).collect();
    one(Tensor::from_elements(tensors[0].dtype(), shape, move |index| {
        let extents: Vec<Dim> = summed.iter().map(|(_, extent)| *extent).collect();
        Element::fold_over(Fold::Sum, &extents, &|folded| {
            let place = |axis: &Axis| match kept.iter().position(|other| other == axis) {
                Some(k) => index[k],
                None => summed.iter().position(|(other, _)| other == axis).map_or(0.into(), |k| folded[k]),
            };
            let factors = tensors.iter().zip(&shapes).map(|(tensor, (sizes, axes))| {
                let source: Vec<Dim> = axes
                    .iter()
                    .zip(sizes)
                    .map(|(axis, size)| Dim::select(size.eq(1), 0, place(axis)))
                    .collect();
                tensor.at(&source)
            });
            factors
                .reduce(|product, factor| product * factor)
                .expect("a variadic input has at least one tensor")
        })
    }))
}
