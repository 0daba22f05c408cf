//! Numbers, words and arrays as Python writes them.

use semantics::array::{Array, Data};
use semantics::dtype::Kind;

/// Arrays with more elements are written as their bytes.
const MOST_WRITTEN: usize = 128;

/// A float with all its digits.
pub fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => "float(\"nan\")".into(),
        f64::INFINITY => "float(\"inf\")".into(),
        f64::NEG_INFINITY => "float(\"-inf\")".into(),
        value => format!("{value:?}"),
    }
}

pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push('?'),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The name that NumPy and Keras give to an element type.
pub fn dtype(kind: Kind) -> Result<&'static str, String> {
    Ok(match kind {
        Kind::Bool => "bool",
        Kind::I8 => "int8",
        Kind::I16 => "int16",
        Kind::I32 => "int32",
        Kind::I64 => "int64",
        Kind::U8 => "uint8",
        Kind::U16 => "uint16",
        Kind::U32 => "uint32",
        Kind::U64 => "uint64",
        Kind::F16 => "float16",
        Kind::BF16 => "bfloat16",
        Kind::F32 => "float32",
        Kind::F64 => "float64",
        Kind::C64 => "complex64",
        Kind::C128 => "complex128",
        other => return Err(format!("arrays of {other} have no name in NumPy")),
    })
}

/// `np.array([[1.0, 2.0]], "float32")`
pub fn array(array: &Array) -> String {
    let name = dtype(array.kind).unwrap_or("object");
    let named = if array.kind == Kind::BF16 { "ml_dtypes.bfloat16".to_string() } else { quoted(name) };
    if array.is_empty() {
        return format!("np.zeros({:?}, {named})", array.shape)
            .replace('[', "(")
            .replace(']', ",)")
            .replace("(,)", "()");
    }
    if array.len() > MOST_WRITTEN
        && let Ok(bytes) = arrays::npy::NpyArray::from_array(array)
    {
        let hex: String = bytes.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let sizes: Vec<String> = array.shape.iter().map(usize::to_string).collect();
        return format!("np.frombuffer(bytes.fromhex(\"{hex}\"), {named}).reshape({})", sizes.join(", "));
    }
    format!("np.array({}, {named})", nested(array))
}

/// The elements as lists in lists.
pub fn nested(array: &Array) -> String {
    part(array, &array.shape, 0)
}

fn part(array: &Array, shape: &[usize], start: usize) -> String {
    let [length, rest @ ..] = shape else { return element(array, start) };
    let step: usize = rest.iter().product();
    let items: Vec<String> = (0..*length).map(|k| part(array, rest, start + k * step)).collect();
    format!("[{}]", items.join(", "))
}

fn element(array: &Array, at: usize) -> String {
    match &array.data {
        Data::Bool(values) => if values[at] { "True" } else { "False" }.into(),
        Data::Int(values) if array.kind == Kind::U64 => (values[at] as u64).to_string(),
        Data::Int(values) => values[at].to_string(),
        Data::Float(values) if array.kind != Kind::F64 && values[at].is_finite() => {
            format!("{:?}", values[at] as f32)
        }
        Data::Float(values) if values[at].is_nan() => "np.nan".into(),
        Data::Float(values) if values[at].is_infinite() => {
            if values[at] > 0.0 { "np.inf" } else { "-np.inf" }.into()
        }
        Data::Float(values) => number(values[at]),
        Data::Complex(values) => format!("complex({}, {})", number(values[at][0]), number(values[at][1])),
        Data::Opaque(_) => "None".into(),
    }
}
