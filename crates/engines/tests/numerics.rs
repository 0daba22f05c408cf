//! Ranges hold what grown models compute, whatever inputs they are given.

use engines::draw::Draw;
use engines::grow::{Grower, Options};
use engines::numerics::soundness::compare;
use engines::ranges::Settings;

/// A few of the models that `cargo xtask numerics soundness` grows.
#[test]
fn grown_models_stay_inside_their_ranges() {
    let mut draw = Draw::new(3);
    let mut compared = 0;
    for case in Grower::new(11, Options::default()).take(40) {
        let mut draws = vec![case.inputs.clone()];
        for _ in 0..3 {
            let drawn =
                case.inputs.iter().map(|(value, array)| (*value, draw.array(array.kind, &array.shape)));
            draws.push(drawn.collect());
        }
        match compare(&case, &draws, Settings::EAGER) {
            Ok(count) => compared += count,
            Err(why) => panic!("{why}"),
        }
    }
    assert!(compared > 500, "{compared} values were compared");
}
