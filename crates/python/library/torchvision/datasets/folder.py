"""Files in folders, one folder per class: how many there are only the run will tell."""

import _tensorvet
from PIL import Image
from torchvision.datasets.vision import VisionDataset

IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def pil_loader(path):
    return Image.open(path).convert("RGB")


default_loader = pil_loader


class DatasetFolder(VisionDataset):
    def __init__(self, root, loader, extensions=None, transform=None, target_transform=None, is_valid_file=None, allow_empty=False):
        super().__init__(root, None, transform, target_transform)
        self.loader, self.extensions = loader, extensions
        self._length = _tensorvet.symbol("samples", 1, 2147483646, "the number of files in the folder")
        self._number = _tensorvet.symbol("classes", 1, 1000000, "the number of folders")
        self.classes = _tensorvet.unknown("the names of folders", "list")
        self.class_to_idx = _tensorvet.unknown("the names of folders", "dict")
        self.samples = self.imgs = self.targets = _tensorvet.unknown("the files of folders", "list")

    def __len__(self):
        return self._length

    def __getitem__(self, index):
        target = _tensorvet.symbol("label", 0, 999999, "the class of a sample")
        return self._transformed(self.loader(_tensorvet.unknown("the name of a file", "str")), target)


class ImageFolder(DatasetFolder):
    def __init__(self, root, transform=None, target_transform=None, loader=default_loader, is_valid_file=None, allow_empty=False):
        super().__init__(root, loader, IMG_EXTENSIONS, transform, target_transform)
