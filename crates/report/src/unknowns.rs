//! `--show-unknowns`: where knowledge was lost, first what most depends on.

use crate::{Checked, Paint};
use engines::validity::Unknown;
use std::fmt::Write as _;

pub(crate) fn write(text: &mut String, result: &Checked, paint: Paint) {
    let losses = losses(&result.answer.unknowns);
    if losses.is_empty() {
        let _ = writeln!(text, "  no knowledge was lost");
        return;
    }
    let _ = writeln!(text, "  where knowledge was lost, and how often that was felt:");
    for Loss { words, felt, count } in losses {
        let _ = writeln!(text, "  {count:>6} ×  {}", paint.strong(&words));
        for unknown in felt {
            let _ = writeln!(text, "            {}", paint.faint(&told(unknown)));
        }
    }
}

/// Something that is not known, and what follows from that.
struct Loss<'a> {
    words: String,
    felt: Vec<&'a Unknown>,
    count: usize,
}

fn losses(unknowns: &[Unknown]) -> Vec<Loss<'_>> {
    let mut losses: Vec<(&str, Loss)> = Vec::new();
    // What was lost first has the shortest reason; what came of it says that reason after its own.
    let mut sorted: Vec<&Unknown> = unknowns.iter().collect();
    sorted.sort_by_key(|unknown| unknown.reason.len());
    for unknown in sorted {
        let is_cause = |(cause, _): &&mut (&str, Loss)| match &unknown.cause {
            Some(own) => own == cause,
            None => unknown.reason.ends_with(*cause),
        };
        match losses.iter_mut().find(is_cause) {
            Some((_, loss)) => {
                loss.count += unknown.count;
                loss.felt.push(unknown);
            }
            None => {
                let (cause, words, felt) = match &unknown.cause {
                    Some(cause) => {
                        (cause.as_str(), format!("{cause}: too little is known of it"), vec![unknown])
                    }
                    None => (unknown.reason.as_str(), told(unknown), Vec::new()),
                };
                losses.push((cause, Loss { words, felt, count: unknown.count }));
            }
        }
    }
    losses.sort_by_key(|(_, loss)| std::cmp::Reverse(loss.count));
    losses.into_iter().map(|(_, loss)| loss).collect()
}

fn told(unknown: &Unknown) -> String {
    format!("{}: {}", place(unknown), unknown.reason)
}
fn place(unknown: &Unknown) -> String {
    unknown.location.node.clone().unwrap_or_else(|| "the program".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engines::finding::Location;

    #[test]
    fn what_follows_from_a_loss_is_counted_with_it() {
        let unknown = |line: u32, reason: &str| Unknown {
            location: Location { node: Some(format!("line {line}")), ..Location::default() },
            reason: reason.into(),
            count: 1,
            cause: None,
        };
        let unknowns = [
            unknown(4, "a file that is not there"),
            unknown(1, "the module `x` is not modelled"),
            unknown(2, "`input` of conv is not known: the module `x` is not modelled"),
        ];
        let losses = losses(&unknowns);
        assert_eq!(losses.len(), 2);
        assert_eq!((losses[0].count, losses[0].felt.len()), (2, 1));
        assert_eq!(losses[0].words, "line 1: the module `x` is not modelled");
    }
}
