"""Two views through one net, joined in a way of one's choice."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Branch(nn.Module):
    def __init__(self, features, out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features, 12), nn.ReLU(), nn.Linear(12, out))

    def forward(self, x):
        return self.net(x)


class Siamese(nn.Module):
    def __init__(self, features=6, out=8, out_right=None, merge="abs", share=True, head=8, margin=1.0):
        super().__init__()
        self.left = Branch(features, out)
        if share:
            if out_right is not None and out_right != out:
                raise ValueError("a shared branch has one width")
            self.right = self.left
        else:
            self.right = Branch(features, out_right or out)
        self.merge = merge
        self.head = nn.Linear(head, 1) if merge not in ("cosine", "triplet") else None
        self.margin = margin

    def forward(self, a, b):
        u, v = self.left(a), self.right(b)
        if self.merge == "cosine":
            return F.cosine_similarity(u, v)
        if self.merge == "abs":
            joined = (u - v).abs()
        elif self.merge == "concat":
            joined = torch.cat([u, v], -1)
        elif self.merge == "outer":
            joined = torch.einsum("bi,bj->bij", u, v).flatten(1)
        elif self.merge == "bilinear":
            joined = nn.Bilinear(u.size(1), v.size(1), 8)(u, v)
        elif self.merge == "triplet":
            return F.triplet_margin_loss(u, v, v.flip(0), margin=self.margin)
        else:
            raise NotImplementedError(self.merge)
        return self.head(joined)


def run(a, b, **kw):
    return Siamese(**kw)(a, b)
