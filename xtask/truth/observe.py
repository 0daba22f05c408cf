"""Runs a model in ONNX Runtime as written and saves every value it computes.

    observe.py MODEL.onnx OUT.npz [--dims N=2,H=33] [--seed 0]

Promises an .npz with the graph's inputs and every node's outputs (Constant nodes, initialisers and the insides of
sub-graphs left out) under the keys k0, k1, …; `__names__` holds the JSON map from key to value name as bytes.
Sizes come from --dims, else from the first binding of the manifest beside the model.
"""

import argparse
import json
import pathlib

import numpy
import onnx

import feeding


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--dims", default="", help="sizes of symbols: N=2,H=33")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    model = onnx.load(arguments.model)
    specs, binding = feeding.inputs_of(arguments.model, model)
    binding |= {name: int(size) for name, size in (pair.split("=") for pair in arguments.dims.split(",") if pair)}
    feeds = feeding.random_inputs(specs, binding, arguments.seed)
    values = feeds | observe(model, feeds)
    keys = {f"k{index}": name for index, name in enumerate(values)}
    arrays = {key: values[name] for key, name in keys.items()}
    names = numpy.frombuffer(json.dumps(keys).encode(), numpy.uint8)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    numpy.savez(arguments.out, __names__=names, **arrays)
    print(f"{arguments.out}: {len(feeds)} inputs and {len(values) - len(feeds)} computed values")


def observe(model: onnx.ModelProto, feeds: dict[str, numpy.ndarray]) -> dict[str, numpy.ndarray]:
    """Every tensor that the main graph's nodes compute, by value name; the model is left with these as outputs."""
    names = [name for node in model.graph.node if node.op_type != "Constant" for name in node.output if name]
    given = {output.name for output in model.graph.output}
    # An output without a type is legal to ONNX Runtime, which fills in what it inferred.
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name not in given)
    found = feeding.session(model.SerializeToString()).run(names, feeds)
    return {name: value for name, value in zip(names, found) if isinstance(value, (numpy.ndarray, numpy.generic))}


if __name__ == "__main__":
    main()
