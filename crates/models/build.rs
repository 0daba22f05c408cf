//! Compiles the protocol descriptions to Rust, without needing `protoc` on the machine.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let descriptors = protox::compile(["src/onnx/onnx.proto"], ["src/onnx"])?;
    println!("cargo::rerun-if-changed=src/onnx/onnx.proto");
    prost_build::Config::new()
        // Weights and strings stay slices of the mapped file.
        .bytes(["."])
        // Keeps an attribute small whatever kind it is, so that a file of many empty ones stays cheap.
        .boxed(".onnx.AttributeProto.t")
        .boxed(".onnx.AttributeProto.g")
        .boxed(".onnx.AttributeProto.tp")
        .boxed(".onnx.AttributeProto.sparse_tensor")
        .compile_fds(descriptors)?;
    Ok(())
}
