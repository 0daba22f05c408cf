//! Every way a file can store a tensor's values, and what does not fit.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use models::onnx::proto::TensorProto;
use models::onnx::{Element, ExternalFiles, TensorError, TensorView};

fn view(type_name: &str, dims: &[i64], fill: impl FnOnce(&mut TensorProto)) -> TensorView {
    let data_type = Element::from_name(type_name).expect("an element type").code;
    let mut proto = TensorProto { dims: dims.to_vec(), data_type, ..TensorProto::default() };
    fill(&mut proto);
    TensorView::from_proto(proto, Arc::new(ExternalFiles::beside(Path::new("m.onnx"))))
}

fn raw(type_name: &str, dims: &[i64], bytes: &'static [u8]) -> TensorView {
    view(type_name, dims, |proto| proto.raw_data = Some(Bytes::from_static(bytes)))
}

#[test]
fn integers() {
    assert_eq!(raw("int8", &[2], &[0xff, 2]).ints(), Ok(vec![-1, 2]));
    assert_eq!(raw("uint8", &[2], &[0xff, 2]).ints(), Ok(vec![255, 2]));
    assert_eq!(raw("int16", &[1], &[0xfe, 0xff]).ints(), Ok(vec![-2]));
    assert_eq!(raw("uint32", &[], &[0, 0, 0, 0x80]).ints(), Ok(vec![1 << 31]));
    assert_eq!(raw("int64", &[1], &[0xff; 8]).ints(), Ok(vec![-1]));
    assert_eq!(raw("uint64", &[1], &[0xff; 8]).wide_ints(), Ok(vec![i128::from(u64::MAX)]));
    assert!(raw("uint64", &[1], &[0xff; 8]).ints().is_err());
    assert_eq!(view("int8", &[2], |proto| proto.int32_data = vec![-3, 4]).ints(), Ok(vec![-3, 4]));
    assert_eq!(view("uint16", &[1], |proto| proto.int32_data = vec![65535]).ints(), Ok(vec![65535]));
    assert_eq!(
        view("int64", &[2], |proto| proto.int64_data = vec![i64::MIN, 4]).ints(),
        Ok(vec![i64::MIN, 4])
    );
    assert_eq!(view("uint32", &[1], |proto| proto.uint64_data = vec![7]).ints(), Ok(vec![7]));
    assert_eq!(view("int64", &[0, 1 << 62, 1 << 62], |_| ()).ints(), Ok(vec![]));
}

#[test]
fn floats_bools_complex_and_strings() {
    assert_eq!(raw("float16", &[2], &[0, 0x3c, 0, 0xc0]).floats(), Ok(vec![1.0, -2.0]));
    assert_eq!(raw("bfloat16", &[1], &[0x80, 0x3f]).floats(), Ok(vec![1.0]));
    assert_eq!(raw("float", &[1], &[0, 0, 0x80, 0x3f]).floats(), Ok(vec![1.0]));
    assert_eq!(raw("double", &[1], &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f]).floats(), Ok(vec![1.0]));
    assert_eq!(view("float16", &[1], |proto| proto.int32_data = vec![0x3c00]).floats(), Ok(vec![1.0]));
    assert_eq!(view("bfloat16", &[1], |proto| proto.int32_data = vec![0xc000]).floats(), Ok(vec![-2.0]));
    assert_eq!(view("float", &[1], |proto| proto.float_data = vec![0.5]).floats(), Ok(vec![0.5]));
    assert_eq!(view("double", &[1], |proto| proto.double_data = vec![0.1]).floats(), Ok(vec![0.1]));
    assert_eq!(raw("bool", &[3], &[0, 1, 2]).bools(), Ok(vec![false, true, true]));
    assert_eq!(view("bool", &[2], |proto| proto.int32_data = vec![1, 0]).bools(), Ok(vec![true, false]));
    assert_eq!(raw("complex64", &[1], &[0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]).complex(), Ok(vec![(1.0, 2.0)]));
    let complex128 = view("complex128", &[1], |proto| proto.double_data = vec![0.1, -2.0]);
    assert_eq!(complex128.complex(), Ok(vec![(0.1, -2.0)]));
    let string = view("string", &[1], |proto| proto.string_data = vec![Bytes::from_static(b"\xff")]);
    assert_eq!(string.strings(), Ok(vec![Bytes::from_static(b"\xff")]));
}

#[test]
fn opaque_types_are_counted_only() {
    assert_eq!(raw("int4", &[3], &[0, 0]).validate(), Ok(()));
    assert_eq!(raw("uint2", &[5], &[0, 0]).validate(), Ok(()));
    assert_eq!(raw("float8e5m2", &[2], &[0, 0]).validate(), Ok(()));
    assert_eq!(view("int4", &[3], |proto| proto.int32_data = vec![1, 2, 3]).validate(), Ok(()));
    assert_eq!(view("int4", &[3], |proto| proto.int32_data = vec![1, 2]).validate(), Ok(()));
    assert!(raw("int4", &[3], &[0]).validate().is_err());
    assert!(raw("int4", &[2], &[0]).ints().is_err());
}

#[test]
fn what_does_not_fit_is_explained() {
    for (tensor, expected) in [
        (raw("float", &[3], &[0; 8]), "float [3] needs 12 bytes, but the data has 8"),
        (
            raw("float", &[1 << 61], &[0; 8]),
            "float [2305843009213693952] needs more bytes than can be counted, but the data has 8",
        ),
        (raw("string", &[1], b"text"), "string tensors cannot be stored as raw data"),
        (
            view("float", &[2], |proto| proto.int64_data = vec![1, 2]),
            "float tensors cannot be stored in int64_data",
        ),
        (view("int64", &[2], |_| ()), "the shape [2] needs 2 elements, but int64_data has 0 entries"),
        (
            view("int64", &[0], |proto| proto.int64_data = vec![1]),
            "the shape [0] needs 0 elements, but int64_data has 1 entries",
        ),
        (
            view("complex64", &[1], |proto| proto.float_data = vec![1.0]),
            "the shape [1] needs 1 elements, each a real and an imaginary part, but float_data has 1 entries",
        ),
        (
            view("float", &[1], |proto| {
                proto.float_data = vec![1.0];
                proto.raw_data = Some(Bytes::from_static(&[0; 4]));
            }),
            "the tensor stores its values in more than one field",
        ),
    ] {
        assert_eq!(tensor.validate(), Err(TensorError::Invalid(expected.to_owned())));
    }
    let message = raw("float", &[1], &[0; 4]).ints().expect_err("no integers").to_string();
    assert_eq!(message, "not an integer tensor: its elements are float");
}
