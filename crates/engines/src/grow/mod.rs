//! Growing models of layers or operators that are valid by construction, and invalid ones with exactly one fault.
//!
//! A step takes a value that is there, or a new input, chooses a layer that may fit it, and draws arguments; the
//! layer's definition says whether the call is valid and which weights it makes. Nothing here knows any layer:
//! signatures say what can be drawn, definitions what is valid, and what they accepted before is drawn more often.
//! Each layer is evaluated as it is added, so a case comes with its reference values.

mod aim;
mod arguments;
mod company;
mod coverage;
mod invalid;
mod novelty;
mod odds;
mod sketch;
mod solve;
mod vocabulary;

pub(crate) use arguments::owned;
pub use coverage::Coverage;
pub(crate) use invalid::set as set_argument;
pub use invalid::{Change, Invalid};
pub use vocabulary::{Vocabulary, keras, onnx, operators};

use crate::draw::Draw;
use crate::evaluate::Reading;
use arguments::{Drawn, Habits};
use company::{Around, Company};
use coverage::{FORMS, form};
use layers::layer::Mask;
use odds::{Odds, weighted};
use program::ir::{Given, Program, ValueId};
use rustc_hash::FxHashMap;
use semantics::array::Array;
use semantics::dtype::{Class, Kind};
use semantics::operator::{Backend, Operator};
use sketch::{Draft, Operand, Sketch};
use smallvec::{SmallVec, smallvec};
use solve::Within;
use std::rc::Rc;

/// A grown model with inputs for it.
pub struct Case {
    /// Nodes with one name are calls of one shared layer. Outputs are the values that nothing reads.
    pub program: Program,
    pub inputs: Vec<(ValueId, Array)>,
    /// What every value comes to, by number.
    pub values: Vec<Option<Rc<Reading>>>,
}

/// What is grown.
#[derive(Clone)]
pub struct Options {
    /// What models consist of.
    pub vocabulary: Vocabulary,
    /// Layers per model, on average.
    pub layers: usize,
    pub largest_size: i64,
    /// No tensor has more elements.
    pub most_elements: i64,
    /// Element types of models, each as likely as it occurs here.
    pub kinds: Vec<Kind>,
    /// The element type of inputs that hold whole numbers.
    pub integers: Kind,
    /// The type in which the framework keeps arguments that are floats.
    pub arguments: Kind,
    /// Whether the first axis of every input is the batch.
    pub batched: bool,
    /// Whether layers cast the floats that they are called on to one type before they see them.
    pub casts: bool,
    /// Whether arguments that a framework is known to refuse, or to let pass against its specification, are left out.
    pub undisputed: bool,
    /// What keeps a framework from being told of a call with these arguments, on a first tensor of that type and shape.
    pub can_tell: CanTell,
    /// Of a hundred new inputs, so many are empty.
    pub empty: u64,
    /// The layers that models consist of; all, if none is named. Inside of these may be others.
    pub only: Vec<&'static str>,
    /// Layers that occur nowhere.
    pub absent: Vec<&'static str>,
    /// Who computes.
    pub backend: Backend,
}

/// Whether an operator with these arguments, and the type and sizes of its first tensor, can be told; if not, in which
/// words, if there are any.
pub type CanTell = fn(&Operator, &[Option<Given>], Kind, &[i64]) -> Result<(), Option<&'static str>>;

impl Default for Options {
    fn default() -> Options {
        use Kind::{BF16, F16, F32, F64};
        let kinds = vec![F32, F32, F32, F32, F32, F64, F16, BF16];
        Options {
            vocabulary: keras(),
            integers: Kind::I32,
            arguments: F64,
            batched: true,
            casts: true,
            undisputed: true,
            can_tell: |operator, given, _, _| match leaves_nothing(operator, given) {
                true => Ok(()),
                false => Err(Some("`stateful` is not set")),
            },
            layers: 10,
            largest_size: 4,
            most_elements: 1024,
            kinds,
            empty: 1,
            only: Vec::new(),
            absent: Vec::new(),
            backend: Backend::default(),
        }
    }
}

impl Options {
    fn wants(&self, layer: usize) -> bool {
        let name = self.vocabulary[layer].operator.name;
        (self.only.is_empty() || self.only.contains(&name)) && !self.absent.contains(&name)
    }
}

/// Whether a layer, and what is inside it, is after a call as it was before: one that keeps its state gives something
/// else when the same model is called in another way.
fn leaves_nothing(operator: &Operator, given: &[Option<Given>]) -> bool {
    operator.parameters.iter().zip(given).all(|(parameter, given)| match given {
        Some(Given::Int(flag)) => parameter.name != "stateful" || *flag == 0,
        Some(Given::Operators(inner)) => {
            inner.iter().all(|(operator, given)| leaves_nothing(operator, given))
        }
        _ => true,
    })
}

/// How often arguments are drawn anew for a layer before another is tried: each time those that are to blame.
const GUESSES: usize = 16;
/// How many reasons are kept.
const MOST_LOST: usize = 100;
/// How often a step is tried before a model is left shorter than meant.
const ATTEMPTS: usize = 40;
/// So many models at most are grown to find out what layers take, and so often each of them is called.
const MOST_LEARNING: usize = 1500;
const KNOWN_CALLS: u32 = 24;
pub(crate) const HIGHEST_RANK: usize = 6;

/// An endless source of models, the same for the same seed and options.
pub struct Grower {
    options: Options,
    draw: Draw,
    habits: Vec<Habits>,
    company: Vec<Company>,
    /// Per layer and form of its first input.
    takes: Vec<[Odds; FORMS]>,
    pub coverage: Coverage,
    /// Why calls that the definition accepted could not be evaluated, with the layer.
    pub lost: Vec<(&'static str, String)>,
    /// How often each layer broke each requirement in invalid models.
    pub faults: FxHashMap<(&'static str, &'static str), u32>,
}

impl Grower {
    pub fn new(seed: u64, options: Options) -> Grower {
        let all = options.vocabulary;
        let operators = || all.iter().map(|layer| &layer.operator);
        let habits = |operator| Habits::new(operator, &options.absent, options.arguments);
        Grower {
            habits: operators().map(habits).collect(),
            options,
            draw: Draw::new(seed),
            company: all.iter().map(|layer| Company::new(layer)).collect(),
            takes: vec![[Odds::default(); FORMS]; all.len()],
            coverage: Coverage::new(operators().map(|operator| operator.parameters.len())),
            lost: Vec::new(),
            faults: FxHashMap::default(),
        }
    }

    /// Grows models that nobody is shown, until every layer that is wanted was called now and then: what layers take is
    /// known from then on, and what was covered is forgotten. Growing costs a hundredth of what running a model does,
    /// and what has to be found out first would come late otherwise.
    pub fn learn(&mut self) {
        let wanted: Vec<usize> =
            (0..self.options.vocabulary.len()).filter(|layer| self.options.wants(*layer)).collect();
        for _ in 0..MOST_LEARNING {
            let calls = &self.coverage.calls;
            if wanted.iter().all(|&layer| calls[layer] >= KNOWN_CALLS) {
                break;
            }
            self.next();
        }
        let parameters = self.options.vocabulary.iter().map(|layer| layer.operator.parameters.len());
        self.coverage = Coverage::new(parameters);
        self.habits.iter_mut().for_each(Habits::forget);
        self.lost.clear();
    }

    /// Per layer and parameter, how many of the values that are drawn for it were valid, of how many.
    pub fn variety(&self) -> impl Iterator<Item = (&'static str, Vec<(usize, usize)>)> {
        self.options
            .vocabulary
            .iter()
            .zip(&self.habits)
            .map(|(layer, habits)| (layer.operator.name, habits.variety()))
    }

    fn step(&mut self, sketch: &mut Sketch) -> bool {
        if !sketch.calls.is_empty() && self.draw.chance(8) && self.share(sketch) {
            return true;
        }
        let source = self.source(sketch);
        let layer = self.layer(sketch, source);
        let definition = self.options.vocabulary[layer];
        let first = match source {
            Some(held) => Operand::Held(held),
            None => Operand::Fresh(self.input(layer, sketch)),
        };
        let form = match &first {
            Operand::Held(at) => form(sketch.held[*at].sizes.len(), sketch.held[*at].kind.is_float()),
            Operand::Fresh(array) => form(array.shape.len(), array.kind.is_float()),
        };
        let mut draft = Draft { layer, definition, operands: vec![(0, smallvec![first])] };
        let sizes = sketch.sizes(&draft.operands[0].1[0]);
        let context = FORMS * usize::from(sketch.is_masked(&draft)) + form;
        let mut drawn = self.habits[layer].draw(&self.habits, &sizes, context, &mut self.draw);
        aim::at_elements(&mut drawn.arguments, sketch, &draft, self.options.arguments, &mut self.draw);
        let mut company = None;
        let mut blames_company = true;
        let mut last_broken = None;
        for guess in 0..GUESSES {
            let around = Around { sketch, options: &self.options };
            let own = &mut self.company[layer];
            match &mut company {
                // Tensors of another form may do; after a while, another number of them.
                Some(company) if guess != GUESSES / 2 => {
                    if guess % 4 == 0 || blames_company {
                        own.redraw(company, last_broken, &mut draft.operands, &around, &mut self.draw);
                    }
                }
                _ => company = Some(own.draw(&mut draft.operands, &around, &mut self.draw)),
            }
            let needs = match sketch.check(&draft, &drawn.arguments, &self.options) {
                Ok(needs) => needs,
                Err(broken) => {
                    last_broken = broken;
                    if guess > 0 && self.blames_first(layer, broken) {
                        break;
                    }
                    blames_company = !self.company[layer].is_empty()
                        && guess % 4 != 1
                        && !self.habits[layer].are_named(broken);
                    let Options { largest_size, most_elements, batched, .. } = self.options;
                    let within = Within { largest_size, most_elements, batched };
                    let arguments = match guess % 4 {
                        2 => solve::solved(sketch, &mut draft, &drawn.arguments, &within, &mut self.draw),
                        _ => None,
                    };
                    match arguments {
                        Some(arguments) => {
                            // The new inputs are solved for as well.
                            blames_company = false;
                            self.habits[layer].adopt(&mut drawn, arguments);
                        }
                        None => self.redraw(layer, &mut drawn, broken, &sizes),
                    }
                    continue;
                }
            };
            aim::at_constants(&mut draft, &drawn.arguments, &mut self.draw);
            if let Err(why) = sketch.add(&draft, &drawn.arguments, &needs, &mut self.draw) {
                self.habits[layer].note(&drawn, false);
                self.redraw(layer, &mut drawn, None, &sizes);
                if self.lost.len() < MOST_LOST {
                    self.lost.push((definition.operator.name, why.to_string()));
                }
                continue;
            }
            self.habits[layer].note(&drawn, true);
            company.iter().for_each(|company| self.company[layer].worked(company));
            self.takes[layer][form].note(true);
            for (count, given) in self.coverage.given[layer].iter_mut().zip(&drawn.arguments) {
                *count += u32::from(given.is_some());
            }
            let operands: SmallVec<[usize; 4]> = draft
                .operands
                .iter()
                .flat_map(|(_, operands)| operands)
                .filter_map(|operand| match operand {
                    Operand::Held(at) => sketch.held[*at].maker,
                    Operand::Fresh(_) => None,
                })
                .collect();
            self.coverage.masked[layer] += u32::from(sketch.is_masked(&draft));
            self.cover(layer, form, &operands, sketch);
            return true;
        }
        self.takes[layer][form].note(false);
        false
    }

    /// Whether a broken requirement is about the first tensor alone, which stays as it is.
    fn blames_first(&self, layer: usize, label: Option<&str>) -> bool {
        let first = self.options.vocabulary[layer].operator.inputs[0].name;
        label.is_some_and(|label| {
            label.starts_with(&format!("`{first}` "))
                && !self.habits[layer].are_named(Some(label))
                && !self.company[layer].is_named(label)
        })
    }

    /// Draws those arguments anew that a broken requirement blames.
    fn redraw(&mut self, layer: usize, drawn: &mut Drawn, label: Option<&str>, sizes: &[i64]) {
        let blamed = self.habits[layer].blame(drawn, label, &mut self.draw);
        self.habits[layer].redraw(&self.habits, drawn, &blamed, sizes, &mut self.draw);
    }

    fn cover(&mut self, layer: usize, takes: usize, from: &[usize], sketch: &Sketch) {
        if let Some(held) = sketch.held.last() {
            self.coverage.called(layer, takes, form(held.sizes.len(), held.kind.is_float()));
        }
        from.iter().for_each(|&from| self.coverage.read(from, layer));
    }

    /// The value to go on from: mostly the last, sometimes another; `None` for a new input.
    fn source(&mut self, sketch: &Sketch) -> Option<usize> {
        if sketch.held.is_empty() || self.draw.chance(8) {
            return None;
        }
        let last = sketch.held.len() - 1;
        let chosen = if self.draw.chance(70) { last } else { self.draw.below(sketch.held.len()) };
        // What holds NaN or infinity tells little about the layers after it.
        // Of another type than the model, it would be cast before the next layer sees it.
        let casts = self.options.casts;
        let good = |at: &usize| {
            let held = &sketch.held[*at];
            held.finite && !(casts && held.kind.is_float() && held.kind != sketch.kind)
        };
        Some(chosen).filter(good).or_else(|| (0..=last).rev().find(good))
    }

    /// A layer that may take the value: rather one that did not read this maker yet, rather one that was seldom
    /// called, rather one that heeds the mask if there is one.
    fn layer(&mut self, sketch: &Sketch, source: Option<usize>) -> usize {
        let (coverage, options) = (&self.coverage, &self.options);
        let calls: u32 = coverage.calls.iter().sum();
        let all = self.options.vocabulary;
        let mean = f64::from(calls) / all.len() as f64 + 1.0;
        let masked: u32 = coverage.masked.iter().sum();
        let mean_masked = f64::from(masked) / all.len() as f64 + 1.0;
        let weight = |layer: usize| {
            if !options.wants(layer) {
                return 0.0;
            }
            let seldom = 1.0 / (1.0 + f64::from(coverage.calls[layer]) / mean);
            let definition = all[layer];
            // Masks begin with a new input that is made for it.
            let Some(at) = source else { return seldom * if definition.makes_mask() { 4.0 } else { 1.0 } };
            let held = &sketch.held[at];
            let odds = self.takes[layer][form(held.sizes.len(), held.kind.is_float())];
            if odds.is_hopeless() {
                return 0.002;
            }
            let is_new = held.maker.is_some_and(|maker| !coverage.has_read(maker, layer));
            let mask = match sketch.mask(held.value) {
                Some(_) if definition.heeds_mask() => {
                    10.0 / (1.0 + f64::from(coverage.masked[layer]) / mean_masked)
                }
                Some(_) if !matches!(definition.mask, Mask::Drops) => 3.0,
                _ => 1.0,
            };
            odds.weight() * seldom * mask * if is_new { 30.0 } else { 1.0 }
        };
        weighted((0..all.len()).map(weight), &mut self.draw)
    }

    /// An input of a form that the layer may take first.
    fn input(&mut self, layer: usize, sketch: &Sketch) -> Array {
        let types = self.options.vocabulary[layer].operator.inputs[0].types.kinds;
        let whole = [self.options.integers, Kind::Bool].into_iter().find(|kind| types.contains(kind));
        let whole = whole.unwrap_or(self.options.integers);
        let odds = &self.takes[layer];
        let weight = |at: usize| {
            let (rank, is_float) = (at % 8, at < 8);
            let kind = if is_float { sketch.kind } else { whole };
            if !(1..=HIGHEST_RANK).contains(&rank) || !types.contains(&kind) {
                return 0.0;
            }
            if odds[at].is_hopeless() { 0.002 } else { odds[at].weight() }
        };
        let at = weighted((0..FORMS).map(weight), &mut self.draw);
        let kind = if at < 8 { sketch.kind } else { whole };
        let sizes: SmallVec<[usize; 6]> =
            (0..at % 8).map(|axis| if axis == 0 { sketch.batch as usize } else { self.size() }).collect();
        self.draw.array(kind, &sizes)
    }

    fn size(&mut self) -> usize {
        if self.draw.chance(self.options.empty) {
            0
        } else {
            self.draw.between(1, self.options.largest_size) as usize
        }
    }

    /// One more call of a layer that is there already.
    fn share(&mut self, sketch: &mut Sketch) -> bool {
        let call = self.draw.below(sketch.calls.len());
        let (layer, first) = (sketch.calls[call].layer, sketch.calls[call].first);
        let definition = self.options.vocabulary[layer];
        if self.company[layer].is_needed() {
            return false;
        }
        let like = &sketch.held[first];
        let alike = |(_, held): &(usize, &sketch::Held)| {
            held.value != like.value && held.kind == like.kind && held.sizes == like.sizes && held.finite
        };
        let found: SmallVec<[usize; 16]> =
            sketch.held.iter().enumerate().filter(alike).map(|(at, _)| at).collect();
        let Some(&on) = self.draw.pick(&found) else { return false };
        let (maker, takes) = (sketch.held[on].maker, form(sketch.held[on].sizes.len(), like.kind.is_float()));
        if sketch.share(call, on, definition).is_err() {
            return false;
        }
        self.cover(layer, takes, maker.as_slice(), sketch);
        true
    }
}

impl Iterator for Grower {
    type Item = Case;

    fn next(&mut self) -> Option<Case> {
        let kind = *self.draw.pick(&self.options.kinds)?;
        debug_assert_eq!(kind.class(), Class::Float);
        let batch = self.draw.between(1, self.options.largest_size.min(3));
        let policy = self.options.casts.then_some(kind);
        let mut sketch = Sketch::new(kind, batch, self.options.backend, policy);
        let wanted = self.draw.between(1, 2 * self.options.layers as i64 - 1) as usize;
        let mut attempts = ATTEMPTS + 2 * wanted;
        while sketch.calls.len() < wanted && attempts > 0 {
            self.step(&mut sketch);
            attempts -= 1;
        }
        Some(sketch.finish())
    }
}
