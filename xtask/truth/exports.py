"""Exports every model of `zoo` with both exporters of PyTorch into a folder, with a manifest `exports.json`.

    exports.py OUT [--only NAME] [--narrow]

Promises: a file per model and exporter (`resnet50.script.onnx`, `resnet50.dynamo.onnx`) that ONNX Runtime ran
at every binding listed in the manifest, or an entry that says why there is none. What is already there stays.
"""

import argparse
import json
import pathlib
import warnings

import onnx
import torch

import feeding
import zoo

EXPORTERS = ("script", "dynamo")
OPSET = {"script": 17, "dynamo": 20}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", help="one model, e.g. resnet50 or resnet50.dynamo")
    parser.add_argument("--narrow", action="store_true")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    manifest = arguments.out / feeding.MANIFEST
    entries = json.loads(manifest.read_text()) if manifest.exists() else {}
    for name in zoo.MODELS:
        for exporter in EXPORTERS:
            label = f"{name}.{exporter}"
            if arguments.only not in (None, name, label):
                continue
            path = arguments.out / f"{label}.onnx"
            if path.exists() and entries.get(label, {}).get("file"):
                continue
            entries[label] = {"model": name, "exporter": exporter, "narrow": arguments.narrow}
            try:
                entries[label] |= export(name, exporter, arguments.narrow, path)
            except Exception as problem:
                path.unlink(missing_ok=True)
                entries[label]["reason"] = f"{type(problem).__name__}: {str(problem)[:1000]}"
            manifest.write_text(json.dumps(entries, indent=1) + "\n")
            print(label, entries[label].get("reason", "ok"), flush=True)


def export(name: str, exporter: str, narrow: bool, path: pathlib.Path) -> dict:
    subject = zoo.build(name, narrow)
    names = [given.name for given in subject.inputs]
    examples = tuple(given.example for given in subject.inputs)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if exporter == "script":
            torch.onnx.export(
                subject.module, examples, str(path), dynamo=False, opset_version=OPSET[exporter],
                input_names=names, output_names=[subject.output],
                dynamic_axes={given.name: given.axes for given in subject.inputs})
        else:
            symbols = {symbol: torch.export.Dim(symbol, min=least) for symbol, least in subject.least.items()}
            shapes = tuple({axis: symbols[symbol] for axis, symbol in given.axes.items()} for given in subject.inputs)
            if isinstance(subject.module, zoo.Logits):
                shapes = (shapes,)  # one variadic parameter
            torch.onnx.export(
                subject.module, examples, str(path), dynamo=True, opset_version=OPSET[exporter],
                input_names=names, output_names=[subject.output], dynamic_shapes=shapes, external_data=False,
                verbose=False)
    return describe(path, subject)


def describe(path: pathlib.Path, subject: zoo.Subject) -> dict:
    """The manifest entry of an export that runs at all its bindings and agrees with PyTorch."""
    model = onnx.load(path)
    bounds = {given.name: given.high for given in subject.inputs}
    inputs = [spec | {"high": bounds[spec["name"]]} for spec in feeding.input_specs(model)]
    symbols = sorted({size for spec in inputs for size in spec["shape"] if isinstance(size, str)})
    expected = sorted(subject.least)
    if symbols != expected:
        raise ValueError(f"the export has the symbols {symbols} instead of {expected}")
    worst = 0.0
    for binding in subject.bindings:
        feeds = feeding.random_inputs(inputs, binding, seed=0)
        [got] = feeding.session(path.read_bytes()).run(None, feeds)
        with torch.no_grad():
            want = subject.module(*(torch.from_numpy(feeds[given.name]) for given in subject.inputs)).numpy()
        if got.shape != want.shape:
            raise ValueError(f"at {binding} ONNX Runtime gives {got.shape}, PyTorch {want.shape}")
        worst = max(worst, float(abs(got - want).max() / abs(want).max()))
    if worst > 1e-3:
        raise ValueError(f"ONNX Runtime and PyTorch differ by {worst:.2g} of the largest output")
    return {
        "file": path.name,
        "bytes": path.stat().st_size,
        "opset": {entry.domain or "ai.onnx": entry.version for entry in model.opset_import},
        "nodes": len(model.graph.node),
        "operators": len({node.op_type for node in model.graph.node}),
        "symbols": symbols,
        "inputs": inputs,
        "bindings": subject.bindings,
        "examples": [{spec["name"]: feeding.concrete_shape(spec, binding) for spec in inputs}
                     for binding in subject.bindings],
        "difference_from_torch": worst,
    }


if __name__ == "__main__":
    main()
