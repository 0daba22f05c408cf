//! The lists of layers are generated from the files in `src/layers` and `src/preparing`; this test refreshes them.

use std::fmt::Write as _;
use std::path::Path;

#[test]
fn layer_lists_are_fresh() {
    let models = "//! Every layer that models are made of, one file each. The list is generated: `cargo test` refreshes it.";
    let by_name = "\n/// The layer of a class, or of another name that Keras has for it.\npub fn by_name(name: &str) -> Option<&'static Layer> {\n    let name = crate::names::class(name);\n    let found = |all: &[&'static Layer]| all.binary_search_by_key(&name, |layer| layer.operator.name).ok();\n    let prepares = crate::preparing::ALL;\n    found(ALL).map(|at| ALL[at]).or_else(|| found(prepares).map(|at| prepares[at]))\n}\n";
    refresh("layers", models, "pub mod prelude;\n\n", by_name);
    let preparing = "//! Layers that prepare data, one file each: a model that predicts may begin with them. The list is generated:\n//! `cargo test` refreshes it.";
    refresh("preparing", preparing, "", "");
}

fn refresh(name: &str, words: &str, modules_before: &str, after: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name);
    let mut layers: Vec<(String, String)> = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the folder of layers") {
        let path = entry.expect("an entry").path();
        let module = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if module == "mod" || module == "prelude" {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a layer file");
        let name = text.split("name: \"").nth(1).and_then(|rest| rest.split('"').next());
        let name = name.unwrap_or_else(|| panic!("{module}.rs has no layer name"));
        assert_eq!(module.replace('_', ""), name.to_lowercase(), "a layer file is named after its layer");
        layers.push((name.to_string(), module));
    }
    layers.sort();
    let mut modules: Vec<&String> = layers.iter().map(|(_, module)| module).collect();
    modules.sort();
    let mut text = format!("{words}\n\n{modules_before}");
    for module in modules {
        let _ = writeln!(text, "pub mod {module};");
    }
    text.push_str("\nuse crate::layer::Layer;\n\n/// All of them by name.\n#[rustfmt::skip]\npub static ALL: &[&Layer] = &[\n");
    for (_, module) in &layers {
        let _ = writeln!(text, "    &{module}::LAYER,");
    }
    text.push_str("];\n");
    text.push_str(after);
    let list = folder.join("mod.rs");
    if std::fs::read_to_string(&list).ok().as_deref() != Some(text.as_str()) {
        std::fs::write(&list, text).expect("the list can be written");
        panic!("src/{name}/mod.rs was stale and has been refreshed: run the tests again");
    }
}
