//! `[tool.tensorvet]` in the pyproject.toml nearest to a file: what a project always wants.

use crate::assume;
use anyhow::{Context, Result, bail};
use engines::finding::Rule;
use models::keras::Stubs;
use python::asked::Assumed;
use std::path::{Path, PathBuf};

/// What the project says, and what the command line adds.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Rules whose findings are not told.
    pub ignore: Vec<Rule>,
    /// Folders with models of in-house libraries.
    pub stubs: Vec<PathBuf>,
    /// See `--improper`.
    pub improper: bool,
    /// See `--assume`; what a file has no use for is no fault.
    pub assume: Vec<Assumed>,
    /// The environment that programs run in.
    pub python: Option<PathBuf>,
    /// Folders of the packages that are installed there.
    pub packages: Vec<PathBuf>,
}

const KEYS: [&str; 5] = ["ignore", "stubs", "improper", "assume", "python"];

impl Config {
    /// The settings that hold for a file.
    pub fn of(file: &Path) -> Result<Config> {
        let start = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        for folder in start.ancestors().skip(1) {
            let path = folder.join("pyproject.toml");
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let table: toml::Table =
                text.parse().with_context(|| format!("{}: not readable as TOML", path.display()))?;
            let own = table.get("tool").and_then(|tool| tool.get("tensorvet"));
            // Like other tools: the nearest file that speaks of this one.
            let Some(own) = own else { continue };
            return read(own, folder).with_context(|| format!("{}: [tool.tensorvet]", path.display()));
        }
        Ok(Config::default())
    }
}

impl Config {
    /// Stubs of layers: the models written by hand in the folders of stubs, each named after its class.
    pub fn layer_stubs(&self) -> Result<Stubs> {
        let mut stubs = Stubs::default();
        for folder in &self.stubs {
            let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
            let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
            files.sort();
            for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "json")) {
                let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
                let class = file.file_stem().unwrap_or_default().to_string_lossy();
                stubs.add(&class, &text, file)?;
            }
        }
        Ok(stubs)
    }
}

fn read(own: &toml::Value, folder: &Path) -> Result<Config> {
    let Some(table) = own.as_table() else { bail!("it is not a table") };
    let mut config = Config::default();
    for (key, value) in table {
        match key.as_str() {
            "ignore" => {
                config.ignore = texts(key, value)?.iter().map(|name| rule(name)).collect::<Result<_>>()?
            }
            "stubs" => config.stubs = texts(key, value)?.iter().map(|stubs| folder.join(stubs)).collect(),
            "python" => config.python = texts(key, value)?.first().map(|python| folder.join(python)),
            "improper" => {
                config.improper = value.as_bool().with_context(|| format!("`{key}` is true or false"))?;
            }
            "assume" => {
                let table = value.as_table().context("`assume` is a table: { batch_size = \"1..512\" }")?;
                config.assume =
                    table.iter().map(|(name, value)| assume::setting(name, value)).collect::<Result<_>>()?;
            }
            _ => bail!("`{key}` is not a setting; there are {}", KEYS.join(", ")),
        }
    }
    for stubs in &config.stubs {
        if !stubs.is_dir() {
            bail!("`stubs`: {} is not a folder", stubs.display());
        }
    }
    Ok(config)
}

/// A text, or a list of texts.
fn texts(key: &str, value: &toml::Value) -> Result<Vec<String>> {
    let text = |value: &toml::Value| {
        value.as_str().map(str::to_owned).with_context(|| format!("`{key}` is a text or a list of texts"))
    };
    match value.as_array() {
        Some(values) => values.iter().map(text).collect(),
        None => Ok(vec![text(value)?]),
    }
}

/// A rule by its code or name.
pub fn rule(name: &str) -> Result<Rule> {
    let found =
        Rule::ALL.into_iter().find(|rule| rule.code().eq_ignore_ascii_case(name) || rule.name() == name);
    found.with_context(|| {
        let known: Vec<String> =
            Rule::ALL.iter().map(|rule| format!("{} ({})", rule.code(), rule.name())).collect();
        format!("`{name}` is not the code or name of a rule; there are {}", known.join(", "))
    })
}
