//! Convolution and pooling on images whose channels may lie last, with the paddings of TensorFlow.

use crate::call::{Call, Stop};
use crate::compose::transpose;
use crate::dim::Dim;
use crate::operator::{Category, Parameter, ints, word};
use crate::prop::Prop;
use crate::shape::Shape;
use crate::tensor::Tensor;
use crate::window::Window;

pub const STRIDES: Parameter = ints("strides");
pub const KERNEL_SIZE: Parameter = ints("kernel_size");
pub const DILATIONS: Parameter = ints("dilations").optional();
pub const CHOSEN: Parameter = word("padding", &["SAME", "VALID", "EXPLICIT"]);
/// Before and after each axis, batch and channels included; for `EXPLICIT`.
pub const EXPLICIT: Parameter = ints("explicit_paddings").optional();
pub const DATA_FORMAT: Parameter = word("data_format", &["NHWC", "NCHW", "NDHWC", "NCDHW"]).or_word("NHWC");

/// Where the channels of a tensor lie.
#[derive(Clone, Copy)]
pub struct Laid {
    pub rank: usize,
    channels: usize,
}

impl Laid {
    /// Reads `data_format`.
    pub fn of(call: &Call) -> Result<Laid, Stop> {
        let format = call.text("data_format")?;
        let channels = format.find('C').unwrap_or(format.len() - 1);
        Ok(Laid { rank: format.len(), channels })
    }
    /// Which axis goes where, for the channels to lie behind the batch.
    fn order(self) -> Vec<usize> {
        let spatial = (1..self.rank).filter(|&axis| axis != self.channels);
        [0, self.channels].into_iter().chain(spatial).collect()
    }
    /// The tensor with its channels behind the batch.
    pub fn channels_first(self, tensor: Tensor) -> Tensor {
        if self.channels == 1 { tensor } else { transpose(tensor, &self.order()) }
    }
    /// A tensor with its channels behind the batch, laid out as it should be.
    pub fn restored(self, tensor: Tensor) -> Tensor {
        if self.channels == 1 {
            return tensor;
        }
        let order = self.order();
        let back: Vec<usize> =
            (0..self.rank).map(|axis| order.iter().position(|&from| from == axis).unwrap_or(axis)).collect();
        transpose(tensor, &back)
    }
    /// The entries for spatial axes of a list that has one for every axis.
    pub fn spatial<T: Copy>(self, all: &[T]) -> Vec<T> {
        self.order()[2..].iter().map(|&axis| all[axis]).collect()
    }
    /// Sizes behind batch and channels, put where they belong.
    pub fn shape(self, batch: Dim, channels: Dim, spatial: &[Dim]) -> Shape {
        let mut sizes = vec![batch; self.rank];
        sizes[self.channels] = channels;
        for (&axis, &size) in self.order()[2..].iter().zip(spatial) {
            sizes[axis] = size;
        }
        Shape::new(sizes)
    }
    /// A list with one entry per axis, of which those of batch and channels are 1; the entries of spatial axes.
    fn listed(
        self,
        call: &mut Call,
        name: &str,
        label: &'static str,
        missing: Option<Dim>,
    ) -> Result<Vec<Dim>, Stop> {
        let Some(all) = call.optional_ints(name)?.filter(|all| !all.is_empty()) else {
            return Ok(vec![missing.unwrap_or(1.into()); self.rank - 2]);
        };
        call.insist(Category::IllegalValue, label, all.len() == self.rank)?;
        Ok(self.spatial(&all))
    }
    /// Reads `kernel_size`.
    pub fn kernel(self, call: &mut Call) -> Result<Vec<Dim>, Stop> {
        let kernel = self.listed(call, "kernel_size", "`kernel_size` has one value per axis", None)?;
        call.require_value("the kernel is not empty", Prop::all(kernel.iter().map(|size| size.ge(1))));
        Ok(kernel)
    }
    /// Reads `strides`, `dilations` where there are some, and the padding, for spatial sizes.
    pub fn windows(
        self,
        call: &mut Call,
        kernel: &[Dim],
        sizes: &[Dim],
        dilated: bool,
    ) -> Result<Vec<Window>, Stop> {
        let strides = self.listed(call, "strides", "`strides` has one value per axis", None)?;
        let dilations = match dilated {
            true => self.listed(call, "dilations", "`dilations` has one value per axis", None)?,
            false => vec![1.into(); kernel.len()],
        };
        let positive = Prop::all(strides.iter().map(|stride| stride.ge(1)));
        call.demand(Category::IllegalValue, "`strides` are positive", positive)?;
        if dilated {
            let positive = Prop::all(dilations.iter().map(|dilation| dilation.ge(1)));
            call.require_value("`dilations` are positive", positive);
        }
        let padding = call.text("padding")?;
        let explicit = match padding.as_str() {
            "EXPLICIT" => {
                let all = call.optional_ints("explicit_paddings")?.unwrap_or_default();
                let label = "`explicit_paddings` has two values per axis";
                call.insist(Category::IllegalValue, label, all.len() == 2 * self.rank)?;
                let pairs: Vec<(Dim, Dim)> = all.chunks(2).map(|pair| (pair[0], pair[1])).collect();
                self.spatial(&pairs)
            }
            _ => vec![(0.into(), 0.into()); kernel.len()],
        };
        let window = |k: usize| {
            let window = Window {
                kernel: kernel[k],
                stride: strides[k],
                dilation: dilations[k],
                before: explicit[k].0,
                after: explicit[k].1,
                same: false,
            };
            if padding == "SAME" { window.same(sizes[k], true) } else { window }
        };
        Ok((0..kernel.len()).map(window).collect())
    }
}

/// How many windows there are along each axis. Where none fits there is nothing, unless that would be negative.
pub fn counts(call: &mut Call, windows: &[Window], sizes: &[Dim]) -> Vec<Dim> {
    let counts: Vec<Dim> = windows.iter().zip(sizes).map(|(window, &size)| window.count(size)).collect();
    call.require_legal("the kernel fits the padded input", Prop::all(counts.iter().map(|count| count.ge(0))));
    counts
}
