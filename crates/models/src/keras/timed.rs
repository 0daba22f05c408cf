//! Layers of a model that is called at each time alone: each of them is called so.

use serde_json::{Map, Value, json};

/// Layers that take tensors of one rank element by element, whatever axes come first.
const ELEMENTWISE: &[&str] = &["Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract"];

/// A class and its configuration.
type Described = (&'static str, Map<String, Value>);

/// The class and configuration of a layer along so many axes of time; `None` if there is none, or if these change
/// nothing. Or why that is not known.
pub(super) fn at_each_time(
    class: &str,
    config: &Map<String, Value>,
    times: usize,
    tensors: usize,
) -> Result<Option<Described>, String> {
    if times == 0 || ELEMENTWISE.contains(&class) {
        return Ok(None);
    }
    if class == "Concatenate" {
        let axis = config.get("axis").and_then(Value::as_i64).unwrap_or(-1);
        let mut moved = config.clone();
        moved.insert("axis".into(), json!(if axis < 1 { axis } else { axis + times as i64 }));
        return Ok(Some(("Concatenate", moved)));
    }
    if tensors > 1 {
        return Err(format!("what `{class}` of several tensors is at each time is not modelled"));
    }
    let around = |inner: Value| {
        let mut outer = Map::new();
        outer.insert("layer".into(), inner);
        if let Some(policy) = config.get("dtype") {
            outer.insert("dtype".into(), policy.clone());
        }
        outer
    };
    let own = around(json!({"class_name": class, "config": config}));
    let timed = (1..times).fold(own, |inner, _| around(json!({"class_name": CLASS, "config": inner})));
    Ok(Some((CLASS, timed)))
}

const CLASS: &str = "TimeDistributed";
