"""Images: data sets, transforms and models by their shapes."""

from torchvision import transforms

__version__ = "0.30.0"


def set_image_backend(backend):
    return None


def get_image_backend():
    return "PIL"


def disable_beta_transforms_warning():
    return None
