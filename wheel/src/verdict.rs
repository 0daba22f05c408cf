//! What is said of one vector.

use pyo3::prelude::*;
use spaces::{Cause, Verdict as Judged};

/// The verdict on a vector. It is true unless the vector is sure to fail, or is no vector of the space.
#[pyclass(frozen, module = "tensorvet")]
pub struct Verdict {
    /// `valid`, `improper` (it runs, and is hardly meant), `invalid`, `unknown` or `outside`.
    #[pyo3(get)]
    pub state: &'static str,
    /// The operator whose requirement is broken.
    #[pyo3(get)]
    pub operator: Option<String>,
    /// What must hold.
    #[pyo3(get)]
    pub requirement: Option<String>,
    #[pyo3(get)]
    pub category: Option<String>,
    /// A line of a source, or a node.
    #[pyo3(get)]
    pub place: Option<String>,
    /// What must hold, over the hyper-parameters.
    #[pyo3(get)]
    pub condition: Option<String>,
    reason: Option<String>,
}

impl Verdict {
    pub fn of(judged: Judged<'_>) -> Verdict {
        let state = state(&judged);
        let (cause, reason) = match judged {
            Judged::Improper(cause) | Judged::Invalid(cause) => (Some(cause), None),
            Judged::Unknown(reason) => (None, Some(reason.to_owned())),
            Judged::Outside => (None, Some("the space has no such vector".to_owned())),
            Judged::Valid => (None, None),
        };
        let part = |of: fn(&Cause) -> &String| cause.map(of).filter(|text| !text.is_empty()).cloned();
        Verdict {
            state,
            operator: part(|cause| &cause.operator),
            requirement: part(|cause| &cause.label),
            category: part(|cause| &cause.category),
            place: part(|cause| &cause.place),
            condition: part(|cause| &cause.condition),
            reason,
        }
    }
}

pub fn state(judged: &Judged<'_>) -> &'static str {
    match judged {
        Judged::Valid => "valid",
        Judged::Improper(_) => "improper",
        Judged::Invalid(_) => "invalid",
        Judged::Unknown(_) => "unknown",
        Judged::Outside => "outside",
    }
}

#[pymethods]
impl Verdict {
    fn __bool__(&self) -> bool {
        !matches!(self.state, "invalid" | "outside")
    }
    /// In one sentence; `None` if there is nothing to say.
    #[getter]
    pub fn why(&self) -> Option<String> {
        let (Some(operator), Some(requirement)) = (&self.operator, &self.requirement) else {
            return self.reason.clone();
        };
        let place = self.place.as_ref().map_or(String::new(), |place| format!(" at {place}"));
        let needs = self.condition.as_ref().map_or(String::new(), |needs| format!("; needs {needs}"));
        Some(format!("{operator}{place}: {requirement}{needs}"))
    }
    fn __repr__(&self) -> String {
        match self.why() {
            Some(why) => format!("Verdict({}: {why})", self.state),
            None => format!("Verdict({})", self.state),
        }
    }
}
