"""Many processes as one: this is the first of one."""

import _tensorvet


class _Kinds:
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = "sum", "avg", "product", "min", "max", "band", "bor", "bxor"


ReduceOp = reduce_op = _Kinds


class group:
    WORLD = None


class Backend:
    NCCL, GLOO, MPI = "nccl", "gloo", "mpi"


class ProcessGroup:
    def size(self):
        return 1

    def rank(self):
        return 0


class Work:
    def wait(self, timeout=None):
        return True

    def is_completed(self):
        return True


def is_available():
    return True


is_initialized = is_nccl_available = is_gloo_available = is_available
is_torchelastic_launched = lambda: False


def init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="", pg_options=None, device_id=None):
    return None


def destroy_process_group(group=None):
    return None


def barrier(*arguments, **options):
    return None


def new_group(*arguments, **options):
    return ProcessGroup()


def get_rank(group=None):
    return 0


get_node_local_rank = get_rank


def get_world_size(group=None):
    return 1


def get_backend(group=None):
    return "gloo"


def all_reduce(tensor, op=None, group=None, async_op=False):
    return Work() if async_op else None


def reduce(tensor, dst=None, op=None, group=None, async_op=False, group_dst=None):
    return Work() if async_op else None


broadcast = reduce


def send(tensor, dst=None, group=None, tag=0, group_dst=None):
    return None


def recv(tensor, src=None, group=None, tag=0, group_src=None):
    return 0


def isend(tensor, dst=None, group=None, tag=0, group_dst=None):
    return Work()


irecv = isend


def all_gather(tensor_list, tensor, group=None, async_op=False):
    for each in tensor_list:
        _tensorvet.require("what is gathered has the shape of its places", each.shape == tensor.shape, "shape", each, tensor)
    return Work() if async_op else None


def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None):
    return Work() if async_op else None


def all_gather_object(object_list, obj, group=None):
    for place in range(len(object_list)):
        object_list[place] = obj


def broadcast_object_list(object_list, *arguments, **options):
    return None


def monitored_barrier(*arguments, **options):
    return None
