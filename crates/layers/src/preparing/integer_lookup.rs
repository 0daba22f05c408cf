//! The place of each integer in a vocabulary.

use crate::layers::prelude::*;
use crate::shared::categories::encoded;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "IntegerLookup",
        summary: "The place of each integer in a vocabulary.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[
            ints("vocabulary").optional(),
            int("max_tokens").optional(),
            int("num_oov_indices").or(1),
            int("mask_token").optional(),
            int("oov_token").or(-1),
            floats("idf_weights").optional(),
            flag("invert").or_flag(false),
            word("output_mode", &["int", "one_hot", "multi_hot", "count", "tf_idf"]).or_word("int"),
            flag("pad_to_max_tokens").or_flag(false),
            word("oov_method", &["floormod", "farmhash"]).or_word("floormod"),
            int("salt").optional(),
            word("vocabulary_dtype", &["int64"]).or_word("int64"),
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "IntegerLookup(i64[4]{7,5,9,0}, vocabulary=[5,7]) -> i64[4]{2,1,0,0}",
            "IntegerLookup(i64[3]{5,0,9}, vocabulary=[5,7], mask_token=0) -> i64[3]{2,0,1}",
            "IntegerLookup(i64[3]{5,8,9}, vocabulary=[5,7], num_oov_indices=2) -> i64[3]{2,0,1}",
            "IntegerLookup(i64[3]{0,1,2}, vocabulary=[5,7], invert=true) -> i64[3]{-1,5,7}",
            "IntegerLookup(i64[1,2]{5,9}, vocabulary=[5,7], output_mode=multi_hot) -> i64[1,3]{1,1,0}",
            "IntegerLookup(i64[2]) fails: there is a vocabulary, given or seen in data",
            "IntegerLookup(i64[2], vocabulary=[]) fails: there is a vocabulary, given or seen in data",
            "IntegerLookup(i64[2], vocabulary=[-1]) fails: the vocabulary has an integer that is no special token",
            "IntegerLookup(i64[2], vocabulary=[0,-1], mask_token=0) fails: the vocabulary has an integer that is no special token",
            "IntegerLookup(i64[3]{5,-1,9}, vocabulary=[-1,-1]) -> i64[3]{0,1,0}",
            "IntegerLookup(i64[2], vocabulary=[5,7], mask_token=7) fails: the vocabulary has no mask token inside",
            "IntegerLookup(i64[2]{5,7}, vocabulary=[5,7], num_oov_indices=0) -> i64[2]{0,1}",
            "IntegerLookup(i64[2]{5,6}, vocabulary=[5,7], num_oov_indices=0) fails: every integer is in the vocabulary: no place is set aside for others",
            "IntegerLookup(i64[1,3]{5,5,9}, vocabulary=[5,7], output_mode=tf_idf, idf_weights=[0.5,1]) -> f32[1,3]{0.75,1,0}",
            "IntegerLookup(i64[2], vocabulary=[5,7], output_mode=tf_idf) fails: `output_mode` tf_idf comes with `idf_weights`",
            "IntegerLookup(i64[2], vocabulary=[5,7], output_mode=tf_idf, idf_weights=[1]) fails: there is one of `idf_weights` for each integer",
            "IntegerLookup(i64[2], vocabulary=[5,-1], invert=true) fails: a vocabulary that is inverted has no `oov_token` inside",
            "IntegerLookup(i64[2], vocabulary=[5,7], max_tokens=1) fails: `max_tokens` is above 1",
            "IntegerLookup(i64[2], vocabulary=[5,7], num_oov_indices=-1) fails: `num_oov_indices` is not negative",
            "IntegerLookup(i64[2], vocabulary=[5,7], pad_to_max_tokens=true) fails: what is padded to `max_tokens` has it",
            "IntegerLookup(i64[2], vocabulary=[5,7], idf_weights=[1,2]) fails: `idf_weights` come with `output_mode` tf_idf",
            "IntegerLookup(i64[2], vocabulary=[5,7], invert=true, output_mode=count) fails: what is inverted gives integers",
            "IntegerLookup(i64[2], vocabulary=[5,5]) fails: the vocabulary has each integer once",
            "IntegerLookup(i64[2], vocabulary=[5,7,9], max_tokens=3) fails: the vocabulary fits into `max_tokens`",
            "IntegerLookup(i64[2], vocabulary=[5,7], output_mode=hot) fails: `output_mode` is one of int, one_hot, multi_hot, count, tf_idf",
            "IntegerLookup(i64[2], vocabulary=[5,7], oov_method=steep) fails: `oov_method` is one of floormod, farmhash",
            "IntegerLookup(i64[2], vocabulary=[5,7], vocabulary_dtype=int32) fails: `vocabulary_dtype` is one of int64",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};

/// So many places for integers that are not in the vocabulary are written down one by one.
const MOST_OTHERS: i64 = 1 << 20;

fn define(call: &mut Call) -> Outcome {
    let (input, mode) = (call.tensor("inputs")?, call.text("output_mode")?);
    let (most, others) = (call.optional_int("max_tokens")?, call.int("num_oov_indices")?);
    if let Some(most) = most {
        call.demand(IllegalValue, "`max_tokens` is above 1", most.gt(1))?;
    }
    call.demand(IllegalValue, "`num_oov_indices` is not negative", others.ge(0))?;
    let (pads, inverts) = (call.flag("pad_to_max_tokens")?, call.flag("invert")?);
    call.insist(IllegalValue, "what is padded to `max_tokens` has it", !pads || most.is_some())?;
    let (weights, weighs) = (call.optional_floats("idf_weights")?, mode == "tf_idf");
    let label = "`idf_weights` come with `output_mode` tf_idf";
    call.insist(IllegalValue, label, weights.is_none() || weighs)?;
    call.insist(IllegalValue, "what is inverted gives integers", !inverts || mode == "int")?;
    let Some(vocabulary) = call.optional_ints("vocabulary")? else {
        return call.refuse(IllegalValue, "there is a vocabulary, given or seen in data");
    };
    call.insist(IllegalValue, "there is a vocabulary, given or seen in data", !vocabulary.is_empty())?;
    call.insist(IllegalValue, "`output_mode` tf_idf comes with `idf_weights`", !weighs || weights.is_some())?;
    let known = |dim: Dim| dim.known().ok_or_else(|| Stop::Unknown("an argument is not known".into()));
    let vocabulary = vocabulary.into_iter().map(known).collect::<Result<Vec<i64>, Stop>>()?;
    let (masked, stranger) = (call.optional_int("mask_token")?, known(call.int("oov_token")?)?);
    let (masked, others) = (masked.map(known).transpose()?, known(others)?);
    if others > MOST_OTHERS {
        return Err(Stop::Unknown(format!(
            "more than {MOST_OTHERS} places for other integers are not followed"
        )));
    }
    // Tokens that stand for no integer may be told at the start, all of them, or not at all.
    let first = masked.filter(|_| mode == "int");
    let special: Vec<i64> = first.into_iter().chain((0..others).map(|_| stranger)).collect();
    let (before, told_weights) = (special.len() as i64, vocabulary.len());
    let stripped = vocabulary.strip_prefix(special.as_slice());
    let (all_told, vocabulary) = (stripped.is_some(), stripped.unwrap_or(&vocabulary).to_vec());
    call.insist(
        IllegalValue,
        "the vocabulary has an integer that is no special token",
        !vocabulary.is_empty(),
    )?;
    let once = (1..vocabulary.len()).all(|k| !vocabulary[..k].contains(&vocabulary[k]));
    call.insist(IllegalValue, "the vocabulary has each integer once", once)?;
    let hidden = masked.is_some_and(|masked| vocabulary.contains(&masked));
    call.insist(IllegalValue, "the vocabulary has no mask token inside", !hidden)?;
    let is_strange = inverts && vocabulary.contains(&stranger);
    call.insist(IllegalValue, "a vocabulary that is inverted has no `oov_token` inside", !is_strange)?;
    let size = before + vocabulary.len() as i64;
    if let Some(most) = most {
        call.demand(IllegalValue, "the vocabulary fits into `max_tokens`", most.ge(size))?;
    }
    if let Some(weights) = &weights {
        let each = weights.len() == told_weights;
        call.insist(IncompatibleShape, "there is one of `idf_weights` for each integer", each)?;
    }
    if inverts {
        return one(map(input, Kind::I64, move |x| told(x, &vocabulary, before, masked, others, stranger)));
    }
    if others > 1 && call.text("oov_method")? == "farmhash" {
        return Err(Stop::Unknown("the hash of an integer is not modelled".into()));
    }
    if others == 0
        && let Some(values) = call.values(cast(input, Kind::I64))
    {
        let tokens = || vocabulary.iter().chain(&masked);
        let found = |value: &Dim| Prop::any(tokens().map(|token| value.eq(*token)));
        let label = "every integer is in the vocabulary: no place is set aside for others";
        call.require_value(label, Prop::all(values.iter().map(found)));
    }
    let (offset, integers) = (before - others, mode == "int");
    let places = map(input, Kind::I64, move |x| {
        let x = x.cast(Kind::I64);
        let int = |value: i64| Element::int(Kind::I64, value);
        let outside = if others == 0 { int(-1) } else { x.modulo(int(others)) + int(offset) };
        let found = vocabulary
            .iter()
            .enumerate()
            .fold(outside, |found, (k, token)| x.eq(int(*token)).select(int(before + k as i64), found));
        // What is masked is the first, or no category at all.
        match masked {
            Some(token) => x.eq(int(token)).select(int(if integers { 0 } else { -1 }), found),
            None => found,
        }
    });
    let depth = if pads { most.unwrap_or_else(|| Dim::from(size)) } else { Dim::from(size) };
    let Some(weights) = weights else {
        return encoded(call, places, &mode, depth, None, Kind::I64);
    };
    // Places that stand for no integer weigh as much as the others do on average, unless they are told.
    let average = weights.iter().sum::<f64>() / weights.len() as f64;
    let front = if all_told { 0 } else { before as usize };
    let weights: Vec<f64> = std::iter::repeat_n(average, front).chain(weights).collect();
    let counts = encoded(call, places, "count", depth, None, Kind::F32)?[0];
    one(Tensor::from_elements(Kind::F32, counts.shape(), move |index| {
        let zero = Element::constant(Kind::F32, 0.0);
        let weight = weights.iter().enumerate().fold(zero, |found, (k, weight)| {
            let is_here = index[index.len() - 1].eq(k as i64);
            Element::when(is_here, Element::constant(Kind::F32, *weight), found)
        });
        counts.at(index) * weight
    }))
}

/// The integer at a place.
fn told(
    place: Element,
    vocabulary: &[i64],
    before: i64,
    masked: Option<i64>,
    others: i64,
    stranger: i64,
) -> Element {
    let int = |value: i64| Element::int(Kind::I64, value);
    let place = place.cast(Kind::I64);
    let found = vocabulary
        .iter()
        .enumerate()
        .fold(int(stranger), |found, (k, token)| place.eq(int(before + k as i64)).select(int(*token), found));
    match masked {
        Some(token) if before > others => place.eq(int(0)).select(int(token), found),
        _ => found,
    }
}
