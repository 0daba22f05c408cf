//! The list of layers is generated from the files in `src/layers`; this test refreshes it.

use std::fmt::Write as _;
use std::path::Path;

#[test]
fn layer_list_is_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/layers");
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
    let mut text = String::from(
        "//! Every layer, one file each. The list is generated: `cargo test` refreshes it.\n\npub mod prelude;\n\n",
    );
    for module in modules {
        let _ = writeln!(text, "pub mod {module};");
    }
    text.push_str("\nuse crate::layer::Layer;\n\n/// All layers by name.\n#[rustfmt::skip]\npub static ALL: &[&Layer] = &[\n");
    for (_, module) in &layers {
        let _ = writeln!(text, "    &{module}::LAYER,");
    }
    text.push_str("];\n\n/// The layer of a class name.\npub fn by_name(name: &str) -> Option<&'static Layer> {\n    ALL.binary_search_by_key(&name, |layer| layer.operator.name).ok().map(|position| ALL[position])\n}\n");
    let list = folder.join("mod.rs");
    if std::fs::read_to_string(&list).ok().as_deref() != Some(text.as_str()) {
        std::fs::write(&list, text).expect("the list can be written");
        panic!("src/layers/mod.rs was stale and has been refreshed: run the tests again");
    }
}
