//! The space file: hyper-parameters and what they may be, in a table `[parameters]` or at the top; TOML or JSON.
//!
//! Beside `[parameters]` there may be `framework` and `version`, which select the rules and are part of the result;
//! `inputs`, the tensors a model is called with (`x = "f32[N,3,S,S]"`); and `requires`, conditions that vectors of the
//! space fulfil.

use crate::choice::Choice;
use crate::condition::{Expression, Meaning};
use crate::domain::{self, Values};
use crate::suggest;
use anyhow::{Context, Result, bail};
use python::interpreter::hints::meant;
use semantics::arena;
use semantics::dim::Dim;
use std::path::Path;

/// Hyper-parameters, and what they may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    pub parameters: Vec<Parameter>,
    pub framework: Option<Framework>,
    /// Tensors that the model is called with: `x=f32[N,3,S,S]`.
    pub inputs: Vec<String>,
    /// What holds of every vector of the space, each with the text it was written as.
    pub requires: Vec<(Expression, String)>,
}

/// Whose rules hold, and of which version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framework {
    pub name: String,
    pub version: Option<String>,
}

/// A hyper-parameter, and what it may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub values: Vec<Choice>,
    /// The place of the value that was written first; numbers are held in their order.
    pub first: usize,
    /// It may be any number between these; the values are some of them.
    pub reals: Option<(f64, f64)>,
    /// Where this does not hold, there is no such hyper-parameter: vectors have its first value, and the model is told
    /// nothing of it.
    pub when: Option<Expression>,
    /// What the model is told instead.
    pub otherwise: Option<Choice>,
    /// It was read from the source of a search, which also tunes what is none of the model's business: a learning rate.
    pub is_read: bool,
}

/// More hyper-parameters than this are taken for a mistake.
const MOST_PARAMETERS: usize = 1000;
/// Values that a message tells.
const MOST_TOLD: usize = 8;
/// What a file says beside its hyper-parameters.
const SETTINGS: [&str; 4] = ["requires", "inputs", "framework", "version"];
/// What is said of a setting that stands among the hyper-parameters.
pub const MISPLACED: &str = "a setting stands before `[parameters]` in the file";
const FRAMEWORKS: [&str; 3] = ["pytorch", "tensorflow", "onnx"];

/// Whether a space file has a setting of this name.
pub fn is_setting(name: &str) -> bool {
    SETTINGS.contains(&name)
}

impl Parameter {
    /// The values, if each is a whole number.
    pub fn numbers(&self) -> Option<Vec<i64>> {
        let number = |value: &Choice| match value {
            Choice::Int(number) => Some(*number),
            _ => None,
        };
        self.values.iter().map(number).collect()
    }
    /// What it may be, as a message tells it.
    fn told(&self) -> String {
        if let Some((low, high)) = self.reals {
            return format!("between {low} and {high}");
        }
        let shown: Vec<String> = self.values.iter().take(MOST_TOLD).map(ToString::to_string).collect();
        match (self.values.len() > MOST_TOLD, self.values.last(), &shown[..]) {
            (true, Some(last), _) => format!("{} … {last}", shown.join(", ")),
            (false, Some(last), [before @ .., _]) if !before.is_empty() => {
                format!("{} or {last}", before.join(", "))
            }
            _ => shown.join(", "),
        }
    }
    /// The place of a value; of one in a range of real numbers, that of the nearest which is looked at.
    pub fn place(&self, choice: &Choice) -> Option<usize> {
        let number = match choice {
            Choice::Float(number) => *number,
            Choice::Int(number) => *number as f64,
            _ => f64::NAN,
        };
        if self.reals.is_some_and(|(low, high)| (low..=high).contains(&number)) {
            let far = |value: &Choice| match value {
                Choice::Float(held) => (held - number).abs(),
                _ => f64::INFINITY,
            };
            let places = 0..self.values.len();
            return places.min_by(|&a, &b| far(&self.values[a]).total_cmp(&far(&self.values[b])));
        }
        if let (Some(Choice::Int(first)), Some(Choice::Int(last)), Choice::Int(wanted)) =
            (self.values.first(), self.values.last(), choice)
            && last - first == self.values.len() as i64 - 1
            && self.values.iter().all(|value| matches!(value, Choice::Int(_)))
        {
            return (*first..=*last).contains(wanted).then(|| (wanted - first) as usize);
        }
        self.values.iter().position(|value| value.is_same(choice))
    }
}

impl Space {
    /// Reads a space file, or the space that stands in a Python source.
    pub fn read(file: &Path) -> Result<Space> {
        if file.extension().is_some_and(|extension| extension == "py") {
            let mut space = Space::of(&suggest::read(file)?).with_context(|| file.display().to_string())?;
            space.parameters.iter_mut().for_each(|parameter| parameter.is_read = true);
            return Ok(space);
        }
        let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let is_json = file.extension().is_some_and(|extension| extension == "json");
        let read = if is_json { Space::from_json(&text) } else { Space::from_toml(&text) };
        read.with_context(|| file.display().to_string())
    }
    pub fn from_toml(text: &str) -> Result<Space> {
        Space::of(&table(text)?)
    }
    pub fn from_json(text: &str) -> Result<Space> {
        Space::of(&serde_json::from_str(text)?)
    }
    /// A space as a table.
    pub fn of(table: &toml::Table) -> Result<Space> {
        let mut space = Space::default();
        let inner = match table.get("parameters") {
            Some(inner) => {
                for (name, value) in table.iter().filter(|(name, _)| *name != "parameters") {
                    space.setting(name, value)?;
                }
                inner.as_table().context("`parameters` is a table")?
            }
            None => {
                if let Some(setting) = SETTINGS.into_iter().find(|setting| table.contains_key(*setting)) {
                    bail!("beside `{setting}` the hyper-parameters stand in a table `[parameters]`");
                }
                table
            }
        };
        if space.framework.as_ref().is_some_and(|framework| framework.name.is_empty()) {
            bail!("`version` says nothing without `framework`");
        }
        let mut written = Vec::new();
        collect("", inner, &mut written)?;
        match written.len() {
            0 => bail!("there is no hyper-parameter in it"),
            1..=MOST_PARAMETERS => {}
            count => {
                bail!("{count} hyper-parameters are too many: at most {MOST_PARAMETERS} can be swept at once")
            }
        }
        space.fill(written)?;
        Ok(space)
    }
    fn setting(&mut self, name: &str, value: &toml::Value) -> Result<()> {
        let text = || value.as_str().map(str::to_owned).with_context(|| format!("`{name}` is a text"));
        match name {
            "framework" => {
                let name = text()?;
                if !FRAMEWORKS.contains(&name.as_str()) {
                    let rest = meant(&name, FRAMEWORKS.map(str::to_owned).into_iter());
                    let rest = rest.unwrap_or_else(|| format!("there is `{}`", FRAMEWORKS.join("`, `")));
                    bail!("`{name}` is no framework that is known here: {rest}");
                }
                let version = self.framework.take().and_then(|held| held.version);
                self.framework = Some(Framework { name, version });
            }
            "version" => {
                let version = text()?;
                let mut numbers = version.split('.');
                let is_number = |part: Option<&str>| part.is_some_and(|part| part.parse::<u32>().is_ok());
                if !is_number(numbers.next()) || !is_number(numbers.next()) {
                    bail!("`{version}` is no version: `2.15` would be one");
                }
                let version = Some(version);
                let name = self.framework.take().map(|held| held.name).unwrap_or_default();
                self.framework = Some(Framework { name, version });
            }
            "inputs" => {
                let inputs = value.as_table().context("`inputs` is a table: { x = \"f32[N,3,S,S]\" }")?;
                for (name, described) in inputs {
                    let described =
                        described.as_str().with_context(|| format!("input `{name}` is a text"))?;
                    self.inputs.push(format!("{name}={described}"));
                }
            }
            "requires" => {
                let several = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                for each in several {
                    let text = each.as_str().context("`requires` is a list of conditions in quotes")?;
                    self.requires.push((Expression::parse(text).context("`requires`")?, text.to_owned()));
                }
            }
            _ => bail!(
                "`{name}` is no setting; there is `parameters`, `framework`, `version`, `inputs` and `requires`"
            ),
        }
        Ok(())
    }

    /// Adds the hyper-parameters; ends that depend on others are taken as wide as those allow.
    fn fill(&mut self, mut written: Vec<(String, domain::Written)>) -> Result<()> {
        let names: Vec<String> = written.iter().map(|(name, _)| name.clone()).collect();
        for (name, written) in &written {
            let mut mentioned = Vec::new();
            written.when.iter().for_each(|when| when.names(&mut mentioned));
            if let Values::Between { low, high, .. } = &written.values {
                [low, high].into_iter().for_each(|end| end.names(&mut mentioned));
            }
            known(&names, &mentioned).with_context(|| format!("`{name}`"))?;
        }
        let mut mentioned = Vec::new();
        self.requires.iter().for_each(|(condition, _)| condition.names(&mut mentioned));
        known(&names, &mentioned).context("`requires`")?;
        let mut made: Vec<Option<Parameter>> = vec![None; written.len()];
        while made.iter().any(Option::is_none) {
            let before = made.iter().filter(|made| made.is_some()).count();
            for place in 0..written.len() {
                if made[place].is_none() {
                    let (name, written) = &mut written[place];
                    let parameter = self.parameter(name, written, &made);
                    made[place] = parameter.with_context(|| format!("`{name}`"))?;
                }
            }
            if made.iter().filter(|made| made.is_some()).count() == before {
                let open: Vec<&str> = names
                    .iter()
                    .zip(&made)
                    .filter(|(_, made)| made.is_none())
                    .map(|(name, _)| &**name)
                    .collect();
                bail!("the ends of `{}` depend on each other", open.join("`, `"));
            }
        }
        self.parameters = made.into_iter().flatten().collect();
        self.nest()
    }
    /// A condition on something that is itself there only under a condition holds only where that does.
    fn nest(&mut self) -> Result<()> {
        let own: Vec<Option<Expression>> = self.parameters.iter().map(|it| it.when.clone()).collect();
        for number in 0..self.parameters.len() {
            let Some(own_condition) = &own[number] else { continue };
            let (mut joined, mut seen) = (own_condition.clone(), Vec::new());
            own_condition.names(&mut seen);
            let mut at = 0;
            while at < seen.len() {
                if seen[at] == self.parameters[number].name {
                    bail!("whether there is `{}` depends on itself", seen[at]);
                }
                let place = self.parameters.iter().position(|it| it.name == seen[at]);
                at += 1;
                let Some(condition) = place.and_then(|place| own[place].as_ref()) else { continue };
                joined = Expression::Two("and", Box::new(condition.clone()), Box::new(joined));
                let mut further = Vec::new();
                condition.names(&mut further);
                further.retain(|name| !seen.contains(name));
                seen.extend(further);
            }
            self.parameters[number].when = Some(joined);
        }
        Ok(())
    }
    fn parameter(
        &mut self,
        name: &str,
        written: &mut domain::Written,
        made: &[Option<Parameter>],
    ) -> Result<Option<Parameter>> {
        let (mut reals, mut first) = (None, 0);
        let values = match &mut written.values {
            Values::Listed(values) => {
                let written_first = values.first().cloned();
                let values = once(std::mem::take(values))?;
                first = values.iter().position(|value| Some(value) == written_first.as_ref()).unwrap_or(0);
                values
            }
            Values::Reals(low, high) => {
                // Whether a model is valid hardly ever depends on a real number: its ends and two between are tried.
                reals = Some((*low, *high));
                let at = |share: f64| Choice::Float(*low + (*high - *low) * share);
                once(if low == high { vec![at(0.0)] } else { [0.0, 0.3, 0.7, 1.0].map(at).to_vec() })?
            }
            Values::Between { low, high, step } => {
                let Some((least, greatest)) = ends(low, high, made)? else { return Ok(None) };
                let own = Expression::Name(name.to_owned());
                for (sign, end) in [(">=", &*low), ("<=", &*high)] {
                    if !matches!(end, Expression::Value(_)) {
                        let condition = Expression::Two(sign, Box::new(own.clone()), Box::new(end.clone()));
                        self.requires.push((condition, format!("the ends of `{name}`")));
                    }
                }
                domain::numbers(least, greatest, *step)?
            }
        };
        if values.is_empty() {
            bail!("there are no values");
        }
        Ok(Some(Parameter {
            name: name.to_owned(),
            values,
            first,
            reals,
            when: written.when.take(),
            otherwise: written.otherwise.take(),
            is_read: false,
        }))
    }

    /// The places of values by name; a hyper-parameter that is not named has the value that is written first.
    pub fn vector(&self, values: &[(String, Choice)]) -> Result<Vec<usize>> {
        let mut places = vec![0; self.parameters.len()];
        let mut is_left: Vec<bool> = self.parameters.iter().map(|parameter| parameter.first > 0).collect();
        for (name, value) in values {
            let Some(number) = self.parameters.iter().position(|parameter| parameter.name == *name) else {
                let names = || self.parameters.iter().map(|parameter| parameter.name.clone());
                let rest = meant(name, names())
                    .unwrap_or_else(|| format!("there is `{}`", names().collect::<Vec<_>>().join("`, `")));
                bail!("the space has no `{name}`: {rest}");
            };
            let Some(place) = self.parameters[number].place(value) else {
                bail!("`{name}` is never {value} in the space: it is {}", self.parameters[number].told());
            };
            places[number] = place;
            is_left[number] = false;
        }
        // What others depend on comes first; of what is not there places are 0.
        for is_conditional in [false, true] {
            for (number, parameter) in self.parameters.iter().enumerate() {
                if is_left[number]
                    && parameter.when.is_some() == is_conditional
                    && self.is_active(number, &places)
                {
                    places[number] = parameter.first;
                }
            }
        }
        Ok(places)
    }
    /// Whether there is a hyper-parameter, of a vector that is given by places.
    pub fn is_active(&self, parameter: usize, places: &[usize]) -> bool {
        let Some(when) = &self.parameters[parameter].when else { return true };
        arena::scope(|| {
            let of = |name: &str| {
                let number = self.parameters.iter().position(|parameter| parameter.name == name)?;
                Some(Meaning::of(&self.parameters[number].values[places[number]]))
            };
            let truth = when.meaning(&of).and_then(|meaning| meaning.truth());
            truth.is_ok_and(|truth| truth.known() != Some(false))
        })
    }
    /// How many vectors there are, if nothing is said of how hyper-parameters go together.
    pub fn len(&self) -> u128 {
        let lengths = self.parameters.iter().map(|parameter| parameter.values.len() as u128);
        lengths.fold(1, u128::saturating_mul)
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Complains about names that no hyper-parameter has.
fn known(names: &[String], mentioned: &[String]) -> Result<()> {
    if let Some(name) = mentioned.iter().find(|name| !names.contains(name)) {
        let rest = meant(name, names.iter().cloned());
        let rest = rest.unwrap_or_else(|| format!("there is `{}`", names.join("`, `")));
        bail!("`{name}` is no hyper-parameter of the space: {rest}");
    }
    Ok(())
}

/// The least and the greatest that ends can be; `None` if what they depend on is not known yet.
fn ends(low: &Expression, high: &Expression, made: &[Option<Parameter>]) -> Result<Option<(i64, i64)>> {
    let mut mentioned = Vec::new();
    [low, high].into_iter().for_each(|end| end.names(&mut mentioned));
    let of = |name: &str| made.iter().flatten().find(|parameter| parameter.name == name);
    if mentioned.iter().any(|name| of(name).is_none()) {
        return Ok(None);
    }
    arena::scope(|| {
        let symbol = |name: &str| {
            let numbers = of(name)?.numbers()?;
            Some(Meaning::Number(Dim::symbol(name, *numbers.first()?, *numbers.last()?)))
        };
        let bounds = |end: &Expression| Ok::<_, anyhow::Error>(end.meaning(&symbol)?.number()?.bounds());
        Ok(Some((bounds(low)?.0, bounds(high)?.1)))
    })
}

/// The values in order, each once.
fn once(mut values: Vec<Choice>) -> Result<Vec<Choice>> {
    if values.is_empty() {
        bail!("there are no values");
    }
    if values.iter().all(|value| matches!(value, Choice::Int(_))) {
        values.sort_by_key(|value| if let Choice::Int(number) = value { *number } else { 0 });
        if let Some(pair) = values.windows(2).find(|pair| pair[0] == pair[1]) {
            bail!("it has the value {} twice", pair[0]);
        }
        return Ok(values);
    }
    for (place, value) in values.iter().enumerate() {
        if values[..place].contains(value) {
            bail!("it has the value {value} twice");
        }
    }
    Ok(values)
}

/// Hyper-parameters of a table and of tables in it, whose names are joined by dots.
/// A TOML file as a table; what is wrong with it is said in one line.
pub fn table(text: &str) -> Result<toml::Table> {
    text.parse().map_err(|error: toml::de::Error| {
        let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        anyhow::anyhow!("line {line}, column {column}: {}", error.message())
    })
}

fn collect(prefix: &str, table: &toml::Table, found: &mut Vec<(String, domain::Written)>) -> Result<()> {
    for (name, value) in table {
        let name = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            toml::Value::Table(inner) if !domain::is_domain(inner) && !inner.is_empty() => {
                collect(&name, inner, found)?;
            }
            value => {
                let written = domain::read(value).with_context(|| format!("`{name}`"))?;
                found.push((name, written));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Parameter>, String> {
        Space::from_toml(text).map(|space| space.parameters).map_err(|why| format!("{why:#}"))
    }

    #[test]
    fn domains_are_lists_ranges_and_words() {
        let values = |text: &str| read(text).map(|mut all| all.remove(0).values);
        let ints = |all: &[i64]| Ok(all.iter().map(|&number| Choice::Int(number)).collect::<Vec<_>>());
        assert_eq!(values("k = [3, 1, 5]"), ints(&[1, 3, 5]));
        assert_eq!(values("k = \"1..7 step 3\""), ints(&[1, 4, 7]));
        assert_eq!(values("[parameters]\nk = { low = 2, high = 6, step = 2 }"), ints(&[2, 4, 6]));
        assert_eq!(values("a = [\"x\", true, 0.5]").map(|all| all.len()), Ok(3));
        assert_eq!(values("k = 4"), ints(&[4]));
        assert_eq!(values("p = { low = 0.0, high = 0.5, step = 0.1 }").map(|all| all.len()), Ok(6));
        assert_eq!(values("a = { low = 1, high = \"k * 2\" }\nk = [1, 2]"), ints(&[1, 2, 3, 4]));
        let nested = read("[parameters]\nconv1.stride = [1, 2]\n").map(|mut all| all.remove(0).name);
        assert_eq!(nested, Ok("conv1.stride".into()));
    }

    #[test]
    fn what_is_no_domain_is_told() {
        for (text, why) in [
            ("k = []", "`k`: there are no values"),
            ("k = \"5..2\"", "`k`: 5..2 is empty"),
            ("k = \"1..9 step 0\"", "`k`: a step is at least 1, not 0"),
            ("k = [1, 1]", "`k`: it has the value 1 twice"),
            ("k = { low = 1 }", "`k`: either `values`, or `low` and `high`"),
            ("", "there is no hyper-parameter in it"),
            (
                "k = { low = 1, high = \"width\" }",
                "`k`: `width` is no hyper-parameter of the space: there is `k`",
            ),
            (
                "a = { low = 1, high = \"b\" }\nb = { low = 1, high = \"a\" }",
                "the ends of `a`, `b` depend on each other",
            ),
            (
                "framework = \"pytroch\"\n[parameters]\nk = 1",
                "`pytroch` is no framework that is known here: did you mean `pytorch`?",
            ),
            ("version = \"2.15\"\n[parameters]\nk = 1", "`version` says nothing without `framework`"),
            (
                "framework = \"onnx\"\nversion = \"new\"\n[parameters]\nk = 1",
                "`new` is no version: `2.15` would be one",
            ),
            (
                "k = 1\nrequires = [\"k > 0\"]",
                "beside `requires` the hyper-parameters stand in a table `[parameters]`",
            ),
            (
                "[parameters]\na = { values = [1], when = \"b > 0\" }\nb = { values = [1], when = \"a > 0\" }",
                "whether there is `a` depends on itself",
            ),
            (
                "[parameters]\na = { values = [1], otherwise = 2 }",
                "`a`: `otherwise` says nothing without `when`",
            ),
            (
                "[parameters]\nk = 1\n[other]\nx = 1",
                "`other` is no setting; there is `parameters`, `framework`, `version`, `inputs` and `requires`",
            ),
        ] {
            assert_eq!(read(text), Err(why.to_owned()));
        }
        let many: String = (0..1001).map(|number| format!("k{number} = 1\n")).collect();
        assert!(read(&many).is_err_and(|why| why.starts_with("1001 hyper-parameters are too many")));
    }
}
