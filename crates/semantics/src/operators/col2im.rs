//! Puts blocks together to an image.

use super::prelude::*;
use crate::window::Window;

pub static OPERATOR: Operator = Operator {
    name: "col2im",
    summary: "Puts sliding blocks, one per column, back where they come from in an image; where they overlap, they \
              are added.",
    inputs: &[tensor("input", NUMERIC)],
    parameters: &[
        ints("image_shape"),
        ints("block_shape"),
        ints("stride").or(1),
        ints("dilation").or(1),
        ints("padding").or(0),
    ],
    outputs: &["output"],
    spellings: &[onnx(
        18,
        "Col2Im(input, image_shape, block_shape; strides as stride, dilations as dilation, pads as padding)",
    )],
    define,
    examples: &[
        "col2im(f32[N,5,5], image_shape=[5,5], block_shape=[1,5]) -> f32[N,1,5,5]",
        "col2im(f32[1,10,12], image_shape=[3,4,5], block_shape=[1,1,5]) -> f32[1,2,3,4,5]",
        "col2im(f32[1,4,4]{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}, image_shape=[3,3], block_shape=[2,2]) -> f32[1,1,3,3]{0,5,5,10,30,20,10,25,15}",
        "col2im(f32[1,9,4], image_shape=[5,5], block_shape=[3,3], stride=[2,2]) -> f32[1,1,5,5]",
        "col2im(f32[1,4,5], image_shape=[6,6], block_shape=[2,2], dilation=[1,5]) -> f32[1,1,6,6]",
        "col2im(f32[1,5,15], image_shape=[5,5], block_shape=[1,5], padding=[0,1,0,1]) -> f32[1,1,5,5]",
        "col2im(f32[4,4], image_shape=[3,3], block_shape=[2,2]) fails: `input` has three axes",
        "col2im(f32[1,4,4], image_shape=[3,3], block_shape=[2]) fails: `block_shape` has as many sizes as `image_shape`",
        "col2im(f32[1,5,4], image_shape=[3,3], block_shape=[2,2]) fails: the size of a block divides the number of rows",
        "col2im(f32[1,4,5], image_shape=[3,3], block_shape=[2,2]) fails: `input` has one column per block",
        "col2im(f32[1,4,0], image_shape=[1,3], block_shape=[2,2]) fails: the kernel fits the padded input",
        "col2im(f32[1,0,16], image_shape=[3,3], block_shape=[0,0]) fails: the kernel is not empty",
        "col2im(f32[1,4,4], image_shape=[3,3], block_shape=[2,2], stride=[1]) fails: `stride` has one value per spatial axis",
        "col2im(f32[1,4,4], image_shape=[3,3], block_shape=[2,2], stride=[0,1]) fails: `stride` is positive",
        "col2im(f32[1,4,4], image_shape=[3,3], block_shape=[2,2], dilation=[1]) fails: `dilation` has one value per spatial axis",
        "col2im(f32[1,4,6], image_shape=[3,3], block_shape=[2,2], dilation=[0,1]) fails: `dilation` is positive",
        "col2im(f32[1,4,4], image_shape=[3,3], block_shape=[2,2], padding=[1,1]) fails: `padding` has two values per spatial axis",
        "col2im(f32[1,4,2], image_shape=[3,3], block_shape=[2,2], padding=[-1,0,0,0]) fails: `padding` is not negative",
        "col2im(bool[1,4,4], image_shape=[3,3], block_shape=[2,2]) fails: `input` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let (image, block) = (call.ints("image_shape")?, call.ints("block_shape")?);
    let axes = image.len();
    let as_many = block.len() == axes;
    call.insist(IllegalValue, "`block_shape` has as many sizes as `image_shape`", as_many)?;
    let [batch, rows, columns] = call.dims("`input` has three axes", input)?;
    let stride = call.per_axis("stride", "`stride` has one value per spatial axis", axes)?;
    let dilation = call.per_axis("dilation", "`dilation` has one value per spatial axis", axes)?;
    let padding = call.per_axis("padding", "`padding` has two values per spatial axis", 2 * axes)?;
    let all = |values: &[Dim], least: i64| Prop::all(values.iter().map(|value| value.ge(least)));
    call.demand(IllegalValue, "`stride` is positive", all(&stride, 1))?;
    call.demand(IllegalValue, "`dilation` is positive", all(&dilation, 1))?;
    call.require_value("`padding` is not negative", all(&padding, 0));
    call.demand(IllegalValue, "the kernel is not empty", all(&block, 1))?;
    let windows: Vec<Window> = (0..axes)
        .map(|k| Window {
            kernel: block[k],
            stride: stride[k],
            dilation: dilation[k],
            before: padding[k],
            after: padding[axes + k],
            same: false,
        })
        .collect();
    let fits = windows.iter().zip(&image).map(|(window, &size)| window.reach().le(window.padded(size)));
    call.demand(IllegalShape, "the kernel fits the padded input", Prop::all(fits))?;
    let counts: Vec<Dim> = windows.iter().zip(&image).map(|(window, &size)| window.count(size)).collect();
    let pixels = Dim::product(block.iter().copied());
    call.require_shape("the size of a block divides the number of rows", pixels.divides(rows));
    let blocks = Dim::product(counts.iter().copied());
    call.require_shape("`input` has one column per block", columns.eq(blocks));

    let shape = Shape::new([batch, rows.div_floor(pixels)].into_iter().chain(image));
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        // A pixel is tap `tap` of the block that starts `tap * dilation` before it, if one does.
        Element::fold_over(Fold::Sum, &block, &|tap| {
            let starts = (0..axes).map(|k| index[2 + k] + windows[k].before - tap[k] * windows[k].dilation);
            let starts: Vec<Dim> = starts.collect();
            let number = |k: usize| starts[k].div_floor(windows[k].stride);
            let exists =
                (0..axes).map(|k| windows[k].stride.divides(starts[k]) & number(k).within(0, counts[k]));
            let row = index[1] * pixels + flatten(tap, &block);
            let column = flatten(&(0..axes).map(number).collect::<Vec<Dim>>(), &counts);
            let zero = Element::constant(input.kind(), 0.0);
            Element::when(Prop::all(exists), input.at(&[index[0], row, column]), zero)
        })
    }))
}
