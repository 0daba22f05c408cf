"""Digits and letters."""

from torchvision.datasets import EMNIST, KMNIST, MNIST, QMNIST, FashionMNIST
