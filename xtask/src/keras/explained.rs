//! Disagreements with Keras that are not ours: what it does, and whether that is a fault of it or said nowhere.

use super::judge::list;
use serde_json::Value;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whose {
    Ours,
    Keras,
    Undocumented,
}

impl Whose {
    pub fn word(self) -> &'static str {
        match self {
            Whose::Ours => "ours",
            Whose::Keras => "Keras's",
            Whose::Undocumented => "undocumented",
        }
    }
}

/// A known disagreement; `applies` tells its calls from others.
pub struct Explanation {
    pub whose: Whose,
    /// On which backend; on every one if it is empty.
    backend: &'static str,
    pub words: &'static str,
    applies: fn(&Seen) -> bool,
}

/// A disagreement as it was seen.
struct Seen<'a> {
    row: &'a Value,
    layer: &'a str,
    why: &'a str,
}

impl Seen<'_> {
    fn argument(&self, name: &str) -> &Value {
        &self.row["arguments"][name]
    }
    fn is_value(&self) -> bool {
        self.why.starts_with("another value") && !self.why.contains("no finite bound")
    }
    fn is_unknown(&self) -> bool {
        self.why.starts_with("unknown")
    }
    /// We refuse what Keras takes.
    fn is_refused(&self) -> bool {
        self.why.starts_with("refused")
    }
    /// We take what Keras refuses.
    fn is_accepted(&self) -> bool {
        self.why.starts_with("accepted")
    }
    /// Whether that is what Keras raises.
    fn error(&self, kind: &str) -> bool {
        self.row["error"].as_str().is_some_and(|error| error.starts_with(kind))
    }
    /// Whether the arguments, those of layers inside among them, say that.
    fn says(&self, text: &str) -> bool {
        self.row["arguments"].to_string().contains(text)
    }
    /// The tensors that the call is given, with those by name.
    fn tensors(&self) -> impl Iterator<Item = &Value> {
        let named = self.row["call"].as_object().into_iter().flat_map(|named| named.values());
        let named =
            named.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
        list(&self.row["inputs"]).iter().chain(named)
    }
    /// Whether it is given a tensor without elements.
    fn is_empty(&self) -> bool {
        self.tensors().any(|tensor| list(&tensor["shape"]).iter().any(|size| size == 0))
    }
    /// Whether a tensor of the call is of integers.
    fn has_integers(&self) -> bool {
        self.tensors().any(|tensor| tensor["dtype"].as_str().is_some_and(|dtype| dtype.starts_with("int")))
    }
    fn raises(&self, text: &str) -> bool {
        self.row["error"].as_str().is_some_and(|error| error.contains(text))
    }
    fn mentions(&self, layer: &str) -> bool {
        self.layer == layer || self.says(&format!("\"{layer}\""))
    }
}

/// What is known of the disagreement.
pub fn of(row: &Value, layer: &str, backend: &str, why: &str) -> Option<&'static Explanation> {
    let seen = Seen { row, layer, why };
    let applies = |known: &&Explanation| known.backend.is_empty() || known.backend == backend;
    KNOWN.iter().filter(applies).find(|known| (known.applies)(&seen))
}

const KNOWN: &[Explanation] = &[
    Explanation {
        whose: Whose::Keras,
        backend: "torch",
        words: "shrinking what is not a number gives it back, where the formula in the documentation gives 0",
        applies: |seen| seen.is_value() && seen.says("_shrink\"") && seen.why.contains("is NaN instead of 0"),
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "Lanczos weights at whole places are rounded, and not exactly 0 and 1",
        applies: |seen| seen.is_value() && seen.says("lanczos"),
    },
    Explanation {
        whose: Whose::Undocumented,
        backend: "",
        words: "an axis of one element may be named twice",
        applies: |seen| {
            seen.layer == "Normalization" && seen.is_refused() && seen.why.contains("named twice")
        },
    },
    // Keras on TensorFlow.
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "unrolled backwards, zeros for what is masked lie at the other end",
        applies: |seen| {
            let backwards = seen.layer == "Bidirectional" || seen.says("\"go_backwards\":true");
            let zeros = seen.layer == "Bidirectional" || seen.says("\"zero_output_for_mask\":true");
            seen.is_value() && backwards && zeros && seen.says("\"unroll\":true")
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "the bias is added along the last axis instead of the channels, which come first, where both are equally long",
        applies: |seen| {
            seen.is_value()
                && seen.layer.contains("Conv")
                && seen.argument("data_format") == "channels_first"
                && seen.argument("use_bias") != false
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "in three axes a window that is smaller than its step does not start at the first element",
        applies: |seen| {
            seen.is_value()
                && seen.layer.ends_with("3D")
                && seen.argument("padding") == "same"
                && !seen.argument("strides").is_null()
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "the biases of heads, where one axis of them is longer than 1, are added along another axis that is as long",
        applies: |seen| {
            seen.is_value() && seen.layer.ends_with("Attention") && seen.argument("use_bias") != false
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "the bias, where one axis of it is longer than 1, is added along another axis that is as long",
        applies: |seen| seen.is_value() && seen.mentions("EinsumDense") && seen.says("bias_axes"),
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "TensorFlow does not broadcast so many axes",
        applies: |seen| seen.is_accepted() && seen.error("UnimplementedError"),
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "a tensor with one axis longer than 1 is taken for a bias, and added along another axis than the one that it has",
        applies: |seen| ["Add", "Average"].contains(&seen.layer) && !seen.is_unknown(),
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "cubic weights come from a table of 1024 places, which loses digits",
        applies: |seen| seen.is_value() && seen.argument("interpolation") == "bicubic",
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "an equation for fewer axes than there are is taken",
        applies: |seen| {
            seen.mentions("EinsumDense") && seen.is_refused() && seen.why.contains("a letter for each axis")
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "a periodic window of odd length is made symmetric",
        applies: |seen| {
            seen.is_value()
                && seen.layer.ends_with("Spectrogram")
                && !seen.says("\"window\":null")
                && seen.argument("sequence_length").as_i64().is_some_and(|length| length % 2 == 1)
        },
    },
    // Keras on PyTorch.
    Explanation {
        whose: Whose::Keras,
        backend: "torch",
        words: "the border counts in the mean of a window that reaches beyond the input by more than half of itself",
        applies: |seen| {
            seen.is_value() && seen.layer.starts_with("AveragePooling") && seen.argument("padding") == "same"
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "torch",
        words: "neighbouring axes are normalized as if they were the last ones",
        applies: |seen| {
            let told = seen.is_refused() && seen.why.contains("axes side by side are the last ones");
            seen.mentions("LayerNormalization") && (seen.is_accepted() || seen.is_value() || told)
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "torch",
        words: "walking backwards over unrolled steps fails: PyTorch's tensors cannot be walked backwards by a step of -1",
        applies: |seen| seen.is_accepted() && seen.error("AttributeError") && seen.says("\"unroll\":true"),
    },
    Explanation {
        whose: Whose::Keras,
        backend: "torch",
        words: "a window in three axes that reaches beyond the input is refused, though it is padded",
        applies: |seen| {
            seen.is_accepted() && seen.layer == "AveragePooling3D" && seen.raises("smaller than kernel size")
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "a factor that is whole but written as 1.0 is refused",
        applies: |seen| seen.layer == "RandomPosterization" && seen.is_accepted(),
    },
    Explanation {
        whose: Whose::Keras,
        backend: "torch",
        words: "PyTorch reads only the first row of an image that is one wide and stays so, where it smooths",
        applies: |seen| seen.is_value() && seen.argument("antialias") == true && seen.argument("width") == 1,
    },
    Explanation {
        whose: Whose::Keras,
        backend: "torch",
        words: "PyTorch refuses tensors without elements that TensorFlow takes, and a symbolic build on both",
        applies: |seen| {
            seen.is_accepted() && seen.is_empty() && (seen.error("RuntimeError") || seen.raises("amax()"))
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "kernels of TensorFlow fail on what is empty, or give it back in the shape in which it came",
        applies: |seen| {
            seen.is_empty() && (seen.why.starts_with("shape") || seen.error("InvalidArgumentError: {{"))
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "without a head of queries nothing is looked at, and what comes out has whatever shape",
        applies: |seen| seen.argument("num_query_heads") == 0,
    },
    Explanation {
        whose: Whose::Undocumented,
        backend: "tensorflow",
        words: "padded windows over no places give none, where they are refused in other layers",
        applies: |seen| {
            seen.is_refused() && seen.is_empty() && seen.why.contains("the window fits the input")
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "the softmax of TensorFlow takes from one to five axes",
        applies: |seen| seen.is_accepted() && seen.error("AbortedError") && seen.raises("Input dims must be"),
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "numbers in float64 meet the reversed table as they are, and are not made float32 before",
        applies: |seen| seen.layer == "ReversibleEmbedding" && seen.why == "type f32 instead of f64",
    },
    // Keras everywhere.
    Explanation {
        whose: Whose::Undocumented,
        backend: "",
        words: "tensors beyond the states are taken by some ways to walk and refused by others",
        applies: |seen| {
            let theirs = ["leaves for PyTreeSpec", "treespec.unflatten"];
            seen.is_accepted()
                && !seen.row["call"]["initial_state"].is_null()
                && theirs.iter().any(|text| seen.raises(text))
        },
    },
    Explanation {
        whose: Whose::Undocumented,
        backend: "",
        words: "a layer that keeps its states begins each time with those of the time before",
        applies: |seen| seen.layer == "TimeDistributed" && seen.is_value() && seen.says("\"stateful\":true"),
    },
    Explanation {
        whose: Whose::Undocumented,
        backend: "",
        words: "weights of counts that have another shape are broadcast, or not looked at where there are none",
        applies: |seen| seen.is_refused() && seen.why.contains("there is a weight for each category"),
    },
    Explanation {
        whose: Whose::Undocumented,
        backend: "",
        words: "keys and values of one time are broadcast",
        applies: |seen| {
            ["Attention", "AdditiveAttention"].contains(&seen.layer)
                && seen.is_refused()
                && seen.why.contains("`value` is as long as `key`")
        },
    },
    Explanation {
        whose: Whose::Undocumented,
        backend: "",
        words: "integers are taken where a kernel of the backend happens to take them",
        applies: |seen| seen.is_refused() && seen.has_integers() && seen.why.contains("is floating point"),
    },
    Explanation {
        whose: Whose::Undocumented,
        backend: "",
        words: "integers are refused where a kernel of the backend happens not to take them",
        applies: |seen| {
            let theirs = ["not implemented for 'Int'", "expected scalar type", "attr 'T' of int32"];
            seen.is_accepted() && seen.has_integers() && theirs.iter().any(|text| seen.raises(text))
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "a cell that drops something while training refuses integers when it predicts, too",
        applies: |seen| {
            let theirs = [
                "Float can't be cast to the desired output type",
                "will be scaled",
                "Could not automatically",
            ];
            seen.is_accepted()
                && seen.has_integers()
                && seen.says("dropout\":")
                && theirs.iter().any(|text| seen.raises(text))
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "images in float64 stay what they are, where other layers make them float32",
        applies: |seen| seen.layer == "RandomCrop" && seen.why == "type f32 instead of f64",
    },
    Explanation {
        whose: Whose::Undocumented,
        backend: "",
        words: "a window by name is made by SciPy, which Keras does not ask for when it is installed",
        applies: |seen| seen.layer == "STFTSpectrogram" && seen.error("ImportError"),
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "a number equal to the threshold becomes 0, where the documentation says that it stays",
        applies: |seen| seen.is_value() && seen.layer == "ReLU" && seen.argument("threshold") != 0.0,
    },
    Explanation {
        whose: Whose::Keras,
        backend: "torch",
        words: "what is normalized are the last axes, whichever are named",
        applies: |seen| {
            let told = seen.is_refused() && seen.why.contains("axes side by side are the last ones");
            seen.layer == "RMSNormalization" && (told || !seen.is_refused())
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "a stack of one cell with two states is given the first of them alone",
        applies: |seen| {
            seen.is_accepted()
                && (seen.error("IndexError") || seen.error("TypeError"))
                && (seen.says("LSTMCell") || seen.layer == "StackedRNNCells")
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "a stateful layer cannot keep the states of stacked cells",
        applies: |seen| seen.is_accepted() && seen.error("AttributeError") && seen.says("\"stateful\":true"),
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "a stack of one cell cannot be walked with past a mask",
        applies: |seen| {
            seen.is_accepted() && seen.error("ValueError: The two structures don't have the same")
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "the states of a stack in a stack, of which a cell has two, have no shape in a symbolic build",
        applies: |seen| {
            seen.is_accepted()
                && seen.error("ValueError: Undefined shapes are not supported")
                && seen.says("\"return_state\":true")
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "the state of a stack of one cell in a stack loses its batch",
        applies: |seen| {
            seen.why.starts_with("shape")
                && seen.says("StackedRNNCells")
                && seen.says("\"return_state\":true")
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "two layers in opposite directions that keep their states cannot return them",
        applies: |seen| {
            seen.layer == "Bidirectional"
                && seen.is_accepted()
                && seen.error("TypeError: unsupported operand type(s) for *: 'generator'")
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "a layer inside another is not asked which ranks it takes",
        applies: |seen| {
            ["TimeDistributed", "Bidirectional", "SpectralNormalization"].contains(&seen.layer)
                && seen.is_refused()
                && seen.why.contains(" axes")
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "the regularizer of the activity is never read",
        applies: |seen| seen.is_refused() && seen.why.contains("`activity_regularizer`"),
    },
    Explanation {
        whose: Whose::Undocumented,
        backend: "",
        words: "a mask of another shape is broadcast, or not looked at where nothing is masked",
        applies: |seen| seen.is_refused() && seen.why.contains("mask has a truth for each"),
    },
];
