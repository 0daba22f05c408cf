"""Runs the literate programs about numbers in PyTorch and says which lines really make NaN or Inf.

    python numeric_programs.py FOLDER [WITNESSES.json] > observed.json

The first line of a block names a function or class, its inputs and ranges. It is run on witnesses, on the ends of the
ranges and on random numbers; parameters with a range are drawn from it, others are as PyTorch initialises them; uniform
draws are put at their ends, too. A line
fails if something computed in it is NaN though nothing it was given is, or infinite though all it was given is finite,
and the result feels it; in the backward pass, if a gradient is not finite though the result is.
"""

import fnmatch
import json
import pathlib
import re
import shlex
import sys
import tempfile
import traceback

import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from numerics import draws

KINDS = {"f16": "float16", "f32": "float32", "f64": "float64"}


class Watch(TorchDispatchMode):
    def __init__(self, path):
        super().__init__()
        self.path = path
        self.lines = set()

    def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
        result = at_ends(function, function(*arguments, **(keywords or {})))
        made = [each for each in (result if isinstance(result, (tuple, list)) else [result]) if floating(each)]
        given = [each for each in arguments if floating(each)]
        # A constant that is infinite was written by somebody who wants it.
        wanted = any(name in str(function) for name in ("masked_fill", "where", "full", "copy", "fill", "scalar_tensor"))
        nan = any(bool(each.isnan().any()) for each in made) and not any(bool(each.isnan().any()) for each in given)
        infinite = any(bool(each.isinf().any()) for each in made) and all(bool(each.isfinite().all()) for each in given)
        # What follows from a line that has failed already is no fault of its own.
        nan = nan and not self.lines
        if nan or infinite and not wanted:
            frames = [frame for frame in traceback.extract_stack() if frame.filename == self.path]
            if frames:
                self.lines.add(frames[-1].lineno)
        return result


def at_ends(function, result):
    """Uniform draws, which now and then are all at one end of what the generator gives: 0, or the last number before 1."""
    if str(function).split(".")[1] not in ("rand", "rand_like") or not floating(result):
        return result
    last = 1 - torch.finfo(result.dtype).eps / 2
    choice = int(np.random.default_rng(at_ends.count).integers(4))
    at_ends.count += 1
    return torch.full_like(result, last) if choice == 1 else torch.zeros_like(result) if choice == 0 else result


at_ends.count = 0


def floating(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def programs(folder):
    for document in sorted(pathlib.Path(folder).glob("*.md")):
        for block in re.finditer(r"^## (.+)\n(?:(?!```)(?!## ).*\n)*```python (.+)\n((?:(?!```).*\n)+)```", document.read_text(), re.M):
            yield f"{document.stem}: {block[1]}", shlex.split(block[2]), block[3]


def described(arguments):
    inputs, ranges, gradients = {}, [], False
    words = iter(arguments[1:])
    for word in words:
        if word == "--gradients":
            gradients = True
        elif word == "--input":
            name, kind, sizes = re.fullmatch(r"(\w+)=(\w+)\[([\d,]*)\]", next(words)).groups()
            inputs[name] = [KINDS[kind], [int(size) for size in sizes.split(",")]]
        elif word == "--range":
            name, low, high = re.fullmatch(r"(.+)=\[(.+),(.+)\]", next(words)).groups()
            ranges.append((name, float(low), float(high)))
    bounds = {name: (low, high) for name, low, high in ranges}
    given = {name: (kind, shape, *bounds.get(name, (-1.0, 1.0))) for name, (kind, shape) in inputs.items()}
    return given, [each for each in ranges if each[0] not in inputs], gradients


def observe(title, arguments, text, witnesses):
    inputs, ranges, gradients = described(arguments)
    lines = text.split("\n")
    labels = {at: found[1] for at, line in enumerate(lines, 1) if (found := re.search(r"# (?:numeric|follows): (\w+)", line))}
    failing = set()
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "program.py")
        names = {"__name__": "program", "__file__": path}
        exec(compile(text, path, "exec"), names)
        target = names[arguments[0]]
        rng = np.random.default_rng(11)
        torch.manual_seed(11)
        for number, arrays in enumerate(draws(inputs, rng, witnesses)):
            call = target
            if isinstance(target, type):
                call = target()
                with torch.no_grad():
                    for name, parameter in call.named_parameters():
                        told = witnesses[number].get(name) if number < len(witnesses) else None
                        for pattern, low, high in ranges:
                            if fnmatch.fnmatch(name, pattern):
                                ends = [low, high]
                                drawn = [
                                    rng.uniform(low, high, parameter.shape),
                                    rng.choice(ends, parameter.shape),
                                    np.full(parameter.shape, np.clip(0.0, low, high)),
                                ][number % 3]
                                parameter.copy_(torch.tensor(drawn, dtype=parameter.dtype))
                        if told is not None:
                            parameter.copy_(torch.tensor(array(told), dtype=parameter.dtype))
            tensors = {name: torch.tensor(value, requires_grad=gradients) for name, value in arrays.items()}
            watch = Watch(path)
            with watch:
                result = call(**tensors)
            finite = bool(torch.isfinite(result).all())
            if not finite:
                failing |= watch.lines
            if gradients and finite:
                result.sum().backward()
                if any(not bool(torch.isfinite(each.grad).all()) for each in tensors.values() if each.grad is not None):
                    failing |= {line for line, code in labels.items() if code == "TV404"} or {0}
    return {"title": title, "labelled": sorted(labels), "failing": sorted(failing), "agrees": sorted(labels) == sorted(failing)}


def array(told):
    if told.get("values"):
        return np.array([float(value) for value in told["values"]]).reshape(told["shape"])
    result = np.full(told["shape"], 0.0 if told["all"] is None else float(told["all"]))
    for part in told.get("parts") or []:
        result[tuple(slice(low, high) for low, high in part["at"])] = float(part["value"])
    return result


def main():
    torch.set_num_threads(1)
    np.seterr(all="ignore")
    witnesses = json.loads(pathlib.Path(sys.argv[2]).read_text()) if len(sys.argv) > 2 else {}
    print(json.dumps([observe(*program, witnesses.get(program[0], [])) for program in programs(sys.argv[1])], indent=1))


if __name__ == "__main__":
    main()
