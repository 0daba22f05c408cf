//! Says whether pairs of ONNX files hold the same model, whatever their format and storage:
//! `cargo run -p models --example compare_models -- a.onnx a.onnxtxt b.onnx b.onnxtxt …`

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use models::onnx::{self, AttributeValue, Graph, Model, Node, TensorView};

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let mut different = 0;
    for pair in paths.chunks_exact(2) {
        let [left, right] =
            [&pair[0], &pair[1]].map(|path| onnx::open(Path::new(path)).map(|model| render(&model)));
        match (left, right) {
            (Ok(left), Ok(right)) => {
                if let Some((a, b)) = left.lines().zip(right.lines()).find(|(a, b)| a != b) {
                    different += 1;
                    println!("{} differs\n  {a}\n  {b}", pair[1]);
                } else if left.lines().count() != right.lines().count() {
                    different += 1;
                    println!("{} has a different length", pair[1]);
                }
            }
            (Err(error), _) | (_, Err(error)) => {
                different += 1;
                println!("{error}");
            }
        }
    }
    println!("{} of {} pairs differ", different, paths.len() / 2);
    ExitCode::from(u8::from(different > 0))
}

fn render(model: &Model) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} {:?} {:?} {:?}",
        model.ir_version, model.opsets, model.producer.name, model.metadata
    );
    render_graph(&model.graph, &mut out);
    for function in &model.functions {
        let _ = writeln!(
            out,
            "{:?} {:?} {:?} {:?} {:?}",
            function.id, function.inputs, function.outputs, function.attributes, function.opsets
        );
        function.nodes.iter().for_each(|node| render_node(node, &mut out));
    }
    out
}

fn render_graph(graph: &Graph, out: &mut String) {
    let _ = writeln!(out, "graph {}\n{:?}\n{:?}", graph.name, graph.inputs, graph.outputs);
    let _ = writeln!(out, "{:?}", graph.value_infos);
    graph.initializers.iter().for_each(|tensor| render_tensor(tensor, out));
    graph.nodes.iter().for_each(|node| render_node(node, out));
}

fn render_node(node: &Node, out: &mut String) {
    let _ = writeln!(
        out,
        "node {:?} {:?} {:?} {:?} {:?} {:?}",
        node.name, node.domain, node.op_type, node.overload, node.inputs, node.outputs
    );
    for attribute in &node.attributes {
        let _ = write!(out, " {} ", attribute.name);
        match &attribute.value {
            AttributeValue::Tensor(tensor) => render_tensor(tensor, out),
            AttributeValue::Tensors(tensors) => tensors.iter().for_each(|tensor| render_tensor(tensor, out)),
            AttributeValue::Graph(graph) => render_graph(graph, out),
            AttributeValue::Graphs(graphs) => graphs.iter().for_each(|graph| render_graph(graph, out)),
            other => {
                let _ = writeln!(out, "{other:?}");
            }
        }
    }
}

fn render_tensor(tensor: &TensorView, out: &mut String) {
    let _ = write!(out, "{} {} {:?} ", tensor.name, tensor.elem_type, tensor.dims);
    let _ = match tensor.element().map(|element| element.kind) {
        Ok(onnx::ElementKind::Signed | onnx::ElementKind::Unsigned) => {
            writeln!(out, "{:?}", tensor.wide_ints())
        }
        Ok(onnx::ElementKind::Float | onnx::ElementKind::BFloat16) => writeln!(out, "{:?}", tensor.floats()),
        Ok(onnx::ElementKind::Bool) => writeln!(out, "{:?}", tensor.bools()),
        Ok(onnx::ElementKind::Complex) => writeln!(out, "{:?}", tensor.complex()),
        Ok(onnx::ElementKind::String) => writeln!(out, "{:?}", tensor.strings()),
        _ => writeln!(out, "{:?}", tensor.validate()),
    };
}
