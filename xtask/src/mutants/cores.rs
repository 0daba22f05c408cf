//! Whether clashes are told with nothing that could be left out: each member is taken away and the rest decided again.

use anyhow::Result;
use program::execute::Run;
use program::path::{Judged, Path};
use rustc_hash::FxHashMap;
use solver::{Context, Limits, Verdict};

#[derive(Default)]
pub struct Tally {
    /// Clashes of a requirement with others before it.
    pub found: usize,
    /// Those that clash, and no longer do without any one member.
    pub minimal: usize,
}

/// Checks a model with every size left open, so that requirements of different calls can clash.
pub fn count(file: &std::path::Path, tally: &mut Tally) -> Result<()> {
    let model = models::onnx::open(file)?;
    if models::onnx::check(&model).iter().any(|p| p.kind != models::onnx::ProblemKind::WrongOrder) {
        return Ok(());
    }
    let program = models::onnx::lower(&model, "");
    semantics::arena::scope(|| {
        let mut run = Run::new(&program, Path::new(Limits::default()), FxHashMap::default());
        run.execute();
        for judged in run.path.record.iter().flat_map(|entry| &entry.open) {
            if matches!(judged.verdict, Verdict::Fails) && !judged.core.is_empty() {
                tally.found += 1;
                tally.minimal += usize::from(is_minimal(judged));
            }
        }
    });
    Ok(())
}

fn is_minimal(judged: &Judged) -> bool {
    let fails_without = |left_out: Option<usize>| {
        let mut context = Context::new(Limits::default());
        for (number, member) in judged.core.iter().enumerate() {
            if Some(number) != left_out {
                context.assume(member.requirement.prop);
            }
        }
        matches!(context.decide(judged.requirement.prop), Verdict::Fails)
    };
    fails_without(None) && !(0..judged.core.len()).any(|number| fails_without(Some(number)))
}
