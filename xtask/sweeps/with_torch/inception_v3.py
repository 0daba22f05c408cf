"""Inception-v3; `width` is what one sixteenth of its channels is."""
import torch
from torch import nn
from torch.nn import functional as F


class Unit(nn.Module):
    def __init__(self, inputs, outputs, kernel, stride=1, padding=0):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False)
        self.norm = nn.BatchNorm2d(outputs, eps=0.001)

    def forward(self, x):
        x = self.conv(x)
        x = self.norm(x)
        return F.relu(x)


class MixedA(nn.Module):
    def __init__(self, inputs, pooled, w):
        super().__init__()
        self.one = Unit(inputs, 4 * w, 1)
        self.five1 = Unit(inputs, 3 * w, 1)
        self.five2 = Unit(3 * w, 4 * w, 5, padding=2)
        self.three1 = Unit(inputs, 4 * w, 1)
        self.three2 = Unit(4 * w, 6 * w, 3, padding=1)
        self.three3 = Unit(6 * w, 6 * w, 3, padding=1)
        self.pool = Unit(inputs, pooled, 1)

    def forward(self, x):
        one = self.one(x)
        five = self.five2(self.five1(x))
        three = self.three3(self.three2(self.three1(x)))
        pool = self.pool(F.avg_pool2d(x, 3, 1, 1))
        return torch.cat([one, five, three, pool], 1)


class MixedB(nn.Module):
    def __init__(self, inputs, w):
        super().__init__()
        self.three = Unit(inputs, 24 * w, 3, stride=2)
        self.double1 = Unit(inputs, 4 * w, 1)
        self.double2 = Unit(4 * w, 6 * w, 3, padding=1)
        self.double3 = Unit(6 * w, 6 * w, 3, stride=2)

    def forward(self, x):
        three = self.three(x)
        double = self.double3(self.double2(self.double1(x)))
        pool = F.max_pool2d(x, 3, 2)
        return torch.cat([three, double, pool], 1)


class MixedC(nn.Module):
    def __init__(self, inputs, c, w):
        super().__init__()
        self.one = Unit(inputs, 12 * w, 1)
        self.seven1 = Unit(inputs, c, 1)
        self.seven2 = Unit(c, c, (1, 7), padding=(0, 3))
        self.seven3 = Unit(c, 12 * w, (7, 1), padding=(3, 0))
        self.double1 = Unit(inputs, c, 1)
        self.double2 = Unit(c, c, (7, 1), padding=(3, 0))
        self.double3 = Unit(c, c, (1, 7), padding=(0, 3))
        self.double4 = Unit(c, c, (7, 1), padding=(3, 0))
        self.double5 = Unit(c, 12 * w, (1, 7), padding=(0, 3))
        self.pool = Unit(inputs, 12 * w, 1)

    def forward(self, x):
        one = self.one(x)
        seven = self.seven3(self.seven2(self.seven1(x)))
        double = self.double5(self.double4(self.double3(self.double2(self.double1(x)))))
        pool = self.pool(F.avg_pool2d(x, 3, 1, 1))
        return torch.cat([one, seven, double, pool], 1)


class MixedD(nn.Module):
    def __init__(self, inputs, w):
        super().__init__()
        self.three1 = Unit(inputs, 12 * w, 1)
        self.three2 = Unit(12 * w, 20 * w, 3, stride=2)
        self.seven1 = Unit(inputs, 12 * w, 1)
        self.seven2 = Unit(12 * w, 12 * w, (1, 7), padding=(0, 3))
        self.seven3 = Unit(12 * w, 12 * w, (7, 1), padding=(3, 0))
        self.seven4 = Unit(12 * w, 12 * w, 3, stride=2)

    def forward(self, x):
        three = self.three2(self.three1(x))
        seven = self.seven4(self.seven3(self.seven2(self.seven1(x))))
        pool = F.max_pool2d(x, 3, 2)
        return torch.cat([three, seven, pool], 1)


class MixedE(nn.Module):
    def __init__(self, inputs, w):
        super().__init__()
        self.one = Unit(inputs, 20 * w, 1)
        self.three1 = Unit(inputs, 24 * w, 1)
        self.three2a = Unit(24 * w, 24 * w, (1, 3), padding=(0, 1))
        self.three2b = Unit(24 * w, 24 * w, (3, 1), padding=(1, 0))
        self.double1 = Unit(inputs, 28 * w, 1)
        self.double2 = Unit(28 * w, 24 * w, 3, padding=1)
        self.double3a = Unit(24 * w, 24 * w, (1, 3), padding=(0, 1))
        self.double3b = Unit(24 * w, 24 * w, (3, 1), padding=(1, 0))
        self.pool = Unit(inputs, 12 * w, 1)

    def forward(self, x):
        one = self.one(x)
        three = self.three1(x)
        three = torch.cat([self.three2a(three), self.three2b(three)], 1)
        double = self.double2(self.double1(x))
        double = torch.cat([self.double3a(double), self.double3b(double)], 1)
        pool = self.pool(F.avg_pool2d(x, 3, 1, 1))
        return torch.cat([one, three, double, pool], 1)


class Inception3(nn.Module):
    def __init__(self, kernel1=3, kernel2=3, kernel3=3, width=16, classes=1000):
        super().__init__()
        w = width
        self.stem1 = Unit(3, 2 * w, kernel1, stride=2)
        self.stem2 = Unit(2 * w, 2 * w, kernel2)
        self.stem3 = Unit(2 * w, 4 * w, kernel3, padding=1)
        self.stem4 = Unit(4 * w, 5 * w, 1)
        self.stem5 = Unit(5 * w, 12 * w, 3)
        self.mixed_a1 = MixedA(12 * w, 2 * w, w)
        self.mixed_a2 = MixedA(16 * w, 4 * w, w)
        self.mixed_a3 = MixedA(18 * w, 4 * w, w)
        self.mixed_b = MixedB(18 * w, w)
        self.mixed_c1 = MixedC(48 * w, 8 * w, w)
        self.mixed_c2 = MixedC(48 * w, 10 * w, w)
        self.mixed_c3 = MixedC(48 * w, 10 * w, w)
        self.mixed_c4 = MixedC(48 * w, 12 * w, w)
        self.mixed_d = MixedD(48 * w, w)
        self.mixed_e1 = MixedE(80 * w, w)
        self.mixed_e2 = MixedE(128 * w, w)
        self.pool = nn.AdaptiveAvgPool2d((1, 1))
        self.dropout = nn.Dropout()
        self.fc = nn.Linear(128 * w, classes)

    def forward(self, x):
        x = self.stem1(x)
        x = self.stem2(x)
        x = self.stem3(x)
        x = F.max_pool2d(x, 3, 2)
        x = self.stem4(x)
        x = self.stem5(x)
        x = F.max_pool2d(x, 3, 2)
        x = self.mixed_a1(x)
        x = self.mixed_a2(x)
        x = self.mixed_a3(x)
        x = self.mixed_b(x)
        x = self.mixed_c1(x)
        x = self.mixed_c2(x)
        x = self.mixed_c3(x)
        x = self.mixed_c4(x)
        x = self.mixed_d(x)
        x = self.mixed_e1(x)
        x = self.mixed_e2(x)
        x = self.pool(x)
        x = self.dropout(x)
        x = torch.flatten(x, 1)
        return self.fc(x)


def run(x, kernel1, kernel2, kernel3, width):
    model = Inception3(kernel1, kernel2, kernel3, width, 10).eval()
    return model(x)
