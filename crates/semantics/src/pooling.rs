//! Pooling: one number out of each window of each channel.

use crate::call::{Call, Stop};
use crate::dim::Dim;
use crate::element::Element;
use crate::operator::{Category, Parameter, flag, ints, word};
use crate::prop::Prop;
use crate::scalar::Fold;
use crate::shape::Shape;
use crate::tensor::Tensor;
use crate::window::{AUTO_PAD, Window, remark_on_dilated_padding, require_spatial, windows};

/// The parameters that every pooling has.
pub const KERNEL: Parameter = ints("kernel");
pub const STRIDE: Parameter = ints("stride").or(1);
pub const PADDING: Parameter = ints("padding").or(0);
pub const DILATION: Parameter = ints("dilation").or(1);
pub const CEIL_MODE: Parameter = flag("ceil_mode").or_flag(false);
pub const CHOSEN_PADDING: Parameter = word("auto_pad", AUTO_PAD).or_word("NOTSET");

/// A pooling call, checked: what slides over what, and the shape that results.
#[derive(Clone)]
pub struct Pooling {
    pub input: Tensor,
    /// The spatial sizes of the input.
    pub spatial: Vec<Dim>,
    pub windows: Vec<Window>,
    pub shape: Shape,
}

/// What becomes of a kernel that is longer than the padded input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TooLong {
    Refused,
    /// As in ONNX Runtime: it is refused only if the number of windows, which is rounded towards zero, is negative.
    Rounded,
}

/// Reads `input`, `kernel`, `ceil_mode` and what [`windows`] reads, and states what they must satisfy.
pub fn pooling(call: &mut Call, too_long: TooLong) -> Result<Pooling, Stop> {
    let input = call.tensor("input")?;
    let kernel = call.ints("kernel")?;
    let rank = input.shape().known_rank().unwrap_or(kernel.len() + 2);
    require_spatial(call, rank)?;
    let label = "`kernel` has one value per spatial axis";
    call.insist(Category::IllegalValue, label, kernel.len() + 2 == rank)?;
    let sizes = call.sizes(label, input, rank)?;
    require_no_empty_axis(call, &sizes);
    let spatial = sizes[2..].to_vec();

    require_unused_padding(call, kernel.len())?;
    let windows = windows(call, &kernel, &spatial)?;
    if too_long == TooLong::Rounded {
        remark_on_dilated_padding(call)?;
    }
    if call.text("auto_pad")? == "NOTSET" {
        // A window that lies in the padding altogether has nothing to pool. An empty kernel is another fault.
        let least = |pad: Dim, kernel: Dim| pad.lt(kernel.max(1));
        let smaller =
            |window: &Window| least(window.before, window.kernel) & least(window.after, window.kernel);
        call.require_value("`padding` is smaller than the kernel", Prop::all(windows.iter().map(smaller)));
    }
    let ceil_mode = call.flag("ceil_mode")?;
    let (mut fits, mut counts) = (Vec::new(), Vec::new());
    for (window, &size) in windows.iter().zip(&spatial) {
        if ceil_mode {
            fits.push(window.fits_overhanging(size));
            counts.push(window.overhanging_count(size));
        } else {
            fits.push(window.fits(size));
            counts.push(window.count(size));
        }
    }
    let (fits, label) = (Prop::all(fits), "the kernel fits the padded input");
    let mut fault = Category::IllegalShape;
    if too_long == TooLong::Rounded && fits.known() == Some(false) {
        if !ceil_mode {
            counts = windows.iter().zip(&spatial).map(|(window, &size)| window.rounded_count(size)).collect();
        }
        if Prop::all(counts.iter().map(|count| count.ge(0))).known() == Some(true) {
            fault = Category::ToleratedValue;
        }
    }
    call.require(fault, label, fits);
    let shape = Shape::new(sizes[..2].iter().copied().chain(counts));
    Ok(Pooling { input, spatial, windows, shape })
}

/// States that padding is not given besides what `auto_pad` chooses; none at all says nothing.
fn require_unused_padding(call: &mut Call, axes: usize) -> Result<(), Stop> {
    if call.text("auto_pad")? != "NOTSET" && call.is_given("padding") {
        let padding = call.per_axis("padding", "`padding` has two values per spatial axis", 2 * axes)?;
        let none = Prop::all(padding.iter().map(|pad| pad.eq(0)));
        call.require(Category::ToleratedValue, "`padding` is zero where `auto_pad` chooses it", none);
    }
    Ok(())
}

/// States that only the batch may be empty: of nothing there is neither a mean nor a largest element.
pub fn require_no_empty_axis(call: &mut Call, sizes: &[Dim]) {
    let full = Prop::all(sizes[1..].iter().map(|size| size.ge(1)));
    call.require_shape("no axis of `input` but the batch is empty", full);
}

impl Pooling {
    /// Folds `f` of the input index of every tap of the window at an output index.
    pub fn fold(&self, with: Fold, index: &[Dim], f: impl Fn(&[Dim]) -> Element) -> Element {
        let extents: Vec<Dim> = self.windows.iter().map(|window| window.kernel).collect();
        Element::fold_over(with, &extents, &|taps| {
            let mut source = index[..2].to_vec();
            let axes = self.windows.iter().zip(&index[2..]).zip(taps);
            source.extend(axes.map(|((window, &number), &tap)| window.source(number, tap)));
            f(&source)
        })
    }
    /// How many taps of the window at an output index read the input, or with `padding` the padded input.
    pub fn taps(&self, index: &[Dim], padding: bool) -> Dim {
        let axes = self.windows.iter().zip(&self.spatial).zip(&index[2..]);
        Dim::product(axes.map(|((window, &size), &number)| match padding {
            true => window.taps_within(number, -window.before, size + window.after),
            false => window.taps_within(number, 0.into(), size),
        }))
    }
}
