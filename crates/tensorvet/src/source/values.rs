//! The tensors of a path of a program for whoever follows values: its calls, its inputs and its weights.

use engines::numerics::{Role, Source, Traced};
use program::path::Path;
use python::analyse::Ended;
use semantics::tensor::Tensor;

pub(super) fn taken(path: &mut Path, ended: &Ended, file: &str) -> Traced {
    let input = |(name, tensor): &(String, Tensor)| Source::new(*tensor, name.clone(), Role::Input);
    let weight = |(name, tensor): &(String, Tensor)| Source {
        initial: tensor.declared_range().or_else(|| usual(*tensor)),
        ..Source::new(*tensor, name.clone(), Role::Parameter)
    };
    Traced {
        file: file.to_owned(),
        made: path.made.take().unwrap_or_default(),
        sources: ended.described.iter().map(input).chain(ended.weights.iter().map(weight)).collect(),
        outputs: ended.outputs.iter().map(|(_, tensor)| *tensor).collect(),
        flushes: false,
        kept: Vec::new(),
    }
}

/// How PyTorch's layers initialise a matrix or a filter: between plus and minus `1 / sqrt(n)`, where `n` numbers go into
/// one.
fn usual(tensor: Tensor) -> Option<(f64, f64)> {
    let sizes = tensor.shape().sizes()?;
    let into: Option<Vec<i64>> = sizes.iter().skip(1).map(|size| size.known()).collect();
    let into = into?.iter().map(|&size| size as f64).product::<f64>();
    (sizes.len() >= 2 && into >= 1.0).then(|| (-1.0 / into.sqrt(), 1.0 / into.sqrt()))
}
