//! Changing the size of a grid: where a new position lies among the old ones, and how those are weighed.
//!
//! Coordinates are formed step by step in `f32`, as runtimes do, so that their rounding is accounted for: it
//! moves weights a little, and at a tie it decides which old position is the nearest. Where interpolation
//! starts is decided in exact rational arithmetic, since weights are continuous there.

use crate::compose::{either, reduce, zip};
use crate::dim::Dim;
use crate::dtype::Kind;
use crate::element::Element;
use crate::scalar::Fold;
use crate::shape::{Shape, Slot};
use crate::tensor::Tensor;

/// Ways to place new positions among the old ones, as ONNX names them.
pub const TRANSFORMATIONS: &[&str] = &[
    "half_pixel",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "align_corners",
    "asymmetric",
    "tf_crop_and_resize",
];

/// `align_corners` for scales that do not give a whole size. The specification speaks of the length of the
/// resized tensor, which is whole, and so do ONNX Runtime and PyTorch; ONNX's reference implementation and the
/// results stored with its tests come from `scale * size` as it is. Interpolation admits both.
pub const UNCUT_CORNERS: &str = "align_corners before sizes are cut off";

/// `half_pixel` by the step from one new position to the next, which is rounded, as Keras's backends take it.
const STEPWISE: &str = "half_pixel by steps";

/// Far below the roundings of `f32` and far above those of `f64`: at a tie our own rounding decides nothing.
const HAIR: f64 = 1.0 / (1u64 << 32) as f64;

/// Whether scales leave every size as it is, as far as that is known. Frameworks then copy the tensor, though a
/// scale of 1.1 may say that positions move: both are admitted.
pub fn may_be_copied(transformation: &str, axes: &[(usize, Axis)]) -> bool {
    let stays = |(_, axis): &(usize, Axis)| axis.size.eq(axis.resized).known() == Some(true);
    transformation != "tf_crop_and_resize" && axes.iter().all(stays)
}

/// A positive rational number: `up / down`.
#[derive(Clone, Copy)]
pub struct Scale {
    pub up: Dim,
    pub down: Dim,
}

/// One axis that changes its size.
#[derive(Clone, Copy)]
pub struct Axis {
    pub size: Dim,
    pub resized: Dim,
    pub scale: Scale,
    /// The part of the old axis that is kept, as fractions of it.
    pub region: (f64, f64),
}

/// How old positions are weighed.
#[derive(Clone, Copy, PartialEq)]
pub enum Weighing {
    Linear,
    /// Linear too, computed as a step from one neighbour towards the other: it is rounded in other places.
    Stepping,
    /// Keys' cubic convolution with its free coefficient.
    Cubic(f64),
    /// Lanczos' windowed sinc with so many lobes.
    Lanczos(i32),
}

/// An old position that need not be whole: `numerator / denominator` exactly, `value` as runtimes compute it.
#[derive(Clone, Copy)]
struct Coordinate {
    numerator: Dim,
    denominator: Dim,
    value: Element,
}

impl Scale {
    /// An `f32` as a fraction; beyond 30 binary digits it is rounded.
    pub fn of(value: f64) -> Scale {
        let (numerator, denominator) = fraction(value);
        Scale { up: numerator.into(), down: denominator.into() }
    }
    fn value(self) -> Element {
        number(self.up) / number(self.down)
    }
}

/// An `f32` as a quotient of integers, the divisor a power of two as small as possible up to `2^30`.
fn fraction(value: f64) -> (i64, i64) {
    let value = Kind::F32.round(value);
    let exact = |power: &u32| (value * f64::from(1u32 << power)).fract() == 0.0;
    let power = (0..30).find(exact).unwrap_or(30);
    ((value * f64::from(1u32 << power)).round() as i64, 1 << power)
}

fn number(dim: Dim) -> Element {
    Element::index(Kind::F32, dim)
}

/// The size that a scale makes of a size: the product is formed in `f32` and cut off.
pub fn scaled_size(size: Dim, scale: f64) -> Dim {
    match size.known() {
        Some(size) => Dim::from((size as f32 * scale as f32) as i64),
        None => {
            let (numerator, denominator) = fraction(scale);
            // Products with a few binary digits are exact; others may be rounded up to the next integer.
            if denominator <= 1 << 10 {
                (size * numerator).div_floor(denominator)
            } else {
                Dim::symbol("a scaled size", 0, crate::dim::LARGEST_SIZE)
            }
        }
    }
}

impl Axis {
    /// Whether nothing changes: then the axis need not be touched.
    pub fn is_unchanged(self) -> bool {
        self.size.id() == self.resized.id()
            && self.scale.up.id() == self.scale.down.id()
            && self.region == (0.0, 1.0)
    }

    /// Whether the new size is less than the scale makes of the old one, as far as that is known.
    pub fn may_be_cut(self) -> bool {
        (self.size * self.scale.up).eq(self.resized * self.scale.down).known() != Some(true)
    }

    /// Where a new position lies.
    fn coordinate(self, transformation: &str, at: Dim) -> Coordinate {
        let Axis { size, resized, scale: Scale { up, down }, region: (start, end) } = self;
        let exact = |numerator: Dim, denominator: Dim, value: Element| {
            let positive = denominator.ge(1);
            let zero = Element::constant(Kind::F32, 0.0);
            Coordinate {
                numerator: Dim::select(positive, numerator, 0),
                denominator: Dim::select(positive, denominator, 1),
                value: Element::when(positive, value, zero),
            }
        };
        // x = (at + 1/2) * down / up - 1/2
        let centred = || (number(at) + 0.5) / self.scale.value() - 0.5;
        match transformation {
            "asymmetric" => exact(at * down, up, number(at) / self.scale.value()),
            "align_corners" => {
                // Dividing first rounds once more than dividing last: frameworks do either.
                let step = number(size - 1) / number(resized - 1);
                exact(at * (size - 1), resized - 1, number(at) * step)
            }
            UNCUT_CORNERS => {
                // at * (size - 1) / (size * up / down - 1)
                let denominator = size * up - down;
                let value = number(at * (size - 1)) / (number(size) * self.scale.value() - 1.0);
                exact(at * (size - 1) * down, denominator, value)
            }
            "half_pixel_symmetric" => {
                let shift = size * up - resized * down;
                let offset = number(size) / 2.0 - number(resized) / (2.0 * self.scale.value());
                exact(shift + (2 * at + 1) * down - up, 2 * up, offset + centred())
            }
            "tf_crop_and_resize" => {
                let ((a, p), (b, q)) = (fraction(start), fraction(end));
                let common = p.max(q);
                let (a, b) = (Dim::from(a) * (common / p), Dim::from(b) * (common / q));
                let last = size - 1;
                let single = resized.le(1);
                let steps = Dim::select(single, 2, resized - 1);
                // a + at * (b - a) / steps, or the middle of a and b, both times `size - 1`
                let moved = Dim::select(single, a + b, a * steps + at * (b - a));
                let (low, high) = (Element::constant(Kind::F32, start), Element::constant(Kind::F32, end));
                let across = number(at) * (high - low) * number(last) / number(steps);
                let value =
                    Element::when(single, (low + high) * number(last) * 0.5, low * number(last) + across);
                exact(moved * last, steps * common, value)
            }
            "pytorch_half_pixel" => {
                let several = resized.gt(1);
                let numerator = Dim::select(several, (2 * at + 1) * down - up, 0);
                let value = Element::when(several, centred(), Element::constant(Kind::F32, 0.0));
                exact(numerator, 2 * up, value)
            }
            STEPWISE => {
                let step = number(down) / number(up);
                exact((2 * at + 1) * down - up, 2 * up, (number(at) + 0.5) * step - 0.5)
            }
            _ => exact((2 * at + 1) * down - up, 2 * up, centred()),
        }
    }

    /// Whether a new position lies outside the old ones, which only a region makes possible.
    pub fn is_outside(self, transformation: &str, at: Dim) -> Option<Element> {
        if transformation != "tf_crop_and_resize" {
            return None;
        }
        let place = self.coordinate(transformation, at).value.cast(Kind::F64);
        let last = Element::index(Kind::F64, self.size - 1);
        Some(place.lt(-HAIR).or(place.gt(last + HAIR)))
    }

    /// The old positions next to the new ones. At a tie in `f32` there are several, and if the tensor may be
    /// `copied`, new positions count as well.
    pub fn nearest(self, transformation: &str, rounding: &str, copied: bool) -> Tensor {
        let (transformation, rounding) = (transformation.to_string(), rounding.to_string());
        let shape = Shape::new([self.resized]);
        let mut places = Tensor::from_elements(Kind::F64, shape, move |index| {
            self.coordinate(&transformation, index[0]).value.cast(Kind::F64)
        });
        if copied {
            let own = Tensor::from_elements(Kind::F64, shape, |index| Element::index(Kind::F64, index[0]));
            places = either(places, own);
        }
        Tensor::from_elements(Kind::I64, shape, move |index| {
            let from_first = places.at(index);
            let from_last = Element::index(Kind::F64, self.size - 1) - from_first;
            let last = Element::index(Kind::I64, self.size - 1);
            // What is not negative is cut off to its floor; a ceiling is a floor seen from the other end.
            let floor = |x: Element| (x + HAIR).max(0.0).cast(Kind::I64).min(last);
            match rounding.as_str() {
                "floor" => floor(from_first),
                "ceil" => last - floor(from_last),
                // ceil(x - 1/2) and floor(x + 1/2) differ where x is halfway.
                "round_prefer_floor" => last - floor(from_last + 0.5),
                _ => floor(from_first + 0.5),
            }
        })
    }

    /// The tensor with its axis `axis` resized: each new element is a weighed sum of old ones. Beyond the ends
    /// the outermost elements are repeated, or left out if `exclude_outside`.
    pub fn interpolate(
        self,
        tensor: Tensor,
        axis: usize,
        transformation: &str,
        weighing: Weighing,
        antialias: bool,
        exclude_outside: bool,
    ) -> Tensor {
        // An old position counts if its distance is below this; shrinking stretches it by 1 / scale.
        let radius = match weighing {
            Weighing::Linear | Weighing::Stepping => 1,
            Weighing::Cubic(_) => 2,
            Weighing::Lanczos(lobes) => lobes,
        };
        let Scale { up, down } = self.scale;
        let reach = if antialias { (radius * down).div_ceil(up).max(radius) } else { Dim::from(radius) };
        let taps = 2 * reach;
        let transformation = transformation.to_string();
        let place = move |at: Dim| self.coordinate(&transformation, at);
        let first = {
            let place = place.clone();
            move |at: Dim| {
                let Coordinate { numerator, denominator, .. } = place(at);
                numerator.div_floor(denominator) + 1 - reach
            }
        };

        let shape = tensor.shape().with_size(Slot::Front(axis as u32), self.resized);
        if weighing == Weighing::Stepping {
            return Tensor::from_elements(tensor.dtype(), shape, move |index| {
                let before = first(index[axis]);
                let neighbour = |k: i64| {
                    let mut source = index.to_vec();
                    source[axis] = (before + k).max(0).min(self.size - 1);
                    tensor.at(&source)
                };
                let (low, high) = (neighbour(0), neighbour(1));
                let share = place(index[axis]).value - number(before);
                low + (high - low) * share.cast(tensor.kind())
            });
        }
        let inside = {
            let first = first.clone();
            move |at: Dim, tap: Dim| (first(at) + tap).within(0, self.size)
        };
        let start = first.clone();
        let raw = Tensor::from_elements(Kind::F32, Shape::new([self.resized, taps]), move |index| {
            let (at, tap) = (index[0], index[1]);
            let mut distance = (number(start(at) + tap) - place(at).value).abs();
            if antialias {
                distance = distance * self.scale.value().min(1.0);
            }
            let weight = weighing.of(distance);
            if !exclude_outside {
                return weight;
            }
            Element::when(inside(at, tap), weight, Element::constant(Kind::F32, 0.0))
        });
        let weights = if antialias || exclude_outside {
            let total = reduce(Fold::Sum, raw, &[1], true);
            zip(raw, total, Kind::F32, raw.shape(), |weight, total| weight / total)
        } else {
            raw
        };

        // Frameworks weigh all axes in one sum. In that of ONNX Runtime there are two taps along every axis, even
        // where both are one element, which then counts half and half: so every tap is taken in two halves.
        let halves = if weighing == Weighing::Linear && !antialias { 2 } else { 1 };
        let share = 1.0 / f64::from(halves);
        let halves = Dim::from(i64::from(halves));
        Tensor::from_elements(tensor.dtype(), shape, move |index| {
            Element::fold(Fold::Sum, halves * taps, |part| {
                let tap = part.div_floor(halves);
                let mut source = index.to_vec();
                source[axis] = (first(index[axis]) + tap).max(0).min(self.size - 1);
                tensor.at(&source) * (weights.at(&[index[axis], tap]) * share).cast(tensor.kind())
            })
        })
    }
}

impl Weighing {
    /// The weight of an old position at a distance that is not negative.
    fn of(self, distance: Element) -> Element {
        match self {
            Weighing::Linear | Weighing::Stepping => (1.0 - distance).max(0.0),
            Weighing::Cubic(a) => cubic_weight(distance, a),
            Weighing::Lanczos(lobes) => lanczos_weight(distance, f64::from(lobes)),
        }
    }
}

/// `sinc(x) * sinc(x / lobes)`, where `sinc(x)` is `sin(pi x) / (pi x)`, at a distance that is not negative.
fn lanczos_weight(distance: Element, lobes: f64) -> Element {
    let (one, zero) = (Element::constant(distance.kind(), 1.0), Element::constant(distance.kind(), 0.0));
    let turned = distance.max(1e-3) * std::f64::consts::PI;
    let inside = (turned.sin() * (turned / lobes).sin() * lobes) / (turned * turned);
    distance.le(1e-3).select(one, distance.lt(lobes).select(inside, zero))
}

/// Keys' cubic convolution kernel (1981) at a distance that is not negative.
pub fn cubic_weight(distance: Element, a: f64) -> Element {
    let near = ((a + 2.0) * distance - (a + 3.0)) * distance * distance + 1.0;
    let far = ((a * distance - 5.0 * a) * distance + 8.0 * a) * distance - 4.0 * a;
    let zero = Element::constant(distance.kind(), 0.0);
    distance.le(1.0).select(near, distance.lt(2.0).select(far, zero))
}

/// The tensor with axes brought to new sizes, each by itself, the last one first, positions measured from the middles of elements. Without
/// a weighing the nearest element is taken, of two the later. Beyond the ends the outermost elements are `repeated`, or
/// there is nothing.
pub fn resized(
    tensor: Tensor,
    axes: &[(usize, Dim)],
    weighing: Option<Weighing>,
    antialias: bool,
    repeated: bool,
) -> Tensor {
    let axis = |tensor: Tensor, (k, resized): (usize, Dim)| {
        let size = tensor.shape().size(Slot::Front(k as u32));
        Axis { size, resized, scale: Scale { up: resized, down: size }, region: (0.0, 1.0) }
    };
    // In floats the sine of pi is not zero, so that neighbours count where nothing is moved, too.
    let exact = !matches!(weighing, Some(Weighing::Lanczos(_)));
    let exact = exact || axes.iter().all(|&each| axis(tensor, each).is_unchanged());
    axes.iter().rev().fold(tensor, |tensor, &(k, resized)| {
        let axis = axis(tensor, (k, resized));
        if exact && axis.is_unchanged() {
            return tensor;
        }
        if let Some(weighing) = weighing {
            return axis.interpolate(tensor, k, STEPWISE, weighing, antialias, !repeated);
        }
        let places = axis.nearest("half_pixel", "round_prefer_ceil", false);
        let shape = tensor.shape().with_size(Slot::Front(k as u32), resized);
        Tensor::from_elements(tensor.dtype(), shape, move |index| {
            let mut source = index.to_vec();
            source[k] = places.at(&[index[k]]).as_index();
            tensor.at(&source)
        })
    })
}
