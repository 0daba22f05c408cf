"""Compares `tensorvet sweep` with what the frameworks do, and measures it. The result is a table in Markdown.

    python sweeps.py truth TENSORVET [PART OF A NAME]
    python sweeps.py speed|scale|shapes TENSORVET
"""

import hashlib
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SWEEPS = HERE.parent / "sweeps"
KEPT = HERE.parent.parent / "target/xtask/sweep"
COLUMNS = ["vectors", "run", "improper", "right", "missed", "alarms", "unknown", "placed", "same"]


def tensorvet(binary, model, space, *more):
    command = [binary, "sweep", model, "--space", str(space), *more]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{model}: {done.stderr}")
    return done.stdout


def truth(model, vectors, judge):
    """What the framework does, remembered as long as the model, the vectors and the script are the same."""
    script = HERE / "sweep_truth.py"
    ordered = sorted({json.dumps(vector, sort_keys=True) for vector in vectors})
    beside = [file.read_text() for file in (model.with_suffix(".yaml"), model.with_suffix(".json")) if file.exists()]
    texts = ["\n".join(ordered), model.read_text(), *beside, script.read_text()]
    key = hashlib.sha256("".join(texts).encode()).hexdigest()
    kept = KEPT / f"{model.parent.name}-{model.stem}.jsonl"
    if not kept.exists() or not kept.read_text().startswith(key):
        answers = judge([json.loads(vector) for vector in ordered])
        pairs = [json.dumps([vector, answer]) for vector, answer in zip(ordered, answers, strict=True)]
        KEPT.mkdir(parents=True, exist_ok=True)
        kept.write_text("\n".join([key, *pairs]))
    known = dict(json.loads(row) for row in kept.read_text().splitlines()[1:])
    return [known[json.dumps(vector, sort_keys=True)] for vector in vectors]


def compared(binary, model, shown, placed):
    import sweep_truth

    file = model.with_suffix(".toml")
    space = tomllib.loads(file.read_text())
    if space["framework"] == "onnx":
        with tempfile.NamedTemporaryFile(suffix=".onnx") as saved:
            saved.write(sweep_truth.program(model).model().SerializeToString())
            saved.flush()
            rows = tensorvet(binary, saved.name, file, "--list", "jsonl")
        judge = lambda vectors: sweep_truth.judged_onnx(model, vectors)
    elif space["framework"] == "pytorch":
        is_called = "\ndef run(" in model.read_text()
        rows = tensorvet(binary, f"{model}::run" if is_called else str(model), file, "--list", "jsonl")
        judged = sweep_truth.judged if is_called else lambda model, _, vectors: sweep_truth.judged_program(model, vectors)
        judge = lambda vectors: judged(model, space, vectors)
    else:
        # The architecture as Keras saves it.
        config = sweep_truth.program(model).model().to_json()
        with tempfile.NamedTemporaryFile("w", suffix=".json") as saved:
            saved.write(config)
            saved.flush()
            rows = tensorvet(binary, saved.name, file, "--list", "jsonl")
        judge = lambda vectors: sweep_truth.judged_keras(json.loads(config), space.get("inputs", {}), vectors)
    rows = [json.loads(row) for row in rows.splitlines()]
    score = dict.fromkeys(COLUMNS, 0)
    for row, true in zip(rows, truth(model, [row["vector"] for row in rows], judge), strict=True):
        if true["ok"] is None:
            continue
        said, runs = row["verdict"], true["ok"]
        score["vectors"] += 1
        score["run"] += runs
        score["improper"] += said == "improper"
        if said == "unknown":
            score["unknown"] += 1
        elif (said != "invalid") == runs:
            score["right"] += 1
        else:
            score["alarms" if runs else "missed"] += 1
        differs = said == "unknown" or (said != "invalid") != runs
        if said == "invalid" and not runs and true["place"]:
            # `… (model.py:12)`, or the name of a layer.
            place = row["why"].rsplit("(", 1)[1].rstrip(")").rsplit(":", 1)[-1]
            score["placed"] += 1
            is_same = place == true["place"]
            score["same"] += is_same
            placed.append(is_same)
            differs |= not is_same
        if differs and shown:
            print(json.dumps(row), json.dumps(true), file=sys.stderr)
    return score


def line(name, score):
    cells = [score[column] for column in COLUMNS[:-2]] + [f"{score['same']} of {score['placed']}"]
    return f"| {name} | " + " | ".join(map(str, cells)) + " |"


def run_truth(binary, parts):
    print("| space | vectors | run | improper | right | missed | false alarms | not known | raised there |")
    print("|---|---|---|---|---|---|---|---|---|")
    total, placed = dict.fromkeys(COLUMNS, 0), []
    for group in ["with_torch", "with_keras", "further", "strangers"]:
        of_group = dict.fromkeys(COLUMNS, 0)
        for model in sorted((SWEEPS / group).glob("*.py")):
            name = f"{group}/{model.stem}"
            if not all(part in name for part in parts):
                continue
            placed.append([])
            score = compared(binary, model, bool(parts), placed[-1])
            print(line(name, score), flush=True)
            for column in COLUMNS:
                of_group[column] += score[column]
                total[column] += score[column]
        print(line(f"**{group}**", of_group))
    print(line("**all**", total))
    if not parts:
        # As many of each space as there are, in turn, until there are enough.
        order = random.Random(5)
        for of_space in placed:
            order.shuffle(of_space)
        drawn = [each for round in itertools.zip_longest(*placed) for each in round if each is not None][:500]
        print(f"\nOf {len(drawn)} invalid vectors drawn evenly from all spaces, {sum(drawn)} are told where the framework raises.")


def measured(command):
    """What a command prints, its seconds and its peak of memory in megabytes."""
    before = time.time()
    child = subprocess.Popen(["/usr/bin/env", *command], stdout=subprocess.PIPE, text=True)
    out = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        sys.exit(f"{command}: failed")
    return out, time.time() - before, used.ru_maxrss / 1024


def chain_space(values, depth, features=None):
    """Ten hyper-parameters of so many values each."""
    features = features or f'"4..{4 * values} step 4"'
    return f"""
[inputs]
x = "f32[1,3,S,S]"
[parameters]
depth = [{depth}]
S = "32..{31 + values}"
k1 = "1..{values}"
s1 = "1..{values}"
p1 = "0..{values - 1}"
k2 = "1..{values}"
s2 = "1..{values}"
k3 = "1..{values}"
s3 = "1..{values}"
p3 = "0..{values - 1}"
features = {features}
"""


PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53]
# Functions of `shapes.py`, what each of their first hyper-parameters may be, and what the others may be.
SHAPES = [
    ("sums", 9, "1..16", {"features": "16..256 step 16"}),
    ("pairs", 10, "1..16", {"features": "100..1600 step 100"}),
    ("products", 9, "1..16", {"size": [720, 5040, 40320, 362880]}),
    ("products", 9, PRIMES, {"size": [30030, 223092870]}),
    ("both", 9, "1..16", {"features": "9..144", "size": [720, 5040, 40320]}),
    ("both", 9, PRIMES, {"features": "18..400", "size": [223092870]}),
    ("sums", 9, [[6**place * each for each in range(1, 7)] for place in range(9)], {"features": [9876543]}),
    ("sums", 9, [[16**place * each for each in range(1, 17)] for place in range(9)], {"features": [12345678901]}),
]


def counted(binary, model, space):
    """What a sweep says of a space, its seconds and megabytes."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(space)
        file.flush()
        out, seconds, memory = measured([binary, "sweep", str(model), "--space", file.name])
    last = out.strip().splitlines()[-1].split(": ", 1)[1]
    counts = {words.split(" ", 1)[1]: words.split(" ", 1)[0] for words in last.split(", ")}
    return counts, seconds, memory


def run_shapes(binary, _):
    print("| what meets | values each | vectors | seconds | MB | valid | invalid | not counted |")
    print("|---|---|---|---|---|---|---|---|")
    source = (SWEEPS / "shapes.py").read_text()
    for name, count, values, others in SHAPES:
        arguments = source.split(f"def {name}(")[1].split(")")[0].split(", ")[:count]
        own = values if isinstance(values[0], list) else [values] * count
        space = "[parameters]\n" + "".join(f"{each} = {json.dumps(domain)}\n" for each, domain in zip(arguments, own))
        space += "".join(f"{each} = {json.dumps(domain)}\n" for each, domain in others.items())
        counts, seconds, memory = counted(binary, f"{SWEEPS / 'shapes.py'}::{name}", space)
        words = values if isinstance(values, str) else f"{len(values)} primes"
        if isinstance(values[0], list):
            words = f"1..{len(values[0])}, times 1, {len(values[0])}, {len(values[0]) ** 2} …"
        cells = [name, words, counts["vectors"], f"{seconds:.1f}", f"{memory:.0f}", counts["valid"], counts["invalid"]]
        print("| " + " | ".join(map(str, [*cells, counts.get("not counted", 0)])) + " |", flush=True)


def run_scale(binary, _):
    print("| values each | vectors | plain layers | seconds | MB | valid | invalid | not counted |")
    print("|---|---|---|---|---|---|---|---|")
    for values, depth in [(2, 10), (4, 10), (8, 10), (16, 10), (32, 10), (16, 100), (16, 1000)]:
        counts, seconds, memory = counted(binary, f"{SWEEPS / 'chain.py'}::Chain", chain_space(values, depth))
        cells = [values, counts["vectors"], depth, f"{seconds:.2f}", f"{memory:.0f}", counts["valid"], counts["invalid"]]
        cells.append(counts.get("not counted", 0))
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def exported():
    """Inception-v3 as PyTorch exports it."""
    file = KEPT / "inception_v3.onnx"
    if not file.exists():
        import sweep_truth
        import torch

        KEPT.mkdir(parents=True, exist_ok=True)
        model = sweep_truth.program(SWEEPS / "with_torch/inception_v3.py").Inception3().eval()
        image = (torch.zeros(1, 3, 299, 299),)
        torch.onnx.export(model, image, str(file), input_names=["x"], dynamo=False, opset_version=17)
    return str(file)


def run_speed(binary, _):
    """Inception-v3: batch, input size and the first three kernels."""
    print("| model | space | what was seen |")
    print("|---|---|---|")
    for kind in ["onnx", "python"]:
        for title, sizes in [("wholly valid", "250..350"), ("half invalid", "40..110")]:
            if kind == "onnx":
                model, inputs = exported(), ""
                names = ["x.shape[0]", "x.shape[2]", *(f"/stem{number}/conv/Conv.kernel_shape" for number in (1, 2, 3))]
            else:
                model = f"{SWEEPS / 'with_torch/inception_v3.py'}::Inception3"
                inputs, names = '[inputs]\nx = "f32[N,3,S,S]"\n', ["N", "S", "kernel1", "kernel2", "kernel3"]
            domains = ["1..64", sizes, "1..8", "1..8", "1..8"]
            with tempfile.NamedTemporaryFile("w", suffix=".toml") as space:
                space.write(inputs + "[parameters]\n" + "".join(f'"{n}" = "{d}"\n' for n, d in zip(names, domains)))
                space.flush()
                print(f"| {kind} | {title} | {tensorvet(binary, model, space.name, '--measure').strip()} |", flush=True)


if __name__ == "__main__":
    what, binary, *rest = sys.argv[1:]
    {"truth": run_truth, "scale": run_scale, "shapes": run_shapes, "speed": run_speed}[what](binary, rest)
