"""ShuffleNet, version 2: halves that are mixed."""

from torch import cat, nn
from torch.nn import functional as F

_KNOWN = {"x0_5": (24, 48, 96, 192, 1024), "x1_0": (24, 116, 232, 464, 1024), "x1_5": (24, 176, 352, 704, 1024), "x2_0": (24, 244, 488, 976, 2048)}


def _deep(channels, stride):
    return [nn.Conv2d(channels, channels, 3, stride, 1, groups=channels, bias=False), nn.BatchNorm2d(channels)]


def _point(before, channels):
    return [nn.Conv2d(before, channels, 1, bias=False), nn.BatchNorm2d(channels), nn.ReLU(inplace=True)]


class InvertedResidual(nn.Module):
    def __init__(self, inp, oup, stride):
        super().__init__()
        half, self.stride = oup // 2, stride
        self.branch1 = nn.Sequential(*_deep(inp, stride), *_point(inp, half)) if stride > 1 else nn.Sequential()
        self.branch2 = nn.Sequential(*_point(inp if stride > 1 else half, half), *_deep(half, stride), *_point(half, half))

    def forward(self, x):
        if self.stride == 1:
            kept, x = x.chunk(2, dim=1)
            return F.channel_shuffle(cat((kept, self.branch2(x)), dim=1), 2)
        return F.channel_shuffle(cat((self.branch1(x), self.branch2(x)), dim=1), 2)


class ShuffleNetV2(nn.Module):
    def __init__(self, stages_repeats, stages_out_channels, num_classes=1000, inverted_residual=InvertedResidual):
        super().__init__()
        before = stages_out_channels[0]
        self.conv1 = nn.Sequential(nn.Conv2d(3, before, 3, 2, 1, bias=False), nn.BatchNorm2d(before), nn.ReLU(inplace=True))
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        for number, (count, channels) in enumerate(zip(stages_repeats, stages_out_channels[1:])):
            blocks = [inverted_residual(before, channels, 2)] + [inverted_residual(channels, channels, 1) for _ in range(count - 1)]
            setattr(self, "stage" + str(number + 2), nn.Sequential(*blocks))
            before = channels
        last = stages_out_channels[-1]
        self.conv5 = nn.Sequential(*_point(before, last))
        self.fc = nn.Linear(last, num_classes)

    def forward(self, x):
        x = self.stage4(self.stage3(self.stage2(self.maxpool(self.conv1(x)))))
        return self.fc(self.conv5(x).mean([2, 3]))


def build(name, trained, **options):
    return ShuffleNetV2([4, 8, 4], _KNOWN[name.replace("shufflenet_v2_", "")], **options)
