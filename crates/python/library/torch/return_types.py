"""Results with names: tuples whose parts can also be asked for by name, and nothing else."""

_KINDS = {}


def result(name, fields, parts):
    """The result of the function of that name."""
    kind = _KINDS.get(name)
    if kind is None:
        fields = fields.split()
        members = {field: property(lambda self, place=place: self[place]) for place, field in enumerate(fields)}
        members["n_fields"] = members["n_sequence_fields"] = len(fields)
        members["n_unnamed_fields"] = 0
        kind = _KINDS[name] = type("torch.return_types." + name, (tuple,), members)
    return kind(parts)


def pair(name, values, indices):
    return result(name, "values indices", (values, indices))
