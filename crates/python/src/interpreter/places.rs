//! Where execution stands, for findings and for the record of the path.

use super::{Frame, Interpreter};
use crate::syntax::{Name, Source, Span};
use crate::value::Value;
use program::ir::{Place, Spot, SpotFrame};
use std::cell::RefCell;
use std::rc::Rc;

/// The latest spot that somebody asked for: a line of the user's code often calls several operators.
pub(super) type Latest = RefCell<LatestSpot>;

#[derive(Default)]
pub(super) struct LatestSpot {
    /// The frames of the user's own code, outermost first.
    standing: Vec<Standing>,
    spot: Rc<Spot>,
}

/// Of a deeper stack the innermost frames are remembered, and the outermost.
const MOST_FRAMES: usize = 64;

/// Where a frame stands.
#[derive(Clone, Copy, PartialEq)]
struct Standing {
    /// The address of the source, which lives as long as the frame's function.
    source: *const Source,
    name: Name,
    at: Span,
}

impl Standing {
    fn of(frame: &Frame) -> Standing {
        Standing { source: Rc::as_ptr(&frame.source), name: frame.name, at: frame.at }
    }
}

impl Interpreter {
    /// Where execution stands: the innermost place in the user's own code, and how it got there.
    pub fn spot(&self) -> Rc<Spot> {
        let mut latest = self.latest_spot.borrow_mut();
        let standing = self.frames.iter().filter(|frame| frame.is_own()).map(Standing::of);
        if !latest.standing.is_empty() && standing.clone().eq(latest.standing.iter().copied()) {
            return latest.spot.clone();
        }
        latest.standing.clear();
        latest.standing.extend(standing);
        latest.spot = self.new_spot();
        latest.spot.clone()
    }
    fn new_spot(&self) -> Rc<Spot> {
        let of = |frame: &Frame| {
            let (start, end) = (frame.source.position(frame.at.start), frame.source.position(frame.at.end));
            SpotFrame {
                file: frame.source.path.clone(),
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
                function: frame.name.to_string(),
            }
        };
        let own = self.frames.iter().rposition(Frame::is_own);
        let innermost = own.unwrap_or(self.frames.len().saturating_sub(1));
        let here = self.frames.get(innermost).map(of).unwrap_or_default();
        let stack = self.frames[..innermost.min(self.frames.len())].iter().rev();
        let mut stack: Vec<&Frame> = stack.filter(|frame| frame.is_own()).collect();
        if stack.len() > MOST_FRAMES {
            // Who calls itself a thousand times is told by a few.
            stack.drain(MOST_FRAMES - 1..stack.len() - 1);
        }
        Rc::new(Spot { here, stack: stack.into_iter().map(of).collect() })
    }
    /// The place of a call, for the record of the path.
    pub fn place(&self, spelled: &str) -> Rc<Place> {
        let spot = self.spot();
        let node = format!("{}:{}", spot.here.file, spot.here.line);
        Rc::new(Place { node, spelled: spelled.to_owned().into(), spot: Some(spot) })
    }
    /// Takes something for granted of values that only the run will tell; the first place is named.
    pub fn suppose(&mut self, label: &str) {
        let told = format!("{label}, which only the run will tell (");
        if !self.taken_for_granted.iter().any(|held| held.starts_with(&told)) {
            let here = &self.spot().here;
            self.taken_for_granted.push(format!("{told}{}:{})", here.file, here.line));
        }
    }
    pub fn lose(&mut self, reason: impl Into<String>) -> Value {
        let reason = reason.into();
        let spot = self.spot();
        self.lost.push((spot, reason.clone()));
        Value::unknown(reason)
    }
}
