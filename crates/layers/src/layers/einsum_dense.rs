//! A sum of products with a kernel, along the axes that an equation names.

use super::prelude::*;
use std::rc::Rc;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "EinsumDense",
        summary: "A sum of products with a kernel, along the axes that an equation names.",
        inputs: &[
            tensor("inputs", NUMERIC),
            tensor("kernel", FLOAT).optional(),
            tensor("bias", FLOAT).like("kernel").optional(),
        ],
        parameters: &[text("equation"), ints("output_shape"), ACTIVATION, text("bias_axes").optional()],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "EinsumDense(f32[N,3], equation='ab,bc->ac', output_shape=[4], bias_axes=c) -> f32[N,4]",
            "EinsumDense(f32[N,5,3], equation='abc,cd->abd', output_shape=[-1,4]) -> f32[N,5,4]",
            "EinsumDense(f32[N,5,5,3], equation='...x,xy->...y', output_shape=[4], bias_axes=y, activation=relu) -> f32[N,5,5,4]",
            "EinsumDense(f32[N,5,3,7], equation='ab...,bc->ac...', output_shape=[4], bias_axes=c) -> f32[N,4,3,7]",
            "EinsumDense(f32[1,2]{1,2}, f32[2,1]{10,1}, f32[1]{5}, equation='ab,bc->ac', output_shape=1, bias_axes=c) -> f32[1,1]{17}",
            "EinsumDense(f32[2,5,6,3], equation='...x,xy->...y', output_shape=4) fails: the axes that `...` stands for read the same from behind, as a symbolic build has them",
            "EinsumDense(f32[2,3], output_shape=4) fails: `equation` is given",
            "EinsumDense(f32[2,3], equation='ab,bc->ac') fails: `output_shape` is given",
            "EinsumDense(f32[2,3], equation='ab->a', output_shape=4) fails: `equation` names the axes of the input, the kernel and the output",
            "EinsumDense(f32[2,3,4], equation='ab,bc->ac', output_shape=4) fails: `equation` has a letter for each axis of `inputs`",
            "EinsumDense(f32[2,3,5], equation='abc,cd->abd', output_shape=4) fails: `output_shape` has a size for each axis of the output after the batch",
            "EinsumDense(f32[2,3], equation='ab,bc->ac', output_shape=[4,5]) fails: `output_shape` has no size beyond the axes of the output",
            "EinsumDense(f32[2,3], equation='ab,bc->ad', output_shape=4) fails: every axis of the output is one of the input or of the kernel",
            "EinsumDense(f32[2,3], equation='ab,bcd->ac', output_shape=4) fails: every axis of the kernel is one of the input or of the output",
            "EinsumDense(f32[2,3], equation='ab,bc->ab', output_shape=4) fails: every axis of the kernel is one of the input or of the output",
            "EinsumDense(f32[2,3,5], equation='abc,cd->abd', output_shape=[7,4]) fails: axes that input and output share have one size",
            "EinsumDense(f32[2,3], equation='ab,bc->ac', output_shape=0) -> f32[2,0]",
            "EinsumDense(f32[2,3], equation='ab,bc->ac', output_shape=-2) fails: `output_shape` has no size below zero",
            "EinsumDense(f32[2,3], equation='ab,bc->ac', output_shape=-1) fails: every axis of the kernel has a size",
            "EinsumDense(f32[2,3], equation='ab,abc->ac', output_shape=4) fails: the kernel has no axis of the batch, whose size no model knows",
            "EinsumDense(f32[2,3], equation='ab,bc->ac', output_shape=4, bias_axes='a') fails: `bias_axes` are no axis of the batch, whose size no model knows",
            "EinsumDense(f32[2,3], equation='ab,bc->ac', output_shape=4, bias_axes=b) fails: `bias_axes` are axes of the output",
            "EinsumDense(f32[2,3], f32[3], equation='ab,bc->ac', output_shape=4) fails: a weight has as many axes as the layer gives it",
            "EinsumDense(f32[2,3], f32[4,4], equation='ab,bc->ac', output_shape=4) fails: a weight has the shape that the layer gives it",
            "EinsumDense(f32[2,3], equation='ab,bc->ac', output_shape=4, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "EinsumDense(i32[2,3], equation='ab,bc->ac', output_shape=4) -> f32[2,4]",
            "EinsumDense(i32[2,3], equation='ab,bc->ac', output_shape=4) on torch fails: `inputs` is floating point",
        ],
    },
    takes: &["inputs"],
    weights: |call| Ok(read(call)?.weights),
    mask: Mask::Drops,
};

/// An equation with its sizes. Axes that it leaves out get letters of their own.
struct Read {
    input: Vec<char>,
    kernel: Vec<char>,
    output: Vec<char>,
    sizes: Vec<(char, Dim)>,
    weights: Vec<Weight>,
}

impl Read {
    fn size(&self, letter: char) -> Dim {
        self.sizes.iter().find(|(other, _)| *other == letter).map_or(Dim::from(1), |(_, size)| *size)
    }
}

/// Letters, and whether an ellipsis stands before or after them.
fn letters(part: &str) -> Option<(Vec<char>, bool, bool)> {
    let inner = part.trim_start_matches("...");
    let (left, inner) = (inner.len() < part.len(), inner);
    let letters = inner.trim_end_matches("...");
    let right = letters.len() < inner.len();
    let plain = !letters.is_empty() && letters.chars().all(|c| c.is_ascii_alphabetic());
    plain.then(|| (letters.chars().collect(), left, right))
}

fn read(call: &mut Call) -> Result<Read, Stop> {
    let equation = call.text("equation")?;
    let parts = equation.split_once("->").and_then(|(sides, output)| {
        let (input, kernel) = sides.split_once(',')?;
        Some((letters(input)?, letters(kernel)?, letters(output)?))
    });
    let label = "`equation` names the axes of the input, the kernel and the output";
    let fits = parts.as_ref().is_some_and(|((input, left, right), kernel, (_, left_too, right_too))| {
        let elided_alike = (left, right) == (left_too, right_too) && !(*left && *right);
        let whole = !kernel.1 && !kernel.2;
        elided_alike && whole && (!*right || input.len() > 1)
    });
    call.insist(IllegalValue, label, fits)?;
    let Some(((mut input, left, right), (kernel, ..), (mut output, ..))) = parts else {
        return Err(Stop::Violated);
    };
    if [&input, &kernel, &output].iter().any(|part| (1..part.len()).any(|k| part[..k].contains(&part[k]))) {
        return Err(Stop::Unknown("what a letter means that stands twice is not modelled".into()));
    }
    let tensor = call.tensor("inputs")?;
    let given = call.known_sizes(tensor)?;
    let elided = given.len() as i64 - input.len() as i64;
    let label = "`equation` has a letter for each axis of `inputs`";
    call.insist(IncompatibleShape, label, elided == 0 || (elided > 0 && (left || right)))?;
    let stated = call.ints("output_shape")?;
    let label = "`output_shape` has a size for each axis of the output after the batch";
    let batch = usize::from(!(left && elided > 0));
    call.insist(IllegalValue, label, stated.len() + batch >= output.len())?;
    // A call does not look at what is said beyond them; a symbolic build takes it for axes that no call gives.
    let label = "`output_shape` has no size beyond the axes of the output";
    call.require(ToleratedValue, label, (stated.len() + batch <= output.len()).into());
    // A symbolic build inserts the axes after the batch one by one at the same place.
    let between = &given[1.min(given.len())..if left { elided.max(1) as usize } else { 1 }.min(given.len())];
    let mirrored = between.iter().zip(between.iter().rev()).map(|(size, other)| size.eq(*other));
    let label = "the axes that `...` stands for read the same from behind, as a symbolic build has them";
    call.require(UnsupportedValue, label, Prop::all(mirrored));
    // The axes left out, by characters that no equation has.
    let hidden: Vec<char> = (0..elided).filter_map(|k| char::from_u32(0x100 + k as u32)).collect();
    let own = output.clone();
    for part in [&mut input, &mut output] {
        let at = if left { 0 } else { part.len() };
        part.splice(at..at, hidden.iter().copied());
    }
    let mut sizes: Vec<(char, Dim)> = input.iter().copied().zip(given).collect();
    let label = "every axis of the output is one of the input or of the kernel";
    call.insist(IllegalValue, label, own.iter().all(|c| input.contains(c) || kernel.contains(c)))?;
    let label = "every axis of the kernel is one of the input or of the output";
    call.insist(IllegalValue, label, kernel.iter().all(|c| input.contains(c) || own.contains(c)))?;
    let numbers = call.positions("output_shape", &stated)?;
    let sized = numbers.iter().all(|&size| size >= -1);
    call.insist(IllegalValue, "`output_shape` has no size below zero", sized)?;
    // Where no axis is left out before it, the first of the output is the batch.
    let first = own.iter().zip(sizes.first().map(|(_, batch)| (*batch, 0))).take(batch);
    let first: Vec<_> = first.collect();
    let is_batch = |letter: char| sizes.first().is_some_and(|(batch, _)| *batch == letter);
    // Elsewhere no size can be stated for it: no model knows it.
    let restated = own.iter().skip(batch).zip(&numbers).any(|(c, number)| is_batch(*c) && *number != -1);
    call.insist(IncompatibleShape, "axes that input and output share have one size", !restated)?;
    let rest = own.iter().skip(batch).zip(stated.iter().copied().zip(numbers));
    for (&letter, (size, number)) in first.into_iter().chain(rest) {
        match sizes.iter().find(|(other, _)| *other == letter) {
            Some(_) if number == -1 => {}
            Some(&(_, known)) => {
                call.require_shape("axes that input and output share have one size", known.eq(size));
            }
            None => sizes.push((letter, size)),
        }
    }
    let mut read = Read { input, kernel, output, sizes, weights: Vec::new() };
    let own_sizes: Vec<Dim> = read.kernel.iter().map(|&letter| read.size(letter)).collect();
    let sized = Prop::all(own_sizes.iter().map(|size| size.ge(0)));
    call.demand(IllegalValue, "every axis of the kernel has a size", sized)?;
    let batched = read.input.first().is_some_and(|batch| read.kernel.contains(batch));
    let label = "the kernel has no axis of the batch, whose size no model knows";
    call.require(ToleratedValue, label, (!batched).into());
    read.weights.push(weight("kernel", Shape::new(own_sizes)));
    if call.is_given("bias_axes") {
        let axes: Vec<char> = call.text("bias_axes")?.chars().collect();
        call.insist(IllegalValue, "`bias_axes` are axes of the output", {
            !axes.is_empty() && axes.iter().all(|axis| own.contains(axis))
        })?;
        let batch = read.input.first().is_some_and(|letter| axes.contains(letter));
        let label = "`bias_axes` are no axis of the batch, whose size no model knows";
        call.insist(IllegalValue, label, !batch)?;
        let first = own.iter().position(|letter| axes.contains(letter)).unwrap_or(0);
        let each = own[first..].iter().map(|letter| match axes.contains(letter) {
            true => read.size(*letter),
            false => 1.into(),
        });
        let more = if left { 0 } else { hidden.len() };
        read.weights.push(weight("bias", Shape::new(each.chain(vec![Dim::from(1); more]))));
    }
    Ok(read)
}

fn define(call: &mut Call) -> Outcome {
    let taken = call.backend == Backend::TensorFlow;
    require_floats_unless(call, "`inputs` is floating point", taken)?;
    let read = read(call)?;
    require_weights(call, &read.weights)?;
    in_floats(call)?;
    let (input, kernel) = (call.tensor("inputs")?, call.tensor("kernel")?);
    let bias = if call.is_given("bias_axes") { Some(call.tensor("bias")?) } else { None };
    let shape = Shape::new(read.output.iter().map(|&letter| read.size(letter)));
    let read = Rc::new(read);
    // The letters that are summed over.
    let mut summed: Vec<char> = read.input.iter().chain(&read.kernel).copied().collect();
    summed.retain(|letter| !read.output.contains(letter));
    summed.sort_unstable();
    summed.dedup();
    let extents: Vec<Dim> = summed.iter().map(|&letter| read.size(letter)).collect();
    let products = Tensor::from_elements(input.dtype(), shape, move |index| {
        Element::fold_over(Fold::Sum, &extents, &|folded| {
            let place = |letters: &[char]| -> Vec<Dim> {
                let at = |letter: &char| {
                    let kept = read.output.iter().zip(index).find(|(other, _)| *other == letter);
                    let lost = || summed.iter().zip(folded).find(|(other, _)| *other == letter);
                    kept.or_else(lost).map_or(Dim::from(0), |(_, place)| *place)
                };
                letters.iter().map(at).collect()
            };
            input.at(&place(&read.input)) * kernel.at(&place(&read.kernel))
        })
    });
    let output = match bias {
        Some(bias) => zip(products, bias, products.dtype(), shape, |sum, bias| sum + bias),
        None => products,
    };
    one(activated(call, "activation", output)?)
}
