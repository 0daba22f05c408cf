//! What becomes of a vector, from where it stops on each course.

use super::course::StepKind;
use super::{Cause, Course, Ending};

/// The first step that a vector does not pass, twice its number; one more if that is not known.
pub(super) type Code = u32;
/// Every step is passed.
pub(super) const PASSED: Code = Code::MAX;
/// Some decision is not passed; which one does not matter any more.
pub(super) const ELSEWHERE: Code = Code::MAX - 1;

/// What becomes of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    Valid,
    /// It runs, and breaks what should hold: a step of a course.
    Improper {
        course: u32,
        step: u32,
    },
    /// It fails at a step of a course; at the one after the last if the course fails whatever the vector is.
    Invalid {
        course: u32,
        step: u32,
    },
    /// Nobody knows what becomes of it: see the step, or the ending of the course.
    Unknown {
        course: u32,
        step: u32,
    },
    /// The space has no such vector.
    Outside,
    /// It takes more steps to tell than the diagram has.
    Unsettled,
}

/// An outcome in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'c> {
    Valid,
    /// It runs, and is hardly meant to.
    Improper(&'c Cause),
    Invalid(&'c Cause),
    /// Nobody knows, and why.
    Unknown(&'c str),
    /// The space has no such vector.
    Outside,
}

impl Outcome {
    pub fn verdict(self, courses: &[Course]) -> Verdict<'_> {
        match self {
            Outcome::Valid => Verdict::Valid,
            Outcome::Outside => Verdict::Outside,
            Outcome::Unsettled => Verdict::Unknown("too many hyper-parameters meet in what it has to fulfil"),
            Outcome::Improper { course, step } | Outcome::Invalid { course, step } => {
                let course = &courses[course as usize];
                let cause = match course.steps.get(step as usize).map(|step| &step.kind) {
                    Some(StepKind::Requirement(cause) | StepKind::Remark(cause)) => Some(cause),
                    Some(_) => None,
                    None => match &course.ending {
                        Ending::Fails(cause) => Some(cause),
                        _ => None,
                    },
                };
                match (cause, self) {
                    (Some(cause), Outcome::Improper { .. }) => Verdict::Improper(cause),
                    (Some(cause), _) => Verdict::Invalid(cause),
                    (None, _) => Verdict::Unknown(""),
                }
            }
            Outcome::Unknown { course, step } => {
                let course = courses.get(course as usize);
                match course.map(|course| (course.steps.get(step as usize).map(|step| &step.kind), course)) {
                    Some((Some(StepKind::Requirement(cause) | StepKind::Remark(cause)), _)) => {
                        Verdict::Unknown(&cause.label)
                    }
                    Some((None, Course { ending: Ending::Unknown(why), .. })) => Verdict::Unknown(why),
                    _ => Verdict::Unknown("no path that was followed is the one that it takes"),
                }
            }
        }
    }
}

/// Where a vector stops on one course; `None` if it goes another way. `remark` is the first remark on it.
pub(super) fn alone(course: &Course, number: usize, code: Code, remark: u32, kept: usize) -> Option<Outcome> {
    let here = |step: usize| (number as u32, step as u32);
    if code == ELSEWHERE {
        return None;
    }
    if code != PASSED {
        let (course_number, step) = here(code as usize / 2);
        let is_known = code.is_multiple_of(2);
        return match course.steps[step as usize].kind {
            StepKind::Decision | StepKind::Followed if is_known => None,
            StepKind::Membership if is_known => Some(Outcome::Outside),
            _ if is_known => Some(Outcome::Invalid { course: course_number, step }),
            _ => Some(Outcome::Unknown { course: course_number, step }),
        };
    }
    if kept < course.steps.len() {
        return Some(Outcome::Unsettled);
    }
    let (course_number, step) = here(course.steps.len());
    match &course.ending {
        Ending::Valid if remark != PASSED => Some(Outcome::Improper { course: course_number, step: remark }),
        Ending::Valid => Some(Outcome::Valid),
        Ending::Elsewhere => None,
        Ending::Fails(_) => Some(Outcome::Invalid { course: course_number, step }),
        Ending::Unknown(_) => Some(Outcome::Unknown { course: course_number, step }),
    }
}

/// What two courses say together, if nobody knows which of them a vector takes.
pub(super) fn together(one: Option<Outcome>, other: Outcome) -> Outcome {
    let runs = |outcome: Outcome| matches!(outcome, Outcome::Valid | Outcome::Improper { .. });
    let fails = |outcome: Outcome| matches!(outcome, Outcome::Invalid { .. });
    match one {
        None => other,
        Some(one) if one == Outcome::Valid && runs(other) => other,
        Some(one) if runs(one) && runs(other) || fails(one) && fails(other) => one,
        Some(one @ (Outcome::Unknown { .. } | Outcome::Unsettled)) => one,
        Some(_) if matches!(other, Outcome::Unknown { .. } | Outcome::Unsettled) => other,
        Some(_) => Outcome::Unknown { course: u32::MAX, step: 0 },
    }
}
