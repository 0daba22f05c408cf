//! What is looked at: the calls of one path, with the tensors that they take and give.

use super::sources::{Role, Source};
use program::execute::Run;
use program::ir::{Action, Graph, Program};
use program::path::Made;
use semantics::tensor::Tensor;

/// The calls of a path, in order, and what is known of the tensors that none of them computes.
pub struct Traced {
    pub file: String,
    pub made: Vec<Made>,
    /// Tensors of which something is known by name. Others that nobody computes are unknown.
    pub sources: Vec<Source>,
    /// What the program gives.
    pub outputs: Vec<Tensor>,
}

/// The trace of a program that was run on a path that follows values.
pub fn of_program(program: &Program, run: &mut Run<'_>) -> Traced {
    let mut sources = Vec::new();
    for &input in &program.graph.inputs {
        if let Some(tensor) = run.tensors.get(input) {
            let name = program.name(input).to_owned();
            // An input that has a stored value is a weight that may be replaced.
            let role = if tensor.is_stored() { Role::Parameter } else { Role::Input };
            sources.push(Source { tensor, name, role, initial: None });
        }
    }
    stored(program, &program.graph, run, &mut sources);
    let outputs = program.graph.outputs.iter().filter_map(|&output| run.tensors.get(output)).collect();
    Traced { file: program.file.clone(), made: run.path.made.take().unwrap_or_default(), sources, outputs }
}

fn stored(program: &Program, graph: &Graph, run: &Run<'_>, sources: &mut Vec<Source>) {
    for (value, _) in &graph.constants {
        if let Some(tensor) = run.tensors.get(*value) {
            let name = program.name(*value).to_owned();
            sources.push(Source { tensor, name, role: Role::Parameter, initial: None });
        }
    }
    for node in &graph.nodes {
        if let Action::Constant(_) = &node.action {
            for &value in node.outputs.iter().flatten() {
                if let Some(tensor) = run.tensors.get(value) {
                    let name = program.name(value).to_owned();
                    sources.push(Source { tensor, name, role: Role::Parameter, initial: None });
                }
            }
        }
        for region in node.regions() {
            stored(program, region, run, sources);
        }
    }
}
