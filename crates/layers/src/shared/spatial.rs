//! Batches of channels over one to three axes, in either layout.

use semantics::call::{Call, Stop};
use semantics::dim::Dim;
use semantics::operator::{Backend, Category, Parameter, ints, word};
use semantics::prop::Prop;
use semantics::shape::{Shape, Slot};
use semantics::tensor::Tensor;
use semantics::window::Window;

pub const DATA_FORMAT: Parameter =
    word("data_format", &["channels_last", "channels_first"]).or_word("channels_last");
pub const STRIDES: Parameter = ints("strides").or(1);
pub const DILATION_RATE: Parameter = ints("dilation_rate").or(1);
pub const PADDING: Parameter = word("padding", &["valid", "same"]).or_word("valid");

/// A tensor as a layer over space sees it.
#[derive(Clone)]
pub struct Spatial {
    pub input: Tensor,
    pub batch: Dim,
    pub channels: Dim,
    pub sizes: Vec<Dim>,
    /// The position of the first spatial axis, and of the channels.
    pub first: usize,
    pub channel_axis: usize,
}

/// How many axes an input has: the batch, the channels and 1 to 3 axes of space.
pub const RANK: [&str; 3] = [
    "`inputs` has 3 axes: a batch, one of space, and channels",
    "`inputs` has 4 axes: a batch, two of space, and channels",
    "`inputs` has 5 axes: a batch, three of space, and channels",
];

/// Reads `inputs` with that many axes of space, in the layout of `data_format`.
pub fn read(call: &mut Call, axes: usize) -> Result<Spatial, Stop> {
    // Some layers over one axis have no choice.
    let chosen = call.operator.parameters.iter().any(|given| given.name == DATA_FORMAT.name);
    let channels_first = chosen && call.text("data_format")? == "channels_first";
    let input = call.tensor("inputs")?;
    call.sizes(RANK[axes - 1], input, axes + 2)?;
    let space = Spatial::of(input, axes, channels_first);
    if let Some(layout) = input.layout() {
        let label = "`inputs` has its channels where `data_format` says";
        call.require(Category::UnsupportedLayout, label, (layout.channels() == space.channel_axis).into());
    }
    Ok(space)
}

impl Spatial {
    /// A tensor with that many axes of space, which the caller has stated.
    pub fn of(input: Tensor, axes: usize, channels_first: bool) -> Spatial {
        let size = |axis: usize| input.shape().size(Slot::Front(axis as u32));
        let (first, channel_axis) = if channels_first { (2, 1) } else { (1, axes + 1) };
        Spatial {
            input,
            batch: size(0),
            channels: size(channel_axis),
            sizes: (first..first + axes).map(size).collect(),
            first,
            channel_axis,
        }
    }
    /// A shape of the same layout.
    pub fn shape(&self, channels: Dim, sizes: impl IntoIterator<Item = Dim>) -> Shape {
        let sizes = sizes.into_iter();
        match self.channel_axis {
            1 => Shape::new([self.batch, channels].into_iter().chain(sizes)),
            _ => Shape::new([self.batch].into_iter().chain(sizes).chain([channels])),
        }
    }
    /// The order of axes that puts the channels first, and the one that puts them back.
    pub fn to_channels_first(&self) -> Vec<usize> {
        let axes = self.sizes.len();
        [0, self.channel_axis].into_iter().chain(self.first..self.first + axes).collect()
    }
    pub fn from_channels_first(&self) -> Vec<usize> {
        let axes = self.sizes.len();
        match self.channel_axis {
            1 => (0..axes + 2).collect(),
            _ => [0].into_iter().chain(2..axes + 2).chain([1]).collect(),
        }
    }
    /// An index with its spatial part replaced.
    pub fn moved(&self, index: &[Dim], place: impl Fn(usize, Dim) -> Dim) -> Vec<Dim> {
        let space = self.first..self.first + self.sizes.len();
        index
            .iter()
            .enumerate()
            .map(|(k, &i)| if space.contains(&k) { place(k - self.first, i) } else { i })
            .collect()
    }
}

/// The windows of a kernel, padded as the word says, with what they must satisfy.
pub fn windows(
    call: &mut Call,
    kernel: &[Dim],
    strides: &[Dim],
    dilations: &[Dim],
    sizes: &[Dim],
    padding: &str,
) -> Result<Vec<Window>, Stop> {
    let windows = laid(kernel, strides, dilations, sizes, padding);
    let fits = windows.iter().zip(sizes).map(|(window, &size)| window.fits(size));
    call.demand(Category::IllegalShape, FITS, Prop::all(fits))?;
    Ok(windows)
}

const FITS: &str = "the window fits the input";

/// As `windows`, of a kernel whose padded windows over no places TensorFlow takes: there are none.
pub fn windows_over_any(
    call: &mut Call,
    kernel: &[Dim],
    strides: &[Dim],
    dilations: &[Dim],
    sizes: &[Dim],
    padding: &str,
) -> Result<Vec<Window>, Stop> {
    let windows = laid(kernel, strides, dilations, sizes, padding);
    let none = |size: Dim| Prop::from(call.backend == Backend::TensorFlow && padding == "same") & size.eq(0);
    let fits = windows.iter().zip(sizes).map(|(window, &size)| window.fits(size) | none(size));
    let fits = Prop::all(fits);
    call.demand(Category::IllegalShape, FITS, fits)?;
    Ok(windows)
}

/// The windows of a kernel, whether they fit or not.
fn laid(kernel: &[Dim], strides: &[Dim], dilations: &[Dim], sizes: &[Dim], padding: &str) -> Vec<Window> {
    (0..kernel.len())
        .map(|k| {
            let zero = Dim::from(0);
            let (kernel, stride, dilation) = (kernel[k], strides[k], dilations[k]);
            let window = Window { kernel, stride, dilation, before: zero, after: zero, same: false };
            match padding {
                "same" => window.same(sizes[k], true),
                "causal" => Window { before: window.reach() - 1, ..window },
                _ => window,
            }
        })
        .collect()
}

/// Where windows move farther than they reach, some elements are never looked at.
pub fn remark_on_gaps(call: &mut Call, windows: &[Window]) {
    semantics::window::remark_on_gaps(call, "`strides` are at most what the window spans", windows);
}

/// One positive number per axis; a single one stands for all.
pub fn positive_per_axis(
    call: &mut Call,
    name: &str,
    label: &'static str,
    axes: usize,
) -> Result<Vec<Dim>, Stop> {
    let values = call.per_axis(name, label, axes)?;
    call.demand(Category::IllegalValue, label, Prop::all(values.iter().map(|value| value.ge(1))))?;
    Ok(values)
}

/// What must hold of the sizes that windows have, move by and spread over.
pub const KERNEL_SIZE_LABEL: &str = "`kernel_size` has one positive number per axis of space";
pub const POOL_SIZE_LABEL: &str = "`pool_size` has one positive number per axis of space";
pub const STRIDES_LABEL: &str = "`strides` has one positive number per axis of space";
pub const DILATION_LABEL: &str = "`dilation_rate` has one positive number per axis of space";
