"""Separable and depthwise convolutions in Keras."""
from keras import layers


def run(x, filters, kernel, strides, dilation, multiplier, padding):
    x = layers.SeparableConv2D(filters, kernel, strides=strides, padding=padding)(x)
    x = layers.DepthwiseConv2D(kernel, depth_multiplier=multiplier, dilation_rate=dilation, padding=padding)(x)
    x = layers.ZeroPadding2D(1)(x)
    x = layers.Cropping2D(2)(x)
    return layers.GlobalMaxPooling2D()(x)
