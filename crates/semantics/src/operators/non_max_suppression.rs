//! Chooses boxes that do not overlap much.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "non_max_suppression",
    summary: "Per batch entry and class, takes boxes by falling score, leaving out those that overlap one already taken \
              by more than `iou_threshold`. A row of the result is batch entry, class and box.",
    inputs: &[tensor("boxes", FLOAT32), tensor("scores", FLOAT32)],
    parameters: &[
        int("max_output_boxes_per_class").or(0),
        float("iou_threshold").or_float(0.0),
        float("score_threshold").optional(),
        int("center_point_box").or(0),
    ],
    outputs: &["output"],
    spellings: &[onnx(
        10,
        "NonMaxSuppression(boxes, scores, max_output_boxes_per_class:any, iou_threshold:float32 any, score_threshold:float32 any; \
         center_point_box)",
    )],
    define,
    examples: &[
        "non_max_suppression(f32[1,3,4]{0,0,1,1,0,0.1,1,1.1,0,10,1,11}, f32[1,1,3]{0.9,0.75,0.6}, max_output_boxes_per_class=3, iou_threshold=0.5) -> i64[2,3]{0,0,0,0,0,2}",
        "non_max_suppression(f32[1,3,4]{0,0,1,1,0,0.1,1,1.1,0,10,1,11}, f32[1,1,3]{0.9,0.75,0.6}, max_output_boxes_per_class=3, iou_threshold=0.5, score_threshold=0.6) -> i64[1,3]{0,0,0}",
        "non_max_suppression(f32[1,2,4]{1,1,2,2,1,1,2,2}, f32[1,1,2]{0.5,0.5}, max_output_boxes_per_class=1, center_point_box=1) -> i64[1,3]{0,0,0}",
        "non_max_suppression(f32[1,1,4]{0,0,1,1}, f32[1,1,1]{0.9}) -> i64[0,3]",
        "non_max_suppression(f32[3,4], f32[1,1,3]) fails: `boxes` has three axes",
        "non_max_suppression(f32[1,3,4], f32[1,3]) fails: `scores` has three axes",
        "non_max_suppression(f32[1,3,3], f32[1,1,3]) fails: a box has four coordinates",
        "non_max_suppression(f32[1,3,4], f32[2,1,3]) fails: `boxes` and `scores` have one batch size",
        "non_max_suppression(f32[1,3,4], f32[1,1,2]) fails: every box has a score",
        "non_max_suppression(f32[1,3,4], f32[1,1,3], iou_threshold=1.5) fails: `iou_threshold` is between 0 and 1",
        "non_max_suppression(f32[1,3,4], f32[1,1,3], center_point_box=2) fails: `center_point_box` is 0 or 1",
        "non_max_suppression(f64[1,3,4], f32[1,1,3]) fails: `boxes` is float32",
        "non_max_suppression(f32[1,3,4], f64[1,1,3]) fails: `scores` is float32",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (boxes, scores) = (call.tensor("boxes")?, call.tensor("scores")?);
    let [batch, number, coordinates] = call.dims("`boxes` has three axes", boxes)?;
    let [score_batch, _, score_number] = call.dims("`scores` has three axes", scores)?;
    call.require_shape("a box has four coordinates", coordinates.eq(4));
    call.require_shape("`boxes` and `scores` have one batch size", batch.eq(score_batch));
    call.require_shape("every box has a score", number.eq(score_number));
    let centred = call.int("center_point_box")?;
    call.demand(IllegalValue, "`center_point_box` is 0 or 1", centred.within(0, 2))?;

    let unknown = Dim::symbol("the number of boxes chosen", 0, LARGEST_SIZE);
    let thresholds = (call.float("iou_threshold"), call.optional_float("score_threshold"));
    let (Ok(overlap), Ok(score), Ok(most)) =
        (thresholds.0, thresholds.1, call.int("max_output_boxes_per_class"))
    else {
        let shape = Shape::new([unknown, 3.into()]);
        return call.valueless(Kind::I64, shape, "a threshold is known only when the model runs");
    };
    let (overlap, score) = (Kind::F32.round(overlap), score.map(|score| Kind::F32.round(score)));
    let between = (0.0..=1.0).contains(&overlap);
    call.insist(IllegalValue, "`iou_threshold` is between 0 and 1", between)?;
    let settings = Tensor::of_dims(Kind::I64, [most, centred]);
    let choose = move |arrays: &[Array]| -> Result<Vec<[i64; 3]>, String> {
        let (Some(boxes), Some(all), Some(settings)) =
            (arrays[0].as_floats(), arrays[1].as_floats(), arrays[2].as_ints())
        else {
            return Err("floats expected".into());
        };
        let [batch, classes, number] = arrays[1].shape[..] else { return Err("three axes expected".into()) };
        if boxes.len() != batch * number * 4 {
            return Err("there is not one box per score".into());
        }
        let most = settings[0].max(0) as usize;
        let mut chosen = Vec::new();
        for (row, scores) in (0..batch * classes).zip(all.chunks(number.max(1))) {
            let boxes = &boxes[row / classes * number * 4..][..number * 4];
            for k in class_choice(boxes, scores, most, overlap, score, settings[1] == 1) {
                chosen.push([(row / classes) as i64, (row % classes) as i64, k as i64]);
            }
        }
        Ok(chosen)
    };
    let inputs = [boxes, scores, settings];
    let count = Tensor::opaque(&inputs, [(Kind::I64.into(), Shape::scalar())], move |arrays| {
        Ok(vec![Array::ints(Kind::I64, &[], vec![choose(arrays)?.len() as i64]).into()])
    })[0];
    let shape = Shape::new([call.integer(count).unwrap_or(unknown), 3.into()]);
    Ok(Tensor::opaque(&inputs, [(Kind::I64.into(), shape)], move |arrays| {
        let chosen = choose(arrays)?;
        let rows = chosen.len();
        Ok(vec![Array::ints(Kind::I64, &[rows, 3], chosen.into_iter().flatten().collect()).into()])
    }))
}

/// The boxes chosen for one class, best first; of equal scores the first box.
fn class_choice(
    boxes: &[f64],
    scores: &[f64],
    most: usize,
    overlap: f64,
    score: Option<f64>,
    centred: bool,
) -> Vec<usize> {
    let mut order: Vec<usize> =
        (0..scores.len()).filter(|&k| score.is_none_or(|least| scores[k] > least)).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let corners = |k: usize| {
        let [a, b, c, d] = [boxes[4 * k], boxes[4 * k + 1], boxes[4 * k + 2], boxes[4 * k + 3]];
        if centred {
            [a - c / 2.0, b - d / 2.0, a + c / 2.0, b + d / 2.0]
        } else {
            [a.min(c), b.min(d), a.max(c), b.max(d)]
        }
    };
    let mut chosen: Vec<usize> = Vec::new();
    for k in order {
        if chosen.len() >= most {
            break;
        }
        if chosen.iter().all(|&other| shared(corners(k), corners(other)) <= overlap) {
            chosen.push(k);
        }
    }
    chosen
}

/// Intersection over union.
fn shared(a: [f64; 4], b: [f64; 4]) -> f64 {
    let width = a[2].min(b[2]) - a[0].max(b[0]);
    let height = a[3].min(b[3]) - a[1].max(b[1]);
    let area = |c: [f64; 4]| (c[2] - c[0]) * (c[3] - c[1]);
    let (common, union) = (width * height, area(a) + area(b) - width * height);
    if width <= 0.0 || height <= 0.0 || union <= 0.0 {
        return f64::NEG_INFINITY;
    }
    // Runtimes compare in single precision.
    f64::from((common / union) as f32)
}
