"""Operators of vision: boxes, regions, and the blocks that models are made of."""

from torchvision.ops import boxes, misc, poolers
from torchvision.ops.boxes import batched_nms, box_area, box_convert, box_iou, clip_boxes_to_image, complete_box_iou, distance_box_iou, generalized_box_iou, masks_to_boxes, nms, remove_small_boxes
from torchvision.ops.boxes import complete_box_iou_loss, distance_box_iou_loss, generalized_box_iou_loss
from torchvision.ops.deform_conv import DeformConv2d, deform_conv2d
from torchvision.ops.drop_block import DropBlock2d, DropBlock3d, drop_block2d, drop_block3d
from torchvision.ops.feature_pyramid_network import FeaturePyramidNetwork
from torchvision.ops.focal_loss import sigmoid_focal_loss
from torchvision.ops.misc import MLP, Conv2dNormActivation, Conv3dNormActivation, FrozenBatchNorm2d, Permute, SqueezeExcitation
from torchvision.ops.poolers import MultiScaleRoIAlign, PSRoIAlign, PSRoIPool, RoIAlign, RoIPool, ps_roi_align, ps_roi_pool, roi_align, roi_pool
from torchvision.ops.stochastic_depth import StochasticDepth, stochastic_depth
