//! The verdict on one vector, computed from the steps themselves: for spaces that are too large for a diagram.

use super::course::StepKind;
use super::outcome::{Code, PASSED, alone, together};
use super::terms::{Term, Terms, UNKNOWN};
use super::{Course, Outcome};

/// The courses of a program, ready to be evaluated.
pub struct Bare {
    terms: Terms,
    /// Per course the statement of each step.
    steps: Vec<Vec<Term>>,
}

impl Bare {
    pub fn of(courses: &[Course], parameters: usize) -> Bare {
        let place: Vec<u32> = (0..parameters as u32).collect();
        let mut terms = Terms::default();
        let steps = courses.iter().map(|course| terms.read(course, &place)).collect();
        Bare { terms, steps }
    }

    /// What becomes of the vector with these values.
    pub fn outcome(&self, courses: &[Course], vector: &[i64]) -> Outcome {
        let values = self.terms.at(vector);
        let mut held = None;
        for (number, (course, steps)) in courses.iter().zip(&self.steps).enumerate() {
            let (mut code, mut remark) = (PASSED, PASSED);
            for (place, (step, &term)) in course.steps.iter().zip(steps).enumerate() {
                let found = judged(values[term as usize], place, course.is_foreign(step));
                match step.kind {
                    StepKind::Remark(_) if found != PASSED && found.is_multiple_of(2) => {
                        remark = remark.min(place as u32);
                    }
                    StepKind::Remark(_) => {}
                    _ => code = code.min(found),
                }
            }
            let Some(outcome) = alone(course, number, code, remark, usize::MAX) else { continue };
            let outcome = together(held, outcome);
            if !course.is_open() {
                return outcome;
            }
            held = Some(outcome);
        }
        held.unwrap_or(Outcome::Unknown { course: u32::MAX, step: 0 })
    }
}

/// The code of a step with this value.
pub(super) fn judged(value: i64, step: usize, is_foreign: bool) -> Code {
    match value {
        0 => step as Code * 2,
        // It depends on more than the hyper-parameters, and is supposed to hold.
        UNKNOWN if is_foreign => PASSED,
        UNKNOWN => step as Code * 2 + 1,
        _ => PASSED,
    }
}
