//! Comparing a run with what a framework computed, node by node: each on what was observed before it, as far as it was.

use super::Progress;
use anyhow::{Result, bail};
use arrays::npy::Observed;
use engines::evaluate::{Comparison, Reading, compare};
use engines::run::{Runner, Why};
use program::ir::{Declared, Graph, Program, ValueId};
use report::plain;
use semantics::array::{Array, Data};
use semantics::dtype::Kind;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The values of a program that were observed; arrays are read when they are compared.
pub struct Expected {
    archive: RefCell<Observed>,
    path: PathBuf,
    /// By value, its name and its declared type.
    values: BTreeMap<ValueId, (String, Option<Kind>)>,
    /// The values that nodes take, and whether one of them was observed that another node makes.
    taken: BTreeSet<ValueId>,
    local: bool,
}

/// What a comparison came to.
#[derive(Default)]
pub struct Verdict {
    local: bool,
    agreeing: usize,
    random: usize,
    disagreeing: Vec<String>,
    /// Values that cannot be compared, and why.
    undecided: Vec<String>,
}

impl Expected {
    pub fn open(program: &Program, path: &Path) -> Result<Expected> {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy")) {
            let file = path.display();
            bail!(
                "--expect {file}: a single array has no name; an .npz archive says which value each array is"
            );
        }
        let archive = Observed::open(path)?;
        let graph = &program.graph;
        let made = graph.nodes.iter().flat_map(|node| node.outputs.iter().flatten());
        let mut values = BTreeMap::new();
        for &value in graph.inputs.iter().chain(&graph.outputs).chain(made) {
            let kind = match program.declared(value) {
                Some(Declared::Tensor { kind, .. }) => *kind,
                _ => None,
            };
            if archive.contains(program.name(value)) {
                values.insert(value, (program.name(value).to_string(), kind));
            }
        }
        if values.keys().all(|value| graph.inputs.contains(value) && !graph.outputs.contains(value)) {
            let names: Vec<&str> = graph.outputs.iter().map(|&value| program.name(value)).collect();
            let names = crate::inputs::quoted(&names);
            bail!(
                "{}: no array has the name of a value that the model computes; its outputs are {names}",
                path.display()
            );
        }
        let mut taken = BTreeSet::new();
        take(graph, &mut taken);
        let local = values.keys().any(|value| taken.contains(value) && !graph.inputs.contains(value));
        Ok(Expected { archive: RefCell::new(archive), path: path.to_owned(), values, taken, local })
    }

    pub fn contains(&self, value: ValueId) -> bool {
        self.values.contains_key(&value)
    }
    /// The array of a value; `None` if it was not observed.
    pub fn value(&self, value: ValueId) -> Result<Option<Array>> {
        let Some((name, kind)) = self.values.get(&value) else { return Ok(None) };
        let Some(array) = self.archive.borrow_mut().read(name) else { return Ok(None) };
        let array = array?.to_array(*kind);
        array.map(Some).map_err(|why| anyhow::anyhow!("{}: `{name}`: {why}", self.path.display()))
    }

    /// Each node on the values observed before it, and on our own where there are none.
    pub fn compare(&self, runner: &mut Runner<'_>, mut progress: Progress) -> Result<Verdict> {
        let mut verdict = Verdict { local: self.local, ..Verdict::default() };
        let program = runner.program;
        let inputs: BTreeSet<ValueId> = program.graph.inputs.iter().copied().collect();
        let unreadable = RefCell::new(None);
        let array = |value: ValueId| match self.value(value) {
            Ok(array) => array,
            Err(error) => {
                unreadable.borrow_mut().get_or_insert(error);
                None
            }
        };
        // Inputs have been given before; what nobody takes is only compared.
        let mut observed = |value: ValueId| match self.taken.contains(&value) && !inputs.contains(&value) {
            true => array(value),
            false => None,
        };
        runner.run_observed(&mut observed, &mut |node, outcome| {
            progress.step(node);
            let place = format!("node `{}` ({})", node.place.node, node.place.spelled);
            match outcome {
                Err(error) if matches!(error.why, Why::Random) => {
                    let outputs = node.outputs.iter().flatten();
                    verdict.random += outputs.filter(|&&output| self.contains(output)).count();
                }
                // The framework computed what the specification refuses.
                Err(error) if matches!(error.why, Why::Violated { .. }) => {
                    verdict.disagreeing.push(error.to_string());
                }
                Err(error) => verdict.undecided.push(error.to_string()),
                Ok(readings) => {
                    for (output, reading) in node.outputs.iter().zip(readings) {
                        if let (Some(output), Some(reading)) = (output, reading)
                            && let Some(array) = array(*output)
                        {
                            let name = program.name(*output);
                            // Without what was observed before it, the node itself is not the one to blame.
                            let what = match self.local {
                                true => format!("{place}, `{name}`"),
                                false => format!("output `{name}`"),
                            };
                            verdict.count(&what, reading, &array);
                        }
                    }
                }
            }
            match unreadable.borrow().is_some() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        if let Some(error) = unreadable.into_inner() {
            return Err(error);
        }
        // Outputs that no node makes: an input or an initialiser that is handed through.
        let made: BTreeSet<ValueId> =
            program.graph.nodes.iter().flat_map(|node| node.outputs.iter().flatten().copied()).collect();
        for output in program.graph.outputs.iter().filter(|output| !made.contains(output)) {
            let name = program.name(*output);
            let Some(array) = self.value(*output)? else { continue };
            let reading =
                runner.value(*output).map_err(|why| anyhow::anyhow!("the output `{name}`: {why}"))?;
            verdict.count(&format!("output `{name}`"), &reading, &array);
        }
        Ok(verdict)
    }
}

impl Verdict {
    pub fn disagrees(&self) -> bool {
        !self.disagreeing.is_empty()
    }
    /// Something could not be compared: neither right nor wrong.
    pub fn is_open(&self) -> bool {
        !self.undecided.is_empty()
    }

    fn count(&mut self, what: &str, reading: &Reading, observed: &Array) {
        let comparison = compare(reading, observed);
        if !comparison.agrees() {
            self.disagreeing.push(format!("{what}: {}", difference(&comparison, reading, observed)));
        } else if comparison.unbounded > 0 && matches!(observed.data, Data::Float(_) | Data::Complex(_)) {
            let (unbounded, all) = (comparison.unbounded, observed.len());
            self.undecided.push(format!("{what}: {unbounded} of {all} elements have no finite bound"));
        } else {
            self.agreeing += 1;
        }
    }

    /// The first of what disagrees and of what is not decided, or all of it, and how many there are.
    pub fn render(&self, all: bool) -> String {
        let mut text = String::new();
        let most = if all { usize::MAX } else { 1 };
        for what in self.disagreeing.iter().take(most) {
            let _ = writeln!(text, "disagrees: {}", plain(what));
        }
        for what in self.undecided.iter().take(most) {
            let _ = writeln!(text, "not decided: {}", plain(what));
        }
        let (wrong, open) = (self.disagreeing.len(), self.undecided.len());
        let _ = write!(text, "{} agree, {wrong} disagree, {open} not decided", self.agreeing);
        if self.random > 0 {
            let _ = write!(text, ", {} random", self.random);
        }
        let _ = writeln!(
            text,
            " ({})",
            match self.local {
                true => "each node on the values observed before it",
                false => "bounds carried through the whole graph; intermediate values would make them local",
            }
        );
        text
    }
}

impl Verdict {
    pub fn json(&self) -> String {
        let verdict = serde_json::json!({
            "agree": self.agreeing,
            "disagree": self.disagreeing,
            "undecided": self.undecided,
            "random": self.random,
            "local": self.local,
        });
        format!("{verdict:#}\n")
    }
}

/// The values that the nodes of a graph take, within their regions, too.
fn take(graph: &Graph, taken: &mut BTreeSet<ValueId>) {
    for node in &graph.nodes {
        taken.extend(node.inputs());
        for region in node.regions() {
            taken.extend(region.outputs.iter().copied());
            take(region, taken);
        }
    }
}

fn difference(comparison: &Comparison, reading: &Reading, observed: &Array) -> String {
    let typed = |array: &Array| format!("{}{:?}", array.kind, array.shape);
    match (&comparison.mismatch, &comparison.worst) {
        (Some(_), _) => {
            format!("observed is {}, the specification gives {}", typed(observed), typed(&reading.array))
        }
        (None, Some(worst)) => format!(
            "element {} was observed as {}, the specification gives {} with a bound of {:.3e}, off by {:.3e}; {} of {} elements are outside",
            worst.place(&observed.shape),
            worst.observed,
            worst.expected,
            worst.bound,
            worst.error,
            comparison.outside,
            observed.len()
        ),
        (None, None) => "the elements differ".into(),
    }
}
