"""A sequential image model with transposed convolutions and cropping."""
import keras
from keras import layers


def model():
    return keras.Sequential([
        keras.Input((16, 16, 3), batch_size=2, name="img"),
        layers.Rescaling(1.0 / 255, name="scale"),
        layers.Conv2D(8, 3, strides=2, padding="same", name="c1"),
        layers.DepthwiseConv2D(3, depth_multiplier=1, name="dw"),
        layers.UnitNormalization(name="unit"),
        layers.ZeroPadding2D(1, name="pad"),
        layers.Conv2DTranspose(4, 2, strides=2, name="up"),
        layers.Cropping2D(((2, 2), (2, 2)), name="crop"),
        layers.AveragePooling2D(2, name="avg"),
        layers.UpSampling2D(2, interpolation="nearest", name="upsample"),
        layers.SpatialDropout2D(0.2, name="drop"),
        layers.GlobalMaxPooling2D(name="gmp"),
        layers.RepeatVector(3, name="rep"),
        layers.TimeDistributed(layers.Dense(4, name="td"), name="time"),
        layers.LSTM(6, return_sequences=True, name="lstm"),
        layers.Flatten(name="flat"),
        layers.Dense(2, name="out"),
    ], name="m")
