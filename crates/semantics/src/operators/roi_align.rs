//! Pools regions of an image to one size.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "roi_align",
    summary: "Divides each region of interest into a grid of bins and averages (or takes the largest of) interpolated \
              samples in each.",
    inputs: &[tensor("input", FLOAT), tensor("rois", FLOAT).like("input"), tensor("batch_indices", INT64)],
    parameters: &[
        word("mode", &["avg", "max"]).or_word("avg"),
        int("output_height").or(1),
        int("output_width").or(1),
        int("sampling_ratio").or(0),
        float("spatial_scale").or_float(1.0),
        word("coordinate_transformation_mode", &["half_pixel", "output_half_pixel"]).or_word("half_pixel"),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(
            10,
            "RoiAlign(input:nchw, rois, batch_indices; mode, output_height, output_width, sampling_ratio, spatial_scale, \
             with coordinate_transformation_mode=output_half_pixel)",
        ),
        onnx(
            16,
            "RoiAlign(input:nchw, rois, batch_indices; mode, output_height, output_width, sampling_ratio, spatial_scale, \
             coordinate_transformation_mode:else output_half_pixel)",
        ),
    ],
    define,
    examples: &[
        "roi_align(f32[N,C,H,W], f32[R,4], i64[R], output_height=7, output_width=7, sampling_ratio=2) -> f32[R,C,7,7]",
        "roi_align(f32[1,1,4,4]{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}, f32[1,4]{0,0,2,2}, i64[1]{0}, output_height=2, output_width=2, sampling_ratio=2) -> f32[1,1,2,2]{0.625,1.5,4.125,5}",
        "roi_align(f32[1,1,4,4]{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}, f32[1,4]{0,0,2,2}, i64[1]{0}, output_height=2, output_width=2) -> f32[1,1,2,2]{0,1,4,5}",
        "roi_align(f32[1,1,4,4]{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}, f32[1,4]{0,0,2,2}, i64[1]{0}, mode=max, sampling_ratio=2) -> f32[1,1,1,1]{5}",
        "roi_align(f32[1,1,4,4]{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}, f32[1,4]{0,0,-2,2}, i64[1]{0}, output_width=2, sampling_ratio=2, coordinate_transformation_mode=output_half_pixel) -> f32[1,1,1,2]{4.25,4.75}",
        "roi_align(f32[1,1,4], f32[1,4], i64[1]) fails: `input` has four axes",
        "roi_align(f32[1,1,4,4], f32[4], i64[1]) fails: `rois` is a matrix",
        "roi_align(f32[1,1,4,4], f32[1,3], i64[1]) fails: a region has four coordinates",
        "roi_align(f32[1,1,4,4], f32[1,4], i64[1,1]) fails: `batch_indices` is a vector",
        "roi_align(f32[1,1,4,4], f32[1,4], i64[2]) fails: every region has a batch index",
        "roi_align(f32[1,1,4,4], f32[1,4], i64[1]{1}) fails: `batch_indices` are within the batch",
        "roi_align(f32[1,1,4,4], f32[1,4], i64[1], output_height=-1) fails: no size is negative",
        "roi_align(f32[1,1,4,4], f32[1,4], i64[1], sampling_ratio=-1) fails: `sampling_ratio` is not negative",
        "roi_align(f32[1,1,4,4], f32[1,4], i64[1], mode=sum) fails: `mode` is one of avg, max",
        "roi_align(f32[1,1,4,4], f32[1,4], i64[1], coordinate_transformation_mode=corner) fails: `coordinate_transformation_mode` is one of half_pixel, output_half_pixel",
        "roi_align(i64[1,1,4,4], i64[1,4], i64[1]) fails: `input` is floating point",
        "roi_align(f32[1,1,4,4], f64[1,4], i64[1]) fails: `rois` has the element type of `input`",
        "roi_align(f32[1,1,4,4], f32[1,4], i32[1]) fails: `batch_indices` is int64",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, rois, batches) = (call.tensor("input")?, call.tensor("rois")?, call.tensor("batch_indices")?);
    let [batch, channels, height, width] = call.dims("`input` has four axes", input)?;
    let [regions, coordinates] = call.dims("`rois` is a matrix", rois)?;
    call.require_shape("a region has four coordinates", coordinates.eq(4));
    let [indices] = call.dims("`batch_indices` is a vector", batches)?;
    call.require_shape("every region has a batch index", indices.eq(regions));
    call.require_of("`batch_indices` are within the batch", batches, |values| {
        Prop::all(values.iter().map(|index| index.within(0, batch)))
    });
    let (rows, columns) = (call.int("output_height")?, call.int("output_width")?);
    call.require_value("no size is negative", rows.ge(0) & columns.ge(0));
    let ratio = call.int("sampling_ratio")?;
    call.demand(IllegalValue, "`sampling_ratio` is not negative", ratio.ge(0))?;
    let adaptive = call.positions("sampling_ratio", &[ratio])?[0] == 0;
    let (average, scale) = (call.text("mode")? == "avg", call.float("spatial_scale")?);
    let half_pixel = call.text("coordinate_transformation_mode")? == "half_pixel";

    let shape = Shape::new([regions, channels, rows, columns]);
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let kind = input.kind();
        // x first, then y.
        let side = |first: usize, bins: Dim, at: Dim, size: Dim| {
            let edge = |k: usize| {
                let scaled = rois.at(&[index[0], k.into()]) * scale;
                if half_pixel { scaled - 0.5 } else { scaled }
            };
            let (start, length) = (edge(first), edge(first + 2) - edge(first));
            // Without the half pixel, a malformed region counts as one pixel.
            let length = if half_pixel { length } else { length.max(1.0) };
            let bin = length / Element::index(kind, bins);
            let samples = if adaptive { bin.ceil().cast(Kind::I64).as_index().max(0) } else { ratio };
            Side { start, bin, samples, at, size }
        };
        let (across, down) = (side(0, columns, index[3], width), side(1, rows, index[2], height));
        let source = batches.at(&index[..1]).as_index();
        let fold = if average { Fold::Sum } else { Fold::Max };
        let pooled = Element::fold_over(fold, &[down.samples, across.samples], &|number| {
            let (y, x) = (down.sample(number[0]), across.sample(number[1]));
            let corner =
                |y: (Dim, Element), x: (Dim, Element)| y.1 * x.1 * input.at(&[source, index[1], y.0, x.0]);
            let corners = [(y.low, x.low), (y.low, x.high), (y.high, x.low), (y.high, x.high)];
            let terms = corners.into_iter().map(|(y, x)| corner(y, x));
            let sample = if average {
                terms.reduce(|sum, term| sum + term)
            } else {
                terms.reduce(|largest, term| largest.max(term))
            };
            let zero = Element::constant(kind, 0.0);
            y.inside.and(x.inside).select(sample.unwrap_or(zero), zero)
        });
        let samples = down.samples * across.samples;
        if average {
            pooled / Element::index(kind, samples.max(1))
        } else {
            Element::when(samples.ge(1), pooled, Element::constant(kind, 0.0))
        }
    }))
}

/// One direction of a bin: where the region starts, how long a bin is, and how many samples it has.
#[derive(Clone, Copy)]
struct Side {
    start: Element,
    bin: Element,
    samples: Dim,
    at: Dim,
    size: Dim,
}

/// The two elements next to a sample with their weights, and whether the sample counts at all.
struct Sample {
    low: (Dim, Element),
    high: (Dim, Element),
    inside: Element,
}

impl Side {
    fn sample(self, number: Dim) -> Sample {
        let kind = self.start.kind();
        let index = |dim: Dim| Element::index(kind, dim);
        let offset = (index(number) + 0.5) * self.bin / index(self.samples);
        let place = self.start + index(self.at) * self.bin + offset;
        let inside = place.ge(-1.0).and(place.le(index(self.size)));
        let place = place.max(0.0);
        let low = place.floor();
        let (first, last) = (low.cast(Kind::I64).as_index(), self.size - 1);
        let part = Element::when(first.lt(last), place - low, Element::constant(kind, 0.0));
        Sample { low: (first.min(last), 1.0 - part), high: ((first + 1).min(last), part), inside }
    }
}
