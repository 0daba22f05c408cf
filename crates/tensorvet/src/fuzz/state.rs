//! What a run leaves in its folder: where it stands, what it met, and a report for each finding.

use super::examples;
use anyhow::{Context, Result, bail};
use engines::fuzz::{Case, Group, Groups, Judgement, Kind, Way, template};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub struct State {
    file: PathBuf,
    backend: String,
    seed: u64,
    /// The number of the next model.
    pub next: u64,
    pub groups: Groups,
    /// Values that agree, and reasons why something was not compared.
    agreeing: u64,
    open: BTreeMap<String, u64>,
    /// How often each layer was called.
    calls: BTreeMap<String, u64>,
    /// Disagreements that did not show a second time.
    pub fleeting: u64,
    /// For each requirement the layers that broke it and the words in which the framework refused, and how often.
    messages: BTreeMap<String, BTreeMap<String, u64>>,
    saved: Instant,
}

impl State {
    /// The state that a folder holds, or a new one. A folder of another seed is not gone on with.
    pub fn open(folder: &Path, backend: &str, invalid: bool, seed: u64) -> Result<State> {
        let backend = if invalid { format!("{backend}-invalid") } else { backend.to_string() };
        let folder = folder.join(&backend);
        std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        let file = folder.join("state.json");
        let mut state = State {
            file,
            backend,
            seed,
            next: 0,
            groups: Groups::default(),
            agreeing: 0,
            open: BTreeMap::new(),
            calls: BTreeMap::new(),
            fleeting: 0,
            messages: BTreeMap::new(),
            saved: Instant::now(),
        };
        if state.file.exists() {
            let text =
                std::fs::read_to_string(&state.file).with_context(|| state.file.display().to_string())?;
            let stored: Value = serde_json::from_str(&text)
                .with_context(|| format!("{} is no state of an earlier run", state.file.display()))?;
            if stored["seed"].as_u64() != Some(seed) {
                bail!(
                    "{} is of a run with --seed {}: go on with that, or name another --out",
                    state.file.display(),
                    stored["seed"]
                );
            }
            state.read(&stored);
        }
        Ok(state)
    }

    fn read(&mut self, stored: &Value) {
        let number = |name: &str| stored[name].as_u64().unwrap_or(0);
        (self.next, self.agreeing, self.fleeting) = (number("next"), number("agreeing"), number("fleeting"));
        let numbers = |value: &Value| -> BTreeMap<String, u64> {
            let entries = value.as_object().into_iter().flatten();
            entries.map(|(name, count)| (name.clone(), count.as_u64().unwrap_or(0))).collect()
        };
        self.open = numbers(&stored["open"]);
        self.calls = numbers(&stored["calls"]);
        for (name, words) in stored["messages"].as_object().into_iter().flatten() {
            self.messages.insert(name.clone(), numbers(words));
        }
        for group in stored["findings"].as_array().into_iter().flatten() {
            let texts = |name: &str| -> Vec<String> {
                group[name]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|item| item.as_str().map(String::from))
                    .collect()
            };
            let ways = texts("ways");
            let Some(kind) = group["kind"].as_str().and_then(Kind::parse) else { continue };
            self.groups.all.push(Group {
                class: group["layer"].as_str().unwrap_or_default().to_string(),
                kind,
                detail: group["detail"].as_str().unwrap_or_default().to_string(),
                signature: texts("arguments"),
                ways: Way::ALL.into_iter().filter(|way| ways.iter().any(|name| name == way.name())).collect(),
                count: group["count"].as_u64().unwrap_or(1),
                shrunk: group["shrunk"].as_u64().unwrap_or(1),
                layers: group["layers"].as_u64().unwrap_or(1) as usize,
                examples: group["examples"].as_array().into_iter().flatten().map(examples::read).collect(),
            });
        }
    }

    pub fn count(&mut self, case: &Case, judgement: &Judgement) {
        self.agreeing += judgement.agreeing as u64;
        for why in &judgement.open {
            *self.open.entry(without_numbers(why)).or_default() += 1;
        }
        for node in &case.program.graph.nodes {
            *self.calls.entry(node.place.spelled.to_string()).or_default() += 1;
        }
        for alike in &judgement.refused_alike {
            let class = case.invocation(alike.node).map_or("?", |invocation| invocation.operator.name);
            let words = self.messages.entry(alike.label.clone()).or_default();
            *words.entry(format!("{class}: {}", template(&alike.message))).or_default() += 1;
        }
    }

    /// Writes the report of a finding.
    pub fn write(&self, group: &Group, text: &str) -> Result<()> {
        let mut path = self.file.with_file_name(format!("{}.md", group.slug()));
        let mut number = 1;
        while path.exists() {
            number += 1;
            path = self.file.with_file_name(format!("{}-{number}.md", group.slug()));
        }
        std::fs::write(&path, text).with_context(|| path.display().to_string())
    }

    pub fn save_now_and_then(&mut self) -> Result<()> {
        if self.saved.elapsed().as_secs() >= 10 { self.save() } else { Ok(()) }
    }

    /// Replaces the stored state at once, so that a run that is stopped leaves a whole one.
    pub fn save(&mut self) -> Result<()> {
        self.saved = Instant::now();
        let findings: Vec<Value> = self
            .groups
            .all
            .iter()
            .map(|group| {
                let ways: Vec<&str> = group.ways.iter().map(|way| way.name()).collect();
                json!({
                    "layer": group.class, "kind": group.kind.name(), "detail": group.detail,
                    "arguments": group.signature, "ways": ways, "count": group.count, "shrunk": group.shrunk, "layers": group.layers,
                    "examples": group.examples.iter().map(examples::stored).collect::<Vec<_>>(),
                })
            })
            .collect();
        let stored = json!({
            "backend": self.backend, "seed": self.seed, "next": self.next, "agreeing": self.agreeing,
            "fleeting": self.fleeting, "open": self.open, "calls": self.calls, "messages": self.messages,
            "findings": findings,
        });
        if let Some(text) = self.inconsistent() {
            let page = self.file.with_file_name("messages.md");
            std::fs::write(&page, text).with_context(|| page.display().to_string())?;
        }
        let text = serde_json::to_string_pretty(&stored)?;
        let beside = self.file.with_extension("new");
        std::fs::write(&beside, text).with_context(|| beside.display().to_string())?;
        std::fs::rename(&beside, &self.file).with_context(|| self.file.display().to_string())
    }

    /// The faults that the framework refuses in more than one way of saying it.
    fn inconsistent(&self) -> Option<String> {
        let mut text = String::new();
        for (label, messages) in &self.messages {
            let words =
                |message: &str| message.split_once(": ").map_or(message, |(_, words)| words).to_string();
            let ways_to_say: BTreeSet<String> = messages.keys().map(|message| words(message)).collect();
            if ways_to_say.len() > 1 {
                let _ = writeln!(text, "\n## {label}\n\n{} ways of saying it:\n", ways_to_say.len());
                for (message, count) in messages {
                    let _ = writeln!(text, "- {count} × {message}");
                }
            }
        }
        let title = format!("# One fault, several messages ({})\n", self.backend);
        (!text.is_empty()).then(|| title + &text)
    }

    pub fn summary(&self) -> String {
        let open: u64 = self.open.values().sum();
        let calls: u64 = self.calls.values().sum();
        format!(
            "{}: {} models, {calls} calls of {} layers; {} values agree, {open} not compared; {} findings in {}",
            self.backend,
            self.next,
            self.calls.len(),
            self.agreeing,
            self.groups.all.len(),
            self.file.parent().unwrap_or(Path::new(".")).display()
        )
    }
}

/// So that equal reasons count as one.
fn without_numbers(why: &str) -> String {
    let mut text = String::new();
    for c in why.lines().next().unwrap_or_default().chars().take(200) {
        match c {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            other => text.push(other),
        }
    }
    text
}
