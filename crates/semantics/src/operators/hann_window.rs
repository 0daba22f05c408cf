//! Hann window.

use super::prelude::*;
use crate::tapering::cosine_window;

pub static OPERATOR: Operator = Operator {
    name: "hann_window",
    summary: "A raised cosine that falls to 0 at its ends. `periodic` leaves out the last point, for use in a Fourier transform.",
    inputs: &[],
    parameters: &[int("size"), flag("periodic").or_flag(true), element_type("dtype").optional()],
    outputs: &["output"],
    spellings: &[onnx(17, "HannWindow(size:index scalar; periodic, output_datatype as dtype)")],
    define: |call| cosine_window(call, [0.5, 0.5, 0.0]),
    examples: &[
        "hann_window(size=4) -> f32[4]{0,0.5,1,0.5}",
        "hann_window(size=4, periodic=false) -> f32[4]{0,0.75,0.75,0}",
        "hann_window(size=N, dtype=f16) -> f16[N]",
        "hann_window(size=0) -> f32[0]",
        "hann_window(size=1, periodic=false) -> f32[1]{nan}",
        "hann_window(size=4, dtype=i32) -> i32[4]",
        "hann_window(size=-1) fails: `size` is not negative",
        "hann_window(size=4, dtype=bool) fails: `dtype` is a real number type",
        "hann_window() fails: `size` is given",
    ],
};
