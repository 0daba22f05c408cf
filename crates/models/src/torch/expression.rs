//! One operator as one expression of PyTorch: a table of functions that mean the same, and a few lines each for those
//! whose arguments are given in another way.

use program::ir::Given;
use semantics::dtype::Kind;
use semantics::operator::{Operator, Preset};

/// An expression, and how many of the operator's outputs it gives.
pub(super) struct Expression {
    pub text: String,
    pub outputs: usize,
}

/// Functions of one tensor, or of two, that mean what the operator means.
const PLAIN: &[(&str, &str)] = &[
    ("abs", "torch.abs"),
    ("acos", "torch.acos"),
    ("acosh", "torch.acosh"),
    ("add", "torch.add"),
    ("and", "torch.logical_and"),
    ("asin", "torch.asin"),
    ("asinh", "torch.asinh"),
    ("atan", "torch.atan"),
    ("atanh", "torch.atanh"),
    ("bitwise_and", "torch.bitwise_and"),
    ("bitwise_not", "torch.bitwise_not"),
    ("bitwise_or", "torch.bitwise_or"),
    ("bitwise_xor", "torch.bitwise_xor"),
    ("ceil", "torch.ceil"),
    ("cos", "torch.cos"),
    ("cosh", "torch.cosh"),
    ("det", "torch.linalg.det"),
    ("equal", "torch.eq"),
    ("erf", "torch.erf"),
    ("exp", "torch.exp"),
    ("floor", "torch.floor"),
    ("greater", "torch.gt"),
    ("greater_or_equal", "torch.ge"),
    ("hard_swish", "F.hardswish"),
    ("identity", "torch.clone"),
    ("is_nan", "torch.isnan"),
    ("less", "torch.lt"),
    ("less_or_equal", "torch.le"),
    ("log", "torch.log"),
    ("matmul", "torch.matmul"),
    ("mish", "F.mish"),
    ("mul", "torch.mul"),
    ("neg", "torch.neg"),
    ("not", "torch.logical_not"),
    ("or", "torch.logical_or"),
    ("reciprocal", "torch.reciprocal"),
    ("relu", "torch.relu"),
    ("round", "torch.round"),
    ("sigmoid", "torch.sigmoid"),
    ("sign", "torch.sign"),
    ("sin", "torch.sin"),
    ("sinh", "torch.sinh"),
    ("softplus", "F.softplus"),
    ("softsign", "F.softsign"),
    ("sqrt", "torch.sqrt"),
    ("sub", "torch.sub"),
    ("tan", "torch.tan"),
    ("tanh", "torch.tanh"),
    ("where", "torch.where"),
    ("xor", "torch.logical_xor"),
];

pub(super) fn expression(
    operator: &Operator,
    given: &[Option<Given>],
    names: &[Vec<String>],
    kind: Kind,
    sizes: &[i64],
) -> Option<Expression> {
    let call = Call { operator, given, names, kind, sizes, rank: sizes.len() };
    let text = match PLAIN.iter().find(|(name, _)| *name == operator.name) {
        Some((_, function)) => Some(format!("{function}({})", call.all())),
        None => {
            call.elementwise().or_else(|| call.reduced()).or_else(|| call.moved()).or_else(|| call.windowed())
        }
    }?;
    let outputs = if operator.name == "split" { usize::MAX } else { 1 };
    Some(Expression { text, outputs })
}

struct Call<'c> {
    operator: &'c Operator,
    given: &'c [Option<Given>],
    names: &'c [Vec<String>],
    kind: Kind,
    /// Of the first tensor.
    sizes: &'c [i64],
    rank: usize,
}

impl Call<'_> {
    /// All tensors in their order.
    fn all(&self) -> String {
        self.names.concat().join(", ")
    }
    /// A tensor by the name of its input; absent ones are `None`.
    fn tensor(&self, name: &str) -> String {
        let place = self.operator.inputs.iter().position(|input| input.name == name);
        place.and_then(|place| self.names.get(place)?.first().cloned()).unwrap_or("None".into())
    }
    fn argument(&self, name: &str) -> (Option<&Given>, Preset) {
        let place = self.operator.parameters.iter().position(|parameter| parameter.name == name);
        match place {
            Some(place) => (self.given[place].as_ref(), self.operator.parameters[place].default),
            None => (None, Preset::Absent),
        }
    }
    fn int(&self, name: &str) -> Option<i64> {
        match self.argument(name) {
            (Some(Given::Int(value)), _) => Some(*value),
            (None, Preset::Int(value)) => Some(value),
            _ => None,
        }
    }
    fn float(&self, name: &str) -> Option<f64> {
        match self.argument(name) {
            (Some(Given::Float(value)), _) => Some(*value),
            (None, Preset::Float(value)) => Some(value),
            _ => None,
        }
    }
    fn flag(&self, name: &str) -> bool {
        match self.argument(name) {
            (Some(Given::Int(value)), _) => *value != 0,
            (_, preset) => matches!(preset, Preset::Flag(true)),
        }
    }
    fn word(&self, name: &str) -> Option<String> {
        match self.argument(name) {
            (Some(Given::Text(word)), _) => Some(word.clone()),
            (None, Preset::Word(word)) => Some(word.into()),
            _ => None,
        }
    }
    /// A list; one number stands for `count` of them.
    fn ints(&self, name: &str, count: usize) -> Option<Vec<i64>> {
        match self.argument(name) {
            (Some(Given::Ints(values)), _) => Some(values.clone()),
            (Some(Given::Int(value)), _) => Some(vec![*value; count]),
            (None, Preset::Int(value)) => Some(vec![value; count]),
            _ => None,
        }
    }
    /// Whether an axis is named twice.
    fn repeats(&self, axes: &[i64]) -> bool {
        let rank = self.rank.max(1) as i64;
        let place = |axis: &i64| axis.rem_euclid(rank);
        (1..axes.len()).any(|k| axes[..k].iter().any(|other| place(other) == place(&axes[k])))
    }
    fn is_given(&self, name: &str) -> bool {
        self.argument(name).0.is_some()
    }
    fn has(&self, input: &str) -> bool {
        self.tensor(input) != "None"
    }

    /// Element by element, with arguments.
    fn elementwise(&self) -> Option<String> {
        let x = self.names.first()?.first()?;
        let all = self.names.concat();
        let is_float = self.kind.is_float();
        Some(match self.operator.name {
            "div" if is_float => format!("torch.div({})", self.all()),
            "div" => format!("torch.div({}, rounding_mode=\"trunc\")", self.all()),
            "mod" if self.flag("fmod") => format!("torch.fmod({})", self.all()),
            "mod" => format!("torch.remainder({})", self.all()),
            "max" => all.into_iter().reduce(|a, b| format!("torch.maximum({a}, {b})"))?,
            "min" => all.into_iter().reduce(|a, b| format!("torch.minimum({a}, {b})"))?,
            "sum" => all.into_iter().reduce(|a, b| format!("torch.add({a}, {b})"))?,
            "celu" => format!("F.celu({x}, alpha={:?})", self.float("alpha").filter(|alpha| *alpha != 0.0)?),
            "elu" => format!("F.elu({x}, alpha={:?})", self.float("alpha")?),
            "leaky_relu" => format!("F.leaky_relu({x}, {:?})", self.float("alpha")?),
            "gelu" => format!("F.gelu({x}, approximate=\"{}\")", self.word("approximate")?),
            "thresholded_relu" => format!("F.threshold({x}, {:?}, 0.0)", self.float("alpha")?),
            "swish" if self.float("alpha")? == 1.0 => format!("F.silu({x})"),
            "shrink" if is_float => {
                let (width, bias) = (self.float("lambd").filter(|width| *width >= 0.0)?, self.float("bias")?);
                match bias {
                    0.0 => format!("F.hardshrink({x}, {width:?})"),
                    bias if bias == width => format!("F.softshrink({x}, {width:?})"),
                    _ => return None,
                }
            }
            // Bounds are both tensors or both numbers; as tensors they would broadcast.
            "clip" if self.has("min") || self.has("max") => {
                if self.is_given("least") || self.is_given("most") {
                    return None;
                }
                // Without a bound, infinity becomes the largest number: PyTorch leaves it as it is.
                let bound = |name, end| match self.has(name) {
                    true => format!("{}.reshape(())", self.tensor(name)),
                    false if self.kind.is_float() => format!("torch.tensor({end}, dtype={x}.dtype)"),
                    false => "None".to_string(),
                };
                let least = bound("min", format!("torch.finfo({x}.dtype).min"));
                let most = bound("max", format!("torch.finfo({x}.dtype).max"));
                format!("torch.clamp({x}, min={least}, max={most})")
            }
            "is_inf" if !self.is_given("detect_negative") && !self.is_given("detect_positive") => {
                format!("torch.isinf({x})")
            }
            "cast" if !self.is_given("saturate") && !self.is_given("round_mode") => {
                match self.argument("to").0? {
                    Given::Type(to)
                        if to.is_float() && matches!(to, Kind::F16 | Kind::BF16 | Kind::F32 | Kind::F64) =>
                    {
                        format!("{x}.to(torch.{})", crate::keras::literal::dtype(*to).ok()?)
                    }
                    _ => return None,
                }
            }
            "softmax" | "log_softmax" => {
                format!("torch.{}({x}, dim={})", self.operator.name, self.int("axis")?)
            }
            _ => return None,
        })
    }

    /// Folded along axes.
    fn reduced(&self) -> Option<String> {
        let x = self.names.first()?.first()?;
        let keep = if self.flag("keepdims") { "True" } else { "False" };
        if let "arg_max" | "arg_min" = self.operator.name {
            if self.flag("select_last_index") || self.sizes.contains(&0) {
                return None;
            }
            let name = self.operator.name.replace('_', "");
            return Some(format!("torch.{name}({x}, dim={}, keepdim={keep})", self.int("axis")?));
        }
        if let "cum_sum" | "cum_prod" = self.operator.name {
            if self.flag("exclusive") || self.flag("reverse") {
                return None;
            }
            let name = self.operator.name.replace('_', "");
            return Some(format!("torch.{name}({x}, dim={})", self.int("axis")?));
        }
        let name = self.operator.name.strip_prefix("reduce_")?;
        let axes = self.ints("axes", 1).filter(|axes| !axes.is_empty());
        if axes.is_none() && self.flag("noop_with_empty_axes") || self.rank == 0 {
            return None;
        }
        let axes = axes.unwrap_or_else(|| (0..self.rank as i64).collect());
        // The largest of nothing is an error in PyTorch, and an axis is named once.
        let of_nothing = self.sizes.contains(&0) && matches!(name, "max" | "min");
        if self.repeats(&axes) || of_nothing {
            return None;
        }
        let dims = tuple(&axes);
        let is_float = self.kind.is_float();
        Some(match name {
            "sum" => format!("torch.sum({x}, dim={dims}, keepdim={keep})"),
            "mean" if is_float => format!("torch.mean({x}, dim={dims}, keepdim={keep})"),
            "max" => format!("torch.amax({x}, dim={dims}, keepdim={keep})"),
            "min" => format!("torch.amin({x}, dim={dims}, keepdim={keep})"),
            "prod" if axes.len() == 1 => format!("torch.prod({x}, dim={}, keepdim={keep})", axes[0]),
            "l1" if is_float => format!("torch.linalg.vector_norm({x}, 1, dim={dims}, keepdim={keep})"),
            "l2" if is_float => format!("torch.linalg.vector_norm({x}, 2, dim={dims}, keepdim={keep})"),
            "log_sum_exp" if is_float => format!("torch.logsumexp({x}, dim={dims}, keepdim={keep})"),
            "sum_square" => format!("torch.sum(torch.square({x}), dim={dims}, keepdim={keep})"),
            "log_sum" if is_float => format!("torch.log(torch.sum({x}, dim={dims}, keepdim={keep}))"),
            _ => return None,
        })
    }

    /// Elements put elsewhere.
    fn moved(&self) -> Option<String> {
        let x = self.names.first()?.first()?;
        let rank = self.rank as i64;
        Some(match self.operator.name {
            "concat" => format!("torch.cat([{}], dim={})", self.all(), self.int("axis")?),
            "reshape" => {
                let shape = self.ints("shape", 1).filter(|shape| !shape.contains(&0))?;
                format!("torch.reshape({x}, {})", tuple(&shape))
            }
            "transpose" => {
                let order = self.ints("order", 1).unwrap_or_else(|| (0..rank).rev().collect());
                format!("torch.permute({x}, {})", tuple(&order))
            }
            "squeeze" => match self.ints("axes", 1) {
                Some(axes) if axes.is_empty() || self.repeats(&axes) => return None,
                Some(axes) => format!("torch.squeeze({x}, {})", tuple(&axes)),
                None => format!("torch.squeeze({x})"),
            },
            "unsqueeze" => match self.ints("axes", 1)?[..] {
                [axis] => format!("torch.unsqueeze({x}, {axis})"),
                _ => return None,
            },
            "flatten" if self.int("axis")? == 1 && rank >= 2 => format!("torch.flatten({x}, 1)"),
            "tile" => format!("torch.tile({x}, {})", tuple(&self.ints("repeats", 1)?)),
            "trilu" => {
                let name = if self.flag("upper") { "triu" } else { "tril" };
                format!("torch.{name}({x}, {})", self.int("k")?)
            }
            "gather" if rank > 0 => {
                let axis = self.int("axis")?.rem_euclid(rank) as usize;
                format!("{x}[{}{}]", ":, ".repeat(axis), self.tensor("indices"))
            }
            "split" => format!("torch.split({x}, {:?}, dim={})", self.ints("split", 1)?, self.int("axis")?),
            "top_k" => {
                let (largest, sorted) = (python(self.flag("largest")), python(self.flag("sorted")));
                let (k, axis) = (self.int("k")?, self.int("axis")?);
                format!("torch.topk({x}, {k}, dim={axis}, largest={largest}, sorted={sorted})[0]")
            }
            "slice" => self.sliced(x)?,
            "pad" => self.padded(x)?,
            "depth_to_space" if self.word("mode")? == "CRD" => {
                format!("F.pixel_shuffle({x}, {})", self.int("blocksize")?)
            }
            "einsum" if !self.flag("free_ellipsis") => {
                let Given::Text(equation) = self.argument("equation").0? else { return None };
                format!("torch.einsum(\"{equation}\", {})", self.all())
            }
            _ => return None,
        })
    }

    fn sliced(&self, x: &str) -> Option<String> {
        let (starts, ends) = (self.ints("starts", 1)?, self.ints("ends", 1)?);
        let axes = self.ints("axes", 1).unwrap_or_else(|| (0..starts.len() as i64).collect());
        let steps = self.ints("steps", 1).unwrap_or_else(|| vec![1; starts.len()]);
        if self.rank == 0 || steps.iter().any(|step| *step < 1) || axes.len() != starts.len() {
            return None;
        }
        let mut each = vec![":".to_string(); self.rank];
        for (k, axis) in axes.iter().enumerate() {
            let (start, end, step) = (starts[k], *ends.get(k)?, *steps.get(k)?);
            *each.get_mut(axis.rem_euclid(self.rank as i64) as usize)? = format!("{start}:{end}:{step}");
        }
        Some(format!("{x}[{}]", each.join(", ")))
    }

    fn padded(&self, x: &str) -> Option<String> {
        let pads = self.ints("pads", 1).filter(|pads| pads.len() == 2 * self.rank)?;
        if self.is_given("axes") || self.has("value") && self.names.len() > 1 && self.is_given("fill") {
            return None;
        }
        let mode = match self.word("mode")?.as_str() {
            "constant" => "constant",
            "reflect" => "reflect",
            "edge" => "replicate",
            _ => return None,
        };
        let mut from = 0;
        if mode != "constant" {
            if !(3..=5).contains(&self.rank)
                || pads[..2].iter().chain(&pads[self.rank..self.rank + 2]).any(|pad| *pad != 0)
            {
                return None;
            }
            from = 2;
        }
        // From the last axis to the first, both ends of each.
        let pairs = (from..self.rank).rev().flat_map(|axis| [pads[axis], pads[axis + self.rank]]);
        let pairs = tuple(&pairs.collect::<Vec<_>>());
        let value = match (mode, self.has("value")) {
            ("constant", true) => format!(", value={}.item()", self.tensor("value")),
            _ => String::new(),
        };
        Some(format!("F.pad({x}, {pairs}, mode=\"{mode}\"{value})"))
    }

    /// Windows, products with weights, and normalization.
    fn windowed(&self) -> Option<String> {
        let x = self.names.first()?.first()?;
        let axes = self.rank.checked_sub(2)?;
        let epsilon = || self.float("epsilon").map(|epsilon| format!("{epsilon:?}"));
        match self.operator.name {
            "global_average_pool" | "global_max_pool" => {
                let dims = tuple(&(2..self.rank as i64).collect::<Vec<_>>());
                let name = if self.operator.name == "global_max_pool" { "amax" } else { "mean" };
                return (axes > 0).then(|| format!("torch.{name}({x}, dim={dims}, keepdim=True)"));
            }
            "batch_normalization" if !self.flag("training") && self.flag("spatial") => {
                let [mean, variance] = ["mean", "variance"].map(|name| self.tensor(name));
                let [scale, bias] = ["scale", "bias"].map(|name| self.tensor(name));
                return Some(format!(
                    "F.batch_norm({x}, {mean}, {variance}, {scale}, {bias}, eps={})",
                    epsilon()?
                ));
            }
            "instance_normalization" if axes > 0 => {
                let [scale, bias] = ["scale", "bias"].map(|name| self.tensor(name));
                return Some(format!(
                    "F.instance_norm({x}, weight={scale}, bias={bias}, eps={})",
                    epsilon()?
                ));
            }
            "group_normalization" if !self.is_given("stash_type") => {
                let [scale, bias] = ["scale", "bias"].map(|name| self.tensor(name));
                let groups = self.int("groups")?;
                return Some(format!("F.group_norm({x}, {groups}, {scale}, {bias}, eps={})", epsilon()?));
            }
            // PyTorch computes in float64 what ONNX computes in float32 unless told otherwise.
            "layer_normalization" if !self.is_given("stash_type") && self.kind != Kind::F64 => {
                // Scale and bias broadcast to the whole tensor.
                let (axis, scale) = (self.int("axis")?, self.tensor("scale"));
                let bias =
                    if self.has("bias") { format!(" + {}", self.tensor("bias")) } else { String::new() };
                return Some(format!(
                    "F.layer_norm({x}, {x}.shape[{axis}:], eps={}) * {scale}{bias}",
                    epsilon()?
                ));
            }
            _ => {}
        }
        if !(1..=3).contains(&axes) {
            return None;
        }
        let (stride, dilation) = (self.ints("stride", axes)?, self.ints("dilation", axes)?);
        let pads = self.ints("padding", 2 * axes)?;
        let (before, after) = (pads.get(..axes)?, pads.get(axes..)?);
        let padding = match self.word("auto_pad")?.as_str() {
            "NOTSET" if before == after => tuple(before),
            "VALID" if !self.is_given("padding") => "0".into(),
            "SAME_UPPER" if self.operator.name == "conv" && stride.iter().all(|stride| *stride == 1) => {
                "\"same\"".into()
            }
            _ => return None,
        };
        let [stride, dilated] = [&stride, &dilation].map(|list| tuple(list));
        Some(match self.operator.name {
            "conv" => {
                let (weight, bias, groups) =
                    (self.tensor("weight"), self.tensor("bias"), self.int("groups")?);
                format!(
                    "F.conv{axes}d({x}, {weight}, {bias}, stride={stride}, padding={padding}, dilation={dilated}, groups={groups})"
                )
            }
            "conv_transpose" if !self.is_given("output_shape") && !self.is_given("output_padding") => {
                let (weight, bias, groups) =
                    (self.tensor("weight"), self.tensor("bias"), self.int("groups")?);
                format!(
                    "F.conv_transpose{axes}d({x}, {weight}, {bias}, stride={stride}, padding={padding}, groups={groups}, dilation={dilated})"
                )
            }
            "max_pool" | "average_pool" if !self.flag("ceil_mode") => {
                let kernel = self.ints("kernel", axes)?;
                // PyTorch pads by half a window at most, and says so.
                if before.iter().zip(&kernel).any(|(pad, kernel)| 2 * pad > *kernel) {
                    return None;
                }
                let kernel = tuple(&kernel);
                match self.operator.name {
                    "max_pool" => format!(
                        "F.max_pool{axes}d({x}, {kernel}, stride={stride}, padding={padding}, dilation={dilated})"
                    ),
                    _ if dilation.iter().any(|dilation| *dilation != 1) => return None,
                    _ => {
                        let counted = python(self.flag("count_include_pad"));
                        format!(
                            "F.avg_pool{axes}d({x}, {kernel}, stride={stride}, padding={padding}, count_include_pad={counted})"
                        )
                    }
                }
            }
            _ => return None,
        })
    }
}

fn python(flag: bool) -> &'static str {
    if flag { "True" } else { "False" }
}

fn tuple(values: &[i64]) -> String {
    match values {
        [one] => format!("({one},)"),
        values => format!("({})", values.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")),
    }
}
