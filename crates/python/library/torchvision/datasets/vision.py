"""What all data sets of images share."""

import _tensorvet
from torch.utils.data import Dataset


class VisionDataset(Dataset):
    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError("Only transforms or transform/target_transform can be passed as argument")
        self.root, self.transforms, self.transform, self.target_transform = root, transforms, transform, target_transform

    def _transformed(self, image, target):
        if self.transforms is not None:
            return self.transforms(image, target)
        image = image if self.transform is None else self.transform(image)
        return image, target if self.target_transform is None else self.target_transform(target)


def label(classes):
    """The number of a class."""
    return _tensorvet.symbol("label", 0, classes - 1, "the class of a sample")
