//! A framework behind a worker: cases are written for it, and what it tells becomes sights.

use super::worker::{Answer, At, Worker};
use arrays::npy::NpyArray;
use engines::fuzz::{Backend, Case, Disagreement, Refusal, Seen, Sight, Way, asked, judge};
use models::keras::literal;
use program::ir::ValueId;
use rustc_hash::FxHashMap;
use semantics::array::Array;
use semantics::dtype::Kind;
use serde_json::{Value, json};

pub struct Framework {
    pub worker: Worker,
    pub write: fn(&Case) -> Result<Written, String>,
    /// What went wrong with the worker itself; the run ends with it.
    pub broken: Option<anyhow::Error>,
    /// One whose disagreements are not told.
    pub other: Option<Box<Framework>>,
}

/// A case as a worker is told of it.
pub struct Written {
    /// Without the ways in which it is run.
    pub question: Value,
    /// The node of each call, and what it gives under which names.
    pub calls: Vec<(usize, Vec<(ValueId, String)>)>,
}

impl Backend for Framework {
    fn run(&mut self, case: &Case, ways: &[Way]) -> Vec<Seen> {
        let unsupported = |why: String| {
            let seen = |way: &Way| Seen {
                way: *way,
                values: FxHashMap::default(),
                refusal: Some(Refusal::Unsupported(why.clone())),
            };
            ways.iter().map(seen).collect::<Vec<_>>()
        };
        let mut written = match (self.write)(case) {
            Ok(written) => written,
            Err(why) => return unsupported(why),
        };
        // To predict there must be a model.
        let mut asked: Vec<Way> = ways.to_vec();
        if ways.contains(&Way::Predict) && !ways.contains(&Way::Build) {
            asked.insert(0, Way::Build);
        }
        written.question["ways"] = json!(asked.iter().map(|way| way.name()).collect::<Vec<_>>());
        let node = |at: &At| at.call.and_then(|call| written.calls.get(call)).map(|(node, _)| *node);
        let (died, way) = match self.worker.ask(&written.question) {
            Ok(Answer::Told(told)) => {
                let sights = asked.iter().filter_map(|way| seen(&written, *way, &told["ways"][way.name()]));
                return sights.filter(|seen| ways.contains(&seen.way)).collect();
            }
            Ok(Answer::Died { how, at }) => (Refusal::Crashed { node: node(&at), how }, at.way),
            Ok(Answer::Hung { at }) => (Refusal::Hung { node: node(&at) }, at.way),
            Err(error) => {
                let why = error.to_string();
                self.broken = Some(error);
                return unsupported(why);
            }
        };
        let named = Way::ALL.into_iter().find(|own| Some(own.name()) == way.as_deref());
        let way = named.or(ways.first().copied()).unwrap_or(Way::Call);
        vec![Seen { way, values: FxHashMap::default(), refusal: Some(died) }]
    }

    fn is_shared(&mut self, case: &Case, found: &Disagreement) -> bool {
        let Some(other) = &mut self.other else { return false };
        let seen = other.run(case, &asked(&found.ways));
        self.broken = self.broken.take().or(other.broken.take());
        let mut shown = judge(case, &seen).disagreements.into_iter();
        shown.any(|other| other.node == found.node && other.kind == found.kind)
    }
}

/// An array for the worker.
pub fn told(array: &Array) -> Result<Value, String> {
    let bytes = NpyArray::from_array(array)?.bytes;
    let data: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(json!({ "dtype": literal::dtype(array.kind)?, "shape": array.shape, "data": data }))
}

/// `None` if the worker has nothing to say of this way.
fn seen(written: &Written, way: Way, told: &Value) -> Option<Seen> {
    let told = told.as_object()?;
    let mut values: FxHashMap<ValueId, Sight> = FxHashMap::default();
    for (value, name) in written.calls.iter().flat_map(|(_, outputs)| outputs) {
        if let Some(sight) = told["values"].get(name).and_then(sight) {
            values.insert(*value, sight);
        }
    }
    let refusal = told.get("refused").map(|refused| {
        let message = refused["message"].as_str().unwrap_or_default().to_string();
        if refused["unsupported"] == true {
            return Refusal::Unsupported(message);
        }
        let call = refused["call"].as_u64().and_then(|call| written.calls.get(call as usize));
        Refusal::Rejected { node: call.map(|(node, _)| *node), message }
    });
    Some(Seen { way, values, refusal })
}

fn sight(told: &Value) -> Option<Sight> {
    let kind = told["dtype"].as_str().and_then(Kind::parse);
    let shape: Vec<Option<usize>> =
        told["shape"].as_array()?.iter().map(|size| size.as_u64().map(|size| size as usize)).collect();
    let array = told["data"].as_str().and_then(|data| array(kind?, &shape, data));
    Some(Sight { kind, shape, array })
}

fn array(kind: Kind, shape: &[Option<usize>], hex: &str) -> Option<Array> {
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let bytes: Option<Vec<u8>> =
        hex.as_bytes().chunks_exact(2).map(|pair| Some(digit(pair[0])? * 16 + digit(pair[1])?)).collect();
    let shape: Vec<usize> = shape.iter().copied().collect::<Option<_>>()?;
    let (form, bits) = arrays::npy::form(kind)?;
    NpyArray::new(form, bits, shape, bytes?.into()).ok()?.to_array(Some(kind)).ok()
}
