//! The type that holds the numbers of several, as Keras finds it.

use semantics::dtype::Kind;

/// The type that holds the numbers of two: truths are the narrowest, a float holds any integer.
pub fn wider(one: Kind, other: Kind) -> Kind {
    let class = |kind: Kind| match kind {
        Kind::Bool => 0,
        kind if kind.is_int() => 1,
        _ => 2,
    };
    match class(one).cmp(&class(other)) {
        std::cmp::Ordering::Less => other,
        std::cmp::Ordering::Greater => one,
        std::cmp::Ordering::Equal if one.is_float() && other.is_float() => match (one.bits(), other.bits()) {
            // Neither half holds the other.
            (Some(16), Some(16)) if one != other => Kind::F32,
            (mine, theirs) if mine >= theirs => one,
            _ => other,
        },
        std::cmp::Ordering::Equal => {
            let holds = |kind: Kind, other: Kind| match (kind.int_range(), other.int_range()) {
                (Some((low, high)), Some((least, most))) => low <= least && most <= high,
                _ => true,
            };
            match (holds(one, other), holds(other, one)) {
                (true, _) => one,
                (false, true) => other,
                // Signed and unsigned: the next wider signed one.
                (false, false) => signed_above(one, other),
            }
        }
    }
}

fn signed_above(one: Kind, other: Kind) -> Kind {
    let most =
        [one, other].iter().filter_map(|kind| kind.int_range()).map(|(_, high)| high).max().unwrap_or(0);
    let signed = [Kind::I16, Kind::I32, Kind::I64];
    let wide = signed.into_iter().find(|kind| kind.int_range().is_some_and(|(_, high)| high >= most));
    // As Keras does where no integer is wide enough.
    wide.unwrap_or(Kind::F32)
}

/// The type with a number of Python, which takes that of the tensors unless it is of a wider class.
pub fn with_number(tensors: Kind, number: Kind) -> Kind {
    match number {
        number if number.is_float() && !tensors.is_float() => Kind::F32,
        number if number.is_int() && tensors == Kind::Bool => Kind::I32,
        _ => tensors,
    }
}

/// The type in which functions of real numbers are computed.
pub fn in_floats(kind: Kind) -> Kind {
    if kind.is_float() { kind } else { Kind::F32 }
}
