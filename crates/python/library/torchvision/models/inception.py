"""Inception, version 3."""

from collections import namedtuple

from torch import cat, flatten, nn
from torch.nn import functional as F
from torchvision.models.googlenet import BasicConv2d

InceptionOutputs = namedtuple("InceptionOutputs", ["logits", "aux_logits"])
# How the named convolutions of a branch look; a branch is a chain of them, `|` splits it in two.
_KERNELS = {"1x1": dict(kernel_size=1), "3x3": dict(kernel_size=3, padding=1), "3x3s2": dict(kernel_size=3, stride=2), "5x5": dict(kernel_size=5, padding=2), "1x7": dict(kernel_size=(1, 7), padding=(0, 3)), "7x1": dict(kernel_size=(7, 1), padding=(3, 0)), "1x3": dict(kernel_size=(1, 3), padding=(0, 1)), "3x1": dict(kernel_size=(3, 1), padding=(1, 0))}


class _Mixed(nn.Module):
    """Branches side by side: each a list of (name, channels, kernel), with pooling first or alone."""

    def __init__(self, before, branches):
        super().__init__()
        self._branches = branches
        for branch in branches:
            width = before
            for step in branch:
                if isinstance(step, tuple):
                    name, channels, kernel = step
                    setattr(self, name, BasicConv2d(width, channels, **_KERNELS[kernel]))
                    width = channels
                elif isinstance(step, list):
                    for name, channels, kernel in step:
                        setattr(self, name, BasicConv2d(width, channels, **_KERNELS[kernel]))

    def forward(self, x):
        found = []
        for branch in self._branches:
            y = x
            for step in branch:
                if step == "average":
                    y = F.avg_pool2d(y, 3, 1, 1)
                elif step == "maximum":
                    y = F.max_pool2d(y, 3, 2)
                elif isinstance(step, list):
                    y = cat([getattr(self, name)(y) for name, _, _ in step], 1)
                else:
                    y = getattr(self, step[0])(y)
            found.append(y)
        return cat(found, 1)


def _a(pooled):
    return [[("branch1x1", 64, "1x1")], [("branch5x5_1", 48, "1x1"), ("branch5x5_2", 64, "5x5")], [("branch3x3dbl_1", 64, "1x1"), ("branch3x3dbl_2", 96, "3x3"), ("branch3x3dbl_3", 96, "3x3")], ["average", ("branch_pool", pooled, "1x1")]]


_B = [[("branch3x3", 384, "3x3s2")], [("branch3x3dbl_1", 64, "1x1"), ("branch3x3dbl_2", 96, "3x3"), ("branch3x3dbl_3", 96, "3x3s2")], ["maximum"]]


def _c(wide):
    return [[("branch1x1", 192, "1x1")], [("branch7x7_1", wide, "1x1"), ("branch7x7_2", wide, "1x7"), ("branch7x7_3", 192, "7x1")], [("branch7x7dbl_1", wide, "1x1"), ("branch7x7dbl_2", wide, "7x1"), ("branch7x7dbl_3", wide, "1x7"), ("branch7x7dbl_4", wide, "7x1"), ("branch7x7dbl_5", 192, "1x7")], ["average", ("branch_pool", 192, "1x1")]]


_D = [[("branch3x3_1", 192, "1x1"), ("branch3x3_2", 320, "3x3s2")], [("branch7x7x3_1", 192, "1x1"), ("branch7x7x3_2", 192, "1x7"), ("branch7x7x3_3", 192, "7x1"), ("branch7x7x3_4", 192, "3x3s2")], ["maximum"]]
_E = [[("branch1x1", 320, "1x1")], [("branch3x3_1", 384, "1x1"), [("branch3x3_2a", 384, "1x3"), ("branch3x3_2b", 384, "3x1")]], [("branch3x3dbl_1", 448, "1x1"), ("branch3x3dbl_2", 384, "3x3"), [("branch3x3dbl_3a", 384, "1x3"), ("branch3x3dbl_3b", 384, "3x1")]], ["average", ("branch_pool", 192, "1x1")]]


class InceptionAux(nn.Module):
    def __init__(self, before, num_classes):
        super().__init__()
        self.conv0, self.conv1 = BasicConv2d(before, 128, kernel_size=1), BasicConv2d(128, 768, kernel_size=5)
        self.fc = nn.Linear(768, num_classes)

    def forward(self, x):
        x = self.conv1(self.conv0(F.avg_pool2d(x, 5, 3)))
        return self.fc(flatten(F.adaptive_avg_pool2d(x, (1, 1)), 1))


class Inception3(nn.Module):
    def __init__(self, num_classes=1000, aux_logits=True, transform_input=False, inception_blocks=None, init_weights=None, dropout=0.5):
        super().__init__()
        self.aux_logits = aux_logits
        self.Conv2d_1a_3x3, self.Conv2d_2a_3x3, self.Conv2d_2b_3x3 = BasicConv2d(3, 32, kernel_size=3, stride=2), BasicConv2d(32, 32, kernel_size=3), BasicConv2d(32, 64, kernel_size=3, padding=1)
        self.maxpool1, self.maxpool2 = nn.MaxPool2d(3, 2), nn.MaxPool2d(3, 2)
        self.Conv2d_3b_1x1, self.Conv2d_4a_3x3 = BasicConv2d(64, 80, kernel_size=1), BasicConv2d(80, 192, kernel_size=3)
        self.Mixed_5b, self.Mixed_5c, self.Mixed_5d = _Mixed(192, _a(32)), _Mixed(256, _a(64)), _Mixed(288, _a(64))
        self.Mixed_6a = _Mixed(288, _B)
        self.Mixed_6b, self.Mixed_6c, self.Mixed_6d, self.Mixed_6e = _Mixed(768, _c(128)), _Mixed(768, _c(160)), _Mixed(768, _c(160)), _Mixed(768, _c(192))
        self.AuxLogits = InceptionAux(768, num_classes) if aux_logits else None
        self.Mixed_7a, self.Mixed_7b, self.Mixed_7c = _Mixed(768, _D), _Mixed(1280, _E), _Mixed(2048, _E)
        self.avgpool, self.dropout, self.fc = nn.AdaptiveAvgPool2d((1, 1)), nn.Dropout(dropout), nn.Linear(2048, num_classes)

    def forward(self, x):
        x = self.maxpool1(self.Conv2d_2b_3x3(self.Conv2d_2a_3x3(self.Conv2d_1a_3x3(x))))
        x = self.maxpool2(self.Conv2d_4a_3x3(self.Conv2d_3b_1x1(x)))
        x = self.Mixed_6a(self.Mixed_5d(self.Mixed_5c(self.Mixed_5b(x))))
        x = self.Mixed_6e(self.Mixed_6d(self.Mixed_6c(self.Mixed_6b(x))))
        with_aux = self.training and self.aux_logits
        aux = self.AuxLogits(x) if with_aux else None
        x = self.Mixed_7c(self.Mixed_7b(self.Mixed_7a(x)))
        x = self.fc(flatten(self.dropout(self.avgpool(x)), 1))
        return InceptionOutputs(x, aux) if with_aux else x


def build(name, trained, **options):
    return Inception3(**options)
