//! Blackman window.

use super::prelude::*;
use crate::tapering::cosine_window;

pub static OPERATOR: Operator = Operator {
    name: "blackman_window",
    summary: "A sum of two cosines that falls to 0 at its ends. `periodic` leaves out the last point, for use in a Fourier transform.",
    inputs: &[],
    parameters: &[int("size"), flag("periodic").or_flag(true), element_type("dtype").optional()],
    outputs: &["output"],
    spellings: &[onnx(17, "BlackmanWindow(size:index scalar; periodic, output_datatype as dtype)")],
    define: |call| cosine_window(call, [0.42, 0.5, 0.08]),
    examples: &[
        "blackman_window(size=4) -> f32[4]{0,0.34,1,0.34}",
        "blackman_window(size=4, periodic=false) -> f32[4]{0,0.63,0.63,0}",
        "blackman_window(size=N, dtype=f16) -> f16[N]",
        "blackman_window(size=0) -> f32[0]",
        "blackman_window(size=1, periodic=false) -> f32[1]{nan}",
        "blackman_window(size=4, dtype=i32) -> i32[4]",
        "blackman_window(size=-1) fails: `size` is not negative",
        "blackman_window(size=4, dtype=bool) fails: `dtype` is a real number type",
        "blackman_window() fails: `size` is given",
    ],
};
