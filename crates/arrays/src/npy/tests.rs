//! Files as NumPy writes them, and files that nobody should write.

use std::io::{Cursor, Write};
use std::path::Path;

use bytes::Bytes;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{NpyArray, NpyKind, NpzFile, write_npz};
use semantics::dtype::Kind;

/// A file of format version 1 with the given header.
fn file(header: &str, data: &[u8]) -> Bytes {
    let mut content = b"\x93NUMPY\x01\x00".to_vec();
    content.extend_from_slice(&(header.len() as u16).to_le_bytes());
    content.extend_from_slice(header.as_bytes());
    content.extend_from_slice(data);
    content.into()
}

fn error(header: &str, data: &[u8]) -> String {
    NpyArray::from_bytes(file(header, data)).expect_err(header)
}

fn temporary(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("tensorvet-npy-{}-{name}", std::process::id()))
}

#[test]
fn what_is_written_is_read_again() {
    for (kind, bits, shape) in [
        (NpyKind::Bool, 8, vec![3]),
        (NpyKind::Int, 8, vec![]),
        (NpyKind::Int, 64, vec![2, 3]),
        (NpyKind::UInt, 16, vec![0, 5]),
        (NpyKind::Float, 16, vec![1, 1, 7]),
        (NpyKind::Float, 64, vec![2]),
        (NpyKind::Complex, 128, vec![2, 2]),
        (NpyKind::Void, 16, vec![4]),
    ] {
        let length = shape.iter().product::<usize>() * bits as usize / 8;
        let bytes: Bytes = (0..length).map(|i| i as u8).collect::<Vec<_>>().into();
        let array = NpyArray::new(kind, bits, shape, bytes).expect("fits");
        let content = array.to_bytes();
        assert_eq!((content.len() - length) % 64, 0, "the data is aligned");
        assert_eq!(NpyArray::from_bytes(content.into()), Ok(array));
    }
}

#[test]
fn column_major_and_big_endian_are_normalised() {
    // numpy.asfortranarray([[1, 2, 3], [4, 5, 6]])
    let array = NpyArray::from_bytes(file(
        "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n",
        &[1, 4, 2, 5, 3, 6],
    ));
    assert_eq!(&array.unwrap().bytes[..], [1, 2, 3, 4, 5, 6]);
    let array =
        NpyArray::from_bytes(file("{'descr': '>i2', 'fortran_order': False, 'shape': (2,)}", &[0, 1, 0, 2]));
    assert_eq!(&array.unwrap().bytes[..], [1, 0, 2, 0]);
    let complex = NpyArray::from_bytes(file(
        "{'descr': '>c8', 'fortran_order': False, 'shape': ()}",
        &[1, 2, 3, 4, 5, 6, 7, 8],
    ));
    assert_eq!(&complex.unwrap().bytes[..], [4, 3, 2, 1, 8, 7, 6, 5]);
}

#[test]
fn two_bytes_without_a_name_are_bfloat16() {
    // numpy.save of an array of ml_dtypes.bfloat16: 1, -2.
    let array = NpyArray::from_bytes(file(
        "{'descr': '<V2', 'fortran_order': False, 'shape': (2,)}",
        &[0x80, 0x3f, 0x00, 0xc0],
    ));
    let array = array.unwrap();
    assert_eq!(array.to_array(None).unwrap().as_floats().unwrap(), [1.0, -2.0]);
    assert!(array.to_array(Some(Kind::F16)).is_err());
}

#[test]
fn bad_headers_are_refused_without_allocating_for_them() {
    let shaped = |shape: &str| format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}");
    assert_eq!(
        error(&shaped("(4,)"), &[0; 12]),
        "the file is too short: 16 bytes of data are needed, 12 are there"
    );
    assert!(error(&shaped("(4611686018427387904, 8)"), &[]).ends_with("overflows"));
    assert!(error(&shaped("(1152921504606846976, 2)"), &[]).starts_with("the file is too short"));
    assert!(error(&shaped("(-1,)"), &[]).ends_with("is not a number"));
    assert!(error(&shaped("(99999999999999999999999,)"), &[]).ends_with("is not a number"));
    assert_eq!(error(&shaped(&format!("({})", "1,".repeat(100))), &[]), "the array has more than 64 axes");
    assert_eq!(error("{'descr': [('a', '<f4')], 'shape': ()}", &[]), "structured arrays are not supported");
    assert_eq!(
        error("{'descr': '|O', 'fortran_order': False, 'shape': ()}", &[]),
        "arrays of type \"|O\" are not supported"
    );
    assert_eq!(error("{'shape': ()}", &[]), "the header has no element type");
    assert_eq!(NpyArray::from_bytes(Bytes::from_static(b"PK")), Err("not a NumPy array file".to_owned()));
}

#[test]
fn every_prefix_and_every_changed_byte_is_survived() {
    let array = NpyArray::new(NpyKind::Float, 32, vec![2, 1], Bytes::from_static(&[7; 8])).expect("fits");
    let content = array.to_bytes();
    for end in 0..content.len() {
        assert!(NpyArray::from_bytes(content[..end].to_vec().into()).is_err());
    }
    for place in 0..content.len() {
        for value in 0..=255 {
            let mut damaged = content.clone();
            damaged[place] = value;
            let _ = NpyArray::from_bytes(damaged.into());
        }
    }
}

#[test]
fn archives() {
    let x = NpyArray::new(NpyKind::Float, 32, vec![2], Bytes::from_static(&[1; 8])).expect("fits");
    let y = NpyArray::new(NpyKind::Int, 64, vec![], Bytes::from_static(&[2; 8])).expect("fits");
    let path = temporary("archive.npz");
    write_npz(&path, [("x", &x), ("layer/y", &y)]).expect("writable");
    let mut archive = NpzFile::open(&path).expect("readable");
    assert_eq!(archive.names(), ["x", "layer/y"]);
    assert_eq!(archive.read("x"), Ok(x));
    assert_eq!(archive.read("layer/y"), Ok(y));
    let message = archive.read("z").expect_err("absent").to_string();
    assert!(message.ends_with("archive.npz: array `z`: the archive has no such array"), "{message}");
    let content = std::fs::read(&path).expect("readable");
    std::fs::remove_file(&path).expect("removable");
    for end in 0..content.len() {
        read_all(content[..end].to_vec());
    }
}

#[test]
fn compressed_and_damaged_archives() {
    let zeros = NpyArray::new(NpyKind::UInt, 8, vec![5000], Bytes::from(vec![0; 5000])).expect("fits");
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    writer.start_file("z.npy", options).expect("writable");
    writer.write_all(&zeros.to_bytes()).expect("writable");
    let content = writer.finish().expect("writable").into_inner();
    assert!(content.len() < 500);
    let mut archive = NpzFile::from_bytes(content.clone().into(), Path::new("z.npz")).expect("readable");
    assert_eq!(archive.read("z"), Ok(zeros));
    for place in 0..content.len() {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = content.clone();
            damaged[place] ^= flip;
            read_all(damaged);
        }
    }
}

fn read_all(content: Vec<u8>) {
    if let Ok(mut archive) = NpzFile::from_bytes(content.into(), Path::new("hostile.npz")) {
        for name in archive.names() {
            let _ = archive.read(&name);
        }
    }
}

#[test]
fn numbers_survive_the_way_to_a_file_and_back() {
    use semantics::array::{Array, Data};
    use semantics::dtype::Kind;
    let ints = |kind, values: &[i64]| Array::ints(kind, &[values.len()], values.to_vec());
    let floats = |kind, values: &[f64]| Array::floats(kind, &[values.len(), 1], values.to_vec());
    let arrays = [
        Array::bools(&[2], vec![true, false]),
        ints(Kind::I8, &[-128, 127]),
        ints(Kind::I16, &[-32768, 5]),
        ints(Kind::I32, &[i64::from(i32::MIN), -1]),
        ints(Kind::I64, &[i64::MIN, i64::MAX]),
        ints(Kind::U8, &[0, 255]),
        ints(Kind::U16, &[65535]),
        ints(Kind::U32, &[i64::from(u32::MAX)]),
        ints(Kind::U64, &[-1, 1]),
        floats(Kind::F16, &[0.5, -65504.0, f64::INFINITY]),
        floats(Kind::BF16, &[0.5, -1.5]),
        floats(Kind::F32, &[f64::from(0.1f32)]),
        floats(Kind::F64, &[0.1, f64::MIN_POSITIVE]),
        Array::new(Kind::C64, vec![1], Data::Complex(vec![[1.5, -2.0]])),
        Array::new(Kind::C128, vec![], Data::Complex(vec![[0.1, 0.2]])),
        Array::floats(Kind::F32, &[0, 3], Vec::new()),
    ];
    for array in arrays {
        let stored = NpyArray::from_array(&array).expect("has a form");
        let read = NpyArray::from_bytes(stored.to_bytes().into()).expect("readable");
        assert_eq!(read.to_array(Some(array.kind)), Ok(array));
    }
    // Floats are rounded to their type, not cut.
    let third = NpyArray::from_array(&floats(Kind::F32, &[1.0 / 3.0])).expect("has a form");
    assert_eq!(third.to_array(None), Ok(floats(Kind::F32, &[f64::from(1f32 / 3.0)])));
    // A byte without a NumPy meaning may be of several types.
    let byte = NpyArray::new(NpyKind::Void, 8, vec![1], Bytes::from_static(&[1])).expect("fits");
    assert!(byte.to_array(None).is_err());
}
