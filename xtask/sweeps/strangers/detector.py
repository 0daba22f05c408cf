"""A single-shot detector: a backbone by name, a feature pyramid, heads for each level and anchors."""
import math
from typing import Dict, List, NamedTuple

import torch
from torch import nn
from torch.nn import functional as F


class Level(NamedTuple):
    name: str
    channels: int
    stride: int


BACKBONES: Dict[str, List[Level]] = {
    "tiny": [Level("c3", 8, 2), Level("c4", 16, 4), Level("c5", 32, 8)],
    "slim": [Level("c4", 8, 2), Level("c5", 16, 4)],
}


class Backbone(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.stages = nn.ModuleDict()
        last = 3
        for level in levels:
            self.stages[level.name] = nn.Sequential(nn.Conv2d(last, level.channels, 3, 2, 1), nn.SiLU())
            last = level.channels

    def forward(self, x):
        out = {}
        for name, stage in self.stages.items():
            x = stage(x)
            out[name] = x
        return out


class FPN(nn.Module):
    def __init__(self, in_channels: List[int], width: int, mode: str):
        super().__init__()
        self.lateral = nn.ModuleList(nn.Conv2d(c, width, 1) for c in in_channels)
        self.smooth = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1) for _ in in_channels)
        self.mode = mode

    def forward(self, features):
        laterals = [conv(f) for conv, f in zip(self.lateral, features)]
        for i in range(len(laterals) - 1, 0, -1):
            if self.mode == "size":
                up = F.interpolate(laterals[i], size=laterals[i - 1].shape[-2:], mode="nearest")
            else:
                up = F.interpolate(laterals[i], scale_factor=2, mode=self.mode)
            laterals[i - 1] = laterals[i - 1] + up
        return [conv(f) for conv, f in zip(self.smooth, laterals)]


class Head(nn.Module):
    def __init__(self, width, anchors, classes, shared_norm):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.norm = nn.GroupNorm(shared_norm, width) if shared_norm else nn.Identity()
        self.cls = nn.Conv2d(width, anchors * classes, 1)
        self.box = nn.Conv2d(width, anchors * 4, 1)
        self.classes = classes

    def forward(self, feature):
        x = F.relu(self.norm(self.conv(feature)))
        n = x.shape[0]
        cls = self.cls(x).permute(0, 2, 3, 1).reshape(n, -1, self.classes)
        box = self.box(x).permute(0, 2, 3, 1).reshape(n, -1, 4)
        return cls, box


class Detector(nn.Module):
    def __init__(self, backbone="tiny", returned=("c3", "c4", "c5"), width=16, mode="size", anchors=3, classes=5,
                 shared_norm=4, top=50):
        super().__init__()
        levels = BACKBONES[backbone]
        by_name = {level.name: level for level in levels}
        missing = [name for name in returned if name not in by_name]
        if missing:
            raise KeyError(f"{backbone} has no {missing}")
        self.returned = returned
        self.backbone = Backbone(levels)
        self.fpn = FPN([by_name[name].channels for name in returned], width, mode)
        self.head = Head(width, anchors, classes, shared_norm)
        self.top = top

    def forward(self, images):
        features = self.backbone(images)
        pyramid = self.fpn([features[name] for name in self.returned])
        outs = [self.head(p) for p in pyramid]
        cls = torch.cat([o[0] for o in outs], dim=1)
        box = torch.cat([o[1] for o in outs], dim=1)
        scores, index = cls.sigmoid().max(dim=2)[0].topk(self.top, dim=1)
        return scores, torch.gather(box, 1, index.unsqueeze(-1).expand(-1, -1, 4))


def run(images, **kw):
    return Detector(**kw)(images)
