//! Model files under a choice of their hyper-parameters: attributes and arguments by node, sizes of initialisers and
//! inputs.

use crate::choice::Choice;
use crate::inputs::Inputs;
use crate::model::{Bound, Settings, limits};
use crate::python::{matters, place_of, read_path};
use crate::space::{Framework, MISPLACED, Parameter, is_setting};
use crate::tuned::{Tuned, following};
use anyhow::{Context as _, Result, anyhow, bail};
use engines::sweep::{Cause, Course, Domain, Ending, Reading};
use engines::validity::GivenInput;
use program::arguments;
use program::execute::Run;
use program::ir::{Action, Declared, Node, Program, Size, ValueId};
use program::path::{Assumption, Entry, Path};
use python::interpreter::hints::meant;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::arena;
use semantics::dim::{Dim, LARGEST_SIZE, Origin};
use semantics::dtype::{DType, Kind};
use semantics::operator::{Backend, Category};
use semantics::prop::Prop;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use solver::{Compiled, Context};
use std::cell::RefCell;
use std::path::Path as FilePath;
use std::rc::Rc;

/// A model that was read from a file.
pub struct GraphModel {
    pub program: Program,
    /// Whether it is made of layers, which make their own weights.
    is_keras: bool,
    /// Whether all layers are made before the first of them is called.
    is_made_first: bool,
    pub settings: Settings,
    /// The hyper-parameters that the model was seen to have.
    used: RefCell<FxHashSet<String>>,
}

/// Work granted to one analysis.
const WORK: u64 = 20_000_000;
/// As many axes more than a tensor has are beyond any that a layer names.
const MORE_AXES: usize = 8;

impl GraphModel {
    /// Opens a Keras or ONNX file.
    pub fn open(file: &FilePath, settings: Settings) -> Result<GraphModel> {
        let endings = ["keras", "h5", "hdf5", "json"];
        let is_keras =
            file.extension().is_some_and(|ending| endings.iter().any(|own| ending.eq_ignore_ascii_case(own)));
        let mut is_made_first = false;
        let program = if is_keras {
            let model = models::keras::open(file)?.computed_by(settings.backend)?;
            is_made_first = !model.is_made_in_turn;
            model.program
        } else {
            let model = models::onnx::open(file)?;
            let problems = models::onnx::check(&model);
            if let Some(problem) = problems.iter().find(|problem| problem.kind.is_fatal()) {
                bail!("{}: {}: {}", file.display(), problem.place, problem.message);
            }
            models::onnx::lower(&model, &file.display().to_string())
        };
        Ok(GraphModel { program, is_keras, is_made_first, settings, used: RefCell::default() })
    }

    /// Follows a framework: the layers of a Keras model are computed by it.
    pub fn rules_of(&mut self, framework: &Framework) -> Result<()> {
        self.settings.backend = match (self.is_keras, framework.name.as_str()) {
            (true, "pytorch") => Backend::Torch,
            (true, "tensorflow") => Backend::TensorFlow,
            (false, "onnx") => return Ok(()),
            (true, other) => bail!("`{other}` does not compute a Keras model: `tensorflow` and `pytorch` do"),
            (false, other) => bail!("an ONNX model has the rules of `onnx`, not those of `{other}`"),
        };
        self.program.compute_by(self.settings.backend);
        Ok(())
    }

    pub fn has_input(&self, name: &str) -> bool {
        self.program.graph.inputs.iter().any(|&value| self.program.name(value) == name)
    }

    /// What the file says itself of a hyper-parameter, as far as that is a number, a word or several numbers.
    pub fn default_of(&self, parameter: &Parameter) -> Option<Choice> {
        let of_input = || self.inputs().default_of(&parameter.name, &parameter.values);
        arena::scope(|| Tuned::default_of(&self.program, &parameter.name, self.is_keras)).or_else(of_input)
    }
    /// Whether a symbol can stand for a number of a hyper-parameter.
    pub fn takes_symbols(&self, name: &str) -> bool {
        Tuned::takes_symbols(&self.program, name, self.is_keras)
    }
    /// Whether the model has been seen to have a hyper-parameter.
    pub fn uses(&self, name: &str) -> bool {
        self.used.borrow().contains(name)
    }
    /// Says which inputs there are if one is described that is none of them.
    fn check_inputs(&self) -> Result<()> {
        let Some(strange) = self.settings.inputs.iter().find(|input| !self.has_input(&input.name)) else {
            return Ok(());
        };
        let values = self.program.graph.inputs.iter();
        let own: Vec<String> = values.map(|&value| self.program.name(value).to_owned()).collect();
        let known = own.join("`, `");
        let rest = meant(&strange.name, own.into_iter()).unwrap_or_else(|| format!("there is `{known}`"));
        bail!("`{}` is no input of the model: {rest}", strange.name)
    }

    /// The one course that a model without branches takes, with each hyper-parameter fixed or open.
    pub fn courses(
        &self,
        parameters: &[Parameter],
        bounds: &[Bound],
        domains: &[Domain],
    ) -> Result<Vec<Course>> {
        self.check_inputs()?;
        arena::scope(|| {
            arena::allow(WORK);
            let mut inputs = self.inputs();
            let mut tuned = Tuned::default();
            for (parameter, bound) in parameters.iter().zip(bounds) {
                let name = &parameter.name;
                let is_known = inputs.tune(name, bound)?
                    || !matches!(bound, Bound::Absent)
                        && tuned
                            .set(&self.program, name, bound, self.is_keras)
                            .with_context(|| format!("`{name}`"))?;
                if is_known {
                    self.used.borrow_mut().insert(name.clone());
                } else if !matches!(bound, Bound::Absent) && !parameter.is_read {
                    return Err(self.no_such(name, &inputs));
                }
            }
            let context = Context::new(limits());
            let sizes = inputs.sizes.iter().map(|(name, low, high)| {
                let origin = Origin::input("given by the user");
                (Rc::from(name.as_str()), Dim::symbol_from(name, *low, *high, origin))
            });
            let sizes: FxHashMap<Rc<str>, Dim> = sizes.collect();
            let mut run = Run::new(&self.program, Path::starting_from(context), sizes);
            run.path.improper = true;
            self.bind(&inputs, &mut run);
            if self.is_keras {
                let stored = self.program.graph.constants.iter().map(|(value, _)| *value);
                run.changes.forgotten.extend(stored);
            } else {
                following(&self.program, &mut tuned);
            }
            for (value, shape, kind) in tuned.constants(&self.program) {
                let name = self.program.name(value).to_owned();
                run.tensors.insert(value, Tensor::given(&name, kind, shape));
            }
            run.changes.arguments = tuned.arguments;
            run.begin();
            let (ending, is_not_made) = self.execute(&mut run, domains);
            let mut reading = Reading::new(domains);
            if self.is_made_first {
                let is_made = |category: Category| category == Category::IllegalValue;
                run.path.assumed.sort_by_key(|assumption| !is_made(assumption.requirement.category));
                if is_not_made {
                    run.path.assumed.retain(|assumption| is_made(assumption.requirement.category));
                }
            }
            read_path(&mut reading, &run.path, self.settings.improper);
            Ok(vec![reading.end(ending)])
        })
    }

    /// Runs the nodes up to the first that fails whatever the numbers are. Also: whether it fails because a layer cannot
    /// even be made, before any of them is called.
    fn execute<'p>(&'p self, run: &mut Run<'p>, domains: &[Domain]) -> (Ending, bool) {
        let mut unknown = None;
        for (number, node) in self.program.graph.nodes.iter().enumerate() {
            if let Some(fault) = node.faults.first() {
                let cause = Cause {
                    operator: node.place.spelled.to_string(),
                    label: fault.label.clone(),
                    category: fault.category.name().to_owned(),
                    place: place_of(&node.place),
                    condition: fault.detail.clone(),
                };
                return (Ending::Fails(cause), fault.category == Category::IllegalValue);
            }
            if let Action::Unknown { reason, .. } = &node.action {
                unknown.get_or_insert_with(|| reason.clone());
            }
            let recorded = run.path.record.len();
            run.node(node);
            for entry in &run.path.record[recorded.min(run.path.record.len())..] {
                if let Some((label, cause)) = failed(entry) {
                    if !self.is_made_first {
                        return (Ending::Fails(cause), false);
                    }
                    // What cannot be made itself is found out before later layers are.
                    if cause.category == Category::IllegalValue.name() && is_of_layer(run, node, label) {
                        return (Ending::Fails(cause), true);
                    }
                    let not_made = self.not_made(run, &self.program.graph.nodes[number + 1..], domains);
                    let is_not_made = not_made.is_some();
                    return (Ending::Fails(not_made.unwrap_or(cause)), is_not_made);
                }
                if let Some(why) = entry.lost.iter().find(matters) {
                    unknown.get_or_insert_with(|| format!("{}: {why}", place_of(&entry.place)));
                }
            }
        }
        (unknown.map_or(Ending::Valid, Ending::Unknown), false)
    }

    /// Why a later layer cannot even be made, which is done before the first one is called; what depends on the
    /// hyper-parameters is asked of them. What such a layer is called on is taken to be what the file says.
    fn not_made<'p>(&'p self, run: &mut Run<'p>, rest: &'p [Node], domains: &[Domain]) -> Option<Cause> {
        let context = Context::new(limits());
        let mut plain = Run::new(&self.program, Path::starting_from(context), FxHashMap::default());
        self.bind(&self.inputs(), &mut plain);
        plain.changes.forgotten.clone_from(&run.changes.forgotten);
        plain.begin();
        self.program.graph.nodes.iter().for_each(|node| plain.node(node));
        for node in rest {
            let Action::Call(invocation) = &node.action else { continue };
            let is_known = |value: &ValueId| plain.tensors.get(*value).is_some();
            if !node.inputs().iter().all(is_known) {
                continue;
            }
            let nothing = || Tensor::given("unknown", DType::unknown(), Shape::unknown("unknown"));
            let mut call = arguments::call(invocation, node.outputs.len(), &mut |value| {
                plain.tensors.get(value).unwrap_or_else(nothing)
            });
            run.changes.apply(invocation, &node.place.node, &mut call);
            // It stops where what it is called on does not fit.
            _ = call.run(invocation.define);
            for requirement in call.requirements.iter().filter(|it| it.category == Category::IllegalValue) {
                match requirement.prop.known() {
                    Some(true) => {}
                    Some(false) if !is_of_layer(&plain, node, requirement.label) => {}
                    Some(false) => {
                        return Some(Cause {
                            operator: node.place.spelled.to_string(),
                            label: requirement.label.to_owned(),
                            category: requirement.category.name().to_owned(),
                            place: place_of(&node.place),
                            condition: String::new(),
                        });
                    }
                    None if is_about(requirement.prop, domains) => run.path.take_for_granted(Assumption {
                        place: node.place.clone(),
                        operator: invocation.operator.name,
                        requirement: *requirement,
                    }),
                    None => {}
                }
            }
        }
        None
    }

    /// The inputs as the file declares them, or as the user does.
    fn inputs(&self) -> Inputs {
        let mut given = Vec::new();
        for &value in &self.program.graph.inputs {
            let name = self.program.name(value);
            if let Some(own) = self.settings.inputs.iter().find(|own| own.name == name) {
                given.push(own.clone());
                continue;
            }
            let Some(Declared::Tensor { kind, sizes: Some(sizes) }) = self.program.declared(value) else {
                continue;
            };
            let size = |(axis, size): (usize, &Size)| match size {
                Size::Known(size) => Ok(*size),
                Size::Named(name) => Err(name.to_string()),
                Size::Unknown => Err(format!("{name}.{axis}")),
            };
            let sizes = sizes.iter().enumerate().map(size).collect();
            let kind = kind.unwrap_or(Kind::F32);
            given.push(GivenInput { name: name.to_owned(), kind, sizes, layout: None });
        }
        Inputs::new(given, self.settings.sizes.clone())
    }
    fn bind(&self, inputs: &Inputs, run: &mut Run) {
        for given in &inputs.given {
            let values = &self.program.graph.inputs;
            let Some(&value) = values.iter().find(|&&value| self.program.name(value) == given.name) else {
                continue;
            };
            let size = |size: &Result<i64, String>| match size {
                Ok(number) => (*number).into(),
                Err(name) => *run.sizes.entry(name.as_str().into()).or_insert_with(|| {
                    Dim::symbol_from(name, 1, LARGEST_SIZE, Origin::input(&format!("`{}`", given.name)))
                }),
            };
            let sizes: Vec<Dim> = given.sizes.iter().map(size).collect();
            let mut tensor = Tensor::given(&given.name, given.kind, Shape::new(sizes));
            if let Some(layout) = &given.layout {
                tensor = tensor.laid_out(Rc::new(layout.clone()));
            }
            run.tensors.insert(value, tensor);
        }
    }

    fn no_such(&self, name: &str, inputs: &Inputs) -> anyhow::Error {
        if is_setting(name) {
            return anyhow!("`{name}` is no attribute, initialiser or input of the model: {MISPLACED}");
        }
        let mut offered = inputs.names();
        offered.extend(Tuned::offered(&self.program, self.is_keras));
        if let Some(meant) = meant(name, offered.iter().cloned()) {
            return anyhow!("`{name}` is no attribute, initialiser or input of the model: {meant}");
        }
        // Of a node that is there, its attributes; else the nodes.
        let owner = name.rsplit_once('.').map_or(name, |(owner, _)| owner);
        let of_owner: Vec<String> = offered
            .iter()
            .filter(|known| known.rsplit_once('.').is_some_and(|(held, _)| held == owner))
            .cloned()
            .collect();
        let mut shown = if of_owner.is_empty() { offered } else { of_owner };
        let more = shown.len().saturating_sub(12);
        shown.truncate(12);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        anyhow!(
            "`{name}` is no attribute, initialiser or input of the model: there is `{}`{more}",
            shown.join("`, `")
        )
    }
}

/// Whether a statement is about hyper-parameters alone.
fn is_about(statement: Prop, domains: &[Domain]) -> bool {
    let mut compiled = Compiled::default();
    compiled.add(statement);
    let is_own = |leaf: String| domains.iter().any(|domain| domain.name == leaf);
    compiled.leaves.iter().all(|leaf| is_own(leaf.dim().to_string()))
        && !compiled.nodes().iter().any(|node| matches!(node, solver::Node::Free(_) | solver::Node::Opaque))
}

/// Why a call fails whatever the numbers are, with the label of the requirement.
fn failed(entry: &Entry) -> Option<(&'static str, Cause)> {
    let judged = entry.open.iter().find(|judged| judged.breaks())?;
    let cause = Cause {
        operator: entry.place.spelled.to_string(),
        label: judged.requirement.label.to_owned(),
        category: judged.requirement.category.name().to_owned(),
        place: place_of(&entry.place),
        condition: String::new(),
    };
    Some((judged.requirement.label, cause))
}

/// Whether a requirement that is broken is about the layer alone: called on tensors with more axes, it is broken, too.
fn is_of_layer(run: &Run, node: &Node, label: &str) -> bool {
    let Action::Call(invocation) = &node.action else { return true };
    let mut call = arguments::call(invocation, node.outputs.len(), &mut |value| {
        let given = run.tensors.get(value);
        let dtype = given.map_or_else(DType::unknown, Tensor::dtype);
        let own = given.and_then(|tensor| tensor.shape().sizes()).unwrap_or_default();
        Tensor::given("wider", dtype, Shape::new(own.into_iter().chain([1.into(); MORE_AXES])))
    });
    run.changes.apply(invocation, &node.place.node, &mut call);
    _ = call.run(invocation.define);
    !call.requirements.iter().any(|it| it.label == label && it.prop.known() == Some(true))
}

/// A number in the current arena.
pub fn number(name: &str, bound: &Bound) -> Result<Dim> {
    match bound {
        Bound::Between(low, high) => Ok(Dim::symbol_from(name, *low, *high, Origin::input(name))),
        Bound::Fixed(Choice::Int(number)) => Ok((*number).into()),
        Bound::Fixed(other) => bail!("{other} is not a whole number"),
        Bound::Absent => bail!("nothing is said of it"),
    }
}
