"""One convolution, with everything that can be said of it."""
from keras import layers


def run(x, filters, kernel, stride, padding, dilation, groups):
    layer = layers.Conv2D(filters, kernel, strides=stride, padding=padding, dilation_rate=dilation, groups=groups)
    return layer(x)
