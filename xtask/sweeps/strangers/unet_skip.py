"""A U-net whose skips are concatenated or added, and whose sizes may not meet."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class DoubleConv(nn.Module):
    def __init__(self, in_ch, out_ch, mid=None, padding=1):
        super().__init__()
        mid = mid or out_ch
        self.body = nn.Sequential(
            nn.Conv2d(in_ch, mid, 3, padding=padding), nn.BatchNorm2d(mid), nn.ReLU(inplace=True),
            nn.Conv2d(mid, out_ch, 3, padding=padding), nn.BatchNorm2d(out_ch), nn.ReLU(inplace=True))

    def forward(self, x):
        return self.body(x)


class Up(nn.Module):
    def __init__(self, in_ch, out_ch, bilinear, join, fit):
        super().__init__()
        self.join, self.fit = join, fit
        if bilinear:
            self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
            self.reduce = nn.Conv2d(in_ch, in_ch // 2, 1)
        else:
            self.up = nn.ConvTranspose2d(in_ch, in_ch // 2, kernel_size=2, stride=2)
            self.reduce = nn.Identity()
        self.conv = DoubleConv(in_ch if join == "cat" else in_ch // 2, out_ch)

    def forward(self, x1, x2):
        x1 = self.reduce(self.up(x1))
        if self.fit == "pad":
            dy = x2.size()[2] - x1.size()[2]
            dx = x2.size()[3] - x1.size()[3]
            x1 = F.pad(x1, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        elif self.fit == "crop":
            x2 = x2[..., : x1.shape[-2], : x1.shape[-1]]
        if self.join == "cat":
            x = torch.cat([x2, x1], dim=1)
        else:
            x = x1 + x2
        return self.conv(x)


class UNet(nn.Module):
    def __init__(self, base=4, depth=2, growth=2, bilinear=False, join="cat", fit="none", padding=1, classes=2):
        super().__init__()
        chans = [base * growth ** i for i in range(depth + 1)]
        self.inc = DoubleConv(3, chans[0], padding=padding)
        self.downs = nn.ModuleList()
        for i in range(depth):
            self.downs.append(nn.Sequential(nn.MaxPool2d(2), DoubleConv(chans[i], chans[i + 1], padding=padding)))
        self.ups = nn.ModuleList([Up(chans[i], chans[i - 1], bilinear, join, fit) for i in range(depth, 0, -1)])
        self.outc = nn.Conv2d(chans[0], classes, kernel_size=1)

    def forward(self, x):
        skips = [self.inc(x)]
        for down in self.downs:
            skips.append(down(skips[-1]))
        x = skips.pop()
        for up in self.ups:
            x = up(x, skips.pop())
        return self.outc(x)


def run(x, **kw):
    return UNet(**kw)(x)
