//! Coordinates for sampling under an affine map.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "affine_grid",
    summary: "The coordinates, from -1 to 1 across each spatial axis of `size`, mapped by the matrices `theta`; \
              what `grid_sample` reads at.",
    inputs: &[tensor("theta", FLOAT)],
    parameters: &[ints("size"), flag("align_corners").or_flag(false)],
    outputs: &["output"],
    spellings: &[onnx(20, "AffineGrid(theta, size; align_corners)")],
    define,
    examples: &[
        "affine_grid(f32[N,2,3], size=[N,3,H,W]) -> f32[N,H,W,2]",
        "affine_grid(f32[2,3,4], size=[2,3,4,5,6]) -> f32[2,4,5,6,3]",
        "affine_grid(f32[1,2,3]{0,1,2,3,4,5}, size=[1,3,2,2]) -> f32[1,2,2,2]{1.5,1.5,1.5,4.5,2.5,5.5,2.5,8.5}",
        "affine_grid(f32[1,2,3]{1,0,0,0,1,0}, size=[1,1,1,2], align_corners=true) -> f32[1,1,2,2]{-1,-1,1,-1}",
        "affine_grid(f32[1,2,3], size=[1,3,2]) fails: `size` has a batch, a channel and two or three spatial sizes",
        "affine_grid(f32[2,3], size=[2,3,2,2]) fails: `theta` is a stack of matrices",
        "affine_grid(f32[1,3,4], size=[1,3,2,2]) fails: `theta` has a row per spatial axis and one column more",
        "affine_grid(f32[1,2,3], size=[2,3,2,2]) fails: `theta` has one matrix per batch entry",
        "affine_grid(f32[1,2,3], size=[1,3,-1,2]) fails: no size is negative",
        "affine_grid(i64[1,2,3], size=[1,3,2,2]) fails: `theta` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let theta = call.tensor("theta")?;
    let (size, align) = (call.ints("size")?, call.flag("align_corners")?);
    let axes = size.len().saturating_sub(2);
    call.insist(
        IllegalValue,
        "`size` has a batch, a channel and two or three spatial sizes",
        axes == 2 || axes == 3,
    )?;
    call.require_value("no size is negative", Prop::all(size.iter().map(|size| size.ge(0))));
    let [matrices, rows, columns] = call.dims("`theta` is a stack of matrices", theta)?;
    let fits = rows.eq(axes) & columns.eq(axes + 1);
    call.require_shape("`theta` has a row per spatial axis and one column more", fits);
    call.require_shape("`theta` has one matrix per batch entry", matrices.eq(size[0]));

    let spatial = size[2..].to_vec();
    let shape = Shape::new([size[0]].into_iter().chain(spatial.iter().copied()).chain([axes.into()]));
    one(Tensor::from_elements(theta.dtype(), shape, move |index| {
        let (batch, row) = (index[0], index[axes + 1]);
        let one = Element::constant(theta.kind(), 1.0);
        Element::fold(Fold::Sum, (axes + 1).into(), |column| {
            // The last spatial axis is the first coordinate, and after all of them comes 1.
            let place = (0..axes).fold(one, |place, axis| {
                let coordinate = coordinate(theta.kind(), index[1 + axis], spatial[axis], align);
                Element::when(column.eq(axes - 1 - axis), coordinate, place)
            });
            theta.at(&[batch, row, column]) * place
        })
    }))
}

/// From -1 to 1: the outermost centres if aligned, else the outer edges, half a step further out.
/// Frameworks walk in rounded steps and then draw the outermost centres in, so 0 is not met exactly.
fn coordinate(kind: Kind, at: Dim, size: Dim, align: bool) -> Element {
    let number = |dim: Dim| Element::index(kind, dim);
    let steps = (size - 1).max(1);
    let aligned = number(at) * (2.0 / number(steps)) - 1.0;
    if !align {
        return aligned * (number(size - 1) / number(size));
    }
    // Of a single centre ONNX makes -1, PyTorch 0 and ONNX Runtime 1.
    let anywhere = undetermined(kind, -1.0, 2.0);
    Element::when(size.eq(1), anywhere.at(&[]), aligned)
}
