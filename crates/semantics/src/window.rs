//! Sliding windows: the geometry that convolution and pooling share, one axis at a time.

use crate::call::{Call, Stop};
use crate::dim::Dim;
use crate::operator::Category;
use crate::prop::Prop;

/// How a window moves along one spatial axis.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub kernel: Dim,
    pub stride: Dim,
    pub dilation: Dim,
    /// Padding before the first and after the last position.
    pub before: Dim,
    pub after: Dim,
    /// Whether the padding was chosen so that there are `ceil(size / stride)` windows.
    pub same: bool,
}

/// Ways to choose the padding, as ONNX names them.
pub const AUTO_PAD: &[&str] = &["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"];

impl Window {
    /// How many positions a dilated kernel spans.
    pub fn reach(self) -> Dim {
        self.dilation * (self.kernel - 1) + 1
    }
    pub fn padded(self, size: Dim) -> Dim {
        size + self.before + self.after
    }
    /// How many windows fit.
    pub fn count(self, size: Dim) -> Dim {
        if self.same {
            return size.div_ceil(self.stride);
        }
        (self.padded(size) - self.reach()).div_floor(self.stride) + 1
    }
    /// The same, rounded towards zero where none fits: one window, if less than a stride is missing.
    pub fn rounded_count(self, size: Dim) -> Dim {
        if self.same {
            return self.count(size);
        }
        let missing = self.reach() - self.padded(size);
        Dim::select(missing.gt(0), -missing.div_floor(self.stride) + 1, self.count(size))
    }
    /// How many windows there are if the last one may hang over the end; it starts before the end all the same.
    pub fn overhanging_count(self, size: Dim) -> Dim {
        if self.same {
            return self.count(size);
        }
        let reached = (self.padded(size) - self.reach()).div_ceil(self.stride) + 1;
        reached.min((size + self.before).div_ceil(self.stride))
    }
    /// How many taps of window `number` lie in `low..high`, in coordinates of the input without padding.
    pub fn taps_within(self, number: Dim, low: Dim, high: Dim) -> Dim {
        let start = self.source(number, 0.into());
        let first = (low - start).div_ceil(self.dilation).max(0);
        let end = (high - start).div_ceil(self.dilation).min(self.kernel);
        (end - first).max(0)
    }
    /// Where tap `tap` of window `number` reads, in coordinates of the input without padding.
    pub fn source(self, number: Dim, tap: Dim) -> Dim {
        number * self.stride + tap * self.dilation - self.before
    }
    /// Whether at least one window fits.
    pub fn fits(self, size: Dim) -> Prop {
        if self.same { size.ge(1) } else { self.reach().le(self.padded(size)) }
    }
    /// Whether at least one window fits if it may hang over the end.
    pub fn fits_overhanging(self, size: Dim) -> Prop {
        if self.same { size.ge(1) } else { self.reach().lt(self.padded(size) + self.stride) }
    }
    /// Padding so that the output has `ceil(size / stride)` positions, the odd one at the end if `upper`.
    pub fn same(self, size: Dim, upper: bool) -> Window {
        let count = size.div_ceil(self.stride);
        let total = ((count - 1) * self.stride + self.reach() - size).max(0);
        let half = total.div_floor(2);
        let (before, after) = if upper { (half, total - half) } else { (total - half, half) };
        Window { before, after, same: true, ..self }
    }
}

/// Reads `stride`, `dilation`, `padding` (all befores, then all afters) and `auto_pad` of a call,
/// and states what they must satisfy.
pub fn windows(call: &mut Call, kernel: &[Dim], sizes: &[Dim]) -> Result<Vec<Window>, Stop> {
    let axes = kernel.len();
    let stride = call.per_axis("stride", "`stride` has one value per spatial axis", axes)?;
    let dilation = call.per_axis("dilation", "`dilation` has one value per spatial axis", axes)?;
    let auto_pad = call.text("auto_pad")?;
    let padding = match auto_pad.as_str() {
        "NOTSET" => call.per_axis("padding", "`padding` has two values per spatial axis", 2 * axes)?,
        _ => vec![0.into(); 2 * axes],
    };
    let positive = Prop::all(stride.iter().map(|stride| stride.ge(1)));
    call.demand(Category::IllegalValue, "`stride` is positive", positive)?;
    call.require_value("`dilation` is positive", Prop::all(dilation.iter().map(|dilation| dilation.ge(1))));
    call.require_value("`padding` is not negative", Prop::all(padding.iter().map(|pad| pad.ge(0))));
    call.require_value("the kernel is not empty", Prop::all(kernel.iter().map(|kernel| kernel.ge(1))));
    let windows: Vec<Window> = (0..axes)
        .map(|k| {
            let window = Window {
                kernel: kernel[k],
                stride: stride[k],
                dilation: dilation[k],
                before: padding[k],
                after: padding[axes + k],
                same: false,
            };
            match auto_pad.as_str() {
                "SAME_UPPER" => window.same(sizes[k], true),
                "SAME_LOWER" => window.same(sizes[k], false),
                _ => window,
            }
        })
        .collect();
    remark_on_gaps(call, "`stride` is at most what the kernel spans", &windows);
    Ok(windows)
}

/// Where windows move farther than they reach, some elements are never looked at.
pub fn remark_on_gaps(call: &mut Call, label: &'static str, windows: &[Window]) {
    // An empty kernel is another fault.
    let close = windows.iter().map(|window| window.stride.le(window.reach().max(1)));
    call.require(Category::ImproperValue, label, Prop::all(close));
}

/// States that an input of the given rank is a batch of channels over at least one axis.
pub fn require_spatial(call: &mut Call, rank: impl Into<Dim>) -> Result<(), Stop> {
    let label = "`input` has a batch, a channel and at least one spatial axis";
    call.demand(Category::IncompatibleShape, label, rank.into().ge(3))
}

/// States that the padding is either given or chosen, not both.
pub fn require_one_padding(call: &mut Call) -> Result<(), Stop> {
    let chosen = call.text("auto_pad")? != "NOTSET";
    let label = "`padding` and `auto_pad` are not given together";
    call.insist(Category::IllegalValue, label, !(chosen && call.is_given("padding")))
}

/// The specification says how to pad for a dilated kernel, too. ONNX Runtime refuses to convolve so, and pools as if
/// the kernel were not dilated.
pub fn remark_on_dilated_padding(call: &mut Call) -> Result<(), Stop> {
    if call.text("auto_pad")?.starts_with("SAME") {
        let dilation = call.optional_ints("dilation")?.unwrap_or_default();
        let plain = Prop::all(dilation.iter().map(|dilation| dilation.eq(1)));
        let label = "for ONNX Runtime, `dilation` is 1 where `auto_pad` chooses the padding";
        call.require(Category::UnsupportedValue, label, plain);
    }
    Ok(())
}

/// States that at least one window fits each axis.
pub fn require_fit(call: &mut Call, windows: &[Window], sizes: &[Dim]) {
    let fits = windows.iter().zip(sizes).map(|(window, &size)| window.fits(size));
    call.require(Category::IllegalShape, "the kernel fits the padded input", Prop::all(fits));
}
