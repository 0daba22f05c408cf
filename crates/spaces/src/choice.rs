//! A value of a hyper-parameter.

use serde_json::{Value, json};
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    Int(i64),
    Float(f64),
    Flag(bool),
    Text(String),
    Several(Vec<Choice>),
    /// Python's `None`.
    Nothing,
}

impl Choice {
    pub fn json(&self) -> Value {
        match self {
            Choice::Int(number) => json!(number),
            Choice::Float(number) => json!(number),
            Choice::Flag(flag) => json!(flag),
            Choice::Text(text) => json!(text),
            Choice::Several(all) => all.iter().map(Choice::json).collect(),
            Choice::Nothing => Value::Null,
        }
    }
    /// What [`Choice::json`] gives, read back.
    pub fn of_json(value: &Value) -> Option<Choice> {
        Some(match value {
            Value::Null => Choice::Nothing,
            Value::Bool(flag) => Choice::Flag(*flag),
            Value::Number(number) => {
                number.as_i64().map(Choice::Int).or_else(|| number.as_f64().map(Choice::Float))?
            }
            Value::String(text) => Choice::Text(text.clone()),
            Value::Array(all) => Choice::Several(all.iter().map(Choice::of_json).collect::<Option<_>>()?),
            Value::Object(_) => return None,
        })
    }
    /// Whether two values are one to Python: `1 == 1.0`, and a list is what a tuple is.
    pub fn is_same(&self, other: &Choice) -> bool {
        match (self, other) {
            (Choice::Int(a), Choice::Float(b)) | (Choice::Float(b), Choice::Int(a)) => *a as f64 == *b,
            (Choice::Several(a), Choice::Several(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b))
            }
            (a, b) => a == b,
        }
    }
    /// As the source of a call would have it.
    pub fn spelled(&self) -> String {
        match self {
            Choice::Text(text) => format!("{text:?}"),
            Choice::Several(all) => {
                let all: Vec<String> = all.iter().map(Choice::spelled).collect();
                format!("({}{})", all.join(", "), if all.len() == 1 { "," } else { "" })
            }
            choice => choice.to_string(),
        }
    }
}

/// As Python shows it.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Choice::Int(number) => write!(f, "{number}"),
            Choice::Float(number) => write!(f, "{number:?}"),
            Choice::Flag(flag) => f.write_str(if *flag { "True" } else { "False" }),
            Choice::Text(text) => f.write_str(text),
            Choice::Nothing => f.write_str("None"),
            Choice::Several(all) => {
                let all: Vec<String> = all.iter().map(|each| each.to_string()).collect();
                write!(f, "({})", all.join(", "))
            }
        }
    }
}
