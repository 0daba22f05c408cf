//! Numbers that are read more than once: `p * log(p)` has a least value that its two factors know nothing of.
//!
//! The range of such a number is cut into pieces, what is computed from it is read for each of them by itself, and the
//! pieces that reach furthest are cut again.

use super::conditions::Supposed;
use super::partition::overlap;
use super::read::{Reader, Stop};
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use semantics::element::{Element, ElementId, ElementView};

/// Cuts of one number, and how many numbers are tried for one element.
const MOST_CUTS: usize = 24;
const MOST_TRIED: usize = 2;
/// Cuts after which something must have been gained, and tensors that are looked through for one piece.
const PATIENCE: usize = 3;
const MOST_LOOKS: usize = 24;
/// How deep and how wide operands are searched for a number that they share.
const DEEPEST: usize = 4;
const MOST_SEEN: usize = 32;

/// Part of the range of a number, and the range of what is computed from it there.
struct Piece {
    low: f64,
    high: f64,
    result: Interval,
}

impl Reader<'_> {
    /// The range of an element whose operands are computed from one number; `None` if nothing is gained.
    pub(super) fn by_pieces(
        &mut self,
        element: Element,
        (x, y): (Element, Element),
        plain: Interval,
    ) -> Result<Option<Interval>, Stop> {
        if self.cuts_left == 0 || !element.kind().is_float() {
            return Ok(None);
        }
        let mut found: Option<Interval> = None;
        for shared in self.shared(x, y)?.into_iter().take(MOST_TRIED) {
            if self.cuts_left == 0 {
                break;
            }
            self.cuts_left -= 1;
            if let Some(closer) = self.cut_up(element, shared, plain)? {
                found = Some(found.map_or(closer, |found| overlap(found, closer)));
            }
        }
        Ok(found)
    }

    fn cut_up(
        &mut self,
        element: Element,
        shared: Element,
        plain: Interval,
    ) -> Result<Option<Interval>, Stop> {
        let Interval::Float { low, high, nan: false } = self.element(shared)? else { return Ok(None) };
        let mut pieces: Vec<Piece> = Vec::new();
        let mut open = vec![(low, high)];
        for cut in 0..MOST_CUTS {
            while let Some((low, high)) = open.pop() {
                let result = self.on_piece(element, shared, (low, high))?;
                pieces.push(Piece { low, high, result });
            }
            if cut == PATIENCE && hull(&pieces).is_none_or(|hull| overlap(plain, hull) == plain) {
                return Ok(None);
            }
            // Either end in turn: that of which more is to be gained is not known.
            let reach = |piece: &Piece| match piece.result {
                Interval::Float { low, high, .. } if low <= high => {
                    if cut % 2 == 0 {
                        high
                    } else {
                        -low
                    }
                }
                _ => f64::INFINITY,
            };
            let furthest =
                (0..pieces.len()).filter(|&number| middle(pieces[number].low, pieces[number].high).is_some());
            let Some(number) =
                furthest.max_by(|&one, &other| reach(&pieces[one]).total_cmp(&reach(&pieces[other])))
            else {
                break;
            };
            let Piece { low, high, .. } = pieces.swap_remove(number);
            let Some(at) = middle(low, high) else { break };
            open.extend([(low, at), (at, high)]);
        }
        // The last cut.
        while let Some((low, high)) = open.pop() {
            let result = self.on_piece(element, shared, (low, high))?;
            pieces.push(Piece { low, high, result });
        }
        Ok(hull(&pieces))
    }

    /// The range of an element where a number lies between two others.
    fn on_piece(
        &mut self,
        element: Element,
        shared: Element,
        (low, high): (f64, f64),
    ) -> Result<Interval, Stop> {
        let known = std::mem::replace(&mut self.known, vec![Default::default()]);
        let (cuts, looks, reported) = (self.cuts_left, self.looks_left, self.hazards.len());
        self.cuts_left = 0;
        self.looks_left = looks.min(MOST_LOOKS);
        self.supposed.push(Supposed { element: shared.id(), low, high, away: 0.0 });
        let result = self.element(element);
        self.supposed.pop();
        (self.cuts_left, self.looks_left) = (cuts, looks);
        self.hazards.truncate(reported);
        self.known = known;
        result
    }

    /// Numbers that two elements are both computed from, those first that are nearest.
    fn shared(&mut self, x: Element, y: Element) -> Result<Vec<Element>, Stop> {
        let looks = self.looks_left;
        let (mut of_x, mut of_y) = (Vec::new(), Vec::new());
        self.numbers_behind(x, 0, &mut of_x);
        self.numbers_behind(y, 0, &mut of_y);
        self.looks_left = looks;
        let mut shared: Vec<(usize, ElementId)> = Vec::new();
        for &(id, depth) in &of_x {
            if let Some((_, other)) = of_y.iter().find(|(other, _)| *other == id) {
                shared.push((depth + other, id));
            }
        }
        shared.sort_unstable();
        Ok(shared.into_iter().map(|(_, id)| id.element()).collect())
    }

    /// The elements of tensors that an element is computed from, through other tensors, too, and how far away each is.
    fn numbers_behind(&mut self, element: Element, depth: usize, found: &mut Vec<(ElementId, usize)>) {
        if depth > DEEPEST || found.len() > MOST_SEEN {
            return;
        }
        match element.view() {
            ElementView::At(tensor, index) => {
                if !element.kind().is_float() || found.iter().any(|(id, _)| *id == element.id()) {
                    return;
                }
                found.push((element.id(), depth));
                if let Some(inner) = self.inlined(tensor, &index) {
                    self.numbers_behind(inner, depth + 1, found);
                }
            }
            ElementView::Unary(_, x) | ElementView::Cast(x) => self.numbers_behind(x, depth, found),
            ElementView::Binary(_, x, y) => {
                self.numbers_behind(x, depth, found);
                self.numbers_behind(y, depth, found);
            }
            ElementView::When(_, x, y) | ElementView::Select(_, x, y) => {
                self.numbers_behind(x, depth, found);
                self.numbers_behind(y, depth, found);
            }
            _ => {}
        }
    }
}

fn hull(pieces: &[Piece]) -> Option<Interval> {
    pieces.iter().map(|piece| Some(piece.result)).reduce(|one, other| one?.hull(&other?)).flatten()
}

/// Where a range is cut: at zero, and elsewhere by orders of magnitude as long as there are some.
fn middle(low: f64, high: f64) -> Option<f64> {
    const STEP: f64 = 1.0 / 16.0;
    let at = if low < 0.0 && high > 0.0 {
        0.0
    } else if low < 0.0 {
        -middle(-high, -low)?
    } else if low == 0.0 {
        high * STEP
    } else if high > 4.0 * low {
        low.sqrt() * high.sqrt()
    } else {
        low + (high - low) / 2.0
    };
    (at > low && at < high && at.is_finite()).then_some(at)
}
