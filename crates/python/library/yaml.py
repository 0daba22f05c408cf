"""YAML: files that are there are read, as PyYAML reads them."""

import _system
import _tensorvet


class YAMLError(Exception):
    pass


class Loader:
    pass


SafeLoader = FullLoader = UnsafeLoader = BaseLoader = CLoader = CSafeLoader = CFullLoader = Loader


class Dumper:
    pass


SafeDumper = CDumper = CSafeDumper = Dumper


def load(stream, Loader=None):
    text = stream.read() if hasattr(stream, "read") else stream
    try:
        return _system.yaml_value(text)
    except ValueError as error:
        raise YAMLError(*error.args) from None


safe_load = full_load = unsafe_load = load


def load_all(stream, Loader=None):
    return _tensorvet.unknown("the documents of a file")


safe_load_all = full_load_all = load_all


def dump(data, stream=None, **options):
    return _tensorvet.unknown("a text in YAML", "str")


safe_dump = dump_all = safe_dump_all = dump


def add_constructor(*arguments, **options):
    return None


add_representer = add_implicit_resolver = add_path_resolver = add_multi_constructor = add_constructor
