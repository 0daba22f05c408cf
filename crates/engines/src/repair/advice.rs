//! A repair as text and data, for those who read it: nothing in it belongs to a program.

use super::{Change, Fix, Proposal, Repair, Said};
use serde_json::Value;

/// What would make an invalid model valid.
#[derive(Clone, Debug)]
pub struct Advice {
    /// Each of these lists of edits makes the whole model valid.
    pub repairs: Vec<Vec<Edit>>,
    /// Where the search ended if there are none, as far as that is one place.
    pub stuck: Option<StuckAt>,
}

/// One thing that is to be different.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The layer or the input.
    pub place: String,
    /// The argument of the layer; none for an input.
    pub argument: Option<String>,
    /// As a file has it; none if it is left out.
    pub before: Option<Value>,
    pub after: Option<Value>,
    /// "make `filters` of `conv` 4 (it is 0)"
    pub words: String,
}

/// A layer that no edit was found to mend, after edits that mend what fails before it.
#[derive(Clone, Debug)]
pub struct StuckAt {
    pub after: Vec<Edit>,
    pub node: String,
    /// What does not hold there.
    pub requirements: Vec<String>,
}

impl Repair {
    pub fn advice(&self) -> Advice {
        let stuck = self.stuck.as_ref().map(|stuck| StuckAt {
            after: edits(&stuck.after),
            node: stuck.place.clone(),
            requirements: stuck.labels.iter().map(ToString::to_string).collect(),
        });
        Advice { repairs: self.proposals.iter().map(edits).collect(), stuck }
    }
}

fn edits(proposal: &Proposal) -> Vec<Edit> {
    proposal.changes.iter().map(edit).collect()
}

fn edit(change: &Change) -> Edit {
    let argument = match &change.fix {
        Fix::Argument { name, .. } if !change.is_input => Some(name.to_string()),
        _ => None,
    };
    let json = |said: &Option<Said>| said.as_ref().map(|said| said.json.clone());
    Edit {
        place: change.place.clone(),
        argument,
        before: json(&change.before),
        after: json(&change.after),
        words: change.to_string(),
    }
}
