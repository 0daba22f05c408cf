//! The classes of faults in the words of ExAIS, and those of TensorFlow's messages.

use engines::badness::FaultClass::{self, *};

/// The class that ExAIS names: "Max51816: Shape Error".
pub fn exais(message: &str) -> Option<FaultClass> {
    let told = message.split_once(": ")?.1;
    let told = told.split(',').next()?.trim();
    Some(match told {
        "Dimension error" => Dimension,
        "Inconsistent Input Dimensions" => InconsistentDimensions,
        "Inconsistent Input Shapes" => InconsistentShapes,
        "Shape Error" => PoolShape,
        "Argument Error" => Argument,
        "Dot Axis Error" => DotAxis,
        "Reshape Error" => Reshape,
        "Cropping Error" => Cropping,
        "Concatenate Error" => Concatenate,
        _ => return None,
    })
}

/// What a message of TensorFlow is about.
pub fn tensorflow(message: &str) -> Option<FaultClass> {
    let says = |words: &str| message.contains(words);
    Some(match () {
        () if says("ndim=")
            || says("should have rank")
            || says("must be rank")
            || says("must be equal rank") =>
        {
            Dimension
        }
        () if says("could not be broadcast together") => InconsistentShapes,
        () if says("Layer weight shape") => match ranks(message).as_slice() {
            [layer, given, ..] if layer != given => WeightDimension,
            _ => WeightShape,
        },
        () if says("Negative dimension size") => PoolShape,
        () if says("Dimension incompatibility") => DotAxis,
        () => return None,
    })
}

/// How many axes the shapes of a message have: "(1, 2) not compatible with provided weight shape (2,)".
fn ranks(message: &str) -> Vec<usize> {
    let shapes = message.split("shape (").skip(1).filter_map(|rest| rest.split_once(')'));
    shapes.map(|(sizes, _)| sizes.split(',').filter(|size| !size.trim().is_empty()).count()).collect()
}
