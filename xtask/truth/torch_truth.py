"""Draws calls of PyTorch's API, lets PyTorch judge them, and writes one JSON object per call.

usage: torch_truth.py OUT.jsonl [--api NAME] [--calls N] [--seed S]
"""

import argparse
import ast
import json
import random
import zlib

import torch

from torch_judge import judged_apart
from torch_seeds import seeds
from torch_vary import argument_drawn, varied


def program(tree):
    """The text of a call: it binds `result`."""
    text = ast.unparse(ast.fix_missing_locations(tree))
    return text if "result =" in text else f"result = {text}"


def words_in(trees):
    return sorted({node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)})


def candidates(api, texts, count, draw):
    """Seeds first, then changed ones, each text once."""
    trees = []
    for text in texts:
        try:
            trees.append(ast.parse(text))
        except (SyntaxError, ValueError):
            pass
    words, missing = words_in(trees), argument_drawn(api)
    found = {program(tree): None for tree in trees}
    for _ in range(count * 6 if trees else 0):
        if len(found) >= count * 4 + len(trees):
            break
        try:
            code = program(varied(draw.choice(trees), draw, words, missing))
            ast.parse(code)
        except (ValueError, SyntaxError, AttributeError, TypeError):
            continue
        if len(code) < 2000:
            found[code] = None
    return list(found), len(trees)


def chosen(judged, count):
    """At most `count` calls, of which 30 to 70 % are valid where there are enough of both."""
    valid = [call for call in judged if call["ok"]]
    broken = [call for call in judged if not call["ok"]]
    least = max(min(len(valid), len(broken)), 1)
    most = min(count // 2, int(least / 0.32))
    few = [valid, broken][len(valid) > len(broken)]
    few = few[: count // 2]
    many = [valid, broken][len(valid) <= len(broken)][: min(count - len(few), int(len(few) * 2.3) if few else most)]
    return few + many


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--api")
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    found = seeds(lambda api: options.api is None or api == options.api)
    with open(options.out, "w") as out:
        for api, texts in found.items():
            draw = random.Random(zlib.crc32(api.encode()) + options.seed)
            codes, own = candidates(api, texts, options.calls, draw)
            results = [{"api": api, "code": code, **result} for code, result in zip(codes, judged_apart(codes)) if result is not None]
            # Samples of PyTorch's own are kept before changed ones, as far as half of the calls go.
            changed = results[own:]
            draw.shuffle(changed)
            for call in chosen(results[:own][: options.calls // 3] + changed, options.calls):
                print(json.dumps(call), file=out)


if __name__ == "__main__":
    main()
