//! Drawn calls of PyTorch's API: our verdict, shape and type against what PyTorch does. Unknown counts as wrong.

use crate::{data, document, frameworks};
use anyhow::{Context, Result, bail};
use python::library::Libraries;
use python::snippets::{self, Shown, Told};
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::rc::Rc;

const PREAMBLE: &str = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n";
/// Agreement that every API must reach, and all calls together, in percent.
const EACH: f64 = 97.0;
const OVERALL: f64 = 99.5;
/// Of calls that both refuse, how many raise the same class of exception, in percent: it decides who catches it.
const CLASSES: f64 = 97.5;
/// Agreement on all calls of which one argument is odd, in percent.
const ODD: f64 = 99.0;

/// Longer calls are not kept as tests.
const LONGEST: usize = 140;

/// A call as PyTorch judged it.
#[derive(Deserialize)]
struct Recorded {
    api: String,
    code: String,
    ok: bool,
    #[serde(default)]
    out: Json,
    #[serde(default)]
    error: String,
}

/// A call on which we agree with PyTorch.
struct Kept {
    /// What fails for its shapes tells more than what is given too few arguments; then short ones.
    rank: (bool, usize),
    code: String,
    told: String,
}

/// What was seen of one API.
#[derive(Default)]
struct Score {
    calls: usize,
    valid: usize,
    agreeing: usize,
    /// The shortest valid call and the shortest other one on which we agree, with what both say.
    shortest: [Option<Kept>; 2],
    /// Reasons of disagreements with how often they were met.
    reasons: BTreeMap<String, usize>,
    /// Calls that both refuse, and those of them for which both raise exceptions of one class.
    refused: usize,
    same_class: usize,
    /// The other classes: theirs, ours, and how often that was met.
    classes: BTreeMap<(String, String), usize>,
}

struct Options {
    recorded: Option<PathBuf>,
    api: Option<String>,
    show: bool,
    /// Calls with one odd argument each, instead of the usual ones.
    odd: bool,
    /// Print what both refuse: theirs, ours, the call.
    classes: bool,
    keep: bool,
}

impl Score {
    /// Compares what is raised.
    fn note_class(&mut self, theirs: &str, ours: &str) {
        self.refused += 1;
        let (theirs, ours) = (class_of(theirs), class_of(ours));
        if theirs == ours {
            self.same_class += 1;
        } else {
            *self.classes.entry((theirs.to_owned(), ours.to_owned())).or_default() += 1;
        }
    }
}

/// The class of an exception in what is told of it: `ValueError: too few values`.
fn class_of(error: &str) -> &str {
    error.split_once(':').map_or(error, |(class, _)| class)
}

pub fn run(arguments: &[&str]) -> Result<()> {
    let options = options(arguments)?;
    let Some(file) = recorded(&options)? else { return Ok(()) };
    let text = std::fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    let mut calls = Vec::new();
    for line in text.lines() {
        let call: Recorded = serde_json::from_str(line).context("reading a recorded call")?;
        if options.api.as_ref().is_none_or(|api| call.api == *api) {
            calls.push(call);
        }
    }
    let library = data::root().join("crates/python/library");
    let libraries = Rc::new(Libraries::new(Vec::new()).with_stubs(vec![library]));
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    let mut next = calls.iter();
    let started = std::time::Instant::now();
    snippets::each(&libraries, PREAMBLE, calls.iter().map(|call| call.code.as_str()), |told| {
        let Some(call) = next.next() else { return };
        let score = scores.entry(&call.api).or_default();
        score.calls += 1;
        score.valid += usize::from(call.ok);
        match disagreement(call, &told) {
            None => {
                score.agreeing += 1;
                let held = &mut score.shortest[usize::from(call.ok)];
                let rank = (call.error.starts_with("TypeError"), call.code.len());
                // What is raised is kept, too.
                let is_same = !matches!(&told, Told::Raises(what) if class_of(what) != class_of(&call.error));
                if is_same && held.as_ref().is_none_or(|held| rank < held.rank) {
                    *held = Some(Kept { rank, code: call.code.clone(), told: told.to_string() });
                }
                if let Told::Raises(what) = &told {
                    score.note_class(&call.error, what);
                    if options.classes {
                        let (mark, theirs) = (class_of(&call.error) == class_of(what), &call.error);
                        println!(
                            "{}\t{theirs}\t{what}\t{}",
                            if mark { "same" } else { "other" },
                            call.code.replace('\n', "; ")
                        );
                    }
                }
            }
            Some(reason) => {
                if options.show {
                    println!(
                        "{}\n    {reason}\n    ours {told:?}\n    PyTorch {} {}",
                        call.code, call.out, call.error
                    );
                }
                *score.reasons.entry(reason).or_default() += 1;
            }
        }
    })
    .map_err(anyhow::Error::msg)?;
    if options.keep {
        keep(&scores)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    let (brief, text) = if options.odd { summary_of_odd(&scores) } else { summary(&scores) };
    println!("{brief}\n{:.0} calls a second", calls.len() as f64 / seconds);
    if options.api.is_none() {
        document::section("pytorch.md", if options.odd { "odd" } else { "torch" }, &text)?;
    }
    Ok(())
}

/// Keeps a few calls of each API as a test that needs no PyTorch.
fn keep(scores: &BTreeMap<&str, Score>) -> Result<()> {
    let mut text = String::new();
    for Kept { code, told, .. } in scores.values().flat_map(|score| score.shortest.iter().flatten()) {
        let code = code.trim_start_matches("result = ").replace('\n', "; ");
        if code.len() <= LONGEST {
            let _ = writeln!(text, "{told} <- {code}");
        }
    }
    let path = data::root().join("crates/python/tests/torch.txt");
    std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
}

fn options(arguments: &[&str]) -> Result<Options> {
    let mut options =
        Options { recorded: None, api: None, show: false, odd: false, classes: false, keep: false };
    let mut rest = arguments.iter();
    while let Some(&word) = rest.next() {
        match word {
            "--show" => options.show = true,
            "--odd" => options.odd = true,
            "--classes" => options.classes = true,
            "--keep" => options.keep = true,
            "--recorded" => options.recorded = Some(rest.next().context("--recorded needs a file")?.into()),
            "--api" => options.api = Some((*rest.next().context("--api needs a name")?).into()),
            _ => bail!("truth torch does not know `{word}`"),
        }
    }
    Ok(options)
}

/// The file of judged calls: given, or drawn now.
fn recorded(options: &Options) -> Result<Option<PathBuf>> {
    if let Some(file) = &options.recorded {
        return Ok(Some(file.clone()));
    }
    let Some(python) = frameworks::python()? else { return Ok(None) };
    let (script, name) = match options.odd {
        true => ("torch_odd.py", "odd.jsonl"),
        false => ("torch_truth.py", "calls.jsonl"),
    };
    let name = if options.api.is_some() { "one.jsonl" } else { name };
    let file = data::scratch("torch")?.join(name);
    let path = file.display().to_string();
    let mut arguments = vec![path.as_str()];
    if let Some(api) = &options.api {
        arguments.extend(["--api", api]);
    }
    frameworks::truth(&python, script, &arguments)?;
    Ok(Some(file))
}

/// Why our answer is not PyTorch's; nothing if it is.
fn disagreement(call: &Recorded, told: &Told) -> Option<String> {
    match told {
        Told::Unknown(why) => Some(format!("unknown: {why}")),
        Told::Raises(_) if !call.ok => None,
        Told::Raises(what) => Some(format!("refused, but valid: {what}")),
        Told::Gives(_) if !call.ok => {
            Some(format!("accepted, but PyTorch raises {}", without_numbers(&call.error)))
        }
        Told::Gives(shown) => differs(&call.out, shown),
    }
}

/// Numbers left out, so that equal reasons are counted as one.
fn without_numbers(text: &str) -> String {
    let mut result = String::new();
    for character in text.chars() {
        let character = if character.is_ascii_digit() { '#' } else { character };
        if character != '#' || !result.ends_with('#') {
            result.push(character);
        }
    }
    result
}

fn differs(theirs: &Json, ours: &Shown) -> Option<String> {
    match (theirs, ours) {
        (_, Shown::Unknown(why)) => Some(format!("unknown: {why}")),
        (Json::Object(tensor), Shown::Tensor { sizes, kind }) => {
            let wanted: Option<Vec<i64>> = tensor
                .get("shape")
                .and_then(Json::as_array)
                .map(|sizes| sizes.iter().filter_map(Json::as_i64).collect());
            if wanted.as_ref() != Some(sizes) {
                return Some(format!("shape {sizes:?} instead of {:?}", wanted.unwrap_or_default()));
            }
            let wanted = tensor.get("dtype").and_then(Json::as_str).unwrap_or_default();
            let wanted = semantics::dtype::Kind::parse(wanted).map_or(wanted, |kind| kind.name());
            (wanted != *kind).then(|| format!("type {kind} instead of {wanted}"))
        }
        (Json::Array(theirs), Shown::Sequence(ours)) if theirs.len() == ours.len() => {
            theirs.iter().zip(ours).find_map(|(theirs, ours)| differs(theirs, ours))
        }
        (Json::Number(theirs), Shown::Int(ours)) if theirs.as_i64() == *ours => None,
        (Json::String(theirs), Shown::Int(_)) if theirs == "int" => None,
        (Json::String(theirs), Shown::Object(ours)) if theirs == ours => None,
        // The numbers a list holds are no matter of shapes.
        (Json::Array(_), Shown::Object(ours)) if ours == "list" => None,
        (theirs, ours) => Some(format!("{ours:?} instead of {theirs}")),
    }
}

fn summary(scores: &BTreeMap<&str, Score>) -> (String, String) {
    let total = |of: fn(&Score) -> usize| scores.values().map(of).sum::<usize>();
    let (calls, valid, agreeing) = (total(|it| it.calls), total(|it| it.valid), total(|it| it.agreeing));
    let (refused, same_class) = (total(|it| it.refused), total(|it| it.same_class));
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let below = scores.values().filter(|it| share(it.agreeing, it.calls) < EACH).count();
    let one_sided = scores.values().filter(|it| !(30.0..=70.0).contains(&share(it.valid, it.calls))).count();
    let mut brief = format!(
        "| what | count | share |\n|---|---|---|\n\
         | functions, methods and modules | {} | |\n| calls | {calls} | |\n| valid in PyTorch | {valid} | {:.1} % |\n\
         | our verdict, shapes and types agree | {agreeing} | {:.2} % |\n\
         | refused by both | {refused} | |\n| by an exception of the same class | {same_class} | {:.2} % |\n\
         | APIs below {EACH} % | {below} | |\n| APIs with fewer than 30 % or more than 70 % valid calls | {one_sided} | |\n",
        scores.len(),
        share(valid, calls),
        share(agreeing, calls),
        share(same_class, refused),
    );
    if share(same_class, refused) < CLASSES {
        let _ = writeln!(
            brief,
            "\nNOT MET: the same class of exception for at least {CLASSES} % of what both refuse."
        );
    }
    if share(agreeing, calls) < OVERALL || below > 0 {
        let _ = writeln!(brief, "\nNOT MET: at least {OVERALL} % of all calls and {EACH} % of each API's.");
    }
    let mut text = format!(
        "## Agreement with PyTorch\n\n\
         `cargo xtask truth torch`: calls drawn from PyTorch's own sample and error inputs and changed at random, judged by PyTorch on small CPU tensors and by us without running them. *Unknown* counts as a disagreement.\n\n\
         {brief}\n| disagreement | calls |\n|---|---|\n"
    );
    for (sort, count) in sorts(scores) {
        let _ = writeln!(text, "| {sort} | {count} |");
    }
    text += &classes(scores);
    text += "\nEvery disagreement, by API:\n\n| API | calls | valid | agree | disagreements |\n|---|---|---|---|---|\n";
    let mut order: Vec<_> = scores.iter().filter(|(_, score)| score.agreeing < score.calls).collect();
    order.sort_by(|(_, a), (_, b)| share(a.agreeing, a.calls).total_cmp(&share(b.agreeing, b.calls)));
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    for (api, score) in order {
        let mut reasons: Vec<_> = score.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let reasons: Vec<String> =
            reasons.iter().map(|(reason, count)| format!("{count} × {}", cell(reason))).collect();
        let _ = writeln!(
            text,
            "| `{api}` | {} | {:.0} % | {:.1} % | {} |",
            score.calls,
            share(score.valid, score.calls),
            share(score.agreeing, score.calls),
            reasons.join("; ")
        );
    }
    let agreeing = scores.iter().filter(|(_, score)| score.agreeing == score.calls);
    let agreeing: Vec<String> = agreeing.map(|(api, _)| format!("`{api}`")).collect();
    let _ = writeln!(text, "\nNo disagreement ({}): {}.", agreeing.len(), agreeing.join(", "));
    (brief, text)
}

/// What odd arguments come to.
fn summary_of_odd(scores: &BTreeMap<&str, Score>) -> (String, String) {
    let total = |of: fn(&Score) -> usize| scores.values().map(of).sum::<usize>();
    let (calls, valid, agreeing) = (total(|it| it.calls), total(|it| it.valid), total(|it| it.agreeing));
    let (refused, same_class) = (total(|it| it.refused), total(|it| it.same_class));
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let mut brief = format!(
        "| what | count | share |\n|---|---|---|\n\
         | functions, methods and modules | {} | |\n| calls | {calls} | |\n| valid in PyTorch | {valid} | {:.1} % |\n\
         | our verdict, shapes and types agree | {agreeing} | {:.2} % |\n\
         | refused by both | {refused} | |\n| by an exception of the same class | {same_class} | {:.2} % |\n",
        scores.len(),
        share(valid, calls),
        share(agreeing, calls),
        share(same_class, refused),
    );
    if share(agreeing, calls) < ODD || share(same_class, refused) < CLASSES {
        let _ = writeln!(brief, "\nNOT MET: at least {ODD} % of all calls, and {CLASSES} % of the classes.");
    }
    let mut text = format!(
        "## Odd arguments\n\n\
         `cargo xtask truth torch --odd`: of calls that are right, one argument each is replaced by a flag, a number, a word, `None`, a list or a tensor that nobody meant, whatever the signature says.\n\n\
         {brief}\n| disagreement | calls |\n|---|---|\n"
    );
    for (sort, count) in sorts(scores) {
        let _ = writeln!(text, "| {sort} | {count} |");
    }
    text += &classes(scores);
    (brief, text)
}

/// Where both refuse, with exceptions of other classes.
fn classes(scores: &BTreeMap<&str, Score>) -> String {
    let mut all: BTreeMap<(&str, &str), (usize, Vec<&str>)> = BTreeMap::new();
    for (api, score) in scores {
        for ((theirs, ours), count) in &score.classes {
            let held = all.entry((theirs, ours)).or_default();
            held.0 += count;
            held.1.push(api);
        }
    }
    let mut order: Vec<_> = all.into_iter().collect();
    order.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    let mut text = String::from("\n| PyTorch raises | we do | calls | among them |\n|---|---|---|---|\n");
    for ((theirs, ours), (count, apis)) in order {
        let named: Vec<String> = apis.iter().take(12).map(|api| format!("`{api}`")).collect();
        let more = if apis.len() > named.len() { ", …" } else { "" };
        let _ = writeln!(text, "| {theirs} | {ours} | {count} | {}{more} |", named.join(", "));
    }
    text
}

/// How often each sort of disagreement was met.
fn sorts(scores: &BTreeMap<&str, Score>) -> Vec<(&'static str, usize)> {
    let mut found = vec![
        ("PyTorch refuses, we accept", 0),
        ("PyTorch accepts, we refuse", 0),
        ("unknown to us", 0),
        ("another shape, type or structure", 0),
    ];
    for (reason, count) in scores.values().flat_map(|score| &score.reasons) {
        let sort = match reason.split_once([',', ':']).map_or("", |(first, _)| first) {
            "accepted" => 0,
            "refused" => 1,
            "unknown" => 2,
            _ => 3,
        };
        found[sort].1 += count;
    }
    found
}
