//! From the record of a symbolic run to findings.

mod conditions;
mod given;
mod supposed;
mod uncountable;
pub(crate) mod words;

use crate::badness::{FaultClass, badness};
use crate::brief::brief;
use crate::finding::{CoreItem, Finding, Location, Operand, Rule, Severity};
use crate::repair::Advice;
use conditions::is_input_size;
pub use given::GivenInput;
use program::execute::Run;
use program::ir::{Action, Declared, Graph, Place, Program, Size, Spot, ValueId};
use program::path::{Assumption, Entry, Judged, Path};
use rustc_hash::FxHashMap;
use semantics::array::Array;
use semantics::call::Requirement;
use semantics::dim::{Dim, LARGEST_SIZE, Origin, telling_apart};
use semantics::dtype::Kind;
use semantics::operator::Category;
use semantics::tensor::Tensor;
pub use solver::Stats;
use solver::{Context, Limits, Smt, Verdict};
use std::cell::OnceCell;
use std::rc::Rc;

/// What the user says about the program's inputs.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Named sizes with their range; equal ends fix the size.
    pub sizes: Vec<(String, i64, i64)>,
    /// Inputs whose type and shape the user states.
    pub inputs: Vec<GivenInput>,
    /// Inputs whose very elements are known, by name.
    pub known: Vec<(String, Rc<Array>)>,
    pub limits: Limits,
    /// Asked what the own layer leaves open.
    pub smt: Smt,
    /// Report what works but is almost surely not meant.
    pub improper: bool,
    /// Also tell the shape of every inner value.
    pub shapes: bool,
}

/// The answer about one program.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub findings: Vec<Finding>,
    pub calls: Calls,
    /// Where knowledge was lost, and why.
    pub unknowns: Vec<Unknown>,
    /// What was taken for granted of what cannot be seen, such as a file that another program writes.
    pub supposed: Vec<String>,
    /// Each value's type and shape by name, in the order of the file.
    pub shapes: Vec<Inferred>,
    /// The shapes of what a source assigns, in the order of execution.
    pub assigned: Vec<Seen>,
    /// How many other options of a program were tried.
    pub alternatives: usize,
    /// The values the program gives.
    pub outputs: Vec<Inferred>,
    /// What would make the model valid, where that was asked for.
    pub repair: Option<Advice>,
    pub stats: Stats,
    /// Requirements stated in all, and how many folding alone settled.
    pub stated: u64,
    pub folded: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Calls {
    pub verified: usize,
    pub failed: usize,
    pub unknown: usize,
    /// Not looked at, because a call before them fails.
    pub skipped: usize,
}

#[derive(Clone, Debug)]
pub struct Unknown {
    pub location: Location,
    pub reason: String,
    /// How often this was met.
    pub count: usize,
    /// Where the tensor comes from of which too little is known: "line 18: `np.load(path)`".
    pub cause: Option<String>,
}

/// A name of a source, and the shapes of the tensors that it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub file: String,
    pub line: u32,
    pub name: String,
    pub shapes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inferred {
    pub name: String,
    pub kind: Option<Kind>,
    /// `None` if the rank is unknown.
    pub sizes: Option<Vec<String>>,
    /// Every size is a number or an expression over the sizes of the inputs.
    pub determined: bool,
}

/// The work granted to any program, and what each of its values adds. Real models use a hundredth of it.
const WORK: u64 = 1_500_000;
const WORK_PER_VALUE: u64 = 1_000;

/// A finding shows this many operands; a sum of thousands says nothing more.
const MOST_OPERANDS: usize = 32;

/// Checks a whole program in an arena of its own.
pub fn check(program: &Program, question: &Question) -> Answer {
    semantics::arena::scope(|| {
        semantics::arena::allow(WORK + WORK_PER_VALUE * program.values.len() as u64);
        Checker::new(program, question).check()
    })
}

/// What the record of a path through a source comes to. Of the calls that fail only `uncaught` counts, by its place
/// in the record: what the program handles itself is no finding. `origin` says where a tensor comes from.
pub fn of_path(
    path: &mut Path,
    file: &str,
    question: &Question,
    uncaught: Option<usize>,
    origin: &dyn Fn(Tensor) -> Option<String>,
) -> Answer {
    let program = Program {
        file: file.to_owned(),
        values: Vec::new(),
        graph: Graph::default(),
        variables: Vec::new(),
        flushes: false,
        asserted: Vec::new(),
        open: Vec::new(),
    };
    let mut checker = Checker { origin: Some(origin), ..Checker::new(&program, question) };
    let plain = path.plain;
    checker.answer.calls.verified += plain.calls;
    checker.answer.stated += plain.requirements as u64;
    checker.answer.folded += plain.requirements as u64;
    for (number, entry) in path.record.iter().enumerate() {
        if !entry.is_violated() || uncaught == Some(number) {
            checker.entry(entry);
        }
    }
    checker.answer.stats = path.context.stats();
    checker.answer
}

/// An exception that nobody catches.
pub fn python_error(file: &str, message: String, spot: Rc<Spot>) -> Finding {
    let location = Location { file: file.to_owned(), spot: Some(spot), ..Location::default() };
    Finding { rule: Rule::PythonError, location, ..structural(file, "", &message) }
}

/// The run of a program with what the user says of its inputs, before its first call.
pub(crate) fn started<'p>(program: &'p Program, question: &Question) -> Run<'p> {
    let mut sizes: FxHashMap<Rc<str>, Dim> = FxHashMap::default();
    for (name, low, high) in &question.sizes {
        let is_open = program.open.iter().any(|open| **open == **name);
        let origin = if is_open { Origin::open } else { Origin::input }("given by the user");
        sizes.insert(name.as_str().into(), Dim::symbol_from(name, *low, *high, origin));
    }
    let context = Context::with_smt(question.limits.clone(), question.smt.clone());
    let mut run = Run::new(program, Path::starting_from(context), sizes);
    run.path.improper = question.improper;
    let inputs = &program.graph.inputs;
    for given in &question.inputs {
        let Some(&value) = inputs.iter().find(|&&value| program.name(value) == given.name) else { continue };
        let sizes: Vec<Dim> = given
            .sizes
            .iter()
            .map(|size| match size {
                Ok(number) => (*number).into(),
                Err(name) => *run.sizes.entry(name.as_str().into()).or_insert_with(|| {
                    let origin = Origin::input(&format!("`{}`", given.name));
                    Dim::symbol_from(name, 1, LARGEST_SIZE, origin)
                }),
            })
            .collect();
        let tensor = Tensor::given(&given.name, given.kind, semantics::shape::Shape::new(sizes));
        let tensor = match &given.layout {
            Some(layout) => tensor.laid_out(Rc::new(layout.clone())),
            None => tensor,
        };
        run.tensors.insert(value, tensor);
    }
    for (name, array) in &question.known {
        if let Some(&value) = inputs.iter().find(|&&value| program.name(value) == name) {
            run.tensors.insert(value, Tensor::constant((**array).clone()).named(name.as_str()));
        }
    }
    run
}

struct Checker<'p> {
    program: &'p Program,
    question: &'p Question,
    /// Which node makes a value; put together when the first message needs it.
    makers: OnceCell<FxHashMap<ValueId, &'p Rc<Place>>>,
    /// Where a tensor of a source program comes from, in words.
    origin: Option<&'p dyn Fn(Tensor) -> Option<String>>,
    answer: Answer,
}

impl<'p> Checker<'p> {
    fn new(program: &'p Program, question: &'p Question) -> Checker<'p> {
        Checker { program, question, makers: OnceCell::new(), origin: None, answer: Answer::default() }
    }
    fn maker(&self, value: ValueId) -> Option<&'p Rc<Place>> {
        let makers = self.makers.get_or_init(|| {
            let mut makers = FxHashMap::default();
            collect_makers(&self.program.graph, &mut makers);
            makers
        });
        makers.get(&value).copied()
    }

    fn check(mut self) -> Answer {
        let mut run = started(self.program, self.question);
        run.path.supposed = Some(Vec::new());
        run.execute();

        self.faults(&self.program.graph);
        let record = std::mem::take(&mut run.path.record);
        let plain = run.path.plain;
        self.answer.calls.verified += plain.calls;
        self.answer.stated += plain.requirements as u64;
        self.answer.folded += plain.requirements as u64;
        for entry in &record {
            self.entry(entry);
        }
        self.answer.calls.skipped = run.skipped;
        self.answer.supposed = supposed::told(&run.path.supposed.take().unwrap_or_default());
        if semantics::shape::any_is_uncountable() {
            self.uncountable(&self.program.graph, &run);
        }
        self.declared(&self.program.graph, &mut run);
        self.shapes(&mut run);
        self.answer.stats = run.path.context.stats();
        self.answer
    }

    /// Nodes that break the rules of the file format.
    fn faults(&mut self, graph: &'p Graph) {
        for node in &graph.nodes {
            for fault in &node.faults {
                self.answer.findings.push(Finding {
                    rule: Rule::of(fault.category),
                    severity: Severity::Error,
                    message: words::fault(fault, &node.place),
                    requirement: Some(fault.label.clone()),
                    class: Some(FaultClass::of(fault.category, &fault.label)),
                    ..self.finding_at(&node.place)
                });
            }
            for remark in &node.remarks {
                self.answer.findings.push(Finding {
                    rule: Rule::of(remark.category),
                    severity: Severity::Warning,
                    message: words::fault(remark, &node.place),
                    requirement: Some(remark.label.clone()),
                    ..self.finding_at(&node.place)
                });
            }
            if !node.faults.is_empty() {
                self.answer.calls.failed += 1;
            } else if let Action::Unknown { reason, .. } = &node.action {
                self.answer.calls.unknown += 1;
                self.lost(&node.place, reason, None);
            }
            for region in node.regions() {
                self.faults(region);
            }
        }
    }

    fn entry(&mut self, entry: &Entry) {
        self.answer.stated += entry.stated as u64;
        self.answer.folded += (entry.stated
            - entry.open.iter().filter(|judged| judged.requirement.prop.known().is_none()).count())
            as u64;
        if entry.is_violated() {
            self.answer.calls.failed += 1;
        } else if entry.is_verified()
            || entry.open.iter().all(|judged| self.is_condition(judged)) && entry.lost.is_empty()
        {
            self.answer.calls.verified += 1;
        } else {
            self.answer.calls.unknown += 1;
        }
        for reason in &entry.lost {
            self.lost(&entry.place, reason, self.cause(entry));
        }
        // One fault often breaks several requirements of a call: the first is the one to tell.
        let mut failed = false;
        for judged in &entry.open {
            if judged.requirement.category == Category::ImproperValue && !self.question.improper {
                continue;
            }
            telling_apart(|| match &judged.verdict {
                Verdict::Holds => {}
                Verdict::Fails if failed => {}
                Verdict::Fails => {
                    failed |= judged.binds();
                    let finding = self.violated(entry, judged);
                    self.answer.findings.push(finding);
                }
                Verdict::Depends { witness, .. } => self.conditional(entry, judged, witness),
                Verdict::Unknown { reason } => {
                    let reason = format!("whether {}: {reason}", judged.requirement.label);
                    self.lost(&entry.place, &reason, self.cause(entry));
                }
            });
        }
    }

    /// Where the first tensor of a call comes from of which too little is known.
    fn cause(&self, entry: &Entry) -> Option<String> {
        let is_vague = |tensor: &Tensor| {
            let mut vague = false;
            match tensor.shape().sizes() {
                None => vague = true,
                Some(sizes) => {
                    sizes.iter().for_each(|size| size.leaves(&mut |atom| vague |= !is_input_size(atom)));
                }
            }
            vague || tensor.dtype().known().is_none()
        };
        let vague = entry.inputs.iter().map(|(_, tensor)| *tensor).find(is_vague)?;
        let origin = self.origin.and_then(|origin| origin(vague))?;
        Some(origin.strip_prefix("from ").unwrap_or(&origin).to_owned())
    }

    fn violated(&self, entry: &Entry, judged: &Judged) -> Finding {
        let Requirement { label, category, prop } = judged.requirement;
        let statement = words::needs(entry, judged);
        let sources: Vec<String> = entry
            .inputs
            .iter()
            .filter_map(|(_, tensor)| self.origin.and_then(|origin| origin(*tensor)))
            .collect();
        let others = entry.told.others.iter().filter(|(_, source)| !sources.contains(source));
        let others = others.map(|(role, source)| Operand::other(role, source));
        let shown = entry.inputs.iter().chain(&entry.read).take(MOST_OPERANDS);
        Finding {
            rule: Rule::of(category),
            severity: if judged.binds() { Severity::Error } else { Severity::Warning },
            message: words::broken(entry, judged),
            requirement: Some(label.to_string()),
            class: Some(FaultClass::of(category, label)),
            badness: badness(category, label, prop),
            statement,
            operator: Some(entry.operator.to_string()),
            operands: shown
                .map(|(role, tensor)| self.operand(entry, category, role, *tensor))
                .chain(others)
                .collect(),
            core: judged.core.iter().map(core_item).collect(),
            because: words::because(entry, judged),
            fix: words::repairs(entry, judged),
            ..self.finding_at(&entry.place)
        }
    }

    fn operand(&self, entry: &Entry, category: Category, role: &str, tensor: Tensor) -> Operand {
        let name = tensor.name();
        let source = match self.value_named(&name).and_then(|value| self.maker(value)) {
            Some(place) => format!("from node `{}` ({})", place.node, place.spelled),
            None if self.origin.is_some() => {
                let origin = self.origin.and_then(|origin| origin(tensor));
                origin.unwrap_or_else(|| if name.is_empty() { String::new() } else { "input".into() })
            }
            None if self.is_input(&name) => "input of the model".into(),
            None if name.is_empty() => String::new(),
            None => "initialiser".into(),
        };
        let (role, shape) = (role.to_string(), brief(&tensor));
        let in_source = entry.told.names.iter().find(|(held, _)| *held == tensor);
        let name = in_source.map_or_else(|| brief(&name), |(_, name)| name.clone());
        // In a source, elements are told where they are at fault.
        let elements =
            words::elements(tensor).filter(|_| self.origin.is_none() || words::about_values(category));
        Operand { role, name, shape, elements, source }
    }
    fn value_named(&self, name: &str) -> Option<ValueId> {
        let position = self.program.values.iter().rposition(|value| &*value.name == name)?;
        Some(ValueId(position as u32))
    }
    fn is_input(&self, name: &str) -> bool {
        self.program.graph.inputs.iter().any(|&value| self.program.name(value) == name)
    }

    /// Compares what the file declares about inner values and outputs with what follows from the graph.
    fn declared(&mut self, graph: &'p Graph, run: &mut Run<'p>) {
        for node in &graph.nodes {
            for &value in node.outputs.iter().flatten() {
                self.declared_value(value, &node.place, run);
            }
            for region in node.regions() {
                self.declared(region, run);
            }
        }
    }
    fn declared_value(&mut self, value: ValueId, place: &Place, run: &mut Run<'p>) {
        let Some(Declared::Tensor { kind, sizes }) = self.program.declared(value) else { return };
        let Some(tensor) = run.tensors.get(value).filter(|_| !run.unreached.contains(&value)) else {
            return;
        };
        let name = self.program.name(value);
        if let (Some(kind), Some(inferred)) = (*kind, tensor.dtype().known())
            && kind != inferred
        {
            let message = format!("`{name}` is declared as {kind} and computed as {inferred}");
            self.mismatch(place, message, Severity::Error);
        }
        let (Some(sizes), Some(inferred)) = (sizes, tensor.shape().sizes()) else { return };
        let clash = sizes.len() != inferred.len()
            || sizes.iter().zip(&inferred).any(|(declared, &inferred)| match declared {
                Size::Known(size) => matches!(run.path.context.decide(inferred.eq(*size)), Verdict::Fails),
                Size::Named(_) | Size::Unknown => false,
            });
        if clash {
            let declared: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            let message = format!(
                "`{name}` is declared as [{}] and computed as {}",
                brief(&declared.join(", ")),
                brief(&tensor.shape())
            );
            self.mismatch(place, message, Severity::Warning);
        }
    }
    fn mismatch(&mut self, place: &Place, message: String, severity: Severity) {
        let finding = Finding { rule: Rule::DeclaredMismatch, severity, message, ..self.finding_at(place) };
        self.answer.findings.push(finding);
    }

    fn shapes(&mut self, run: &mut Run<'p>) {
        for (number, value) in self.program.values.iter().enumerate() {
            let id = ValueId(number as u32);
            if self.question.shapes
                && let Some(tensor) = run.tensors.get(id)
                && self.maker(id).is_some()
            {
                let tensor = run.path.refined(tensor);
                self.answer.shapes.push(inferred(&value.name, tensor));
            }
        }
        for &output in &self.program.graph.outputs {
            let tensor = run.tensor(output);
            let tensor = run.path.refined(tensor);
            self.answer.outputs.push(inferred(self.program.name(output), tensor));
        }
    }

    fn lost(&mut self, place: &Place, reason: &str, cause: Option<String>) {
        let location = self.location(place);
        self.answer.unknowns.push(Unknown { location, reason: reason.to_string(), count: 1, cause });
    }
    fn location(&self, place: &Place) -> Location {
        Location {
            file: self.program.file.clone(),
            node: Some(place.node.clone()),
            spelled: Some(place.spelled.to_string()),
            spot: place.spot.clone(),
        }
    }
    /// A finding with only its place filled in.
    fn finding_at(&self, place: &Place) -> Finding {
        Finding { location: self.location(place), ..structural(&self.program.file, "", "") }
    }
}

/// A finding about the structure of the file, before the meaning of anything in it.
pub fn structural(file: &str, place: &str, message: &str) -> Finding {
    Finding {
        message: message.to_string(),
        location: Location { file: file.to_string(), node: Some(place.to_string()), ..Location::default() },
        ..Finding::new(Rule::InvalidGraph, Severity::Error)
    }
}

fn core_item(assumption: &Assumption) -> CoreItem {
    CoreItem {
        node: assumption.place.node.clone(),
        operator: assumption.operator.to_string(),
        label: assumption.requirement.label.to_string(),
        statement: brief(&assumption.requirement.prop),
    }
}

/// The type and shape of a tensor in words.
pub fn inferred(name: &str, tensor: Tensor) -> Inferred {
    let sizes = tensor.shape().sizes();
    let mut determined = sizes.is_some();
    for size in sizes.iter().flatten() {
        size.leaves(&mut |atom| determined &= is_input_size(atom));
    }
    Inferred {
        name: name.to_string(),
        kind: tensor.dtype().known(),
        sizes: sizes.map(|sizes| sizes.iter().map(|size| brief(size)).collect()),
        determined,
    }
}

fn collect_makers<'p>(graph: &'p Graph, makers: &mut FxHashMap<ValueId, &'p Rc<Place>>) {
    for node in &graph.nodes {
        for value in node.outputs.iter().flatten() {
            makers.insert(*value, &node.place);
        }
        for region in node.regions() {
            collect_makers(region, makers);
        }
    }
}
