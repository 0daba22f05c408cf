//! How far a broken requirement is from holding and in which direction, and the class of its fault.
//! Both are read off the requirement itself: its statement, its category, and the words that all layers share.

use semantics::dim::Dim;
use semantics::operator::Category;
use semantics::prop::{Prop, PropView, Stated};

/// An axis too many or too few weighs more than any size.
const AXIS: i64 = 1 << 32;

/// What kind of mistake a broken requirement is, in the names that ExAIS gave them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FaultClass {
    /// An input has another number of axes than the layer takes.
    Dimension,
    /// Inputs that belong together have different numbers of axes.
    InconsistentDimensions,
    /// Inputs that belong together have different sizes.
    InconsistentShapes,
    /// A window does not fit.
    PoolShape,
    Cropping,
    Reshape,
    Concatenate,
    DotAxis,
    WeightDimension,
    WeightShape,
    Argument,
    Type,
}

impl FaultClass {
    pub fn name(self) -> &'static str {
        match self {
            FaultClass::Dimension => "Dimension Error",
            FaultClass::InconsistentDimensions => "Inconsistent Input Dimensions",
            FaultClass::InconsistentShapes => "Inconsistent Input Shapes",
            FaultClass::PoolShape => "Pool Shape Error",
            FaultClass::Cropping => "Cropping Error",
            FaultClass::Reshape => "Reshape Error",
            FaultClass::Concatenate => "Concatenate Error",
            FaultClass::DotAxis => "Dot Axis Error",
            FaultClass::WeightDimension => "Weight Dimension Error",
            FaultClass::WeightShape => "Weight Shape Error",
            FaultClass::Argument => "Argument Error",
            FaultClass::Type => "Type Error",
        }
    }

    /// The class of a broken requirement. Labels say the same thing in the same words in every layer, so what is
    /// compared can be told from them.
    pub fn of(category: Category, label: &str) -> FaultClass {
        let says = |words: &[&str]| words.iter().any(|word| label.contains(word));
        match category {
            Category::IncompatibleType => FaultClass::Type,
            _ if says(&["weight"]) => match says(&["axes"]) {
                true => FaultClass::WeightDimension,
                false => FaultClass::WeightShape,
            },
            Category::IncompatibleShape | Category::IllegalShape => match () {
                () if says(&["crop"]) => FaultClass::Cropping,
                () if says(&["window", "pool"]) => FaultClass::PoolShape,
                () if says(&["number of elements", "left open"]) => FaultClass::Reshape,
                () if says(&["off the axis"]) => FaultClass::Concatenate,
                () if says(&["summed along"]) => FaultClass::DotAxis,
                () if says(&["one rank"]) => FaultClass::InconsistentDimensions,
                () if says(&[" axes:", "has features", "has a batch", "an axis for each"]) => {
                    FaultClass::Dimension
                }
                () if says(&["`axes`"]) => FaultClass::DotAxis,
                () if says(&["`axis`", "divides"]) => FaultClass::Argument,
                () => FaultClass::InconsistentShapes,
            },
            _ => FaultClass::Argument,
        }
    }

    /// Whether numbers of axes are compared.
    fn is_about_axes(self) -> bool {
        matches!(
            self,
            FaultClass::Dimension | FaultClass::InconsistentDimensions | FaultClass::WeightDimension
        )
    }
}

/// How far a refuted statement is from holding: positive where its left side is too large, negative where it is too
/// small. Where it compares no numbers, it is one step away. `None` if it is not refuted.
pub fn badness(category: Category, label: &str, prop: Prop) -> Option<i64> {
    if prop.known() != Some(false) {
        return None;
    }
    let distance = distance(prop).unwrap_or(1);
    Some(match FaultClass::of(category, label).is_about_axes() {
        true => distance.saturating_mul(AXIS),
        false => distance.clamp(1 - AXIS, AXIS - 1),
    })
}

fn distance(prop: Prop) -> Option<i64> {
    let gap = |left: Dim, right: Dim| left.known()?.checked_sub(right.known()?);
    if let Some(form) = prop.stated() {
        return match form {
            Stated::Divides { divisor, number } => {
                let (divisor, number) = (divisor.known()?, number.known()?);
                let above = number.checked_rem_euclid(divisor)?;
                // To the nearest multiple.
                Some(if above <= divisor.abs() - above { above } else { above - divisor.abs() })
            }
            Stated::Within { value, low, high } => {
                let below = gap(value, low)?;
                Some(if below < 0 { below } else { gap(value, high)?.saturating_add(1) })
            }
            Stated::Compared { left, relation, right } => {
                let gap = gap(left, right)?;
                Some(match relation {
                    "<" => gap.saturating_add(1),
                    ">" => gap.saturating_sub(1),
                    _ => gap,
                })
            }
            Stated::BroadcastsTo { shape, target } => {
                let (shape, target) = (shape.sizes()?, target.sizes()?);
                let longer = shape.len().checked_sub(target.len()).filter(|axes| *axes > 0);
                if let Some(axes) = longer {
                    return Some((axes as i64).saturating_mul(AXIS));
                }
                let mut pairs = shape.iter().rev().zip(target.iter().rev());
                pairs.find_map(|(size, target)| {
                    gap(*size, *target).filter(|gap| *gap != 0 && size.known() != Some(1))
                })
            }
        };
    }
    match prop.view() {
        PropView::Equal(left, right) | PropView::AtMost(left, right) => gap(left, right),
        // The first that fails is the one that is told; of alternatives, the nearest.
        PropView::And(all) => all.into_iter().filter(|one| one.known() == Some(false)).find_map(distance),
        PropView::Or(any) => any.into_iter().filter_map(distance).min_by_key(|gap| gap.unsigned_abs()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{AXIS, FaultClass, badness};
    use semantics::dim::Dim;
    use semantics::operator::Category::{IllegalShape, IllegalValue, IncompatibleShape};

    #[test]
    fn the_distance_is_signed() {
        let size = |size: i64| Dim::from(size);
        semantics::arena::scope(|| {
            assert_eq!(badness(IllegalValue, "`units` is positive", size(-2).ge(1)), Some(-3));
            assert_eq!(badness(IllegalShape, "the window fits the input", size(9).le(8)), Some(1));
            assert_eq!(badness(IncompatibleShape, "the tensors broadcast", size(3).eq(7)), Some(-4));
            assert_eq!(badness(IllegalValue, "`axis` is within the rank", size(5).within(-2, 2)), Some(4));
            assert_eq!(badness(IllegalValue, "`axis` is within the rank", size(-5).within(-2, 2)), Some(-3));
            assert_eq!(badness(IllegalValue, "`groups` divides `filters`", size(4).divides(7)), Some(-1));
            assert_eq!(badness(IllegalValue, "`groups` divides `filters`", size(4).divides(9)), Some(1));
            assert_eq!(badness(IllegalValue, "`padding` is one of valid, same", false.into()), Some(1));
            assert_eq!(badness(IncompatibleShape, "`inputs` has a batch", size(0).ge(1)), Some(-AXIS));
            assert_eq!(badness(IllegalValue, "`units` is positive", size(1).ge(1)), None);
        });
    }

    #[test]
    fn words_tell_the_class() {
        let classes = [
            ("`inputs` has 4 axes: a batch, two of space, and channels", FaultClass::Dimension),
            ("a weight has as many axes as the layer gives it", FaultClass::WeightDimension),
            ("a weight has the shape that the layer gives it", FaultClass::WeightShape),
            ("the tensors have one rank", FaultClass::InconsistentDimensions),
            ("the tensors broadcast", FaultClass::InconsistentShapes),
            ("both shapes have the same number of elements", FaultClass::Reshape),
        ];
        for (label, class) in classes {
            assert_eq!(FaultClass::of(IncompatibleShape, label), class, "{label}");
        }
    }
}
