//! Bodies that are read when they are needed: of a library that knows thousands of functions a program calls a few.

use super::outline::LeftOut;
use super::read::read_function;
use super::{Inner, Source};
use std::rc::Rc;

/// A body that has not been read.
pub struct Pending {
    pub source: Rc<Source>,
    pub found: LeftOut,
    /// The class around it, to which names that start with `__` belong.
    pub class: Option<Box<str>>,
}

impl Pending {
    pub fn read(&self) -> Inner {
        let text = &self.source.text[self.found.start..self.found.end];
        // A method needs something to stand in.
        let is_method = text.starts_with([' ', '\t']);
        let text = if is_method { format!("if 1:\n{text}") } else { text.to_owned() };
        read_function(&text, self.class.as_deref())
    }
}
