"""One process that stands for all."""


class ReduceOp:
    SUM, AVG, MAX, MIN, PRODUCT = range(5)


def init_process_group(*arguments, **options):
    return None


destroy_process_group = barrier = all_reduce = broadcast = reduce = all_gather = init_process_group


def get_rank(group=None):
    return 0


def get_world_size(group=None):
    return 1


def is_initialized():
    return True


def is_available():
    return True
