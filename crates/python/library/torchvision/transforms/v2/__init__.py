"""The second version: the same transforms, which also take several values at once."""

import _tensorvet
from _tensorvet import made, require
from torch import _types
from torch._rules import kind_of
from torch._tensor import Tensor
from torchvision import tv_tensors
from torchvision.transforms import *
from torchvision.transforms import F, Transform, _class, _MODE, _Required
from torchvision.transforms.v2 import functional


def _transform(name, function, **parameters):
    _tensorvet.define(name, _class(name, function, **parameters))


# What moves the places of pixels also moves those of a mask; the sizes that some draw are not known for both.
_MOVING = set("Resize CenterCrop RandomCrop RandomResizedCrop RandomHorizontalFlip RandomVerticalFlip RandomRotation RandomAffine RandomPerspective Pad ElasticTransform".split())
_DRAWN = set("RandomResize RandomShortestSize ScaleJitter RandomZoomOut RandomIoUCrop".split())


def _forward(self, img, *others):
    """Images change, masks with them, other values stay."""
    if others:
        return (self(img), *[_beside(self, each) for each in others])
    if isinstance(img, (tuple, list)):
        return type(img)([_part(self, each) for each in img])
    if isinstance(img, dict):
        return {key: _part(self, each) for key, each in img.items()}
    kind = getattr(img, "_holds", None) if _tensorvet.is_tensor(img) else None
    if kind not in (None, "Image", "Video"):
        return _beside(self, img)
    changed = self._apply(img)
    if kind is not None and _tensorvet.is_tensor(changed):
        changed._holds = kind
    return changed


def _part(self, value):
    """A part of a sample: what says that it is a mask is one, other tensors with channels are images."""
    is_told = _tensorvet.is_tensor(value) and hasattr(value, "_holds")
    return self(value) if is_told or _is_image(value) else value


def _beside(self, value):
    """What stands beside an image: only what says what it holds is changed."""
    kind = getattr(value, "_holds", None) if _tensorvet.is_tensor(value) else None
    if kind in ("Image", "Video"):
        return self(value)
    name = type(self).__name__
    if kind != "Mask" or name not in _MOVING and name not in _DRAWN:
        return value
    if name in _DRAWN:
        changed = _tensorvet.unknown_tensor(kind_of(value))
    else:
        changed = self._apply(value[None])[0] if value.ndim == 2 else self._apply(value)
    changed._holds = kind
    return changed


def _is_image(value):
    return _tensorvet.is_tensor(value) and value.ndim >= 3 or F.is_image(value)


Transform.forward = _forward


def _dtype(self, img):
    dtype = self.dtype
    if isinstance(dtype, dict):
        # What is changed here is an image, whatever it says of itself.
        named = [key for key in (tv_tensors.Image, tv_tensors.Video, Tensor) if key in dtype]
        dtype = dtype[named[0]] if named else dtype.get("others")
    return F.to_dtype(img, dtype, self.scale) if _tensorvet.is_tensor(img) and dtype is not None else img


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
    ClampBoundingBoxes=dict(clamping_mode="auto"),
    ClampKeyPoints=dict(),
    SetClampingMode=dict(clamping_mode=_Required),
    ConvertBoundingBoxFormat=dict(format=_Required),
    SanitizeKeyPoints=dict(labels_getter=None),
    SanitizeBoundingBoxes=dict(min_size=1.0, min_area=1.0, labels_getter="default"),
).items():
    _transform(_name, lambda self, img: F._same(img), **_parameters)


def _any_size(img, low, high, what):
    """An image whose sizes only the run will tell."""
    if _tensorvet.is_unknown(img):
        return img
    return F.sized(F._checked(img), _tensorvet.symbol("height", low, high, what), _tensorvet.symbol("width", low, high, what))


def _random_resize(self, img):
    size = _tensorvet.symbol("size", self.min_size, self.max_size - 1, "the size that is drawn")
    return F.resize(img, size)


def _shortest(self, img):
    sizes = self.min_size if isinstance(self.min_size, (list, tuple)) else [self.min_size]
    size = sizes[0] if len(sizes) == 1 else _tensorvet.symbol("size", min(sizes), max(sizes), "the size that is drawn")
    return F.resize(img, size) if self.max_size is None else _any_size(img, 1, max(self.max_size, 1), "the size that is drawn")


def _frames(self, inpt):
    require("a video has frames, channels, height and width", inpt.ndim >= 4, "shape", inpt)
    return made(kind_of(inpt), [*inpt.shape[:-4], self.num_samples, *inpt.shape[-3:]])


_MOST = 2147483646
_transform("RandomResize", _random_resize, min_size=_Required, max_size=_Required, interpolation=_MODE, antialias=True)
_transform("RandomShortestSize", _shortest, min_size=_Required, max_size=None, interpolation=_MODE, antialias=True)
_transform("ScaleJitter", lambda self, img: _any_size(img, 1, _MOST, "the scale that is drawn"), target_size=_Required, scale_range=(0.1, 2.0), interpolation=_MODE, antialias=True)
_transform("RandomZoomOut", lambda self, img: _any_size(img, 1, _MOST, "the side that is drawn"), fill=0, side_range=(1.0, 4.0), p=0.5)
_transform("RandomIoUCrop", lambda self, img: _any_size(img, 1, _MOST, "the crop that is drawn"), min_scale=0.3, max_scale=1.0, min_aspect_ratio=0.5, max_aspect_ratio=2.0, sampler_options=None, trials=40)
_transform("UniformTemporalSubsample", _frames, num_samples=_Required)


def query_size(flat_inputs):
    return tuple(F.get_dimensions([each for each in flat_inputs if _is_image(each)][0])[1:])


def query_chw(flat_inputs):
    return tuple(F.get_dimensions([each for each in flat_inputs if _is_image(each)][0]))


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
