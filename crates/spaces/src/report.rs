//! What a sweep found, in words and in rows.

use crate::regions;
use crate::sweep::{Sweep, Tally, is_mentioned};
use anyhow::{Context, Result, bail};
use engines::sweep::{Cause, Verdict};
use serde_json::{Map, Value, json};
use std::io::{ErrorKind, Write};
use std::ops::Range;

/// How vectors are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListForm {
    Csv,
    Jsonl,
}

/// More vectors than this are not listed at once: it would take half an hour, and a disk.
const MOST_LISTED: u128 = 1_000_000_000;

/// A longer condition is nothing that a person reads.
const LONGEST_CONDITION: usize = 120;

/// What a space came to: the causes, the most frequent first, and the counts.
pub fn text(name: &str, sweep: &Sweep) -> String {
    let census = sweep.census();
    let mut text = String::new();
    let mut line = |line: String| text.extend([line.as_str(), "\n"]);
    let headed = |same: &Same| {
        let cause = &same.tallies[0].cause;
        format!("{:>12} × {}: {}", grouped(same.count), cause.operator, cause.label)
    };
    for same in together(&census.invalid) {
        line(headed(&same));
        told(sweep, &same, true, &mut line);
    }
    if !census.improper.is_empty() {
        line("improper, and yet valid:".into());
        for same in together(&census.improper) {
            line(headed(&same));
            told(sweep, &same, false, &mut line);
        }
    }
    if !sweep.counts_improper() {
        line("what works and is hardly meant is not counted apart: that would take too much".into());
    }
    if census.unknown > census.unsettled {
        sweep.reasons().iter().for_each(|reason| line(format!("not known: {reason}")));
    }
    for name in sweep.never_there().into_iter().filter(|_| sweep.len() > 1) {
        line(format!("`{name}` is never there: no vector fulfils its `when`"));
    }
    let is_read = |name: &String| !sweep.unread.contains(name);
    for parameter in sweep.space.parameters.iter().filter(|it| it.values.len() > 1 && is_read(&it.name)) {
        if let Some((low, high)) = parameter.reals {
            let (name, count) = (&parameter.name, parameter.values.len());
            line(format!("`{name}` may be any number from {low} to {high}: {count} of them are counted"));
        }
    }
    if !sweep.unread.is_empty() {
        let names = sweep.unread.join("`, `");
        line(format!(
            "`{names}` of the search is nothing that the model has: its values change nothing here"
        ));
    }
    if !sweep.unmet.is_empty() {
        let names = sweep.unmet.join("`, `");
        line(format!("`{names}` is read by no vector: the program fails before"));
    }
    sweep.supposed().iter().for_each(|each| line(format!("supposing: {each}")));
    if let Some(framework) = &sweep.space.framework {
        let version = framework.version.as_deref().unwrap_or("of any version");
        line(format!("by the rules of {} {version}", framework.name));
    }
    let unknown = match census.unknown - census.unsettled {
        0 => String::new(),
        count => format!(", {} not known", grouped(count)),
    };
    let unsettled = match census.unsettled {
        0 => String::new(),
        count => {
            let (least, most) = (grouped(census.valid), grouped(census.valid + census.unknown));
            line(format!("more hyper-parameters meet than could be counted: valid are {least} to {most}"));
            format!(", {} not counted", grouped(count))
        }
    };
    let (valid, invalid) = (grouped(census.valid), grouped(census.invalid()));
    let total = grouped(census.total());
    line(format!("{name}: {total} vectors, {valid} valid, {invalid} invalid{unknown}{unsettled}"));
    text
}

/// Vectors that break the same requirement at the same place, whatever sizes met there.
struct Same<'c> {
    tallies: Vec<&'c Tally>,
    count: u128,
}

/// The causes by requirement and place, the most frequent first.
fn together(tallies: &[Tally]) -> Vec<Same<'_>> {
    let mut all: Vec<Same> = Vec::new();
    for tally in tallies {
        match all.iter_mut().find(|same| is_same(&same.tallies[0].cause, &tally.cause)) {
            Some(same) => {
                same.tallies.push(tally);
                same.count += tally.count;
            }
            None => all.push(Same { tallies: vec![tally], count: tally.count }),
        }
    }
    all.sort_by_key(|same| std::cmp::Reverse(same.count));
    all
}
fn is_same(one: &Cause, other: &Cause) -> bool {
    (&one.operator, &one.label, &one.place) == (&other.operator, &other.label, &other.place)
}

fn told(sweep: &Sweep, same: &Same, is_invalid: bool, line: &mut dyn FnMut(String)) {
    let Tally { cause, example, .. } = same.tallies[0];
    let mut under = |text: String| line(format!("{:14} {text}", ""));
    let conditions = same.tallies.iter().map(|tally| &tally.cause.condition);
    let names = |text: &String| sweep.space.parameters.iter().any(|it| is_mentioned(text, &it.name));
    let mut conditions: Vec<&String> = conditions.filter(|text| names(text)).collect();
    conditions.dedup();
    under(format!("at {} ({})", cause.place, cause.category));
    if let Some(shortest) = conditions.iter().min_by_key(|text| text.len())
        && shortest.len() <= LONGEST_CONDITION
    {
        match conditions.len() {
            1 => under(format!("needs {shortest}")),
            count => under(format!("needs {shortest} (one of {count} forms)")),
        }
    }
    if is_invalid && sweep.len() > 1 {
        let regions = sweep.regions(&|other| is_same(cause, other), example);
        let mut told: Vec<String> =
            regions.boxes.iter().map(|region| regions::words(&sweep.space, region, example)).collect();
        told.dedup();
        for (number, region) in told.iter().enumerate() {
            under(format!("{} {region}", if number == 0 { "where" } else { "   or" }));
        }
        if regions.rest > 0 && !told.is_empty() {
            under(format!("   or elsewhere ({} vectors)", grouped(regions.rest)));
        }
    }
    let parameters = sweep.space.parameters.iter().enumerate().zip(example);
    let example = parameters
        .filter(|((number, _), _)| sweep.space.is_active(*number, example))
        .map(|((_, parameter), &place)| format!("{}={}", parameter.name, parameter.values[place]));
    under(format!("for example {}", example.collect::<Vec<_>>().join(", ")));
}

/// The verdict as rows have it, and why.
pub fn words(verdict: Verdict) -> (&'static str, String) {
    let why = |cause: &Cause| format!("{}: {} ({})", cause.operator, cause.label, cause.place);
    match verdict {
        Verdict::Valid => ("valid", String::new()),
        Verdict::Improper(cause) => ("improper", why(cause)),
        Verdict::Invalid(cause) => ("invalid", why(cause)),
        Verdict::Unknown(reason) => ("unknown", reason.to_owned()),
        Verdict::Outside => ("outside", String::new()),
    }
}

/// The vectors of a range with their verdicts; those that the space does not have are left out. It ends with a whole row
/// as soon as `goes_on` says no.
pub fn list(
    form: ListForm,
    sweep: &Sweep,
    range: Range<u128>,
    out: &mut dyn Write,
    goes_on: &dyn Fn() -> bool,
) -> Result<()> {
    let count = range.end - range.start;
    if count > MOST_LISTED {
        let (count, most) = (grouped(count), grouped(MOST_LISTED));
        bail!(
            "{count} vectors are too many to list, {most} are the most: `--shard I/N` lists a share of them, and without `--list` all are counted"
        );
    }
    let mut failed = None;
    let parameters = &sweep.space.parameters;
    if form == ListForm::Csv && range.start == 0 {
        let names = parameters.iter().map(|parameter| quoted(&parameter.name));
        let names: Vec<String> = names.chain(["verdict".into(), "why".into()]).collect();
        failed = writeln!(out, "{}", names.join(",")).err();
    }
    let is_conditional = parameters.iter().any(|parameter| parameter.when.is_some());
    sweep.each(range, &mut |places, verdict| {
        if verdict == Verdict::Outside {
            return true;
        }
        let (verdict, why) = words(verdict);
        let value = |number: usize| {
            let is_there = !is_conditional || sweep.space.is_active(number, places);
            is_there.then(|| &parameters[number].values[places[number]])
        };
        let numbers = 0..parameters.len();
        let written = match form {
            ListForm::Csv => {
                let cell = |number| value(number).map_or(String::new(), |value| quoted(&value.to_string()));
                let cells: Vec<String> = numbers.map(cell).chain([verdict.into(), quoted(&why)]).collect();
                writeln!(out, "{}", cells.join(","))
            }
            ListForm::Jsonl => {
                let pair = |number: usize| Some((parameters[number].name.clone(), value(number)?.json()));
                let vector: Map<String, Value> = numbers.filter_map(pair).collect();
                writeln!(out, "{}", json!({ "vector": vector, "verdict": verdict, "why": why }))
            }
        };
        failed = failed.take().or(written.err());
        failed.is_none() && goes_on()
    });
    match failed.or_else(|| out.flush().err()) {
        // A reader that has seen enough is no fault.
        Some(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Some(error) => Err(error).context("cannot write the output"),
        None => Ok(()),
    }
}

/// A cell of a row: quoted where a comma or a quote stands in it.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// 1,234,567.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
