"""Models by name; the file of a family is read when one of its models is made."""

import importlib

import _tensorvet

_FAMILIES = {
    "alexnet": "alexnet",
    "vgg": "vgg11 vgg11_bn vgg13 vgg13_bn vgg16 vgg16_bn vgg19 vgg19_bn",
    "resnet": "resnet18 resnet34 resnet50 resnet101 resnet152 resnext50_32x4d resnext101_32x8d resnext101_64x4d wide_resnet50_2 wide_resnet101_2",
    "squeezenet": "squeezenet1_0 squeezenet1_1",
    "densenet": "densenet121 densenet161 densenet169 densenet201",
    "mobilenetv2": "mobilenet_v2",
    "mobilenetv3": "mobilenet_v3_large mobilenet_v3_small",
    "googlenet": "googlenet",
    "inception": "inception_v3",
    "vision_transformer": "vit_b_16 vit_b_32 vit_l_16 vit_l_32 vit_h_14",
    "convnext": "convnext_tiny convnext_small convnext_base convnext_large",
    "efficientnet": "efficientnet_b0 efficientnet_b1 efficientnet_b2 efficientnet_b3 efficientnet_b4 efficientnet_b5 efficientnet_b6 efficientnet_b7",
    "shufflenetv2": "shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5 shufflenet_v2_x2_0",
    "mnasnet": "mnasnet0_5 mnasnet0_75 mnasnet1_0 mnasnet1_3",
}
_CLASSES = {"AlexNet": "alexnet", "VGG": "vgg", "ResNet": "resnet", "SqueezeNet": "squeezenet", "DenseNet": "densenet", "MobileNetV2": "mobilenetv2", "MobileNetV3": "mobilenetv3", "GoogLeNet": "googlenet", "Inception3": "inception", "VisionTransformer": "vision_transformer", "ConvNeXt": "convnext", "EfficientNet": "efficientnet", "ShuffleNetV2": "shufflenetv2", "MNASNet": "mnasnet"}
_MODELS = {}


def _builder(family, name):
    def build(*arguments, weights=None, progress=True, **options):
        trained = options.pop("pretrained", arguments[0] if arguments else False)
        if weights is not None or (trained is not None and trained is not False):
            classes = options.setdefault("num_classes", 1000)
            if classes != 1000:
                raise ValueError("The parameter 'num_classes' expected value 1000 but got " + str(classes) + " instead.")
            options.setdefault("_trained", True)
        trained = options.pop("_trained", False)
        model = importlib.import_module("torchvision.models." + family).build(name, trained, **options)
        return model

    _tensorvet.define(name, build)
    _MODELS[name] = build


for _family, _names in _FAMILIES.items():
    for _name in _names.split():
        _builder(_family, _name)


class _Weights:
    """Weights that can be had: only that there are some matters."""

    url = ""

    def __init__(self, name):
        self.name = name
        self.meta = {"categories": ["class " + str(number) for number in range(1000)], "num_params": 0}

    def transforms(self, **options):
        from torchvision.transforms import CenterCrop, Compose, ConvertImageDtype, Normalize, PILToTensor, Resize

        crop = options.get("crop_size", 299 if "Inception" in self.name else 224)
        first = lambda image: image if _tensorvet.is_tensor(image) else PILToTensor()(image)
        return Compose([Resize(options.get("resize_size", 256)), CenterCrop(crop), first, ConvertImageDtype(), Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])

    def get_state_dict(self, *arguments, **options):
        return _tensorvet.unknown("weights from the network", "dict")


class _Choice:
    def __init__(self, name):
        self.DEFAULT = self.IMAGENET1K_V1 = self.IMAGENET1K_V2 = self.IMAGENET1K_SWAG_E2E_V1 = self.IMAGENET1K_SWAG_LINEAR_V1 = _Weights(name)


def get_model(name, **config):
    if name.lower() not in _MODELS:
        raise ValueError("Unknown model " + name)
    return _MODELS[name.lower()](**config)


def list_models(module=None, include=None, exclude=None):
    return sorted(_MODELS)


def get_model_weights(name):
    return _Choice(name)


def get_weight(name):
    return _Weights(name)


def __getattr__(name):
    if name.endswith("_Weights"):
        return _Choice(name)
    if name in _CLASSES:
        return getattr(importlib.import_module("torchvision.models." + _CLASSES[name]), name)
    return _tensorvet.unknown("`torchvision.models." + name + "` is not modelled")
