"""Exports: the model is run on its example."""


def export(model, args=(), f=None, *, kwargs=None, **options):
    arguments = args if isinstance(args, tuple) else (args,)
    if arguments and isinstance(arguments[-1], dict):
        arguments, kwargs = arguments[:-1], arguments[-1]
    model(*arguments, **(kwargs or {}))


def dynamo_export(model, *arguments, **options):
    model(*arguments)
