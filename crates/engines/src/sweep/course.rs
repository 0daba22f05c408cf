//! One path of a program as the steps that a vector passes, or not.

use super::{Cause, Domain};
use semantics::prop::Prop;
use solver::{Compiled, Node};

/// What a path asks of a vector, in the order in which a run asks it.
#[derive(Clone, Debug)]
pub struct Course {
    /// Parts of all steps, each after those it is made of.
    pub(super) nodes: Vec<Node>,
    /// For each leaf among them its hyper-parameter, if it is one.
    pub(super) leaves: Vec<Option<usize>>,
    /// For each part: whether it depends on something that is no hyper-parameter.
    is_foreign: Vec<bool>,
    pub steps: Vec<Step>,
    pub ending: Ending,
    /// Whether some vectors go a way that nobody has followed.
    pub leaves_out: bool,
    /// What is taken for granted of values that only the run will tell, in words.
    pub granted: Vec<String>,
}

/// One thing that is asked of a vector.
#[derive(Clone, Debug)]
pub struct Step {
    /// The statement, by its part.
    pub(super) node: u32,
    pub kind: StepKind,
}

#[derive(Clone, Debug)]
pub enum StepKind {
    /// The program goes another way where it does not hold.
    Decision,
    /// As a decision, and nobody has followed the other way.
    Followed,
    /// The program fails where it does not hold, and this is why.
    Requirement(Cause),
    /// The program runs where it does not hold, and is hardly meant to.
    Remark(Cause),
    /// Where it does not hold, there is no such vector in the space.
    Membership,
}

/// What becomes of a vector that has passed all steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Valid,
    Fails(Cause),
    /// Another course tells.
    Elsewhere,
    /// Nobody knows, and why.
    Unknown(String),
}

/// A course that is being read, in the arena of its statements.
pub struct Reading<'d> {
    domains: &'d [Domain],
    compiled: Compiled,
    steps: Vec<(usize, StepKind)>,
}

impl Reading<'_> {
    /// A course over hyper-parameters that are symbols with the names of the domains.
    pub fn new(domains: &[Domain]) -> Reading<'_> {
        Reading { domains, compiled: Compiled::default(), steps: Vec::new() }
    }
    fn step(&mut self, statement: Prop, kind: StepKind) {
        let number = self.compiled.add(statement);
        self.steps.push((number, kind));
    }
    /// The program goes on only where a statement holds.
    pub fn decide(&mut self, statement: Prop) {
        self.step(statement, StepKind::Decision);
    }
    /// The program fails where a statement does not hold.
    pub fn require(&mut self, statement: Prop, cause: Cause) {
        self.step(statement, StepKind::Requirement(cause));
    }
    /// The program runs where a statement does not hold, and is hardly meant to.
    pub fn remark(&mut self, statement: Prop, cause: Cause) {
        self.step(statement, StepKind::Remark(cause));
    }
    /// The space has no vector for which a statement does not hold.
    pub fn belong(&mut self, statement: Prop) {
        self.step(statement, StepKind::Membership);
    }
    /// Only where a statement holds is it known what the program does.
    pub fn follow(&mut self, statement: Prop) {
        self.step(statement, StepKind::Followed);
    }
    pub fn end(self, ending: Ending) -> Course {
        let Reading { domains, compiled, steps } = self;
        let place = |name: String| domains.iter().position(|domain| domain.name == name);
        let leaves: Vec<Option<usize>> =
            compiled.leaves.iter().map(|leaf| place(leaf.dim().to_string())).collect();
        let nodes = compiled.nodes().to_vec();
        let mut is_foreign: Vec<bool> = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let mut foreign = match node {
                Node::Leaf(leaf) => leaves[*leaf as usize].is_none(),
                Node::Free(_) | Node::Opaque => true,
                _ => false,
            };
            inner(node, &mut |part| foreign |= is_foreign[part as usize]);
            is_foreign.push(foreign);
        }
        let steps = steps.into_iter().map(|(number, kind)| Step { node: compiled.node_of(number), kind });
        // What has nothing to do with the hyper-parameters is taken as it was followed.
        let is_kept =
            |step: &Step| !(matches!(step.kind, StepKind::Followed) && is_foreign[step.node as usize]);
        let steps: Vec<Step> = steps.filter(is_kept).collect();
        let leaves_out = steps.iter().any(|step| matches!(step.kind, StepKind::Followed));
        Course { nodes, leaves, is_foreign, steps, ending, leaves_out, granted: Vec::new() }
    }
}

impl Course {
    pub(super) fn is_foreign(&self, step: &Step) -> bool {
        self.is_foreign[step.node as usize]
    }
    /// What is taken for granted because it depends on more than the hyper-parameters.
    pub fn supposed(&self) -> impl Iterator<Item = &Cause> {
        self.steps.iter().filter_map(|step| match &step.kind {
            StepKind::Requirement(cause) if self.is_foreign(step) => Some(cause),
            _ => None,
        })
    }
    /// Supposes nothing: what would be valid if something were supposed is not known, for this reason.
    pub fn doubt(&mut self, why: &str) {
        let cause = self.supposed().next().map(|cause| format!("{} ({})", cause.label, cause.place));
        let Some(cause) = cause.or_else(|| self.granted.first().cloned()) else { return };
        if matches!(self.ending, Ending::Valid) {
            self.ending = Ending::Unknown(format!("whether {cause}: {why}"));
        }
    }
    /// Whether a decision depends on more than the hyper-parameters: nobody knows which way a vector goes.
    pub fn is_open(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.kind, StepKind::Decision) && self.is_foreign(step))
    }
    /// Which hyper-parameters the step depends on, by their number.
    pub fn mentioned(&self, step: &Step) -> Vec<usize> {
        let mut wanted = vec![false; self.nodes.len()];
        wanted[step.node as usize] = true;
        let mut found = Vec::new();
        for place in (0..=step.node as usize).rev() {
            if !wanted[place] {
                continue;
            }
            if let Node::Leaf(leaf) = &self.nodes[place] {
                found.extend(self.leaves[*leaf as usize]);
            }
            inner(&self.nodes[place], &mut |part| wanted[part as usize] = true);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Looks at what a part is made of.
pub(super) fn inner(node: &Node, see: &mut dyn FnMut(u32)) {
    match node {
        Node::Constant(_) | Node::Leaf(_) | Node::Free(_) | Node::Opaque => {}
        Node::Sum { terms, .. } => terms.iter().flat_map(|(_, factors)| factors).for_each(|&part| see(part)),
        Node::Div(a, b)
        | Node::Mod(a, b)
        | Node::Min(a, b)
        | Node::Max(a, b)
        | Node::Equal(a, b)
        | Node::AtMost(a, b) => [*a, *b].into_iter().for_each(see),
        Node::Select(p, a, b) => [*p, *a, *b].into_iter().for_each(see),
        Node::And(parts) | Node::Or(parts) => parts.iter().for_each(|&part| see(part)),
        Node::Not(part) => see(*part),
    }
}
