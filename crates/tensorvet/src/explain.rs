//! `tensorvet explain`: the page of a finding.

use crate::print::print;
use anyhow::{Result, bail};
use clap::Args;
use engines::finding::Rule;
use std::process::ExitCode;

#[derive(Args)]
pub struct ExplainArgs {
    /// A code (TV101) or a name (incompatible-shape); all of them if left out.
    rule: Option<String>,
}

pub fn run(arguments: &ExplainArgs) -> Result<ExitCode> {
    let Some(wanted) = &arguments.rule else {
        print(
            &Rule::ALL.iter().map(|rule| format!("{}  {}\n", rule.code(), rule.name())).collect::<String>(),
        )?;
        return Ok(ExitCode::SUCCESS);
    };
    let found =
        Rule::ALL.into_iter().find(|rule| rule.code().eq_ignore_ascii_case(wanted) || rule.name() == wanted);
    let Some(rule) = found else {
        bail!("no finding has the code or name `{wanted}`; `tensorvet explain` lists them")
    };
    print(page(rule))?;
    Ok(ExitCode::SUCCESS)
}

fn page(rule: Rule) -> &'static str {
    match rule {
        Rule::InvalidGraph => include_str!("../../../docs/findings/TV001.md"),
        Rule::DeclaredMismatch => include_str!("../../../docs/findings/TV002.md"),
        Rule::IncompatibleShape => include_str!("../../../docs/findings/TV101.md"),
        Rule::IllegalShape => include_str!("../../../docs/findings/TV102.md"),
        Rule::IllegalValue => include_str!("../../../docs/findings/TV103.md"),
        Rule::ImproperValue => include_str!("../../../docs/findings/TV104.md"),
        Rule::IncompatibleType => include_str!("../../../docs/findings/TV105.md"),
        Rule::UnsupportedLayout => include_str!("../../../docs/findings/TV106.md"),
        Rule::UnsupportedValue => include_str!("../../../docs/findings/TV107.md"),
        Rule::PythonError => include_str!("../../../docs/findings/TV201.md"),
        Rule::SuspiciousBroadcast => include_str!("../../../docs/findings/TV301.md"),
        Rule::SuspiciousSoftmax => include_str!("../../../docs/findings/TV302.md"),
        Rule::SuspiciousAxis => include_str!("../../../docs/findings/TV303.md"),
        Rule::NotANumber => include_str!("../../../docs/findings/TV401.md"),
        Rule::InfiniteResult => include_str!("../../../docs/findings/TV402.md"),
        Rule::Overflow => include_str!("../../../docs/findings/TV403.md"),
        Rule::InfiniteGradient => include_str!("../../../docs/findings/TV404.md"),
    }
}
