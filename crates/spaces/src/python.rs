//! A Python program under a choice of its hyper-parameters: the courses that its paths take.

use crate::choice::Choice;
use crate::inputs::{Inputs, left_out};
use crate::model::{Bound, Settings, limits};
use crate::readable;
use crate::space::{Framework, MISPLACED, Parameter, is_setting};
use anyhow::{Result, anyhow, bail};
use engines::sweep::{Cause, Course, Domain, Ending, Reading};
use program::ir::{Place, Spot};
use program::path::Path;
use python::analyse::{Ended, Program, analyse};
use python::asked::{Asked, Assumed, Given};
use python::entry::{Entry, Input, Takes, Target};
use python::interpreter::hints::meant;
use python::syntax::{Stmt, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::operator::Category;
use solver::Context;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::{Path as FilePath, PathBuf};

/// A program, or a class or function in one.
pub struct PythonModel {
    file: PathBuf,
    target: Option<String>,
    pub settings: Settings,
    /// Read once for all analyses.
    program: RefCell<Option<Box<Program>>>,
    /// What the program was seen to say itself of its hyper-parameters.
    defaults: RefCell<FxHashMap<String, Choice>>,
    /// The hyper-parameters that some analysis has read.
    used: RefCell<FxHashSet<String>>,
    /// Those that some analysis has not read, and what it could have been told of instead.
    unmet: RefCell<FxHashMap<String, BTreeSet<String>>>,
    /// Whether some analysis came to the end of the program.
    has_ended: Cell<bool>,
}

impl PythonModel {
    /// `train.py` or `model.py::Net`; `None` for anything else.
    pub fn named(spelled: &FilePath, settings: &Settings) -> Option<PythonModel> {
        let is_python = |file: &FilePath| file.extension().is_some_and(|extension| extension == "py");
        let model = |file: &FilePath, target| {
            let (file, settings) = (file.to_owned(), settings.clone());
            let (program, defaults, used, unmet, has_ended) = Default::default();
            Some(PythonModel { file, target, settings, program, defaults, used, unmet, has_ended })
        };
        if is_python(spelled) {
            return model(spelled, None);
        }
        let (file, target) = spelled.to_str()?.rsplit_once("::")?;
        let file = FilePath::new(file);
        if is_python(file) { model(file, Some(target.to_owned())) } else { None }
    }

    /// Follows a framework, in the version that is named.
    pub fn rules_of(&mut self, framework: &Framework) -> Result<()> {
        let imported = python::library::read_file(&self.file).map(|module| imports(&module.body));
        let imported = imported.unwrap_or_default();
        let of = |names: &[&str]| imported.iter().find(|name| names.contains(&name.as_str()));
        let (torch, keras) = (of(&["torch", "torchvision"]), of(&["tensorflow", "keras"]));
        let (other, own) = match framework.name.as_str() {
            "tensorflow" => (torch, keras),
            "pytorch" => (keras, torch),
            _ => (None, None),
        };
        if let (Some(other), None) = (other, own) {
            let (file, name) = (self.file.display(), &framework.name);
            bail!("{file} imports `{other}`: it does not follow the rules of `{name}`");
        }
        match (framework.name.as_str(), &framework.version) {
            ("pytorch", Some(version)) => self.settings.versions.push(("torch".into(), version.clone())),
            ("onnx", _) => bail!("{} is a Python program: `onnx` has no rules for it", self.file.display()),
            _ => {}
        }
        Ok(())
    }

    /// The courses of all paths, with each hyper-parameter fixed or open.
    pub fn courses(
        &self,
        parameters: &[Parameter],
        bounds: &[Bound],
        domains: &[Domain],
    ) -> Result<Vec<Course>> {
        let Settings { stubs, packages, versions, arguments, assume, .. } = &self.settings;
        let mut held = self.program.borrow_mut();
        let program = match held.take() {
            Some(program) => program,
            None => {
                let program = Program::open_with(&self.file, stubs, packages, versions);
                Box::new(program.map_err(|why| anyhow!(why))?)
            }
        };
        let program = held.insert(program);
        program.renew();
        if let (None, Some(input)) = (&self.target, self.settings.inputs.first()) {
            bail!(
                "a program is called with no tensor, so there is no input `{}`: say which class or function is (`{}::NAME`)",
                input.name,
                self.file.display()
            );
        }
        let inputs = Inputs::new(self.settings.inputs.clone(), self.settings.sizes.clone());
        let mut tuned = self.target.as_ref().map(|name| (name, inputs.clone(), self.settings.init.clone()));
        let own = match &self.target {
            Some(target) => self.taken(program, target)?,
            None => Takes::default(),
        };
        // Whether the command line says what an argument is.
        let is_stated = |name: &String| self.settings.init.iter().any(|(held, _)| held == name);
        let constants = python::entry::names(&program.module);
        let mut assumed = Vec::new();
        for (parameter, bound) in parameters.iter().zip(bounds) {
            let name = &parameter.name;
            if matches!(bound, Bound::Absent) && own.required.contains(name) && !is_stated(name) {
                bail!("{}", left_out(name, "the program has no default for it"));
            }
            if let Some((_, inputs, init)) = &mut tuned {
                // An argument that is also a size of an input is one number.
                let is_size = inputs.tune(name, bound)?;
                if is_size || own.names.contains(name) {
                    self.used.borrow_mut().insert(name.clone());
                }
                if matches!(bound, Bound::Absent) {
                    continue;
                }
                let is_further = || own.anything && !is_size && !constants.contains(name);
                if own.names.contains(name) || is_further() {
                    init.retain(|(held, _)| held != name);
                    init.push((name.clone(), spelled(bound)));
                    self.used.borrow_mut().insert(name.clone());
                    continue;
                }
                if is_size {
                    continue;
                }
            }
            if let Some(value) = given(bound) {
                assumed.push(Assumed { name: name.clone(), value, always: true });
            }
        }
        let entry = match tuned {
            Some((name, inputs, init)) => Entry::Target(target(name, inputs, init)),
            None => Entry::Program { arguments: arguments.clone(), brief: false },
        };
        let names: Vec<String> = assumed.iter().map(|assumed| assumed.name.clone()).collect();
        assumed.extend(assume.iter().filter(|setting| !names.contains(&setting.name)).cloned());
        program.asked = Asked { assumed, improper: true, ..Asked::default() }.into();
        let mut courses = Vec::new();
        let (mut used, mut offered) = (FxHashSet::default(), BTreeSet::new());
        let (mut undescribed, mut misnamed, mut ends) = (None, None, true);
        let context = || Context::new(limits());
        let paths = analyse(program, &entry, &context, &mut |path, ended| {
            used.extend(ended.assumed.iter().copied());
            offered.extend(ended.offered.iter().cloned());
            let is_given = |name: &String| inputs.given.iter().any(|input| input.name == *name);
            let mut described = ended.described.iter().map(|(name, _)| name);
            undescribed = undescribed.take().or_else(|| described.find(|name| !is_given(name)).cloned());
            misnamed = misnamed.take().or_else(|| ended.misnamed.clone());
            let defaults =
                ended.defaults.iter().filter_map(|(name, given)| Some((name.clone(), chosen(given)?)));
            self.defaults.borrow_mut().extend(defaults);
            let course = course(path, &ended, domains, self.settings.improper);
            ends &= course.ending == Ending::Valid;
            courses.push(course);
            true
        });
        self.has_ended.set(self.has_ended.get() || ends);
        self.used.borrow_mut().extend(used.iter().filter_map(|&number| names.get(number)).cloned());
        let is_read = |name: &String| parameters.iter().any(|it| it.is_read && it.name == *name);
        for (number, name) in names.iter().enumerate() {
            if !used.contains(&number) && !is_read(name) {
                offered.extend(own.names.iter().cloned());
                offered.extend(self.target.iter().flat_map(|_| inputs.names()));
                // What a program does not come to because it fails before, or goes another way, is no mistake.
                if ends && !is_mentioned(&program.module.source.text, name) {
                    return Err(no_such(name, offered));
                }
                self.unmet.borrow_mut().entry(name.clone()).or_default().extend(offered.iter().cloned());
            }
        }
        if let Some((name, own)) = misnamed {
            let known = own.join("`, `");
            let rest = match meant(&name, own.into_iter()) {
                Some(meant) => meant,
                None if known.is_empty() => "it has none".into(),
                None => format!("there is `{known}`"),
            };
            bail!("`{name}` is no input of `{}`: {rest}", self.target.as_deref().unwrap_or_default());
        }
        if let Some(name) = undescribed {
            bail!(
                "nothing is said of the input `{name}`: describe it in the space file (`[inputs]` and `{name} = \"f32[N,3,32,32]\"`), or by `--input`"
            );
        }
        if paths.left_out > 0 {
            let why = match paths.left_out {
                1 => "a path of the program was not followed".to_owned(),
                count => format!("{count} paths of the program were not followed"),
            };
            courses.push(Reading::new(domains).end(Ending::Unknown(why)));
        }
        Ok(courses)
    }
    /// What the program says itself of a hyper-parameter, as far as the analyses so far have shown it.
    pub fn default_of(&self, parameter: &Parameter) -> Option<Choice> {
        let inputs = Inputs::new(self.settings.inputs.clone(), self.settings.sizes.clone());
        let own = self.defaults.borrow().get(&parameter.name).cloned();
        own.or_else(|| inputs.default_of(&parameter.name, &parameter.values))
    }
    /// Whether a hyper-parameter has been read by any analysis.
    pub fn uses(&self, name: &str) -> bool {
        self.used.borrow().contains(name)
    }
    /// What no analysis has read though the space has it, where the program fails before in all of them; if it does not,
    /// there is no such thing.
    pub fn unmet(&self) -> Result<Vec<String>> {
        let (used, unmet) = (self.used.borrow(), self.unmet.borrow());
        let mut left: Vec<_> = unmet.iter().filter(|(name, _)| !used.contains(*name)).collect();
        left.sort();
        match left.first() {
            Some((name, offered)) if self.has_ended.get() => Err(no_such(name, (*offered).clone())),
            _ => Ok(left.into_iter().map(|(name, _)| name.clone()).collect()),
        }
    }
    /// What a class or function of the file can be called with.
    fn taken(&self, program: &Program, target: &String) -> Result<Takes> {
        let names = python::entry::names(&program.module);
        if !names.contains(target) {
            let known = names.join("`, `");
            let rest = meant(target, names.into_iter()).unwrap_or_else(|| format!("there is `{known}`"));
            bail!("{}: there is no `{target}`: {rest}", self.file.display());
        }
        Ok(python::entry::takes(&program.module, target))
    }
}

/// The packages that a file imports at its top.
fn imports(body: &[Stmt]) -> Vec<String> {
    let mut found = Vec::new();
    let mut put = |dotted: &str| found.extend(dotted.split('.').next().map(str::to_owned));
    for statement in body {
        match &statement.kind {
            StmtKind::Import(names) => names.iter().for_each(|(name, _)| put(name)),
            StmtKind::ImportFrom { module, level: 0, .. } => put(module),
            _ => {}
        }
    }
    found
}

fn target(name: &str, inputs: Inputs, init: Vec<(String, String)>) -> Target {
    let given = inputs.given.into_iter();
    let given = given.map(|it| Input { name: it.name, kind: it.kind, sizes: it.sizes, layout: it.layout });
    Target { name: name.to_owned(), inputs: given.collect(), init, sizes: inputs.sizes, ..Target::default() }
}

/// Whether a text has a word, or what stands behind the last dot of a path.
fn is_mentioned(text: &str, name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == last)
}

fn no_such(name: &str, mut offered: BTreeSet<String>) -> anyhow::Error {
    offered.remove(name);
    let known: Vec<&str> = offered.iter().map(String::as_str).collect();
    let below = offered.iter().find(|other| other.rsplit_once('.').is_some_and(|(_, last)| last == name));
    let rest = match meant(name, offered.iter().cloned()) {
        _ if is_setting(name) => MISPLACED.into(),
        None if below.is_some() => format!("did you mean `{}`?", below.map_or("", String::as_str)),
        Some(meant) => meant,
        None if known.is_empty() => "the program reads no option and leaves nothing open".into(),
        None => format!("there is `{}`", known.join("`, `")),
    };
    anyhow!("`{name}` is no option, constant or argument of the program: {rest}")
}

fn given(bound: &Bound) -> Option<Given> {
    match bound {
        Bound::Between(low, high) => Some(Given::Range(*low, *high)),
        Bound::Fixed(choice) => Some(given_choice(choice)),
        Bound::Absent => None,
    }
}
fn given_choice(choice: &Choice) -> Given {
    match choice {
        Choice::Int(number) => Given::Number(*number),
        Choice::Float(number) => Given::Float(*number),
        Choice::Flag(flag) => Given::Flag(*flag),
        Choice::Text(text) => Given::Text(text.clone()),
        Choice::Several(all) => Given::Several(all.iter().map(given_choice).collect()),
        Choice::Nothing => Given::Nothing,
    }
}

/// What a program says itself, as a value of a hyper-parameter.
fn chosen(given: &Given) -> Option<Choice> {
    Some(match given {
        Given::Number(number) => Choice::Int(*number),
        Given::Float(number) => Choice::Float(*number),
        Given::Flag(flag) => Choice::Flag(*flag),
        Given::Text(text) => Choice::Text(text.clone()),
        Given::Several(all) => Choice::Several(all.iter().map(chosen).collect::<Option<_>>()?),
        Given::Nothing => Choice::Nothing,
        Given::Range(..) | Given::Tensor(..) => return None,
    })
}

/// A value as the source of a call would have it.
fn spelled(bound: &Bound) -> String {
    match bound {
        Bound::Between(low, high) => format!("{low}..{high}"),
        Bound::Fixed(choice) => choice.spelled(),
        Bound::Absent => String::new(),
    }
}

/// What a path asks of a vector.
fn course(path: &Path, ended: &Ended, domains: &[Domain], improper: bool) -> Course {
    let mut reading = Reading::new(domains);
    ended.open_rounds.iter().for_each(|statement| reading.follow(*statement));
    read_path(&mut reading, path, improper);
    let mut course = reading.end(ending(path, ended));
    course.granted.clone_from(&ended.supposed);
    course
}

/// The decisions and requirements of a path, in their order.
pub fn read_path(reading: &mut Reading, path: &Path, improper: bool) {
    let mut decided = path.decided.iter().peekable();
    for (number, assumption) in path.assumed.iter().enumerate() {
        while let Some((_, statement)) = decided.next_if(|(before, _)| *before <= number) {
            reading.decide(*statement);
        }
        let requirement = &assumption.requirement;
        let cause = Cause {
            operator: assumption.place.spelled.to_string(),
            label: requirement.label.to_owned(),
            category: requirement.category.name().to_owned(),
            place: place_of(&assumption.place),
            condition: readable::condition(requirement.prop),
        };
        reading.require(requirement.prop, cause);
    }
    decided.for_each(|(_, statement)| reading.decide(*statement));
    for entry in &path.record {
        let open = entry.open.iter().map(|judged| judged.requirement);
        // What is refused though the specification allows it fails all the same when it is tried.
        let counts = |category| matches!(category, Category::ImproperValue | Category::UnsupportedValue);
        for requirement in open.filter(|requirement| counts(requirement.category)) {
            let cause = Cause {
                operator: entry.place.spelled.to_string(),
                label: requirement.label.to_owned(),
                category: requirement.category.name().to_owned(),
                place: place_of(&entry.place),
                condition: readable::condition(requirement.prop),
            };
            match improper || requirement.category == Category::UnsupportedValue {
                true => reading.require(requirement.prop, cause),
                false => reading.remark(requirement.prop, cause),
            }
        }
    }
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
    if let Some((message, spot)) = ended.raised.as_ref().or(ended.refused.as_ref()).or(ended.exited.as_ref())
    {
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
    let lost = ended.lost.first().or(ended.unfollowed.as_ref());
    let lost = lost.map(|(spot, why)| format!("{}: {why}", spot_of(spot)));
    let lost = lost.or_else(|| path.record.iter().flat_map(|entry| &entry.lost).find(matters).cloned());
    match lost {
        Some(why) => Ending::Unknown(why),
        None if ended.doubtful => Ending::Unknown("whether a run can go this way is not known".into()),
        None if ended.passed_over => {
            Ending::Unknown("whether the program has to deal with an error depends on the numbers".into())
        }
        None => Ending::Valid,
    }
}

/// Whether what was lost in a call has a say in whether a model is valid.
pub fn matters(lost: &&String) -> bool {
    !lost.starts_with(semantics::call::OF_VALUES)
}

pub fn place_of(place: &Place) -> String {
    place.spot.as_ref().map_or_else(|| place.node.clone(), |spot| spot_of(spot))
}
fn spot_of(spot: &Spot) -> String {
    format!("{}:{}", spot.here.file, spot.here.line)
}
