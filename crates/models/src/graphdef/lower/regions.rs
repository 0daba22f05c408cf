//! Control flow as regions: branches that meet, loops, and their functional forms.

use super::super::body::{Source, is_enter, is_next, is_switch};
use super::super::contexts::{Branches, ContextId, Kind};
use super::super::proto::attr_value::Value as Attribute;
use super::{DEEPEST, Environment, Lowering, MOST_COPIED, Prepared};
use program::ir::{self, Action, If, Loop, ValueId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a loop is made of.
struct Parts {
    asked: Option<ValueId>,
    starts: ValueId,
    again: ValueId,
    nodes: Vec<ir::Node>,
    /// What is carried: before the loop, in a round, at its end, and after the loop.
    carried: Vec<ValueId>,
    held: Vec<ValueId>,
    handed: Vec<ValueId>,
    outputs: Vec<Option<ValueId>>,
}

impl<'g> Lowering<'g> {
    /// Writes a node that is part of control flow; whether it was one.
    pub(super) fn flowing(
        &mut self,
        environment: &mut Environment<'g>,
        context: ContextId,
        node: u32,
        into: &mut Vec<ir::Node>,
    ) -> bool {
        let op = environment.node(node).op.as_str();
        let prepared = environment.prepared.clone();
        if is_enter(op) || is_next(op) || op == "LoopCond" {
            self.pass_on(environment, node, 1);
        } else if is_switch(op) {
            self.pass_on(environment, node, 2);
        } else if let Some(&branches) = prepared.contexts.merges.get(&node) {
            self.meeting(environment, context, node, branches, into);
        } else if let Some(&frame) = prepared.contexts.frame_of_exit.get(&node) {
            if environment.find(node, 0).is_none() {
                self.repeated(environment, context, frame, node, into);
            }
        } else {
            return false;
        }
        true
    }

    /// The outputs of a node are its first input.
    pub(super) fn pass_on(&mut self, environment: &mut Environment<'g>, node: u32, outputs: u32) {
        let source = environment.inputs(node).first().copied().unwrap_or(Source::Missing);
        let value = self.taken(environment, source);
        for output in 0..outputs {
            environment.bind(node, output, value);
        }
    }

    fn is_exhausted(&self) -> bool {
        self.depth >= DEEPEST || self.copied > MOST_COPIED
    }

    fn given_up(&mut self, environment: &mut Environment<'g>, node: u32, into: &mut Vec<ir::Node>) {
        let reason = Some("control flow lies too deep in itself".to_string());
        let action = self.unknown(environment, node, reason);
        let outputs = vec![Some(self.output(environment, node, 0))];
        let place = self.place(environment, node);
        into.push(ir::Node { place, action, outputs, faults: Vec::new(), remarks: Vec::new() });
    }

    /// Branches that meet: the one region or the other. Merges of the same condition whose branches need nothing that
    /// is still to come are written together.
    fn meeting(
        &mut self,
        environment: &mut Environment<'g>,
        context: ContextId,
        node: u32,
        branches: Branches,
        into: &mut Vec<ir::Node>,
    ) {
        if environment.find(node, 0).is_some() {
            return;
        }
        if self.is_exhausted() {
            return self.given_up(environment, node, into);
        }
        let prepared = environment.prepared.clone();
        let mut together = vec![(node, branches)];
        for (&other, branches) in &prepared.contexts.merges {
            let same = branches.condition == together[0].1.condition
                && prepared.contexts.of_node(other) == prepared.contexts.of_node(node);
            if other != node
                && same
                && environment.find(other, 0).is_none()
                && self.is_ready(environment, context, branches)
            {
                together.push((other, *branches));
            }
        }
        together[1..].sort_unstable_by_key(|(node, _)| prepared.rank[*node as usize]);
        let condition = self.taken(environment, branches.condition);
        let mut region = |lowering: &mut Self, taken: bool| {
            let targets: Vec<Source> = together
                .iter()
                .map(|(_, branches)| if taken { branches.then } else { branches.otherwise })
                .collect();
            let kind = Kind::Branch { condition: branches.condition, taken };
            let inner = prepared.contexts.find(prepared.contexts.of_node(node), kind).unwrap_or(context);
            lowering.region(environment, inner, &targets)
        };
        let (then, otherwise) = (region(self, true), region(self, false));
        let outputs = together.iter().map(|(merge, _)| Some(self.output(environment, *merge, 0))).collect();
        for (merge, _) in together.iter().filter(|(merge, _)| prepared.body.used[*merge as usize] > 1) {
            // Which of the inputs it was is seldom asked; it is a value that nobody makes.
            self.output(environment, *merge, 1);
        }
        let action = Action::If(Box::new(If { condition, then, otherwise }));
        let place = self.place(environment, node);
        into.push(ir::Node { place, action, outputs, faults: Vec::new(), remarks: Vec::new() });
    }

    /// Whether everything that the branches take from outside is there already.
    fn is_ready(&self, environment: &Environment<'g>, context: ContextId, branches: &Branches) -> bool {
        let prepared = &environment.prepared;
        let needed =
            super::needed(environment, prepared, &[branches.condition, branches.then, branches.otherwise]);
        needed.iter().all(|&node| prepared.contexts.is_inside(prepared.contexts.of_node(node), context))
    }

    /// A region that gives some values, on its own scope.
    fn region(
        &mut self,
        environment: &mut Environment<'g>,
        context: ContextId,
        targets: &[Source],
    ) -> ir::Graph {
        environment.scopes.push(FxHashMap::default());
        self.depth += 1;
        let mut nodes = Vec::new();
        self.demand(environment, context, targets, &mut nodes);
        let outputs = targets.iter().map(|&target| self.taken(environment, target)).collect();
        self.depth -= 1;
        environment.scopes.pop();
        ir::Graph { inputs: Vec::new(), constants: Vec::new(), nodes, outputs }
    }

    /// A loop of single nodes, written where the first of its results is wanted.
    fn repeated(
        &mut self,
        environment: &mut Environment<'g>,
        context: ContextId,
        frame: u32,
        node: u32,
        into: &mut Vec<ir::Node>,
    ) {
        let prepared = environment.prepared.clone();
        let frame_id = frame;
        let frame = &prepared.contexts.frames[frame as usize];
        let (Some(condition), false) = (frame.condition, self.is_exhausted()) else {
            return self.given_up(environment, node, into);
        };
        let inner =
            prepared.contexts.find(context, Kind::Frame(frame_id)).unwrap_or(prepared.contexts.of_node(node));
        for &enter in &frame.constants {
            self.pass_on(environment, enter, 1);
        }
        let carried: Vec<ValueId> = frame
            .variables
            .iter()
            .map(|variable| {
                let source = environment.inputs(variable.enter).first().copied().unwrap_or(Source::Missing);
                self.taken(environment, source)
            })
            .collect();
        self.depth += 1;
        let starts = self.asked(environment, inner, &prepared, frame_id, &carried, condition, into);
        // One round: what is carried goes in, what is handed on comes out, and the condition is asked again.
        environment.scopes.push(FxHashMap::default());
        let round = self.value("round", None);
        let running = self.value("condition", None);
        let held: Vec<ValueId> = frame
            .variables
            .iter()
            .map(|variable| {
                let value = self.output(environment, variable.merge, 0);
                for &switch in &variable.switches {
                    environment.bind(switch, 0, value);
                    environment.bind(switch, 1, value);
                }
                value
            })
            .collect();
        let targets: Vec<Source> = frame
            .variables
            .iter()
            .map(|variable| match variable.next {
                Some(next) => environment.inputs(next).first().copied().unwrap_or(Source::Missing),
                None => Source::Node { node: variable.merge, output: 0 },
            })
            .collect();
        let mut nodes = Vec::new();
        self.lists.hand_on(&carried, &held);
        self.demand(environment, inner, &[condition], &mut nodes);
        let asked = Some(self.taken(environment, condition));
        self.demand(environment, inner, &targets, &mut nodes);
        let handed: Vec<ValueId> = targets.iter().map(|&target| self.taken(environment, target)).collect();
        // The condition of the next round sees what is handed on, and nothing of this round's copies.
        let this_round = environment.scopes.pop().unwrap_or_default();
        let again = self.asked(environment, inner, &prepared, frame_id, &handed, condition, &mut nodes);
        drop(this_round);
        self.depth -= 1;
        let outputs = frame
            .variables
            .iter()
            .map(|variable| {
                let (&first, others) = variable.exits.split_first()?;
                let value = self.output(environment, first, 0);
                others.iter().for_each(|&exit| environment.bind(exit, 0, value));
                Some(value)
            })
            .collect();
        let parts = Parts { asked, starts, again, nodes, carried, held, handed, outputs };
        let (action, outputs) = self.looped(round, running, parts);
        let place = self.place(environment, node);
        into.push(ir::Node { place, action, outputs, faults: Vec::new(), remarks: Vec::new() });
    }

    /// A loop. Lists that get an element in every round are collected rather than carried.
    fn looped(&mut self, round: ValueId, running: ValueId, parts: Parts) -> (Action, Vec<Option<ValueId>>) {
        let Parts { asked, starts, again, nodes, carried, held, handed, outputs } = parts;
        let collected = self.lists.collected(&carried, &held, &handed);
        let kept = |values: &[ValueId]| -> Vec<ValueId> {
            let kept = values.iter().zip(&collected).filter(|(_, element)| element.is_none());
            kept.map(|(value, _)| *value).collect()
        };
        let elements: Vec<ValueId> = collected.iter().flatten().copied().collect();
        let body = ir::Graph {
            inputs: [round, running].into_iter().chain(kept(&held)).collect(),
            constants: Vec::new(),
            nodes,
            outputs: [again].into_iter().chain(kept(&handed)).chain(elements).collect(),
        };
        let of = |is_collected: bool| {
            let own =
                outputs.iter().zip(&collected).filter(move |(_, element)| element.is_some() == is_collected);
            own.map(|(output, _)| *output)
        };
        let ordered: Vec<Option<ValueId>> = of(false).chain(of(true)).collect();
        of(true).flatten().for_each(|list| self.lists.is_collected(list));
        let carried = kept(&carried);
        let action =
            Action::Loop(Box::new(Loop { asked, rounds: None, condition: Some(starts), carried, body }));
        (action, ordered)
    }

    /// The condition of a loop for some values of what it carries.
    #[expect(clippy::too_many_arguments, reason = "a region, its place and what is asked there")]
    fn asked(
        &mut self,
        environment: &mut Environment<'g>,
        inner: ContextId,
        prepared: &Rc<Prepared<'g>>,
        frame: u32,
        carried: &[ValueId],
        condition: Source,
        into: &mut Vec<ir::Node>,
    ) -> ValueId {
        environment.scopes.push(FxHashMap::default());
        for (variable, &value) in prepared.contexts.frames[frame as usize].variables.iter().zip(carried) {
            environment.bind(variable.merge, 0, value);
        }
        self.demand(environment, inner, &[condition], into);
        let asked = self.taken(environment, condition);
        environment.scopes.pop();
        asked
    }

    /// `If` and `StatelessIf`: the branches are functions.
    pub(super) fn conditional(
        &mut self,
        environment: &mut Environment<'g>,
        node: u32,
        into: &mut Vec<ir::Node>,
    ) {
        let own = environment.node(node);
        let mut given = self.all_taken(environment, node);
        let branch = |name: &str| match environment.attribute(own, name) {
            Some(Attribute::Func(function)) => Some(&**function),
            _ => None,
        };
        let branches = (branch("then_branch"), branch("else_branch"));
        let (Some(then), Some(otherwise), false) = (branches.0, branches.1, given.is_empty()) else {
            return self.given_up(environment, node, into);
        };
        let condition = given.remove(0);
        let prefix = format!("{}{}/", environment.prefix, own.name);
        let region = |lowering: &mut Self, function: &'g super::super::proto::NameAttrList| {
            let mut nodes = Vec::new();
            let outputs =
                lowering.expanded(&function.name, &function.attr, &given, prefix.clone(), &mut nodes)?;
            Some(ir::Graph { inputs: Vec::new(), constants: Vec::new(), nodes, outputs })
        };
        let (then, otherwise) = (region(self, then), region(self, otherwise));
        let (Some(then), Some(otherwise)) = (then, otherwise) else {
            return self.given_up(environment, node, into);
        };
        let count = then.outputs.len().min(otherwise.outputs.len()) as u32;
        let outputs = (0..count).map(|k| Some(self.output(environment, node, k))).collect();
        let action = Action::If(Box::new(If { condition, then, otherwise }));
        let place = self.place(environment, node);
        into.push(ir::Node { place, action, outputs, faults: Vec::new(), remarks: Vec::new() });
    }

    /// `While` and `StatelessWhile`: condition and body are functions of what is carried.
    pub(super) fn functional_loop(
        &mut self,
        environment: &mut Environment<'g>,
        node: u32,
        into: &mut Vec<ir::Node>,
    ) {
        let own = environment.node(node);
        let carried = self.all_taken(environment, node);
        let part = |name: &str| match environment.attribute(own, name) {
            Some(Attribute::Func(function)) => Some(&**function),
            _ => None,
        };
        let (Some(condition), Some(body)) = (part("cond"), part("body")) else {
            return self.given_up(environment, node, into);
        };
        let prefix = format!("{}{}/", environment.prefix, own.name);
        let ask = |lowering: &mut Self, carried: &[ValueId], into: &mut Vec<ir::Node>| {
            let asked = lowering.expanded(&condition.name, &condition.attr, carried, prefix.clone(), into)?;
            asked.first().copied()
        };
        let Some(starts) = ask(self, &carried, into) else { return self.given_up(environment, node, into) };
        let (round, running) = (self.value("round", None), self.value("condition", None));
        let held: Vec<ValueId> =
            (0..carried.len()).map(|k| self.value(format!("{prefix}carried.{k}"), None)).collect();
        let mut nodes = Vec::new();
        self.lists.hand_on(&carried, &held);
        let asked = ask(self, &held, &mut nodes);
        let handed = self.expanded(&body.name, &body.attr, &held, prefix.clone(), &mut nodes);
        let Some(handed) = handed.filter(|handed| handed.len() == carried.len()) else {
            return self.given_up(environment, node, into);
        };
        let Some(again) = ask(self, &handed, &mut nodes) else {
            return self.given_up(environment, node, into);
        };
        let outputs = (0..carried.len() as u32).map(|k| Some(self.output(environment, node, k))).collect();
        let parts = Parts { asked, starts, again, nodes, carried, held, handed, outputs };
        let (action, outputs) = self.looped(round, running, parts);
        let place = self.place(environment, node);
        into.push(ir::Node { place, action, outputs, faults: Vec::new(), remarks: Vec::new() });
    }
}
