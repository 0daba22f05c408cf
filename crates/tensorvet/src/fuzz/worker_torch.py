"""Runs lines of PyTorch for `tensorvet fuzz`: one JSON object a line in, one out.

Promises: the first line out says what is here, or what is missing. Every line in holds inputs and expressions in
order. By `build` they run on tensors without elements (the device `meta`), which tell types and shapes; by `call` on
the arrays. A line that needs what is not there is passed over. What a processor has no kernel for is not refused but
passed over, too. Arrays are the bytes of their elements, in hexadecimal. Before each line its number and the way are told.
"""

try:
    import torch
    import torch.nn.functional
except Exception as error:
    answer({"missing": f"{type(error).__name__}: {error}"})
    sys.exit(0)

torch.set_num_threads(1)


def tensor(told):
    dtype, data = getattr(torch, told["dtype"]), bytearray.fromhex(told["data"])
    if not data:
        return torch.zeros(told["shape"], dtype=dtype)
    return torch.frombuffer(data, dtype=dtype).reshape(told["shape"]).clone()


def described(value):
    return {"dtype": str(value.dtype).removeprefix("torch."), "shape": list(value.shape)}


def seen(value):
    flat = torch.empty(value.numel(), dtype=value.dtype).copy_(value.detach().reshape(-1))
    return {**described(value), "data": bytes(flat.view(torch.uint8).tolist()).hex()}


def is_absent(error):
    return isinstance(error, NotImplementedError) or "not implemented for" in str(error)


def run(case):
    ways = {}
    for way in case["ways"]:
        if way == "predict":
            continue
        answer({"way": way})
        told = ways[way] = {"values": {}}
        values = {given["name"]: tensor(given) for given in case["inputs"]}
        if way == "build":
            values = {name: value.to("meta") for name, value in values.items()}
        for k, line in enumerate(case["lines"]):
            if not all(name in values for name in line["needs"]):
                continue
            answer({"way": way, "call": k})
            try:
                known = {"torch": torch, "F": torch.nn.functional, **values}
                results = eval(line["expression"], known)
            except Exception as error:
                if is_absent(error) or way == "build" and ".item()" in line["expression"]:
                    continue
                text = f"{type(error).__name__}: {str(error).strip()}"
                told["refused"] = {"call": k, "message": text[:2000]}
                break
            results = [results] if isinstance(results, torch.Tensor) else list(results)
            for name, result in zip(line["outputs"], results):
                values[name] = result
                told["values"][name] = described(result) if way == "build" else seen(result)
    return ways


def versions():
    import platform

    return {"Python": platform.python_version(), "PyTorch": torch.__version__}


answer({"versions": versions()})
serve(lambda case: answer({"ways": run(case)}))
