//! Branches that only the default of an option excludes: the program is followed again with each switch turned and
//! each other word that an option may have, if the program goes another way then, and as long as all of that costs no
//! more than a quarter of the program itself. Long loops are run for a few rounds then: every line of the other way is
//! seen, and what the later rounds do the program with its defaults has shown.

use super::{Followed, Survey};
use engines::finding::{Finding, Rule, Severity};
use python::asked::CommandOption;
use python::entry::Entry;
use python::uses;

/// An option with more words than this is a list of names, not a choice between ways.
const MOST_WORDS: usize = 6;
/// Runs that are tried at most.
const MOST_RUNS: usize = 12;
/// Steps that may be spent even where the program itself takes few.
const LEAST_STEPS: u64 = 60_000;

impl Survey {
    /// Adds what fails with other options than those given. Returns how many were tried.
    pub(super) fn other_options(&self, arguments: &[String], followed: &mut Followed) -> usize {
        let fails = followed.answer.findings.iter().any(|finding| finding.severity == Severity::Error);
        if fails {
            return 0;
        }
        let taken = self.program.taken();
        let allowed = (taken / 4).max(LEAST_STEPS);
        self.program.allow(allowed);
        let mut tried = 0;
        let module = &self.program.module;
        let chooses = |option: &&CommandOption| uses::chooses(module, &option.name, option.is_switch);
        let options: Vec<&CommandOption> = followed.options.iter().filter(chooses).collect();
        for words in alternatives(&options) {
            if tried == MOST_RUNS || self.program.is_spent() {
                break;
            }
            tried += 1;
            let arguments = arguments.iter().chain(&words).cloned().collect();
            let other = self.follow(&Entry::Program { arguments, brief: true });
            let words = words.join(" ");
            for finding in other.answer.findings {
                // What a program says itself of options that do not go together is no fault.
                if finding.severity != Severity::Error || finding.rule == Rule::PythonError {
                    continue;
                }
                let here = finding.location.spot.as_ref().map(|spot| spot.here.clone());
                let is_told = |held: &Finding| {
                    held.location.spot.as_ref().map(|spot| &spot.here) == here.as_ref()
                        && held.message.ends_with(&finding.message)
                };
                if followed.answer.findings.iter().any(is_told) {
                    continue;
                }
                let message = format!("with `{words}`: {}", finding.message);
                let because = Some(format!("`{words}` is not the default"));
                let severity = Severity::Warning;
                followed.answer.findings.push(Finding { severity, message, because, ..finding });
            }
            followed.called.extend(other.called);
        }
        self.program.allow_again(taken, allowed);
        tried
    }
}

/// What to add to the command line, one option at a time; choices between ways go first.
fn alternatives(options: &[&CommandOption]) -> Vec<Vec<String>> {
    let open = || options.iter().filter(|option| !option.is_given);
    let worded = open().filter(|option| (1..=MOST_WORDS).contains(&option.others.len()));
    let worded =
        worded.flat_map(|option| option.others.iter().map(|word| vec![option.flag.clone(), word.clone()]));
    let switches = open().filter(|option| option.is_switch).map(|option| vec![option.flag.clone()]);
    worded.chain(switches).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_option_at_a_time() {
        let option = |flag: &str, others: &[&str], is_switch| CommandOption {
            name: flag.trim_matches('-').into(),
            flag: flag.into(),
            is_given: false,
            others: others.iter().map(|word| (*word).into()).collect(),
            is_switch,
        };
        let many: Vec<String> = (0..20).map(|number| format!("model{number}")).collect();
        let many = CommandOption { others: many, ..option("--arch", &[], false) };
        let given = CommandOption { is_given: true, ..option("--loss", &["mae"], false) };
        let options = [option("--amp", &[], true), option("--norm", &["batch", "layer"], false), many, given];
        let tried: Vec<String> =
            alternatives(&options.iter().collect::<Vec<_>>()).iter().map(|words| words.join(" ")).collect();
        assert_eq!(tried, ["--norm batch", "--norm layer", "--amp"]);
    }
}
