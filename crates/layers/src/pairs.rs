//! Arguments that say something for both ends of each axis: Keras writes them as pairs, definitions have them in a row.

/// The pairs of an argument with as many numbers as two or three axes have ends; `None` if it is none of them.
pub fn of(parameter: &str, numbers: &[i64]) -> Option<Vec<[i64; 2]>> {
    if !matches!(parameter, "padding" | "cropping") || !matches!(numbers.len(), 4 | 6) {
        return None;
    }
    Some(numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
}
