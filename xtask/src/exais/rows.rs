//! A row of the data: a graph of layers in ExAIS's notation, and how each layer is written in Keras's.

use anyhow::{Context, Result, anyhow, bail};
use program::ir::{Given, Program, ValueId};
use program::network::{Network, Wired};
use semantics::array::{Array, Data};
use semantics::dtype::Kind;
use serde_json::Value;
use std::collections::BTreeMap;

pub struct Row {
    pub id: String,
    /// TensorFlow's result, of a valid graph.
    pub expected: Option<Array>,
    /// ExAIS's own result, of a valid graph.
    pub computed: Option<Array>,
    /// The blamed layer and the message, of an invalid one.
    pub fault: String,
    /// TensorFlow's message, of an invalid one.
    pub their_fault: String,
    layers: Vec<Value>,
}

impl Row {
    pub fn parse(line: &str) -> Result<Row> {
        let row: Value = serde_json::from_str(line)?;
        let layers = row["layers"].as_array().context("the layers")?.clone();
        Ok(Row {
            id: row["id"].as_str().unwrap_or_default().to_string(),
            expected: numbers(&row["tensorflow_2_4"]),
            computed: numbers(&row["exais"]),
            fault: row["exais"]["raw"].as_str().unwrap_or_default().to_string(),
            their_fault: row["tensorflow_2_4"]["raw"].as_str().unwrap_or_default().to_string(),
            layers,
        })
    }

    /// The graph as a program; its output is that of the last layer.
    pub fn program(&self) -> Result<Program> {
        let mut graph = Graph { network: Network::default(), named: BTreeMap::new() };
        let mut last = None;
        for layer in &self.layers {
            last = Some(graph.layer(layer)?);
        }
        Ok(graph.network.finish(&self.id, vec![last.context("a layer")?]))
    }
}

impl Row {
    /// The same graph, in which masking finds nothing to mask.
    pub fn unmasked(mut self) -> Row {
        let maskings = self.layers.iter_mut().filter(|layer| layer["op"] == "masking");
        maskings.for_each(|layer| layer["args"][1] = Value::from(-1e30));
        self
    }
}

struct Graph {
    network: Network,
    named: BTreeMap<String, ValueId>,
}

impl Graph {
    fn layer(&mut self, layer: &Value) -> Result<ValueId> {
        let name = layer["name"].as_str().context("a name")?;
        // A cell inside an `RNN` is the layer of its name.
        let op = layer["op"].as_str().context("an operator")?.trim_end_matches("cell");
        let arguments = layer["args"].as_array().context("arguments")?;
        let (class, wired) =
            self.wired(name, op, arguments).with_context(|| format!("layer {name} ({op})"))?;
        let definition = layers::layers::by_name(&class).ok_or(anyhow!("no layer {class}"))?;
        let output = self.network.layer(definition, name, wired)[0];
        self.named.insert(name.to_string(), output);
        Ok(output)
    }

    fn tensor(&mut self, name: &str, value: &Value) -> Result<ValueId> {
        match value {
            Value::String(reference) => {
                let target = reference.trim_start_matches('$');
                self.named.get(target).copied().ok_or(anyhow!("no layer {target}"))
            }
            _ => Ok(self.network.constant(name, array(value).context("a tensor")?)),
        }
    }

    /// The class of the layer, its inputs, weights and arguments.
    fn wired(&mut self, name: &str, op: &str, args: &[Value]) -> Result<(String, Wired)> {
        let mut wired = Wired { wanted: 1, ..Wired::default() };
        if let Some(class) = merging(op) {
            let inputs: Vec<&Value> = match op {
                "subtract" | "dot" => args[..2].iter().collect(),
                _ => args[0].as_array().context("tensors")?.iter().collect(),
            };
            let inputs = inputs.into_iter().map(|input| self.tensor(name, input)).collect::<Result<_>>()?;
            wired.tensors.push(("inputs", inputs));
            match op {
                "concatenate" => wired.arguments.push(("axis", whole(&args[1])?)),
                "dot" => wired.arguments.push(("axes", wholes(&args[2..])?)),
                _ => {}
            }
            return Ok((class.to_string(), wired));
        }
        let recurrent = matches!(op, "lstm" | "gru" | "simple_rnn");
        let input = self.tensor(name, &args[0])?;
        wired.tensors.push((if recurrent { "sequences" } else { "inputs" }, vec![input]));
        let class = self.rest(name, op, &args[1..], &mut wired)?;
        Ok((class, wired))
    }

    fn weight(&mut self, wired: &mut Wired, name: &'static str, value: &Value) -> Result<()> {
        let constant = self.network.constant(name, array(value).context("a weight")?);
        wired.tensors.push((name, vec![constant]));
        Ok(())
    }

    /// Everything after the input.
    fn rest(&mut self, name: &str, op: &str, args: &[Value], wired: &mut Wired) -> Result<String> {
        let (family, axes) = dimensions(op);
        let class = match (family, op) {
            ("conv" | "conv_transpose", _) => {
                wired.arguments.push(("kernel_size", wholes(&args[..axes])?));
                self.weight(wired, "kernel", &args[axes])?;
                self.weight(wired, "bias", &args[axes + 1])?;
                wired.arguments.push(("filters", length(&args[axes + 1])?));
                wired.arguments.push(("strides", wholes(&args[axes + 2..2 * axes + 2])?));
                wired.arguments.push(("padding", padding(&args[2 * axes + 2])));
                if family == "conv" {
                    wired.arguments.push(("dilation_rate", wholes(&args[2 * axes + 3..])?));
                }
                format!("Conv{axes}D{}", if family == "conv" { "" } else { "Transpose" })
            }
            ("depthwise_conv", _) => {
                wired.arguments.push(("kernel_size", wholes(&args[..axes])?));
                self.weight(wired, "kernel", &args[axes])?;
                self.weight(wired, "bias", &args[axes + 1])?;
                wired.arguments.push(("strides", wholes(&args[axes + 2..2 * axes + 2])?));
                wired.arguments.push(("padding", padding(&args[2 * axes + 2])));
                wired.arguments.push(("depth_multiplier", multiplier(&args[axes])?));
                format!("DepthwiseConv{axes}D")
            }
            ("separable_conv", _) => {
                wired.arguments.push(("kernel_size", wholes(&args[..axes])?));
                self.weight(wired, "depthwise_kernel", &args[axes][0])?;
                self.weight(wired, "pointwise_kernel", &args[axes][1])?;
                self.weight(wired, "bias", &args[axes + 1])?;
                wired.arguments.push(("filters", length(&args[axes + 1])?));
                wired.arguments.push(("strides", wholes(&args[axes + 2..2 * axes + 2])?));
                wired.arguments.push(("padding", padding(&args[2 * axes + 2])));
                wired.arguments.push(("depth_multiplier", multiplier(&args[axes][0])?));
                format!("SeparableConv{axes}D")
            }
            ("locally_connected", _) => {
                wired.arguments.push(("kernel_size", wholes(&args[..axes])?));
                self.weight(wired, "kernel", &args[axes])?;
                self.weight(wired, "bias", &args[axes + 1])?;
                let filters = array(&args[axes]).context("a kernel")?.shape.last().copied().unwrap_or(0);
                wired.arguments.push(("filters", Given::Int(filters as i64)));
                wired.arguments.push(("strides", wholes(&args[axes + 2..])?));
                format!("LocallyConnected{axes}D")
            }
            ("max_pool" | "average_pooling", _) => {
                wired.arguments.push(("pool_size", wholes(&args[..axes])?));
                if args.len() > axes {
                    wired.arguments.push(("strides", wholes(&args[axes..2 * axes])?));
                    wired.arguments.push(("padding", padding(&args[2 * axes])));
                }
                format!("{}Pooling{axes}D", if family == "max_pool" { "Max" } else { "Average" })
            }
            ("global_max_pool", _) => format!("GlobalMaxPooling{axes}D"),
            ("global_average_pooling", _) => format!("GlobalAveragePooling{axes}D"),
            ("cropping", _) => {
                wired.arguments.push(("cropping", wholes(args)?));
                format!("Cropping{axes}D")
            }
            ("zero_padding", _) => {
                wired.arguments.push(("padding", wholes(args)?));
                format!("ZeroPadding{axes}D")
            }
            ("up_sampling", _) => {
                wired.arguments.push(("size", wholes(args)?));
                format!("UpSampling{axes}D")
            }
            (_, "lstm" | "gru" | "simple_rnn") => {
                self.weight(wired, "kernel", &args[0])?;
                self.weight(wired, "recurrent_kernel", &args[1])?;
                self.weight(wired, "bias", &args[2])?;
                let units = args[1].as_array().context("a recurrent kernel")?.len();
                wired.arguments.push(("units", Given::Int(units as i64)));
                if op == "gru" {
                    wired
                        .arguments
                        .push(("reset_after", Given::Int(args[3].as_bool().unwrap_or(false).into())));
                }
                match op {
                    "lstm" => "LSTM",
                    "gru" => "GRU",
                    _ => "SimpleRNN",
                }
                .to_string()
            }
            (_, "dense") => {
                self.weight(wired, "kernel", &args[0])?;
                self.weight(wired, "bias", &args[1])?;
                wired.arguments.push(("units", length(&args[1])?));
                "Dense".into()
            }
            (_, "batch_normalization") => {
                wired.arguments.push(("axis", whole(&args[0])?));
                wired.arguments.push(("epsilon", float(&args[1])?));
                for (weight, value) in
                    ["gamma", "beta", "moving_mean", "moving_variance"].into_iter().zip(&args[2..])
                {
                    self.weight(wired, weight, value)?;
                }
                "BatchNormalization".into()
            }
            (_, "layer_normalization") => {
                wired.arguments.push(("axis", whole(&args[0])?));
                wired.arguments.push(("epsilon", float(&args[1])?));
                wired.arguments.push(("center", Given::Int(0)));
                wired.arguments.push(("scale", Given::Int(0)));
                "LayerNormalization".into()
            }
            (_, "embedding") => {
                self.weight(wired, "embeddings", &args[0])?;
                let shape = array(&args[0]).context("a table")?.shape;
                wired.arguments.push(("input_dim", Given::Int(shape[0] as i64)));
                wired.arguments.push(("output_dim", Given::Int(shape[1] as i64)));
                "Embedding".into()
            }
            (_, "prelu") => {
                self.weight(wired, "alpha", &args[0])?;
                "PReLU".into()
            }
            _ => {
                let (class, named): (&str, &[&'static str]) = match op {
                    "flatten" => ("Flatten", &[]),
                    "elu" => ("ELU", &["alpha"]),
                    "leaky_relu" => ("LeakyReLU", &["negative_slope"]),
                    "relu" => ("ReLU", &["max_value", "negative_slope", "threshold"]),
                    "thresholded_relu" => ("ThresholdedReLU", &["theta"]),
                    "masking" => ("Masking", &["mask_value"]),
                    "reshape" => {
                        wired
                            .arguments
                            .push(("target_shape", wholes(args[0].as_array().context("a shape")?)?));
                        return Ok("Reshape".into());
                    }
                    "permute" => {
                        wired.arguments.push(("dims", wholes(args)?));
                        return Ok("Permute".into());
                    }
                    "softmax" => {
                        wired.arguments.push(("axis", whole(&args[0])?));
                        return Ok("Softmax".into());
                    }
                    _ => bail!("`{op}` of {name} is not known"),
                };
                for (parameter, value) in named.iter().zip(args) {
                    wired.arguments.push((*parameter, float(value)?));
                }
                wired.wanted = if op == "masking" { 2 } else { 1 };
                class.into()
            }
        };
        Ok(class)
    }
}

fn merging(op: &str) -> Option<&'static str> {
    Some(match op {
        "add" => "Add",
        "average" => "Average",
        "maximum" => "Maximum",
        "minimum" => "Minimum",
        "multiply" => "Multiply",
        "subtract" => "Subtract",
        "concatenate" => "Concatenate",
        "dot" => "Dot",
        _ => return None,
    })
}

/// `conv3D_transpose` as `conv_transpose` and 3.
fn dimensions(op: &str) -> (&'static str, usize) {
    const FAMILIES: [&str; 12] = [
        "conv_transpose",
        "conv",
        "depthwise_conv",
        "separable_conv",
        "locally_connected",
        "max_pool",
        "average_pooling",
        "global_max_pool",
        "global_average_pooling",
        "cropping",
        "zero_padding",
        "up_sampling",
    ];
    for axes in 1..=3 {
        let mark = format!("{axes}D");
        if op.contains(&mark) {
            let plain = op.replace(&mark, "");
            return (FAMILIES.into_iter().find(|family| **family == *plain).unwrap_or(""), axes);
        }
    }
    ("", 0)
}

fn whole(value: &Value) -> Result<Given> {
    Ok(Given::Int(value.as_i64().context("an integer")?))
}

fn wholes(values: &[Value]) -> Result<Given> {
    values.iter().map(|value| value.as_i64().context("an integer")).collect::<Result<_>>().map(Given::Ints)
}

fn float(value: &Value) -> Result<Given> {
    Ok(Given::Float(value.as_f64().context("a number")?))
}

fn length(value: &Value) -> Result<Given> {
    Ok(Given::Int(value.as_array().context("a list")?.len() as i64))
}

/// How many filters a kernel has for each channel: the last axis counts them.
fn multiplier(kernel: &Value) -> Result<Given> {
    let shape = array(kernel).context("a kernel")?.shape;
    Ok(Given::Int(shape.last().copied().unwrap_or(1) as i64))
}

fn padding(value: &Value) -> Given {
    Given::Text(if value.as_bool() == Some(true) { "same" } else { "valid" }.into())
}

/// A nested list as a tensor of float32, in which TensorFlow computed; `None` if it is ragged or holds anything but numbers.
fn array(value: &Value) -> Option<Array> {
    let mut array = numbers(value)?;
    if let Data::Float(numbers) = &mut array.data {
        numbers.iter_mut().for_each(|number| *number = f64::from(*number as f32));
    }
    Some(array)
}

/// The same, with the numbers as they are written.
fn numbers(value: &Value) -> Option<Array> {
    let mut shape = Vec::new();
    let mut inner = value;
    while let Value::Array(list) = inner {
        shape.push(list.len());
        inner = list.first()?;
    }
    let mut numbers = Vec::new();
    fill(value, &shape, &mut numbers)?;
    Some(Array::floats(Kind::F32, &shape, numbers))
}

fn fill(value: &Value, shape: &[usize], into: &mut Vec<f64>) -> Option<()> {
    match (value, shape) {
        (Value::Array(list), [length, rest @ ..]) if list.len() == *length => {
            list.iter().try_for_each(|item| fill(item, rest, into))
        }
        (number, []) => number.as_f64().map(|number| into.push(number)),
        _ => None,
    }
}
