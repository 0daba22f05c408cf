"""VGG, a sixteenth as wide, of a depth that is a hyper-parameter."""
from keras import layers

DEPTHS = {11: [1, 1, 2, 2, 2], 13: [2, 2, 2, 2, 2]}


def run(x, depth, kernel, padding, norm, pool):
    for block, count in enumerate(DEPTHS[depth]):
        width = min(4 * 2**block, 32)
        for _ in range(count):
            x = layers.Conv2D(width, kernel, padding=padding)(x)
            if norm:
                x = layers.BatchNormalization()(x)
            x = layers.ReLU()(x)
        x = layers.MaxPooling2D(pool)(x)
    x = layers.Flatten()(x)
    return layers.Dense(10)(x)
