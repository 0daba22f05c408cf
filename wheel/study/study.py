"""The same Optuna study three times: as it is, with trials pruned by tensorvet, and with a sampler that proposes nothing
that cannot work. Each trial really builds and trains the network on images that are made here.

usage: study.py [TRIALS]      (prints a page in Markdown)
"""

import pathlib
import sys
import time

import optuna
import tensorvet
import tensorvet.optuna
import torch
from net import Net
from torch import nn

HERE = pathlib.Path(__file__).parent
STEPS = 20

optuna.logging.set_verbosity(optuna.logging.ERROR)
torch.set_num_threads(1)


def images(count, generator):
    """Images with a bright stripe; where it lies is the class."""
    labels = torch.randint(0, 10, (count,), generator=generator)
    pixels = torch.rand(count, 1, 16, 16, generator=generator)
    rows = labels + 3
    pixels[torch.arange(count), 0, rows] += 1
    return pixels, labels


def loss_of(params):
    """What the network has learnt after some steps."""
    generator = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    network = Net(**params)
    optimizer = torch.optim.Adam(network.parameters(), 3e-3)
    # The data of a real job is read and prepared before the first batch gets to the network.
    batches = [images(64, generator) for _ in range(STEPS)]
    for pixels, labels in batches:
        loss = nn.functional.cross_entropy(network(pixels), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def study(trials, space, sampler, before):
    lost = {"trials": 0, "seconds": 0.0}

    def objective(trial):
        start = time.process_time()
        params = tensorvet.optuna.suggest(trial, space)
        before(trial)
        try:
            return loss_of(params)
        except (RuntimeError, ValueError, AssertionError) as error:
            lost["trials"] += 1
            lost["seconds"] += time.process_time() - start
            raise optuna.TrialPruned(str(error)) from error

    held = optuna.create_study(sampler=sampler)
    start = time.process_time()
    held.optimize(objective, n_trials=trials)
    states = [trial.state for trial in held.trials]
    finished = states.count(optuna.trial.TrialState.COMPLETE)
    return {
        "finished": finished,
        "stopped": len(states) - finished - lost["trials"],
        "lost": lost["trials"],
        "lost seconds": lost["seconds"],
        "seconds": time.process_time() - start,
        "best": min((trial.value for trial in held.trials if trial.value is not None), default=float("nan")),
    }


def main():
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    start = time.process_time()
    model = tensorvet.Model(HERE / "net.py::Net", HERE / "space.toml")
    compiled = time.process_time() - start
    census = model.census()

    def sampler():
        return optuna.samplers.TPESampler(seed=1)

    runs = {
        "Optuna alone": study(trials, model.space, sampler(), lambda trial: None),
        "`tensorvet.optuna.prune`": study(trials, model.space, sampler(), lambda trial: tensorvet.optuna.prune(model, trial)),
        "`tensorvet.optuna.Sampler`": study(trials, model.space, tensorvet.optuna.Sampler(model, sampler(), seed=1), lambda trial: None),
    }
    vectors, valid = census["total"], census["valid"]
    print(f"The space has {vectors:,} vectors, of which {valid:,} ({valid / vectors:.1%}) can work.")
    print(f"To know that took {compiled * 1000:.0f} ms of CPU time, once.\n")
    print(f"Each row is a study of {trials} trials with the same seed; a trial trains for {STEPS} steps.\n")
    print("| | trained to the end | ended before anything was built | lost in an exception | CPU seconds lost | CPU seconds in all | best loss |")
    print("|---|---|---|---|---|---|---|")
    for name, run in runs.items():
        print(
            f"| {name} | {run['finished']} | {run['stopped']} | {run['lost']} | {run['lost seconds']:.2f} "
            f"| {run['seconds']:.1f} | {run['best']:.3f} |"
        )
    print("\nWhat the vectors that cannot work break, the most frequent first:\n")
    for cause in census["causes"]:
        needs = f": `{cause['condition']}`" if cause["condition"] else ""
        print(f"- {cause['count']:,} × {cause['operator']} ({cause['requirement']}){needs}")


if __name__ == "__main__":
    main()
