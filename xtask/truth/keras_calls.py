"""Draws calls of Keras layers and records what Keras does with them.

Promises one JSON object a line: the class, its arguments, the inputs, and either the weights and outputs or the error.
A call is accepted if Keras builds it symbolically, the batch left open where the layer allows that, and computes it as
it does when a model predicts; `contradicted` says that the shapes of the two differ, and such a call counts as neither.
What is drawn is said in `keras_draws.py`; a layer is drawn until as many calls were accepted as refused, or patience
ends. About two of three calls are one that was accepted, with one thing changed (`keras_strays.py`).
A row has the tensors that the call takes by name (`call`), masks among them.

usage: keras_calls.py BACKEND LEAST_CALLS_PER_LAYER SEED [LAYER ...]
       keras_calls.py BACKEND --asked FILE    the calls that the lines of a file describe
"""

import inspect
import json
import os
import random
import re
import sys
import tempfile
import warnings

os.environ["KERAS_BACKEND"] = sys.argv[1]
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import keras  # noqa: E402
import numpy  # noqa: E402
from keras.src.backend import set_keras_mask  # noqa: E402
from keras_draws import HOLDERS, LAYERS, MERGES, arguments, inputs, others, values  # noqa: E402
from keras_strays import Stray  # noqa: E402

warnings.filterwarnings("ignore")

# How often a layer is drawn for each call that is kept, at most.
PATIENCE = 25
# Of calls that Keras refuses in the same words, so many are kept, and one of four after that: they tell little.
ALIKE = 10


def told(array):
    array = array if isinstance(array, numpy.ndarray) else numpy.asarray(keras.ops.convert_to_numpy(array))
    flat = array.astype("float64").ravel().tolist()
    return {"shape": list(array.shape), "dtype": str(array.dtype), "values": [str(x) if x != x or x in (float("inf"), float("-inf")) else x for x in flat]}


def made(cls, drawn):
    """The layer, its lists as the tuples that Keras likes, layers in it made first."""
    def value(given):
        if isinstance(given, dict):
            return made(getattr(keras.layers, given["class_name"]), given["config"])
        if isinstance(given, list):
            inner = [value(item) for item in given]
            return inner if any(isinstance(item, keras.layers.Layer) for item in inner) else tuple(inner)
        return given

    return cls(**{name: value(given) for name, given in drawn.items()})


def flat(outputs):
    return keras.tree.flatten(outputs)


def states_of(layer, shape):
    """The sizes of the states that a cell, or a layer that walks with one, keeps when it is called on that shape."""
    if isinstance(layer, keras.layers.Bidirectional):
        both = [states_of(inner, shape) for inner in (layer.forward_layer, layer.backward_layer)]
        return None if None in both else both[0] + both[1]
    size = getattr(layer, "state_size", None)
    if size is None:
        return None
    if size != -1:
        return [[int(each)] for each in keras.tree.flatten(size)]
    # Only what is built knows the places that it keeps a state for.
    try:
        layer = type(layer).from_config(layer.get_config())
        layer.build(shape)
        return [list(state.shape[1:]) for state in flat(layer.get_initial_state(batch_size=1))]
    except Exception:
        return None


def nested(layer, states):
    """A list of states in the form in which cells on cells want them."""
    states = list(states)
    take = lambda size: [take(each) for each in size] if isinstance(size, (list, tuple)) else states.pop(0)
    size = layer.state_size
    taken = take(size) if isinstance(size, (list, tuple)) else [take(size)]
    return taken + states


def with_others(cls, given, draw, original, first, stray):
    """What else a call is given, by name.
    `original` are the arguments, and `first` is the shape of the first tensor, before anything was changed."""
    try:
        states = states_of(made(cls, original), tuple(first))
    except Exception:  # Without a layer there are no states.
        states = None
    more = others(cls, draw, first, states, len(given))
    if stray:
        stray.change_call(more, first, states, len(given))
    if cls.__name__ in ("Attention", "AdditiveAttention") and "value" not in more and "key" in more:
        # They are a list, in which the second is the value.
        more["value"] = more.pop("key")
    return more


def called(cls, drawn, given, more, draw, stray=None):
    """What Keras makes of a call: what else it was given, weights and outputs, or an error."""
    weights = []
    try:
        layer = made(cls, drawn)
        listed = cls.__name__ in MERGES + ("Attention", "AdditiveAttention")

        def call(layer, given, more):
            if cls.__name__ in ("Attention", "AdditiveAttention"):
                more = dict(more)
                given = given + [more.pop(name) for name in ("value", "key") if name in more]
            if "states" in more and isinstance(getattr(layer, "state_size", None), (list, tuple)):
                more = {**more, "states": nested(layer, more["states"])}
            if "initial_state" in more and cls.__name__ == "RNN":
                more = {**more, "initial_state": nested(layer, more["initial_state"])}
            if "training" in inspect.signature(layer.call).parameters:
                more = {**more, "training": False}
            if cls.__name__ in MERGES and "mask" in more:
                more = dict(more)
                for tensor, mask in zip(given, more.pop("mask")):
                    set_keras_mask(tensor, mask)
            return layer(given if listed or len(given) > 1 else given[0], **more)

        # First as a model is built, without values: what Keras refuses there, no model can have.
        # A layer that keeps its state has to know the batch.
        batch = lambda x: x.shape[:1] if '"stateful": true' in json.dumps(drawn) else (None,) * len(x.shape[:1])
        symbolic = lambda x: keras.KerasTensor((*batch(x), *x.shape[1:]), dtype=str(x.dtype)) if isinstance(x, numpy.ndarray) else x
        described = [symbolic(x) for x in given]
        promised = call(made(cls, drawn), described, keras.tree.map_structure(symbolic, more))
        tensors = lambda tree: keras.tree.map_structure(lambda x: keras.ops.convert_to_tensor(x) if isinstance(x, numpy.ndarray) else x, tree)
        given, named = tensors(given), tensors(more)
        call(layer, given, named)
        names = [weight.name for weight in layer.weights]
        changed = stray.weight(names) if stray else None
        for number, weight in enumerate(layer.weights):
            if weight.name == "rnn_state":
                continue
            if "int" in str(weight.dtype):
                weights.append([weight.name, told(weight)])
                continue
            random_value = numpy.array([round(draw.gauss(0, 0.7), 3) for _ in range(int(numpy.prod(weight.shape)))], "float32").reshape(weight.shape)
            if "variance" in weight.name:
                random_value = numpy.abs(random_value) + numpy.float32(0.1)
            if number == changed:
                random_value = stray.reshaped(random_value)
            name = weight.name if names.count(weight.name) == 1 else "_".join(weight.path.split("/")[1:])
            weights.append([name, told(random_value)])
            weight.assign(random_value)
        if cls.__name__ == "Normalization":
            layer.finalize_state()
        # What a layer has kept from the call before.
        for inner in layer._flatten_layers():
            for state in flat(getattr(inner, "states", None) or []) if getattr(inner, "stateful", False) else []:
                state.assign(numpy.zeros(state.shape, "float32"))
        outputs = flat(call(layer, given, named))
        promised = [list(x.shape[1:]) for x in flat(promised)]
        outputs = [keras.ops.convert_to_numpy(x) for x in outputs]
        contradicted = [list(x.shape[1:]) for x in outputs] != promised
        return {"call": spoken(more), "weights": weights, "outputs": [told(x) for x in outputs], "contradicted": contradicted}
    except Exception as error:  # Whatever Keras or its backend raise is the answer.
        return {"call": spoken(more), "weights": weights, "error": f"{type(error).__name__}: {said(error)}"}


def said(error):
    """What an error says of its cause: Keras puts the layer before it and the arguments after it."""
    lines = [re.sub(r"\x1b\[\d*m", "", line).strip() for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.startswith("Exception encountered when calling")]
    return lines[0][:200] if lines else ""


def spoken(more):
    return {name: [told(x) for x in value] if isinstance(value, list) else told(value) if isinstance(value, numpy.ndarray) else value for name, value in more.items()}


def drawn_call(name, seed, number, base, turn):
    """Call number `number` of a layer, and what Keras makes of it. With a base it is that call with one thing changed,
    and `turn` says how many were before."""
    draw = random.Random(f"{name} {seed} {number if base is None else base}")
    cls = getattr(keras.layers, name)
    drawn, shapes = arguments(cls, draw), inputs(cls, draw)
    given = [values(shape, draw, cls) for shape in shapes]
    original, stray = json.loads(json.dumps(drawn)), None
    if base is not None:
        stray = Stray(cls, random.Random(f"{name} {seed} {number} from {base}"), turn)
        stray.change_arguments(drawn)
        stray.change_inputs(given)
    row = {"layer": cls.__name__, "arguments": drawn, "inputs": [told(x) for x in given]}

    def judged():
        more = with_others(cls, given, draw, original, shapes[0], stray)
        return called(cls, drawn, given, more, draw, stray)

    return row, judged


def answer(line):
    """What Keras makes of a call that a line of a file describes, without the numbers that do not matter to it."""
    asked = json.loads(line)
    draw = random.Random(line)
    cls = getattr(keras.layers, asked["layer"])

    def tensor(described):
        if isinstance(described, list):
            return [tensor(each) for each in described]
        if not isinstance(described, dict):
            return described
        dtype = keras.ops.convert_to_numpy(keras.ops.zeros((), described["dtype"])).dtype
        numbers = described.get("values") or [draw.gauss(0, 1) if "float" in described["dtype"] else draw.choice([0, 1]) for _ in range(int(numpy.prod(described["shape"])))]
        return numpy.array(numbers).astype(dtype).reshape(described["shape"])

    given = [tensor(each) for each in asked["inputs"]]
    more = {name: tensor(value) for name, value in asked["call"].items()}
    return {**asked, "inputs": [told(x) for x in given], **called(cls, asked["arguments"], given, more, draw)}


def answer_all(path):
    """Answers in a process of its own, since a call may take the process with it; another one goes on then."""
    with open(path) as file:
        lines = [line for line in file if hasattr(keras.layers, json.loads(line)["layer"])]
    at = 0
    with tempfile.TemporaryFile("w+") as progress:
        while at < len(lines):
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                for number in range(at, len(lines)):
                    progress.seek(0)
                    progress.write(f"{number}".ljust(10))
                    progress.flush()
                    print(json.dumps(answer(lines[number])), flush=True)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            if not os.WIFSIGNALED(status):
                break
            progress.seek(0)
            at = int(progress.read()) + 1
            print(json.dumps({**json.loads(lines[at - 1]), "error": f"crash: signal {os.WTERMSIG(status)}"}), flush=True)


def record(name, wanted, seed, start, kept, out, progress):
    """Draws calls from number `start` on; says before each which one it is, for a call may take the process with it."""
    accepted_ones, words = {}, {}
    for number in range(start, wanted * PATIENCE):
        if kept[True] + kept[False] >= wanted:
            break
        choose = random.Random(f"{name} {seed} {number} alone or not")
        # What was changed least is changed next, so that no call comes up again and again.
        base = None
        if accepted_ones and choose.random() < 0.65:
            least = min(accepted_ones.values())
            base = choose.choice([one for one, changes in accepted_ones.items() if changes == least])
            accepted_ones[base] += 1
        row, judged = drawn_call(name, seed, number, base, kept["changed"])
        progress.seek(0)
        progress.write(f"{number} {base} {' '.join(map(str, kept.values()))}".ljust(40))
        progress.flush()
        kept["changed"] += base is not None
        answer = judged()
        if answer.get("contradicted"):
            kept["contradicted"] += 1
            if kept["contradicted"] * 4 <= wanted:
                out.write(json.dumps({**row, **answer}) + "\n")
                out.flush()
            continue
        accepted = "error" not in answer
        if accepted and base is None:
            accepted_ones[number] = 0
        if kept[accepted] * 2 >= wanted and kept[not accepted] * 2 < wanted:
            continue
        # Where hardly anything is accepted, refusals do not drown it.
        if not accepted and kept[False] >= 2 * kept[True] + 20:
            continue
        if not accepted:
            said_so = re.sub(r"[-\d.]+|[(\[{].*", "#", answer["error"])[:80]
            if words.get(said_so, 0) >= ALIKE and choose.random() < 0.75:
                continue
            words[said_so] = words.get(said_so, 0) + 1
        # What is drawn at random breaks many rules at once, and changes of what was accepted mostly one: they have room.
        if not accepted and base is None and accepted_ones:
            if kept["at random"] * 8 >= wanted:
                continue
            kept["at random"] += 1
        kept[accepted] += 1
        out.write(json.dumps({**row, **answer}) + "\n")
        out.flush()


def main():
    if sys.argv[2] == "--asked":
        return answer_all(sys.argv[3])
    least, seed = int(sys.argv[2]), int(sys.argv[3])
    for name in sys.argv[4:] or LAYERS:
        # What has more arguments, and layers among them, has more to be wrong.
        parameters = len(inspect.signature(getattr(keras.layers, name).__init__).parameters)
        wanted = least + least // 30 * max(0, parameters - 8)
        wanted += least // 2 if name in HOLDERS else 0
        start, kept = 0, {True: 0, False: 0, "contradicted": 0, "changed": 0, "at random": 0}
        with tempfile.TemporaryFile("w+") as progress:
            while True:
                # A process of its own for each layer: one call that crashes is a row, not the end.
                sys.stdout.flush()
                child = os.fork()
                if child == 0:
                    record(name, wanted, seed, start, kept, sys.stdout, progress)
                    progress.seek(0)
                    progress.write(f"done None {' '.join(map(str, kept.values()))}".ljust(40))
                    progress.flush()
                    os._exit(0)
                _, status = os.waitpid(child, 0)
                progress.seek(0)
                at, base, *counts = progress.read().split()
                kept = dict(zip(kept, map(int, counts), strict=True))
                if at == "done":
                    break
                row, _ = drawn_call(name, seed, int(at), None if base == "None" else int(base), kept["changed"])
                crash = f"crash: signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {status}"
                print(json.dumps({**row, "call": {}, "error": crash}), flush=True)
                kept[False] += 1
                kept["changed"] += base != "None"
                start = int(at) + 1
        print(f"{name}: {kept[True]} accepted, {kept[False]} refused, {kept['contradicted']} contradicted", file=sys.stderr)


main()
