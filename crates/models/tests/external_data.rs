//! Weights in files beside the model: found, bounded, and never outside the model's folder.

use std::fs;
use std::path::{Path, PathBuf};

use models::onnx::{self, TensorError};

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tensorvet-external-{}-{name}", std::process::id()));
        fs::create_dir_all(path.join("model")).expect("a temporary folder");
        Self(path)
    }

    fn model_with(&self, external: &str) -> onnx::Model {
        let path = self.0.join("model/m.onnxtxt");
        let text = format!(
            "<ir_version: 10, opset_import: [\"\" : 21]> g () => (float[2] weight) <float[2] weight = [{external}]> {{ }}"
        );
        fs::write(&path, text).expect("writable");
        onnx::open(&path).expect("readable")
    }

    fn write(&self, name: &str, content: &[u8]) {
        fs::write(self.0.join(name), content).expect("writable");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn values(model: &onnx::Model) -> Result<Vec<f64>, TensorError> {
    model.graph.initializers[0].floats()
}

fn unreadable(model: &onnx::Model) -> String {
    let found = model.find_external_data().expect_err("must not be found");
    assert_eq!(values(model), Err(found.clone()));
    let message = found.to_string();
    assert!(message.contains("tensor `weight`"), "{message}");
    message
}

const ONE_TWO: [u8; 8] = [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40];

#[test]
fn values_are_read_from_their_place() {
    let folder = Folder::new("place");
    folder.write("model/w.bin", &[&[9; 4][..], &ONE_TWO, &[9; 4]].concat());
    let model = folder.model_with(r#""location": "w.bin", "offset": "4", "length": "8""#);
    assert_eq!(model.find_external_data(), Ok(()));
    assert_eq!(values(&model), Ok(vec![1.0, 2.0]));
    let to_the_end = folder.model_with(r#""location": "./w.bin", "offset": "8""#);
    assert_eq!(values(&to_the_end).map(|values| values.len()), Ok(2));
}

#[test]
fn missing_and_short_files_are_named() {
    let folder = Folder::new("missing");
    let model = folder.model_with(r#""location": "absent.bin", "length": "8""#);
    assert_eq!(onnx::check(&model), [], "a missing file is no defect of the model");
    assert!(unreadable(&model).contains("absent.bin"));
    folder.write("model/short.bin", &[0; 10]);
    let model = folder.model_with(r#""location": "short.bin", "offset": "4", "length": "8""#);
    let message = unreadable(&model);
    assert!(
        message.ends_with("the file is too short: it has 10 bytes, 8 bytes at offset 4 are needed"),
        "{message}"
    );
    let model =
        folder.model_with(r#""location": "short.bin", "offset": "18446744073709551615", "length": "8""#);
    assert!(unreadable(&model).contains("too short"));
    let model = folder.model_with(r#""location": "short.bin", "offset": "11""#);
    assert!(unreadable(&model).contains("too short"));
}

#[test]
fn a_length_that_does_not_fit_is_a_problem_of_the_model() {
    let folder = Folder::new("length");
    let model = folder.model_with(r#""location": "absent.bin", "length": "12""#);
    let problems: Vec<_> = onnx::check(&model).iter().map(ToString::to_string).collect();
    assert_eq!(problems, ["initialiser `weight`: float [2] needs 8 bytes, but the data has 12"]);
    for (external, expected) in [
        (
            r#""location": "w.bin", "offset": "-1""#,
            "the offset \"-1\" of the external data is not a byte count",
        ),
        (r#""offset": "0""#, "the external data has no location"),
    ] {
        let problems = onnx::check(&folder.model_with(external));
        assert_eq!(problems[0].message, expected);
    }
}

#[test]
fn nothing_outside_the_folder_is_read() {
    let folder = Folder::new("outside");
    folder.write("secret.bin", &ONE_TWO);
    let absolute = folder.0.join("secret.bin");
    for location in [
        "../secret.bin",
        "sub/../../secret.bin",
        &absolute.display().to_string().replace('\\', "/"),
        "/dev/zero",
    ] {
        let model = folder.model_with(&format!("\"location\": \"{location}\""));
        let problems = onnx::check(&model);
        assert!(
            problems[0].message.contains("is not a plain path inside the model's folder"),
            "{problems:?}"
        );
        assert!(values(&model).is_err(), "{location} was read");
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_and_special_files_are_refused() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("links");
    folder.write("secret.bin", &ONE_TWO);
    folder.write("model/real.bin", &ONE_TWO);
    let model_folder = folder.0.join("model");
    symlink("../secret.bin", model_folder.join("out.bin")).expect("a link");
    symlink("..", model_folder.join("up")).expect("a link");
    symlink("real.bin", model_folder.join("inside.bin")).expect("a link");
    fs::create_dir(model_folder.join("folder.bin")).expect("a folder");
    for location in ["out.bin", "up/secret.bin"] {
        let message = unreadable(&folder.model_with(&format!("\"location\": \"{location}\"")));
        assert!(message.ends_with("the external data file is a link out of the model's folder"), "{message}");
    }
    assert!(unreadable(&folder.model_with(r#""location": "folder.bin""#)).ends_with("a folder, not a file"));
    assert_eq!(values(&folder.model_with(r#""location": "inside.bin""#)), Ok(vec![1.0, 2.0]));
}

#[test]
fn files_that_are_no_models_say_what_they_are() {
    let folder = Folder::new("formats");
    let message = |content: &[u8]| {
        folder.write("file.onnx", content);
        onnx::open(&folder.0.join("file.onnx")).expect_err("no model").message
    };
    assert_eq!(message(b""), "the file is empty");
    assert!(message(b"version https://git-lfs.github.com/spec/v1\n").contains("Git LFS pointer"));
    assert!(message(b"PK\x03\x04rest").contains("zip archive"));
    assert_eq!(message(&[0x08, 0x0a]), "not an ONNX model: it has no graph");
    assert!(message(&[0x08]).starts_with("not a readable ONNX model"));
    assert!(
        onnx::open(Path::new("/nowhere/m.onnx"))
            .expect_err("absent")
            .message
            .starts_with("cannot open the file")
    );
    assert_eq!(onnx::open(&folder.0).expect_err("a folder").message, "a folder, not a file");
}
