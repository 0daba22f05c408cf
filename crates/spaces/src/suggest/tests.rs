use super::*;

fn found(source: &str) -> Result<Vec<(String, String)>, String> {
    let folder = std::env::temp_dir().join("tensorvet-suggest");
    std::fs::create_dir_all(&folder).map_err(|why| why.to_string())?;
    let number = source.bytes().fold(0u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    let file = folder.join(format!("{number}.py"));
    std::fs::write(&file, source).map_err(|why| why.to_string())?;
    let table = read(&file).map_err(|why| format!("{why:#}").replace(&file.display().to_string(), "FILE"))?;
    crate::Space::of(&table).map_err(|why| format!("{why:#}"))?;
    Ok(table
        .into_iter()
        .map(|(name, domain)| (name, serde_json::to_string(&domain).unwrap_or_default()))
        .collect())
}
fn pairs(expected: &[(&str, &str)]) -> Result<Vec<(String, String)>, String> {
    Ok(expected.iter().map(|(name, domain)| ((*name).to_owned(), (*domain).to_owned())).collect())
}

#[test]
fn layers_of_an_optuna_objective_are_as_many_as_there_may_be() {
    let source = r#"
MOST = 2
def objective(trial):
    layers = trial.suggest_int("layers", 1, MOST)
    for i in range(layers):
        width = trial.suggest_int(f"width_{i}", 4, 4 * 16, step=4, log=False)
    kind = trial.suggest_categorical("kind", ["sgd", "adam"])
    if kind == "adam":
        beta = trial.suggest_float("beta", 0.5, 0.9)
    return 0
"#;
    assert_eq!(
        found(source),
        pairs(&[
            ("layers", r#"{"low":1,"high":2}"#),
            ("width_0", r#"{"low":4,"high":64,"step":4,"when":"layers > 0"}"#),
            ("width_1", r#"{"low":4,"high":64,"step":4,"when":"layers > 1"}"#),
            ("kind", r#"["sgd","adam"]"#),
            ("beta", r#"{"low":0.5,"high":0.9,"when":"kind == \"adam\""}"#),
        ])
    );
}

#[test]
fn scopes_of_keras_tuner_are_conditions() {
    let source = r#"
def build(hp):
    model = keras.Sequential()
    for i in range(hp.Int("blocks", 1, 2)):
        model.add(layers.Conv2D(hp.Choice("filters_" + str(i), [8, 16]), 3))
    pooling = hp.Choice("pooling", ["avg", "max"])
    with hp.conditional_scope("pooling", ["max"]):
        model.add(layers.MaxPooling2D(hp.Int("pool", 2, 4, step=2)))
    hp.Boolean("dropout")
    hp.Float("rate", 0.1, 0.5, parent_name="dropout", parent_values=[True])
    return model
"#;
    assert_eq!(
        found(source),
        pairs(&[
            ("blocks", r#"{"low":1,"high":2}"#),
            ("filters_0", r#"{"values":[8,16],"when":"blocks > 0"}"#),
            ("filters_1", r#"{"values":[8,16],"when":"blocks > 1"}"#),
            ("pooling", r#"["avg","max"]"#),
            ("pool", r#"{"low":2,"high":4,"step":2,"when":"pooling in [\"max\"]"}"#),
            ("dropout", "[true,false]"),
            ("rate", r#"{"low":0.1,"high":0.5,"when":"dropout in [true]"}"#),
        ])
    );
}

#[test]
fn a_space_of_ray_tune_is_a_dictionary() {
    let source = r#"
from ray import tune
space = {"width": tune.choice([2**3, 16]), "depth": tune.randint(1, 4), "rate": tune.loguniform(1e-4, 1e-1), "epochs": 3}
"#;
    assert_eq!(
        found(source),
        pairs(&[("width", "[8,16]"), ("depth", r#""1..3""#), ("rate", r#"{"low":0.0001,"high":0.1}"#),])
    );
}

#[test]
fn spaces_are_written_in_many_ways() {
    let source = r#"
from ray.tune import choice
import ray
sizes: list = list(range(8, 25, 8))
space = dict(width=choice(sizes), depth=ray.tune.qlograndint(2, 8, 2))
space["kernel"] = ray.tune.choice([1, 3])
"#;
    assert_eq!(
        found(source),
        pairs(&[("width", "[8,16,24]"), ("depth", r#""2..8 step 2""#), ("kernel", "[1,3]")])
    );
    let source = r#"
def build(hp):
    deep, wide = hp.Boolean("deep"), 3
    deep = hp.Boolean("deep")
    kind = hp.Choice("kind", ["a", "b"])
    if deep and kind == "a":
        hp.Int("width", 2, 16, step=2, sampling="log")
"#;
    assert_eq!(
        found(source),
        pairs(&[
            ("deep", "[true,false]"),
            ("kind", r#"["a","b"]"#),
            ("width", r#"{"values":[2,4,8,16],"when":"(deep == true) and (kind == \"a\")"}"#),
        ])
    );
}

#[test]
fn what_only_the_run_tells_is_no_guess() {
    let told = |source| found(source).expect_err("unclear");
    assert_eq!(
        told("trial.suggest_int('k', 1, most())"),
        "FILE: `k`: its domain is made while the program runs"
    );
    assert_eq!(
        told("space = {'k': tune.sample_from(f)}"),
        "FILE: `k`: what `tune.sample_from` gives is not read"
    );
    assert_eq!(
        told("k = trial.suggest_int('k', 1, 3)\nif is_odd(k):\n    trial.suggest_int('n', 1, 3)"),
        "FILE: `n`: it is there under a condition on hyper-parameters that is not read"
    );
    assert_eq!(
        told("for n in names:\n    trial.suggest_int(n, 1, 3)"),
        "FILE: `suggest_int`: its name is made while the program runs"
    );
}

#[test]
fn names_and_domains_are_made_in_the_ways_of_tutorials() {
    let source = r#"
UNITS = {"low": 4, "high": 8}
def objective(trial):
    params = {"layers": trial.suggest_int("layers", 1, 2)}
    for i in range(params["layers"]):
        params["n_{}".format(i)] = trial.suggest_int("n_{}".format(i), UNITS["low"], UNITS["high"], log=True)
    widths = [trial.suggest_categorical("w%d" % i, [2**k for k in range(3)]) for i in range(1, params["layers"] + 1)]
    for part in ["head", "tail"]:
        trial.suggest_float(f"{part}_rate", 1e-1 / 2, 0.5)
"#;
    assert_eq!(
        found(source),
        pairs(&[
            ("layers", r#"{"low":1,"high":2}"#),
            ("n_0", r#"{"low":4,"high":8,"when":"layers > 0"}"#),
            ("n_1", r#"{"low":4,"high":8,"when":"layers > 1"}"#),
            ("w1", r#"{"values":[1,2,4],"when":"(layers + 1) > 1"}"#),
            ("w2", r#"{"values":[1,2,4],"when":"(layers + 1) > 2"}"#),
            ("head_rate", r#"{"low":0.05,"high":0.5}"#),
            ("tail_rate", r#"{"low":0.05,"high":0.5}"#),
        ])
    );
}

#[test]
fn ends_and_conditions_may_be_about_other_hyper_parameters() {
    let source = r#"
def objective(trial):
    self.kernel = trial.suggest_int("kernel", 1, 7, step=2)
    stride = trial.suggest_int("stride", 1, min(self.kernel, 3))
    if self.kernel % 3 == 0 and stride < self.kernel - 1:
        trial.suggest_int("pad", 0, self.kernel // 2)
    groups = trial.suggest_int("groups", 2, 3) if stride == 1 else 1
"#;
    assert_eq!(
        found(source),
        pairs(&[
            ("kernel", r#"{"low":1,"high":7,"step":2}"#),
            ("stride", r#"{"low":1,"high":"min(kernel, 3)"}"#),
            (
                "pad",
                r#"{"low":0,"high":"(kernel // 2)","when":"((kernel % 3) == 0) and (stride < (kernel - 1))"}"#
            ),
            ("groups", r#"{"low":2,"high":3,"when":"stride == 1"}"#),
        ])
    );
}
