//! The fields of all messages, generated from `graphdef.proto`.

/// A message by its full name.
pub struct Message {
    pub name: &'static str,
    pub fields: &'static [Field],
}

pub struct Field {
    pub name: &'static str,
    pub number: u32,
    pub form: Form,
    pub repeated: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Integer,
    Float,
    Double,
    Flag,
    Text,
    Bytes,
    /// An element type, by name or number.
    Type,
    Message(&'static str),
}

include!(concat!(env!("OUT_DIR"), "/graphdef_fields.rs"));

/// What is accepted and skipped.
pub const IGNORED: &str = ".graphdef.Ignored";

impl Message {
    pub fn find(name: &str) -> Option<&'static Message> {
        MESSAGES.iter().find(|message| message.name == name)
    }
    /// The name without the package, as a reader of the format knows it.
    pub fn short_name(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }
}
