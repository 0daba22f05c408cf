//! Changing the size of a grid.
