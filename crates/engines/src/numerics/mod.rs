//! Numerical bugs: operations whose arguments may, for inputs and parameters inside their ranges, make NaN or Inf.
//!
//! A trace of calls (of a model file or of a source alike) is read as ranges ([`crate::ranges`]). What a scalar function
//! does not bear is a hazard; hazards of one call are one site, sites that only feel what another did are left out, and
//! for the others inputs are looked for that make the reference evaluator fail there ([`witness`]).

mod advice;
mod causes;
mod chain;
mod cone;
mod equations;
mod flows;
mod gradient;
mod masked;
mod rounds;
mod sites;
mod sizes;
pub mod soundness;
mod sources;
mod swallowed;
mod trace;
mod witness;
mod words;

pub use sources::{Bounds, Role, Source, Weights};
pub use trace::{Traced, of_program};

use crate::finding::Finding;
use crate::ranges::Settings;
use crate::validity;
use program::execute::Run;
use program::ir::{Place, Program};
use sites::Site;
use solver::Verdict;
use std::rc::Rc;

/// What is asked of a program.
#[derive(Clone, Debug)]
pub struct Question {
    /// What the user says of inputs and parameters.
    pub ranges: Vec<Bounds>,
    pub weights: Weights,
    /// Also look at the backward pass.
    pub gradients: bool,
    pub settings: Settings,
    /// Look for inputs that make a site fail.
    pub witnesses: bool,
}

impl Default for Question {
    fn default() -> Question {
        Question {
            ranges: Vec::new(),
            weights: Weights::Stored,
            gradients: false,
            settings: Settings::NUMERICS,
            witnesses: true,
        }
    }
}

/// What was found out about one trace.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub findings: Vec<Finding>,
    /// Operations with a function that does not bear every argument, and how many of them nothing can be said of
    /// because what reaches them is not known.
    pub checked: usize,
    pub undecided: usize,
    /// Where nothing can be said, what is done there, and what is not known.
    pub open: Vec<Open>,
    /// Patterns of ranges that named nothing, and the names there are.
    pub unused: Vec<String>,
    pub names: Vec<String>,
}

/// An operation of which nothing can be said.
#[derive(Clone, Debug)]
pub struct Open {
    pub place: Rc<Place>,
    /// What is not known of its arguments.
    pub of: String,
}

/// The work granted to any program, and what each of its values adds.
const WORK: u64 = 20_000_000;
const WORK_PER_VALUE: u64 = 20_000;

/// Looks for numerical bugs in a program, in an arena of its own.
pub fn check_program(program: &Program, about: &validity::Question, question: &Question) -> Report {
    semantics::arena::scope(|| {
        semantics::arena::allow(WORK + WORK_PER_VALUE * program.values.len() as u64);
        let mut run = settled(program, about).unwrap_or_else(|| followed(program, about));
        check(&of_program(program, &mut run), question)
    })
}

/// The program with open sizes settled, if nothing fails with them: inputs that are taken for numbers are as many as do
/// no harm.
fn settled<'p>(program: &'p Program, about: &validity::Question) -> Option<Run<'p>> {
    const MOST_TRIED: usize = 6;
    let attempt = |scalars: &[&str]| {
        let run = followed(program, &sizes::settled(program, about, scalars)?);
        goes_well(&run).then_some(run)
    };
    let shapeless = sizes::shapeless(program);
    if let Some(run) = attempt(&shapeless) {
        return Some(run);
    }
    let mut scalars: Vec<&str> = Vec::new();
    for name in shapeless.into_iter().take(MOST_TRIED) {
        scalars.push(name);
        if attempt(&scalars).is_none() {
            scalars.pop();
        }
    }
    attempt(&scalars)
}

/// The program on a path that follows values.
fn followed<'p>(program: &'p Program, about: &validity::Question) -> Run<'p> {
    let mut run = validity::started(program, about);
    run.path.made = Some(Vec::new());
    run.execute();
    run
}

/// Whether no requirement is known to fail.
fn goes_well(run: &Run<'_>) -> bool {
    let mut open = run.path.record.iter().flat_map(|entry| &entry.open);
    !open.any(|judged| matches!(judged.verdict, Verdict::Fails))
}

/// Looks for numerical bugs in what was traced in the current arena.
pub fn check(traced: &Traced, question: &Question) -> Report {
    let mut analysis = sites::Analysis::of(traced, question);
    let mut report = Report {
        unused: analysis.sources.unused(&question.ranges),
        names: analysis.sources.names(),
        ..Report::default()
    };
    let mut sites: Vec<Site> = analysis.sites();
    if question.witnesses {
        sites.extend(masked::sites(&analysis, &sites));
    }
    if question.gradients {
        sites.extend(gradient::sites(&mut analysis, &sites));
    }
    report.checked = analysis.checked;
    let mut search = witness::Search::new();
    for site in analysis.by_cause(sites) {
        let unknown = analysis.unknown_behind(&site);
        let by_growth = analysis.is_growth(&site);
        // What no formula gives may be computed all the same: then inputs tell what ranges do not.
        let witness = match question.witnesses {
            true => search.find(&mut analysis, &site, by_growth),
            false => None,
        };
        if let Some(unknown) = unknown.filter(|_| witness.is_none()) {
            report.undecided += 1;
            report.open.push(Open { place: analysis.made(site.call).place.clone(), of: unknown });
            continue;
        }
        let is_mask = site.hazard.function == masked::SOFTMAX;
        if (by_growth || is_mask) && witness.is_none() {
            continue;
        }
        report.findings.push(words::finding(&mut analysis, &site, witness));
    }
    report
}
