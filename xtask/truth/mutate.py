"""Makes mutants of valid models, one change each, and finds out by execution which of them fail, and where.

    mutate.py NARROW_DIR OUT_DIR [--count 2000] [--seed 0]

Promises OUT_DIR/m0000.onnx … without stored shapes, and a line of OUT_DIR/truth.jsonl for each:
`verdict` is what ONNX Runtime did at `binding` (ok, fails_create, fails_run, crash, timeout), `blamed_node` the node
its message names, `failing_node` the first node in topological order that fails when run alone on its predecessors'
values, `failing_nodes` all that do. `value_dependent`: other values of the same shapes run. `unimplemented`: ONNX Runtime
lacks a kernel, nothing more. `other_binding`: the error at another binding of a mutant that is ok. `checker` and
`shape_inference` (strict, with data propagation): the complaint of `onnx`. The unchanged bases are judged too (`kind`
null, files base.*.onnx) and must all be ok.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import time

import numpy
import onnx

import feeding
import handmade
from judge import Base, Judge
from mutations import mutate

# Share of mutants made from exports; the rest come from the hand-built graphs.
EXPORTED = 0.6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("narrow", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    exported = load_exports(arguments.narrow)
    built = load_handmade()
    bases = exported | built
    judge = Judge(bases)
    started = time.time()
    counts = collections.Counter()
    with open(arguments.out / "truth.jsonl", "w") as truth:

        def record(identity: str, base: Base, model: onnx.ModelProto, details: dict) -> None:
            path = arguments.out / f"{identity}.onnx"
            onnx.save(model, path)
            line = {"id": identity, "file": path.name, "base": base.name, **details, "binding": base.bindings[0],
                    **judge.verdict(base.name, path)}
            truth.write(json.dumps(line) + "\n")
            truth.flush()
            counts[line["verdict"]] += 1

        for base in bases.values():
            record(f"base.{base.name}", base, base.model, {"kind": None, "mutation": None, "node": None, "op": None})
        if set(counts) != {"ok"}:
            raise SystemExit(f"an unchanged base fails: see {truth.name}")
        counts.clear()
        seen = {digest(base.model) for base in bases.values()}
        number = attempt = 0
        while number < arguments.count:
            generator = numpy.random.default_rng([arguments.seed, attempt])
            attempt += 1
            family = exported if generator.random() < EXPORTED else built
            base = family[sorted(family)[generator.integers(len(family))]]
            model = onnx.ModelProto()
            model.CopyFrom(base.model)
            mutation = mutate(model, generator)
            if mutation is None or digest(model) in seen:
                continue
            seen.add(digest(model))
            operator = next((node.op_type for node in base.model.graph.node if node.name == mutation.node), None)
            record(f"m{number:04}", base, model, {
                "kind": mutation.kind, "mutation": mutation.description, "node": mutation.node, "op": operator})
            number += 1
            if number % 100 == 0:
                print(f"{number} of {arguments.count} in {time.time() - started:.0f} s: {dict(counts)}", flush=True)


def digest(model: onnx.ModelProto) -> bytes:
    return hashlib.sha256(model.SerializeToString(deterministic=True)).digest()


def load_exports(folder: pathlib.Path) -> dict[str, Base]:
    entries = json.loads((folder / feeding.MANIFEST).read_text())
    return {
        label: Base(label, prepared(onnx.load(folder / entry["file"])),
                    {spec["name"]: spec["high"] for spec in entry["inputs"]}, entry["bindings"])
        for label, entry in entries.items() if entry.get("file")
    }


def load_handmade() -> dict[str, Base]:
    return {
        name: Base(name, prepared(model), {value.name: handmade.INDEX_BOUND for value in model.graph.input},
                   [handmade.BINDING, handmade.OTHER_BINDING])
        for name, model in handmade.graphs().items()
    }


def prepared(model: onnx.ModelProto) -> onnx.ModelProto:
    """Without stored shapes, notes of the exporter or nameless nodes."""
    graph = model.graph
    for holder in [model, graph, *graph.node, *graph.initializer, *graph.input, *graph.output]:
        holder.ClearField("metadata_props")
        holder.ClearField("doc_string")
    del graph.value_info[:]
    for output in graph.output:
        output.type.tensor_type.ClearField("shape")
    for index, node in enumerate(graph.node):
        node.name = node.name or f"{node.op_type}_{index}"
    return model


if __name__ == "__main__":
    main()
