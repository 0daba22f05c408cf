"""What PyTorch itself says to a call: the verdict, and the shapes and types of what it gives."""

import json
import os
import resource
import signal
import warnings

import torch
import torch.nn.functional as F
from torch import nn

MEMORY = 16 << 30
# Failures of the machine it runs on.
FOREIGN = ("CUDA", "NVIDIA", "Device index")
# Failures of the numbers that `randn` drew, which no reading of the source can tell.
NUMERICAL = ("LinAlgError", "negative entry", "p_in >= 0", "Poisson rate", "probability tensor", "invalid multinomial", "elements of input should be between", "elements of target should be between", "elements of std", "invalid max index", "failed to converge", "did not converge")


def described(value):
    if isinstance(value, torch.Tensor):
        return {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch.")}
    if isinstance(value, torch.Size):
        return [int(size) for size in value]
    if isinstance(value, (list, tuple)):
        return [described(item) for item in value]
    if isinstance(value, torch.nn.utils.rnn.PackedSequence):
        return "PackedSequence"
    return type(value).__name__


def judged(code):
    """The outcome of one program: what it binds to `result`, or what it raises."""
    torch.manual_seed(0)
    names = {"torch": torch, "nn": nn, "F": F}
    signal.setitimer(signal.ITIMER_REAL, 3)
    try:
        exec(compile(code, "call", "exec"), names)
        out = described(names["result"])
        return None if "complex32" in json.dumps(out) else {"ok": True, "out": out}
    except TimeoutError:
        return None
    except MemoryError:
        return None
    except Exception as error:
        lines = str(error).splitlines()
        if any(word in f"{type(error).__name__}: {error}" for word in NUMERICAL + FOREIGN):
            return None
        return {"ok": False, "error": f"{type(error).__name__}: {lines[0][:160] if lines else ''}"}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def too_slow(*_):
    raise TimeoutError


def judged_apart(codes):
    """Judges programs in processes of their own, so that one that takes PyTorch down loses only itself."""
    results = []
    while len(results) < len(codes):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            devnull = os.open(os.devnull, os.O_WRONLY)
            os.dup2(devnull, 2)
            warnings.filterwarnings("ignore")
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            signal.signal(signal.SIGALRM, too_slow)
            with os.fdopen(writer, "w") as out:
                for code in codes[len(results) :]:
                    print(json.dumps(judged(code)), file=out, flush=True)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as lines:
            results.extend(json.loads(line) for line in lines)
        os.waitpid(child, 0)
        if len(results) < len(codes):
            results.append(None)
    return results
