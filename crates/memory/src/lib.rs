//! The allocator of the programs we ship: small blocks of few sizes, kept for reuse by the thread that frees them.
//!
//! Checking a model makes tens of thousands of blocks of a few dozen bytes and lives for milliseconds, so a third of
//! the time of a general allocator is spent on what we never need: joining neighbours, finding the best fit, telling
//! threads apart. Here a block of up to [`LARGEST`] bytes is taken from the list of its size, or from the end of the
//! current chunk; freeing puts it back on the list. Larger blocks go to the system.
//!
//! What a fresh process pays for most is pages: each one it touches is cleared and entered into a table, and in a
//! virtual machine a fault for every page doubles the price. A chunk is therefore entered as a whole when it is made.
//! (Large pages are cheaper where the system has some left and several times as dear where it has to make room for
//! them first, as it does right after a large program has ended.) The blocks that vectors and tables grow through are
//! taken from chunks, too.
//!
//! Promises: every block has the size and alignment asked for; a block may be freed by another thread than the one
//! that made it; memory of small blocks is reused and never returned before the process ends.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Blocks are multiples of this, and aligned to it.
const GRAIN: usize = 16;
/// Sizes up to this have a list for each number of grains; beyond, four lists for each doubling.
const FINE: usize = 1024;
/// What is larger comes from the system.
const LARGEST: usize = CHUNK / 4;
/// How many lists of free blocks there are.
const LISTS: usize = list_of(LARGEST) + 1;
/// A chunk holds many blocks.
const CHUNK: usize = 1 << 19;
/// The first chunk of a thread: many a thread needs no more.
const FIRST_CHUNK: usize = 1 << 16;

/// Use with `#[global_allocator]`.
pub struct Pooled;

/// Bytes of chunks and of large blocks.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// How many bytes the system has given: for small blocks, which are never returned, and for large ones that are in use;
/// 0 where another allocator is used.
pub fn taken() -> usize {
    TAKEN.load(Ordering::Relaxed)
}

/// The blocks of one thread.
struct Pool {
    /// By [`list_of`]: the first free block, each holding the address of the next.
    free: [Cell<*mut u8>; LISTS],
    /// What is left of the chunk.
    next: Cell<*mut u8>,
    left: Cell<usize>,
}

thread_local! {
    static POOL: Pool = const {
        Pool { free: [const { Cell::new(null_mut()) }; LISTS], next: Cell::new(null_mut()), left: Cell::new(0) }
    };
}

/// The list that holds blocks of a size.
#[inline]
const fn list_of(size: usize) -> usize {
    if size <= FINE {
        return size.div_ceil(GRAIN);
    }
    // The three highest bits of what precedes the size: 1025..=1280 is the first quarter after FINE.
    let last = size - 1;
    let doubling = last.ilog2() as usize;
    FINE / GRAIN + (doubling - FINE.ilog2() as usize) * 4 + ((last >> (doubling - 2)) & 3) + 1
}

/// The size of the blocks of a list: the largest that [`list_of`] sends there.
#[inline]
const fn size_of_list(list: usize) -> usize {
    match list.checked_sub(FINE / GRAIN + 1) {
        None => list * GRAIN,
        Some(beyond) => (beyond % 4 + 5) << (FINE.ilog2() as usize + beyond / 4 - 2),
    }
}

/// The list of a block, unless it is none of ours.
#[inline]
fn list(layout: &Layout) -> Option<usize> {
    (layout.size() <= LARGEST && layout.align() <= GRAIN).then(|| list_of(layout.size()))
}

impl Pool {
    #[expect(unsafe_code, reason = "an allocator hands out raw memory")]
    #[inline]
    fn take(&self, list: usize) -> *mut u8 {
        let free = &self.free[list];
        let block = free.get();
        if !block.is_null() {
            // A free block holds the address of the next one.
            free.set(unsafe { block.cast::<*mut u8>().read() });
            return block;
        }
        let size = size_of_list(list);
        if self.left.get() < size {
            return self.refill(list);
        }
        let block = self.next.get();
        self.left.set(self.left.get() - size);
        // Within the chunk, or one past its end.
        self.next.set(unsafe { block.add(size) });
        block
    }

    #[expect(unsafe_code, reason = "an allocator hands out raw memory")]
    #[inline]
    fn put(&self, block: *mut u8, list: usize) {
        let free = &self.free[list];
        // The block is ours again, and at least one grain long.
        unsafe { block.cast::<*mut u8>().write(free.get()) };
        free.set(block);
    }

    /// Starts a new chunk; what is left of the old one goes to the list of the largest blocks it can hold.
    #[cold]
    #[inline(never)]
    fn refill(&self, list: usize) -> *mut u8 {
        let left = self.left.get();
        if left > 0 {
            let fitting = list_of(left);
            self.put(self.next.get(), if size_of_list(fitting) > left { fitting - 1 } else { fitting });
        }
        let is_first = self.next.get().is_null() && size_of_list(list) <= FIRST_CHUNK;
        let (chunk, size) = if is_first { (first_chunk(), FIRST_CHUNK) } else { (chunk(), CHUNK) };
        TAKEN.fetch_add(size, Ordering::Relaxed);
        self.next.set(chunk);
        self.left.set(if chunk.is_null() { 0 } else { size });
        if chunk.is_null() { chunk } else { self.take(list) }
    }
}

/// A chunk of which all pages are there.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "an allocator hands out raw memory")]
fn chunk() -> *mut u8 {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // New memory at an address of the system's choice.
    unsafe { mmap_anonymous(null_mut(), CHUNK, protection, MapFlags::PRIVATE | MapFlags::POPULATE) }
        .map_or(null_mut(), |chunk| chunk.cast())
}

#[cfg(not(target_os = "linux"))]
fn chunk() -> *mut u8 {
    system(CHUNK)
}

fn first_chunk() -> *mut u8 {
    system(FIRST_CHUNK)
}

#[expect(unsafe_code, reason = "an allocator hands out raw memory")]
fn system(size: usize) -> *mut u8 {
    // The size is not 0.
    Layout::from_size_align(size, GRAIN).map_or(null_mut(), |layout| unsafe { System.alloc(layout) })
}

#[expect(unsafe_code, reason = "the trait of allocators is unsafe")]
// Small blocks come from chunks of the system, never overlap and are aligned to the grain; the rest is the system's.
unsafe impl GlobalAlloc for Pooled {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match list(&layout) {
            Some(list) => POOL.with(|pool| pool.take(list)),
            None => {
                TAKEN.fetch_add(layout.size(), Ordering::Relaxed);
                unsafe { System.alloc(layout) }
            }
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match list(&layout) {
            Some(list) => POOL.with(|pool| pool.put(block, list)),
            None => {
                TAKEN.fetch_sub(layout.size(), Ordering::Relaxed);
                unsafe { System.dealloc(block, layout) }
            }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match list(&layout) {
            Some(list) => {
                let block = POOL.with(|pool| pool.take(list));
                if !block.is_null() {
                    unsafe { block.write_bytes(0, layout.size()) };
                }
                block
            }
            None => {
                TAKEN.fetch_add(layout.size(), Ordering::Relaxed);
                unsafe { System.alloc_zeroed(layout) }
            }
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The caller promises that the new size makes a valid layout.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (list(&layout), list(&wanted)) {
            (None, None) => {
                TAKEN.fetch_add(size, Ordering::Relaxed);
                TAKEN.fetch_sub(layout.size(), Ordering::Relaxed);
                unsafe { System.realloc(block, layout, size) }
            }
            (Some(now), Some(then)) if now == then => block,
            _ => unsafe {
                let moved = self.alloc(wanted);
                if !moved.is_null() {
                    moved.copy_from_nonoverlapping(block, layout.size().min(size));
                    self.dealloc(block, layout);
                }
                moved
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_fits_the_blocks_of_its_list_and_of_no_smaller_one() {
        for size in 1..=LARGEST {
            let list = list_of(size);
            assert!(size <= size_of_list(list), "{size} in blocks of {}", size_of_list(list));
            assert!(size > size_of_list(list - 1), "{size} would fit {}", size_of_list(list - 1));
            assert!(size_of_list(list).is_multiple_of(GRAIN));
        }
    }

    /// Blocks of all sizes, made, grown, moved between threads and freed in an order of their own, keep what was
    /// written to them.
    #[test]
    fn blocks_keep_what_is_written_to_them() {
        let mut state = 7_u64;
        let mut next = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut blocks: Vec<Block> = Vec::new();
        for round in 0..50_000 {
            match next(4) {
                0 if blocks.len() > 100 => drop(blocks.swap_remove(next(blocks.len()))),
                1 if !blocks.is_empty() => {
                    let which = next(blocks.len());
                    blocks[which].resize(1 + next(3_000));
                }
                2 if round % 1_000 == 2 => {
                    let moved = std::mem::take(&mut blocks);
                    let joined = std::thread::spawn(move || {
                        moved.iter().for_each(Block::check);
                        moved
                    });
                    blocks = joined.join().expect("the thread finds what was written");
                }
                _ => {
                    blocks.push(Block::new(1 + next(if round % 50 == 0 { 70_000 } else { 300 }), round as u8))
                }
            }
        }
        blocks.iter().for_each(Block::check);
    }

    struct Block {
        start: *mut u8,
        layout: Layout,
        mark: u8,
    }

    #[expect(unsafe_code, reason = "a block has one owner at a time")]
    unsafe impl Send for Block {}

    #[expect(unsafe_code, reason = "the allocator is called as the standard library would")]
    impl Block {
        fn new(size: usize, mark: u8) -> Block {
            let layout = Layout::from_size_align(size, 8).expect("a valid layout");
            let start = unsafe { Pooled.alloc(layout) };
            assert!(!start.is_null() && start.cast::<u64>().is_aligned());
            unsafe { start.write_bytes(mark, size) };
            Block { start, layout, mark }
        }

        fn resize(&mut self, size: usize) {
            self.start = unsafe { Pooled.realloc(self.start, self.layout, size) };
            let kept = self.layout.size().min(size);
            self.layout = Layout::from_size_align(size, 8).expect("a valid layout");
            let bytes = unsafe { std::slice::from_raw_parts(self.start, kept) };
            assert!(bytes.iter().all(|byte| *byte == self.mark));
            unsafe { self.start.write_bytes(self.mark, size) };
        }

        fn check(&self) {
            let bytes = unsafe { std::slice::from_raw_parts(self.start, self.layout.size()) };
            assert!(bytes.iter().all(|byte| *byte == self.mark));
        }
    }

    impl Drop for Block {
        #[expect(unsafe_code, reason = "the allocator is called as the standard library would")]
        fn drop(&mut self) {
            self.check();
            unsafe { Pooled.dealloc(self.start, self.layout) };
        }
    }
}
