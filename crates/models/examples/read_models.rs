//! Reads ONNX files and lists what is wrong with their structure: `cargo run -p models --example read_models -- *.onnx`

use std::path::Path;
use std::time::Instant;

use models::onnx;

fn main() {
    for path in std::env::args().skip(1) {
        let start = Instant::now();
        match onnx::open(Path::new(&path)) {
            Ok(model) => {
                let read = start.elapsed();
                let problems = onnx::check(&model);
                let checked = start.elapsed() - read;
                let nodes = model.graph.nodes.len();
                println!("{path}: {nodes} nodes, read in {read:?}, checked in {checked:?}");
                problems.iter().for_each(|problem| println!("  {problem}"));
                if let Err(error) = model.find_external_data() {
                    println!("  {error}");
                }
            }
            Err(error) => println!("{error}"),
        }
    }
}
