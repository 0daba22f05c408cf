"""GoogLeNet: four ways side by side."""

from collections import namedtuple

from torch import cat, flatten, nn
from torch.nn import functional as F

GoogLeNetOutputs = namedtuple("GoogLeNetOutputs", ["logits", "aux_logits2", "aux_logits1"])


class BasicConv2d(nn.Module):
    def __init__(self, before, channels, **options):
        super().__init__()
        self.conv = nn.Conv2d(before, channels, bias=False, **options)
        self.bn = nn.BatchNorm2d(channels, eps=0.001)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)), inplace=True)


class Inception(nn.Module):
    def __init__(self, before, ones, threes_before, threes, fives_before, fives, pooled):
        super().__init__()
        self.branch1 = BasicConv2d(before, ones, kernel_size=1)
        self.branch2 = nn.Sequential(BasicConv2d(before, threes_before, kernel_size=1), BasicConv2d(threes_before, threes, kernel_size=3, padding=1))
        self.branch3 = nn.Sequential(BasicConv2d(before, fives_before, kernel_size=1), BasicConv2d(fives_before, fives, kernel_size=3, padding=1))
        self.branch4 = nn.Sequential(nn.MaxPool2d(3, 1, 1, ceil_mode=True), BasicConv2d(before, pooled, kernel_size=1))

    def forward(self, x):
        return cat([self.branch1(x), self.branch2(x), self.branch3(x), self.branch4(x)], 1)


class InceptionAux(nn.Module):
    def __init__(self, before, num_classes):
        super().__init__()
        self.conv = BasicConv2d(before, 128, kernel_size=1)
        self.fc1, self.fc2, self.dropout = nn.Linear(2048, 1024), nn.Linear(1024, num_classes), nn.Dropout(0.7)

    def forward(self, x):
        x = flatten(self.conv(F.adaptive_avg_pool2d(x, (4, 4))), 1)
        return self.fc2(self.dropout(F.relu(self.fc1(x), inplace=True)))


_INCEPTIONS = {"3a": (192, 64, 96, 128, 16, 32, 32), "3b": (256, 128, 128, 192, 32, 96, 64), "4a": (480, 192, 96, 208, 16, 48, 64), "4b": (512, 160, 112, 224, 24, 64, 64), "4c": (512, 128, 128, 256, 24, 64, 64), "4d": (512, 112, 144, 288, 32, 64, 64), "4e": (528, 256, 160, 320, 32, 128, 128), "5a": (832, 256, 160, 320, 32, 128, 128), "5b": (832, 384, 192, 384, 48, 128, 128)}


class GoogLeNet(nn.Module):
    def __init__(self, num_classes=1000, aux_logits=True, transform_input=False, init_weights=None, blocks=None, dropout=0.2, dropout_aux=0.7):
        super().__init__()
        self.aux_logits = aux_logits
        self.conv1, self.maxpool1 = BasicConv2d(3, 64, kernel_size=7, stride=2, padding=3), nn.MaxPool2d(3, 2, ceil_mode=True)
        self.conv2, self.conv3, self.maxpool2 = BasicConv2d(64, 64, kernel_size=1), BasicConv2d(64, 192, kernel_size=3, padding=1), nn.MaxPool2d(3, 2, ceil_mode=True)
        for name, numbers in _INCEPTIONS.items():
            setattr(self, "inception" + name, Inception(*numbers))
        self.maxpool3, self.maxpool4 = nn.MaxPool2d(3, 2, ceil_mode=True), nn.MaxPool2d(2, 2, ceil_mode=True)
        self.aux1, self.aux2 = (InceptionAux(512, num_classes), InceptionAux(528, num_classes)) if aux_logits else (None, None)
        self.avgpool, self.dropout, self.fc = nn.AdaptiveAvgPool2d((1, 1)), nn.Dropout(dropout), nn.Linear(1024, num_classes)

    def forward(self, x):
        x = self.maxpool2(self.conv3(self.conv2(self.maxpool1(self.conv1(x)))))
        x = self.inception4a(self.maxpool3(self.inception3b(self.inception3a(x))))
        with_aux = self.training and self.aux_logits
        first = self.aux1(x) if with_aux else None
        x = self.inception4d(self.inception4c(self.inception4b(x)))
        second = self.aux2(x) if with_aux else None
        x = self.inception5b(self.inception5a(self.maxpool4(self.inception4e(x))))
        x = self.fc(self.dropout(flatten(self.avgpool(x), 1)))
        return GoogLeNetOutputs(x, second, first) if with_aux else x


def build(name, trained, **options):
    wanted = options.get("aux_logits", not trained)
    return GoogLeNet(**dict(options, aux_logits=wanted))
