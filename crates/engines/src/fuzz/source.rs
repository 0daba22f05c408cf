//! Where cases come from: grown models with their inputs, valid or with one fault.

use super::case::Case;
use super::fit::fit;
use crate::draw::Draw;
use crate::grow::{Grower, Options};
use crate::walk::declared;

/// An endless source of cases, the same for the same seed and options.
pub struct Source {
    grower: Grower,
    /// Whether the models have a fault.
    invalid: bool,
    draw: Draw,
}

impl Source {
    pub fn new(seed: u64, options: Options, invalid: bool) -> Source {
        let mut grower = Grower::new(seed, options);
        grower.learn();
        Source { grower, invalid, draw: Draw::new(!seed) }
    }
}

impl Iterator for Source {
    type Item = Case;

    fn next(&mut self) -> Option<Case> {
        if !self.invalid {
            let grown = self.grower.next()?;
            return Some(Case { program: grown.program, inputs: grown.inputs.into_iter().collect() });
        }
        loop {
            let grown = self.grower.next_invalid();
            let mut case = Case { program: grown.program, inputs: Default::default() };
            for input in case.program.graph.inputs.clone() {
                let (kind, sizes) = declared(&case.program, input)?;
                let sizes: Option<Vec<usize>> =
                    sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
                let Some(sizes) = sizes else { continue };
                let array = self.draw.array(kind, &sizes);
                case.set_array(input, array);
            }
            // The layers before the fault get weights; what comes after it is never reached.
            let kept: Vec<usize> = (0..=grown.node).collect();
            if let Some(mut case) = case.cut(&kept, &|_| None)
                && fit(&mut case, Some(grown.node)).is_some()
            {
                return Some(case);
            }
        }
    }
}
