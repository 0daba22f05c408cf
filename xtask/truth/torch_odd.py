"""Odd arguments: each argument of each layer and function, one after the other, is replaced by what a space file may say by
mistake (a number for a flag, a flag for a size, a word for a number), and PyTorch judges what comes of it.

usage: torch_odd.py OUT.jsonl [--api NAME] [--calls N] [--seed S]
"""

import argparse
import ast
import inspect
import json
import random
import zlib

import torch

from torch_judge import judged_apart
from torch_refused import REFUSED
from torch_seeds import seeds
from torch_truth import program
from torch_vary import signature

ODD = ["True", "False", "0", "1", "2", "-1", "2.0", "1.5", "'x'", "''", "None", "[2]", "(2, 2)", "(True, 2)", "torch.tensor(2)", "torch.tensor(2.5)", "torch.float64", "int"]
# Whatever is done to a module that is there already.
MODULES = ["nn.Linear(3, 4).to({})", "nn.Linear(3, 4).to(dtype={})", "nn.Linear(3, 4).to('cpu', {})", "nn.Linear(3, 4).train({})", "nn.Linear(3, 4).requires_grad_({})", "nn.BatchNorm1d(3).to({})", "nn.Linear(3, 4).type({})", "nn.Sequential(nn.Linear(3, 4)).to({})"]


def spelled(api):
    """The call of an API in the text of a seed."""
    return api.removeprefix("Tensor.") if api.startswith("Tensor.") else api


def calls_of(tree, api):
    """The calls of the API in a tree: of a layer, where it is made."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (ast.unparse(node.func) == api or (api.startswith("Tensor.") and isinstance(node.func, ast.Attribute) and node.func.attr == spelled(api))):
            yield node
            return


def names_of(api):
    """The names of the parameters in their order; of a layer that hands all of them on, those of the class above it."""
    if not api.startswith("nn."):
        return [name for name, _ in signature(api)]
    for each in inspect.getmro(getattr(torch.nn, api.removeprefix("nn."), object)):
        found = list(inspect.signature(each.__init__).parameters.values())[1:]
        if found and all(parameter.kind is not parameter.VAR_POSITIONAL for parameter in found):
            return [parameter.name for parameter in found if parameter.name not in ("device", "mode")]
    return []


def replaced(text, api, value, draw):
    """A copy of a call with one argument replaced, or given."""
    tree = ast.parse(text)
    node = next(calls_of(tree, api), None)
    if node is None:
        return None
    value = ast.parse(value, mode="eval").body
    # A tensor in the first place of a function is what the function is of.
    places = [place for place, given in enumerate(node.args) if not (api.startswith(("F.", "torch.")) and place == 0 and isinstance(given, ast.Call))]
    held = {keyword.arg for keyword in node.keywords}
    missing = [name for name in names_of(api) if name not in held] if api.startswith(("nn.", "F.")) else []
    choices = [("place", place) for place in places] + [("keyword", keyword) for keyword in range(len(node.keywords))] + [("missing", name) for name in missing[len(node.args) if api.startswith("nn.") else max(len(node.args) - 1, 0) :]]
    if not choices:
        return None
    what, where = draw.choice(choices)
    if what == "place":
        node.args[where] = value
    elif what == "keyword":
        node.keywords[where].value = value
    else:
        node.keywords.append(ast.keyword(where, value))
    return program(tree)


def drawn(api, texts, count, draw):
    found = {}
    for _ in range(count * 4 if texts else 0):
        try:
            code = replaced(draw.choice(texts), api, draw.choice(ODD), draw)
        except (SyntaxError, ValueError):
            continue
        if code is not None and len(code) < 1500:
            found[code] = None
        if len(found) >= count:
            break
    return list(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--api")
    parser.add_argument("--calls", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    found = seeds(lambda api: options.api is None or api == options.api)
    with open(options.out, "w") as out:
        for api, texts in found.items():
            draw = random.Random(zlib.crc32(api.encode()) + options.seed)
            # A change is told from other faults only where everything else is right.
            judgements = judged_apart([f"result = {text}" if "result =" not in text else text for text in texts])
            valid = [text for text, result in zip(texts, judgements) if result is not None and result["ok"]]
            layers = 2 if api.startswith("nn.") else 1
            codes = drawn(api, valid, options.calls * layers, draw)
            write(out, api, codes)
        if options.api in (None, "refused"):
            write(out, "refused", [f"result = {text}" for text in REFUSED])
        if options.api in (None, "nn.Module"):
            write(out, "nn.Module", [f"result = {form.format(value)}" for form in MODULES for value in ODD + ["float", "bool", "complex", "'cpu'", "torch.int32", "torch.complex64", "torch.device('cpu')"]])


def write(out, api, codes):
    for code, result in zip(codes, judged_apart(codes)):
        if result is not None:
            print(json.dumps({"api": api, "code": code, **result}), file=out)


if __name__ == "__main__":
    main()
