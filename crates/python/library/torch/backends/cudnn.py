"""Settings that change speed, not shapes."""

enabled = True
benchmark = deterministic = allow_tf32 = False


class _Precision:
    allow_tf32 = False
    allow_fp16_reduced_precision_reduction = True


matmul = conv = rnn = _Precision()


def is_available():
    return False


is_built = is_available


def version():
    return None


def flags(**options):
    from torch._contexts import _Context

    return _Context()


sdp_kernel = flags


def enable_flash_sdp(enabled):
    return None


enable_mem_efficient_sdp = enable_math_sdp = enable_cudnn_sdp = enable_flash_sdp
