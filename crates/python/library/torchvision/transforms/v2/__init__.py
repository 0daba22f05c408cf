"""The second version: the same transforms, which also take several values at once."""

import _tensorvet
from torch import _types
from torch._rules import made
from torchvision import transforms as _first
from torchvision.transforms import *
from torchvision.transforms import F, Transform, _KEEPING, _MODE, _Required, _transform
from torchvision.transforms.v2 import functional


def _forward(self, img, *others):
    """Images change, other values stay."""
    if others:
        return (self(img), *others)
    if isinstance(img, (tuple, list)):
        return type(img)([self(each) if _is_image(each) else each for each in img])
    if isinstance(img, dict):
        return {key: self(each) if _is_image(each) else each for key, each in img.items()}
    return self._apply(img)


def _is_image(value):
    return _tensorvet.is_tensor(value) and value.ndim >= 3 or F.is_image(value)


Transform.forward = _forward


def _dtype(self, img):
    dtype = self.dtype
    if isinstance(dtype, dict):
        dtype = dtype.get("others", _types.float32)
    return img.to(dtype) if _tensorvet.is_tensor(img) else img


_transform("ToImage", lambda self, img: F.to_image(img))
_transform("ToDtype", _dtype, dtype=_Required, scale=False)
_transform("ToPureTensor", lambda self, img: img)
_transform("Identity", lambda self, img: img)
_transform("RGB", lambda self, img: F.channelled(img, 3))
for _name, _parameters in dict(
    RandomPhotometricDistort=dict(brightness=(0.875, 1.125), contrast=(0.5, 1.5), saturation=(0.5, 1.5), hue=(-0.05, 0.05), p=0.5),
    RandomChannelPermutation=dict(),
    GaussianNoise=dict(mean=0.0, sigma=0.1, clip=True),
    JPEG=dict(quality=_Required),
    ClampBoundingBoxes=dict(),
    SanitizeBoundingBoxes=dict(min_size=1.0, min_area=1.0, labels_getter="default"),
).items():
    _transform(_name, lambda self, img: F._same(img), **_parameters)


class _Mixing(Transform):
    """Mixes the samples of a batch: labels become a distribution over classes."""

    def __init__(self, *, alpha=1.0, num_classes=None, labels_getter="default"):
        self.num_classes = num_classes

    def __call__(self, images, labels):
        if self.num_classes is None:
            raise ValueError("num_classes must be passed if the labels are class indices")
        return images, made("f32", [labels.shape[0], self.num_classes])


class MixUp(_Mixing):
    pass


class CutMix(_Mixing):
    pass
