//! Categories written out: one place for each.

use crate::layers::prelude::*;
use crate::shared::categories::encoded;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "CategoryEncoding",
        summary: "Categories written out: one place for each.",
        inputs: &[tensor("inputs", REAL_OR_BOOL), tensor("count_weights", REAL_OR_BOOL).optional()],
        parameters: &[
            int("num_tokens"),
            word("output_mode", &["multi_hot", "one_hot", "count", "binary"]).or_word("multi_hot"),
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "CategoryEncoding(i64[2,3]{0,1,1,2,2,2}, num_tokens=3) -> f32[2,3]{1,1,0,0,0,1}",
            "CategoryEncoding(i64[]{1}, num_tokens=3) -> f32[3]{0,1,0}",
            "CategoryEncoding(i64[1,3]{0,1,1}, num_tokens=2, output_mode=count) -> f32[1,2]{1,2}",
            "CategoryEncoding(i64[1,2]{0,1}, f32[1,2]{0.5,2}, num_tokens=2, output_mode=count) -> f32[1,2]{0.5,2}",
            "CategoryEncoding(i64[2,1]{0,1}, num_tokens=2, output_mode=one_hot) -> f32[2,2]{1,0,0,1}",
            "CategoryEncoding(i64[2,1]{0,2}, num_tokens=2, output_mode=one_hot) -> f32[2,2]{1,0,0,0}",
            "CategoryEncoding(i64[2,1]{0,2}, num_tokens=2) on torch fails: every category is below `num_tokens`",
            "CategoryEncoding(i64[N,3], num_tokens=4, output_mode=one_hot) -> f32[N,3,4]",
            "CategoryEncoding(i64[2,3], num_tokens=0) fails: `num_tokens` is positive",
            "CategoryEncoding(i64[2,3]) fails: `num_tokens` is given",
            "CategoryEncoding(i64[2,3], num_tokens=2, output_mode=int) fails: `output_mode` is one of multi_hot, one_hot, count, binary",
            "CategoryEncoding(i64[2,3], f32[2,3], num_tokens=2) fails: weights of counts come with `output_mode` count",
            "CategoryEncoding(i64[2,3], f32[2,2], num_tokens=2, output_mode=count) fails: there is a weight for each category",
            "CategoryEncoding(i64[1,2]{0,0}, f32[]{2}, num_tokens=2, output_mode=count) on torch -> f32[1,2]{4,0}",
            "CategoryEncoding(i64[2,0], num_tokens=2) on torch fails: there is a category to mark",
            "CategoryEncoding(i64[1,0], num_tokens=2) -> f32[1,2]{0,0}",
            "CategoryEncoding(i64[2,0], num_tokens=2, output_mode=count) on torch -> f32[2,2]",
            "CategoryEncoding(i64[]{1}, num_tokens=3, output_mode=one_hot) -> f32[1,3]{0,1,0}",
        ],
    },
    takes: &["inputs", "count_weights"],
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let (input, tokens, mode) = (call.tensor("inputs")?, call.int("num_tokens")?, call.text("output_mode")?);
    call.demand(IllegalValue, "`num_tokens` is positive", tokens.ge(1))?;
    if call.backend == Backend::Torch
        && let Some(values) = call.values(cast(input, Kind::I64))
    {
        // TensorFlow leaves out what has no place.
        let inside = Prop::all(values.iter().map(|category| category.lt(tokens)));
        call.require_value("every category is below `num_tokens`", inside);
    }
    if call.backend == Backend::Torch && mode == "multi_hot" {
        let sizes = call.known_sizes(input)?;
        // PyTorch asks for the largest of the marks.
        if let Some(together) = sizes.get(usize::from(sizes.len() > 1)) {
            call.require_legal("there is a category to mark", together.ge(1));
        }
    }
    let weights = call.optional("count_weights");
    if let Some(weights) = weights {
        call.insist(IllegalValue, "weights of counts come with `output_mode` count", mode == "count")?;
        let (all, fits) = input.shape().broadcast(weights.shape());
        // PyTorch multiplies one with the other; TensorFlow counts.
        let same_ranks = all.known_rank() == input.shape().known_rank();
        let broadcasts = call.backend == Backend::Torch && same_ranks;
        let each = weights.shape().same(input.shape()) | (Prop::from(broadcasts) & fits);
        call.demand(IncompatibleShape, "there is a weight for each category", each)?;
        if broadcasts {
            let [input, weights] = [input, weights].map(|tensor| broadcast_to(tensor, all));
            return encoded(call, input, &mode, tokens, Some(weights), Kind::F32);
        }
    }
    encoded(call, input, &mode, tokens, weights, Kind::F32)
}
