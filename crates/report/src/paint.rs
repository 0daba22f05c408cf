//! Colours, on a terminal only.

/// Whether to colour.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paint {
    pub colour: bool,
}

impl Paint {
    fn wrap(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
    pub fn error(self, text: &str) -> String {
        self.wrap("1;31", text)
    }
    pub fn warning(self, text: &str) -> String {
        self.wrap("1;33", text)
    }
    pub fn note(self, text: &str) -> String {
        self.wrap("1;36", text)
    }
    pub fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }
    pub fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }
    pub fn place(self, text: &str) -> String {
        self.wrap("1;34", text)
    }
    pub fn good(self, text: &str) -> String {
        self.wrap("1;32", text)
    }
}
