//! The list of operators is generated from the files in `src/operators`; this test refreshes it.

use std::fmt::Write as _;
use std::path::Path;

#[test]
fn operator_list_is_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/operators");
    let mut operators: Vec<(String, String)> = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the folder of operators") {
        let path = entry.expect("an entry").path();
        let module = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if module == "mod" || module == "prelude" {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("an operator file");
        let name = text.split("name: \"").nth(1).and_then(|rest| rest.split('"').next());
        let name = name.unwrap_or_else(|| panic!("{module}.rs has no operator name"));
        assert_eq!(module.trim_end_matches('_'), name, "an operator file is named after its operator");
        operators.push((name.to_string(), module));
    }
    operators.sort();
    let mut modules: Vec<&String> = operators.iter().map(|(_, module)| module).collect();
    modules.sort();
    let mut text = String::from(
        "//! Every operator, one file each. The list is generated: `cargo test` refreshes it.\n\npub mod prelude;\n\n",
    );
    for module in modules {
        let _ = writeln!(text, "pub mod {module};");
    }
    text.push_str("\nuse crate::operator::Operator;\n\n/// All operators by name.\n#[rustfmt::skip]\npub static ALL: &[&Operator] = &[\n");
    for (_, module) in &operators {
        let _ = writeln!(text, "    &{module}::OPERATOR,");
    }
    text.push_str("];\n\n/// The operator of a name.\npub fn by_name(name: &str) -> Option<&'static Operator> {\n    ALL.binary_search_by_key(&name, |operator| operator.name).ok().map(|position| ALL[position])\n}\n");
    let list = folder.join("mod.rs");
    if std::fs::read_to_string(&list).ok().as_deref() != Some(text.as_str()) {
        std::fs::write(&list, text).expect("the list can be written");
        panic!("src/operators/mod.rs was stale and has been refreshed: run the tests again");
    }
}
