//! Running a program over all positions of its output, a chunk of lanes at a time.
//!
//! A lane whose result this cannot vouch for (it read outside a tensor, or rounding may decide otherwise
//! than it did) is left to the careful reader, which reads one element at a time and only what it needs.

use super::Mode;
use super::lanes::{Index, Lanes};
use super::near::Format;
use super::program::{Block, Literal, Program, Slot, Space, Step};
use super::reading::Source;
use semantics::array::Data;
use semantics::dtype::{Class, Kind};
use semantics::integer;

/// Lanes of large programs: a register is 2 KiB.
const WIDTH: i64 = 256;
/// A last axis at least this long is walked row by row, a shorter one across rows.
const LONG_ROW: i64 = 24;

pub(super) struct Run<'p> {
    pub program: &'p Program,
    pub sources: &'p [Source<'p>],
    pub lanes: &'p mut Lanes,
    /// Lanes in use.
    pub count: usize,
    /// The lanes that count, if not all do.
    pub mask: Option<Vec<bool>>,
    /// Lanes left to the careful reader.
    pub doubtful: Vec<bool>,
    pub any_doubt: bool,
    pub bounded: bool,
    /// Whether long sums are bounded by what is likely.
    pub likely: bool,
    /// Float and complex registers that carry no error.
    pub exact: Vec<bool>,
    pub exact_complexes: Vec<bool>,
}

/// The elements, their error bounds if not exact, and the positions that were doubtful.
pub(super) struct Output {
    pub data: Data,
    pub errors: Option<Vec<f64>>,
    pub doubtful: Vec<usize>,
}

/// Runs a program whose output has `length` elements of the given type.
pub(super) fn run(
    program: &Program,
    sources: &[Source<'_>],
    lanes: &mut Lanes,
    mode: Mode,
    (kind, length): (Kind, usize),
) -> Output {
    let bounded = mode != Mode::Plain;
    let mut output = Output { data: Data::zeros(kind, length), errors: None, doubtful: Vec::new() };
    if length == 0 {
        return output;
    }
    let along_fold = along_fold(program, length as i64);
    let chunk = if along_fold { 1 } else { WIDTH.min(length.max(1) as i64) };
    let folded = if chunk == 1 { widest_fold(&program.body) } else { 1 };
    let width = chunk.max(folded).max(widest_fold(&program.prologue));
    lanes.prepare(program.counts, width as usize, bounded);
    let mut run = Run {
        program,
        sources,
        lanes,
        count: 1,
        mask: None,
        doubtful: vec![false; width as usize],
        any_doubt: false,
        bounded,
        likely: mode == Mode::Likely,
        exact: Vec::new(),
        exact_complexes: Vec::new(),
    };
    if bounded {
        run.find_exact();
        if !run.is_exact(program.result) {
            output.errors = Some(vec![0.0; length]);
        }
    }
    run.block(&program.prologue);
    let doubt_everything = std::mem::take(&mut run.any_doubt);
    run.doubtful.fill(false);
    for &slot in &program.captures {
        run.lanes.spread(slot, bounded);
    }
    if doubt_everything {
        output.doubtful.extend(0..length);
        return output;
    }
    let mut done = 0;
    walk(&program.space, chunk, &mut |position| {
        run.enter(&program.space, position);
        run.block(&program.body);
        run.store(&mut output, done);
        done += run.count;
    });
    output
}

/// Whether lanes had better run along the folds of a program than along its output.
fn along_fold(program: &Program, length: i64) -> bool {
    let mut best = false;
    for step in &program.body {
        if let Step::Fold(fold) = step {
            let terms = fold.space.count().unwrap_or(i64::MAX);
            let chunks = |count: i64| count / WIDTH + 1;
            best = terms >= 8
                && length.saturating_mul(chunks(terms))
                    <= terms.saturating_mul(chunks(length)).saturating_mul(2);
        }
    }
    best
}

/// The number of lanes that the longest fold wants.
fn widest_fold(block: &Block) -> i64 {
    let mut widest = 1;
    for step in block {
        match step {
            Step::Fold(fold) => {
                let terms = fold.space.count().unwrap_or(WIDTH);
                widest = widest.max(terms).max(widest_fold(&fold.body));
            }
            Step::Cases(cases) => {
                for block in
                    cases.arms.iter().flat_map(|arm| [&arm.before, &arm.block]).chain([&cases.otherwise])
                {
                    widest = widest.max(widest_fold(block));
                }
            }
            _ => {}
        }
    }
    widest.min(WIDTH)
}

/// Where a chunk of lanes starts: one position per axis, and how many lanes follow in row-major order.
pub(super) struct Position<'a> {
    pub start: &'a [i64],
    pub lanes: usize,
}

/// Visits a space in chunks of at most `chunk` positions.
pub(super) fn walk(space: &Space, chunk: i64, visit: &mut dyn FnMut(Position<'_>)) {
    if space.axes.iter().any(|axis| axis.size == 0) {
        return;
    }
    let mut start = vec![0i64; space.axes.len()];
    let Some(last) = space.axes.last() else { return visit(Position { start: &start, lanes: 1 }) };
    let by_rows = last.size >= LONG_ROW || space.axes.len() == 1 || chunk <= last.size;
    let mut left = if by_rows { i64::MAX } else { space.count().unwrap_or(i64::MAX) };
    loop {
        let at = start.len() - 1;
        let lanes = if by_rows { chunk.min(last.size - start[at]) } else { chunk.min(left) };
        visit(Position { start: &start, lanes: lanes as usize });
        left -= lanes;
        if left == 0 {
            return;
        }
        start[at] += lanes;
        for axis in (0..start.len()).rev() {
            let size = space.axes[axis].size;
            if start[axis] < size {
                break;
            }
            if axis == 0 {
                return;
            }
            start[axis - 1] += start[axis] / size;
            start[axis] %= size;
        }
    }
}

impl Run<'_> {
    /// Sets the variables of a space for a chunk of lanes.
    pub fn enter(&mut self, space: &Space, position: Position<'_>) {
        self.count = position.lanes;
        let Some(last) = space.axes.len().checked_sub(1) else { return };
        let fits = position.start[last] + position.lanes as i64 <= space.axes[last].size;
        if fits {
            for (axis, &base) in space.axes.iter().zip(position.start) {
                self.lanes.indices[axis.variable as usize] = Index::number(base);
            }
            if position.lanes > 1 {
                self.lanes.indices[space.axes[last].variable as usize] =
                    Index::Ramp { base: position.start[last], step: 1 };
            }
            return;
        }
        // Across rows: each axis counts up when the one after it starts again.
        let (mut block, count) = (1i64, position.lanes);
        for (k, axis) in space.axes.iter().enumerate().rev() {
            let row = &mut self.lanes.ints.row_mut(axis.buffer)[..count];
            let mut value = position.start[k];
            // How far into the block of equal values the first lane lies.
            let inner = space.axes[k + 1..]
                .iter()
                .zip(&position.start[k + 1..])
                .fold(0, |flat, (axis, &at)| flat * axis.size + at);
            let mut until = block - inner;
            let mut lane = 0usize;
            while lane < count {
                let end = count.min(lane.saturating_add(usize::try_from(until).unwrap_or(usize::MAX)));
                row[lane..end].fill(value);
                lane = end;
                until = block;
                value = if value + 1 == axis.size { 0 } else { value + 1 };
            }
            self.lanes.indices[axis.variable as usize] = if row[0] == row[count - 1] && block >= count as i64
            {
                Index::number(row[0])
            } else {
                Index::Lanes { row: axis.buffer, plus: 0 }
            };
            block = block.saturating_mul(axis.size);
        }
    }

    pub fn block(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Constant { out, kind, value } => self.constant(*out, *kind, *value),
                Step::Load { out, tensor, offset, checks } => {
                    let offset = self.index(*offset);
                    self.load(*out, *tensor, offset, checks);
                }
                Step::NumberOf { out, kind, from } => self.number_of(*out, *kind, self.index(*from)),
                Step::Unary { function, kind, x, out } => self.unary(*function, *kind, *x, *out),
                Step::Binary { function, kind, x, y, out, terms } => {
                    self.binary(*function, *kind, *x, *y, *out);
                    if let (true, Some(terms)) = (self.bounded, terms) {
                        self.begun(*kind, [*x, *y], *out, *terms);
                    }
                }
                Step::Cast { from, to, x, out } => self.cast(*from, *to, *x, *out),
                Step::Cases(cases) => self.cases(cases),
                Step::Fold(fold) => self.fold(fold),
                step => self.index_step(step),
            }
        }
    }

    /// Leaves a lane to the careful reader, if it counts.
    pub fn doubt(&mut self, lane: usize) {
        if self.mask.as_ref().is_none_or(|mask| mask[lane]) {
            self.doubtful[lane] = true;
            self.any_doubt = true;
        }
    }

    fn constant(&mut self, out: Slot, kind: Kind, value: Literal) {
        let count = self.count;
        match (out.class, value) {
            (Class::Bool, Literal::Bool(value)) => self.lanes.bools.row_mut(out.at)[..count].fill(value),
            (Class::Int, Literal::Int(value)) => self.lanes.ints.row_mut(out.at)[..count].fill(value),
            (Class::Complex, Literal::Float(value)) => {
                self.lanes.complexes.row_mut(out.at)[..count].fill([value, 0.0]);
                if self.bounded && !self.exact_complexes[out.at as usize] {
                    let error = Format::of(kind).constant(value).error;
                    self.lanes.spreads.row_mut(out.at)[..count].fill(error);
                }
            }
            (_, Literal::Float(value)) => {
                self.lanes.floats.row_mut(out.at)[..count].fill(value);
                if self.bounded && !self.exact[out.at as usize] {
                    let error = Format::of(kind).constant(value).error;
                    self.lanes.errors.row_mut(out.at)[..count].fill(error);
                }
            }
            _ => {}
        }
    }

    fn number_of(&mut self, out: Slot, kind: Kind, from: Index) {
        let count = self.count;
        match out.class {
            Class::Int => {
                let (below, row) = self.lanes.ints.split(out.at);
                for (lane, cell) in row[..count].iter_mut().enumerate() {
                    *cell = kind.wrap(from.at(lane, &below));
                }
            }
            Class::Bool => {
                let below = self.lanes.ints.rows();
                for (lane, cell) in self.lanes.bools.row_mut(out.at)[..count].iter_mut().enumerate() {
                    *cell = from.at(lane, &below) != 0;
                }
            }
            Class::Complex => {
                let below = self.lanes.ints.rows();
                for (lane, cell) in self.lanes.complexes.row_mut(out.at)[..count].iter_mut().enumerate() {
                    *cell = [kind.round(from.at(lane, &below) as f64), 0.0];
                }
            }
            _ => {
                let below = self.lanes.ints.rows();
                for (lane, cell) in self.lanes.floats.row_mut(out.at)[..count].iter_mut().enumerate() {
                    *cell = kind.round(from.at(lane, &below) as f64);
                }
            }
        }
    }

    fn store(&mut self, output: &mut Output, done: usize) {
        let (count, from) = (self.count, self.program.result);
        let range = done..done + count;
        match &mut output.data {
            Data::Bool(values) => {
                values[range.clone()].copy_from_slice(&self.lanes.bools.row(from.at)[..count])
            }
            Data::Int(values) => {
                values[range.clone()].copy_from_slice(&self.lanes.ints.row(from.at)[..count])
            }
            Data::Float(values) => {
                values[range.clone()].copy_from_slice(&self.lanes.floats.row(from.at)[..count])
            }
            Data::Complex(values) => {
                values[range.clone()].copy_from_slice(&self.lanes.complexes.row(from.at)[..count])
            }
            Data::Opaque(_) => {}
        }
        if let Some(errors) = &mut output.errors {
            let row = if from.class == Class::Complex {
                self.lanes.spreads.row(from.at)
            } else {
                self.lanes.errors.row(from.at)
            };
            errors[range].copy_from_slice(&row[..count]);
        }
        if std::mem::take(&mut self.any_doubt) {
            output.doubtful.extend((0..count).filter(|&lane| self.doubtful[lane]).map(|lane| done + lane));
            self.doubtful.fill(false);
        }
    }
}

/// An integer as a float of a type.
pub(super) fn int_to_float(from: Kind, to: Kind, value: i64) -> f64 {
    to.round(integer::to_float(from, value))
}
