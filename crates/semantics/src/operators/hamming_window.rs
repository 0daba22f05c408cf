//! Hamming window.

use super::prelude::*;
use crate::tapering::cosine_window;

pub static OPERATOR: Operator = Operator {
    name: "hamming_window",
    summary: "A raised cosine that falls to 2/23 at its ends. `periodic` leaves out the last point, for use in a Fourier transform.",
    inputs: &[],
    parameters: &[int("size"), flag("periodic").or_flag(true), element_type("dtype").optional()],
    outputs: &["output"],
    spellings: &[onnx(17, "HammingWindow(size:index scalar; periodic, output_datatype as dtype)")],
    define: |call| cosine_window(call, [25.0 / 46.0, 21.0 / 46.0, 0.0]),
    examples: &[
        "hamming_window(size=4) -> f32[4]{0.08695652173913043,0.5434782608695652,1,0.5434782608695652}",
        "hamming_window(size=3, periodic=false, dtype=f64) -> f64[3]{0.08695652173913043,1,0.08695652173913043}",
        "hamming_window(size=N, dtype=f16) -> f16[N]",
        "hamming_window(size=0) -> f32[0]",
        "hamming_window(size=1, periodic=false) -> f32[1]{nan}",
        "hamming_window(size=4, dtype=i32) -> i32[4]",
        "hamming_window(size=-1) fails: `size` is not negative",
        "hamming_window(size=4, dtype=bool) fails: `dtype` is a real number type",
        "hamming_window() fails: `size` is given",
    ],
};
