//! A graph or the body of a function, with its references resolved and its nodes in an order in which every value is
//! made before it is used.

use super::proto::{FunctionDef, NodeDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Where an input comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    Node {
        node: u32,
        output: u32,
    },
    /// An argument of the function.
    Argument(u32),
    /// Nobody makes it.
    Missing,
}

pub struct Body<'g> {
    pub nodes: Vec<&'g NodeDef>,
    /// Per node, its data inputs and the nodes that it only has to come after.
    pub inputs: Vec<SmallVec<[Source; 3]>>,
    pub controls: Vec<SmallVec<[u32; 1]>>,
    /// Per node, how many outputs somebody uses.
    pub used: Vec<u32>,
    /// The order of the file as far as every value is made before it is used.
    pub order: Vec<u32>,
    /// What a function gives.
    pub results: Vec<Source>,
    pub index: FxHashMap<&'g str, u32>,
    /// What is wrong with it: the node and what is said of it.
    pub problems: Vec<(String, String)>,
}

/// How many problems of one body are told.
const MOST_PROBLEMS: usize = 100;

impl<'g> Body<'g> {
    pub fn of_graph(nodes: &'g [NodeDef]) -> Body<'g> {
        Body::new(nodes, &[], None)
    }

    pub fn of_function(function: &'g FunctionDef) -> Body<'g> {
        let signature = function.signature.as_ref();
        let arguments: Vec<&str> = signature
            .map_or_else(Vec::new, |own| own.input_arg.iter().map(|argument| &*argument.name).collect());
        Body::new(&function.node_def, &arguments, Some(function))
    }

    fn new(nodes: &'g [NodeDef], arguments: &[&'g str], function: Option<&'g FunctionDef>) -> Body<'g> {
        let mut index = FxHashMap::default();
        let mut problems = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            if index.insert(&*node.name, number as u32).is_some() {
                problems.push((described(node), "another node has the same name".to_string()));
            }
        }
        let arguments: FxHashMap<&str, u32> =
            arguments.iter().enumerate().map(|(k, name)| (*name, k as u32)).collect();
        let mut body = Body {
            nodes: nodes.iter().collect(),
            inputs: Vec::with_capacity(nodes.len()),
            controls: Vec::with_capacity(nodes.len()),
            used: vec![0; nodes.len()],
            order: Vec::new(),
            results: Vec::new(),
            index,
            problems,
        };
        let mut unnamed = Unnamed::default();
        for node in nodes {
            let (mut inputs, mut controls) = (SmallVec::new(), SmallVec::new());
            for text in &node.input {
                match text.strip_prefix('^') {
                    Some(name) => match body.index.get(name) {
                        Some(&number) => controls.push(number),
                        None if arguments.contains_key(name) => {}
                        None => body.missing(node, name),
                    },
                    None => {
                        let source = body.source(text, &arguments, function.is_some(), &mut unnamed);
                        if source == Source::Missing {
                            body.missing(node, text);
                        }
                        inputs.push(source);
                    }
                }
            }
            body.inputs.push(inputs);
            body.controls.push(controls);
        }
        for result in
            function.and_then(|function| function.signature.as_ref()).into_iter().flat_map(|s| &s.output_arg)
        {
            let text =
                function.and_then(|function| function.ret.get(&result.name)).cloned().unwrap_or_default();
            let source = body.source(&text, &arguments, true, &mut unnamed);
            if source == Source::Missing {
                body.problems
                    .push((format!("result `{}`", result.name), format!("nothing is called `{text}`")));
            }
            body.results.push(source);
        }
        body.sort();
        body.problems.truncate(MOST_PROBLEMS);
        body
    }

    fn missing(&mut self, node: &NodeDef, text: &str) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems
                .push((described(node), format!("takes `{text}`, which no node of the graph gives")));
        }
    }

    /// Reads `name`, `name:1`, and inside functions `name:output:0`.
    fn source(
        &mut self,
        text: &str,
        arguments: &FxHashMap<&str, u32>,
        inside: bool,
        unnamed: &mut Unnamed,
    ) -> Source {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        if inside && let Some(&argument) = arguments.get(name) {
            return Source::Argument(argument);
        }
        let Some(&node) = self.index.get(name) else { return Source::Missing };
        let output = match (parts.next(), parts.next()) {
            (None, _) => Some(0),
            (Some(number), None) => number.parse().ok(),
            (Some(named), Some(number)) => number.parse().ok().and_then(|number: u32| {
                output_position(&self.nodes[node as usize].op, named, unnamed, node).checked_add(number)
            }),
        };
        // No operator has so many outputs that a list of them would be worth making.
        let Some(output) = output.filter(|&output| output < 1 << 16) else { return Source::Missing };
        let used = &mut self.used[node as usize];
        *used = (*used).max(output + 1);
        Source::Node { node, output }
    }

    /// What must come before a node. A loop goes back to its merge: what is handed on belongs before its exits.
    fn needs(&self, node: u32, frames: &Frames) -> Vec<u32> {
        let own = &self.inputs[node as usize];
        let made = own.iter().filter_map(|source| match source {
            Source::Node { node, .. } => Some(*node),
            _ => None,
        });
        let is_merge = is_merge(&self.nodes[node as usize].op);
        let before = made.filter(|&input| !is_merge || !is_next(&self.nodes[input as usize].op));
        let mut needs: Vec<u32> = before.chain(self.controls[node as usize].iter().copied()).collect();
        if let Some(&frame) = frames.of_exit.get(&node) {
            needs.extend(&frames.members[frame]);
        }
        needs
    }

    /// Depth first, in the order of the file. Nodes that wait for each other are told as a problem.
    fn sort(&mut self) {
        let frames = Frames::of(self);
        let count = self.nodes.len();
        // 0: not met; 1: waiting for what it needs; 2: done.
        let mut state = vec![0u8; count];
        let mut order = Vec::with_capacity(count);
        let mut cycles = Vec::new();
        for start in 0..count as u32 {
            if state[start as usize] != 0 {
                continue;
            }
            state[start as usize] = 1;
            let mut stack = vec![(start, self.needs(start, &frames), 0)];
            while let Some((node, needs, looked)) = stack.last_mut() {
                let Some(&needed) = needs.get(*looked) else {
                    state[*node as usize] = 2;
                    order.push(*node);
                    stack.pop();
                    continue;
                };
                *looked += 1;
                match state[needed as usize] {
                    0 => {
                        state[needed as usize] = 1;
                        stack.push((needed, self.needs(needed, &frames), 0));
                    }
                    1 => {
                        let from = stack.iter().position(|(node, ..)| *node == needed).unwrap_or(0);
                        cycles.push(stack[from..].iter().map(|(node, ..)| *node).collect::<Vec<_>>());
                    }
                    _ => {}
                }
            }
        }
        if let Some(cycle) = cycles.first() {
            let names: Vec<String> =
                cycle.iter().take(6).map(|&node| format!("`{}`", self.nodes[node as usize].name)).collect();
            let more = if cycle.len() > 6 { format!(" and {} more", cycle.len() - 6) } else { String::new() };
            let message = format!("waits for itself, over {}{more}", names.join(", "));
            self.problems.push((described(self.nodes[cycle[0] as usize]), message));
        }
        self.order = order;
    }
}

pub fn described(node: &NodeDef) -> String {
    format!("{} `{}`", node.op, node.name)
}

pub fn is_merge(op: &str) -> bool {
    matches!(op, "Merge" | "RefMerge")
}
pub fn is_next(op: &str) -> bool {
    matches!(op, "NextIteration" | "RefNextIteration")
}
pub fn is_enter(op: &str) -> bool {
    matches!(op, "Enter" | "RefEnter")
}
pub fn is_exit(op: &str) -> bool {
    matches!(op, "Exit" | "RefExit")
}
pub fn is_switch(op: &str) -> bool {
    matches!(op, "Switch" | "RefSwitch")
}

/// The loops of a body as far as the order of its nodes needs them.
#[derive(Default)]
struct Frames {
    of_exit: FxHashMap<u32, usize>,
    /// Per frame, what enters it and what is handed on.
    members: Vec<Vec<u32>>,
}

impl Frames {
    fn of(body: &Body) -> Frames {
        let mut frames = Frames::default();
        if !body.nodes.iter().any(|node| is_exit(&node.op)) {
            return frames;
        }
        let mut names: FxHashMap<&[u8], usize> = FxHashMap::default();
        for (number, node) in body.nodes.iter().enumerate().filter(|(_, node)| is_enter(&node.op)) {
            let frame = *names.entry(frame_name(node)).or_insert_with(|| {
                frames.members.push(Vec::new());
                frames.members.len() - 1
            });
            frames.members[frame].push(number as u32);
        }
        let maker = |node: u32, input: usize| match body.inputs[node as usize].get(input) {
            Some(Source::Node { node, .. }) => Some(*node),
            _ => None,
        };
        let frame_of_merge = |merge: u32| {
            let inputs = 0..body.inputs[merge as usize].len();
            let enter =
                inputs.filter_map(|k| maker(merge, k)).find(|&k| is_enter(&body.nodes[k as usize].op))?;
            names.get(frame_name(body.nodes[enter as usize])).copied()
        };
        for (number, node) in body.nodes.iter().enumerate() {
            let number = number as u32;
            if is_merge(&node.op)
                && let Some(frame) = frame_of_merge(number)
            {
                let next = (0..body.inputs[number as usize].len()).filter_map(|k| maker(number, k));
                frames.members[frame].extend(next.filter(|&k| is_next(&body.nodes[k as usize].op)));
            }
            if is_exit(&node.op)
                && let Some(merge) = maker(number, 0).and_then(|switch| maker(switch, 0))
                && let Some(frame) = frame_of_merge(merge)
            {
                frames.of_exit.insert(number, frame);
            }
        }
        frames
    }
}

/// The name of the loop that a node enters.
pub fn frame_name(node: &NodeDef) -> &[u8] {
    match node.attr.get("frame_name").and_then(|value| value.value.as_ref()) {
        Some(super::proto::attr_value::Value::S(name)) => name,
        _ => &[],
    }
}

/// Where the outputs of a name begin, for operators with several; functions call outputs by name.
fn output_position(op: &str, named: &str, unnamed: &mut Unnamed, node: u32) -> u32 {
    let names: &[&str] = match op {
        "Switch" | "RefSwitch" => &["output_false", "output_true"],
        "Merge" | "RefMerge" => &["output", "value_index"],
        "TopKV2" | "TopK" => &["values", "indices"],
        "Unique" | "UniqueV2" => &["y", "idx"],
        "UniqueWithCounts" | "UniqueWithCountsV2" => &["y", "idx", "count"],
        "SoftmaxCrossEntropyWithLogits" | "SparseSoftmaxCrossEntropyWithLogits" => &["loss", "backprop"],
        "BroadcastGradientArgs" => &["r0", "r1"],
        "FusedBatchNorm" | "FusedBatchNormV2" | "FusedBatchNormV3" => {
            &["y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2", "reserve_space_3"]
        }
        "FusedBatchNormGrad" | "FusedBatchNormGradV2" | "FusedBatchNormGradV3" => {
            &["x_backprop", "scale_backprop", "offset_backprop", "reserve_space_4", "reserve_space_5"]
        }
        "MaxPoolWithArgmax" => &["output", "argmax"],
        "ListDiff" => &["out", "idx"],
        "Qr" => &["q", "r"],
        "Svd" => &["s", "u", "v"],
        "SelfAdjointEigV2" => &["e", "v"],
        "NonMaxSuppressionV4" => &["selected_indices", "valid_outputs"],
        "NonMaxSuppressionV5" => &["selected_indices", "selected_scores", "valid_outputs"],
        "TensorListPopBack" => &["output_handle", "tensor"],
        "TensorArrayV3" => &["handle", "flow"],
        "StatelessRandomGetKeyCounter" => &["key", "counter"],
        "LSTMBlockCell" | "BlockLSTM" | "BlockLSTMV2" => &["i", "cs", "f", "o", "ci", "co", "h"],
        // All others have one output, or one list of them.
        _ => &["output"],
    };
    match names.iter().position(|name| *name == named) {
        Some(position) => position as u32,
        None if names.len() == 1 && !unnamed.is_several(node, named) => 0,
        None => unnamed.position(node, named),
    }
}

/// The names of outputs of operators that nobody knows, in the order in which they are met.
#[derive(Default)]
struct Unnamed {
    names: FxHashMap<u32, Vec<String>>,
}

impl Unnamed {
    fn is_several(&mut self, node: u32, name: &str) -> bool {
        let names = self.names.entry(node).or_default();
        if !names.iter().any(|known| known == name) {
            names.push(name.to_string());
        }
        names.len() > 1
    }
    fn position(&mut self, node: u32, name: &str) -> u32 {
        let names = self.names.entry(node).or_default();
        names.iter().position(|known| known == name).unwrap_or(0) as u32
    }
}
