"""Data sets, samplers and loaders."""

from torch.utils.data import distributed, sampler
from torch.utils.data._collate import default_collate, default_convert
from torch.utils.data._datasets import ChainDataset, ConcatDataset, Dataset, IterableDataset, StackDataset, Subset, TensorDataset, random_split
from torch.utils.data._loader import DataLoader, get_worker_info
from torch.utils.data.distributed import DistributedSampler
from torch.utils.data.sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler

IterDataPipe = IterableDataset
MapDataPipe = Dataset
