"""Message passing with scatter and index_add, an embedding bag, and sparse choices."""
import torch
from torch import nn, Tensor


class Conv(nn.Module):
    def __init__(self, cin, cout, heads=1, concat=True, reduce="sum", edge_dim=None):
        super().__init__()
        self.heads, self.cout, self.concat, self.reduce = heads, cout, concat, reduce
        self.lin = nn.Linear(cin, heads * cout, bias=False)
        self.att = nn.Parameter(torch.empty(1, heads, 2 * cout))
        nn.init.xavier_uniform_(self.att)
        self.bias = nn.Parameter(torch.zeros(heads * cout if concat else cout))
        self.edge = nn.Linear(edge_dim, cout) if edge_dim is not None else None

    def forward(self, x: Tensor, edges: Tensor, attr: Tensor | None = None):
        n = x.size(0)
        h = self.lin(x).view(-1, self.heads, self.cout)
        src, dst = edges
        m = torch.cat([h[src], h[dst]], dim=-1)
        alpha = nn.functional.leaky_relu((m * self.att).sum(-1), 0.2).exp()
        msg = h[src] * alpha.unsqueeze(-1)
        if self.edge is not None:
            msg = msg + self.edge(attr)[:, None]
        if self.reduce == "sum":
            out = torch.zeros_like(h).index_add_(0, dst, msg)
        else:
            index = dst[:, None, None].expand_as(msg)
            out = torch.zeros_like(h).scatter_reduce(0, index, msg, reduce=self.reduce)
        out = out.flatten(1) if self.concat else out.mean(1)
        return out + self.bias


class Net(nn.Module):
    def __init__(self, cin, hidden, classes, heads, layers, concat, reduce, edge_dim, jk, residual):
        super().__init__()
        self.convs = nn.ModuleList()
        self.jk, self.residual = jk, residual
        for i in range(layers):
            ci = cin if i == 0 else hidden * (heads if concat else 1)
            self.convs.append(Conv(ci, hidden, heads, concat, reduce, edge_dim))
        width = hidden * (heads if concat else 1)
        self.out = nn.Linear(width * layers if jk == "cat" else width, classes)

    def forward(self, x, edges, attr):
        xs = []
        for conv in self.convs:
            y = conv(x, edges, attr).relu()
            x = x + y if self.residual else y
            xs.append(x)
        if self.jk == "cat":
            x = torch.cat(xs, -1)
        elif self.jk == "max":
            x = torch.stack(xs, dim=0).max(dim=0).values
        return self.out(x).log_softmax(dim=-1)


def run(x, attr, edges, hidden=4, classes=3, heads=2, layers=2, concat=True, reduce="sum", edge_dim=5, jk=None, residual=False):
    net = Net(x.shape[1], hidden, classes, heads, layers, concat, reduce, edge_dim, jk, residual)
    y = net(x, edges, attr)
    return nn.functional.nll_loss(y, torch.zeros(6, dtype=torch.long))
