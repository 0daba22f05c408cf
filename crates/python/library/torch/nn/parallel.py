"""Modules on several devices: they compute what one would."""

from torch.nn import DataParallel


class DistributedDataParallel(DataParallel):
    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, init_sync=True, process_group=None, bucket_cap_mb=None, find_unused_parameters=False, check_reduction=False, gradient_as_bucket_view=False, static_graph=False, **options):
        super().__init__(module)

    def no_sync(self):
        from torch._contexts import _Context

        return _Context()

    join = no_sync


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    inputs = inputs if isinstance(inputs, tuple) else (inputs,)
    return module(*inputs, **(module_kwargs or {}))
