//! Stored weights of Keras files: each layer gets its own, and no damage to a file does more than make it unreadable.

use bytes::Bytes;
use models::keras::{self, Model};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}

/// The stored weights of a model by name: shape and elements.
fn weights(model: &Model) -> BTreeMap<String, (Vec<usize>, Vec<f64>)> {
    let program = &model.program;
    let load = |(value, constant): &(program::ir::ValueId, program::ir::Constant)| {
        let array = (constant.load)().expect("the elements can be read");
        let elements = array.as_floats().expect("floats").to_vec();
        (program.name(*value).to_string(), (array.shape, elements))
    };
    program.graph.constants.iter().map(load).collect()
}

#[test]
fn layers_have_their_weights_in_every_format() {
    let archive = keras::open(&file("small.keras")).expect("a model");
    let former = keras::open(&file("small.h5")).expect("a model");
    let found = weights(&archive);
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    let expected = [
        "first/kernel",
        "inner/deep/bias",
        "inner/deep/kernel",
        "norm/gamma",
        "norm/moving_mean",
        "norm/moving_variance",
    ];
    assert_eq!(names, expected);
    assert_eq!(found["inner/deep/kernel"].0, [3, 3]);
    assert_eq!(found["first/kernel"], (vec![2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert_eq!(found, weights(&former));
    assert!(archive.has_weights && archive.remarks.is_empty() && former.remarks.is_empty());
    assert!(archive.program.graph.nodes.iter().all(|node| node.faults.is_empty()));
}

#[test]
fn files_of_keras_2_are_read() {
    let model = keras::open(&file("former.h5")).expect("a model");
    let found = weights(&model);
    assert_eq!(found["first/kernel"].0, [3, 2]);
    assert_eq!(found["inner/deep/kernel"].0, [2, 2]);
    let places: Vec<&str> = model.program.graph.nodes.iter().map(|node| node.place.node.as_str()).collect();
    assert_eq!(places, ["first", "inner/i", "inner/deep", "add"]);
}

#[test]
fn weights_alone_are_no_model() {
    let content = std::fs::read(file("small.keras")).expect("the file");
    // The weights stand uncompressed in the archive.
    let start = content.windows(8).position(|bytes| bytes == b"\x89HDF\r\n\x1a\n").expect("the weights");
    let error =
        keras::from_bytes(Bytes::from(content).slice(start..), Path::new("w.h5")).err().expect("no model");
    assert!(error.message.contains("weights and no architecture"), "{error}");
}

/// The archive with another text in place of the first one of its configuration.
fn changed(from: &str, to: &str) -> Vec<u8> {
    use std::io::{Cursor, Read, Write};
    let content = std::fs::read(file("small.keras")).expect("the file");
    let mut archive = zip::ZipArchive::new(Cursor::new(content)).expect("an archive");
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for k in 0..archive.len() {
        let mut entry = archive.by_index(k).expect("an entry");
        let name = entry.name().expect("a name").to_string();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("the entry is read");
        if name == "config.json" {
            let text = String::from_utf8(bytes).expect("text");
            assert!(text.contains(from), "{from} is there");
            bytes = text.replacen(from, to, 1).into_bytes();
        }
        let options =
            zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        writer.start_file(name, options).expect("an entry");
        writer.write_all(&bytes).expect("the entry is written");
    }
    writer.finish().expect("an archive").into_inner()
}

#[test]
fn what_is_stored_says_what_was_meant() {
    let cases = [
        ("\"units\": 3", "\"units\": 4", "make `units` 3 (it is 4) for what is stored"),
        ("\"units\": 3, ", "", "give it `units`, 3 for what is stored"),
        (
            "\"use_bias\": true",
            "\"use_bias\": false",
            "make `use_bias` true (it is false) for what is stored",
        ),
        ("\"center\": false", "\"center\": true", "make `center` false (it is true) for what is stored"),
    ];
    for (from, to, words) in cases {
        let model = keras::from_bytes(changed(from, to).into(), Path::new("m.keras")).expect("a model");
        let faults: Vec<_> = model.program.graph.nodes.iter().flat_map(|node| &node.faults).collect();
        assert!(!faults.is_empty(), "{to}");
        assert!(faults.iter().all(|fault| fault.detail.ends_with(words)), "{to}: {faults:?}");
        assert!(faults.iter().all(|fault| fault.mend.is_some()), "{to}");
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }
}

fn damaged(content: &[u8], random: &mut Random) -> Vec<u8> {
    const WORDS: [u64; 6] = [0, 1, 96, u64::MAX, 1 << 63, 1 << 40];
    let mut content = content.to_vec();
    for _ in 0..1 + random.below(3) {
        let from = random.below(content.len());
        // What is zero is mostly padding.
        let at = (from..content.len()).find(|&at| content[at] != 0).unwrap_or(from);
        match random.below(20) {
            0..=11 => content[at] = random.below(256) as u8,
            12 | 13 => content[at] ^= 1 << random.below(8),
            14..=17 => {
                let word = WORDS[random.below(WORDS.len())].to_le_bytes();
                content[at..].iter_mut().zip(word).for_each(|(byte, new)| *byte = new);
            }
            18 => content.truncate(at.max(1)),
            _ => {
                let end = (at + random.below(64)).min(content.len());
                content.drain(at..end);
                content.push(0);
            }
        }
    }
    content
}

#[test]
fn damage_makes_a_file_unreadable_and_nothing_worse() {
    let mut random = Random(1);
    let (mut read, mut refused) = (0, 0);
    for name in ["small.keras", "small.h5", "former.h5"] {
        let content = std::fs::read(file(name)).expect("the file");
        for _ in 0..400 {
            match keras::from_bytes(damaged(&content, &mut random).into(), Path::new(name)) {
                Ok(model) => {
                    read += 1;
                    model.program.graph.constants.iter().for_each(|(_, constant)| drop((constant.load)()));
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(read > 50 && refused > 50, "{read} were read, {refused} refused");
}

#[test]
fn a_shortened_archive_says_so() {
    let content = std::fs::read(file("small.keras")).expect("the file");
    for part in 1..20 {
        let short = Bytes::copy_from_slice(&content[..content.len() * part / 20]);
        let error = keras::from_bytes(short, Path::new("short.keras")).err().expect("it is cut");
        assert!(error.message.contains("zip archive"), "{error}");
    }
}
