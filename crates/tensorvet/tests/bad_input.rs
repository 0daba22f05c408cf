//! What users and strangers give the binary by mistake or on purpose: a clear message and the right exit code,
//! never a panic, a hang or a torn report.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const UNREADABLE: i32 = 2;

/// A folder of one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tensorvet-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }
    fn file(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).expect("a temporary file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A model in ONNX text: `body` between `inputs` and the output `y`.
fn model(inputs: &str, constants: &str, body: &str) -> String {
    format!(
        "<ir_version: 10, opset_import: [\"\" : 20]>\ng ({inputs}) => (y)\n<{constants}>\n{{\n{body}\n}}\n"
    )
}

fn tensorvet() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tensorvet"))
}
fn check(path: &Path, options: &[&str]) -> Output {
    tensorvet().arg("check").arg(path).args(options).output().expect("the binary runs")
}
fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// One line on the standard error that names the file and says what is wrong, nothing about findings, exit code 2.
#[track_caller]
fn unreadable(path: &Path, options: &[&str], says: &str) {
    let output = check(path, options);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(UNREADABLE), "{said}{}", stdout(&output));
    assert!(said.starts_with("error: "), "{said}");
    assert!(said.contains(says), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(stdout(&output), "");
}

#[test]
fn files_that_cannot_be_opened() {
    let folder = Folder::new("unopened");
    unreadable(&folder.0.join("missing.onnx"), &[], "missing.onnx: cannot open the file: No such file");
    unreadable(&folder.0, &[], "a folder, not a file");
    unreadable(&folder.file("empty.onnx", ""), &[], "empty.onnx: the file is empty");
}

#[cfg(unix)]
#[test]
fn a_file_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("forbidden");
    let path = folder.file("secret.onnx", "x");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions");
    // The superuser may read everything.
    if fs::File::open(&path).is_err() {
        unreadable(&path, &[], "cannot read the file: Permission denied");
    }
}

#[test]
fn files_that_are_no_models() {
    let folder = Folder::new("others");
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde";
    unreadable(&folder.file("image.onnx", png), &[], "image.onnx: not a");
    unreadable(&folder.file("archive.onnx", b"PK\x03\x04\x14\0\0\0"), &[], "it is a zip archive");
    unreadable(
        &folder.file("notes.onnx", "Dear diary,\nnothing new."),
        &[],
        "neither a binary nor a text ONNX model",
    );
    unreadable(&folder.file("pointer.onnx", "version https://git-lfs.github.com/spec/v1\n"), &[], "Git LFS");
    unreadable(&folder.file("noise.onnx", [0x3a; 100]), &[], "noise.onnx: not a");
    unreadable(&folder.file("zeros.onnx", [0; 64]), &[], "zeros.onnx: not a");
}

#[test]
fn a_truncated_model() {
    let folder = Folder::new("truncated");
    // A graph of 127 bytes is announced, and ends after two.
    unreadable(
        &folder.file("half.onnx", [0x08, 0x0a, 0x3a, 0x7f, 0x12, 0x00]),
        &[],
        "half.onnx: not a readable",
    );
}

#[test]
fn options_that_make_no_sense() {
    let folder = Folder::new("options");
    let path = folder.file("m.onnxtxt", model("float[N, 4] x", "", "y = Relu (x)"));
    unreadable(&path, &["--dim=N=1", "--dim=N=2"], "--dim N: it is given twice");
    unreadable(&path, &["--input=x=f32[1]", "--input=x=f32[2]"], "--input x: it is given twice");
    for (option, says) in [
        ("--dim=N", "`NAME=SIZE` expected"),
        ("--dim=N=", "is not a size"),
        ("--dim=N=many", "`many` is not a size"),
        ("--dim=N=-1", "not negative"),
        ("--dim=N=5..2", "5..2 is empty"),
        ("--dim=N=99999999999999999999", "is not a size"),
        ("--dim=M=1", "no input has a size of this name; there is `N`"),
        ("--input=x", "`NAME=TYPE[SIZES]` expected"),
        ("--input=z=f32[1]", "the model has no such input; it has `x`"),
        ("--input=x=f33[1]", "is not an element type"),
        ("--input=x=f32[1", "`]` is missing"),
        ("--input=x=f32[-3]", "not negative"),
        ("--input=x=f32[N+1]", "neither a size nor a name"),
    ] {
        unreadable(&path, &[option], says);
    }
    for (range, says) in
        [("x=[2,1]", "[2, 1] is empty"), ("x=[inf,inf]", "holds no number"), ("x=[nan,1]", "x")]
    {
        unreadable(&path, &["--numerics", &format!("--range={range}")], says);
    }
}

#[test]
fn nothing_to_do() {
    let output = tensorvet().arg("check").output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(UNREADABLE));
    assert!(stderr(&output).contains("<FILES>..."), "{}", stderr(&output));
}

/// Names of a file that would paint, move or forge a line on the terminal.
#[test]
fn names_are_text_and_nothing_else() {
    let folder = Folder::new("escape");
    let forged = "fc\u{1b}[2J\nall.onnx: verified";
    let mut content = Vec::new();
    let field = |into: &mut Vec<u8>, number: u8, bytes: &[u8]| {
        into.extend([number << 3 | 2, bytes.len() as u8]);
        into.extend(bytes);
    };
    let mut node = Vec::new();
    field(&mut node, 1, b"x");
    field(&mut node, 2, b"y\x1b[31m");
    field(&mut node, 3, forged.as_bytes());
    field(&mut node, 4, b"Nothing");
    let mut graph = Vec::new();
    field(&mut graph, 1, &node);
    for (number, name) in [(11, &b"x"[..]), (12, b"y\x1b[31m")] {
        let mut value = Vec::new();
        field(&mut value, 1, name);
        field(&mut value, 2, &[10, 2, 8, 1]);
        field(&mut graph, number, &value);
    }
    content.extend([8, 10]);
    field(&mut content, 7, &graph);
    field(&mut content, 8, &[10, 0, 16, 20]);
    let path = folder.file("forged.onnx", content);
    for options in [&[][..], &["-v"], &["--output-format", "concise"], &["--output-format", "json"]] {
        let output = check(&path, options);
        let said = stdout(&output);
        assert!(!said.contains('\u{1b}') && !said.contains("\nall.onnx"), "{said:?}");
        assert!(said.contains("all.onnx: verified"), "{said}{}", stderr(&output));
    }
    let output = tensorvet().arg("run").arg(&path).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(UNREADABLE));
    assert!(!stderr(&output).contains('\u{1b}'), "{:?}", stderr(&output));
    assert_eq!(stderr(&output).lines().count(), 1, "{:?}", stderr(&output));
}

#[test]
fn statistics_are_for_people() {
    let folder = Folder::new("stats");
    let path = folder.file("m.onnxtxt", model("float[N, 3] x, float[3, M] w", "", "y = MatMul (x, w)"));
    let said = stdout(&check(&path, &["--stats"]));
    assert!(said.contains(" asked, 0 left open"), "{said}");
    assert!(!said.contains('{'), "{said}");
}

#[test]
fn a_file_given_twice_is_checked_once() {
    let folder = Folder::new("twice");
    let path = folder.file("m.onnxtxt", model("float[N, 4] x", "", "y = Relu (x)"));
    let once = check(&path, &[]);
    let twice = tensorvet().arg("check").args([&path, &path]).output().expect("the binary runs");
    assert_eq!(stdout(&once), stdout(&twice));
}

#[test]
fn one_unreadable_file_does_not_hide_the_others() {
    let folder = Folder::new("both");
    let good = folder.file("good.onnxtxt", model("float[N, 4] x", "", "y = Relu (x)"));
    let bad = folder.file("bad.onnx", "");
    let output = tensorvet().arg("check").args([&bad, &good]).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(UNREADABLE));
    assert!(stdout(&output).contains("good.onnxtxt: verified"), "{}", stdout(&output));
    assert!(stderr(&output).contains("bad.onnx: the file is empty"), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_no_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("bytes");
    let path = folder.file(OsStr::from_bytes(b"m\xff.onnxtxt"), model("float[N, 4] x", "", "y = Relu (x)"));
    let output = check(&path, &["--output-format=json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("m\u{fffd}.onnxtxt"), "{}", stdout(&output));
}

#[test]
fn a_reader_that_has_seen_enough() {
    for arguments in [&["ops"][..], &["ops", "Conv"], &["explain"], &["explain", "TV101"]] {
        let mut child = tensorvet()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the binary ends");
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is full");
    let output = tensorvet().arg("ops").stdout(full).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(UNREADABLE));
    assert!(stderr(&output).starts_with("error: cannot write the output"), "{}", stderr(&output));
}

#[test]
fn external_data_outside_the_folder() {
    use models_proto::*;
    let folder = Folder::new("outside");
    for location in ["../secret.bin", "/etc/hostname", "a/../../b", "", "C:\\x", "nul\0"] {
        let path = folder.file("m.onnx", with_external_data(location));
        let output = check(&path, &[]);
        assert_eq!(output.status.code(), Some(1), "{location:?}: {}{}", stdout(&output), stderr(&output));
        assert!(stdout(&output).contains("initialiser `w`"), "{location:?}: {}", stdout(&output));
    }
}

/// Just enough of the wire format to write a tensor that lives elsewhere.
mod models_proto {
    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        let length = u8::try_from(content.len()).expect("short content");
        assert!(length < 128, "one byte of length");
        [&[number << 3 | 2, length], content].concat()
    }
    pub fn with_external_data(location: &str) -> Vec<u8> {
        let entry = [field(1, b"location"), field(2, location.as_bytes())].concat();
        let float = [0x10, 1];
        let external = [0x70, 1];
        let tensor = [&[0x08, 2][..], &float, &field(8, b"w"), &field(13, &entry), &external].concat();
        let node = [field(1, b"w"), field(2, b"y"), field(4, b"Relu")].concat();
        let output = field(1, b"y");
        let graph = [field(1, &node), field(2, b"g"), field(5, &tensor), field(12, &output)].concat();
        [&[0x08, 10][..], &field(7, &graph), &field(8, &[0x10, 20])].concat()
    }
}

/// Models that a checker without budgets would follow for ever. Each must be answered soon, whatever the answer.
#[test]
fn hostile_models_are_answered() {
    let chain =
        |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(|k| line(k) + "\n").collect::<String>();
    let huge = 1_i64 << 62;
    let models: Vec<(&str, String)> = vec![
        ("huge sizes", model(&format!("float[{huge}, {huge}] x"), "", "y = Add (x, x)")),
        (
            "huge pads",
            model(
                "float[N] x",
                &format!("int64[2] p = {{{huge}, {huge}}}"),
                "a = Pad (x, p)\ny = Pad (a, p)",
            ),
        ),
        (
            "huge range",
            model(
                "float[N] x",
                &format!("int64 a = {{{}}}, int64 b = {{{}}}, int64 c = {{1}}", i64::MIN, i64::MAX),
                "r = Range (a, b, c)\ny = Reshape (x, r)",
            ),
        ),
        ("huge parts", model("float[N] x", "", &format!("y = Split <num_outputs = {huge}> (x)"))),
        (
            "a rank that doubles",
            model(
                "int64[2, 2] x0",
                "",
                &(chain(30, &|k| format!("x{} = Gather (x{k}, x{k})", k + 1)) + "y = Abs (x30)"),
            ),
        ),
        (
            "a choice that doubles",
            model(
                "float[N, M] x",
                "int64 two = {2}",
                &("s0 = Shape (x)\n".to_owned()
                    + &chain(60, &|k| {
                        format!(
                            "b{k} = Less (s{k}, two)\nd{k} = Mul (s{k}, s{k})\ns{} = Where (b{k}, s{k}, d{k})",
                            k + 1
                        )
                    })
                    + "y = Expand (x, s60)"),
            ),
        ),
        (
            "a chain of reshapes",
            model(
                "float[N, M] x0",
                "int64[1] m = {-1}",
                &("s0 = Shape (x0)\n".to_owned()
                    + &chain(100, &|k| {
                        format!("x{0} = Reshape (x{k}, s{k})\ns{0} = Concat <axis = 0> (s{k}, m)", k + 1)
                    })
                    + "y = Abs (x100)"),
            ),
        ),
        (
            "a deep formula",
            model(
                "float[N, M] x",
                "int64 one = {1}",
                &("s0 = Shape (x)\n".to_owned()
                    + &chain(5000, &|k| format!("s{} = Add (s{k}, one)", k + 1))
                    + "y = Expand (x, s5000)"),
            ),
        ),
        (
            "a long sequence",
            model(
                "float a",
                "int64[3] n = {100000000, 1, 1}, float[1, 4, 1] w = {1, 2, 3, 4}",
                "x = ConstantOfShape (n)\no, h = LSTM <hidden_size = 1> (x, w, w)\ns = Cast <to = 7> (h)\ny = Reshape (x, s)",
            ),
        ),
        (
            "loops in loops",
            model("float[N, M] x0, int64 i0, bool c0", "", &(loops(0, 14) + "\ny = Abs (z0)")),
        ),
        (
            "a long list",
            model(
                "float[N] x",
                "",
                &format!("y = Transpose <perm = [{}]> (x)", vec!["0"; 50_000].join(", ")),
            ),
        ),
        (
            "many axes",
            model(
                &format!("float[{}] x", vec!["N"; 5000].join(", ")),
                "",
                "t = Transpose (x)\ny = MatMul (t, x)",
            ),
        ),
        ("a long name", model(&format!("float[{}, 3] x", "N".repeat(200_000)), "", "y = MatMul (x, x)")),
    ];
    let folder = Folder::new("hostile");
    for (what, text) in models {
        let path = folder.file("hostile.onnxtxt", text);
        let started = std::time::Instant::now();
        let output = check(&path, &["-v"]);
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 1)), "{what}: {code:?} {}", stderr(&output));
        assert!(started.elapsed().as_secs() < 60, "{what}: {:?}", started.elapsed());
        assert!(output.stdout.len() < 4_000_000, "{what}: {} bytes", output.stdout.len());
    }
}

/// A loop whose body is a loop, and so on.
fn loops(level: usize, deepest: usize) -> String {
    let next = level + 1;
    if level == deepest {
        return format!("n{level} = Identity (c{level})\nz{level} = Concat <axis = 0> (x{level}, x{level})");
    }
    format!(
        "n{level} = Identity (c{level})\nz{level} = Loop (i{level}, c{level}, x{level}) <body = b (int64 i{next}, \
         bool c{next}, float[A{next}, M] x{next}) => (n{next}, z{next}) {{ {} }}>",
        loops(next, deepest)
    )
}

/// One line that says what is missing, and exit code 2.
#[track_caller]
fn cannot_fuzz(folder: &Folder, arguments: &[&str], says: &str) {
    let mut command = tensorvet();
    command.arg("fuzz").args(arguments).env_remove("VIRTUAL_ENV").env_remove("TENSORVET_FRAMEWORKS");
    let output = command.arg("--out").arg(&folder.0).output().expect("the binary runs");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(UNREADABLE), "{said}");
    assert!(said.starts_with("error: ") && said.contains(says), "{said}");
}

#[test]
fn fuzzing_says_what_it_lacks() {
    let folder = Folder::new("fuzz");
    cannot_fuzz(&folder, &["--backend", "keras-torch"], "no Python is named");
    cannot_fuzz(
        &folder,
        &["--backend", "keras-torch", "--python", "no/such/folder"],
        "no Python interpreter",
    );
    cannot_fuzz(&folder, &["--backend", "theano"], "invalid value 'theano'");
    cannot_fuzz(
        &folder,
        &["--backend", "keras-torch", "--count", "1", "--minutes", "1"],
        "cannot be used with",
    );
}

/// An interpreter that lacks the framework, dies at once, or says nothing that is understood.
#[cfg(unix)]
#[test]
fn fuzzing_survives_strange_interpreters() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("fuzz-strange");
    let script = |name: &str, text: &str| {
        let path = folder.file(name, format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be made executable");
        path.display().to_string()
    };
    let missing = script("missing", r#"echo '{"missing": "ModuleNotFoundError: No module named keras"}'"#);
    cannot_fuzz(&folder, &["--backend", "keras-torch", "--python", &missing], "No module named keras");
    let dies = script("dies", "echo out of memory >&2; exit 3");
    cannot_fuzz(&folder, &["--backend", "keras-torch", "--python", &dies], "out of memory");
    let strange = script("strange", "echo hello");
    cannot_fuzz(
        &folder,
        &["--backend", "keras-torch", "--python", &strange],
        "says nothing that is understood",
    );
}

#[test]
fn a_folder_of_another_run_is_not_mixed_up() {
    let folder = Folder::new("fuzz-state");
    fs::create_dir_all(folder.0.join("keras-torch")).expect("a folder");
    folder.file("keras-torch/state.json", "{\"seed\": 7}");
    folder.file("python", "");
    let python = folder.0.join("python").display().to_string();
    cannot_fuzz(&folder, &["--backend", "keras-torch", "--python", &python], "--seed 7");
    folder.file("keras-torch/state.json", "{");
    cannot_fuzz(&folder, &["--backend", "keras-torch", "--python", &python], "no state of an earlier run");
}
