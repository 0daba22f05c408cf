//! Model files: reading them into plain data that the rest of tensorvet can check.

pub mod graphdef;
pub mod keras;
pub mod onnx;
mod similar;
pub mod torch;
