//! Which loop or branch every node of a body belongs to, where control flow is spelled with single nodes
//! (Enter, Merge, Switch, NextIteration, Exit).

use super::body::{Body, Source, frame_name, is_enter, is_exit, is_merge, is_next, is_switch};
use rustc_hash::FxHashMap;

/// A context by number; 0 is the body itself.
pub type ContextId = u32;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Whole,
    /// Inside a loop, by its number.
    Frame(u32),
    /// Where a condition has one of its two values.
    Branch {
        condition: Source,
        taken: bool,
    },
}

pub struct Context {
    pub parent: ContextId,
    pub kind: Kind,
    depth: u32,
}

/// A loop.
#[derive(Default)]
pub struct Frame {
    pub variables: Vec<Variable>,
    /// What enters and stays the same.
    pub constants: Vec<u32>,
    /// What is asked before each round.
    pub condition: Option<Source>,
}

/// What a loop hands on from round to round; nodes by number.
pub struct Variable {
    pub merge: u32,
    pub enter: u32,
    pub next: Option<u32>,
    pub switches: Vec<u32>,
    pub exits: Vec<u32>,
}

#[derive(Default)]
pub struct Contexts {
    pub all: Vec<Context>,
    /// The context of each node; empty if the body has no such control flow.
    of_node: Vec<ContextId>,
    pub frames: Vec<Frame>,
    /// The frame of an exit.
    pub frame_of_exit: FxHashMap<u32, u32>,
    known: FxHashMap<(ContextId, Kind), ContextId>,
    /// Merges of branches: the condition, and the inputs for true and false.
    pub merges: FxHashMap<u32, Branches>,
}

/// What a merge takes from the two sides of a condition.
#[derive(Clone, Copy)]
pub struct Branches {
    pub condition: Source,
    pub then: Source,
    pub otherwise: Source,
}

impl Contexts {
    pub fn of(body: &Body) -> Contexts {
        let mut contexts = Contexts::default();
        contexts.all.push(Context { parent: 0, kind: Kind::Whole, depth: 0 });
        if body.nodes.iter().any(|node| is_switch(&node.op) || is_enter(&node.op)) {
            contexts.find_frames(body);
            contexts.place(body);
        }
        contexts
    }
    pub fn of_node(&self, node: u32) -> ContextId {
        self.of_node.get(node as usize).copied().unwrap_or(0)
    }
    pub fn parent(&self, context: ContextId) -> ContextId {
        self.all[context as usize].parent
    }
    /// Whether a context lies inside another one.
    pub fn is_inside(&self, mut inner: ContextId, outer: ContextId) -> bool {
        if inner == outer {
            return false;
        }
        while self.all[inner as usize].depth > self.all[outer as usize].depth {
            inner = self.parent(inner);
        }
        inner == outer
    }
    /// The context of a kind inside another one, if a node lies there.
    pub fn find(&self, parent: ContextId, kind: Kind) -> Option<ContextId> {
        self.known.get(&(parent, kind)).copied()
    }
    fn branch(&mut self, parent: ContextId, condition: Source, taken: bool) -> ContextId {
        self.child(parent, Kind::Branch { condition, taken })
    }
    fn frame(&mut self, parent: ContextId, frame: u32) -> ContextId {
        self.child(parent, Kind::Frame(frame))
    }
    fn child(&mut self, parent: ContextId, kind: Kind) -> ContextId {
        let depth = self.all[parent as usize].depth + 1;
        let all = &mut self.all;
        *self.known.entry((parent, kind)).or_insert_with(|| {
            all.push(Context { parent, kind, depth });
            all.len() as u32 - 1
        })
    }

    /// Loops, from how their nodes hang together.
    fn find_frames(&mut self, body: &Body) {
        let maker = |source: &Source| match source {
            Source::Node { node, .. } => Some(*node),
            _ => None,
        };
        let op = |node: u32| body.nodes[node as usize].op.as_str();
        let mut names: FxHashMap<&[u8], usize> = FxHashMap::default();
        let mut variable_of: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
        let mut merged = std::collections::BTreeSet::new();
        for merge in (0..body.nodes.len() as u32).filter(|&node| is_merge(op(node))) {
            let inputs: Vec<u32> = body.inputs[merge as usize].iter().filter_map(maker).collect();
            let Some(&enter) = inputs.iter().find(|&&node| is_enter(op(node))) else { continue };
            let frame = *names.entry(frame_name(body.nodes[enter as usize])).or_insert_with(|| {
                self.frames.push(Frame::default());
                self.frames.len() - 1
            });
            let next = inputs.iter().copied().find(|&node| is_next(op(node)));
            let (switches, exits) = (Vec::new(), Vec::new());
            let variables = &mut self.frames[frame].variables;
            variable_of.insert(merge, (frame, variables.len()));
            merged.insert(enter);
            variables.push(Variable { merge, enter, next, switches, exits });
        }
        for enter in
            (0..body.nodes.len() as u32).filter(|&node| is_enter(op(node)) && !merged.contains(&node))
        {
            if let Some(&frame) = names.get(frame_name(body.nodes[enter as usize])) {
                self.frames[frame].constants.push(enter);
            }
        }
        let mut switched: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
        for switch in (0..body.nodes.len() as u32).filter(|&node| is_switch(op(node))) {
            let inputs = &body.inputs[switch as usize];
            let condition = inputs.get(1).and_then(maker).filter(|&node| op(node) == "LoopCond");
            let variable = inputs.first().and_then(maker).and_then(|merge| variable_of.get(&merge).copied());
            let (Some(condition), Some((frame, variable))) = (condition, variable) else { continue };
            self.frames[frame].variables[variable].switches.push(switch);
            self.frames[frame].condition = body.inputs[condition as usize].first().copied();
            switched.insert(switch, (frame, variable));
        }
        for exit in (0..body.nodes.len() as u32).filter(|&node| is_exit(op(node))) {
            let switch = body.inputs[exit as usize].first().and_then(maker);
            let Some(&(frame, variable)) = switch.and_then(|switch| switched.get(&switch)) else { continue };
            self.frames[frame].variables[variable].exits.push(exit);
            self.frame_of_exit.insert(exit, frame as u32);
        }
    }

    /// Walks through the nodes in order: each lies where the innermost of its inputs lie.
    fn place(&mut self, body: &Body) {
        let mut frame_of: FxHashMap<u32, u32> = FxHashMap::default();
        let mut loop_nodes = rustc_hash::FxHashSet::default();
        for (number, frame) in self.frames.iter().enumerate() {
            let entering =
                frame.variables.iter().map(|variable| variable.enter).chain(frame.constants.iter().copied());
            frame_of.extend(entering.map(|enter| (enter, number as u32)));
            loop_nodes.extend(
                frame
                    .variables
                    .iter()
                    .flat_map(|variable| variable.switches.iter().copied().chain([variable.merge])),
            );
        }
        self.of_node = vec![0; body.nodes.len()];
        for &node in &body.order {
            let op = body.nodes[node as usize].op.as_str();
            let own = body.inputs[node as usize].clone();
            let mut innermost = 0;
            let mut sides = Vec::new();
            for source in &own {
                let Source::Node { node: maker, output } = *source else {
                    sides.push(0);
                    continue;
                };
                let context = self.given(body, maker, output, &frame_of, &loop_nodes);
                sides.push(context);
                if self.all[context as usize].depth > self.all[innermost as usize].depth {
                    innermost = context;
                }
            }
            for &control in &body.controls[node as usize] {
                let context = match is_switch(&body.nodes[control as usize].op) {
                    true => self.of_node[control as usize],
                    false => self.given(body, control, 0, &frame_of, &loop_nodes),
                };
                if self.all[context as usize].depth > self.all[innermost as usize].depth {
                    innermost = context;
                }
            }
            if is_merge(op) && !loop_nodes.contains(&node) {
                let branch =
                    sides.iter().enumerate().find_map(|(k, &side)| match self.all[side as usize].kind {
                        Kind::Branch { condition, taken } => Some((k, side, condition, taken)),
                        _ => None,
                    });
                if let (Some((k, side, condition, taken)), [a, b]) = (branch, own.as_slice()) {
                    let first_is_true = taken == (k == 0);
                    let (then, otherwise) = if first_is_true { (*a, *b) } else { (*b, *a) };
                    self.merges.insert(node, Branches { condition, then, otherwise });
                    innermost = self.parent(side);
                }
            }
            self.of_node[node as usize] = innermost;
        }
    }

    /// The context in which an output of a node can be used.
    fn given(
        &mut self,
        body: &Body,
        node: u32,
        output: u32,
        frame_of: &FxHashMap<u32, u32>,
        loop_nodes: &rustc_hash::FxHashSet<u32>,
    ) -> ContextId {
        let context = self.of_node[node as usize];
        let op = body.nodes[node as usize].op.as_str();
        if let Some(&frame) = frame_of.get(&node) {
            return self.frame(context, frame);
        }
        if is_exit(op) && self.frame_of_exit.contains_key(&node) {
            // It lies in its loop, or in a branch of one that never ends.
            return self.parent(context);
        }
        if is_switch(op)
            && !loop_nodes.contains(&node)
            && let Some(&condition) = body.inputs[node as usize].get(1)
        {
            return self.branch(context, origin(body, condition), output == 1);
        }
        context
    }
}

/// The condition behind copies of it.
fn origin(body: &Body, mut source: Source) -> Source {
    for _ in 0..64 {
        match source {
            Source::Node { node, .. } if body.nodes[node as usize].op == "Identity" => {
                match body.inputs[node as usize].first() {
                    Some(&before) => source = before,
                    None => return source,
                }
            }
            _ => return source,
        }
    }
    source
}
