"""Separable and depthwise convolutions in Keras."""
from keras import Input, Model, layers


def model():
    x = Input((9, 9, 2), batch_size=1, name="x")
    y = layers.SeparableConv2D(3, 3, name="separable")(x)
    y = layers.DepthwiseConv2D(3, name="depthwise")(y)
    y = layers.ZeroPadding2D(1, name="pad")(y)
    y = layers.Cropping2D(2, name="crop")(y)
    return Model(x, layers.GlobalMaxPooling2D(name="max")(y))
