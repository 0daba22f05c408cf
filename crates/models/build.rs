//! Compiles the protocol descriptions to Rust, without needing `protoc` on the machine.

use prost_build::Config;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/onnx/onnx.proto");
    let descriptors = protox::compile(["src/onnx/onnx.proto"], ["src/onnx"])?;
    Config::new()
        // Weights and strings stay slices of the mapped file.
        .bytes(["."])
        // Keeps an attribute small whatever kind it is, so that a file of many empty ones stays cheap.
        .boxed(".onnx.AttributeProto.t")
        .boxed(".onnx.AttributeProto.g")
        .boxed(".onnx.AttributeProto.tp")
        .boxed(".onnx.AttributeProto.sparse_tensor")
        .compile_fds(descriptors)?;

    println!("cargo::rerun-if-changed=src/graphdef/graphdef.proto");
    let descriptors = protox::compile(["src/graphdef/graphdef.proto"], ["src/graphdef"])?;
    let fields = fields(&descriptors.file[0]);
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("graphdef_fields.rs"), fields)?;
    Config::new()
        .bytes(["."])
        .btree_map(["."])
        .boxed(".graphdef.AttrValue.value.list")
        .boxed(".graphdef.AttrValue.value.tensor")
        .boxed(".graphdef.AttrValue.value.func")
        .compile_fds(descriptors)?;
    Ok(())
}

/// The names, numbers and types of all fields, for reading the text form.
fn fields(file: &prost_types::FileDescriptorProto) -> String {
    let mut text = String::from("pub static MESSAGES: &[Message] = &[\n");
    for message in &file.message_type {
        self::message(message, &format!(".{}.{}", file.package(), message.name()), &mut text);
    }
    text.push_str("];\npub static TYPES: &[(&str, i32)] = &[\n");
    for value in file.enum_type.iter().flat_map(|kind| &kind.value) {
        let _ = writeln!(text, "    ({:?}, {}),", value.name(), value.number());
    }
    text.push_str("];\n");
    text
}

fn message(message: &prost_types::DescriptorProto, name: &str, text: &mut String) {
    use prost_types::field_descriptor_proto::{Label, Type};
    let _ = writeln!(text, "    Message {{ name: {name:?}, fields: &[");
    for field in &message.field {
        let form = match field.r#type() {
            Type::String => "Form::Text".to_string(),
            Type::Bytes => "Form::Bytes".to_string(),
            Type::Float => "Form::Float".to_string(),
            Type::Double => "Form::Double".to_string(),
            Type::Bool => "Form::Flag".to_string(),
            Type::Enum => "Form::Type".to_string(),
            Type::Message => format!("Form::Message({:?})", field.type_name()),
            _ => "Form::Integer".to_string(),
        };
        let (name, number) = (field.name(), field.number());
        let repeated = field.label() == Label::Repeated;
        let _ = writeln!(
            text,
            "        Field {{ name: {name:?}, number: {number}, form: {form}, repeated: {repeated} }},"
        );
    }
    text.push_str("    ] },\n");
    for nested in &message.nested_type {
        self::message(nested, &format!("{name}.{}", nested.name()), text);
    }
}
