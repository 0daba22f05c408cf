//! Puts shape errors into programs: one into what a loss is given, one into the layers of a model.

use anyhow::{Context, Result};
use std::ops::Range;
use std::path::Path;

pub struct Injected {
    /// The file that is changed, beside the program.
    pub file: String,
    pub text: String,
    pub line: usize,
    /// What the line is now.
    pub change: String,
    /// Where the error shows: where the loss is computed, or where the layer is used.
    pub lines: Vec<u64>,
}

/// Calls that compute a loss: the first argument loses its first row.
const LOSSES: [&str; 8] = [
    "criterion(",
    "F.nll_loss(",
    "F.binary_cross_entropy(",
    "mse_loss(",
    "F.cross_entropy(",
    "loss_fn(",
    "torch.cat(policy_loss",
    "torch.stack(policy_losses",
];
/// A model that a library makes: its last layer is exchanged for one that takes one number more.
const OF_LIBRARY: &str = "model = models.__dict__[args.arch]()";
/// Layers whose first number says what comes in: it grows by one.
const LAYERS: [&str; 6] =
    ["nn.Linear(", "nn.Conv2d(", " Linear(", "nn.LSTMCell(", "ConvLayer(", "getattr(nn, rnn_type)("];

/// One error before the loss and one in the model of a program, from the files beside it.
pub fn into(folder: &Path, program: &str) -> Result<Vec<Injected>> {
    let place = folder.join(program);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(place.parent().context("a program is in a folder")?)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "py") {
            let name = path.file_name().context("a file has a name")?.to_string_lossy().into_owned();
            files.push((name, std::fs::read_to_string(&path)?));
        }
    }
    // The file that is started first, then the others by name.
    let start = place.file_name().context("a program has a name")?.to_string_lossy().into_owned();
    files.sort_by_key(|(name, _)| (*name != start, name.clone()));
    let reached = files.iter().filter(|(name, _)| {
        let module = name.trim_end_matches(".py");
        *name == start || files.iter().any(|(_, text)| imports(text, module))
    });
    let reached: Vec<&(String, String)> = reached.collect();
    let loss = reached.iter().find_map(|(name, text)| before_loss(name, text));
    let model = reached.iter().find_map(|(name, text)| in_model(name, text));
    Ok(loss.into_iter().chain(model).collect())
}

fn imports(text: &str, module: &str) -> bool {
    text.lines().any(|line| {
        line.starts_with(&format!("from {module} import")) || line.trim() == format!("import {module}")
    })
}

/// What a loss is given loses its first row; what is joined is joined with something of another rank.
fn before_loss(file: &str, text: &str) -> Option<Injected> {
    for (number, line) in text.lines().enumerate() {
        let Some(call) =
            LOSSES.iter().find(|call| line.contains(*call) && !line.trim_start().starts_with("def "))
        else {
            continue;
        };
        let open = line.find(call)? + call.find('(')? + 1;
        let end = open + first_argument(&line[open..])?;
        let given = &line[open..end];
        let other = match call.starts_with("torch.") {
            true => format!("{given} + [torch.zeros(2, 3)]"),
            false => format!("({given})[1:]"),
        };
        let changed = format!("{}{other}{}", &line[..open], &line[end..]);
        let lines = vec![number as u64 + 1];
        return Some(injected(file, text, number, changed, lines));
    }
    None
}

/// A layer takes one more number than it is given; the error is told where the layer is used. Of several classes the
/// first one with layers is taken: others are what only an option would choose.
fn in_model(file: &str, text: &str) -> Option<Injected> {
    let lines: Vec<&str> = text.lines().collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|&number| lines[number].starts_with("class ")).collect();
    let ends = starts.iter().copied().skip(1).chain([lines.len()]);
    let own = starts.iter().zip(ends).find_map(|(&start, end)| in_class(file, text, &lines, start..end));
    own.or_else(|| in_library_model(file, text, &lines))
}
fn in_library_model(file: &str, text: &str, lines: &[&str]) -> Option<Injected> {
    let number = lines.iter().position(|line| line.trim() == OF_LIBRARY)?;
    let uses = (0..lines.len()).filter(|&place| lines[place].contains("output = model(images)"));
    let uses = uses.map(|place| place as u64 + 1).collect();
    let changed = format!("{}; model.fc = nn.Linear(model.fc.in_features + 1, 1000)", lines[number]);
    Some(injected(file, text, number, changed, uses))
}
fn in_class(file: &str, text: &str, lines: &[&str], class: Range<usize>) -> Option<Injected> {
    for number in class.clone().rev() {
        let line = lines[number];
        let Some(call) = LAYERS.iter().find(|call| line.contains(*call) && !line.contains("class ")) else {
            continue;
        };
        let open = line.find(call)? + call.len();
        let Some(end) = first_argument(&line[open..]) else { continue };
        let given = line[open..open + end].trim();
        if given.is_empty() || given.starts_with('*') {
            continue;
        }
        // The attribute that holds the layer, or the sequence that it is part of.
        let holder = lines[..=number]
            .iter()
            .rev()
            .find_map(|line| Some(line.trim().strip_prefix("self.")?.split_once(" = ")?.0.to_owned()))?;
        let uses: Vec<u64> = class
            .clone()
            .filter(|&place| lines[place].contains(&format!("self.{holder}(")))
            .map(|place| place as u64 + 1)
            .collect();
        if uses.is_empty() {
            continue;
        }
        let changed = format!("{}{given} + 1{}", &line[..open], &line[open + end..]);
        return Some(injected(file, text, number, changed, uses));
    }
    None
}

/// Where the first argument ends, in what follows an open bracket.
fn first_argument(rest: &str) -> Option<usize> {
    let mut depth = 0;
    for (place, letter) in rest.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ',' | ')' if depth == 0 => return Some(place),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn injected(file: &str, text: &str, number: usize, changed: String, lines: Vec<u64>) -> Injected {
    let mut all: Vec<&str> = text.lines().collect();
    let change = changed.trim().to_owned();
    all[number] = &changed;
    let text = all.join("\n") + "\n";
    Injected { file: file.to_owned(), text, line: number + 1, change, lines }
}
