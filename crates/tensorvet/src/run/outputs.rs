//! The outputs of a run: shown and written.

use anyhow::{Context, Result, bail};
use arrays::npy::{NpyArray, write_npz};
use engines::evaluate::Reading;
use engines::run::Runner;
use program::ir::Program;
use semantics::array::{Array, Data};
use semantics::dtype::Kind;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;

/// How many elements are shown of each output.
const SHOWN: usize = 6;

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}

/// What can be said before the run against writing to a place.
pub fn check_target(path: &Path, program: &Program) -> Result<()> {
    let count = program.graph.outputs.len();
    if has_ending(path, "npy") && count != 1 {
        bail!("--output {}: the model has {count} outputs, name a folder or an .npz file", path.display());
    }
    let array = has_ending(path, "npy") || has_ending(path, "npz");
    if let (Some(ending), false) = (path.extension(), array || path.is_dir()) {
        let ending = ending.display();
        bail!(
            "--output {}: outputs are written as .npy, as .npz or into a folder, not as .{ending}",
            path.display()
        );
    }
    Ok(())
}

fn results(program: &Program, runner: &mut Runner<'_>) -> Result<Vec<(String, Rc<Reading>)>> {
    let outputs = program.graph.outputs.iter().map(|&output| {
        let name = program.name(output).to_string();
        let reading = runner.value(output).map_err(|why| anyhow::anyhow!("the output `{name}`: {why}"))?;
        Ok((name, reading))
    });
    outputs.collect()
}

/// `scores: f32[1, 10] 0.1, 0.25, …`
pub fn render(program: &Program, runner: &mut Runner<'_>) -> Result<String> {
    let mut text = String::new();
    for (name, reading) in results(program, runner)? {
        let array = &reading.array;
        let values: Vec<String> = (0..array.len().min(SHOWN)).map(|at| element(array, at)).collect();
        let more = if array.len() > SHOWN { ", …" } else { "" };
        let name = report::plain(&name);
        let _ = writeln!(text, "{name}: {}{:?} {}{more}", array.kind, array.shape, values.join(", "));
    }
    Ok(text)
}

fn element(array: &Array, at: usize) -> String {
    // As few digits as tell the number from its neighbours in the element type.
    let float = |value: f64, kind: Kind| match kind {
        Kind::F64 | Kind::C128 => value.to_string(),
        _ => (kind.round(value) as f32).to_string(),
    };
    match &array.data {
        Data::Bool(values) => values[at].to_string(),
        Data::Int(values) => semantics::integer::widen(array.kind, values[at]).to_string(),
        Data::Float(values) => float(values[at], array.kind),
        Data::Complex(values) => {
            let [re, im] = values[at].map(|part| float(part, array.kind));
            format!("{re}{}{im}i", if im.starts_with('-') { "" } else { "+" })
        }
        Data::Opaque(_) => "?".into(),
    }
}

pub fn write(path: &Path, program: &Program, runner: &mut Runner<'_>) -> Result<()> {
    let mut arrays = Vec::new();
    for (name, reading) in results(program, runner)? {
        let array = NpyArray::from_array(&reading.array);
        let array = array.map_err(|why| anyhow::anyhow!("the output `{name}` cannot be written: {why}"))?;
        arrays.push((name, array));
    }
    let failed = || format!("writing {}", path.display());
    if has_ending(path, "npz") {
        let named = arrays.iter().map(|(name, array)| (name.as_str(), array));
        return write_npz(path, named).with_context(failed);
    }
    if let (true, [(_, array)]) = (has_ending(path, "npy"), arrays.as_slice()) {
        return array.write(path).with_context(failed);
    }
    std::fs::create_dir_all(path).with_context(failed)?;
    let mut taken = BTreeSet::new();
    for (name, array) in &arrays {
        let file = path.join(file_name(name, &mut taken));
        array.write(&file).with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(())
}

/// A name that is safe in any folder, and given to no output before.
fn file_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let plain: String = name.chars().map(safe).collect();
    let plain = if plain.trim_matches('.').is_empty() { "output".to_string() } else { plain };
    let mut candidate = format!("{plain}.npy");
    let mut number = 1;
    while !taken.insert(candidate.clone()) {
        number += 1;
        candidate = format!("{plain}_{number}.npy");
    }
    candidate
}
