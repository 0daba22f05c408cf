"""Data sets of images: how many there are, their size and mode, and how many classes."""

import _tensorvet
from _tensorvet import made
from PIL import Image
from torchvision.datasets.folder import DatasetFolder, ImageFolder, default_loader
from torchvision.datasets.vision import VisionDataset, label
from torchvision.transforms.functional import pictured


class _Known(VisionDataset):
    """A data set of which a table tells everything that shapes need."""

    # The word that chooses a part, what it is unless told, and how many images each part has.
    _part, _default, _lengths = "train", True, {}
    # Mode and size of an image; None for a size that differs from image to image.
    _mode, _size, _classes = "RGB", None, 10
    _words = ("transform", "target_transform", "download")

    def __init__(self, root=None, *values, **options):
        words = ((self._part,) if self._part else ()) + self._words
        name = type(self).__name__
        if len(values) > len(words):
            raise TypeError(name + ".__init__() takes at most " + str(len(words) + 2) + " positional arguments but " + str(len(values) + 2) + " were given")
        chosen = dict(zip(words, values))
        for word, value in options.items():
            if word not in words and word not in ("transforms", "loader", "download", "transform", "target_transform"):
                raise TypeError(name + ".__init__() got an unexpected keyword argument '" + word + "'")
            if word in chosen:
                raise TypeError(name + ".__init__() got multiple values for argument '" + word + "'")
            chosen[word] = value
        super().__init__(root, chosen.get("transforms"), chosen.get("transform"), chosen.get("target_transform"))
        part = chosen.get(self._part, self._default)
        if self._part:
            setattr(self, self._part, part)
        if isinstance(part, str) and not _tensorvet.is_unknown(part) and self._lengths and part not in self._lengths:
            raise ValueError("Unknown value '" + part + "' for argument " + self._part + ". Valid values are " + str(list(self._lengths)) + ".")
        known = not _tensorvet.is_unknown(part) and not isinstance(part, list) and part in self._lengths
        self._length = self._lengths[part] if known else _tensorvet.symbol("samples", 1, 2147483646, "the number of samples of " + name)
        self.classes = [str(number) for number in range(self._classes)]
        self.class_to_idx = {word: number for number, word in enumerate(self.classes)}

    def __len__(self):
        return self._length

    def _image(self):
        if self._size is None:
            return Image.open("").convert(self._mode)
        return Image.new(self._mode, self._size)

    def _target(self):
        return label(self._classes)

    def __getitem__(self, index):
        if _tensorvet.decided(index >= self._length):
            raise IndexError("index " + str(index) + " is out of range")
        return self._transformed(self._image(), self._target())

    @property
    def targets(self):
        return made("i64", [self._length])

    labels = targets

    @property
    def data(self):
        width, height = self._size
        return pictured(made("u8", [self._length, height, width]))


class _Array(_Known):
    """A data set that keeps its images in one NumPy array, channels last, and its labels in a list."""

    @property
    def data(self):
        from numpy import ndarray

        width, height = self._size
        return ndarray._of(pictured(made("u8", [self._length, height, width, 3])))

    @property
    def targets(self):
        return [label(self._classes)] * self._length


class _Planes(_Known):
    """A data set that keeps its images and labels in NumPy arrays, channels first."""

    @property
    def data(self):
        from numpy import ndarray

        width, height = self._size
        return ndarray._of(pictured(made("u8", [self._length, 3, height, width])))

    @property
    def labels(self):
        from numpy import ndarray

        return ndarray._of(made("i64", [self._length]))


_DIGITS = dict(_lengths={True: 60000, False: 10000}, _mode="L", _size=(28, 28))
_TINY = dict(_lengths={True: 50000, False: 10000}, _size=(32, 32))
_SPLIT = dict(_part="split", _default="train")


def _split(classes, **lengths):
    return dict(_part="split", _default="train", _classes=classes, _lengths=lengths)


_KNOWN = {
    "MNIST": (_Known, _DIGITS),
    "FashionMNIST": (_Known, _DIGITS),
    "KMNIST": (_Known, _DIGITS),
    "CIFAR10": (_Array, _TINY),
    "CIFAR100": (_Array, dict(_TINY, _classes=100)),
    "USPS": (_Known, dict(_lengths={True: 7291, False: 2007}, _mode="L", _size=(16, 16))),
    "SVHN": (_Planes, dict(_split(10, train=73257, test=26032, extra=531131), _size=(32, 32))),
    "FER2013": (_Known, dict(_split(7, train=28709, test=7178), _mode="L", _size=(48, 48))),
    "PCAM": (_Known, dict(_split(2, train=262144, val=32768, test=32768), _size=(96, 96))),
    "GTSRB": (_Known, _split(43, train=26640, test=12630)),
    "Food101": (_Known, _split(101, train=75750, test=25250)),
    "Flowers102": (_Known, _split(102, train=1020, val=1020, test=6149)),
    "Country211": (_Known, _split(211, train=31650, valid=10550, test=21100)),
    "StanfordCars": (_Known, _split(196, train=8144, test=8041)),
    "RenderedSST2": (_Known, dict(_split(2, train=6920, val=872, test=1821), _size=(448, 448))),
    "Imagenette": (_Known, dict(_SPLIT, _lengths=dict(train=9469, val=3925), _words=("size", "download", "transform", "target_transform"))),
    "ImageNet": (_Known, dict(_split(1000, train=1281167, val=50000))),
    "DTD": (_Known, dict(_split(47, train=1880, val=1880, test=1880), _words=("partition", "transform", "target_transform", "download"))),
    "FGVCAircraft": (_Known, dict(_part="split", _default="trainval", _classes=100, _lengths=dict(train=3334, val=3333, trainval=6667, test=3333), _words=("annotation_level", "transform", "target_transform", "download"))),
    "OxfordIIITPet": (_Known, dict(_part="split", _default="trainval", _classes=37, _lengths=dict(trainval=3680, test=3669), _words=("target_types", "transforms", "transform", "target_transform", "download"))),
    "Places365": (_Known, dict(_part="split", _default="train-standard", _classes=365, _lengths={"train-standard": 1803460, "train-challenge": 8026628, "val": 36500, "test": 328500}, _words=("small", "download", "transform", "target_transform", "loader"))),
    "EuroSAT": (_Known, dict(_part=None, _default=None, _lengths={None: 27000}, _size=(64, 64))),
    "SUN397": (_Known, dict(_part=None, _default=None, _lengths={None: 108754}, _classes=397)),
    "Caltech256": (_Known, dict(_part=None, _default=None, _lengths={None: 30607}, _classes=257)),
    "SEMEION": (_Known, dict(_part=None, _default=None, _lengths={None: 1593}, _mode="L", _size=(16, 16))),
    "Omniglot": (_Known, dict(_part="background", _lengths={True: 19280, False: 13180}, _mode="L", _size=(105, 105), _classes=964)),
    "STL10": (_Planes, dict(_split(10, train=5000, test=8000, unlabeled=100000), _size=(96, 96), _words=("folds", "transform", "target_transform", "download"))),
}
_KNOWN["STL10"][1]["_lengths"]["train+unlabeled"] = 105000
for _name, (_base, _facts) in _KNOWN.items():
    _tensorvet.define(_name, type(_name, (_base,), _facts))


class EMNIST(MNIST):
    """Letters and digits, split in several ways."""

    _part, _default = "split", None
    _words = ("train", "transform", "target_transform", "download")
    _SPLITS = {"byclass": (697932, 116323, 62), "bymerge": (697932, 116323, 47), "balanced": (112800, 18800, 47), "letters": (124800, 20800, 37), "digits": (240000, 40000, 10), "mnist": (60000, 10000, 10)}

    def __init__(self, root, split, train=True, **options):
        if split not in self._SPLITS:
            raise ValueError("Unknown value '" + str(split) + "' for argument split.")
        training, testing, self._classes = self._SPLITS[split]
        self._lengths = {split: training if train else testing}
        super().__init__(root, split, **options)


class QMNIST(MNIST):
    def __init__(self, root, what=None, compat=True, train=True, **options):
        super().__init__(root, train, **options)


class FakeData(VisionDataset):
    def __init__(self, size=1000, image_size=(3, 224, 224), num_classes=10, transform=None, target_transform=None, random_offset=0):
        super().__init__(None, None, transform, target_transform)
        self.size, self.image_size, self.num_classes = size, image_size, num_classes

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        from torchvision.transforms.functional import to_pil_image

        if _tensorvet.decided(index >= self.size):
            raise IndexError("FakeData index out of range")
        return self._transformed(to_pil_image(made("f32", list(self.image_size))), label(self.num_classes))


class CelebA(_Known):
    """Faces with attributes; the kind of target is asked for by name."""

    _part, _default, _lengths = "split", "train", {"train": 162770, "valid": 19867, "test": 19962, "all": 202599}
    _size, _classes = (178, 218), 40
    _words = ("target_type", "transform", "target_transform", "download")
    _TARGETS = {"attr": [40], "bbox": [4], "landmarks": [10]}

    def __init__(self, root, split="train", target_type="attr", transform=None, target_transform=None, download=False):
        super().__init__(root, split, target_type, transform, target_transform, download)
        self.target_type = target_type if isinstance(target_type, list) else [target_type]

    def _target(self):
        parts = [label(10177) if kind == "identity" else made("i64", self._TARGETS[kind]) for kind in self.target_type]
        return tuple(parts) if len(parts) > 1 else parts[0] if parts else None


class LSUN(_Known):
    _part, _default, _classes = "classes", "train", 10
    _words = ("transform", "target_transform")


class _Described(_Known):
    """Images with a description that is no tensor."""

    _words = ("year", "image_set", "download", "transform", "target_transform", "transforms")
    _part, _default = None, None

    def _target(self):
        return _tensorvet.unknown("the annotation of an image")


class VOCDetection(_Described):
    pass


class VOCSegmentation(_Described):
    """Images with a mask of the same size."""

    def __getitem__(self, index):
        image = self._image()
        return self._transformed(image, Image.new("P", image.size))


class CocoDetection(_Described):
    _words = ("annFile", "transform", "target_transform", "transforms")


class CocoCaptions(CocoDetection):
    pass


class Cityscapes(VOCSegmentation):
    _words = ("split", "mode", "target_type", "transform", "target_transform", "transforms")


def wrap_dataset_for_transforms_v2(dataset, target_keys=None):
    return dataset


def __getattr__(name):
    return _tensorvet.unknown("`torchvision.datasets." + name + "` is not modelled")
