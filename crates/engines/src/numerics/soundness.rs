//! Whether ranges hold what is really computed: for tests, over grown models and whatever inputs.

use crate::evaluate::Mode;
use crate::evaluate::number::Number;
use crate::grow::Case;
use crate::ranges::{Partition, Ranges, Settings};
use crate::run::Runner;
use crate::validity;
use program::ir::ValueId;
use semantics::arena;
use semantics::array::Array;

/// Computes a case on several sets of inputs and compares every value with the ranges that follow from the hull of all
/// inputs. Gives how many values were compared, or which one lies outside.
pub fn compare(case: &Case, draws: &[Vec<(ValueId, Array)>], settings: Settings) -> Result<usize, String> {
    let mut computed: Vec<Vec<(ValueId, Array)>> = Vec::new();
    for inputs in draws {
        let mut runner = Runner::new(&case.program, Mode::Plain);
        for (value, array) in inputs {
            runner.give(*value, array.clone());
        }
        let mut values = Vec::new();
        // A run that cannot go on leaves what it has.
        let _ = runner.run(&mut |node, readings| {
            for (output, reading) in node.outputs.iter().zip(readings) {
                if let (Some(value), Some(reading)) = (output, reading) {
                    values.push((*value, reading.array.clone()));
                }
            }
        });
        computed.push(values);
    }
    arena::scope(|| {
        let mut run = validity::started(&case.program, &validity::Question::default());
        run.execute();
        let mut ranges = Ranges::with(settings);
        for &input in &case.program.graph.inputs {
            let Some(tensor) = run.tensors.get(input) else { continue };
            let arrays = draws.iter().flatten().filter(|(value, _)| *value == input);
            let hulls = arrays.map(|(_, array)| Partition::of_array(array).hull());
            let hull = hulls.reduce(|one, other| one?.hull(&other?)).flatten();
            ranges.give_partition(tensor, Partition::whole(tensor, hull));
        }
        let mut compared = 0;
        for (value, array) in computed.iter().flatten() {
            let Some(tensor) = run.tensors.get(*value) else { continue };
            let partition = ranges.read(tensor);
            if tensor.shape().known_rank() != Some(array.shape.len()) {
                continue;
            }
            compared += 1;
            if let Err(at) = partition.holds(array, |dim| dim.known()) {
                let name = case.program.name(*value);
                return Err(format!("element {at} of `{name}`, {array}, is not in\n{partition}"));
            }
        }
        Ok(compared)
    })
}
