//! HDF5 files: what arrays are in them, by their headers, and the texts of attributes. Elements are read when they
//! are asked for; what a file claims is bounded by what its bytes could hold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use hdf5_reader::group::Group;
use hdf5_reader::{Dataset, Datatype, Hdf5File, OpenOptions};
use semantics::array::Array;
use semantics::dtype::Kind;

use crate::error::ReadError;
use crate::npy::{NpyArray, NpyKind};

/// The first bytes of every HDF5 file.
const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Groups inside groups; no real file comes near.
const DEEPEST: usize = 64;

/// No object takes fewer bytes of a file, so a walk that meets more of them goes in circles.
const SMALLEST_OBJECT: usize = 16;

/// Packed elements cannot be more than this many times longer than what is stored of them.
const BEST_COMPRESSION: usize = 1032;
/// Elements that were never written take no space at all; this much is granted to them.
const GRANTED: usize = 64 << 20;

/// An open file.
pub struct Hdf5 {
    path: PathBuf,
    file: Hdf5File,
    most_objects: usize,
}

/// An array of a file, by its header.
#[derive(Clone)]
pub struct Hdf5Array {
    /// `None` for elements that are no numbers.
    pub kind: Option<Kind>,
    pub sizes: Vec<u64>,
    dataset: Dataset,
}

/// Whether the content looks like an HDF5 file.
pub fn is_one(content: &[u8]) -> bool {
    content.starts_with(SIGNATURE)
}

impl Hdf5 {
    /// Opens a file in memory, or mapped; `path` is for messages.
    pub fn from_bytes(content: Bytes, path: &Path) -> Result<Hdf5, ReadError> {
        let most = content.len().saturating_mul(BEST_COMPRESSION).max(GRANTED);
        let options = OpenOptions::default().with_chunk_cache_bytes(0).with_max_read_bytes(most);
        let most_objects = content.len() / SMALLEST_OBJECT;
        let file = Hdf5File::from_owner(content, options)
            .map_err(|error| ReadError::new(path, format!("not a readable HDF5 file: {error}")))?;
        Ok(Hdf5 { path: path.to_owned(), file, most_objects })
    }

    /// The texts of an attribute of a group: one, or those of a list; `None` where there is no such attribute.
    pub fn texts(&self, group: &str, attribute: &str) -> Result<Option<Vec<String>>, ReadError> {
        let found =
            self.group(group).and_then(|group| group.attributes()).map_err(|error| self.broken(error))?;
        let Some(found) = found.into_iter().find(|other| other.name == attribute) else { return Ok(None) };
        // What a list without elements is a list of is not told.
        if found.num_elements().is_ok_and(|count| count == 0) {
            return Ok(Some(Vec::new()));
        }
        found.read_strings().map(Some).map_err(|error| self.broken(error))
    }

    /// Every array, by its path.
    pub fn arrays(&self) -> Result<BTreeMap<String, Hdf5Array>, ReadError> {
        let mut arrays = BTreeMap::new();
        let root = self.file.root_group().map_err(|error| self.broken(error))?;
        let mut waiting = vec![(String::new(), root, 0)];
        let mut met = 0;
        while let Some((path, group, depth)) = waiting.pop() {
            let (groups, datasets) = group.members().map_err(|error| self.broken(error))?;
            met += 1 + datasets.len();
            if depth > DEEPEST || met > self.most_objects {
                return Err(ReadError::new(&self.path, "its groups contain each other without end"));
            }
            arrays.extend(
                datasets
                    .into_iter()
                    .map(|dataset| (format!("{path}{}", dataset.name()), Hdf5Array::of(dataset))),
            );
            waiting.extend(
                groups.into_iter().map(|group| (format!("{path}{}/", group.name()), group, depth + 1)),
            );
        }
        Ok(arrays)
    }

    fn group(&self, path: &str) -> hdf5_reader::error::Result<Group> {
        if path.is_empty() { self.file.root_group() } else { self.file.group(path) }
    }
    fn broken(&self, error: impl std::fmt::Display) -> ReadError {
        ReadError::new(&self.path, format!("the HDF5 file is damaged: {error}"))
    }
}

impl Hdf5Array {
    fn of(dataset: Dataset) -> Hdf5Array {
        let kind = match dataset.dtype() {
            Datatype::FloatingPoint { size, .. } => float(*size),
            Datatype::FixedPoint { size, signed, .. } => integer(*size, *signed),
            // NumPy's truths are an enumeration of two.
            Datatype::Enum { members, .. } if members.len() == 2 && members[1].name == "TRUE" => {
                Some(Kind::Bool)
            }
            // HDF5 has no bfloat16: two bytes, and an attribute that says what they are.
            Datatype::Opaque { size: 2, .. } => {
                let told = dataset.attribute("dtype").and_then(|attribute| attribute.read_string());
                told.is_ok_and(|told| told == "bfloat16").then_some(Kind::BF16)
            }
            _ => None,
        };
        Hdf5Array { kind, sizes: dataset.shape().to_vec(), dataset }
    }

    /// The elements; the error tells why they cannot be had.
    pub fn load(&self) -> Result<Array, String> {
        let kind = self.kind.ok_or("its elements are no numbers")?;
        let (npy, bits) = match kind {
            Kind::Bool => (NpyKind::Bool, 8),
            Kind::BF16 => (NpyKind::Void, 16),
            kind => {
                let bits = kind.bits().ok_or("its elements are no numbers")?;
                let signed = matches!(kind, Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64);
                (
                    if kind.is_float() {
                        NpyKind::Float
                    } else if signed {
                        NpyKind::Int
                    } else {
                        NpyKind::UInt
                    },
                    bits,
                )
            }
        };
        let shape: Option<Vec<usize>> = self.sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
        let bytes = self.dataset.read_native_bytes().map_err(|error| error.to_string())?;
        // The reader gives numbers in the order of this machine.
        let bytes = if cfg!(target_endian = "big") { reversed(bytes, bits as usize / 8) } else { bytes };
        NpyArray::new(npy, bits, shape.ok_or("it is too large")?, bytes.into())?.to_array(Some(kind))
    }
}

fn reversed(mut bytes: Vec<u8>, width: usize) -> Vec<u8> {
    bytes.chunks_exact_mut(width.max(1)).for_each(<[u8]>::reverse);
    bytes
}

fn float(size: u8) -> Option<Kind> {
    Some(match size {
        2 => Kind::F16,
        4 => Kind::F32,
        8 => Kind::F64,
        _ => return None,
    })
}

fn integer(size: u8, signed: bool) -> Option<Kind> {
    Some(match (size, signed) {
        (1, true) => Kind::I8,
        (2, true) => Kind::I16,
        (4, true) => Kind::I32,
        (8, true) => Kind::I64,
        (1, false) => Kind::U8,
        (2, false) => Kind::U16,
        (4, false) => Kind::U32,
        (8, false) => Kind::U64,
        _ => return None,
    })
}
