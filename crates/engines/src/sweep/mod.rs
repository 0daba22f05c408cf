//! Which choices of hyper-parameters make a program invalid, and what they break first.
//!
//! The program is followed once with its hyper-parameters as symbols. What folding and the solver leave of its
//! requirements, with the decisions between them, is a [`Course`]: a list of steps that a vector of numbers passes or not.
//! Courses are owned data: they outlive the arena they were read from. A [`Diagram`] is what all courses of a program say
//! of every vector of a space; it is made hyper-parameter by hyper-parameter, and vectors that leave the same
//! intermediate sizes behind share what comes after.

mod count;
mod course;
mod diagram;
mod grow;
mod order;
mod outcome;
mod rows;
mod spans;
mod terms;

pub use count::Counts;
pub use course::{Course, Ending, Reading, Step};
pub use diagram::{Diagram, Growth, Limits};
pub use outcome::{Outcome, Verdict};
pub use rows::Bare;

/// A hyper-parameter, and the values it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    pub name: String,
    pub values: Vec<i64>,
}

/// How many vectors there are; the most that 128 bits can tell if there are more.
pub fn vectors(domains: &[Domain]) -> u128 {
    domains.iter().fold(1, |product: u128, domain| product.saturating_mul(domain.values.len() as u128))
}

/// Something that makes a vector invalid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cause {
    /// The operator or function whose requirement is broken.
    pub operator: String,
    /// What must hold, in words.
    pub label: String,
    /// What kind of requirement it is.
    pub category: String,
    /// Where it stands: a line of a source, or a node.
    pub place: String,
    /// What must hold, over the hyper-parameters; empty where the words say it all.
    pub condition: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use semantics::arena;
    use semantics::dim::Dim;
    use semantics::prop::Prop;

    const VALUES: [i64; 4] = [1, 2, 3, 4];

    /// Numbers without order, the same in every run.
    struct Draws(u64);

    impl Draws {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as usize % most
        }
        fn statement(&mut self, symbols: &[Dim]) -> Prop {
            let (a, b) = (symbols[self.below(symbols.len())], symbols[self.below(symbols.len())]);
            let number = VALUES[self.below(VALUES.len())];
            match self.below(5) {
                0 => a.eq(number),
                1 => a.le(b + number - 2),
                2 => (a * b).ne(number),
                3 => Prop::any([a.eq(b), a.eq(1), b.eq(1)]),
                _ => a.modulo(number).eq(0),
            }
        }
        /// The courses from here on: both ways of each decision, with what is asked on them.
        fn courses(
            &mut self,
            symbols: &[Dim],
            domains: &[Domain],
            before: &[(Prop, u8)],
            found: &mut Vec<Course>,
        ) {
            let mut steps = before.to_vec();
            for _ in 0..self.below(3) {
                steps.push((self.statement(symbols), if self.below(4) == 0 { 2 } else { 1 }));
            }
            if before.iter().filter(|(_, kind)| *kind == 0).count() < 2 && self.below(3) > 0 {
                let decision = self.statement(symbols);
                for way in [decision, !decision] {
                    let steps: Vec<(Prop, u8)> = steps.iter().copied().chain([(way, 0)]).collect();
                    self.courses(symbols, domains, &steps, found);
                }
                return;
            }
            let mut reading = Reading::new(domains);
            for (number, (statement, kind)) in steps.into_iter().enumerate() {
                let cause = || Cause {
                    operator: format!("{} of {}", number, found.len()),
                    label: String::new(),
                    category: String::new(),
                    place: String::new(),
                    condition: statement.to_string(),
                };
                match kind {
                    0 => reading.decide(statement),
                    1 => reading.require(statement, cause()),
                    _ => reading.remark(statement, cause()),
                }
            }
            found.push(reading.end(Ending::Valid));
        }
    }

    #[test]
    fn a_diagram_says_what_the_steps_say() {
        let names = ["a", "b", "c"];
        let domains = names.map(|name| Domain { name: name.into(), values: VALUES.to_vec() });
        let mut left_open = 0;
        for seed in 0..500 {
            let courses = arena::scope(|| {
                let symbols = names.map(|name| Dim::symbol(name, 1, 4));
                let mut courses = Vec::new();
                Draws(seed).courses(&symbols, &domains, &[], &mut courses);
                courses
            });
            let bare = Bare::of(&courses, domains.len());
            let plain = Diagram::of(&courses, &domains, Limits::default());
            let foreseen = |states: usize| Diagram::foreseeing(&courses, &domains, states);
            for (diagram, is_whole) in [(plain, true), (foreseen(usize::MAX), true), (foreseen(2), false)] {
                for number in 0..VALUES.len().pow(3) {
                    let places = [number / 16, number / 4 % 4, number % 4];
                    let vector = places.map(|place| VALUES[place]);
                    let (drawn, stepped) = (diagram.outcome(&places), bare.outcome(&courses, &vector));
                    if !is_whole && drawn == Outcome::Unsettled {
                        left_open += 1;
                        continue;
                    }
                    assert_eq!(drawn, stepped, "seed {seed}, vector {vector:?}");
                }
            }
        }
        assert!(left_open > 0);
    }
}
