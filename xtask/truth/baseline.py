"""What a user would run instead: the cost and the reach of the two shape inferences for ONNX files.

    baseline.py MODEL.onnx

Promises one JSON object on standard output. `onnx` and `ort` hold CPU seconds and peak memory, each measured in a
fresh process (median of five), of loading, of the first call and of the calls after it (median of three). `coverage` counts the node outputs whose every size is a number or an
expression over the symbols of the graph's inputs, after all stored shapes but those of the inputs were stripped;
`shapes` lists what each inferred, as text.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

# This process imports nothing heavy: a child's peak memory starts at its parent's.


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--part", choices=list(PARTS), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    path = arguments.model.resolve()
    if arguments.part:
        print(json.dumps(PARTS[arguments.part](path)))
        return
    report = {"model": path.name}
    for part in PARTS:
        runs = [in_fresh_process(part, path) for _ in range(5 if part == "onnx" else 1)]
        report[part] = {key: median([run.get(key) for run in runs]) for key in runs[0]}
    report["shapes"] = report["coverage"].pop("shapes", {})
    print(json.dumps(report, indent=1))


def median(values: list):
    """The middle one; of what is not a number, the first."""
    numbers = sorted(value for value in values if isinstance(value, float))
    return numbers[len(numbers) // 2] if numbers else values[0]


def in_fresh_process(part: str, path: pathlib.Path) -> dict:
    # ONNX Runtime's inference leaves a file behind in the working directory when it gives up.
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, os.path.abspath(__file__), str(path), "--part", part]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True)
    if done.returncode != 0:
        return {"error": done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]}
    return json.loads(done.stdout.splitlines()[-1])


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(path: pathlib.Path, infer) -> dict:
    import onnx

    imported_seconds, imported_mb = time.process_time(), peak_mb()
    model = onnx.load(path)
    loaded_seconds, loaded_mb = time.process_time(), peak_mb()
    error = None
    try:
        infer(model)
    except Exception as problem:
        error = f"{type(problem).__name__}: {str(problem)[:500]}"
    called_seconds, called_mb = time.process_time(), peak_mb()
    repeated = sorted(repeated_seconds(model, infer) for _ in range(3))[1] if error is None else None
    return {
        "import_cpu_seconds": imported_seconds,
        "load_cpu_seconds": loaded_seconds - imported_seconds,
        "call_cpu_seconds": called_seconds - loaded_seconds,
        "repeated_cpu_seconds": repeated,
        "imported_peak_mb": imported_mb,
        "loaded_peak_mb": loaded_mb,
        "peak_mb": called_mb,
        "call_increase_mb": called_mb - loaded_mb,
        "error": error,
    }


def repeated_seconds(model, infer) -> float:
    start = time.process_time()
    infer(model)
    return time.process_time() - start


def measure_onnx(path: pathlib.Path) -> dict:
    from onnx import shape_inference

    return measured(path, lambda model: shape_inference.infer_shapes(model, strict_mode=True, data_prop=True))


def measure_ort(path: pathlib.Path) -> dict:
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    return measured(path, lambda model: SymbolicShapeInference.infer_shapes(model, auto_merge=True))


def coverage(path: pathlib.Path) -> dict:
    import onnx
    from onnx import shape_inference

    bare = onnx.load(path)
    strip_shapes(bare)
    symbols = {size.dim_param for value in bare.graph.input for size in value.type.tensor_type.shape.dim} - {""}
    outputs = [name for node in bare.graph.node for name in node.output if name]
    shapes = {}
    report = {"outputs": len(outputs), "symbols": sorted(symbols)}
    tools = {
        "onnx": lambda: shape_inference.infer_shapes(bare, strict_mode=False, data_prop=True),
        "ort": lambda: ort_inferred(bare),
    }
    for tool, infer in tools.items():
        try:
            inferred = infer()
        except Exception as problem:
            report[tool] = {"determined": 0, "error": f"{type(problem).__name__}: {str(problem)[:500]}"}
            continue
        known = {value.name: value for value in [*inferred.graph.value_info, *inferred.graph.output]}
        sizes = {name: sizes_of(known.get(name)) for name in outputs}
        determined = [name for name in outputs if is_determined(sizes[name], symbols)]
        report[tool] = {"determined": len(determined), "error": None}
        for name in outputs:
            text = None if sizes[name] is None else "[" + ", ".join(str(size) for size in sizes[name]) + "]"
            shapes.setdefault(name, {})[tool] = text
    return report | {"shapes": shapes}


def strip_shapes(model) -> None:
    """Removes every stored shape except those of the graph's inputs."""
    del model.graph.value_info[:]
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")


def ort_inferred(model):
    """As `SymbolicShapeInference.infer_shapes`, but keeps what was found when the inference is incomplete."""
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    inference = SymbolicShapeInference(2**31 - 1, True, False, 0)
    inference._preprocess(model)
    while inference.run_:
        inference._infer_impl()
    inference._update_output_from_vi()
    return inference.out_mp_


def sizes_of(value) -> list | None:
    """Numbers, expressions as text, and "?" for a size nobody knows; None if even the rank is unknown."""
    if value is None or not value.type.tensor_type.HasField("shape"):
        return None
    return [size.dim_value if size.HasField("dim_value") else size.dim_param or "?"
            for size in value.type.tensor_type.shape.dim]


FUNCTIONS = {"floor", "ceiling", "Max", "Min", "Mod", "max", "min"}


def is_determined(sizes: list | None, symbols: set[str]) -> bool:
    if sizes is None:
        return False
    for size in sizes:
        if isinstance(size, str) and (size == "?" or set(re.findall(r"[^\W\d][\w.]*", size)) - symbols - FUNCTIONS):
            return False
    return True


PARTS = {"onnx": measure_onnx, "ort": measure_ort, "coverage": coverage}

if __name__ == "__main__":
    main()
