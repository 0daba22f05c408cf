//! One path through a program: what is known on it, and the record of every call.
//!
//! Requirements are decided at the call. What holds is counted; what cannot hold makes the call fail; what is
//! open is assumed from there on and recorded, so that later calls are judged in its light.

use crate::ir::Place;
use crate::repair::{Failing, Repair};
use semantics::arena;
use semantics::call::{Argument, Call, Outcome, Requirement, Stop};
use semantics::dim::Dim;
use semantics::dtype::{DType, Kind};
use semantics::element::Element;
use semantics::operator::Category;
use semantics::prop::{Prop, PropView};
use semantics::scalar::{Binary, Unary};
use semantics::shape::Shape;
use semantics::tensor::{Content, Tensor};
use smallvec::SmallVec;
use solver::{Context, Limits, Verdict};
use std::rc::Rc;

pub struct Path {
    pub context: Context,
    /// Calls with something to tell: a requirement that folding left open or refuted, or knowledge lost.
    pub record: Vec<Entry>,
    /// Calls of which folding settled every requirement.
    pub plain: Plain,
    /// What was assumed because it was open, by the tag under which the context knows it.
    pub assumed: Vec<Assumption>,
    /// What was decided on the way, each with the number of assumptions before it.
    pub decided: Vec<(usize, Prop)>,
    /// What must hold of values that are not known before the run; `None` if nobody wants to hear of it.
    pub supposed: Option<Vec<(&'static str, Rc<Place>)>>,
    /// Every call that went well, in order; `None` if nobody wants to follow values.
    pub made: Option<Vec<Made>>,
    /// What holds of elements on this way, for whoever follows values: the conditions of the branches that were taken.
    pub guards: Guards,
    /// Whether what works and is hardly meant is looked at; few want to hear of it.
    pub improper: bool,
}

/// Conditions under which something is computed.
#[derive(Clone, Default)]
pub struct Guards {
    /// Single elements that are true or false.
    pub elements: SmallVec<[(Tensor, bool); 1]>,
    /// Something else decides, too, and nobody can tell whether a run goes this way.
    pub open: bool,
}

impl Guards {
    /// Adds a statement that holds.
    pub fn add(&mut self, statement: Prop) {
        self.take(statement, true);
    }
    fn take(&mut self, statement: Prop, truth: bool) {
        match (statement.view(), truth) {
            (PropView::Not(inner), _) => self.take(inner, !truth),
            (PropView::And(parts), true) | (PropView::Or(parts), false) => {
                parts.into_iter().for_each(|part| self.take(part, truth));
            }
            _ => match of_elements(statement) {
                Some(element) => {
                    let guard = Tensor::from_elements(Kind::Bool, Shape::new([]), move |_| element);
                    self.elements.push((guard, truth));
                }
                None => self.open = true,
            },
        }
    }
}

/// A statement about elements, as an element.
pub fn of_elements(statement: Prop) -> Option<Element> {
    let all = |parts: Vec<Prop>| parts.into_iter().map(of_elements).collect::<Option<Vec<Element>>>();
    match statement.view() {
        PropView::Value(element) => Some(element),
        PropView::Not(inner) => Some(of_elements(inner)?.unary(Unary::Not)),
        PropView::And(parts) => all(parts)?.into_iter().reduce(|x, y| x.binary(Binary::And, y)),
        PropView::Or(parts) => all(parts)?.into_iter().reduce(|x, y| x.binary(Binary::Or, y)),
        _ => None,
    }
}

/// One step by which tensors came about, for whoever follows values rather than shapes.
#[derive(Clone)]
pub struct Made {
    pub place: Rc<Place>,
    pub operator: &'static str,
    pub inputs: SmallVec<[Tensor; 4]>,
    pub outputs: SmallVec<[Tensor; 2]>,
    pub how: How,
    /// It is done only where these are true or false: the conditions of the branches and loops around it.
    pub guards: SmallVec<[(Tensor, bool); 1]>,
    /// Where each output is one of the inputs: the condition under which it is the first, the second and so on, each a
    /// single element that is true or false. None if nothing is known of that.
    pub when: SmallVec<[(Tensor, bool); 2]>,
    /// The loop that was followed, told after its steps.
    pub rounds: Option<Rc<Rounds>>,
    /// Something else decides whether it is done, which nobody can check.
    pub is_open: bool,
}

/// A loop, for whoever computes it round by round.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    /// How many rounds there are at most, and whether there is a first one: told before it.
    pub most: Option<Tensor>,
    pub starts: Option<Tensor>,
    /// The number of a round, as the body sees it.
    pub number: Option<Tensor>,
    /// What is carried: before the first round, in a round, after it, and after the last.
    pub initial: Vec<Tensor>,
    pub carried: Vec<Tensor>,
    pub next: Vec<Tensor>,
    pub results: Vec<Tensor>,
    /// Whether there is another round: told at the end of each.
    pub again: Option<Tensor>,
}

/// What the outputs of a step are to its inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// What the operator's definition says.
    Called,
    /// Every element is one of the inputs': the sides of a branch came together, a loop carries something from round
    /// to round, or looks at a part after the other.
    OneOf,
    /// It was read from somewhere, a file for one; what is said of its elements is the tensor's own.
    Read,
}

/// A count of the calls that need no entry.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain {
    pub calls: usize,
    pub requirements: usize,
}

/// A requirement that later calls take for granted.
#[derive(Clone)]
pub struct Assumption {
    pub place: Rc<Place>,
    pub operator: &'static str,
    pub requirement: Requirement,
}

/// One call as it went.
pub struct Entry {
    pub place: Rc<Place>,
    /// The operator's name, and the tensors it was given, by input name.
    pub operator: &'static str,
    pub inputs: Vec<(&'static str, Tensor)>,
    /// The tensors that parameters were read from, by the parameter's name.
    pub read: Vec<(&'static str, Tensor)>,
    /// The parameters of a call with something to tell.
    pub parameters: Vec<Spoken>,
    pub outputs: Vec<Tensor>,
    /// Requirements that folding did not settle.
    pub open: Vec<Judged>,
    /// How many requirements were stated in all.
    pub stated: usize,
    /// Why the definition could not go on, or what it could not tell.
    pub lost: Vec<String>,
    /// For a call that fails: what would make it right.
    pub repairs: Vec<Repair>,
    /// What a reader of sources adds to a call that fails.
    pub told: Told,
}

/// A failing call in the terms of the source it stands in.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The broken condition with the numbers of this call: `60 % 8 = 0, but it is 4`.
    pub needs: Option<String>,
    /// The parameters that the broken condition speaks of.
    pub spoken: Vec<&'static str>,
    /// What the source calls the tensors.
    pub names: Vec<(Tensor, String)>,
    /// Other things that take part, and where each comes from: the layer that runs.
    pub others: Vec<(String, String)>,
    /// What brings the numbers about.
    pub because: Option<String>,
    /// Changes of the source with which the call would be right.
    pub help: Vec<String>,
}

/// A parameter in words.
#[derive(Clone, Debug)]
pub struct Spoken {
    pub name: &'static str,
    pub value: String,
    /// The caller gave it; else it is the default.
    pub given: bool,
}

/// A requirement that folding did not settle, or refuted.
pub struct Judged {
    pub requirement: Requirement,
    pub verdict: Verdict,
    /// For one that fails: what it clashes with, besides itself.
    pub core: Vec<Assumption>,
    /// For one that depends on sizes and states several facts: each with its own verdict.
    pub parts: Vec<(Prop, Verdict)>,
}

/// How a call went.
pub enum Answer {
    Done(SmallVec<[Tensor; 2]>),
    /// A requirement fails for every input: the framework would raise here, and this is why.
    Violated(Requirement),
}

impl Judged {
    /// Whether the call has no meaning: what is merely improper runs.
    pub fn breaks(&self) -> bool {
        matches!(self.verdict, Verdict::Fails) && self.binds()
    }
    pub fn binds(&self) -> bool {
        self.requirement.category.binds()
    }
    /// A requirement that is plainly broken.
    pub fn broken(requirement: Requirement) -> Judged {
        Judged { requirement, verdict: Verdict::Fails, core: Vec::new(), parts: Vec::new() }
    }
}

impl Entry {
    /// A call with its arguments, before anything is judged.
    pub fn of(call: &Call, place: &Rc<Place>) -> Entry {
        let inputs = call.operator.inputs.iter().zip(&call.tensors);
        Entry {
            place: place.clone(),
            operator: call.operator.name,
            inputs: inputs.flat_map(|(input, tensors)| tensors.iter().map(|&t| (input.name, t))).collect(),
            read: call.read.to_vec(),
            parameters: spoken_parameters(call),
            outputs: Vec::new(),
            open: Vec::new(),
            stated: call.requirements.len(),
            lost: Vec::new(),
            repairs: Vec::new(),
            told: Told::default(),
        }
    }
    pub fn is_violated(&self) -> bool {
        self.open.iter().any(Judged::breaks)
    }
    /// Every requirement was decided and nothing was lost.
    pub fn is_verified(&self) -> bool {
        let settled = |judged: &Judged| matches!(judged.verdict, Verdict::Holds) || !judged.binds();
        self.lost.is_empty() && self.open.iter().all(settled)
    }
}

impl Path {
    pub fn new(limits: Limits) -> Path {
        Path::starting_from(Context::new(limits))
    }
    pub fn starting_from(context: Context) -> Path {
        Path {
            context,
            record: Vec::new(),
            plain: Plain::default(),
            assumed: Vec::new(),
            decided: Vec::new(),
            supposed: None,
            made: None,
            guards: Guards::default(),
            improper: false,
        }
    }
    /// A copy that goes its own way from here on. The record starts anew.
    pub fn fork(&self) -> Path {
        Path {
            context: self.context.clone(),
            record: Vec::new(),
            plain: Plain::default(),
            assumed: self.assumed.clone(),
            decided: self.decided.clone(),
            supposed: self.supposed.as_ref().map(|_| Vec::new()),
            made: self.made.as_ref().map(|_| Vec::new()),
            guards: self.guards.clone(),
            improper: self.improper,
        }
    }

    /// The path on which a statement holds and the one on which it does not; `None` where there is no such path.
    /// This one stays as it is: [`Path::join`] brings them together again.
    pub fn split(&self, condition: Prop) -> (Option<Path>, Option<Path>) {
        (self.along(condition), self.along(!condition))
    }
    /// A fork on which a statement holds; `None` if that cannot be.
    pub fn along(&self, condition: Prop) -> Option<Path> {
        let mut fork = self.fork();
        fork.context.assume(condition);
        (!fork.context.is_contradictory()).then_some(fork)
    }
    /// As [`Path::along`], for a statement that was asked about and left open: nothing is asked again.
    pub fn supposing(&self, condition: Prop) -> Option<Path> {
        let mut fork = self.fork();
        fork.context.assume(condition);
        (!fork.context.is_plainly_contradictory()).then_some(fork)
    }
    /// Goes on after both branches of a condition: their calls join the record, and what one of them took for
    /// granted is taken for granted where its side of the condition holds.
    pub fn join(&mut self, condition: Prop, then: Path, otherwise: Path) {
        let known = self.assumed.len();
        for (side, mut branch) in [(condition, then), (!condition, otherwise)] {
            self.record.append(&mut branch.record);
            self.suppose(branch.supposed.take().unwrap_or_default());
            if let (Some(made), Some(more)) = (&mut self.made, branch.made.take()) {
                made.extend(more);
            }
            self.plain.calls += branch.plain.calls;
            self.plain.requirements += branch.plain.requirements;
            for assumption in branch.assumed.drain(known..) {
                let prop = side.implies(assumption.requirement.prop);
                let requirement = Requirement { prop, ..assumption.requirement };
                self.take_for_granted(Assumption { requirement, ..assumption });
            }
        }
    }
    /// Takes one side of a statement that is open: the other is another path.
    pub fn decide(&mut self, statement: Prop) {
        self.decided.push((self.assumed.len(), statement));
        self.context.assume(statement);
    }
    /// Notes what holds of elements from here on, if somebody follows values.
    pub fn guard(&mut self, statement: Prop) {
        if self.made.is_some() {
            self.guards.add(statement);
        }
    }
    fn suppose(&mut self, more: impl IntoIterator<Item = (&'static str, Rc<Place>)>) {
        if let Some(supposed) = &mut self.supposed {
            supposed.extend(more);
        }
    }
    /// From here on an assumption holds.
    pub fn take_for_granted(&mut self, assumption: Assumption) {
        self.context.assume_labelled(assumption.requirement.prop, self.assumed.len() as u32);
        self.assumed.push(assumption);
    }

    /// The assumptions without which `prop` could hold: a subset-minimal clash.
    pub fn core(&mut self, prop: Prop) -> Vec<Assumption> {
        let tags = self.context.core(prop).unwrap_or_default();
        tags.into_iter().filter_map(|tag| self.assumed.get(tag as usize).cloned()).collect()
    }

    /// Decides requirements. What is open is assumed from here on, unless nothing breaks where it fails.
    fn judge(
        &mut self,
        requirements: &[Requirement],
        operator: &'static str,
        place: &Rc<Place>,
    ) -> Vec<Judged> {
        let mut open = Vec::new();
        for requirement in requirements {
            if requirement.category == Category::ImproperValue && !self.improper {
                continue;
            }
            let verdict = match requirement.prop.known() {
                Some(true) => continue,
                Some(false) => Verdict::Fails,
                None => self.context.decide(requirement.prop),
            };
            let parts = match (&verdict, requirement.prop.view()) {
                (Verdict::Depends { .. }, PropView::And(facts)) => {
                    facts.into_iter().map(|fact| (fact, self.context.decide(fact))).collect()
                }
                _ => Vec::new(),
            };
            let undecided = matches!(verdict, Verdict::Depends { .. } | Verdict::Unknown { .. });
            if undecided && requirement.category.binds() {
                let requirement = *requirement;
                self.take_for_granted(Assumption { place: place.clone(), operator, requirement });
            }
            let core = match (&verdict, requirement.prop.known()) {
                (Verdict::Fails, None) => self.core(requirement.prop),
                _ => Vec::new(),
            };
            open.push(Judged { requirement: *requirement, verdict, core, parts });
        }
        open
    }

    /// Decides requirements that stand outside any definition, and records them if one is open.
    pub fn state(
        &mut self,
        requirements: &[Requirement],
        operator: &'static str,
        inputs: Vec<(&'static str, Tensor)>,
        place: &Rc<Place>,
    ) {
        let open = self.judge(requirements, operator, place);
        if open.is_empty() {
            self.plain.requirements += requirements.len();
            return;
        }
        self.record.push(Entry {
            place: place.clone(),
            operator,
            inputs,
            read: Vec::new(),
            parameters: Vec::new(),
            outputs: Vec::new(),
            open,
            stated: requirements.len(),
            lost: Vec::new(),
            repairs: Vec::new(),
            told: Told::default(),
        });
    }

    /// Runs a definition, decides its requirements, and records the call.
    pub fn call(&mut self, mut call: Call, define: fn(&mut Call) -> Outcome, place: &Rc<Place>) -> Answer {
        if arena::is_used_up() {
            return self.not_followed(&call, place);
        }
        for tensors in &mut call.tensors {
            for tensor in tensors {
                *tensor = self.refined(*tensor);
            }
        }
        // What the front end states of the arguments stands before what the definition does.
        let of_arguments = call.requirements.len();
        let outcome = call.run(define);
        let open = self.judge(&call.requirements, call.operator.name, place);
        let violation = open.iter().find(|judged| judged.breaks()).map(|judged| judged.requirement);
        if violation.is_none() {
            self.suppose(call.supposed.iter().map(|&label| (label, place.clone())));
        }
        let mut lost = std::mem::take(&mut call.lost);
        let outputs = match outcome {
            Ok(outputs) if violation.is_none() => outputs,
            Ok(outputs) => outputs.into_iter().map(|output| after_failure(Some(output))).collect(),
            Err(Stop::Unknown(reason)) => {
                lost.push(reason);
                let promised = call.promised().filter(|_| violation.is_none());
                let rest = (promised.iter().len()..call.wanted).map(|_| after_failure(None));
                promised.into_iter().chain(rest).collect()
            }
            Err(Stop::Violated) => (0..call.wanted).map(|_| after_failure(None)).collect(),
        };
        if violation.is_none() && lost.is_empty() && self.made.is_some() {
            let inputs = call.tensors.iter().flatten().copied().collect();
            self.follow(place, call.operator.name, inputs, outputs.clone(), How::Called);
        }
        if open.is_empty() && lost.is_empty() {
            self.plain.calls += 1;
            self.plain.requirements += call.requirements.len();
            return Answer::Done(outputs);
        }
        let repairs = match violation {
            Some(requirement) if of_arguments_hold(&call, of_arguments) => {
                self.repairs(&call, define, &requirement)
            }
            _ => Vec::new(),
        };
        let outputs_of_entry = outputs.to_vec();
        self.record.push(Entry { outputs: outputs_of_entry, open, lost, repairs, ..Entry::of(&call, place) });
        violation.map_or(Answer::Done(outputs), Answer::Violated)
    }

    /// Notes how tensors came about, if somebody follows values.
    pub fn follow(
        &mut self,
        place: &Rc<Place>,
        operator: &'static str,
        inputs: SmallVec<[Tensor; 4]>,
        outputs: SmallVec<[Tensor; 2]>,
        how: How,
    ) {
        if let Some(made) = &mut self.made {
            let (place, guards) = (place.clone(), self.guards.elements.clone());
            let is_open = self.guards.open;
            let when = SmallVec::new();
            made.push(Made { place, operator, inputs, outputs, how, guards, when, rounds: None, is_open });
        }
    }
    /// Notes that a tensor is one of several, and under which conditions it is which.
    pub fn follow_one_of(
        &mut self,
        place: &Rc<Place>,
        operator: &'static str,
        inputs: SmallVec<[Tensor; 4]>,
        output: Tensor,
        when: SmallVec<[(Tensor, bool); 2]>,
    ) {
        self.follow(place, operator, inputs, [output].into_iter().collect(), How::OneOf);
        if let Some(last) = self.made.as_mut().and_then(|made| made.last_mut()) {
            last.when = when;
        }
    }
    /// Notes how a loop goes.
    pub fn follow_rounds(&mut self, place: &Rc<Place>, rounds: Rounds) {
        self.follow(place, "loop", SmallVec::new(), SmallVec::new(), How::OneOf);
        if let Some(last) = self.made.as_mut().and_then(|made| made.last_mut()) {
            last.rounds = Some(Rc::new(rounds));
        }
    }

    fn repairs(
        &self,
        call: &Call,
        define: fn(&mut Call) -> Outcome,
        requirement: &Requirement,
    ) -> Vec<Repair> {
        let facts: Vec<Prop> = self.assumed.iter().map(|assumption| assumption.requirement.prop).collect();
        Failing { define, requirement, facts: &facts, limits: self.context.limits() }.repairs(call)
    }

    /// Records a call that is left undecided because too much work was done before.
    fn not_followed(&mut self, call: &Call, place: &Rc<Place>) -> Answer {
        let outputs: SmallVec<[Tensor; 2]> = (0..call.wanted).map(|_| after_failure(None)).collect();
        self.record.push(Entry {
            place: place.clone(),
            operator: call.operator.name,
            inputs: Vec::new(),
            read: Vec::new(),
            parameters: Vec::new(),
            outputs: outputs.to_vec(),
            stated: 0,
            open: Vec::new(),
            lost: vec![arena::USED_UP.into()],
            repairs: Vec::new(),
            told: Told::default(),
        });
        Answer::Done(outputs)
    }

    /// The tensor with its rank filled in where a fact of this path gives it.
    pub fn refined(&self, tensor: Tensor) -> Tensor {
        if tensor.shape().known_rank().is_some() {
            return tensor;
        }
        let shape = self.context.simplify_shape(tensor.shape());
        if shape.id() == tensor.shape().id() { tensor } else { tensor.with_shape(shape) }
    }
}

fn of_arguments_hold(call: &Call, of_arguments: usize) -> bool {
    call.requirements[..of_arguments].iter().all(|requirement| requirement.prop.known() != Some(false))
}

fn spoken_parameters(call: &Call) -> Vec<Spoken> {
    let parameters = call.operator.parameters.iter().zip(&call.arguments);
    let spoken = parameters.filter_map(|(parameter, argument)| {
        let value = argument.clone().or_else(|| Argument::preset(parameter.default))?.to_string();
        Some(Spoken { name: parameter.name, value, given: argument.is_some() })
    });
    spoken.collect()
}

/// What is true of a tensor that is one where a condition holds and the other where not.
pub fn merge(condition: Prop, then: Tensor, otherwise: Tensor) -> Tensor {
    if then == otherwise {
        return then;
    }
    let dtype = match (then.dtype(), otherwise.dtype()) {
        (DType::Known(x), DType::Known(y)) if x == y => x.into(),
        _ => DType::unknown(),
    };
    let shape = match (then.shape().sizes(), otherwise.shape().sizes()) {
        (Some(x), Some(y)) if x.len() == y.len() => {
            Shape::new(x.iter().zip(&y).map(|(&x, &y)| Dim::select(condition, x, y)))
        }
        _ if then.shape().id() == otherwise.shape().id() => then.shape(),
        _ => Shape::unknown("branch"),
    };
    Tensor::given("branch", dtype, shape)
}

/// A stand-in for the result of a call that failed: nothing is claimed of it, so nothing follows from it.
fn after_failure(output: Option<Tensor>) -> Tensor {
    let dtype = output.map_or_else(DType::unknown, |output| output.dtype());
    Tensor::new(dtype, Shape::unknown("unknown"), Content::Given)
}
