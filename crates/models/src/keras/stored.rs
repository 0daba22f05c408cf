//! Stored weights: which arrays of an HDF5 file belong to a layer, in the order in which Keras keeps them.
//! Keras 3 files them by the place of a layer in its model (`layers/dense_1/vars/0`), older files by its name.

use super::graph::text;
use crate::onnx::ReadError;
use crate::similar::Hints;
use arrays::hdf5::{Hdf5, Hdf5Array};
use program::ir::Constant;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// The weights of a file.
pub(super) struct Stored {
    arrays: BTreeMap<String, Hdf5Array>,
    form: Form,
    used: FxHashSet<String>,
    /// What layers have seen of their data and keep as text, by their folders.
    vocabularies: FxHashMap<String, Vec<i64>>,
}

enum Form {
    /// By place.
    Places,
    /// By name: for each layer of the outermost model, its arrays in their order.
    Names(FxHashMap<String, Vec<String>>),
}

/// Where the weights of a layer are looked for.
pub(super) struct Owner<'o> {
    /// The folder of the layer's model, with a slash at its end, and the layer's own in it.
    pub folder: &'o str,
    pub own: &'o str,
    /// The names of the models around the layer, and then its own.
    pub names: &'o [&'o str],
}

/// An array that was found, with its path in the file.
pub(super) type Found = (String, Hdf5Array);

/// The folder of layers in a model, and what TensorFlow's Keras 2.13 called it.
const LAYERS: &str = "layers/";
const FORMER_LAYERS: &str = "_layer_checkpoint_dependencies/";

/// What files hold that no layer computes with: the state of generators of random numbers.
const SEEDS: &[&str] = &["seed_generator", "_seed_generator", "random_generator", "_random_generator"];

/// Longer vocabularies are not compared token by token.
const MOST_TOKENS: usize = 4096;

impl Stored {
    /// The weights that Keras 3 writes into an archive, or by `save_weights`.
    pub fn by_places(file: &Hdf5) -> Result<Stored, ReadError> {
        let mut arrays = BTreeMap::new();
        for (path, array) in file.arrays()? {
            arrays.insert(path.replace(FORMER_LAYERS, LAYERS), array);
        }
        Ok(Stored {
            arrays,
            form: Form::Places,
            used: FxHashSet::default(),
            vocabularies: FxHashMap::default(),
        })
    }

    /// The weights of an `.h5` file with an architecture.
    pub fn by_names(file: &Hdf5) -> Result<Stored, ReadError> {
        const GROUP: &str = "model_weights";
        let mut names = FxHashMap::default();
        for layer in texts(file, GROUP, "layer_names")? {
            let group = format!("{GROUP}/{layer}");
            let weights = texts(file, &group, "weight_names")?;
            names.insert(layer, weights.iter().map(|weight| format!("{group}/{weight}")).collect());
        }
        Ok(Stored {
            arrays: file.arrays()?,
            form: Form::Names(names),
            used: FxHashSet::default(),
            vocabularies: FxHashMap::default(),
        })
    }

    /// Takes the text in which a layer keeps its vocabulary, a token on each line; tokens that are no integers are
    /// left alone.
    pub fn keep_vocabulary(&mut self, folder: &str, text: &[u8]) {
        let lines = std::str::from_utf8(text).map(str::lines).into_iter().flatten().take(MOST_TOKENS + 1);
        let tokens: Option<Vec<i64>> = lines.map(|line| line.trim().parse().ok()).collect();
        if let Some(tokens) = tokens.filter(|tokens| tokens.len() <= MOST_TOKENS) {
            self.vocabularies.insert(folder.replace(FORMER_LAYERS, LAYERS), tokens);
        }
    }

    /// The vocabulary of a layer, tokens for what is masked or unknown among it.
    pub fn vocabulary(&self, folder: &str) -> Option<&[i64]> {
        self.vocabularies.get(folder).map(Vec::as_slice)
    }

    /// The arrays of a layer. Nobody else is taken to have them.
    pub fn of_layer(&mut self, owner: &Owner<'_>, layer: &Value) -> Vec<Found> {
        let paths: Vec<String> = match &self.form {
            Form::Names(names) => by_name(names, owner.names),
            Form::Places => {
                let base = format!("{}{LAYERS}{}/", owner.folder, owner.own);
                let arrays = &self.arrays;
                let in_part = |part: Part| {
                    let folder = format!("{base}{}vars/", part.folder);
                    part.numbers.map_while(move |k| numbered(arrays, &folder, k))
                };
                parts(layer).into_iter().flat_map(in_part).collect()
            }
        };
        self.used.extend(paths.iter().cloned());
        if matches!(self.form, Form::Places) {
            self.pass_over_state(&format!("{}{LAYERS}{}/vars/", owner.folder, owner.own));
        }
        let found = |path: String| self.arrays.get(&path).map(|array| (path.clone(), array.clone()));
        paths.into_iter().filter_map(found).collect()
    }

    /// Leaves alone what a layer keeps under names that it has chosen itself: weights have numbers.
    fn pass_over_state(&mut self, folder: &str) {
        let own = self.arrays.keys().filter(|path| path.starts_with(folder));
        let is_state = |path: &&String| path[folder.len()..].parse::<usize>().is_err();
        let state: Vec<String> = own.filter(is_state).cloned().collect();
        self.used.extend(state);
    }

    /// Whether an array is the kernel of the layer inside, which a layer of that kind stores once more.
    fn is_copy(&self, path: &str) -> bool {
        path.strip_suffix("vars/0").is_some_and(|folder| self.used.contains(&format!("{folder}layer/vars/0")))
    }

    /// Leaves alone what is stored for a layer of which nothing is known.
    pub fn pass_over(&mut self, owner: &Owner<'_>) {
        match &self.form {
            Form::Names(names) => self.used.extend(by_name(names, owner.names)),
            Form::Places => {
                let base = format!("{}{LAYERS}{}/", owner.folder, owner.own);
                self.used.extend(self.arrays.keys().filter(|path| path.starts_with(&base)).cloned());
            }
        }
    }

    /// Folders, or layers, whose arrays no layer of the architecture has asked for.
    pub fn left_over(&self) -> Vec<String> {
        let mut left: Vec<String> = match &self.form {
            Form::Names(names) => {
                let unused =
                    names.iter().filter(|(_, paths)| paths.iter().any(|path| !self.used.contains(path)));
                unused.map(|(name, _)| name.clone()).collect()
            }
            Form::Places => {
                let is_weight =
                    |path: &&String| path.starts_with(LAYERS) && !is_seed(path) && !self.is_copy(path);
                let of_layers = self.arrays.keys().filter(is_weight);
                let unused = of_layers.filter(|path| !self.used.contains(*path));
                unused.filter_map(|path| Some(path.rsplit_once("/vars/")?.0.to_owned())).collect()
            }
        };
        left.sort();
        left.dedup();
        left
    }
}

fn numbered(arrays: &BTreeMap<String, Hdf5Array>, folder: &str, number: usize) -> Option<String> {
    let path = format!("{folder}{number}");
    arrays.contains_key(&path).then_some(path)
}

/// A constant of a program whose elements are read when they are asked for.
pub(super) fn constant(array: &Hdf5Array) -> Option<Constant> {
    let sizes = array.sizes.iter().map(|&size| i64::try_from(size).ok()).collect::<Option<_>>()?;
    let (kind, array) = (array.kind?, array.clone());
    Some(Constant { kind, sizes, load: Rc::new(move || array.load().ok()) })
}

/// The folders of layers in a model: the class in small letters, with a number from the second of its kind on.
pub(super) fn folders<'l>(layers: impl IntoIterator<Item = &'l Value>) -> Vec<String> {
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    let mut folder = |layer: &Value| {
        // Two classes are called something else in Python.
        let class = match text(layer, "class_name").unwrap_or_default() {
            "Model" => "Functional",
            "GroupQueryAttention" => "GroupedQueryAttention",
            // The weights were stored before somebody made a slip.
            class if text(layer, "module") == Some("keras.layers") => slip(class).unwrap_or(class),
            class => class,
        };
        let name = in_small_letters(class);
        let number = seen.entry(name.clone()).and_modify(|number| *number += 1).or_default();
        if *number == 0 { name } else { format!("{name}_{number}") }
    };
    layers.into_iter().map(&mut folder).collect()
}

/// The class of Keras that a name of none was probably meant to be.
pub(super) fn slip(class: &str) -> Option<&'static str> {
    let is_known = layers::layers::by_name(class).is_some()
        || layers::unmodelled::REASONS.iter().any(|(known, _)| *known == class);
    let known = layers::layers::ALL.iter().chain(layers::preparing::ALL).map(|layer| layer.operator.name);
    if is_known { None } else { Hints::default().nearest(class, known) }
}

/// Where below its folder a layer keeps weights.
struct Part {
    /// With a slash at its end.
    folder: String,
    /// Which of the arrays there count at this place.
    numbers: Range<usize>,
}

const ALL: Range<usize> = 0..usize::MAX;

impl Part {
    /// The first array, and those after it.
    fn halved(self) -> [Option<Part>; 2] {
        let Range { start, end } = self.numbers;
        let part = |numbers: Range<usize>| Some(Part { folder: self.folder.clone(), numbers });
        [part(start..start + 1), part(start + 1..end)]
    }
}

/// Where a layer keeps its weights, in the order of its definition.
fn parts(layer: &Value) -> Vec<Part> {
    let config = &layer["config"];
    let own = |folders: &[&str]| -> Vec<Part> {
        folders.iter().map(|folder| Part { folder: folder.to_string(), numbers: ALL }).collect()
    };
    let below = |folder: &str, inner: &Value| -> Vec<Part> {
        let inside = |part: Part| Part { folder: format!("{folder}/{}", part.folder), ..part };
        parts(inner).into_iter().map(inside).collect()
    };
    match text(layer, "class_name").unwrap_or_default() {
        "SimpleRNN" | "LSTM" | "GRU" | "ConvLSTM1D" | "ConvLSTM2D" | "ConvLSTM3D" => own(&["cell/"]),
        "RNN" => below("cell", &config["cell"]),
        "StackedRNNCells" => {
            let cells = config["cells"].as_array().map(Vec::as_slice).unwrap_or_default();
            let folders = folders(cells).into_iter().zip(cells);
            folders.flat_map(|(folder, cell)| below(&format!("cells/{folder}"), cell)).collect()
        }
        "Bidirectional" => {
            let forward = &config["layer"];
            let backward =
                Some(&config["backward_layer"]).filter(|layer| layer.is_object()).unwrap_or(forward);
            let both = [below("forward_layer", forward), below("backward_layer", backward)];
            both.into_iter().flatten().collect()
        }
        "TimeDistributed" => below("layer", &config["layer"]),
        "Pipeline" => {
            let layers = config["layers"].as_array().map(Vec::as_slice).unwrap_or_default();
            let folders = folders(layers).into_iter().zip(layers);
            folders.flat_map(|(folder, layer)| below(&format!("_pipeline_layers/{folder}"), layer)).collect()
        }
        // The kernel of the layer inside, which is its first array, is stored with both. The vector comes after it.
        "SpectralNormalization" => {
            let vector = Part { folder: String::new(), numbers: 1..2 };
            let mut inside = below("layer", &config["layer"]).into_iter();
            let [kernel, rest] = inside.next().map_or([None, None], Part::halved);
            [kernel, Some(vector), rest].into_iter().flatten().chain(inside).collect()
        }
        "MultiHeadAttention" => {
            own(&["query_dense/", "key_dense/", "_gate_dense/", "value_dense/", "output_dense/"])
        }
        "GroupQueryAttention" | "GroupedQueryAttention" => {
            own(&["_query_dense/", "_key_dense/", "_gate_dense/", "_value_dense/", "_output_dense/"])
        }
        _ => own(&[""]),
    }
}

/// The arrays of a layer by the names of the models around it. Those of a model inside another one stand together;
/// the layer is part of their names.
fn by_name(stored: &FxHashMap<String, Vec<String>>, names: &[&str]) -> Vec<String> {
    let [outermost, .., own] = names else {
        return names.first().and_then(|own| stored.get(*own)).cloned().unwrap_or_default();
    };
    let all = stored.get(*outermost).map(Vec::as_slice).unwrap_or_default();
    let rest = |path: &str| path.splitn(3, '/').nth(2).unwrap_or_default().to_owned();
    all.iter().filter(|path| rest(path).split('/').any(|part| part == *own)).cloned().collect()
}

/// The texts of an attribute; long lists are spread over several, with numbers at the end of their names.
fn texts(file: &Hdf5, group: &str, name: &str) -> Result<Vec<String>, ReadError> {
    if let Some(texts) = file.texts(group, name)? {
        return Ok(texts);
    }
    let mut all = Vec::new();
    for number in 0.. {
        match file.texts(group, &format!("{name}{number}"))? {
            Some(texts) => all.extend(texts),
            None => break,
        }
    }
    Ok(all)
}

fn is_seed(path: &str) -> bool {
    path.split('/').any(|part| SEEDS.contains(&part))
}

/// `MaxPooling2D` as `max_pooling2d`: a line before each capital that small letters follow, and between a small
/// letter and a capital.
pub(super) fn in_small_letters(class: &str) -> String {
    let letters: Vec<char> =
        class.chars().filter(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    let small = |k: usize| letters.get(k).is_some_and(char::is_ascii_lowercase);
    let capital = |k: usize| letters.get(k).is_some_and(char::is_ascii_uppercase);
    let mut marked = String::new();
    for (k, letter) in letters.iter().enumerate() {
        if k > 0 && capital(k) && (small(k + 1) || small(k - 1)) {
            marked.push('_');
        }
        marked.extend(letter.to_lowercase());
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::in_small_letters;

    #[test]
    fn classes_have_folders() {
        let folders = [
            ("Dense", "dense"),
            ("Conv2D", "conv2d"),
            ("MaxPooling2D", "max_pooling2d"),
            ("LSTM", "lstm"),
            ("SimpleRNN", "simple_rnn"),
            ("PReLU", "p_re_lu"),
            ("ELU", "elu"),
            ("RMSNormalization", "rms_normalization"),
            ("Conv2DTranspose", "conv2d_transpose"),
        ];
        for (class, folder) in folders {
            assert_eq!(in_small_letters(class), folder);
        }
    }
}
