//! Files that hold arrays: NumPy's, HDF5's, and the checkpoints of PyTorch. What is in a file is told by its headers; elements
//! stay where they are until somebody asks, and nothing in a file is executed.

pub mod checkpoint;
pub mod error;
pub mod hdf5;
pub mod mapped;
pub mod npy;
pub mod zipped;
