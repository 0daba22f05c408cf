"""Prints what PyTorch's modules and layers have, a line each: models that know less can tell what is surely not there.

Names that start with an underscore are left out of modules, special ones everywhere, and those of `Module` of layers.

    names.py > crates/python/src/names.in
"""

import importlib
import inspect
import pkgutil

MODULES = """torch torch.nn torch.nn.functional torch.nn.init torch.nn.utils torch.nn.utils.rnn torch.optim
torch.optim.lr_scheduler torch.utils.data torch.linalg torch.fft torch.special torch.autograd torch.distributions
torch.cuda torch.amp math""".split()
# Modelled as the module itself: what scripting, compiling and distributing wrap around it has more.
WRAPPED = "save save_to_buffer code graph inlined_graph code_with_constants module no_sync join _orig_mod".split()
TRIES = [(), (4,), (4, 4), (4, 4, 3), (4, 2, 4), (4, 4, 4), (1, 2, 4), ([],), ((4,),)]


def main() -> None:
    for name in MODULES:
        module = importlib.import_module(name)
        inner = [found.name for found in pkgutil.iter_modules(getattr(module, "__path__", []))]
        print(name, *sorted(word for word in {*dir(module), *inner} if not word.startswith("_")))
    import torch.nn

    print("class:Tensor", *sorted(word for word in dir(torch.Tensor) if not word.startswith("_")))
    for name, kind in sorted(vars(torch.nn).items()):
        if inspect.isclass(kind) and issubclass(kind, torch.nn.Module) and kind.__name__ == name:
            made = [found for arguments in TRIES if (found := instance(kind, arguments)) is not None][:1]
            for made in made:
                own = {*dir(kind), *vars(made), *made._parameters, *made._buffers, *made._modules}
                if kind is torch.nn.Module:
                    own.update(WRAPPED)
                else:
                    own -= {*dir(torch.nn.Module), *vars(torch.nn.Module())}
                print("class:" + name, *sorted(word for word in own if not word.startswith("__")))


def instance(kind, arguments):
    try:
        return kind(*arguments)
    except Exception:
        return None


if __name__ == "__main__":
    main()
