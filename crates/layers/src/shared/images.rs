//! Images brought to another size.

use super::augmentation::RANK;
use semantics::call::{Call, Outcome, Stop, one};
use semantics::compose::{cast, map};
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::operator::Backend;
use semantics::operator::Category::{IllegalValue, IncompatibleShape};
use semantics::prop::Prop;
use semantics::resampling::{Weighing, resized};
use semantics::shape::{Shape, Slot::Front};
use semantics::tensor::Tensor;

pub const POSITIVE: &str = "`height` and `width` are positive";

/// Ways to find a new element, as Keras names them.
pub const INTERPOLATIONS: &[&str] = &["bilinear", "nearest", "bicubic", "lanczos3", "lanczos5"];

/// One image, or a batch of them, with the place of height and width.
#[derive(Clone, Copy)]
pub struct Images {
    pub tensor: Tensor,
    /// The axis of the height; that of the width comes after it.
    pub rows: usize,
}

/// Reads `inputs` in the layout of `data_format`, in floats, and the size that is asked for.
pub fn read(call: &mut Call) -> Result<(Images, [Dim; 2]), Stop> {
    let (tensor, target) = (call.tensor("inputs")?, [call.int("height")?, call.int("width")?]);
    let rank = call.known_sizes(tensor)?.len();
    call.insist(IncompatibleShape, RANK, rank == 3 || rank == 4)?;
    let tensor = if call.kind(tensor)?.is_float() { tensor } else { cast(tensor, Kind::F32) };
    let rows = rank - if call.text("data_format")? == "channels_first" { 2 } else { 3 };
    Ok((Images { tensor, rows }, target))
}

/// States that images to be resized have an element at least, however many of them there are.
pub fn require_something(call: &mut Call, images: &Images) -> Result<(), Stop> {
    let sizes = call.known_sizes(images.tensor)?;
    let some = sizes[usize::from(sizes.len() == 4)..].iter().map(|size| size.ge(1));
    call.demand(IncompatibleShape, "there is something to resize", Prop::all(some))
}

impl Images {
    pub fn size(&self) -> [Dim; 2] {
        [0, 1].map(|k| self.tensor.shape().size(Front((self.rows + k) as u32)))
    }
    fn with_size(&self, size: [Dim; 2]) -> Shape {
        let shape = self.tensor.shape().with_size(Front(self.rows as u32), size[0]);
        shape.with_size(Front((self.rows + 1) as u32), size[1])
    }
    /// The part of that size which begins there.
    pub fn cropped(&self, start: [Dim; 2], size: [Dim; 2]) -> Images {
        let Images { tensor, rows } = *self;
        let part = Tensor::from_elements(tensor.dtype(), self.with_size(size), move |index| {
            let mut source = index.to_vec();
            source[rows] = index[rows] + start[0];
            source[rows + 1] = index[rows + 1] + start[1];
            tensor.at(&source)
        });
        Images { tensor: part, rows }
    }
    /// What is in the middle and has the proportions of `target`.
    pub fn proportioned(&self, target: [Dim; 2]) -> Images {
        let [height, width] = self.size();
        let rows = (width * target[0]).div_floor(target[1]).min(height).max(1);
        let columns = (height * target[1]).div_floor(target[0]).min(width).max(1);
        let start = [(height - rows).div_floor(2), (width - columns).div_floor(2)];
        self.cropped(start, [rows, columns])
    }
    /// With as much of `value` around it as gives it the proportions of `target`, rounded down to the same on both
    /// sides.
    pub fn surrounded(&self, target: [Dim; 2], value: f64) -> Images {
        let Images { tensor, rows } = *self;
        let [height, width] = self.size();
        let high = (width * target[0]).div_floor(target[1]).max(height);
        let wide = (height * target[1]).div_floor(target[0]).max(width);
        let around = [(high - height).div_floor(2), (wide - width).div_floor(2)];
        let shape = self.with_size([height + 2 * around[0], width + 2 * around[1]]);
        let padded = Tensor::from_elements(tensor.dtype(), shape, move |index| {
            let mut source = index.to_vec();
            source[rows] = index[rows] - around[0];
            source[rows + 1] = index[rows + 1] - around[1];
            tensor.at_or(&source, semantics::element::Element::constant(tensor.kind(), value))
        });
        Images { tensor: padded, rows }
    }
    /// Brought to a size, in the way that is named; integers stay integers.
    pub fn resized_in_type(
        &self,
        call: &mut Call,
        target: [Dim; 2],
        interpolation: &str,
        antialias: bool,
    ) -> Outcome {
        let Some(kind) = self.tensor.dtype().known().filter(|kind| !kind.is_float()) else {
            return self.resized(call, target, interpolation, antialias);
        };
        let floats = Images { tensor: cast(self.tensor, Kind::F32), ..*self };
        let made = floats.resized(call, target, interpolation, antialias)?[0];
        one(map(made, kind, move |x| x.round().cast(kind)))
    }
    /// Brought to a size, in the way that is named.
    pub fn resized(
        &self,
        call: &mut Call,
        target: [Dim; 2],
        interpolation: &str,
        antialias: bool,
    ) -> Outcome {
        let on_torch = call.backend == Backend::Torch;
        let weighing = match interpolation {
            "nearest" => None,
            "bilinear" if on_torch || antialias => Some(Weighing::Linear),
            "bilinear" => Some(Weighing::Stepping),
            "bicubic" if on_torch && !antialias => Some(Weighing::Cubic(-0.75)),
            "bicubic" => Some(Weighing::Cubic(-0.5)),
            "lanczos3" | "lanczos5" if on_torch => {
                return call.refuse(IllegalValue, "PyTorch has the `interpolation`");
            }
            "lanczos3" => Some(Weighing::Lanczos(3)),
            "lanczos5" => Some(Weighing::Lanczos(5)),
            _ => return Err(Stop::Unknown(format!("the interpolation `{interpolation}` is not modelled"))),
        };
        let axes = [(self.rows, target[0]), (self.rows + 1, target[1])];
        let antialias = antialias && weighing.is_some();
        let repeated = !antialias && (on_torch || weighing == Some(Weighing::Stepping));
        let shape = self.with_size(target);
        let tensor = self.tensor;
        let made = Tensor::composed([(tensor.dtype(), shape)], move || {
            vec![resized(tensor, &axes, weighing, antialias, repeated)]
        });
        Ok(made)
    }
}
