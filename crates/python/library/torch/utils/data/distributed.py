"""One process's share of a data set."""

from torch.utils.data.sampler import SequentialSampler


class DistributedSampler(SequentialSampler):
    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        from torch import distributed

        self.data_source = self.dataset = dataset
        self.num_replicas = distributed.get_world_size() if num_replicas is None else num_replicas
        self.rank = distributed.get_rank() if rank is None else rank
        self.drop_last, self.shuffle, self.seed, self.epoch = drop_last, shuffle, seed, 0

    @property
    def num_samples(self):
        count, replicas = len(self.dataset), self.num_replicas
        return count // replicas if self.drop_last else (count + replicas - 1) // replicas

    @property
    def total_size(self):
        return self.num_samples * self.num_replicas

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        self.epoch = epoch
