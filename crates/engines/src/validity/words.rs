//! How a broken requirement is told: what must hold, and what is there instead, with numbers and whose they are.

use crate::brief::brief;
use program::ir::{Fault, Place};
use program::path::{Entry, Judged};
use semantics::call::Requirement;
use semantics::dim::{AtomView, Source};
use semantics::operator::Category;
use semantics::prop::{Prop, Stated};
use semantics::tensor::Tensor;
use semantics::values::Value;
use solver::Verdict;

/// Operands beyond this many are left to the table below the message.
const MOST_NAMED: usize = 3;
/// Longer names stand in the table below the message only.
const LONGEST_NAME: usize = 24;
/// The elements of longer tensors are not told.
const MOST_ELEMENTS: usize = 8;

/// "Conv requires that `bias` has one value per filter, but `bias` is f32[3] and `weight` is f32[8, 3, 3, 3]".
pub(super) fn broken(entry: &Entry, judged: &Judged) -> String {
    let instead = instead(entry, judged);
    let label = in_the_source(entry, judged.requirement.label);
    let stated = stated(&entry.place.spelled, judged.requirement.category, &label);
    match judged.verdict {
        Verdict::Depends { .. } => {
            let is_about_values = judged.requirement.category == Category::IllegalValue;
            let what = if is_about_values { "values" } else { "sizes" };
            match instead.is_empty() {
                true => format!("{stated}, which holds for some {what} only"),
                false => format!("{stated}, which holds for some {what} only: {instead}"),
            }
        }
        _ if instead.is_empty() => stated,
        _ => format!("{stated}, but {instead}"),
    }
}

/// A label as a sentence about the operator: "`matmul` takes tensors of one element type" is one already, and what is
/// a remark on a call that works is no requirement.
fn stated(spelled: &str, category: Category, label: &str) -> String {
    let (subject, said) = label.strip_prefix('`').and_then(|rest| rest.split_once('`')).unwrap_or_default();
    match said.starts_with(" takes ").then_some(subject) {
        Some(subject) if subject.eq_ignore_ascii_case(spelled) => label.to_owned(),
        None if category.binds() => format!("{spelled} requires that {label}"),
        _ => format!("{spelled}: {label}"),
    }
}

/// The label with the names that the source has for the tensors: "`x` and `self.pos` broadcast".
fn in_the_source(entry: &Entry, label: &str) -> String {
    let mut told = label.to_owned();
    for (role, _) in &entry.inputs {
        if let Some(name) = name_in_source(entry, role) {
            told = told.replace(&format!("`{role}`"), &format!("`{name}`"));
        }
    }
    told
}
/// What the source calls the only tensor in a role.
fn name_in_source<'e>(entry: &'e Entry, role: &str) -> Option<&'e str> {
    let mut tensors = entry.inputs.iter().filter(|(other, _)| *other == role).map(|(_, tensor)| *tensor);
    let (tensor, None) = (tensors.next()?, tensors.next()) else { return None };
    // Long pieces of code stand in the table only, unless the role says nothing.
    let is_short = |name: &str| name.chars().count() <= LONGEST_NAME || role.len() == 1;
    let named = entry.told.names.iter().find(|(held, _)| *held == tensor);
    named.map(|(_, name)| name.as_str()).filter(|name| is_short(name))
}

/// "Reshape: the attribute `allowzero` is 0 or 1, but it is the integer 2".
pub(super) fn fault(fault: &Fault, place: &Place) -> String {
    format!("{}: {}, but {}", place.spelled, fault.label, fault.detail)
}

/// "set `groups` to 1, or make `weight` f32[8, 3, 3, 3]".
pub(super) fn repairs(entry: &Entry, judged: &Judged) -> Option<String> {
    if judged.requirement.category == Category::UnsupportedLayout {
        let laid_out = |(role, tensor): &(&str, Tensor)| Some((role.to_string(), tensor.layout()?));
        let (role, layout) = entry.inputs.iter().find_map(laid_out)?;
        return Some(format!("transpose `{role}` by {:?} first", layout.to_channels_first()));
    }
    if !entry.told.help.is_empty() {
        return Some(entry.told.help.join(", or "));
    }
    let is_input = |name: &str| entry.inputs.iter().any(|(role, _)| *role == name);
    let is_many = |name: &str| entry.inputs.iter().filter(|(role, _)| *role == name).count() > 1;
    let clear = entry.repairs.iter().filter(|repair| !is_many(repair.argument));
    let advice = clear.map(|repair| match is_input(repair.argument) {
        true => {
            let name = name_in_source(entry, repair.argument).unwrap_or(repair.argument);
            format!("make `{name}` {}", brief(&repair.value))
        }
        false => format!("set `{}` to {}", repair.argument, brief(&repair.value)),
    });
    let advice: Vec<String> = advice.collect();
    (!advice.is_empty()).then(|| advice.join(", or "))
}

/// What brings the numbers of a broken requirement about: a circumstance of the run, or the data.
pub(super) fn because(entry: &Entry, judged: &Judged) -> Option<String> {
    let mut told = entry.told.because.clone();
    judged.requirement.prop.leaves(&mut |atom| {
        if let AtomView::Symbol(symbol) = atom.view()
            && symbol.origin().source == Source::Data
        {
            told.get_or_insert_with(|| symbol.origin().text.to_string());
        }
    });
    told
}

/// Why a plain call cannot be, for who asks about one call: "`groups` is 4 and `weight` is f32[10, 2, 3, 3]
/// (10 % 4 = 0, but it is 2)".
pub(crate) fn reason(entry: &Entry, judged: &Judged) -> String {
    let needs = needs(entry, judged).map_or(String::new(), |needs| format!(" ({needs})"));
    format!("{}{needs}", instead(entry, judged))
}

/// The broken statement, where it says more than the label does.
pub(super) fn needs(entry: &Entry, judged: &Judged) -> Option<String> {
    // Nothing is needed of an axis that is merely suspicious.
    if judged.requirement.category == Category::SuspiciousAxis {
        return None;
    }
    if let Some(clash) = clash(entry, judged) {
        return Some(clash);
    }
    if entry.told.needs.is_some() {
        return entry.told.needs.clone();
    }
    let Requirement { label, category, prop } = judged.requirement;
    // Types and ranks are numbers inside only.
    let about_ranks = match prop.stated() {
        Some(Stated::Divides { .. } | Stated::Within { .. } | Stated::BroadcastsTo { .. }) => false,
        _ => contains_one(label, &OF_RANKS) && !contains_one(label, &OF_SIZES),
    };
    let structural = category == Category::IncompatibleType || about_ranks;
    if prop.known().is_some() && structural {
        return None;
    }
    let statement = brief(&prop);
    (statement != "false").then_some(statement)
}

/// Which sizes differ where tensors have to agree: "13 = 12 (axis 2)".
fn clash(entry: &Entry, judged: &Judged) -> Option<String> {
    let Requirement { label, prop, .. } = judged.requirement;
    let (broadcasts, agrees) = (label.contains("broadcast"), contains_one(label, &OF_AGREEMENT));
    let [(_, one), (_, other)] = entry.inputs.as_slice() else { return None };
    if prop.known() != Some(false) || !(broadcasts || agrees) {
        return None;
    }
    let (one, other) = (one.shape().sizes()?, other.shape().sizes()?);
    let shared = one.len().min(other.len());
    if agrees && !broadcasts && one.len() != other.len() {
        return None;
    }
    let joined = entry.parameters.iter().find(|spoken| spoken.name == "axis");
    let joined: Option<usize> = joined.and_then(|spoken| spoken.value.parse().ok());
    let mut told = Vec::new();
    // The last two axes of a product are those of the matrices.
    let last = if label.contains("leading") { 3 } else { 1 };
    for offset in (last..=shared).rev() {
        let (Some(a), Some(b)) = (one[one.len() - offset].known(), other[other.len() - offset].known())
        else {
            continue;
        };
        let axis = one.len() - offset;
        if a == b || (broadcasts && (a == 1 || b == 1)) || (joined == Some(axis) && !broadcasts) {
            continue;
        }
        let axis = if one.len() == other.len() { axis as i64 } else { -(offset as i64) };
        told.push(format!("{a} = {b} (axis {axis})"));
    }
    (!told.is_empty()).then(|| told.join(", "))
}

/// Words of labels that ask tensors to agree.
const OF_AGREEMENT: [&str; 3] = ["one shape", "agree", "have the shape"];

/// `{5, 1}`, of a tensor with few elements that are known.
pub(super) fn elements(tensor: Tensor) -> Option<String> {
    let sizes = tensor.shape().sizes()?;
    let count =
        sizes.iter().try_fold(1usize, |count, size| count.checked_mul(size.known()?.try_into().ok()?));
    if !(1..=MOST_ELEMENTS).contains(&count?) {
        return None;
    }
    let told: Option<Vec<String>> = tensor.values()?.iter().map(|value| element(*value)).collect();
    Some(brief(&format!("{{{}}}", told?.join(", "))))
}

fn element(value: Value) -> Option<String> {
    match value {
        Value::Int(dim) => Some(dim.to_string()),
        Value::Bool(prop) => Some(prop.known()?.to_string()),
        Value::Float(_) | Value::Ratio(..) => Some(value.float()?.to_string()),
        Value::Unknown => None,
    }
}

/// "i64[2] {5, 1}", or "i64[500] with 100 at [7]" where 100 is what the statement is about.
fn with_elements(tensor: Tensor, prop: Prop) -> String {
    if let Some(elements) = elements(tensor) {
        return format!("{} {elements}", brief(&tensor));
    }
    match found(tensor, prop) {
        Some(found) => format!("{} with {found}", brief(&tensor)),
        None => brief(&tensor),
    }
}

/// Where in a tensor the number at fault stands.
fn found(tensor: Tensor, prop: Prop) -> Option<String> {
    let (Stated::Within { value, .. } | Stated::Compared { left: value, .. }) = prop.stated()? else {
        return None;
    };
    let value = value.known()?;
    let is_it = |element: &Value| element.dim().and_then(|dim| dim.known()) == Some(value);
    let mut at = tensor.values()?.iter().position(is_it)? as i64;
    let mut place = Vec::new();
    for size in tensor.shape().sizes()?.iter().rev() {
        let size = size.known()?.max(1);
        place.push((at % size).to_string());
        at /= size;
    }
    place.reverse();
    Some(format!("{value} at [{}]", place.join(", ")))
}

/// Words of labels that speak of ranks, unless they speak of sizes.
const OF_RANKS: [&str; 6] = ["axis", "axes", "vector", "matrix", "scalar", "tensor"];
const OF_SIZES: [&str; 4] = ["size of", "as long as", "as large as", " per position"];

fn contains_one(label: &str, words: &[&str]) -> bool {
    words.iter().any(|word| label.contains(word))
}

/// Words of labels that compare the thing they name with what is around it.
const COMPARING: [&str; 8] = [" per ", "rank", "within", "fits", "below", "axis", "divides", "number of"];

/// One operand in words.
struct Part<'e> {
    name: &'e str,
    values: Vec<String>,
    is_input: bool,
    is_default: bool,
}

pub(super) fn about_values(category: Category) -> bool {
    matches!(
        category,
        Category::IllegalValue
            | Category::ImproperValue
            | Category::UnsupportedValue
            | Category::ToleratedValue
    )
}

/// What is there, of everything that the label speaks of; else of all operands.
fn instead(entry: &Entry, judged: &Judged) -> String {
    let Requirement { label, category, prop } = judged.requirement;
    let about_values = about_values(category);
    let mut parts: Vec<Part> = Vec::new();
    let mut tell =
        |name, value: String, is_input, is_default| match parts.iter_mut().find(|part| part.name == name) {
            Some(part) => part.values.push(value),
            None => parts.push(Part { name, values: vec![value], is_input, is_default }),
        };
    for (role, tensor) in &entry.inputs {
        let told = if about_values { with_elements(*tensor, prop) } else { brief(tensor) };
        tell(role, told, true, false);
    }
    // Of a parameter that was read from a tensor the value is told, unless the tensor itself is at fault.
    let about_tensors = category == Category::IncompatibleType || label.contains("tensor");
    for spoken in &entry.parameters {
        match entry.read.iter().find(|(read, _)| *read == spoken.name) {
            Some((_, tensor)) if about_tensors => tell(spoken.name, brief(tensor), false, false),
            _ => tell(spoken.name, spoken.value.clone(), false, !spoken.given),
        }
    }
    let (mut told, mut others): (Vec<_>, Vec<_>) = parts
        .into_iter()
        .partition(|part| mentions(label, part.name) || entry.told.spoken.contains(&part.name));
    others.retain(|part| !part.is_default);
    let given = told.iter().filter(|part| !part.is_default).count();
    if label.ends_with(" is given") {
        return match (given, label.starts_with("either ")) {
            (0, false) => "it is missing".into(),
            (0, true) => "neither is".into(),
            (_, false) => listed(entry, &told),
            (_, true) => format!("both are: {}", listed(entry, &told)),
        };
    }
    let named = told.iter().filter(|part| is_quoted(label, part.name)).count();
    let compares = category != Category::IncompatibleType && contains_one(label, &COMPARING);
    let speaks_of_numbers = !entry.told.spoken.is_empty() && !told.iter().any(|part| part.is_input);
    if given == 0 {
        told.extend(others);
    } else if speaks_of_numbers {
        told.extend(others.into_iter().filter(|part| part.is_input));
    } else if compares && (named < 2 || !told.iter().any(|part| part.is_input)) {
        told.extend(others.into_iter().filter(|part| part.is_input));
    }
    // A default is told where the label has it in mind, after what the caller wrote.
    told.retain(|part| !part.is_default || named == 0 || is_quoted(label, part.name));
    told.sort_by_key(|part| part.is_default);
    listed(entry, &told)
}

fn listed(entry: &Entry, parts: &[Part]) -> String {
    let mut told: Vec<String> = parts.iter().take(MOST_NAMED).map(|part| sentence(entry, part)).collect();
    told.dedup();
    match told.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

fn sentence(entry: &Entry, part: &Part) -> String {
    let verb = if part.values.len() == 1 { "is" } else { "are" };
    let default = if part.is_default { " by default" } else { "" };
    let name = name_in_source(entry, part.name).filter(|_| part.is_input).unwrap_or(part.name);
    format!("`{name}` {verb} {}{default}", brief(&part.values.join(", ")))
}

fn is_quoted(label: &str, name: &str) -> bool {
    label.split('`').skip(1).step_by(2).any(|quoted| quoted == name)
}

/// Whether a label speaks of an operand: by its name, or by one of the things that it holds ("no step is zero").
fn mentions(label: &str, name: &str) -> bool {
    let one = match name {
        "indices" => "index",
        "axes" => "axis",
        _ => name.strip_suffix('s').unwrap_or(name),
    };
    // Short names are also words of the language.
    is_quoted(label, name)
        || label
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .any(|word| word.len() > 2 && (word == name || word == one))
}
