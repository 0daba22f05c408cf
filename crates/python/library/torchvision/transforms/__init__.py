"""Transforms of images, each made with what it needs and called with an image."""

import _tensorvet
from _tensorvet import made, require
from torch import _types
from torchvision.transforms import functional
from torchvision.transforms import functional as F
from torchvision.transforms.functional import InterpolationMode


class Transform:
    """Callable; in the second version a module, which takes several values and changes the images among them."""

    def __call__(self, img, *others):
        return self.forward(img, *others)

    def forward(self, img):
        return self._apply(img)

    def eval(self):
        return self

    def train(self, mode=True):
        return self

    def to(self, *arguments, **options):
        return self


class Compose(Transform):
    def __init__(self, transforms):
        if not isinstance(transforms, (list, tuple)) and not hasattr(transforms, "__iter__"):
            raise TypeError("Argument transforms should be a sequence of callables")
        self.transforms = transforms

    def __call__(self, img, *others):
        for transform in self.transforms:
            if others:
                img, *others = transform(img, *others)
            else:
                img = transform(img)
        return (img, *others) if others else img


class RandomApply(Compose):
    def __init__(self, transforms, p=0.5):
        super().__init__(transforms)
        self.p = p


class RandomOrder(Compose):
    def __init__(self, transforms):
        super().__init__(transforms)


class RandomChoice(Transform):
    """One of several; the first stands for all."""

    def __init__(self, transforms, p=None):
        self.transforms = transforms

    def _apply(self, img):
        return self.transforms[0](img)


class Lambda(Transform):
    def __init__(self, lambd, *types):
        if not callable(lambd):
            raise TypeError("Argument lambd should be callable, got " + repr(type(lambd).__name__))
        self.lambd = lambd

    def _apply(self, img):
        return self.lambd(img)


class _Required:
    pass


def _class(name, function, **parameters):
    """A transform that calls a function with itself and an image."""
    words = list(parameters)

    def __init__(self, *values, **options):
        if len(values) > len(words):
            raise TypeError(name + ".__init__() takes at most " + str(len(words) + 1) + " positional arguments but " + str(len(values) + 1) + " were given")
        chosen = dict(zip(words, values))
        for word, value in options.items():
            if word not in parameters:
                raise TypeError(name + ".__init__() got an unexpected keyword argument '" + word + "'")
            if word in chosen:
                raise TypeError(name + ".__init__() got multiple values for argument '" + word + "'")
            chosen[word] = value
        for word, value in parameters.items():
            if word not in chosen and value is _Required:
                raise TypeError(name + ".__init__() missing 1 required positional argument: '" + word + "'")
            setattr(self, word, chosen.get(word, value))

    return type(name, (Transform,), {"__init__": __init__, "_apply": function})


def _transform(name, function, **parameters):
    _tensorvet.define(name, _class(name, function, **parameters))


def _random_crop(self, img):
    if _tensorvet.is_unknown(img):
        return img
    if self.padding is not None:
        img = F.pad(img, self.padding)
    _, height, width = F.get_dimensions(F._checked(img))
    rows, columns = F.pair(self.size)
    require("a random crop is not larger than the image", self.pad_if_needed or (rows <= height and columns <= width), "value", img)
    return F.moved(img, F.sized(img, rows, columns))


def _linear(self, tensor):
    numbers = tensor.shape.numel()
    require("there is one row of the matrix per number of the image", self.transformation_matrix.shape[0] == numbers, "shape", tensor, self.transformation_matrix)
    return F.like(tensor) if _tensorvet.follows_values() else tensor


_MODE = InterpolationMode.BILINEAR
_transform("ToTensor", lambda self, img: F.to_tensor(img))
_transform("PILToTensor", lambda self, img: F.pil_to_tensor(img))
_transform("ToPILImage", lambda self, img: F.to_pil_image(img, self.mode), mode=None)
_transform("ConvertImageDtype", lambda self, img: F.convert_image_dtype(img, self.dtype), dtype=_types.float32)
_transform("Normalize", lambda self, img: F.normalize(img, self.mean, self.std), mean=_Required, std=_Required, inplace=False)
_transform("Resize", lambda self, img: F.resize(img, self.size, self.interpolation, self.max_size), size=_Required, interpolation=_MODE, max_size=None, antialias=True)
_transform("CenterCrop", lambda self, img: F.center_crop(img, self.size), size=_Required)
_transform("RandomCrop", _random_crop, size=_Required, padding=None, pad_if_needed=False, fill=0, padding_mode="constant")
_transform("RandomResizedCrop", lambda self, img: F.resized_crop(img, 0, 0, 1, 1, self.size), size=_Required, scale=(0.08, 1.0), ratio=(0.75, 4.0 / 3), interpolation=_MODE, antialias=True)
_transform("FiveCrop", lambda self, img: F.five_crop(img, self.size), size=_Required)
_transform("TenCrop", lambda self, img: F.ten_crop(img, self.size), size=_Required, vertical_flip=False)
_transform("Pad", lambda self, img: F.pad(img, self.padding), padding=_Required, fill=0, padding_mode="constant")
_transform("Grayscale", lambda self, img: F.rgb_to_grayscale(img, self.num_output_channels), num_output_channels=1)
_transform("RandomRotation", lambda self, img: F.rotate(img, 0, None, self.expand), degrees=_Required, interpolation=_MODE, expand=False, center=None, fill=0)
_transform("LinearTransformation", _linear, transformation_matrix=_Required, mean_vector=_Required)
# Those that keep size and channels.
_KEEPING = {
    "RandomHorizontalFlip": dict(p=0.5),
    "RandomVerticalFlip": dict(p=0.5),
    "RandomGrayscale": dict(p=0.1),
    "RandomInvert": dict(p=0.5),
    "RandomAutocontrast": dict(p=0.5),
    "RandomEqualize": dict(p=0.5),
    "RandomPosterize": dict(bits=_Required, p=0.5),
    "RandomSolarize": dict(threshold=_Required, p=0.5),
    "RandomAdjustSharpness": dict(sharpness_factor=_Required, p=0.5),
    "RandomPerspective": dict(distortion_scale=0.5, p=0.5, interpolation=_MODE, fill=0),
    "RandomAffine": dict(degrees=_Required, translate=None, scale=None, shear=None, interpolation=_MODE, fill=0, center=None),
    "RandomErasing": dict(p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False),
    "ColorJitter": dict(brightness=0, contrast=0, saturation=0, hue=0),
    "GaussianBlur": dict(kernel_size=_Required, sigma=(0.1, 2.0)),
    "ElasticTransform": dict(alpha=50.0, sigma=5.0, interpolation=_MODE, fill=0),
    "AutoAugment": dict(policy=None, interpolation=_MODE, fill=None),
    "RandAugment": dict(num_ops=2, magnitude=9, num_magnitude_bins=31, interpolation=_MODE, fill=None),
    "TrivialAugmentWide": dict(num_magnitude_bins=31, interpolation=_MODE, fill=None),
    "AugMix": dict(severity=3, mixture_width=3, chain_depth=-1, alpha=1.0, all_ops=True, interpolation=_MODE, fill=None),
}
# Those that only move pixels, or leave black ones behind.
_MOVED = ("RandomHorizontalFlip", "RandomVerticalFlip", "RandomRotation")
for _name, _parameters in _KEEPING.items():
    if _name in _MOVED:
        _transform(_name, lambda self, img: F.moved(img, F._same(img)), **_parameters)
    else:
        _transform(_name, lambda self, img: F._same(img), **_parameters)
Scale, RandomSizedCrop = Resize, RandomResizedCrop


class AutoAugmentPolicy:
    IMAGENET, CIFAR10, SVHN = "imagenet", "cifar10", "svhn"
