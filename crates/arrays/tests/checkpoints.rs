//! Checkpoints that the real libraries wrote (`tests/files/make.py`), and what accident or malice makes of them.

use std::io::Write;
use std::path::PathBuf;

use arrays::checkpoint::{Checkpoint, Node, Stored, Trouble, read_safetensors, read_torch};
use arrays::checkpoint::{safetensors_from, torch_from};
use bytes::Bytes;
use semantics::dtype::Kind;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}
fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(file(name)).expect("a file of the tests")
}
fn root(checkpoint: &Checkpoint) -> Vec<(&str, &Node)> {
    let Node::Dict(pairs) = &checkpoint.nodes[checkpoint.root] else { panic!("no dictionary") };
    let pair = |&(key, value): &(usize, usize)| match &checkpoint.nodes[key] {
        Node::Text(key) => (key.as_str(), &checkpoint.nodes[value]),
        other => panic!("a key {other:?}"),
    };
    pairs.iter().map(pair).collect()
}
/// Names, types and sizes of a dictionary of tensors.
fn tensors(checkpoint: &Checkpoint) -> String {
    let told = |(name, node): (&str, &Node)| match node {
        Node::Tensor(Stored { kind: Some(kind), sizes, .. }) => format!("{name} {kind}{sizes:?}"),
        other => format!("{name} {other:?}"),
    };
    root(checkpoint).into_iter().map(told).collect::<Vec<_>>().join(", ")
}

const STATE: &str = "0.weight f32[2, 3], 0.bias f32[2], 1.weight f32[2], 1.bias f32[2], 1.running_mean f32[2], \
    1.running_var f32[2], 1.num_batches_tracked i64[]";

#[test]
fn states_are_read_in_every_form() {
    assert_eq!(tensors(&read_torch(&file("state.pt")).expect("read")), STATE);
    assert_eq!(tensors(&read_torch(&file("legacy.pt")).expect("read")), STATE);
    let read = read_safetensors(&file("state.safetensors")).expect("read");
    let mut told: Vec<String> = tensors(&read).split(", ").map(str::to_owned).collect();
    told.sort();
    assert!(told.contains(&"half bf16[4]".to_owned()), "{told:?}");
    assert_eq!(told.len(), root(&read).len() + 1, "one shape has two sizes: {told:?}");
}

#[test]
fn what_is_beside_the_weights_is_told_as_far_as_it_is_data() {
    let read = read_torch(&file("training.pt")).expect("read");
    let found: std::collections::BTreeMap<&str, &Node> = root(&read).into_iter().collect();
    assert_eq!(found["epoch"], &Node::Int(7));
    assert_eq!(found["best"], &Node::Float(0.5));
    assert_eq!(found["arch"], &Node::Text("mlp".into()));
    assert_eq!(found["done"], &Node::Bool(false));
    assert_eq!(found["nothing"], &Node::None);
    assert_eq!(found["kind"], &Node::Global("torch.float16".into()));
    assert_eq!(found["args"], &Node::Opaque("argparse.Namespace".into()));
    assert_eq!(found["counter"], &Node::Opaque("collections.Counter".into()));
    assert_eq!(found["loss"], &Node::Opaque("float".into()));
    let plain = |kind, sizes: &[u64]| Stored {
        kind: Some(kind),
        sizes: sizes.to_vec(),
        strides: None,
        needs_grad: false,
    };
    assert_eq!(found["array"], &Node::Array(plain(Kind::I32, &[4, 5])));
    assert_eq!(found["unsigned"], &Node::Tensor(plain(Kind::U16, &[7])));
    let turned = Stored { strides: Some(vec![1, 4]), ..plain(Kind::F32, &[4, 5]) };
    assert_eq!(found["turned"], &Node::Tensor(turned));
    assert_eq!(found["parameter"], &Node::Tensor(Stored { needs_grad: true, ..plain(Kind::F32, &[6]) }));
    // What holds itself is a circle of places, not an endless tree.
    let Node::Dict(pairs) = &read.nodes[read.root] else { panic!("no dictionary") };
    assert!(pairs.iter().any(|&(_, value)| value == read.root));
}

#[test]
fn the_wrong_kind_of_file_is_named() {
    let broken = |read: Result<Checkpoint, Trouble>| match read {
        Err(Trouble::Broken(why)) => why,
        other => panic!("{other:?}"),
    };
    let torch = |content: &[u8]| broken(torch_from(Bytes::copy_from_slice(content)));
    assert!(torch(b"").contains("empty"));
    assert!(torch(b"version https://git-lfs.github.com/spec/v1\n").contains("Git LFS"));
    assert!(torch(&bytes("state.safetensors")).contains("safetensors"));
    assert!(torch(b"epoch,loss\n1,2\n").contains("did not write it"));
    assert!(torch(&bytes("arrays.npz")).contains("data.pkl"));
    assert!(broken(safetensors_from(&bytes("state.pt"))).contains("no safetensors"));
    assert!(broken(safetensors_from(&u64::MAX.to_le_bytes())).contains("too large"));
    assert!(broken(read_torch(&file("no-such-file.pt"))).contains("cannot open"));
}

/// A file that ends early is never taken for a whole one.
#[test]
fn files_that_are_cut_short_are_told() {
    for name in ["state.pt", "legacy.pt", "training.pt"] {
        let whole = bytes(name);
        for length in 0..whole.len() {
            let read = torch_from(Bytes::copy_from_slice(&whole[..length]));
            assert!(read.is_err(), "{name} cut at {length} of {}", whole.len());
        }
    }
    let whole = bytes("state.safetensors");
    for length in 0..whole.len() {
        assert!(safetensors_from(&whole[..length]).is_err(), "cut at {length}");
    }
}

/// Whatever a byte is changed to, the reader answers.
#[test]
fn files_with_changed_bytes_are_answered() {
    for name in ["state.pt", "legacy.pt", "training.pt", "state.safetensors"] {
        let whole = bytes(name);
        for place in 0..whole.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut changed = whole.clone();
                changed[place] ^= flip;
                let _ = safetensors_from(&changed);
                let _ = torch_from(changed.into());
            }
        }
    }
}

fn archive(pickle: &[u8]) -> Bytes {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file("a/data.pkl", zip::write::SimpleFileOptions::default()).expect("begun");
    writer.write_all(pickle).expect("written");
    writer.finish().expect("finished").into_inner().into()
}

#[test]
fn a_pickle_cannot_ask_for_much() {
    let read = |pickle: &[u8]| torch_from(archive(pickle));
    // Sixty-six million bytes that pack into a few thousand.
    let bomb = vec![b'N'; 66 << 20];
    assert!(matches!(read(&bomb), Err(Trouble::NotRead(_))));
    // Counts beyond the file.
    for huge in [&b"\x8d\xff\xff\xff\xff\xff\xff\xff\xff"[..], b"T\xff\xff\xff\xff", b"\x8b\xff\xff\xff\xff"]
    {
        assert!(matches!(read(huge), Err(Trouble::Broken(_))), "{huge:?}");
    }
    // Lists in lists, each twice: 2 to the power of 60 elements if anybody unfolded them.
    let mut laughs = b"]".to_vec();
    for _ in 0..60 {
        laughs.extend_from_slice(b"(22l");
    }
    laughs.push(b'.');
    assert!(read(&laughs).is_ok_and(|read| read.nodes.len() < 200));
    // What would run a command is an opaque thing.
    let evil = read(b"cos\nsystem\n(S'echo hello'\ntR.").expect("read");
    assert_eq!(evil.nodes[evil.root], Node::Opaque("os.system".into()));
    for broken in [&b"."[..], b"0.", b"t.", b"h\x05.", b"R.", b"\x93.", b"(u.", b"a.", b"b.", b"\xfe."] {
        assert!(read(broken).is_err(), "{broken:?}");
    }
}
