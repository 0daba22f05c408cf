"""The operators of ONNX's default domain as the installed package defines them, every version, as JSON."""

import json

import onnx
from onnx import defs, helper


def plain(kind):
    """`tensor(float)` as `float`; None for what is no tensor."""
    return kind[7:-1] if kind.startswith("tensor(") else None


def default(attribute):
    if not attribute.default_value.name:
        return None
    value = helper.get_attribute_value(attribute.default_value)
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (int, float, str)):
        return value
    return [item.decode() if isinstance(item, bytes) else item for item in value]


def described(schema):
    inputs = [
        {
            "name": item.name,
            "option": item.option.name,
            "types": sorted(filter(None, map(plain, item.types))),
            "others": any(plain(kind) is None for kind in item.types),
        }
        for item in schema.inputs
    ]
    attributes = [
        {"name": name, "kind": item.type.name, "required": item.required, "default": default(item)}
        for name, item in sorted(schema.attributes.items())
    ]
    return {
        "name": schema.name,
        "since": schema.since_version,
        "deprecated": schema.deprecated,
        "inputs": inputs,
        "outputs": [item.option.name for item in schema.outputs],
        "attributes": attributes,
    }


schemas = [described(s) for s in defs.get_all_schemas_with_history() if s.domain == ""]
schemas.sort(key=lambda schema: (schema["name"], schema["since"]))
print(json.dumps({"onnx": onnx.__version__, "opset": defs.onnx_opset_version(), "schemas": schemas}))
