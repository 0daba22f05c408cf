"""Images change their size and mode; tensors are images whose last three axes are channels, height and width."""

import _tensorvet
from _tensorvet import made, operate, require
from PIL import Image
from torch import _types
from torch._rules import accept, kind_of, letter, like


class InterpolationMode:
    NEAREST, NEAREST_EXACT, BILINEAR, BICUBIC, BOX, HAMMING, LANCZOS = "nearest", "nearest-exact", "bilinear", "bicubic", "box", "hamming", "lanczos"


_CHANNELS = {"1": 1, "L": 1, "P": 1, "I": 1, "I;16": 1, "F": 1, "LA": 2, "RGB": 3, "YCbCr": 3, "LAB": 3, "HSV": 3, "RGBA": 4, "CMYK": 4, "RGBX": 4}
_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}


def pictured(img):
    """A tensor of the pixels of an image: whole numbers of one byte, or numbers between 0 and 1."""
    kind = _tensorvet.kind(img)
    return _tensorvet.lying(img, 0, 255, "images") if kind == "u8" else _tensorvet.lying(img, 0.0, 1.0, "images") if kind == "f32" else img


def moved(img, result):
    """Pixels that are those of an image, or black."""
    if not _tensorvet.follows_values() or not _tensorvet.is_tensor(img):
        return result
    if _tensorvet.kind(img) == "u8":
        return pictured(result)
    return _tensorvet.like_those_of(result, img, _tensorvet.number(_tensorvet.kind(img), 0.0))


def is_image(value):
    return isinstance(value, Image.Image)


def _checked(img):
    """Something that can be transformed."""
    if not is_image(img) and not _tensorvet.is_tensor(img) and not _tensorvet.is_unknown(img):
        raise TypeError("Unexpected type " + str(type(img)))
    if _tensorvet.is_tensor(img):
        require("a tensor that is an image has at least two axes", img.ndim >= 2, "shape", img)
    return img


def channels_of(image):
    """How many channels a PIL image has; one of unknown mode has between one and four, always the same."""
    if not _tensorvet.is_unknown(image.mode):
        return _CHANNELS[image.mode]
    if not hasattr(image, "_channels"):
        image._channels = _tensorvet.symbol("channels", 1, 4, "the channels of an image whose mode is not known")
    return image._channels


def get_dimensions(img):
    if is_image(img):
        return [channels_of(img), img.size[1], img.size[0]]
    _checked(img)
    return [img.shape[-3] if img.ndim > 2 else 1, img.shape[-2], img.shape[-1]]


def get_image_size(img):
    _, height, width = get_dimensions(img)
    return [width, height]


get_size = lambda img: get_dimensions(img)[1:]
get_image_num_channels = get_num_channels = lambda img: get_dimensions(img)[0]


def sized(img, height, width):
    """The image in another size."""
    for side in (height, width):
        require("an image has a positive size", side > 0, "value")
    if is_image(img):
        return img.resize((width, height))
    # Other sizes of whole numbers are whole numbers again.
    result = made(kind_of(img), [*img.shape[:-2], height, width])
    return pictured(result) if kind_of(img) == "u8" else result


def channelled(img, channels):
    """The image with another number of channels."""
    if is_image(img):
        return img.convert(_MODES[channels])
    return made(kind_of(img), [*img.shape[:-3], channels, *img.shape[-2:]])


def to_tensor(pic):
    if hasattr(pic, "_tensor"):
        array = pic._tensor
        require("an array that is an image has two or three axes", array.ndim in (2, 3), "shape", array)
        kind = "f32" if kind_of(array) == "u8" else kind_of(array)
        result = made(kind, [1, *array.shape]) if array.ndim == 2 else made(kind, [array.shape[2], array.shape[0], array.shape[1]])
        return pictured(result) if kind_of(array) == "u8" else result
    if _tensorvet.is_unknown(pic):
        return _tensorvet.unknown_tensor("f32")
    if not is_image(pic):
        raise TypeError("pic should be PIL Image or ndarray. Got " + str(type(pic)))
    channels, height, width = get_dimensions(pic)
    result = made({"I": "i32", "I;16": "i16", "F": "f32"}.get(pic.mode, "f32"), [channels, height, width])
    return result if not _tensorvet.is_unknown(pic.mode) and pic.mode in ("I", "I;16", "F") else pictured(result)


def pil_to_tensor(pic):
    if not is_image(pic):
        raise TypeError("pic should be PIL Image. Got " + str(type(pic)))
    return pictured(made("u8", get_dimensions(pic)))


def to_image(inpt):
    if _tensorvet.is_tensor(inpt):
        return inpt
    if hasattr(inpt, "_tensor"):
        array = inpt._tensor
        sizes = [*array.shape, 1] if array.ndim == 2 else array.shape
        return made(kind_of(array), [sizes[2], sizes[0], sizes[1]])
    return pil_to_tensor(inpt)


def to_pil_image(pic, mode=None):
    pic, last = (pic._tensor, True) if hasattr(pic, "_tensor") else (pic, False)
    if not _tensorvet.is_tensor(pic):
        raise TypeError("pic should be Tensor or ndarray. Got " + str(type(pic)) + ".")
    require("a picture has two or three axes", pic.ndim in (2, 3), "shape", pic)
    if pic.ndim == 2:
        return Image.new(mode or "L", (pic.shape[1], pic.shape[0]))
    channels = pic.shape[2 if last else 0]
    require("a picture has at most four channels", channels <= 4, "shape", pic)
    found = _MODES[channels] if _tensorvet.is_number(channels) else _tensorvet.unknown("the mode of an image", "str")
    return Image.new(mode or found, (pic.shape[1], pic.shape[0]) if last else (pic.shape[2], pic.shape[1]))


def normalize(tensor, mean, std, inplace=False):
    if _tensorvet.is_unknown(tensor):
        return tensor
    if not _tensorvet.is_tensor(tensor):
        raise TypeError("img should be Tensor Image. Got " + str(type(tensor)))
    accept("normalize", "hf", tensor)
    require("a tensor that is an image has channels, height and width", tensor.ndim >= 3, "shape", tensor)
    for numbers, name in ((mean, "mean"), (std, "std")):
        if isinstance(numbers, (list, tuple)):
            require("`" + name + "` has one number, or one per channel of the image", len(numbers) == 1 or len(numbers) == tensor.shape[-3], "shape", tensor)
            if name == "std" and any([number == 0 for number in numbers]):
                raise ValueError("std evaluated to zero after conversion, leading to division by zero.")
    if not _tensorvet.follows_values():
        return like(tensor)
    mean, std = _per_channel(tensor, mean), _per_channel(tensor, std)
    if mean is None or std is None:
        return like(tensor)
    return operate("div", operate("sub", tensor, mean, _as="Normalize"), std, _as="Normalize")


def _per_channel(tensor, numbers):
    """Numbers of a program, one for each channel, beside an image; None if they are not known."""
    if not isinstance(numbers, (list, tuple)):
        numbers = [numbers]
    if not all([isinstance(number, (int, float)) and not _tensorvet.is_unknown(number) for number in numbers]):
        return None
    return _tensorvet.constant(kind_of(tensor), [len(numbers), 1, 1], [float(number) for number in numbers])


def _resized(height, width, size, max_size=None):
    """Height and width once the shorter side is `size`."""
    if isinstance(size, (list, tuple)) and len(size) == 2:
        return size[0], size[1]
    size = size[0] if isinstance(size, (list, tuple)) else size
    short, long = min(height, width), max(height, width)
    other = size * long // short
    if max_size is not None and other > max_size:
        size, other = max_size * size // other, max_size
    return (size, other) if height <= width else (other, size)


def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    if not isinstance(size, (int, list, tuple)):
        raise TypeError("Size should be int or sequence. Got " + str(type(size)))
    if isinstance(size, (list, tuple)) and len(size) not in (1, 2):
        raise ValueError("If size is a sequence, it should have 1 or 2 values")
    if _tensorvet.is_unknown(img):
        return img
    _, height, width = get_dimensions(_checked(img))
    return sized(img, *_resized(height, width, size, max_size))


def pair(size):
    """Height and width, given as one number or two."""
    if isinstance(size, (list, tuple)):
        return (size[0], size[0]) if len(size) == 1 else (size[0], size[1])
    return size, size


def center_crop(img, output_size):
    return img if _tensorvet.is_unknown(img) else moved(img, sized(_checked(img), *pair(output_size)))


def crop(img, top, left, height, width):
    return img if _tensorvet.is_unknown(img) else moved(img, sized(_checked(img), height, width))


def resized_crop(img, top, left, height, width, size, interpolation=None, antialias=True):
    return img if _tensorvet.is_unknown(img) else sized(_checked(img), *pair(size))


def pad(img, padding, fill=0, padding_mode="constant"):
    if _tensorvet.is_unknown(img):
        return img
    if isinstance(padding, (list, tuple)) and len(padding) not in (1, 2, 4):
        raise ValueError("Padding must be an int or a 1, 2, or 4 element tuple, not a " + str(len(padding)) + " element tuple")
    parts = list(padding) if isinstance(padding, (list, tuple)) else [padding]
    left, top, right, bottom = parts * (4 // len(parts))
    _, height, width = get_dimensions(_checked(img))
    return sized(img, height + top + bottom, width + left + right)


def _parts(img, size):
    """The corners and the centre."""
    _, height, width = get_dimensions(img)
    rows, columns = pair(size)
    require("a crop fits the image", rows <= height and columns <= width, "value")
    return tuple([sized(img, rows, columns) for _ in range(5)])


def five_crop(img, size):
    return _parts(_checked(img), size)


def ten_crop(img, size, vertical_flip=False):
    return _parts(_checked(img), size) + _parts(img, size)


def rgb_to_grayscale(img, num_output_channels=1):
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    if _tensorvet.is_tensor(img):
        require("a grey image is made of one or three channels", img.ndim >= 3 and (img.shape[-3] == 1 or img.shape[-3] == 3), "shape", img)
    return img if _tensorvet.is_unknown(img) else channelled(_checked(img), num_output_channels)


to_grayscale = rgb_to_grayscale


def rotate(img, angle, interpolation=None, expand=False, center=None, fill=None):
    if not expand or _tensorvet.is_unknown(img):
        return _same(img)
    side = lambda name: _tensorvet.symbol(name, 1, 100000, "the size of a rotated image")
    return sized(img, side("height"), side("width"))


def convert_image_dtype(image, dtype=_types.float32):
    """Between whole numbers and fractions the largest becomes the largest."""
    result = image.to(dtype)
    if not _tensorvet.follows_values() or not _tensorvet.is_tensor(result) or letter(result) == letter(image):
        return result
    return result / 255.0 if kind_of(image) == "u8" and letter(result) in "hf" else pictured(like(result))


def to_dtype(inpt, dtype=_types.float32, scale=False):
    return convert_image_dtype(inpt, dtype) if scale else inpt.to(dtype)


def _same(img, *arguments, **options):
    """What changes colours or places of pixels only."""
    if _tensorvet.is_unknown(img):
        return img
    if is_image(img):
        return img.copy()
    result = like(_checked(img))
    return pictured(result) if kind_of(img) == "u8" else result


for _name in (
    "affine perspective adjust_brightness adjust_contrast adjust_saturation adjust_hue adjust_gamma adjust_sharpness invert posterize solarize "
    "autocontrast equalize gaussian_blur gaussian_noise elastic elastic_transform erase permute_channels jpeg"
).split():
    _tensorvet.define(_name, lambda img, *arguments, **options: _same(img))
for _name in ("hflip", "vflip", "horizontal_flip", "vertical_flip"):
    _tensorvet.define(_name, lambda img: moved(img, _same(img)))
