//! A Python program under a choice of its hyper-parameters: the courses that its paths take.

use super::space::{Choice, Parameter};
use crate::config::Config;
use crate::inputs::{InputArgs, quoted};
use crate::source::Named;
use anyhow::{Result, anyhow, bail};
use engines::sweep::{Cause, Course, Domain, Ending};
use program::ir::{Place, Spot};
use program::path::Path;
use python::analyse::{Ended, Program, analyse};
use python::asked::{Asked, Assumed, Given};
use python::entry::Entry;
use python::interpreter::hints::meant;
use rustc_hash::FxHashSet;
use solver::{Context, Limits, Smt};
use std::collections::BTreeSet;

/// A program, and what is always said of it.
pub struct Model<'a> {
    pub named: &'a Named,
    pub arguments: &'a [String],
    pub inputs: &'a InputArgs,
    pub config: &'a Config,
    pub smt: Smt,
}

/// What a hyper-parameter is in one analysis.
#[derive(Clone)]
pub enum Bound {
    Fixed(Choice),
    /// Anything between these.
    Between(i64, i64),
}

impl Model<'_> {
    /// The courses of all paths, with each hyper-parameter fixed or open.
    pub fn courses(
        &self,
        parameters: &[Parameter],
        bounds: &[Bound],
        domains: &[Domain],
    ) -> Result<Vec<Course>> {
        let Model { named, arguments, inputs, config, .. } = self;
        let mut program =
            Program::open(&named.file, &config.stubs, &config.packages).map_err(|why| anyhow!(why))?;
        let mut entry = named.entry(&program, arguments, inputs)?;
        let mut assumed = Vec::new();
        let mut of_target = FxHashSet::default();
        for (parameter, bound) in parameters.iter().zip(bounds) {
            let name = &parameter.name;
            if let Entry::Target(target) = &mut entry {
                let sizes = target.inputs.iter().flat_map(|input| &input.sizes);
                if sizes.filter_map(|size| size.as_ref().err()).any(|size| size == name) {
                    let (low, high) = match bound {
                        Bound::Fixed(Choice::Int(number)) => (*number, *number),
                        Bound::Between(low, high) => (*low, *high),
                        Bound::Fixed(_) => bail!("`{name}` is a size: its values are whole numbers"),
                    };
                    target.sizes.retain(|(held, ..)| held != name);
                    target.sizes.push((name.clone(), low, high));
                    of_target.insert(name.clone());
                    continue;
                }
                if python::entry::parameters(&program.module, &target.name).contains(name) {
                    target.init.retain(|(held, _)| held != name);
                    target.init.push((name.clone(), spelled(bound)));
                    of_target.insert(name.clone());
                    continue;
                }
            }
            assumed.push(Assumed { name: name.clone(), value: given(bound)?, always: true });
        }
        let names: Vec<String> = assumed.iter().map(|assumed| assumed.name.clone()).collect();
        assumed.extend(config.assume.iter().filter(|setting| !names.contains(&setting.name)).cloned());
        program.asked = Asked { assumed, ..Asked::default() }.into();
        let mut courses = Vec::new();
        let (mut used, mut offered) = (FxHashSet::default(), BTreeSet::new());
        let context = || Context::with_smt(Limits::default(), self.smt.clone());
        let paths = analyse(&program, &entry, &context, &mut |path, ended| {
            used.extend(ended.assumed.iter().copied());
            offered.extend(ended.offered.iter().cloned());
            courses.push(course(path, &ended, domains));
            true
        });
        for (number, name) in names.iter().enumerate() {
            if !used.contains(&number) {
                return Err(self.no_such(name, offered, &entry, &program));
            }
        }
        if paths.left_out > 0 {
            let mut course = Course::new(domains);
            course.ending = Ending::Unknown(format!("{} paths were not followed", paths.left_out));
            courses.push(course);
        }
        Ok(courses)
    }
    fn no_such(
        &self,
        name: &str,
        mut offered: BTreeSet<String>,
        entry: &Entry,
        program: &Program,
    ) -> anyhow::Error {
        if let Entry::Target(target) = entry {
            offered.extend(python::entry::parameters(&program.module, &target.name));
            offered.extend(
                target.inputs.iter().flat_map(|input| &input.sizes).filter_map(|size| size.clone().err()),
            );
        }
        offered.remove(name);
        let known: Vec<&str> = offered.iter().map(String::as_str).collect();
        let rest = match meant(name, offered.iter().cloned()) {
            Some(meant) => meant,
            None if known.is_empty() => "the program reads no option and leaves nothing open".into(),
            None => format!("there is {}", quoted(&known)),
        };
        anyhow!("`{name}` is no option, constant or argument of the program: {rest}")
    }
}

fn given(bound: &Bound) -> Result<Given> {
    Ok(match bound {
        Bound::Between(low, high) => Given::Range(*low, *high),
        Bound::Fixed(Choice::Int(number)) => Given::Number(*number),
        Bound::Fixed(Choice::Float(number)) => Given::Float(*number),
        Bound::Fixed(Choice::Flag(flag)) => Given::Flag(*flag),
        Bound::Fixed(Choice::Text(text)) => Given::Text(text.clone()),
        Bound::Fixed(Choice::Several(_)) => bail!("several numbers at once can be given to arguments only"),
    })
}

/// A value as the source of a call would have it.
fn spelled(bound: &Bound) -> String {
    match bound {
        Bound::Between(low, high) => format!("{low}..{high}"),
        Bound::Fixed(Choice::Text(text)) => format!("{text:?}"),
        Bound::Fixed(choice) => choice.to_string(),
    }
}

/// What a path asks of a vector.
fn course(path: &Path, ended: &Ended, domains: &[Domain]) -> Course {
    let mut course = Course::new(domains);
    let mut decided = path.decided.iter().peekable();
    for (number, assumption) in path.assumed.iter().enumerate() {
        while let Some((_, statement)) = decided.next_if(|(before, _)| *before <= number) {
            course.decide(*statement);
        }
        let requirement = &assumption.requirement;
        let cause = Cause {
            operator: assumption.place.spelled.to_string(),
            label: requirement.label.to_owned(),
            category: requirement.category.name().to_owned(),
            place: place_of(&assumption.place),
            condition: requirement.prop.to_string(),
        };
        course.require(requirement.prop, cause);
    }
    decided.for_each(|(_, statement)| course.decide(*statement));
    course.ending = ending(path, ended);
    course
}

fn ending(path: &Path, ended: &Ended) -> Ending {
    if let Some(entry) = ended.violated.and_then(|number| path.record.get(number)) {
        let broken = entry.open.iter().find(|judged| judged.breaks());
        let cause = Cause {
            operator: entry.place.spelled.to_string(),
            label: broken.map_or_else(String::new, |judged| judged.requirement.label.to_owned()),
            category: broken.map_or_else(String::new, |judged| judged.requirement.category.name().to_owned()),
            place: place_of(&entry.place),
            condition: String::new(),
        };
        return if ended.doubtful { Ending::Unknown(cause.label) } else { Ending::Fails(cause) };
    }
    if let Some((message, spot)) = ended.raised.as_ref().or(ended.refused.as_ref()) {
        let cause = Cause {
            operator: "Python".into(),
            label: message.clone(),
            category: "Python error".into(),
            place: spot_of(spot),
            condition: String::new(),
        };
        return if ended.doubtful { Ending::Unknown(cause.label) } else { Ending::Fails(cause) };
    }
    if let Some(why) = &ended.stopped {
        return Ending::Unknown(why.clone());
    }
    let lost = ended.lost.first().map(|(spot, why)| format!("{}: {why}", spot_of(spot)));
    let lost = lost.or_else(|| path.record.iter().find_map(|entry| entry.lost.first().cloned()));
    match lost {
        Some(why) => Ending::Unknown(why),
        None if ended.doubtful => Ending::Unknown("whether a run can go this way is not known".into()),
        None => Ending::Valid,
    }
}

fn place_of(place: &Place) -> String {
    place.spot.as_ref().map_or_else(|| place.node.clone(), |spot| spot_of(spot))
}
fn spot_of(spot: &Spot) -> String {
    format!("{}:{}", spot.here.file, spot.here.line)
}
