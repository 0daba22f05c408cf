//! Names as numbers: equal names are equal numbers, all through the process.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);

/// Names that the interpreter itself looks for all the time.
macro_rules! known {
    ($($constant:ident = $text:literal,)*) => {
        #[expect(clippy::upper_case_acronyms, reason = "these count constants")]
        enum Number { $($constant),* }
        impl Name {
            $(pub const $constant: Name = Name(Number::$constant as u32);)*
        }
        const KNOWN: &[&str] = &[$($text),*];
    };
}
known! {
    CALL = "__call__",
    COMPREHENSION = "<comprehension>",
    COUNT = "count",
    ENUMERATE = "enumerate",
    GET = "__get__",
    GETATTR = "__getattr__",
    INIT = "__init__",
    ITER = "__iter__",
    ITERATOR = "iterator",
    ITERATORS = "iterators",
    KIND = "_kind",
    MODULES = "_modules",
    NEW = "__new__",
    OUT = "out",
    PARAMETERS = "_parameters",
    RAISES = "raises",
    RANGE = "range",
    SET = "__set__",
    SETATTR = "__setattr__",
    SIZE = "_size",
    SLOTS = "__slots__",
    START = "start",
    STEP = "step",
    STOP = "stop",
    STRICT = "strict",
    STRIDES = "_strides",
    TRAIN = "train",
    TRAINING = "training",
    ZIP = "zip",
}

struct Names {
    texts: Vec<Rc<str>>,
    numbers: FxHashMap<Rc<str>, u32>,
}

impl Names {
    fn new() -> Names {
        let texts: Vec<Rc<str>> = KNOWN.iter().map(|&text| text.into()).collect();
        let numbers = texts.iter().cloned().zip(0..).collect();
        Names { texts, numbers }
    }
}

thread_local!(static NAMES: RefCell<Names> = RefCell::new(Names::new()));

impl Name {
    pub fn new(text: &str) -> Name {
        NAMES.with_borrow_mut(|names| {
            if let Some(&number) = names.numbers.get(text) {
                return Name(number);
            }
            let (text, number): (Rc<str>, u32) = (text.into(), names.texts.len() as u32);
            names.texts.push(text.clone());
            names.numbers.insert(text, number);
            Name(number)
        })
    }
    pub fn text(self) -> Rc<str> {
        NAMES.with_borrow(|names| names.texts[self.0 as usize].clone())
    }
    /// `__init__` and its like.
    pub fn is_special(self) -> bool {
        let text = self.text();
        text.len() > 4 && text.starts_with("__") && text.ends_with("__")
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn known_names_are_found_by_their_texts() {
        assert_eq!(Name::new("__call__"), Name::CALL);
        assert_eq!(&*Name::STRIDES.text(), "_strides");
        assert_eq!(Name::new("x"), Name::new("x"));
    }
}
