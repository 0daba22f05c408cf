//! Programs that search: Optuna's and Ray Tune's tutorials and commands of click, swept as they are.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tensorvet-searches-{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a temporary file");
    }
    folder
}

fn swept(folder: &PathBuf, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensorvet"));
    command.current_dir(folder).arg("sweep").args(arguments).output().expect("the binary runs")
}

fn output_of(test: &str, files: &[(&str, &str)], arguments: &[&str]) -> (String, String) {
    let folder = folder(test, files);
    let output = swept(&folder, arguments);
    let _ = fs::remove_dir_all(folder);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

const OPTUNA: &str = r#"
import optuna
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, channels, groups):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.norm(x))


def objective(trial):
    channels = trial.suggest_int("channels", 4, 12, step=4)
    groups = trial.suggest_int("groups", 1, channels // 2)
    optimizer = trial.suggest_categorical("optimizer", ["Adam", "SGD"])
    model = Net(channels, groups)
    getattr(torch.optim, optimizer)(model.parameters(), lr=trial.suggest_float("lr", 1e-5, 1e-1, log=True))
    loss = model(torch.zeros(2, channels)).sum()
    trial.report(loss.item(), 0)
    if trial.should_prune():
        raise optuna.TrialPruned()
    return loss.item()


study = optuna.create_study(sampler=optuna.samplers.TPESampler())
study.optimize(objective, n_trials=3)
print(study.best_trial.params)
"#;

#[test]
fn a_study_is_swept_as_it_stands() {
    let files = [("search.py", OPTUNA)];
    let (told, problem) = output_of("study", &files, &["search.py", "--space", "search.py"]);
    // 2, 4 and 6 groups at most; of those of 8 channels 3 do not divide them; two optimizers, four rates.
    assert!(told.ends_with("search.py: 96 vectors, 24 valid, 72 invalid\n"), "{told}{problem}");
    assert!(told.contains("GroupNorm: the groups share the channels evenly"), "{told}");
}

#[test]
fn a_class_beside_a_study_is_swept_alone() {
    let files = [("search.py", OPTUNA)];
    let arguments = ["search.py::Net", "--space", "search.py", "--input", "x=f32[2,8]"];
    let (told, problem) = output_of("beside", &files, &arguments);
    assert!(told.ends_with("search.py::Net: 96 vectors, 24 valid, 72 invalid\n"), "{told}{problem}");
}

#[test]
fn a_tuner_of_ray_is_swept_as_it_stands() {
    let program = r#"
import torch
from ray import tune
from ray.tune.schedulers import ASHAScheduler
from torch import nn


def train(config, data):
    net = nn.Sequential(nn.Linear(8, config["l1"]), nn.Linear(config["l1"], config["net"]["l2"]), nn.Linear(4, 2))
    loss = net(data).sum()
    tune.report({"loss": loss.item()})


space = {"l1": tune.choice([2**i for i in range(3)]), "net": {"l2": tune.randint(3, 6)}, "lr": tune.loguniform(1e-4, 1e-1)}
tuner = tune.Tuner(
    tune.with_resources(tune.with_parameters(train, data=torch.zeros(2, 8)), {"cpu": 1}),
    param_space=space,
    tune_config=tune.TuneConfig(scheduler=ASHAScheduler()),
)
results = tuner.fit()
print(results.get_best_result().config)
"#;
    let (told, problem) = output_of("ray", &[("search.py", program)], &["search.py", "--space", "search.py"]);
    assert!(told.ends_with("search.py: 36 vectors, 12 valid, 24 invalid\n"), "{told}{problem}");
    assert!(told.contains("needs l2 = 4"), "{told}");
}

#[test]
fn options_of_a_command_are_hyper_parameters() {
    let program = r#"
"""Trains."""
import click
import torch
from torch import nn


@click.command(help=__doc__)
@click.option("--width", "-w", default=8, show_default=True)
@click.option("--heads", type=click.IntRange(1, 4), default=2)
@click.option("--kind", type=click.Choice(["gelu", "relu"]), default="relu")
@click.option("--bias/--no-bias", default=True)
def main(width, heads, kind, bias):
    y = nn.MultiheadAttention(width, heads, bias=bias)(*[torch.zeros(3, 2, width)] * 3)[0]
    click.echo(nn.Linear(8, 1)(y).shape)


if __name__ == "__main__":
    main()
"#;
    let space = "[parameters]\nwidth = [8, 12]\nheads = [2, 3, 8]\nkind = [\"gelu\", \"selu\"]\nbias = [true, false]\n";
    let files = [("train.py", program), ("space.toml", space)];
    let (told, problem) = output_of("click", &files, &["train.py", "--space", "space.toml"]);
    assert!(told.ends_with("train.py: 24 vectors, 2 valid, 22 invalid\n"), "{told}{problem}");
}

#[test]
fn a_vector_is_asked_for_in_many_forms() {
    let program =
        "import torch\n\n\ndef run(x, size, kind):\n    assert kind != 'a, b'\n    return x.view(*size)\n";
    let space = "[inputs]\nx = \"f32[2,8]\"\n[parameters]\nsize = [[4, 4], [3, 5], [16]]\nkind = [\"it's\", \"a, b\"]\n";
    let folder = folder("forms", &[("model.py", program), ("space.toml", space)]);
    let code = |check: &str| {
        let output = swept(&folder, &["model.py::run", "--space", "space.toml", "--check", check]);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for valid in
        ["size=(4, 4),kind=it's", "kind=\"it's\", size=[16]", "{\"size\": [4, 4], \"kind\": \"it's\"}"]
    {
        assert_eq!(code(valid).0, Some(0), "{valid}: {}", code(valid).1);
    }
    for broken in [
        "size=(3,5),kind=it's",
        "kind='a, b',size=(4,4)",
        "{\"vector\": {\"size\": [16], \"kind\": \"a, b\"}}",
    ] {
        assert_eq!(code(broken).0, Some(1), "{broken}: {}", code(broken).1);
    }
    for (bad, why) in [
        ("size=(4,4),size=(16,)", "`size` is named twice"),
        ("size=(4,5)", "`size` is never (4,5) in the space: it is (4, 4), (3, 5) or (16)"),
        ("{\"sise\": 3}", "did you mean `size`?"),
        ("{\"size\": {}}", "{} is no value of `size`"),
    ] {
        let (code, told) = code(bad);
        assert_eq!(code, Some(2), "{bad}");
        assert!(told.contains(why), "{bad}: {told}");
    }
    let _ = fs::remove_dir_all(folder);
}
