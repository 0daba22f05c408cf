//! What a run has come to so far, on a terminal only.

use super::state::State;
use std::io::IsTerminal as _;
use std::time::Instant;

pub struct Progress {
    shown: bool,
    drawn: Instant,
}

impl Progress {
    pub fn new(quiet: bool) -> Progress {
        Progress { shown: !quiet && std::io::stderr().is_terminal(), drawn: Instant::now() }
    }
    pub fn show(&mut self, state: &State) {
        if self.shown && self.drawn.elapsed().as_millis() >= 100 {
            self.drawn = Instant::now();
            let (models, findings) = (state.next, state.groups.all.len());
            eprint!("\r\x1b[K{models} models, {findings} findings");
        }
    }
    pub fn clear(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
