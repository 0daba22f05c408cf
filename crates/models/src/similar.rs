//! The name somebody probably meant, found with a bounded effort.

/// Gives hints until its effort is spent, since a hostile file can have many names and many mistakes.
#[derive(Debug)]
pub(crate) struct Hints {
    remaining_steps: usize,
}

impl Default for Hints {
    fn default() -> Self {
        Self { remaining_steps: 20_000_000 }
    }
}

impl Hints {
    /// The candidate with the fewest edits from `name`, if that is few enough to be a slip.
    /// Ties go to the alphabetically first, so that messages do not depend on hashing.
    pub(crate) fn nearest<'a>(
        &mut self,
        name: &str,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Option<&'a str> {
        let allowed = match name.len() {
            0 | 1 => return None,
            2 | 3 => 1,
            4..=8 => 2,
            _ => 3,
        };
        let mut best: Option<(usize, &str)> = None;
        for candidate in candidates {
            let is_close = !candidate.is_empty() && candidate.len().abs_diff(name.len()) <= allowed;
            let steps = if is_close { (name.len() + 1) * (candidate.len() + 1) } else { 1 };
            self.remaining_steps = self.remaining_steps.saturating_sub(steps);
            if self.remaining_steps == 0 {
                return None;
            }
            if !is_close {
                continue;
            }
            let found = (edits(name.as_bytes(), candidate.as_bytes()), candidate);
            if found.0 <= allowed && best.is_none_or(|best| found < best) {
                best = Some(found);
            }
        }
        best.map(|(_, candidate)| candidate)
    }
}

/// The Levenshtein distance.
fn edits(left: &[u8], right: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_and_nothing_far_fetched() {
        let nearest = |name, known: &[&'static str]| Hints::default().nearest(name, known.iter().copied());
        assert_eq!(nearest("wieght", &["bias", "weight"]), Some("weight"));
        assert_eq!(nearest("conv1.out", &["conv1_out", "conv2.out"]), Some("conv1_out"));
        assert_eq!(nearest("x", &["input", "output"]), None);
        assert_eq!(nearest("ab", &["xy"]), None);
    }
}
