"""Modules that hold modules."""

import _tensorvet
from torch.nn._module import Module, Parameter


class Sequential(Module):
    def __init__(self, *modules: object):
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], dict):
            for name, module in modules[0].items():
                self.add_module(name, module)
        else:
            for number, module in enumerate(modules):
                self.add_module(str(number), module)

    def forward(self, input: object):
        for module in self._modules.values():
            input = module(input)
        return input

    def __iter__(self):
        return iter(list(self._modules.values()))

    def __len__(self):
        return len(self._modules)

    def __getitem__(self, index):
        found = list(self._modules.values())[index]
        return type(self)(*found) if isinstance(found, list) else found

    def __setitem__(self, index, module):
        self.add_module(list(self._modules)[index], module)

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    __iadd__ = extend

    def __add__(self, other):
        return type(self)(*self, *other)

    def __mul__(self, times):
        return type(self)(*(list(self) * times))

    __rmul__ = __mul__

    def __imul__(self, times):
        return self.extend(list(self) * (times - 1))

    def _hold(self, modules):
        """These and no others, numbered anew."""
        self._modules.clear()
        return self.extend(modules)

    def __delitem__(self, index):
        kept = list(self)
        del kept[index]
        self._hold(kept)

    def insert(self, index, module):
        kept = list(self)
        kept.insert(index, module)
        return self._hold(kept)

    def pop(self, key):
        found = self[key]
        del self[key]
        return found


class ModuleList(Sequential):
    def __init__(self, modules=None):
        super().__init__(*([] if modules is None else list(modules)))

    def __getitem__(self, index):
        found = list(self._modules.values())[index]
        return ModuleList(found) if isinstance(found, list) else found

    def __add__(self, other):
        return ModuleList([*self, *other])

    def forward(self, *arguments):
        raise NotImplementedError('Module [ModuleList] is missing the required "forward" function')


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        self.update({} if modules is None else modules)

    def update(self, modules):
        for name, module in dict(modules).items():
            self.add_module(name, module)

    def __getitem__(self, name):
        return self._modules[name]

    def __setitem__(self, name, module):
        self.add_module(name, module)

    def __delitem__(self, name):
        del self._modules[name]

    def pop(self, key):
        module = self._modules[key]
        del self._modules[key]
        return module

    def clear(self):
        self._modules.clear()

    def __contains__(self, name):
        return name in self._modules

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(list(self._modules))

    def keys(self):
        return self._modules.keys()

    def values(self):
        return self._modules.values()

    def items(self):
        return self._modules.items()


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        self._list = []
        for value in [] if values is None else values:
            self.append(value)

    def append(self, value):
        value = _held(value)
        self._parameters[str(len(self._list))] = value
        self._list.append(value)
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    __iadd__ = extend

    def __getitem__(self, index):
        found = self._list[index]
        return ParameterList(found) if isinstance(found, list) else found

    def __setitem__(self, index, value):
        value = _held(value)
        self._list[index] = value
        self._parameters[str(range(len(self._list))[index])] = value

    def __len__(self):
        return len(self._list)

    def __iter__(self):
        return iter(self._list)


def _held(value):
    """Tensors become parameters."""
    return Parameter(value) if _tensorvet.is_tensor(value) and not isinstance(value, Parameter) else value


class ParameterDict(ModuleDict):
    def add_module(self, name, value):
        value = _held(value)
        self._parameters[name] = value

    def __getitem__(self, name):
        return self._parameters[name]

    def __contains__(self, name):
        return name in self._parameters

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(list(self._parameters))

    def keys(self):
        return self._parameters.keys()

    def values(self):
        return self._parameters.values()

    def items(self):
        return self._parameters.items()


class Identity(Module):
    def __init__(self, *arguments, **options):
        super().__init__()

    def forward(self, input: object):
        return input
