//! What the user says about inputs: `--dim batch=1..64` and `--input x=f32[1,3,H,W]`.

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use engines::validity::{GivenInput, Question};
use program::ir::{Declared, Program, Size};
use python::entry::{Input, Target};
use solver::{Smt, SmtPlaces};
use std::collections::HashSet;

#[derive(Args, Clone)]
pub struct InputArgs {
    /// Fix or bound a named size: `batch=8` or `batch=1..64` (both ends included).
    #[arg(long = "dim", value_name = "NAME=SIZE|LOW..HIGH")]
    dims: Vec<String>,
    /// State the type and shape of an input: `x=f32[1,3,H,W]`, with its layout: `x=f32[N,H,W,C]:nhwc`.
    #[arg(long = "input", value_name = "NAME=TYPE[SIZES][:LAYOUT]")]
    inputs: Vec<String>,
    /// An argument of a class or function of a Python file: `num_classes=10`, or a range: `width=1..64`.
    #[arg(long = "init", value_name = "NAME=VALUE|LOW..HIGH")]
    init: Vec<String>,
    /// The Z3 library for what the own solver leaves open: `off`, or its path. Without this it is looked for where
    /// systems and Python environments keep it, when it is needed.
    #[arg(long, value_name = "off|PATH")]
    z3: Option<String>,
}

/// Inputs, bounds of named sizes, and arguments.
type Parts = (Vec<GivenInput>, Vec<(String, i64, i64)>, Vec<(String, String)>);

impl InputArgs {
    /// What is said of inputs, of named sizes and of arguments.
    pub fn parts(&self) -> Result<Parts> {
        let inputs: Vec<GivenInput> = self.inputs.iter().map(|text| input(text)).collect::<Result<_>>()?;
        let sizes: Vec<(String, i64, i64)> = self.dims.iter().map(|text| dim(text)).collect::<Result<_>>()?;
        let init: Vec<(String, String)> = self.init.iter().map(|text| init(text)).collect::<Result<_>>()?;
        once("--dim", sizes.iter().map(|(name, _, _)| name.as_str()))?;
        once("--input", inputs.iter().map(|given| given.name.as_str()))?;
        once("--init", init.iter().map(|(name, _)| name.as_str()))?;
        Ok((inputs, sizes, init))
    }
    /// A target in a Python file with what is said of its arguments.
    pub fn target(&self, name: &str) -> Result<Target> {
        let (inputs, sizes, init) = self.parts()?;
        let names: Vec<&str> = inputs
            .iter()
            .flat_map(|given| &given.sizes)
            .filter_map(|size| size.as_ref().err())
            .map(String::as_str)
            .collect();
        for (name, _, _) in &sizes {
            if !names.contains(&name.as_str()) {
                bail!("--dim {name}: no input has a size of this name; there is {}", quoted(&names));
            }
        }
        let inputs = inputs.into_iter().map(|GivenInput { name, kind, sizes, layout }| Input {
            name,
            kind,
            sizes,
            layout,
        });
        Ok(Target { name: name.to_owned(), inputs: inputs.collect(), init, sizes, trial: None, brief: false })
    }
    /// Complains about options that only a target has a use for.
    pub fn no_target(&self) -> Result<()> {
        for (option, given) in [("--input", &self.inputs), ("--init", &self.init), ("--dim", &self.dims)] {
            if !given.is_empty() {
                bail!("{option} says something of one class or function: name it, as in `model.py::Net`");
            }
        }
        Ok(())
    }

    /// The SMT solver that is asked what the own layer leaves open.
    pub fn smt(&self) -> Result<Smt> {
        Ok(match self.z3.as_deref() {
            Some("off") => Smt::absent(),
            Some(path) => {
                let smt = Smt::find(SmtPlaces { explicit: Some(path.into()), ..SmtPlaces::default() });
                if let Some(why) = smt.missing() {
                    bail!("--z3: {why}");
                }
                smt
            }
            None => Smt::find(SmtPlaces::default()),
        })
    }

    pub fn question(&self, program: &Program, improper: bool, shapes: bool) -> Result<Question> {
        let sizes: Vec<(String, i64, i64)> = self.dims.iter().map(|text| dim(text)).collect::<Result<_>>()?;
        let inputs: Vec<GivenInput> = self.inputs.iter().map(|text| input(text)).collect::<Result<_>>()?;
        once("--dim", sizes.iter().map(|(name, _, _)| name.as_str()))?;
        once("--input", inputs.iter().map(|given| given.name.as_str()))?;
        for given in &inputs {
            let names: Vec<&str> = program.graph.inputs.iter().map(|&value| program.name(value)).collect();
            if !names.contains(&given.name.as_str()) {
                bail!("--input {}: the model has no such input; it has {}", given.name, quoted(&names));
            }
        }
        let smt = self.smt()?;
        Ok(Question { sizes, inputs, smt, improper, shapes, ..Question::default() })
    }
}

/// Complains about a `--dim` that names nothing.
pub fn suggest_names(program: &Program, question: &Question) -> Result<()> {
    let mut names: Vec<&str> = Vec::new();
    for &value in &program.graph.inputs {
        if let Some(Declared::Tensor { sizes: Some(sizes), .. }) = program.declared(value) {
            names.extend(sizes.iter().filter_map(|size| match size {
                Size::Named(name) => Some(&**name),
                _ => None,
            }));
        }
    }
    for given in &question.inputs {
        names.extend(given.sizes.iter().filter_map(|size| size.as_ref().err()).map(String::as_str));
    }
    names.sort_unstable();
    names.dedup();
    for (name, _, _) in &question.sizes {
        if !names.contains(&name.as_str()) {
            bail!("--dim {name}: no input has a size of this name; there is {}", quoted(&names));
        }
    }
    Ok(())
}

/// Complains about a name that an option is given for twice.
pub fn once<'n>(option: &str, names: impl Iterator<Item = &'n str>) -> Result<()> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            bail!("{option} {name}: it is given twice");
        }
    }
    Ok(())
}

pub fn quoted(names: &[&str]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

pub fn dim(text: &str) -> Result<(String, i64, i64)> {
    let (name, range) = text.split_once('=').context(format!("--dim {text}: `NAME=SIZE` expected"))?;
    let number = |text: &str| -> Result<i64> {
        let number: i64 = text.trim().parse().context(format!("--dim {name}: `{text}` is not a size"))?;
        if number < 0 {
            bail!("--dim {name}: a size is not negative");
        }
        Ok(number)
    };
    let (low, high) = match range.split_once("..") {
        Some((low, high)) => (number(low)?, number(high.trim_start_matches('='))?),
        None => (number(range)?, number(range)?),
    };
    if low > high {
        bail!("--dim {name}: {low}..{high} is empty");
    }
    Ok((name.trim().to_string(), low, high))
}

fn init(text: &str) -> Result<(String, String)> {
    let (name, value) = text.split_once('=').context(format!("--init {text}: `NAME=VALUE` expected"))?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

fn input(text: &str) -> Result<GivenInput> {
    GivenInput::parse(text).map_err(|why| anyhow!("--input {why}"))
}
