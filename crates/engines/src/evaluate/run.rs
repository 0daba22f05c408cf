//! Running a program over all positions of its output, a chunk of lanes at a time.
//!
//! A lane whose result this cannot vouch for (it read outside a tensor, or rounding may decide otherwise
//! than it did) is left to the careful reader, which reads one element at a time and only what it needs.

use super::lanes::{Index, Lanes, Truth};
use super::near::Format;
use super::program::{Block, Cases, Literal, Program, SPARE, Slot, Space, Step};
use super::reading::{Bound, Source};
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
    bounded: bool,
    (kind, length): (Kind, usize),
) -> Output {
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
                Step::Binary { function, kind, x, y, out } => self.binary(*function, *kind, *x, *y, *out),
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

    fn load(&mut self, out: Slot, tensor: u32, offset: Index, checks: &[(u32, i64)]) {
        let count = self.count;
        let sources = self.sources;
        let source = &sources[tensor as usize];
        let inside = checks.iter().all(|&(slot, size)| {
            let within = |position: i64| (0..size).contains(&position);
            match self.index(slot) {
                index @ Index::Ramp { .. } => {
                    index.ends(count).is_some_and(|(first, last)| within(first) && within(last))
                }
                Index::Lanes { row, plus } => self.lanes.ints.row(row)[..count]
                    .iter()
                    .all(|&position| within(position.wrapping_add(plus))),
            }
        });
        let offset = if inside { offset } else { self.only_inside(offset, checks) };
        match (&source.array.data, out.class) {
            (Data::Float(values), Class::Float) => {
                read(
                    values,
                    offset,
                    self.lanes.ints.rows().row_of(offset),
                    &mut self.lanes.floats.row_mut(out.at)[..count],
                );
                if let (true, Bound::Float(errors)) = (self.bounded, source.bound) {
                    read(
                        errors,
                        offset,
                        self.lanes.ints.rows().row_of(offset),
                        &mut self.lanes.errors.row_mut(out.at)[..count],
                    );
                }
            }
            (Data::Int(values), Class::Int) => {
                let (below, row) = self.lanes.ints.split(out.at);
                read(values, offset, below.row_of(offset), &mut row[..count]);
            }
            (Data::Bool(values), Class::Bool) => {
                read(
                    values,
                    offset,
                    self.lanes.ints.rows().row_of(offset),
                    &mut self.lanes.bools.row_mut(out.at)[..count],
                );
            }
            (Data::Complex(values), Class::Complex) => {
                read(
                    values,
                    offset,
                    self.lanes.ints.rows().row_of(offset),
                    &mut self.lanes.complexes.row_mut(out.at)[..count],
                );
                if let (true, Bound::Complex(errors)) = (self.bounded, source.bound) {
                    read(
                        errors,
                        offset,
                        self.lanes.ints.rows().row_of(offset),
                        &mut self.lanes.spreads.row_mut(out.at)[..count],
                    );
                }
            }
            // A tensor whose data is not of its type: the careful reader reports it.
            _ => (0..count).for_each(|lane| self.doubt(lane)),
        }
        if let (true, Bound::Int(_) | Bound::Bool(_)) = (self.bounded, source.bound) {
            for lane in 0..count {
                let at = offset.at(lane, &self.lanes.ints.rows());
                if usize::try_from(at).is_ok_and(|at| source.bound.is_undecided(at)) {
                    self.doubt(lane);
                }
            }
        }
    }

    /// Replaces offsets of lanes that read outside by one that is inside, and leaves those lanes in doubt.
    fn only_inside(&mut self, offset: Index, checks: &[(u32, i64)]) -> Index {
        let count = self.count;
        for lane in 0..count {
            let below = self.lanes.ints.rows();
            let inside =
                checks.iter().all(|&(slot, size)| (0..size).contains(&self.index(slot).at(lane, &below)));
            let position = if inside { offset.at(lane, &below) } else { 0 };
            if !inside {
                self.doubt(lane);
            }
            self.lanes.ints.row_mut(SPARE)[lane] = position;
        }
        Index::Lanes { row: SPARE, plus: 0 }
    }

    fn cases(&mut self, cases: &Cases) {
        let (outside, count) = (self.mask.take(), self.count);
        // The lanes that no arm has taken yet; `None` while that is all that count.
        let mut open: Option<Vec<bool>> = outside.clone();
        let mut split = false;
        for arm in &cases.arms {
            self.mask = open.clone();
            self.block(&arm.before);
            let taken: Option<Vec<bool>> = match self.truth(arm.condition) {
                Truth::All(false) => continue,
                Truth::All(true) => open.clone(),
                Truth::Lanes(row) => {
                    let truths = &self.lanes.bools.row(row)[..count];
                    Some(match &open {
                        None => truths.to_vec(),
                        Some(open) => truths.iter().zip(open).map(|(&truth, &open)| truth && open).collect(),
                    })
                }
            };
            let rest = match (&open, &taken) {
                (_, None) => None,
                (None, Some(taken)) => Some(taken.iter().map(|&taken| !taken).collect::<Vec<_>>()),
                (Some(open), Some(taken)) => {
                    Some(open.iter().zip(taken).map(|(&open, &taken)| open && !taken).collect())
                }
            };
            if taken.as_ref().is_some_and(|taken| !taken.contains(&true)) {
                continue;
            }
            self.mask = taken;
            self.block(&arm.block);
            self.blend(arm.value, cases.out, split);
            split = true;
            match rest {
                Some(rest) if rest.contains(&true) => open = Some(rest),
                _ => {
                    self.mask = outside;
                    return;
                }
            }
        }
        self.mask = open;
        self.block(&cases.otherwise);
        self.blend(cases.last, cases.out, split);
        self.mask = outside;
    }

    /// Copies the lanes that count; all of them while nothing has been written.
    fn blend(&mut self, from: Slot, out: Slot, masked: bool) {
        let count = self.count;
        let mask = self.mask.as_deref().filter(|_| masked);
        let bounded = self.bounded;
        match out.class {
            Class::Bool => copy(&mut self.lanes.bools, from.at, out.at, count, mask),
            Class::Int => copy(&mut self.lanes.ints, from.at, out.at, count, mask),
            Class::Complex => {
                copy(&mut self.lanes.complexes, from.at, out.at, count, mask);
                if bounded && !self.exact_complexes[out.at as usize] {
                    let zeros = self.exact_complexes[from.at as usize].then_some(0.0);
                    copy_or(&mut self.lanes.spreads, from.at, out.at, count, mask, zeros);
                }
            }
            _ => {
                copy(&mut self.lanes.floats, from.at, out.at, count, mask);
                if bounded && !self.exact[out.at as usize] {
                    let zeros = self.exact[from.at as usize].then_some(0.0);
                    copy_or(&mut self.lanes.errors, from.at, out.at, count, mask, zeros);
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

/// Reads lanes from row-major data; what lies outside is left as zero.
fn read<T: Copy + Default>(values: &[T], offset: Index, lanes: &[i64], out: &mut [T]) {
    match offset {
        Index::Ramp { base, step } => {
            let Ok(base) = usize::try_from(base) else { return out.fill(T::default()) };
            if step == 0 {
                out.fill(values.get(base).copied().unwrap_or_default());
            } else if let (1, Some(run)) = (step, values.get(base..).and_then(|rest| rest.get(..out.len()))) {
                out.copy_from_slice(run);
            } else if let (Ok(step), Some(rest)) = (usize::try_from(step), values.get(base..)) {
                out.iter_mut().zip(rest.iter().step_by(step)).for_each(|(out, &value)| *out = value);
            } else {
                for (lane, out) in out.iter_mut().enumerate() {
                    let at = (base as i64).wrapping_add(step.wrapping_mul(lane as i64));
                    *out =
                        usize::try_from(at).ok().and_then(|at| values.get(at)).copied().unwrap_or_default();
                }
            }
        }
        Index::Lanes { plus, .. } => {
            for (out, &at) in out.iter_mut().zip(lanes) {
                *out = values.get(at.wrapping_add(plus) as usize).copied().unwrap_or_default();
            }
        }
    }
}

fn copy<T: Copy + Default>(
    bank: &mut super::lanes::Bank<T>,
    from: u32,
    out: u32,
    count: usize,
    mask: Option<&[bool]>,
) {
    copy_or(bank, from, out, count, mask, None);
}

fn copy_or<T: Copy + Default>(
    bank: &mut super::lanes::Bank<T>,
    from: u32,
    out: u32,
    count: usize,
    mask: Option<&[bool]>,
    instead: Option<T>,
) {
    let (below, row) = bank.split(out);
    let source = &below.row(from)[..count];
    match (mask, instead) {
        (None, None) => row[..count].copy_from_slice(source),
        (None, Some(value)) => row[..count].fill(value),
        (Some(mask), instead) => {
            for ((cell, &value), &taken) in row.iter_mut().zip(source).zip(mask) {
                if taken {
                    *cell = instead.unwrap_or(value);
                }
            }
        }
    }
}

/// An integer as a float of a type.
pub(super) fn int_to_float(from: Kind, to: Kind, value: i64) -> f64 {
    to.round(integer::to_float(from, value))
}
