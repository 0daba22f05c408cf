"""An image is a size and a mode; what it shows is not known."""

import _tensorvet

NEAREST, LANCZOS, BILINEAR, BICUBIC, BOX, HAMMING = 0, 1, 2, 3, 4, 5
ANTIALIAS = LANCZOS
FLIP_LEFT_RIGHT, FLIP_TOP_BOTTOM, ROTATE_90, ROTATE_180, ROTATE_270, TRANSPOSE, TRANSVERSE = range(7)


class Resampling:
    NEAREST, LANCZOS, BILINEAR, BICUBIC, BOX, HAMMING = 0, 1, 2, 3, 4, 5


class Transpose:
    FLIP_LEFT_RIGHT, FLIP_TOP_BOTTOM, ROTATE_90, ROTATE_180, ROTATE_270, TRANSPOSE, TRANSVERSE = range(7)


_CHANNELS = {"1": 1, "L": 1, "P": 1, "I": 1, "F": 1, "LA": 2, "RGB": 3, "YCbCr": 3, "LAB": 3, "HSV": 3, "RGBA": 4, "CMYK": 4}


class Image:
    format = None
    info = {}

    def __init__(self, mode="RGB", size=(1, 1)):
        self.mode, self.size = mode, tuple(size)

    @property
    def width(self):
        return self.size[0]

    @property
    def height(self):
        return self.size[1]

    def _like(self, size=None, mode=None):
        return Image(self.mode if mode is None else mode, self.size if size is None else size)

    def convert(self, mode=None, *arguments, **options):
        return self._like(mode=mode)

    def resize(self, size, *arguments, **options):
        return self._like(size=size)

    def crop(self, box=None):
        return self._like() if box is None else self._like(size=(box[2] - box[0], box[3] - box[1]))

    def transpose(self, method):
        return self._like(size=self.size[::-1] if method in (2, 4, 5, 6) else self.size)

    def rotate(self, angle, resample=0, expand=False, **options):
        if not expand:
            return self._like()
        return self._like(size=(_side("width"), _side("height")))

    def copy(self):
        return self._like()

    filter = point = enhance = quantize = remap_palette = lambda self, *arguments, **options: self._like()

    def getbands(self):
        return _tensorvet.unknown("the bands of an image", "tuple") if self.mode not in _CHANNELS else tuple(self.mode)

    def split(self):
        return tuple(self._like(mode="L") for _ in range(_CHANNELS[self.mode]))

    def getchannel(self, channel):
        return self._like(mode="L")

    def getpixel(self, place):
        return _tensorvet.unknown("a pixel")

    def thumbnail(self, size, *arguments, **options):
        self.size = (_side("width"), _side("height"))

    def load(self):
        return self

    def save(self, *arguments, **options):
        return None

    show = close = putalpha = paste = putpixel = verify = seek = save

    def tobytes(self, *arguments):
        return _tensorvet.unknown("the bytes of an image", "bytes")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


def _side(name):
    return _tensorvet.symbol(name, 1, 65535, "the size of an image")


def open(file, mode="r", **options):
    return Image(_tensorvet.unknown("the mode of an image", "str"), (_side("width"), _side("height")))


def new(mode, size, color=0):
    return Image(mode, size)


def fromarray(array, mode=None):
    shape = array.shape
    channels = {1: "L", 3: "RGB", 4: "RGBA"}
    if mode is None:
        mode = "L" if len(shape) == 2 else channels.get(shape[2], "RGB")
    return Image(mode, (shape[1], shape[0]))


def merge(mode, bands):
    return Image(mode, bands[0].size)


def blend(first, second, alpha):
    return first.copy()


composite = alpha_composite = blend


def frombytes(mode, size, *arguments, **options):
    return Image(mode, size)
