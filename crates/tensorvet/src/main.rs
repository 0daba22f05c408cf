//! The command line. Reading files, choosing colours and exit codes happen here and nowhere else.

mod assume;
mod check;
mod computing;
mod config;
mod environment;
mod explain;
mod fuzz;
mod ignore;
mod inputs;
mod internal;
mod numerics;
mod ops;
mod print;
mod run;
mod source;
mod stopped;
mod sweep;

use anyhow::Result;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::io::IsTerminal;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: memory::Pooled = memory::Pooled;

/// Vets deep-learning models and programs before they run.
#[derive(Parser)]
#[command(name = "tensorvet", version, about, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check shapes, element types and parameters of model files.
    Check(check::CheckArgs),
    /// Compute what a model computes, and compare with what a framework did.
    Run(run::RunArgs),
    /// Run models in a framework and report what the definitions do not explain.
    Fuzz(fuzz::FuzzArgs),
    /// Find every combination of hyper-parameters that cannot work, and why.
    Sweep(sweep::SweepArgs),
    /// List the operators, or show one: signature, requirements, formula, examples.
    Ops(ops::OpsArgs),
    /// Show the page of a finding, such as TV101.
    Explain(explain::ExplainArgs),
}

/// How results are shown.
#[derive(Args)]
struct OutputArgs {
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = FormatArg::Full)]
    output_format: FormatArg,
    /// When to use colours.
    #[arg(long, value_enum, default_value_t = ColorArg::Auto)]
    color: ColorArg,
    /// Print findings only.
    #[arg(long, short)]
    quiet: bool,
    /// Print the shape of every value and everything that was not decided.
    #[arg(long, short)]
    verbose: bool,
    /// Print how many questions each layer of the solver settled.
    #[arg(long)]
    stats: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatArg {
    Full,
    Concise,
    Json,
    Sarif,
    Github,
}

#[derive(Clone, Copy, ValueEnum)]
enum ColorArg {
    Auto,
    Always,
    Never,
}

impl OutputArgs {
    fn format(&self) -> report::Format {
        match self.output_format {
            FormatArg::Full => report::Format::Full,
            FormatArg::Concise => report::Format::Concise,
            FormatArg::Json => report::Format::Json,
            FormatArg::Sarif => report::Format::Sarif,
            FormatArg::Github => report::Format::Github,
        }
    }
    fn options(&self) -> report::Options {
        let colour = match self.color {
            ColorArg::Always => true,
            ColorArg::Never => false,
            ColorArg::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        report::Options {
            paint: report::Paint { colour },
            quiet: self.quiet,
            verbose: self.verbose,
            stats: self.stats,
            unknowns: false,
        }
    }
}

fn main() -> ExitCode {
    internal::guarded(|| execute(Cli::parse()))
}

fn execute(cli: Cli) -> ExitCode {
    let result: Result<ExitCode> = match cli.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Sweep(arguments) => sweep::run(&arguments),
        Command::Ops(arguments) => ops::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
    };
    result.unwrap_or_else(|error| {
        print::complain(&error);
        ExitCode::from(2)
    })
}
