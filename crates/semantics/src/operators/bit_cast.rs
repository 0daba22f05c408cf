//! Reads the bits of elements as another type.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "bit_cast",
    summary: "Reads the bits of every element as a number of another type of the same width.",
    inputs: &[tensor("input", FIXED_WIDTH)],
    parameters: &[element_type("to")],
    outputs: &["output"],
    spellings: &[onnx(26, "BitCast(input; to)")],
    define,
    examples: &[
        "bit_cast(f32[N,3], to=i32) -> i32[N,3]",
        "bit_cast(f32[2]{1.5,-1}, to=i32) -> i32[2]{1069547520,-1082130432}",
        "bit_cast(i8[2]{-1,1}, to=u8) -> u8[2]{255,1}",
        "bit_cast(bool[2]{true,false}, to=u8) -> u8[2]{1,0}",
        "bit_cast(u8[...], to=f8e5m2) -> f8e5m2[...]",
        "bit_cast(f32[2], to=i64) fails: `to` is as wide as the element type of `input`",
        "bit_cast(f32[2]) fails: `to` is given",
        "bit_cast(string[2], to=string) fails: `input` is any type but string",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let Some(to) = call.optional_type("to")? else { return Err(Stop::Unknown("the target type".into())) };
    let DType::Known(from) = input.dtype() else { return one(unknown_elements(to.into(), input.shape())) };
    let fits = from.bits() == to.bits();
    call.insist(IncompatibleType, "`to` is as wide as the element type of `input`", fits)?;
    match (from.class(), to.class()) {
        (Class::Opaque, _) | (_, Class::Opaque) => one(unknown_elements(to.into(), input.shape())),
        // Between integers of one width, wrapping keeps the bits.
        (Class::Int | Class::Bool, Class::Int) => one(cast(input, to)),
        _ => Ok(Tensor::opaque(&[input], [(to.into(), input.shape())], move |arrays| {
            let array = &arrays[0];
            let bits = (0..array.len()).map(|k| bits_of(from, &array.data, k));
            Ok(vec![Array::new(to, array.shape.clone(), from_bits(to, bits)).into()])
        })),
    }
}

fn bits_of(kind: Kind, data: &Data, k: usize) -> u128 {
    match data {
        Data::Bool(values) => values[k].into(),
        Data::Int(values) => {
            let unused = 64 - kind.bits().unwrap_or(64);
            ((values[k] as u64) << unused >> unused).into()
        }
        Data::Float(values) => float_bits(kind, values[k]),
        Data::Complex(values) => {
            let part = kind.real();
            float_bits(part, values[k][0]) | float_bits(part, values[k][1]) << part.bits().unwrap_or(64)
        }
        Data::Opaque(_) => 0,
    }
}

fn float_bits(kind: Kind, value: f64) -> u128 {
    match kind {
        Kind::F16 => half::f16::from_f64(value).to_bits().into(),
        Kind::BF16 => half::bf16::from_f64(value).to_bits().into(),
        Kind::F32 => (value as f32).to_bits().into(),
        _ => value.to_bits().into(),
    }
}

fn from_bits(kind: Kind, bits: impl Iterator<Item = u128>) -> Data {
    match kind.class() {
        Class::Bool => Data::Bool(bits.map(|bits| bits != 0).collect()),
        Class::Int => Data::Int(bits.map(|bits| kind.wrap(bits as i64)).collect()),
        Class::Float => Data::Float(bits.map(|bits| float_from_bits(kind, bits)).collect()),
        Class::Complex => {
            let part = kind.real();
            let imaginary = |bits: u128| bits >> part.bits().unwrap_or(64);
            let number = |bits| [float_from_bits(part, bits), float_from_bits(part, imaginary(bits))];
            Data::Complex(bits.map(number).collect())
        }
        Class::Opaque => Data::Opaque(bits.count()),
    }
}

fn float_from_bits(kind: Kind, bits: u128) -> f64 {
    match kind {
        Kind::F16 => half::f16::from_bits(bits as u16).to_f64(),
        Kind::BF16 => half::bf16::from_bits(bits as u16).to_f64(),
        Kind::F32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits as u64),
    }
}
