//! The largest element of each cell of a grid laid over regions of interest.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "max_roi_pool",
    summary: "Lays a grid of `pooled_shape` over each region and takes the largest element of each cell.",
    inputs: &[tensor("input", FLOAT), tensor("rois", FLOAT).like("input")],
    parameters: &[ints("pooled_shape"), float("spatial_scale").or_float(1.0)],
    outputs: &["output"],
    spellings: &[onnx(1, "MaxRoiPool(input:nchw, rois; pooled_shape, spatial_scale)")],
    define,
    examples: &[
        "max_roi_pool(f32[N,C,32,32], f32[R,5], pooled_shape=[7,7]) -> f32[R,C,7,7]",
        "max_roi_pool(f32[1,1,2,2]{1,2,3,4}, f32[1,5]{0,0,0,1,1}, pooled_shape=[1,1]) -> f32[1,1,1,1]{4}",
        "max_roi_pool(f32[1,1,2,2]{1,2,3,4}, f32[2,5]{0,1,0,1,1,0,-9,-9,-8,-8}, pooled_shape=[2,1]) -> f32[2,1,2,1]{2,4,0,0}",
        "max_roi_pool(f32[1,1,4], f32[1,5], pooled_shape=[2,2]) fails: `input` has a batch, a channel and two spatial axes",
        "max_roi_pool(f32[1,1,4,4], f32[5], pooled_shape=[2,2]) fails: `rois` is a matrix",
        "max_roi_pool(f32[1,1,4,4], f32[1,4], pooled_shape=[2,2]) fails: `rois` has rows of an image number and two corners",
        "max_roi_pool(f32[1,1,4,4], f32[1,5]{3,0,0,1,1}, pooled_shape=[2,2]) fails: every region lies in an image of the batch",
        "max_roi_pool(f32[1,1,4,4], f32[1,5], pooled_shape=[2]) fails: `pooled_shape` has two values",
        "max_roi_pool(f32[1,1,4,4], f32[1,5], pooled_shape=[2,0]) fails: `pooled_shape` is positive",
        "max_roi_pool(f32[1,1,4,4], f32[1,5], pooled_shape=[2,2], spatial_scale=0) fails: `spatial_scale` is positive",
        "max_roi_pool(f32[1,1,4,4], f32[1,5]) fails: `pooled_shape` is given",
        "max_roi_pool(i32[1,1,4,4], i32[1,5], pooled_shape=[2,2]) fails: `input` is floating point",
        "max_roi_pool(f32[1,1,4,4], f64[1,5], pooled_shape=[2,2]) fails: `rois` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, rois) = (call.tensor("input")?, call.tensor("rois")?);
    let [batch, channels, height, width] =
        call.dims("`input` has a batch, a channel and two spatial axes", input)?;
    let [regions, columns] = call.dims("`rois` is a matrix", rois)?;
    let label = "`rois` has rows of an image number and two corners";
    call.demand(IncompatibleShape, label, columns.eq(5))?;
    let pooled = call.ints("pooled_shape")?;
    call.insist(IllegalValue, "`pooled_shape` has two values", pooled.len() == 2)?;
    call.require_value("`pooled_shape` is positive", Prop::all(pooled.iter().map(|size| size.ge(1))));
    let scale = call.float("spatial_scale")?;
    call.insist(IllegalValue, "`spatial_scale` is positive", scale > 0.0)?;
    if let Some(values) = rois.values() {
        let images = values.iter().step_by(5).filter_map(|value| value.float());
        let exist = Prop::all(images.map(|image| Dim::from(image as i64).within(0, batch)));
        call.require_value("every region lies in an image of the batch", exist);
    }

    let shape = Shape::new([regions, channels, pooled[0], pooled[1]]);
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let corner = |column: i64| rois.at(&[index[0], column.into()]) * scale;
        let image = rois.at(&[index[0], 0.into()]).cast(Kind::I64).as_index();
        let (top, bottom) = cell(corner(2), corner(4), index[2], pooled[0], height);
        let (left, right) = cell(corner(1), corner(3), index[3], pooled[1], width);
        let lowest = Element::constant(input.kind(), f64::NEG_INFINITY);
        let largest = Element::fold_over(Fold::Max, &[height, width], &|place| {
            let inside = place[0].within(top, bottom) & place[1].within(left, right);
            Element::when(inside, input.at(&[image, index[1], place[0], place[1]]), lowest)
        });
        let empty = bottom.le(top) | right.le(left);
        Element::when(empty, Element::constant(input.kind(), 0.0), largest)
    }))
}

/// Where cell `number` of `cells` over the rounded range `first..=last` starts and ends, cut to the image.
fn cell(first: Element, last: Element, number: Dim, cells: Dim, size: Dim) -> (Dim, Dim) {
    // Halves are rounded away from zero.
    let rounded = |x: Element| (x.abs() + 0.5).floor() * x.sign();
    let (first, last) = (rounded(first), rounded(last));
    let kind = first.kind();
    let length = (last - first + 1.0).max(1.0) / Element::index(kind, cells);
    let start = (Element::index(kind, number) * length).floor() + first;
    let end = (Element::index(kind, number + 1) * length).ceil() + first;
    let cut = |x: Element| x.cast(Kind::I64).as_index().max(0).min(size);
    (cut(start), cut(end))
}
